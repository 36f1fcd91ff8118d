import { describe, expect, test } from 'vitest';
import { lock, statement, text, value } from './support/read.js';

/** `L` stands for a lock function that answers. */
function answer(sql: string): string {
  const found = lock(sql.replace(/\bL\b/, 'pg_try_advisory_lock($1)')).answer;
  return found.kind === 'column' ? `${found.name} ${found.index}` : found.kind;
}

describe('as an output column', () => {
  test.each<[string, string]>([
    ['SELECT L', 'pg_try_advisory_lock 0'],
    ['SELECT L AS ok', 'ok 0'],
    ['SELECT L ok', 'ok 0'],
    ['SELECT L AS "Ok"', 'Ok 0'],
    ['SELECT L AS Ok', 'ok 0'],
    ['SELECT L AS select', 'select 0'],
    ['SELECT 1, L', 'pg_try_advisory_lock 1'],
    ['SELECT pg_catalog.L', 'pg_try_advisory_lock 0'],
    ['(SELECT L AS ok) LIMIT 1', 'ok 0'],
    // Names that PostgreSQL makes
    ['SELECT L::int', 'pg_try_advisory_lock 0'],
    ['SELECT CAST(L AS text)', 'pg_try_advisory_lock 0'],
    ['SELECT (L)', 'pg_try_advisory_lock 0'],
    ['SELECT L COLLATE "C"', 'pg_try_advisory_lock 0'],
    ['SELECT coalesce(L, false)', 'coalesce 0'],
    ['SELECT NOT L', '?column? 0'],
    ['SELECT L AND L2', '?column? 0'],
    ['SELECT L IS TRUE', '?column? 0'],
    ['SELECT (NOT L)::integer', 'int4 0'],
    ['SELECT CASE WHEN a THEN L END', 'case 0'],
    ['SELECT CASE WHEN a THEN L ELSE b END', 'b 0'],
    ['SELECT CASE WHEN a THEN false ELSE L END', 'pg_try_advisory_lock 0'],
    ['SELECT CASE WHEN L THEN true ELSE false END AS ok', 'ok 0'],
    ['SELECT (SELECT L)', 'pg_try_advisory_lock 0'],
    ['SELECT (SELECT L AS won)', 'won 0'],
    ['SELECT (SELECT L) AS ok', 'ok 0'],
    ['SELECT EXISTS (SELECT 1 WHERE L)', 'exists 0'],
    ['SELECT NOT EXISTS (SELECT 1 FROM L AS l(ok) WHERE ok) AS busy', 'busy 0'],
    ['VALUES (1, L)', 'column2 1'],
    // Still that boolean
    ['SELECT L = true AS ok', 'ok 0'],
    ["SELECT 't' = L AS ok", 'ok 0'],
    ['SELECT L IS NOT FALSE AS ok', 'ok 0'],
    ['SELECT L IS DISTINCT FROM true AS busy', 'busy 0'],
    ['SELECT L AND ready AS ok FROM t', 'ok 0'],
    // Functions in FROM
    ['SELECT * FROM L', 'pg_try_advisory_lock 0'],
    ['SELECT pg_try_advisory_lock FROM L', 'pg_try_advisory_lock 0'],
    ['SELECT ok FROM L AS ok', 'ok 0'],
    ['SELECT ok.ok FROM L ok', 'ok 0'],
    ['SELECT l.ok AS won FROM L AS l(ok)', 'won 0'],
    ['SELECT l.* FROM L AS l(ok)', 'ok 0'],
    ['SELECT n, ok FROM L WITH ORDINALITY AS l(ok, n)', 'ok 1'],
    ['SELECT b FROM ROWS FROM (generate_series(1, 1), L) AS r(a, b)', 'inside'],
    ['SELECT ok FROM ROWS FROM (L) AS r(ok)', 'ok 0'],
    // Sub-selects and CTEs
    ['SELECT ok FROM (SELECT L AS ok) q', 'ok 0'],
    ['SELECT q.ok AS won FROM (SELECT 1 AS a, L AS ok) AS q', 'won 0'],
    ['SELECT * FROM (SELECT 1 AS a, L AS ok) AS q', 'ok 1'],
    ['SELECT b FROM (SELECT 1, L) AS q(a, b)', 'b 0'],
    ['SELECT (SELECT q.ok) AS won FROM (SELECT L AS ok) q', 'won 0'],
    ['SELECT ok FROM t CROSS JOIN LATERAL (SELECT L AS ok) q', 'ok 0'],
    ['SELECT ok FROM t LEFT JOIN (SELECT L AS ok) q ON true', 'ok 0'],
    ['WITH l AS (SELECT L AS ok) SELECT ok FROM l', 'ok 0'],
    ['WITH l(won) AS MATERIALIZED (SELECT L) SELECT 1, l.won FROM l', 'won 1'],
    ['WITH a AS (SELECT L AS ok), b AS (SELECT * FROM a) SELECT b.* FROM b', 'ok 0'],
    ['WITH a AS (SELECT L AS ok) SELECT (SELECT ok FROM a) AS won', 'won 0'],
    ['WITH RECURSIVE a AS (SELECT L AS ok UNION ALL SELECT false) SELECT ok FROM a', 'ok 0'],
    ['SELECT L AS ok UNION ALL SELECT false', 'ok 0'],
    ['SELECT false AS ok UNION SELECT L', 'ok 0'],
    ['TABLE l', 'none'],
    ['WITH l AS (SELECT L AS ok) TABLE l', 'ok 0'],
    // With other columns
    ['SELECT *, L AS ok FROM t', 'ok -1'],
    ['SELECT t.*, L AS ok FROM t', 'ok -1'],
    ['SELECT q.*, L AS ok FROM (SELECT 1, 2) q', 'ok 2'],
    // Changes
    ['INSERT INTO t VALUES (1) RETURNING L AS ok', 'ok 0'],
    ['UPDATE t SET a = 1 RETURNING id, L', 'pg_try_advisory_lock 1'],
    ['WITH l AS (SELECT L AS ok) UPDATE t SET a = 1 FROM l RETURNING l.ok', 'ok 0'],
    ['WITH w AS (DELETE FROM t RETURNING L AS ok) SELECT ok FROM w', 'ok 0'],
  ])('%s: %s', (sql, expected) => {
    if (expected === 'none') expect(statement(`${sql} -- advisory`).locks).toEqual([]);
    else expect(answer(sql)).toBe(expected);
  });
});

