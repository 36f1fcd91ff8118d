import { describe, expect, test } from 'vitest';
import { findLockFunction, findUnlockFunction, lockFunctions } from '../../src/sql/index.js';
import { lock, names, read, statement, text, value } from './support/read.js';

describe('the catalogue', () => {
  test('has eleven functions', () => {
    expect(lockFunctions).toHaveLength(11);
  });

  test('knows them by their exact names', () => {
    expect(findLockFunction('pg_try_advisory_xact_lock_shared')).toEqual({ name: 'pg_try_advisory_xact_lock_shared', operation: 'try', level: 'transaction', mode: 'shared' });
    expect(findLockFunction('PG_ADVISORY_LOCK')).toBeUndefined();
    expect(findLockFunction('toString')).toBeUndefined();
  });

  test('knows what frees what', () => {
    expect(findUnlockFunction('exclusive')?.name).toBe('pg_advisory_unlock');
    expect(findUnlockFunction('shared')?.name).toBe('pg_advisory_unlock_shared');
  });
});

describe('finds a lock function', () => {
  test.each([
    'SELECT pg_advisory_lock(1)',
    'select a, pg_advisory_lock(1), b',
    'SELECT PG_Advisory_LOCK(1)',
    'SELECT "pg_advisory_lock"(1)',
    'SELECT U&"pg_\\0061dvisory_lock"(1)',
    'SELECT pg_catalog.pg_advisory_lock(1)',
    'SELECT PG_CATALOG."pg_advisory_lock" (1)',
    'SELECT pg_advisory_lock /* here */ (1)',
    'SELECT pg_advisory_lock(1)::text',
    'SELECT CAST(pg_advisory_lock(1) AS text)',
    'SELECT (pg_advisory_lock(1))',
    'SELECT (SELECT pg_advisory_lock(1))',
    'SELECT CASE WHEN a THEN pg_advisory_lock(1) END',
    'SELECT lower(pg_advisory_lock(1)::text)',
    'SELECT ARRAY[pg_advisory_lock(1)]',
    'SELECT 1 WHERE pg_advisory_lock(1) IS NULL',
    'SELECT 1 FROM t JOIN u ON pg_advisory_lock(1) IS NULL',
    'SELECT 1 FROM t GROUP BY a HAVING pg_advisory_lock(1) IS NULL',
    'SELECT 1 FROM t ORDER BY pg_advisory_lock(a)',
    'SELECT 1 FROM t LIMIT (SELECT 1 FROM pg_advisory_lock(1))',
    'SELECT * FROM pg_advisory_lock(1)',
    'SELECT * FROM t, LATERAL pg_advisory_lock(t.id) WITH ORDINALITY AS l(a, b)',
    'SELECT * FROM ROWS FROM (pg_advisory_lock(1), generate_series(1, 2))',
    'SELECT * FROM (t JOIN u ON pg_advisory_lock(1) IS NULL)',
    'SELECT * FROM (SELECT pg_advisory_lock(1)) q',
    'WITH l AS (SELECT pg_advisory_lock(1)) SELECT * FROM l',
    'WITH w AS (UPDATE t SET a = 1 RETURNING pg_advisory_lock(1)) SELECT * FROM w',
    'INSERT INTO t VALUES (1, pg_advisory_lock(1)::text)',
    'INSERT INTO t (a) SELECT b FROM pg_advisory_lock(1)',
    'INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET b = 2 WHERE pg_advisory_lock(1) IS NULL',
    'UPDATE t SET a = (SELECT 1 FROM pg_advisory_lock(1))',
    'UPDATE t SET (a, b) = (1, pg_advisory_lock(1)::text)',
    'DELETE FROM t USING pg_advisory_lock(1) AS l',
    'DELETE FROM t RETURNING pg_advisory_lock(id)',
    'MERGE INTO t USING u ON t.a = u.a WHEN MATCHED AND pg_advisory_lock(1) IS NULL THEN DELETE',
    'VALUES (pg_advisory_lock(1))',
    '(SELECT pg_advisory_lock(1))',
    'SELECT 1 UNION ALL SELECT pg_advisory_lock(1)',
    'SELECT count(*) FILTER (WHERE pg_advisory_lock(1) IS NULL) FROM t',
    'SELECT rank() OVER (ORDER BY pg_advisory_lock(1)) FROM t',
    'EXPLAIN ANALYZE SELECT pg_advisory_lock(1)',
    'EXPLAIN (COSTS, ANALYZE TRUE) SELECT pg_advisory_lock(1)',
    'CREATE TABLE t AS SELECT pg_advisory_lock(1)',
    'SELECT pg_advisory_lock(1) INTO t',
    'COPY (SELECT pg_advisory_lock(1)) TO STDOUT',
    'CALL pg_advisory_lock(1)',
    'PERFORM pg_advisory_lock(1)',
    'PERFORM pg_advisory_lock(id) FROM job WHERE ready;',
    '-- first\nSELECT pg_advisory_lock(1) -- last',
    ';;SELECT pg_advisory_lock(1);;',
  ])('%s', (sql) => {
    expect(names(sql)).toEqual(['pg_advisory_lock']);
  });

  test('in every statement of a text, with its place', () => {
    const sql = 'BEGIN; select PG_ADVISORY_XACT_LOCK(1); SELECT pg_catalog.pg_advisory_unlock_all();';
    const { statements } = read(sql);
    expect(statements.map(({ kind, start, end }) => [kind, sql.slice(start, end)])).toEqual([
      ['transaction', 'BEGIN'],
      ['select', 'select PG_ADVISORY_XACT_LOCK(1)'],
      ['select', 'SELECT pg_catalog.pg_advisory_unlock_all()'],
    ]);
    expect(statements.flatMap((one) => one.locks.map((call) => sql.slice(call.start, call.end)))).toEqual(['PG_ADVISORY_XACT_LOCK', 'pg_advisory_unlock_all']);
  });
});

