import { describe, expect, test } from 'vitest';
import { isAllOfStatement } from '../../src/rewrites/written.js';
import { mentionsLocks, wordsOf } from '../../src/types/gate.js';
import { readModule } from '../../src/types/imports/text.js';
import { namesLentBy } from '../../src/types/on-demand/lending.js';

/** What is read by its letters alone must be read in time that grows like the text, whatever stands in it. */

const blanks = ' '.repeat(1000);

/** Texts in pieces that are repeated: each looks like the beginning of something. */
const pieces = {
  'blanks': blanks, 'line breaks': '\n', 'carriage returns': '\r', 'blanks on lines': `${blanks}\n`, 'line separators': '\u2028',
  'import': 'import ', 'import and blanks': `import${blanks}`, 'import {': 'import { ', 'import { a,': 'import { a, ', 'import type': 'import type ', 'import a as': 'import { a as ', 'import "': 'import "', 'import *': 'import * as ',
  'export': 'export ', 'export and blanks': `export${blanks}`, 'export {': 'export {', 'export const and blanks': `export const${blanks}`, 'export declare': 'export declare ', 'export { and blanks': `export {${blanks}`, 'export *': 'export * from ', 'export default': 'export default ',
  'words': 'a ', 'one word': 'a', 'commas': ',', 'names in a list': 'a as b, ',
  'exports and blanks': `exports${blanks}`, 'module.exports = {': 'module.exports = { a, ', 'require(': 'require(', 'require and blanks': `require${blanks}(`, 'const {': 'const {',
  'open comments': '/*', 'import and open comments': 'import /*', 'line comments': '//', 'open strings': "'", 'open templates': '`', 'escapes': "'\\", 'strings that escape': "import '\\",
  'declare': 'declare ', 'declare and blanks': `declare${blanks}`, 'declare on lines': 'declare\n', 'declare global {': 'declare global {\n', 'declare global { }': 'declare global { a: 1 }\n', 'declare module': 'declare module "a" {', 'open braces': '{', 'readonly and blanks': `readonly${blanks}\n`, 'var and blanks': `var${blanks}`, 'members': 'a?: b\n',
  'advisory': 'advisory', 'a name that nearly is one': 'withAdvisoryLoc ',
  'as and blanks': `as${blanks}`, 'semicolons': '; ', 'quotes': '"', 'select': `select${blanks}`, 'pg_catalog.': 'pg_catalog.',
};

const words = wordsOf(['withAdvisoryLock', 'a.b']);

const readers: Record<string, (text: string) => unknown> = {
  'imports and exports': (text) => [readModule(text), readModule(`import ${text}`), readModule(`export {${text}`)],
  'names that are lent': (text) => [namesLentBy(text), namesLentBy(`declare global {\n${text}`), namesLentBy(`export {};\ndeclare global ${text}`)],
  'the gate': (text) => mentionsLocks(text, words),
  'what stands around a call': (text) => [isAllOfStatement(text, ''), isAllOfStatement(`select${text}`, ''), isAllOfStatement('select ', text), isAllOfStatement('select ', ` as${text}`), isAllOfStatement('select ', ` a${text}`)],
};

const SMALL = 30_000;

/** Processor time: that of others on the machine is not in it. */
function timeOf(read: (text: string) => unknown, text: string): number {
  const { user, system } = process.cpuUsage();
  read(text);
  const spent = process.cpuUsage({ user, system });
  return spent.user + spent.system;
}

/** How much longer eight times the text takes: about 8 where time grows like the text, 64 where it grows like its square. */
function growth(read: (text: string) => unknown, piece: string): number {
  const [once, more] = [1, 8].map((factor) => {
    const text = piece.repeat(Math.ceil((factor * SMALL) / piece.length));
    return Math.min(...Array.from({ length: 3 }, () => timeOf(read, text)));
  });
  // Below some milliseconds a time says nothing; the square of thirty thousand letters takes longer.
  return more! / Math.max(once!, 2000);
}

describe.each(Object.entries(readers))('%s', (_name, read) => {
  test.each(Object.entries(pieces))('%s', (_piece, piece) => {
    expect(growth(read, piece)).toBeLessThan(24);
  });
});
