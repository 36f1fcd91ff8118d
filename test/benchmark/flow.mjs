/**
 * Measures that the analysis grows linearly with the size of a function and with nesting. Run it after a build:
 *
 *     node test/benchmark/flow.mjs [shape]
 *
 * The last column compares the time for twice the size with that before: about 2 is linear, 4 would be quadratic. Times of a few
 * milliseconds say little. The facts are made without ESLint around them: its own code paths grow exponentially where `finally` stands
 * in `finally`.
 */
import { performance } from 'node:perf_hooks';
import * as parser from '@typescript-eslint/parser';
import { SourceCode } from 'eslint';
import { factsOf } from '../../dist/src/analysis/facts.js';
import { shapes } from './shapes.mjs';

/** @typedef {{ readonly type: string }} AnyNode */

const [only = ''] = process.argv.slice(2);

// ESLint's own types and those of typescript-eslint name one tree differently.
const analyse = /** @type {(sourceCode: unknown, fileName: string) => ReturnType<typeof factsOf>} */ (/** @type {unknown} */ (factsOf));

/** @param {string} body */
const program = (body) => `import { Client } from 'pg';
export async function main(work: (...args: unknown[]) => Promise<void>, a: any, b: any) {
  const client = new Client();
  await client.connect();
  await client.query('SELECT pg_advisory_lock(1)');
  ${body}
  await client.query('SELECT pg_advisory_unlock(1)');
}
`;

/** @param {string} text */
function parse(text) {
  const { ast, scopeManager, visitorKeys, services } = parser.parseForESLint(text, { range: true, loc: true, tokens: true, comment: true, sourceType: 'module' });
  const sourceCode = new SourceCode(/** @type {any} */ ({ text, ast, scopeManager, visitorKeys, parserServices: services }));
  // ESLint sets the parents as it walks; nothing here may be measured that it does anyway.
  const open = [/** @type {AnyNode} */ (/** @type {unknown} */ (ast))];
  for (let node = open.pop(); node; node = open.pop()) {
    const fields = /** @type {Record<string, AnyNode | (AnyNode | null)[] | null>} */ (/** @type {unknown} */ (node));
    for (const key of visitorKeys[node.type] ?? []) for (const child of [fields[key]].flat()) if (child) open.push(Object.assign(child, { parent: node }));
  }
  return sourceCode;
}

/** @param {string} text */
function timed(text) {
  const times = [];
  let leaks = 0;
  for (let round = 0; round < 3; round += 1) {
    const sourceCode = parse(text);
    const start = performance.now();
    const facts = analyse(sourceCode, 'main.ts');
    leaks = facts?.held.leaked.length ?? -1;
    if (facts?.transactions.sessionInside.size) throw new Error('There is no transaction here.');
    times.push(performance.now() - start);
  }
  return { time: Math.min(...times), leaks };
}

timed(program('await work();')); // loads what is loaded late
console.log(['shape'.padEnd(38), 'size', 'lines', 'leaks', 'ms', 'ratio'].map((title, index) => (index === 0 ? title : title.padStart(8))).join(' '));
for (const [shape, { sizes, make }] of Object.entries(shapes)) {
  if (!shape.includes(only)) continue;
  let before = 0;
  for (const size of sizes) {
    const text = program(make(size));
    const { time, leaks } = timed(text);
    const cells = [size, text.split('\n').length, leaks, time.toFixed(1), before > 0 ? (time / before).toFixed(2) : ''];
    console.log([shape.padEnd(38), ...cells.map((cell) => String(cell).padStart(8))].join(' '));
    before = time;
  }
}
