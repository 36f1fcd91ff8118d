import { describe, expect, test } from 'vitest';
import { orderLines, sharedLines } from '../../src/inventory/words.js';
import { inventory } from './inventory-of.js';

const imports = "import { Pool, type PoolClient } from 'pg'; declare const work: () => Promise<void>;\n";
const lock = (key: string, name = 'pg_advisory_lock'): string => `await client.query("SELECT ${name}(${key})");`;
const unlock = (key: string): string => lock(key, 'pg_advisory_unlock');
const fn = (name: string, body: string): string => `export async function ${name}(client: PoolClient, id: number) { ${body} }\n`;

function shared(files: Record<string, string>): string[] {
  return inventory(mapped(files)).sharedKeys.map(({ key, places }) => `${key}: ${places.map(({ file, within }) => `${file} ${within}`).join(', ')}`);
}

function orders(files: Record<string, string>): string[] {
  const said = (pairs: readonly (readonly [{ file: string; line: number }, { file: string; line: number }])[]): string => pairs.map((pair) => pair.map(({ file, line }) => `${file}:${line}`).join('>')).join(' ');
  return inventory(mapped(files)).opposedOrders.map(({ keys, forth, back }) => `${keys.join(', ')}: ${said(forth)} | ${said(back)}`);
}

const mapped = (files: Record<string, string>): Record<string, string> => Object.fromEntries(Object.entries(files).map(([name, text]) => [name, imports + text]));

describe('keys that more than one function takes', () => {
  test('in one file and across files, session and transaction level alike', () => {
    expect(shared({
      'a.ts': fn('one', lock('42')) + fn('two', lock('42', 'pg_advisory_xact_lock')) + fn('three', lock('43')),
      'b.ts': fn('one', lock("hashtext('x')")),
      'c.ts': fn('one', lock("hashtext('x')")) + fn('two', lock("hashtext('y')")),
    })).toEqual(['42: a.ts one, a.ts two', "hashtext('x'): b.ts one, c.ts one"]);
  });

  test('by a constant that they import', () => {
    expect(shared({ 'key.ts': 'export const KEY = 7;\n', 'a.ts': `import { KEY } from './key';\n${fn('one', "await client.query('SELECT pg_advisory_lock($1)', [KEY]);")}`, 'b.ts': fn('two', lock('7')) })).toEqual(['7: a.ts one, b.ts two']);
  });

  test('not one function twice, not one key and two, not what callers pass', () => {
    expect(shared({ 'a.ts': fn('one', lock('1') + lock('1')) + fn('two', lock('1, 2')) + fn('three', lock('2, 1')) + fn('four', lock("hashtext('1')")) })).toEqual([]);
    const passed = "await client.query('SELECT pg_advisory_lock($1)', [id]);";
    expect(shared({ 'a.ts': fn('one', passed) + fn('two', passed), 'b.ts': `export class C { constructor(readonly key: number) {}\n async a(client: PoolClient) { await client.query('SELECT pg_advisory_lock($1)', [this.key]); }\n async b(client: PoolClient) { await client.query('SELECT pg_advisory_lock($1)', [this.key]); } }\n` })).toEqual([]);
  });

  test('in words', () => {
    expect(sharedLines(inventory(mapped({ 'a.ts': fn('one', lock('42')), 'b.ts': fn('two', lock('42')) })))).toEqual(['`42` is taken by 2 functions, which keep each other out: a.ts:2 (one), b.ts:2 (two).']);
  });
});

describe('keys that are taken in both orders', () => {
  test('in two functions, while the first is held', () => {
    const files = { 'a.ts': fn('one', lock('1') + lock('2') + unlock('2') + unlock('1')), 'b.ts': fn('two', lock('2') + lock('1') + unlock('1') + unlock('2')) };
    expect(orders(files)).toEqual(['1, 2: a.ts:2>a.ts:2 | b.ts:2>b.ts:2']);
    expect(orderLines(inventory(mapped(files)))).toEqual(['`1` is held while `2` is waited for: a.ts:2 (one) and a.ts:2 (one). The other way round: b.ts:2 (two) and b.ts:2 (two). Two that run at the same time may wait for each other; take them in one order.']);
  });

  test('until the end of the transaction', () => {
    const both = (name: string, first: string, second: string): string => fn(name, `await client.query('BEGIN'); ${lock(first, 'pg_advisory_xact_lock')} ${lock(second, 'pg_advisory_xact_lock')} await client.query('COMMIT');`);
    expect(orders({ 'a.ts': both('one', '1', '2') + both('two', '2', '1') })).toEqual(['1, 2: a.ts:2>a.ts:2 | a.ts:3>a.ts:3']);
  });

  test('through the functions that are called, also in other files', () => {
    expect(orders({
      'a.ts': `import { takeTwo } from './b';\n${fn('one', `${lock('1')} await takeTwo(client, id); ${unlock('1')}`)}`,
      'b.ts': fn('deep', lock('2')) + fn('takeTwo', 'await deep(client, id);'),
      'c.ts': fn('two', lock('2') + lock('1')),
    })).toEqual(['1, 2: a.ts:3>b.ts:2 | c.ts:2>c.ts:2']);
  });

  const back = fn('back', lock('2') + lock('1'));

  test.each([
    ['the first is freed before', fn('one', lock('1') + unlock('1') + lock('2'))],
    ['the second is only tried', fn('one', lock('1') + lock('2', 'pg_try_advisory_lock'))],
    ['they stand in two branches', fn('one', `if (id > 1) { ${lock('1')} } else { ${lock('2')} }`)],
    ['everybody takes them in one order', fn('one', lock('2') + lock('1'))],
    ['the keys are not known to be the same', fn('one', `${lock('1')} await client.query('SELECT pg_advisory_lock($1)', [id]);`)],
    ['the second is taken where the first is not held', fn('one', lock('1')) + fn('two', lock('2'))],
  ])('not where %s', (_what, code) => {
    expect(orders({ 'a.ts': code, 'b.ts': back })).toEqual([]);
  });

  test('not where readers share both', () => {
    const read = (name: string, first: string, second: string): string => fn(name, lock(first, 'pg_advisory_lock_shared') + lock(second, 'pg_advisory_lock_shared'));
    expect(orders({ 'a.ts': read('one', '1', '2') + read('two', '2', '1') })).toEqual([]);
    expect(orders({ 'a.ts': read('one', '1', '2') + fn('two', lock('2') + lock('1')) })).toHaveLength(1);
  });
});
