import type { ESLint } from 'eslint';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { factsOf } from '../../src/analysis/facts.js';
import { compareKeys, type KeyEquality } from '../../src/analysis/keys/keys.js';
import type { LockUse } from '../../src/analysis/model.js';
import { lint } from '../support/lint.js';
import { inProject } from '../support/paths.js';
import { compilerOptionsOf, ProgramFactory } from '../support/program.js';

/** Whether two keys are equal: what is taken, what is freed, both as they stand between the brackets of the lock function in a tag of postgres.js. */
type Row = readonly [taken: string, freed: string];

const HEAD = `
import type { ReservedSql } from 'postgres';
import { LOCKS, Numbered, REPORTS } from './constants.js';
declare const sql: ReservedSql;
declare const buf: Buffer;
declare function keyOf(name: string, seed?: number): number;
const lockKey = (id: string): string => \`lock:\${id}\`;
function otherLockKey(id: string) { return 'lock:' + id; }
function counted(name: string) { let sum = 0; for (const one of name) sum += one.length; return sum; }
const { nested: { deep: DEEP } } = { nested: { deep: 5 } };
const fromEnvironment = Number(process.env.LOCK_KEY ?? 42);
`;
const BODY = `(s: string, t: string, n: number, key: { id: number; name: string }, list: number[], pair: [number, number]) {
  const { id, name: keyName } = key; const [a, b] = pair; const copy = s; void id; void keyName; void a; void b; void copy;`;
const CONSTANTS = `export const LOCKS = { reports: 41, exports: 42, same: 41 } as const; export enum Numbered { A, B, C = 7, D } export const REPORTS = 41;`;

