import { describe, expect, test } from 'vitest';
import { callersOf, orderLines, partnersOf, sharedLines } from '../../src/inventory/words.js';
import { json, markdown, table } from '../../src/inventory/tables.js';
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

  test('by the constants that they pass to a helper of another file', () => {
    const helper = "export async function withLock(client: PoolClient, key: number, job: () => Promise<void>) { await client.query('SELECT pg_advisory_lock($1)', [key]); try { await job(); } finally { await client.query('SELECT pg_advisory_unlock($1)', [key]); } }\n";
    const use = (name: string, key: string): string => `import { withLock } from './helper'; import { Keys } from './key';\n${fn(name, `await withLock(client, ${key}, work);`)}`;
    const files = { 'key.ts': 'export const Keys = { stock: 7, orders: 8 } as const;\n', 'helper.ts': helper, 'a.ts': use('one', 'Keys.stock'), 'b.ts': use('two', '3 + 4'), 'c.ts': use('three', 'Keys.orders'), 'd.ts': use('four', 'id') };
    expect(shared(files)).toEqual(['7: a.ts one, b.ts two']);
    expect(sharedLines(inventory(mapped(files)))).toEqual(['`7` is taken by 2 functions, which keep each other out: a.ts:3 (one), b.ts:3 (two).']);
    expect(inventory(mapped(files)).statements.find(({ file }) => file === 'helper.ts')?.passed).toEqual(['7', '8', 'id']);
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

describe('where a helper is called', () => {
  const helper = "export async function withLock(client: PoolClient, key: number, job: () => Promise<void>) { await client.query('SELECT pg_advisory_lock($1)', [key]);\ntry { await job(); } finally { await client.query('SELECT pg_advisory_unlock($1)', [key]); } }\n";
  const use = (name: string): string => `import { withLock } from './helper';\n${fn(name, 'await withLock(client, 7, work);')}`;
  const helped = mapped({ 'helper.ts': `${helper}${fn('here', 'await withLock(client, 8, work);')}`, 'a.ts': use('one'), 'b.ts': use('two') });

  test('in its own file and in others', () => {
    expect(inventory(helped).statements.map(callersOf)).toEqual(Array.from({ length: 2 }, () => 'helper.ts:4 (here), a.ts:3 (one), b.ts:3 (two)'));
  });

  test('once below its statements, in a column of the Markdown, and for each statement as data', () => {
    expect(table(inventory(helped)).split('\n').filter((line) => line.includes('called at'))).toEqual(['    withLock is called at helper.ts:4 (here), a.ts:3 (one), b.ts:3 (two)']);
    expect(markdown(inventory(helped))).toMatch(/\| called at \|\n[^]*\| helper\.ts:4 \(here\), a\.ts:3 \(one\), b\.ts:3 \(two\) \|/);
    expect(JSON.parse(json(inventory(helped), {}))).toMatchObject({ statements: [{ callers: [{ file: 'helper.ts', line: 4, within: 'here' }, { file: 'a.ts', line: 3, within: 'one' }, { file: 'b.ts', line: 3, within: 'two' }] }, {}] });
  });

  test('of a callback without a name, where the function around it is called', () => {
    const inner = "async function each(client: PoolClient) { await Promise.all([1, 2].map(async (key) => { await client.query('SELECT pg_advisory_xact_lock($1)', [key]); })); }\n";
    expect(inventory(mapped({ 'a.ts': `${inner}${fn('all', 'await each(client);')}` })).statements.map(callersOf)).toEqual(['a.ts:3 (all)']);
  });

  test('not where nothing calls it, and not all of many', () => {
    expect(inventory(mapped({ 'a.ts': fn('one', lock('1')) })).statements.map(callersOf)).toEqual(['']);
    const many = `${helper}${Array.from({ length: 12 }, (_, index) => fn(`job${index}`, 'await withLock(client, 7, work);')).join('')}`;
    expect(inventory(mapped({ 'a.ts': many })).statements.map((one) => [one.callers.length, callersOf(one).replace(/^.*(?= and )/, '')])).toEqual([[12, ' and 2 more'], [12, ' and 2 more']]);
  });
});

describe('who frees it, where that is a function of another file', () => {
  const free = (key: string, name = 'pg_advisory_unlock'): string => `export async function free(client: PoolClient, key: number) { await client.query("SELECT ${name}(${key})", [key]); }\n`;
  const using = (body: string): string => `import { free } from './free'; import { take } from './take';\n${fn('run', body)}`;
  const partners = (files: Record<string, string>): string[] => inventory(mapped({ 'take.ts': 'export const take = work;\n', ...files })).statements.map((one) => `${one.file} ${partnersOf(one)}${one.guard === undefined ? '' : `, ${one.guard}`}`);

  test.each([
    ['its key is the same constant', { 'free.ts': free('7'), 'run.ts': using(`${lock('3 + 4')} try { await work(); } finally { await free(client, 0); }`) }, ['free.ts frees run.ts:3', 'run.ts free.ts:2, another function']],
    ['the call passes the same constant', { 'free.ts': free('$1'), 'run.ts': using(`${lock('7')} await work(); await free(client, 7);`) }, ['free.ts frees run.ts:3', 'run.ts free.ts:2, another function']],
    ['the call passes the same variable', { 'free.ts': free('$1'), 'run.ts': using("await client.query('SELECT pg_advisory_lock($1)', [id]); await free(client, id);") }, ['free.ts frees run.ts:3', 'run.ts free.ts:2, another function']],
    ['it frees everything', { 'free.ts': free('', 'pg_advisory_unlock_all'), 'run.ts': using(`${lock('7')} await free(client, 7);`) }, ['free.ts frees run.ts:3', 'run.ts free.ts:2, another function']],
    ['a third file calls both', { 'take.ts': "export async function take(client: PoolClient, key: number) { await client.query('SELECT pg_advisory_lock($1)', [key]); }\n", 'free.ts': free('$1'), 'run.ts': using('await take(client, id); await free(client, id);') }, ['free.ts frees take.ts:2', 'take.ts free.ts:2, another function']],
  ])('where %s', (_what, files, expected) => {
    expect(partners(files)).toEqual(expected);
  });

  test.each([
    ['another key', free('8'), `${lock('7')} await free(client, 7);`],
    ['another key that is passed', free('$1'), `${lock('7')} await free(client, 8);`],
    ['the other mode', free('7', 'pg_advisory_unlock_shared'), `${lock('7')} await free(client, 7);`],
    ['everything, but before', free('', 'pg_advisory_unlock_all'), `await free(client, 7); ${lock('7')}`],
    ['a lock of its own', `export async function free(client: PoolClient, key: number) { ${lock('7')} ${unlock('7')} }\n`, `${lock('7')} await free(client, 7);`],
  ])('not where it frees %s', (_what, other, body) => {
    expect(partners({ 'free.ts': other, 'run.ts': using(body) }).at(-1)).toBe('run.ts nobody in view, nothing');
  });

  test('the lock is held no longer than up to that call', () => {
    const back = fn('back', lock('2') + lock('1'));
    expect(orders({ 'free.ts': free('1'), 'a.ts': using(`${lock('1')} await free(client, 1); ${lock('2')}`), 'b.ts': back, 'take.ts': 'export const take = work;\n' })).toEqual([]);
    expect(orders({ 'free.ts': free('1'), 'a.ts': using(`${lock('1')} ${lock('2')} await free(client, 1);`), 'b.ts': back, 'take.ts': 'export const take = work;\n' })).toHaveLength(1);
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

  test('not what is taken a second time, while it is held', () => {
    const again = (middle: string): string => fn('one', `await client.query('BEGIN'); ${lock('1', 'pg_advisory_xact_lock')} ${lock('2', middle)} ${lock('1', 'pg_advisory_xact_lock')} await client.query('COMMIT');`);
    expect(orders({ 'a.ts': again('pg_advisory_xact_lock') })).toEqual([]);
    expect(orders({ 'a.ts': fn('one', `await client.query('BEGIN'); ${lock('1', 'pg_advisory_xact_lock_shared')} ${lock('2', 'pg_advisory_xact_lock')} ${lock('1', 'pg_advisory_xact_lock')} await client.query('COMMIT');`) })).toHaveLength(1);
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