describe('is not fooled by', () => {
  test.each<[string, string]>([
    ['a line comment', 'SELECT 1 -- pg_advisory_lock(1)'],
    ['a nested comment', 'SELECT 1 /* /* */ pg_advisory_lock(1) */'],
    ['a string', "SELECT 'pg_advisory_lock(1)'"],
    ['a string with a doubled quote', "SELECT 'it''s pg_advisory_lock(1)'"],
    ['a string with an escaped quote', "SELECT E'it\\'s pg_advisory_lock(1)'"],
    ['a dollar-quoted string', 'SELECT $a$ $$ pg_advisory_lock(1) $$ $a$'],
    ['a quoted name', 'SELECT "pg_advisory_lock(1)"'],
    ['a quoted name in capitals', 'SELECT "PG_ADVISORY_LOCK"(1)'],
    ['a column', 'SELECT pg_advisory_lock FROM t'],
    ['a label', 'SELECT 1 AS pg_advisory_lock'],
    ['a table', 'INSERT INTO pg_advisory_lock (a) VALUES (1)'],
    ['a table alias with columns', 'SELECT * FROM t pg_advisory_lock (a)'],
    ['a CTE', 'WITH pg_advisory_lock (a) AS (SELECT 1) SELECT a FROM pg_advisory_lock'],
    ['another schema', 'SELECT app.pg_advisory_lock(1), "app".pg_advisory_unlock(1)'],
    ['a schema from the program', 'SELECT lib . pg_advisory_lock(1)'],
    ['a longer name', 'SELECT pg_advisory_lock2(1), my_pg_advisory_lock(1)'],
    ['a call with no key', 'SELECT pg_advisory_lock()'],
    ['a call with three keys', 'SELECT pg_advisory_lock(1, 2, 3)'],
    ['a call with a star', 'SELECT pg_advisory_lock(*)'],
    ['a DO block of another language', "DO LANGUAGE plperl $$ spi_exec_query('SELECT pg_advisory_lock(1)'); $$"],
    ['a text in a DO block', "DO $$ BEGIN RAISE NOTICE 'pg_advisory_lock(1)'; END $$"],
    ['a comment in a DO block', 'DO $$ BEGIN NULL; /* PERFORM pg_advisory_lock(1); */ END $$'],
    ['a function body', "CREATE FUNCTION f() RETURNS void AS 'SELECT pg_advisory_lock(1)' LANGUAGE sql"],
    ['a dollar-quoted function body', 'CREATE FUNCTION f() RETURNS void AS $f$ SELECT pg_advisory_lock(1); $f$ LANGUAGE sql'],
    ['a standard function body', 'CREATE FUNCTION f() RETURNS void BEGIN ATOMIC SELECT 1; SELECT CASE WHEN a THEN pg_advisory_lock(1) END; END'],
    ['a standard function expression', 'CREATE FUNCTION f() RETURNS bool RETURN pg_try_advisory_lock(1)'],
    ['a view', 'CREATE VIEW v AS SELECT pg_advisory_lock(1)'],
    ['a rule', 'CREATE RULE r AS ON INSERT TO t DO (SELECT pg_advisory_lock(1); SELECT 2)'],
    ['a default', 'CREATE TABLE t (a bool DEFAULT pg_try_advisory_lock(1))'],
    ['a table made without data', 'CREATE TABLE t AS SELECT pg_advisory_lock(1) WITH NO DATA'],
    ['a plan', 'EXPLAIN SELECT pg_advisory_lock(1)'],
    ['a plan without ANALYZE', 'EXPLAIN (ANALYZE OFF, COSTS) SELECT pg_advisory_lock(1)'],
    ['a prepared statement', 'PREPARE p AS SELECT pg_advisory_lock(1)'],
    ['a cursor', 'DECLARE c CURSOR FOR SELECT pg_advisory_lock(1)'],
    ['a grant', 'GRANT EXECUTE ON FUNCTION pg_advisory_lock(bigint) TO app'],
    ['a comment on the function', "COMMENT ON FUNCTION pg_advisory_lock(bigint) IS 'x'"],
    ['a view of locks', "SELECT * FROM pg_locks WHERE locktype = 'advisory'"],
    ['an unfinished call', 'SELECT pg_advisory_lock(1'],
  ])('%s', (_, sql) => {
    expect(names(sql)).toEqual([]);
  });
});