describe('as the presence of a row', () => {
  test.each([
    'SELECT 1 WHERE L',
    'SELECT 1 WHERE NOT L',
    'SELECT 1 WHERE a = 1 AND L IS TRUE',
    'SELECT 1 WHERE CASE WHEN L THEN a ELSE b END',
    'SELECT 1 WHERE L::int + 1 > 1',
    'SELECT 1 WHERE (SELECT L)',
    'SELECT 1 WHERE EXISTS (SELECT FROM L AS l(ok) WHERE ok)',
    'SELECT 1 WHERE true IN (SELECT L)',
    'SELECT 1 WHERE (L, 1) = (true, 1)',
    'SELECT id FROM t WHERE id = 1 AND L',
    'SELECT 1 FROM t JOIN u ON L',
    'SELECT 1 FROM t JOIN L AS ok ON ok',
    'SELECT 1 FROM t GROUP BY a HAVING L',
    'SELECT count(*) HAVING L',
    'SELECT FROM (SELECT L AS won) AS step WHERE NOT won',
    'SELECT ok FROM (SELECT L AS ok) q WHERE ok',
    'SELECT * FROM L AS ok WHERE ok',
    'SELECT 1 FROM (SELECT 1 WHERE L) q',
    'SELECT 1 FROM (SELECT 1 WHERE L) q LEFT JOIN t ON true',
    'WITH l AS (SELECT L AS ok) SELECT 1 FROM l WHERE ok',
    'WITH l AS (SELECT 1 WHERE L) SELECT * FROM l',
    'WITH l AS MATERIALIZED (SELECT L AS ok) UPDATE bucket SET level = 10 FROM l WHERE l.ok AND id = $1',
    'WITH l AS (SELECT L AS ok) INSERT INTO t SELECT 1 FROM l WHERE ok RETURNING id',
    'WITH l AS (SELECT L AS ok) DELETE FROM t WHERE (SELECT ok FROM l)',
    'WITH l AS (SELECT L AS ok), w AS (UPDATE t SET a = 1 FROM l WHERE ok RETURNING id) SELECT * FROM w',
    'INSERT INTO t SELECT 1 WHERE L',
    'INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET b = 1 WHERE L',
    'UPDATE t SET a = 1 WHERE L',
    'DELETE FROM t USING u WHERE t.a = u.a AND L',
    'MERGE INTO t USING (SELECT 1 AS a WHERE L) u ON t.a = u.a WHEN MATCHED THEN DELETE',
  ])('%s', (sql) => {
    expect(answer(sql)).toBe('row');
  });
});

