import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inProject } from '../support/paths.js';

/** What the last step of `.ci/run` says of the exit status of the tests and the states of each file's tests. */
function count(exitStatus: number, files: Record<string, string[]> | undefined): [string, number | null] {
  const folder = mkdtempSync(join(tmpdir(), 'count-'));
  const testResults = Object.entries(files ?? {}).map(([status, states]) => ({ status, assertionResults: states.map((state) => ({ status: state })) }));
  if (files) writeFileSync(join(folder, 'results.json'), JSON.stringify({ testResults }));
  const { stdout, status } = spawnSync(process.execPath, [inProject('.ci/count.mjs'), String(exitStatus), join(folder, 'results.json')], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return [stdout, status];
}

test.each([
  ['all pass', 0, { passed: ['passed', 'passed'] }, '2 passed, 0 failed\n', 0],
  ['some are skipped', 0, { passed: ['passed', 'skipped', 'todo'] }, '1 passed, 0 failed, 2 skipped\n', 0],
  ['some fail', 1, { passed: ['passed'], failed: ['failed', 'passed', 'failed'] }, '2 passed, 2 failed\n', 1],
  ['a file does not load', 1, { passed: ['passed'], failed: [] }, '1 passed, 1 failed\n', 1],
  ['something else fails', 1, { passed: ['passed'] }, '1 passed, 1 failed\n', 1],
  ['a step before the tests fails', 1, undefined, '0 passed, 1 failed\n', 1],
  ['no test has run', 0, undefined, '0 passed, 1 failed\n', 1],
] as const)('the numbers are right where %s', (_what, exitStatus, files, text, status) => {
  expect(count(exitStatus, files as Record<string, string[]> | undefined)).toEqual([text, status]);
});
