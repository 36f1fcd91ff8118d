import { describe, expect, test } from 'vitest';
import { readModule } from '../../src/types/imports/text.js';
import { namesLentBy } from '../../src/types/on-demand/lending.js';

const takes = (text: string): string[] => readModule(text).takes.map(({ from, name, local, as }) => `${name}${local === undefined ? '' : ` as ${local}`} of ${from}${as === undefined ? '' : `, on as ${as}`}`);
const exported = (text: string): string[] => [...readModule(text).exports];

describe('what a text imports', () => {
  test.each([
    ["import a from 'm'", ['default as a of m']],
    ["import type from 'm'", ['default as type of m']],
    ["import type a from 'm'", ['default as a of m']],
    ["import a, { b, type c, d as e, default as f, type as g, type } from './m.js'", ['default as a of ./m.js', 'b as b of ./m.js', 'c as c of ./m.js', 'd as e of ./m.js', 'default as f of ./m.js', 'type as g of ./m.js', 'type as type of ./m.js']],
    ["import type { a } from 'm'\nimport {\n  b, // two\n  /* three */ c,\n} from \"n\"", ['a as a of m', 'b as b of n', 'c as c of n']],
    ["import * as a from 'm'", ['* as a of m']],
    ["import a = require('m')", ['* as a of m']],
    ["import 'm'; import.meta.url; const b = await import('./n')", ['* of ./n']],
    ["const { a } = require('m')", ['* of m']],
    ["export { a, b as c, default as d } from 'm'", ['a of m, on as a', 'b of m, on as c', 'default of m, on as d']],
    ["export * from 'm'\nexport * as n from 'n'\nexport type { t } from 'o'", ['* of m, on as *', '* of n, on as n', 't of o, on as t']],
    ["const a = require('m'); module.exports = { a }", ['* of m', '* of m, on as *']],
    ["// import what is\nimport { a } from 'm'", ['a as a of m']],
    ["const word = 'import { it's }'; import { a } from 'm'", ['a as a of m']],
  ])('%s', (text, expected) => {
    expect(takes(text)).toEqual(expected);
  });
});

describe('what a text exports', () => {
  test.each([
    ['export const a = 1, b = 2', ['a']],
    ['export declare const enum A {}\nexport abstract class B {}\nexport async function* c() {}\nexport type D = 1', ['A', 'B', 'c', 'D']],
    ['export const { a, b: c, ...d } = e', ['a', 'b', 'c', 'd']],
    ['export default class A {}', ['default']],
    ['const a = 1; export { a as b, c }', ['b', 'c']],
    ['module.exports = { a, b: c, d() { } }', ['*', 'a', 'b', 'c', 'd']],
    ['exports.a = 1; module.exports.b = 2', ['a', '*', 'b']],
    ["export * from 'm'", []],
  ])('%s', (text, expected) => {
    expect(exported(text)).toEqual(expected);
  });
});

test.each([
  ['export {};\ndeclare global {\n  var pool: Pool;\n  function open(): void;\n}', ['pool', 'open']],
  ["import 'm';\ndeclare module 'm' { interface Context { readonly db: Db; take?(): void } }", ['Context']],
  ["import 'm';\ndeclare module 'm' {\n  interface Context {\n    readonly db: Db;\n    take?(): void;\n  }\n}\nconst other = 1;", ['Context', 'db', 'take']],
  ['var pool = 1;\nfunction open() { return 2 }', ['pool', 'open']],
  ["import 'm';\nconst declare = 1;", []],
  ['export {};\n// declare global { var no: 1 }\n  declare global { var yes: 1 }', ['yes']],
  ['export {};\ndeclare global { interface Error { cause2: 1 } }', []],
])('%s lends', (text, names) => {
  expect(namesLentBy(text)).toEqual(names);
});