describe('not at all', () => {
  test.each([
    // Nobody speaks of it
    'WITH l AS (SELECT L) SELECT 1',
    'SELECT EXISTS (SELECT L)',
    'SELECT 1 FROM t ORDER BY L',
    'WITH l AS (SELECT L AS ok), w AS (SELECT ok FROM l) SELECT 1',
    // It becomes another value
    "SELECT CASE WHEN L THEN 'won' ELSE 'lost' END",
    'SELECT CASE L WHEN true THEN false END',
    "SELECT L::text || '!'",
    'SELECT lower(L::text)',
    'SELECT bool_and(L) FROM t',
    'SELECT ARRAY[L]',
    'SELECT ARRAY(SELECT L)',
    'SELECT ROW(L)',
    "SELECT json_build_object('ok', L)",
    'SELECT q FROM (SELECT L AS ok) q',
    'SELECT count(*) FILTER (WHERE L) FROM t',
    // It is used where it stands
    'INSERT INTO t VALUES (L)',
    'UPDATE t SET a = L',
    'WITH l AS (SELECT L AS ok), w AS (UPDATE t SET a = 1 FROM l WHERE ok) SELECT 1',
    'WITH l AS (SELECT L AS ok), w AS (UPDATE t SET a = 1 FROM l WHERE ok) SELECT ok FROM l',
    'SELECT 1 LIMIT L::int',
    'CREATE TABLE t AS SELECT L',
    'SELECT L INTO t',
    'COPY (SELECT L) TO STDOUT',
    'EXPLAIN ANALYZE SELECT L',
    'CALL f(L)',
    'PERFORM L',
    // The number of rows does not tell
    'SELECT count(*) FROM t WHERE L',
    'SELECT count(*) FROM (SELECT L AS ok) q WHERE ok',
    'SELECT 1 FROM t LEFT JOIN u ON L',
    'SELECT 1 FROM t LEFT JOIN (SELECT 1 WHERE L) q ON true',
    'SELECT 1 FROM (SELECT 1 WHERE L) q RIGHT JOIN t ON true',
    'SELECT 1 WHERE L UNION ALL SELECT 2',
    'SELECT L EXCEPT SELECT true',
    // Two columns have it
    'SELECT ok, ok AS again FROM (SELECT L AS ok) q',
    // Another table may have the name
    'SELECT (SELECT ok FROM t) FROM (SELECT L AS ok) q',
  ])('%s', (sql) => {
    expect(answer(sql)).toBe('inside');
  });

  test('where the program makes the name or the rest of the statement', () => {
    expect(lock`SELECT pg_try_advisory_lock(1) AS ${text}`.answer).toEqual({ kind: 'inside' });
    expect(lock`SELECT pg_try_advisory_lock(1) ${text}`.answer).toEqual({ kind: 'inside' });
    expect(lock`WITH l AS (SELECT pg_try_advisory_lock(1) AS ok) ${text}`.answer).toEqual({ kind: 'inside' });
    expect(lock`SELECT ${text} FROM (SELECT pg_try_advisory_lock(1) AS ok) q`.answer).toEqual({ kind: 'inside' });
  });
});