describe('takes prose for no SQL', () => {
  test.each([
    'pg_advisory_unlock returned false',
    'calling pg_advisory_lock(1) now',
    'pg_advisory_lock(1) failed',
    'pg_advisory_lock() failed',
    'pg_advisory_lock(1): waiting',
    'Failed to run pg_advisory_lock(1)',
    'call pg_advisory_lock(1) first',
    'Select the pg_advisory_lock(1) function first',
    'SELECT pg_advisory_lock(1) failed: timeout',
    'with pg_advisory_lock(1) held',
    'update: pg_advisory_lock(1) taken',
    'insert pg_advisory_lock(1) here',
    'values pg_advisory_lock(1)',
    'do not call pg_advisory_lock(1)',
    'explain pg_advisory_lock(1)',
    'lock pg_advisory_lock(1)',
    'or something with pg_try_advisory_lock(1)',
    '- pg_advisory_lock(1)',
    '`pg_advisory_lock(1)`',
    '[lock] pg_advisory_lock(1)',
    'pg_advisory_lock(bigint)',
    'pg_advisory_lock(int, int)',
    'pg_advisory_lock(<key>)',
    'pg_advisory_lock(...)',
    'waiting; pg_advisory_lock(1) is taken',
  ])('%s', (sql) => {
    expect(names(sql)).toEqual([]);
  });

  test('with a hole in it', () => {
    expect(names`${text}: pg_advisory_lock(1)`).toEqual([]);
    expect(names`${text} pg_advisory_lock(1)`).toEqual([]);
    expect(names`pg_advisory_lock(${text}) failed`).toEqual([]);
  });

  test.each(['Commit the lock', 'End of story', 'Start here', 'rollback failed', 'Release the lock', 'Begin now: pg_advisory_lock(1)'])('%s', (sql) => {
    expect(read(sql).statements.map((one) => one.transaction)).toEqual([undefined]);
  });
});

