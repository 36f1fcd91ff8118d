import { expect, test } from 'vitest';
import type { SqlExpression } from '../../src/sql/index.js';
import { lock, text, value } from './support/read.js';

const number = (digits: string): SqlExpression => ({ kind: 'number', text: digits });
const string = (content: string): SqlExpression => ({ kind: 'string', value: content });
const dollar = (name: string): SqlExpression => ({ kind: 'placeholder', style: '$', name });
const hole = (index: number): SqlExpression => ({ kind: 'hole', hole: index });
const call = (name: string, ...args: SqlExpression[]): SqlExpression => ({ kind: 'call', name, args });
const cast = (type: string, of: SqlExpression): SqlExpression => ({ kind: 'cast', type, of });
const column = (...path: string[]): SqlExpression => ({ kind: 'column', path });
const other = (skeleton: string, ...parts: SqlExpression[]): SqlExpression => ({ kind: 'other', text: skeleton, parts });

test.each<[string, SqlExpression[]]>([
  // Numbers
  ['1', [number('1')]],
  ['-1', [number('-1')]],
  ['- 1', [number('-1')]],
  ['- -1', [number('1')]],
  ['+1', [number('1')]],
  ['(-(1))', [number('-1')]],
  ['-0', [number('0')]],
  ['007', [number('7')]],
  ['1_000', [number('1000')]],
  ['0xFF', [number('255')]],
  ['-0x8000000000000000', [number('-9223372036854775808')]],
  ['9223372036854775807', [number('9223372036854775807')]],
  ['1.5', [number('1.5')]],
  ['1, 2', [number('1'), number('2')]],
  // Strings
  ["'5'", [string('5')]],
  ["'it''s'", [string("it's")]],
  ["E'a\\tb'", [string('a\tb')]],
  ["U&'\\0061'", [string('a')]],
  ['$$key$$', [string('key')]],
  ["'a'\n'b'", [string('ab')]],
  // NULL and placeholders
  ['NULL', [{ kind: 'null' }]],
  ['$1, $2', [dollar('1'), dollar('2')]],
  ['?, ?', [{ kind: 'placeholder', style: '?', name: '1' }, { kind: 'placeholder', style: '?', name: '2' }]],
  [':key', [{ kind: 'placeholder', style: ':', name: 'key' }]],
  ['@key', [{ kind: 'placeholder', style: '@', name: 'key' }]],
  ['${key}', [dollar('key')]],
  // Calls
  ["hashtext('x')", [call('hashtext', string('x'))]],
  ["HASHTEXT('x')", [call('hashtext', string('x'))]],
  ["pg_catalog.hashtext('x')", [call('hashtext', string('x'))]],
  ['hashtextextended($1, 0)', [call('hashtextextended', dollar('1'), number('0'))]],
  ["1, hashtext('a' || $1)", [number('1'), call('hashtext', other('{} || {}', string('a'), dollar('1')))]],
  ['coalesce($1, 0)', [call('coalesce', dollar('1'), number('0'))]],
  ['app.key($1)', [call('app.key', dollar('1'))]],
  // Casts
  ['$1::bigint', [cast('int8', dollar('1'))]],
  ['CAST($1 AS integer)', [cast('int4', dollar('1'))]],
  ["bigint '5'", [cast('int8', string('5'))]],
  ['-1::bigint', [cast('int8', number('-1'))]],
  ['$1::double precision', [cast('float8', dollar('1'))]],
  ['$1::character varying(9)', [cast('varchar', dollar('1'))]],
  ['$1::numeric(20, 0)::int8', [cast('int8', cast('numeric', dollar('1')))]],
  ['$1::timestamp(3) with time zone', [cast('timestamptz', dollar('1'))]],
  ['$1::pg_catalog.int4', [cast('int4', dollar('1'))]],
  ['$1::app.key', [cast('app.key', dollar('1'))]],
  ['$1::integer[]', [cast('int4[]', dollar('1'))]],
  ["'orders'::regclass::oid::int, $1", [cast('int4', cast('oid', cast('regclass', string('orders')))), dollar('1')]],
  ["('x' || md5($1))::bit(64)::bigint", [cast('int8', cast('bit', other('{} || {}', string('x'), call('md5', dollar('1')))))]],
  // Columns
  ['id', [column('id')]],
  ['Job.ID', [column('job', 'id')]],
  ['"Job"."Id"', [column('Job', 'Id')]],
  // Anything else
  ['a + b * 2', [other('{} + {} * {}', column('a'), column('b'), number('2'))]],
  ['$1 % 10', [other('{} % {}', dollar('1'), number('10'))]],
  ['ids[1]', [other('{}[{}]', column('ids'), number('1'))]],
  ['(row).id', [other('{}.id', column('row'))]],
  ['true', [other('true')]],
  ["date '2020-01-01' - $1", [other('{} - {}', cast('date', string('2020-01-01')), dollar('1'))]],
  ['CASE WHEN $1 > 0 THEN 1 ELSE 2 END', [other('case when {} then {} else {} end', other('{} > {}', dollar('1'), number('0')), number('1'), number('2'))]],
  ['(SELECT  id FROM t WHERE Slug = $1)', [other('scalar ( select id from t where slug = {} )', dollar('1'))]],
  ["(SELECT 'it''s' FROM \"T\")", [other("scalar ( select 'it''s' from \"T\" )")]],
])('SELECT pg_advisory_lock(%s)', (args, expected) => {
  expect(lock(`SELECT pg_advisory_lock(${args})`).args).toEqual(expected);
});

test('holes', () => {
  expect(lock`SELECT pg_advisory_lock(${value})`.args).toEqual([hole(0)]);
  expect(lock`SELECT pg_advisory_lock(${value}, ${text})`.args).toEqual([hole(0), hole(1)]);
  expect(lock`SELECT pg_advisory_lock(${text}::bigint)`.args).toEqual([cast('int8', hole(0))]);
  expect(lock`SELECT pg_advisory_lock('${text}')`.args).toEqual([hole(0)]);
  expect(lock`SELECT pg_advisory_lock(hashtext('job:${text}'))`.args).toEqual([call('hashtext', other("'{}{}'", string('job:'), hole(0)))]);
  expect(lock`SELECT pg_advisory_lock(1${text})`.args).toEqual([other('{} {}', other('1'), hole(0))]);
  expect(lock`SELECT pg_advisory_lock($${text})`.args).toEqual([other('${}', hole(0))]);
  expect(lock`SELECT pg_advisory_lock((SELECT id FROM t WHERE a = ${value}))`.args).toEqual([other('scalar ( select id from t where a = {} )', hole(0))]);
});

test('question marks are counted over the whole text', () => {
  const sql = "SELECT '?' FROM t WHERE a = ? AND b ? 'k' AND c IN (?, ?); SELECT pg_advisory_lock(?)";
  expect(lock(sql).args).toEqual([{ kind: 'placeholder', style: '?', name: '4' }]);
});

test('equal keys have equal expressions, however they are written', () => {
  const key = (args: string): unknown => lock(`SELECT pg_advisory_lock(${args})`).args;
  expect(key("hashtext( 'a' /* why */ ||$1 )")).toEqual(key("HASHTEXT('a' || $1)"));
  expect(key('(SELECT id\n FROM t)')).toEqual(key('(select id from t)'));
  expect(key('$1 + 1')).not.toEqual(key('$1 + 2'));
  expect(key('$1 + 1')).not.toEqual(key('$1 - 1'));
});