describe('thrown away, where it is made and nothing uses it', () => {
  test.each([
    'WITH l AS (SELECT L AS ok) SELECT 1 FROM l',
    'SELECT 1 FROM (SELECT L AS ok) q',
    'SELECT 1 FROM L',
    'INSERT INTO t SELECT now() FROM (SELECT L AS ok) q',
    'WITH l AS MATERIALIZED (SELECT L AS ok) UPDATE t SET a = $1 FROM l',
    'WITH l AS (SELECT L AS ok) DELETE FROM t USING l WHERE t.id = 1',
    'SELECT a FROM t, L',
  ])('%s', (sql) => {
    expect(answer(sql)).toBe('dropped');
  });

  test('a lock that waits has no answer to throw away', () => {
    expect(answer('SELECT 1 FROM (SELECT pg_advisory_lock(1)) q')).toBe('inside');
  });

  test('a part that the program writes may use it', () => {
    expect(lock`WITH l AS (SELECT pg_try_advisory_lock(1) AS ok) SELECT 1 FROM l ${text}`.answer).toEqual({ kind: 'inside' });
    expect(lock`WITH l AS (SELECT pg_try_advisory_lock(1) AS ok) SELECT ${value} FROM l`.answer).toEqual({ kind: 'dropped' });
  });
});

describe('as whether the statement does its work', () => {
  test.each([
    'WITH l AS MATERIALIZED (SELECT L AS ok) UPDATE bucket SET level = 10 FROM l WHERE l.ok',
    'INSERT INTO t SELECT now() WHERE L',
    'INSERT INTO t SELECT now() FROM (SELECT L AS ok) q WHERE q.ok',
    'WITH l AS (SELECT L AS ok) INSERT INTO t SELECT now() WHERE (SELECT ok FROM l) RETURNING id',
    'MERGE INTO t USING (SELECT 1 AS a WHERE L) u ON t.a = u.a WHEN MATCHED THEN DELETE',
    'SELECT refresh_all() WHERE L',
    'SELECT refresh_all() FROM (SELECT L AS ok OFFSET 0) l WHERE l.ok',
  ])('%s: a lock of the session has to be known, one of the transaction need not', (sql) => {
    expect(answer(sql)).toBe('row');
    expect(answer(sql.replace(/\bL\b/, 'pg_try_advisory_xact_lock(1)'))).toBe('inside');
  });

  test('a statement that only reads does nothing without its rows', () => {
    expect(answer('SELECT id FROM t WHERE pg_try_advisory_xact_lock(1)')).toBe('row');
    expect(answer('SELECT now() WHERE pg_try_advisory_xact_lock(1)')).toBe('row');
  });
});

test('a hole of any text may be several columns, a value is one', () => {
  expect(lock`SELECT ${text}, pg_try_advisory_lock(1) AS ok`.answer).toEqual({ kind: 'column', name: 'ok', index: -1 });
  expect(lock`SELECT ${value}, pg_try_advisory_lock(1) AS ok`.answer).toEqual({ kind: 'column', name: 'ok', index: 1 });
});

test('several functions have an answer each', () => {
  const { locks } = statement('WITH l AS (SELECT pg_advisory_lock(1)), w AS (UPDATE t SET a = 1) SELECT pg_advisory_unlock(1) AS freed FROM l WHERE pg_try_advisory_lock(2)');
  expect(locks.map((one) => one.answer.kind)).toEqual(['inside', 'column', 'row']);
});
