// @ts-check
// Prints the numbers of tests out of the JSON that vitest wrote, as `N passed, N failed`, and fails where anything failed.
import { existsSync, readFileSync } from 'node:fs';

/** @typedef {{ status: string, assertionResults: { status: string }[] }} FileResult */

const [status = '1', file = ''] = process.argv.slice(2);
const read = () => /** @type {{ testResults: FileResult[] }} */ (JSON.parse(readFileSync(file, 'utf8')));
const { testResults } = existsSync(file) ? read() : { testResults: [] };
const states = testResults.flatMap(({ assertionResults }) => assertionResults.map((one) => one.status));
const passed = states.filter((state) => state === 'passed').length;
const failedTests = states.filter((state) => state === 'failed').length;

// A file that does not load fails without a test that does; so does a step before the tests.
const broken = testResults.filter((one) => one.status === 'failed' && !one.assertionResults.some((test) => test.status === 'failed')).length;
const isFine = status === '0' && passed > 0;
const failed = failedTests + broken || (isFine ? 0 : 1);
const skipped = states.length - passed - failedTests;

console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 ? 1 : 0;
