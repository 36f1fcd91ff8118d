/**
 * Lints the code files of all installed packages with all rules, and ends with 1 where anything is found that must not be: a crash, a
 * warning, a report outside of lock code, a rewrite that does not parse, a file that takes minutes. Run it after a build:
 *
 *     node test/sturdiness/files.mjs [way] [part/parts] [package]
 *
 * The ways: `plain` lints the files as they are; `locks` writes locks into them; `names` has the settings call their own functions
 * helpers for locks; these three with types on demand. `typed` is `locks` with the types of a program. Without one, all ways.
 */
import { fork } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { packagesIn } from './files/corpus.mjs';

/** Milliseconds for one file, by the clock; all other times are those of the processor, worker included. */
const LONGEST = 600_000;
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const [way = '', part = '1/1', only = ''] = process.argv.slice(2);
const [which = 1, parts = 1] = part.split('/').map(Number);

/**
 * @typedef {object} Result
 * @property {string} key
 * @property {number} time
 * @property {boolean} isRefused
 * @property {number} reports
 * @property {{ readonly kind: string, readonly what: string }[]} faults
 */

/** Faults are told when they are found. @param {Result} result @param {Result[]} results */
function take(result, results) {
  results.push(result);
  for (const { kind, what } of result.faults) console.log(`${kind}: ${result.key} ${what.split('\n').slice(0, 8).join('\n')}`);
}

/** @param {string} one @param {string[]} packages @param {{ results: Result[], memory: number[], skipped: string[] }} into @returns {Promise<void>} */
function run(one, packages, into) {
  return new Promise((resolve) => {
    let [current, ofPackage] = ['', ''];
    const left = [...packages];
    const child = fork(new URL('files/child.mjs', import.meta.url), [JSON.stringify({ modules, way: one, packages, skipped: into.skipped })]);
    const fault = (/** @type {string} */ kind) => {
      // A package that is lost before any of its files was linted is lost again.
      if (current === '') left.splice(left.indexOf(ofPackage), 1);
      else into.skipped.push(current);
      take({ key: current === '' ? ofPackage : current, time: LONGEST, isRefused: false, reports: 0, faults: [{ kind, what: '' }] }, into.results);
    };
    const stop = () => {
      fault('hang');
      child.kill('SIGKILL');
    };
    let timer = setTimeout(stop, LONGEST);
    child.on('message', (/** @type {Record<string, unknown>} */ message) => {
      clearTimeout(timer);
      timer = setTimeout(stop, LONGEST);
      if (typeof message['package'] === 'string') [current, ofPackage] = ['', message['package']];
      if (typeof message['begins'] === 'string') current = message['begins'];
      if (typeof message['key'] === 'string') take(/** @type {Result} */ (/** @type {unknown} */ (message)), into.results);
      if (typeof message['done'] === 'string') left.splice(left.indexOf(message['done']), 1);
      if (typeof message['memory'] === 'number') into.memory.push(message['memory']);
    });
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      if (code !== 0 && signal !== 'SIGKILL') fault('process ended');
      resolve(left.length === 0 ? undefined : run(one, left, into));
    });
  });
}

const packages = packagesIn(modules).filter((name, index) => index % parts === which - 1 && name.includes(only));
let failed = 0;
for (const one of way === '' ? ['plain', 'locks', 'names', 'typed'] : [way]) {
  const into = { results: /** @type {Result[]} */ ([]), memory: /** @type {number[]} */ ([]), skipped: /** @type {string[]} */ ([]) };
  const end = () => {
    sum(one, into);
    process.exit(1);
  };
  process.once('SIGINT', end).once('SIGTERM', end);
  await run(one, packages, into);
  process.off('SIGINT', end).off('SIGTERM', end);
  failed += sum(one, into);
}
process.exitCode = failed === 0 ? 0 : 1;

/** Prints what a way has come to. @param {string} one @param {{ results: Result[], memory: number[] }} outcome */
function sum(one, { results, memory }) {
  const faults = results.flatMap((result) => result.faults);
  const linted = results.filter(({ isRefused }) => !isRefused);
  const megabytes = memory.map((bytes) => Math.round(bytes / 1_048_576));
  const some = megabytes.filter((_, index) => index % Math.ceil(megabytes.length / 8) === 0);
  console.log(`${one}: ${linted.length} files of ${memory.length} packages (${results.length - linted.length} refused by the parser), ${linted.reduce((total, { reports }) => total + reports, 0)} reports, ${faults.length} faults, ${Math.round(results.reduce((total, { time }) => total + time, 0) / 1000)} s, memory ${some.join(' ')} MB, at most ${Math.max(...megabytes)}`);
  for (const { key, time } of results.toSorted((a, b) => b.time - a.time).slice(0, 12)) console.log(`  ${String(Math.round(time)).padStart(7)} ms ${key}`);
  return faults.length;
}
