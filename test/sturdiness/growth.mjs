/**
 * Lints hostile texts of two sizes, and prints how the time of the rules grows. Run it after a build:
 *
 *     node test/sturdiness/growth.mjs [shape]
 *
 * Twice the size in about twice the time is linear: an exponent of 1. Times below fifty milliseconds say little. Ends with 1 when a rule fails.
 */
import process from 'node:process';
import plugin from '../../dist/src/index.js';
import { lintHostile } from './lint.mjs';
import { deep, odd, shapes } from './shapes.mjs';

const [only = ''] = process.argv.slice(2);
let failed = 0;

/** @param {string} name @param {import('./lint.mjs').Outcome} outcome */
function failures(name, { fault }) {
  if (!fault) return '';
  failed += 1;
  return `FAULT ${name}: ${fault.split('\n').slice(0, 6).join('\n')}`;
}

console.log(`${'shape'.padEnd(36)}${'size'.padStart(10)}${'ms'.padStart(8)}${'ms at twice'.padStart(13)}${'ratio'.padStart(7)}${'exponent'.padStart(10)}`);
for (const [name, { size, make }] of Object.entries(shapes)) {
  if (!name.includes(only)) continue;
  // The first time, code is compiled as well.
  lintHostile(plugin, make(4));
  const [once, twice] = [size, 2 * size].map((one) => lintHostile(plugin, make(one), { isMeasured: true }));
  if (!once || !twice) continue;
  const refused = once.refusal ?? twice.refusal;
  console.log(`${name.padEnd(36)}${String(size).padStart(10)}${once.time.toFixed(0).padStart(8)}${twice.time.toFixed(0).padStart(13)}${(twice.time / Math.max(1, once.time)).toFixed(1).padStart(7)}${Math.log2(Math.max(1, twice.time) / Math.max(1, once.time)).toFixed(1).padStart(10)}${refused ? `  refused by the host: ${refused.slice(0, 60)}` : ''}`);
  for (const one of [once, twice]) if (one.fault) console.log(failures(name, one));
}
for (const [name, make] of Object.entries(deep)) {
  if (!name.includes(only)) continue;
  for (const size of [250, 500, 1000, 2000, 5000, 10_000]) {
    const outcome = lintHostile(plugin, make(size));
    console.log(`${name.padEnd(36)}${String(size).padStart(10)}${outcome.time.toFixed(0).padStart(8)}  ${outcome.refusal ? `refused by the host: ${outcome.refusal.slice(0, 60)}` : failures(name, outcome)}`);
    if (outcome.refusal) break;
  }
}
for (const [name, text] of Object.entries(odd)) {
  if (!name.includes(only)) continue;
  const outcome = lintHostile(plugin, text);
  console.log(`${name.padEnd(36)}${outcome.refusal ? `refused by the host: ${outcome.refusal.slice(0, 60)}` : failures(name, outcome)}`);
}
console.log(failed === 0 ? 'No rule failed.' : `${String(failed)} texts made a rule fail.`);
process.exitCode = failed === 0 ? 0 : 1;