describe('reads fragments', () => {
  test.each([
    'pg_advisory_lock(1)',
    'pg_advisory_lock(1);',
    'pg_catalog.pg_advisory_lock($1)',
    '(pg_advisory_lock(1))',
    'pg_advisory_lock(1)::text AS ok',
    'id, pg_advisory_lock(id) AS ok',
    'id = 1 AND pg_advisory_lock(1) IS NULL',
    'WHERE pg_advisory_lock(1) IS NULL',
    'AND pg_advisory_lock(1) IS NULL',
    'EXISTS (SELECT 1 FROM pg_advisory_lock(1))',
    'FROM pg_advisory_lock(1) AS l',
    ', pg_advisory_lock(1)',
  ])('%s', (sql) => {
    expect(names(sql)).toEqual(['pg_advisory_lock']);
    expect(statement(sql)).toMatchObject({ kind: 'fragment', doesWork: true });
  });

  test('an alias is a column, anything else may become anything', () => {
    expect(lock('pg_try_advisory_lock(1) AS ok').answer).toEqual({ kind: 'column', name: 'ok', index: -1 });
    expect(lock('pg_try_advisory_lock(1)').answer).toEqual({ kind: 'inside' });
    expect(lock('WHERE pg_try_advisory_lock(1)').answer).toEqual({ kind: 'inside' });
  });
});

describe('holes', () => {
  test('are values, names and clauses', () => {
    expect(names`SELECT pg_advisory_lock(${value}), pg_advisory_unlock(${text}, ${text})`).toEqual(['pg_advisory_lock', 'pg_advisory_unlock']);
    expect(names`SELECT ${text}, pg_advisory_lock(1) FROM ${text} AS t ${text} WHERE ${text} AND pg_advisory_unlock(t.id) ${text}`).toEqual(['pg_advisory_lock', 'pg_advisory_unlock']);
    expect(names`${text} SELECT pg_advisory_lock(1)`).toEqual(['pg_advisory_lock']);
    expect(names`WITH ${text} SELECT pg_advisory_lock(1)`).toEqual(['pg_advisory_lock']);
    expect(names`WITH l AS (SELECT pg_advisory_lock(1)) ${text}`).toEqual(['pg_advisory_lock']);
    expect(names`INSERT INTO t ${text} RETURNING pg_advisory_lock(id)`).toEqual(['pg_advisory_lock']);
    expect(names`UPDATE ${text} SET ${text} WHERE pg_try_advisory_lock(id)`).toEqual(['pg_try_advisory_lock']);
    expect(names`SELECT ${text} pg_advisory_lock(1)`).toEqual(['pg_advisory_lock']);
    expect(names`SELECT 1 FROM t WHERE a = ANY ${text} AND pg_try_advisory_lock(1)`).toEqual(['pg_try_advisory_lock']);
    expect(names`SELECT 1 FROM t WHERE a IN ${text} AND pg_try_advisory_lock(1)`).toEqual(['pg_try_advisory_lock']);
  });

  test('make a name unknown', () => {
    expect(names`SELECT pg_advisory_lock${text}(1), pg_${text}advisory_lock(1), ${text}.pg_advisory_lock(1), ${text}(1)`).toEqual([]);
  });

  test('in transaction statements', () => {
    expect(statement`BEGIN ${text}`.transaction).toBe('begin');
    expect(statement`BEGIN ISOLATION LEVEL ${text}`.transaction).toBe('begin');
    expect(statement`SAVEPOINT ${text}`.transaction).toBe('savepoint');
    expect(statement`ROLLBACK TO ${text}`.transaction).toBe('rollbackTo');
  });
});

