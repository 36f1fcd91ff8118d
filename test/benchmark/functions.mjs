/**
 * Measures that reports and rewrites grow linearly with the number of functions that lock. Run it after a build:
 *
 *     node test/benchmark/functions.mjs [shape]
 *
 * The last column compares the time with that of a quarter of the functions: about 4 is linear, 16 would be quadratic. All of ESLint is
 * in it, without types; a first run loads what is loaded late.
 */
import { performance } from 'node:perf_hooks';
import * as parser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import plugin from '../../dist/src/index.js';
import { fileOf, functions } from './shapes.mjs';

const [only = ''] = process.argv.slice(2);
/** @type {import('eslint').Linter.Config} */
const config = { ...plugin.configs.recommended, files: ['**/*.ts'], languageOptions: { parser }, settings: { 'pg-advisory-lock': { typesOnDemand: false } } };

/** @param {string} text */
function timed(text) {
  const start = performance.now();
  const messages = new Linter().verify(text, [config], 'main.ts');
  return { time: performance.now() - start, offered: messages.filter(({ suggestions }) => suggestions?.length).length };
}

console.log(['shape'.padEnd(38), 'functions', 'offered', 'ms', 'ratio'].map((title, index) => (index === 0 ? title : title.padStart(9))).join(' '));
for (const shape of Object.keys(functions).filter((one) => one.includes(only))) {
  timed(fileOf(shape, 10));
  let before = 0;
  for (const size of [25, 100, 400]) {
    const rounds = [1, 2, 3].map(() => timed(fileOf(shape, size)));
    const time = Math.min(...rounds.map((one) => one.time));
    console.log([shape.padEnd(38), ...[size, rounds[0]?.offered, time.toFixed(1), before > 0 ? (time / before).toFixed(2) : ''].map((cell) => String(cell).padStart(9))].join(' '));
    before = time;
  }
}