function verdicts(rows: readonly Row[]): KeyEquality[] {
  const code = `${HEAD}${rows.map(([taken, freed], at) => `export async function f${at}${BODY}\n  await sql\`select pg_advisory_lock(${taken})\`; await sql\`select pg_advisory_unlock(${freed})\`; }`).join('\n')}`;
  const folder = inProject('fixtures/none/keys');
  const [path, constants] = [join(folder, 'a.ts'), join(folder, 'constants.ts')];
  const program = new ProgramFactory(compilerOptionsOf(inProject('fixtures/tsconfig.json'))).create(new Map([[path, code], [constants, CONSTANTS]]));
  let uses: readonly LockUse[] = [];
  const asking = { meta: { namespace: 'keys' }, rules: { ask: { create: (context) => ({ 'Program:exit': () => { uses = factsOf(context.sourceCode as never, context.filename, { typesOnDemand: false })?.uses ?? []; } }) } } } satisfies ESLint.Plugin;
  const { failures } = lint(asking, path, code, { program });
  if (failures.length > 0) throw new Error(failures.join('\n'));
  expect(uses).toHaveLength(2 * rows.length);
  return rows.map((_, at) => compareKeys(uses[2 * at]!.key, uses[2 * at + 1]!.key));
}

function check(expected: KeyEquality, rows: readonly Row[]): void {
  test(expected, () => {
    const found = verdicts(rows);
    expect(rows.map(([taken, freed], at) => `${taken}  ~  ${freed}: ${found[at]}`)).toEqual(rows.map(([taken, freed]) => `${taken}  ~  ${freed}: ${expected}`));
  });
}

check('same', [
  // constants of SQL
  ['1000', '1e3::int'], ['5', 'abs(-5)'], ['5', '5::bigint'], ['5', "'5'::bigint"], ['5', 'cast(5 as int8)'], ['5', '+5'], ['42', '0x2a'], ['1000', '1_000'], ['16', '(1 << 4)'],
  ['5', "B'101'::int"], ['42', "x'2a'::int"], ['-1', "x'ffffffff'::int4"], ['4294967295', "x'ffffffff'::bigint"], ['7', '1 + 2 * 3'], ['-7', '-(7)'], ['5', "' 005 '::int"], ['5', 'int8(5)'], ['5', "int8 '5'"],
  ['5', "coalesce(5, 6)"], ['5', '5.0::int'], ['1, 2', '1::int, 2::integer'], ['3', '10 / 3'], ['-3', '-10 / 3'], ['1', 'mod(10, 3)'],
  // texts
  ["hashtext('ab')", "hashtext('a' || 'b')"], ["hashtext('ab')", "hashtext(concat('a', 'b'))"], ["hashtext('a5')", "hashtext('a' || 5)"], ["hashtext('ab')", "hashtext('ab'::text)"],
  ["hashtext('ab')", "pg_catalog.hashtext('ab')::bigint"], ["hashtext('ab')", "hashtext(lower('AB'))"], ["hashtext('job:1')", "hashtext(format('job:%s', 1))"],
  ["hashtext('a' || ${s})", "hashtext(${`a${s}`})"], ["hashtext(concat('a', ${s}))", "hashtext(${'a' + s})"], ["hashtext('a' || ${s}::text)", "hashtext('a' || ${s})"],
  ["'orders'::regclass", "'orders'::regclass"], ["'orders'::regclass", "'orders'::regclass::oid::int"], ["'Orders'::regclass", "'orders'::regclass"],
  ["('x' || substr(md5(${s}), 1, 16))::bit(64)::bigint", "('x' || substr(md5(${String(s)}), 1, 16))::bit(64)::bigint"],
  // values of the program
  ['hashtext(${s})', 'hashtext(${`${s}`})'], ['hashtext(${s})', 'hashtext(${String(s)})'], ['hashtext(${s})', 'hashtext(${s.toString()})'], ['hashtext(${s})', "hashtext(${'' + s})"], ['hashtext(${s})', 'hashtext(${copy})'],
  ['${BigInt(n)}', '${BigInt(n)}'], ['${n}', '${BigInt(n)}'], ['${BigInt.asIntN(64, BigInt(n))}', '${BigInt.asIntN(64, BigInt(n))}'], ['${Number(key.id)}', '${key.id}'], ['${parseInt(s)}', '${parseInt(s, 10)}'],
  ['${Number.parseInt(s, 10)}', '${Number(s)}'], ['${buf.readInt32BE(0)}', '${buf.readInt32BE(0)}'], ['${a}, ${b}', '${pair[0]}, ${pair[1]}'], ['${key.id}', '${id}'], ['${keyName}', '${key.name}'], ['${key.id}', '${key.id}'],
  ['${LOCKS.reports}', '${LOCKS.same}'], ['${LOCKS.reports}', '41'], ['${REPORTS}', '${LOCKS.reports}'], ['${Numbered.A}', '0'], ['${Numbered.D}', '8'], ['${Numbered.D}', '${Numbered.D}'], ['${DEEP}', '5'],
  ['${fromEnvironment}', '${fromEnvironment}'], ['${lockKey(s)}', '${lockKey(s)}'], ['hashtext(${lockKey(s)})', 'hashtext(${`lock:${s}`})'], ['hashtext(${lockKey(s)})', 'hashtext(${otherLockKey(s)})'],
  ["hashtext(${lockKey('x')})", "hashtext('lock:x')"], ['${1e3}', '1000'], ['${0x2a}', '${42n}'], ['${1 << 4}', '16'], ["${'42'}", '${42}'], ['${40 + 2}', '42'], ['${-(-42)}', '42'], ["${BigInt('42')}", '42'],
  ['${keyOf(s)}', '${keyOf(s)}'], ['${counted(s)}', '${counted(s)}'], ['${n}', '${+n}'], ['${n}', '${n as number}'], ['${n}::int', '${n}::bigint'], ['${n + 1}', '${n + 1}'],
]);

check('different', [
  ['hashtext(${s})', 'hashtextextended(${s}, 0)'], ["hashtext('a')", "hashtext('b')"], ["hashtext('a')", "hashtextextended('a', 0)"], ["hashtextextended('a', 0)", "hashtextextended('a', 1)"], ['1, 2', '2'], ['1', '1, 1'],
  ['1', '2'], ['5', '-5'], ['5', "'6'::bigint"], ['(1 << 4)', '4'], ['1, ${n}', '2, ${n}'], ['${n}, ${key.id}', '${key.id}, ${n}'], ["hashtext('a')", "hashtext('A')"], ["hashtext('a' || ${s})", "hashtext('b' || ${s})"],
  ["hashtext(${`lock:${s}`})", "hashtext(${`unlock:${s}`})"], ["hashtext(${lockKey('x')})", "hashtext(${lockKey('y')})"], ['hashtext(${s})', 'hashtext(${`${s}.git`})'], ['hashtext(${s})', "hashtext('job:' || ${s})"],
  ['${keyOf(s)}', '${keyOf(`${s}.git`)}'], ["${keyOf('a')}", "${keyOf('b')}"], ['${keyOf(s, 1)}', '${keyOf(s, 2)}'], ['${LOCKS.reports}', '${LOCKS.exports}'], ['${Numbered.A}', '${Numbered.B}'], ['${n + 1}', '${n + 2}'], ['hashtext(${s}) + 1', 'hashtext(${s}) + 2'],
  ["'orders'::regclass", "'invoices'::regclass"], ["'orders'::regclass::int, 1", "'orders'::regclass::int, 2"], ["lock_key('a')", "lock_key('b')"], ["('x' || md5('a'))::bit(64)::bigint", "('x' || md5('b'))::bit(64)::bigint"],
  ["abs(hashtext('a'))", "abs(hashtext('b'))"], ["hashtext('a')", '42'], ["x'2a'::int", "x'2b'::int"], ["hashtext('a')::bigint", "hashtext('b')::bigint"], ['${keyOf(key.name)}', '${keyOf(key.name + key.name)}'],
]);

check('unknown', [
  ['${n}', '${key.id}'], ['hashtext(${s})', 'hashtext(${t})'], ['${n}', '42'], ['${keyOf(s)}', '${keyOf(t)}'], ['${keyOf(s)}', '${keyOf(s.trim())}'], ['hashtext(${s})', 'hashtext(${s.toLowerCase()})'], ['${keyOf(s)}', '${keyOf(s, 0)}'],
  ['hashtext(${s})', 'hashtext(lower(${s}))'], ["hashtext('a')", "my_hash('a')"], ['${n}', 'abs(${n})'], ['${n}', '${Math.abs(n)}'], ['${n}', '${n | 0}'], ['${n % 10}', '${n % 20}'], ["hashtext('a') % 10", "hashtext('b') % 10"],
  ["'orders'::regclass", "'public.orders'::regclass"], ["'orders'::regclass", '16384'], ["hashtext(current_user)", "hashtext('app')"], ["length('abc')", "length('abd')"], ["'2024-01-01'::date - '2000-01-01'::date", "'20240101'::date - '2000-01-01'::date"],
  ['${Date.now()}', '${Date.now()}'], ['${BigInt.asIntN(64, BigInt(n))}', '${n}'], ['${BigInt.asIntN(32, BigInt(n))}', '${BigInt.asIntN(64, BigInt(n))}'], ['${buf.readInt32BE()}', '${buf.readInt32BE(0)}'], ['${list[0]!}', '${n}'],
  ['${fromEnvironment}', '42'], ['hashtext(${`${s}:${t}`})', 'hashtext(${`${t}:${s}`})'], ["hashint4(${n})", "hashint8(${n})"], ["hashtext('a'::varchar(1))", "hashtext('ab'::varchar(1))"], ['(select id from jobs where name = ${s})', '(select id from jobs where name = ${t})'],
  ["hashtext(${process.env.APP ?? 'app'})", "hashtext('app')"], ['hashtext(upper(${s}))', 'hashtext(lower(${s}))'], ["${keyOf(s)}", "hashtext(${s})"], ['${counted(s)}', '${counted(t)}'], ['extract(epoch from now())::int', '5'],
]);