test.each<[string, string]>([
  ['SELECT pg_advisory_lock(1)', 'select'],
  ['WITH a AS (SELECT pg_advisory_lock(1)) INSERT INTO t TABLE a', 'insert'],
  ['WITH a AS (INSERT INTO t DEFAULT VALUES) SELECT pg_advisory_lock(1)', 'select'],
  ['(VALUES (pg_advisory_lock(1)))', 'values'],
  ['VALUES (pg_advisory_lock(1)) UNION SELECT 1', 'select'],
  ['UPDATE t SET a = pg_try_advisory_lock(1)', 'update'],
  ['DELETE FROM t WHERE pg_try_advisory_lock(1)', 'delete'],
  ['MERGE INTO t USING u ON pg_try_advisory_lock(1) WHEN MATCHED THEN DELETE', 'merge'],
  ['CALL f(pg_advisory_lock(1))', 'call'],
  ['DO $$ pg_advisory_lock(1) $$', 'do'],
  ['CREATE VIEW v AS SELECT pg_advisory_lock(1)', 'definition'],
  ['CREATE TABLE t AS SELECT pg_advisory_lock(1)', 'other'],
  ['COMMIT', 'transaction'],
  ['COMMIT PREPARED \'pg_advisory_lock\'', 'transaction'],
  ['LISTEN pg_advisory_lock', 'other'],
  ['pg_advisory_lock(1)', 'fragment'],
  ['pg_advisory_lock (1) is a function', 'other'],
])('kind of %s', (sql, kind) => {
  expect(statement(sql).kind).toBe(kind);
});

test.each<[string, string | undefined]>([
  ['BEGIN', 'begin'],
  ['begin work', 'begin'],
  ['BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY, NOT DEFERRABLE', 'begin'],
  ['START TRANSACTION READ WRITE', 'begin'],
  ['START pg_advisory', undefined],
  ['COMMIT', 'commit'],
  ['END', 'commit'],
  ['COMMIT AND CHAIN', 'commit'],
  ['ROLLBACK', 'rollback'],
  ['ABORT TRANSACTION', 'rollback'],
  ['ROLLBACK AND NO CHAIN', 'rollback'],
  ['SAVEPOINT a', 'savepoint'],
  ['ROLLBACK TO a', 'rollbackTo'],
  ['ROLLBACK WORK TO SAVEPOINT "A"', 'rollbackTo'],
  ['RELEASE a', 'release'],
  ['RELEASE SAVEPOINT a', 'release'],
  ["PREPARE TRANSACTION 'begin'", undefined],
  ["ROLLBACK PREPARED 'a'", undefined],
  ['SET TRANSACTION READ ONLY; -- begin', undefined],
])('transaction of %s', (sql, event) => {
  expect(statement(sql).transaction).toBe(event);
});

test('DISCARD ALL frees every session-level lock', () => {
  expect(statement('discard all').discardsAll).toBe(true);
  expect(statement('DISCARD PLANS').discardsAll).toBe(false);
  expect(statement('RESET ALL -- commit').discardsAll).toBe(false);
});

test.each<[string, boolean]>([
  ['SELECT pg_advisory_xact_lock(1)', false],
  ['SELECT pg_advisory_xact_lock(my_hash($1)), now(), pg_backend_pid()', false],
  ['SELECT 1 FROM pg_advisory_xact_lock(1)', false],
  ['SELECT pg_advisory_xact_lock(k) FROM unnest($1::bigint[]) AS k', false],
  ['WITH l AS (SELECT pg_advisory_xact_lock(1)) SELECT * FROM l', false],
  ['VALUES (pg_advisory_xact_lock(1))', false],
  ['SELECT pg_advisory_xact_lock(1), n FROM t', true],
  ['SELECT pg_advisory_xact_lock(1), (SELECT n FROM t)', true],
  ['SELECT pg_advisory_xact_lock(1), do_it()', true],
  ['SELECT pg_advisory_xact_lock(id) FROM tenant', true],
  ['WITH l AS (SELECT pg_advisory_xact_lock(1)) UPDATE t SET a = 1 FROM l', true],
  ['WITH l AS (SELECT pg_advisory_xact_lock(1)), w AS (DELETE FROM t) SELECT 1 FROM l', true],
  ['CREATE TABLE t AS SELECT pg_advisory_xact_lock(1)', true],
  ['COMMIT', false],
  ['SET a = 1; -- commit', false],
  ['CALL work(pg_advisory_xact_lock(1))', true],
  ['DO $$ pg_advisory_xact_lock $$', true],
])('doesWork of %s is %s', (sql, works) => {
  expect(statement(sql).doesWork).toBe(works);
});

test('a text of no interest has no statements', () => {
  expect(read('SELECT 1').statements).toEqual([]);
  expect(read('').statements).toEqual([]);
  expect(read(' -- COMMIT ').statements).toEqual([]);
});
