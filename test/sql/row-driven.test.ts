import { expect, test } from 'vitest';
import { lock, text } from './support/read.js';

/** `L(x)` stands for a lock function of that key. */
function rowDriven(sql: string): string | undefined {
  return lock(sql.replace('L(', 'pg_try_advisory_lock(')).rowDriven;
}

test.each<[string, string]>([
  ['SELECT id FROM job WHERE L(id)', 'filter'],
  ['SELECT id FROM job WHERE ready AND L(id) ORDER BY priority LIMIT 10', 'filter'],
  ['SELECT id FROM job WHERE L(1)', 'filter'],
  ['SELECT a.id FROM a JOIN b ON b.id = a.id AND L(a.id)', 'filter'],
  ['SELECT id FROM job GROUP BY id HAVING L(id)', 'filter'],
  ['SELECT id FROM (SELECT id FROM job) q WHERE L(q.id)', 'filter'],
  ['SELECT id FROM (SELECT id FROM job OFFSET 0) q WHERE L(q.id)', 'filter'],
  ['WITH c AS (SELECT id FROM job) SELECT id FROM c WHERE L(c.id)', 'filter'],
  ['WITH c AS MATERIALIZED (SELECT id FROM job ORDER BY p) SELECT id FROM c WHERE L(c.id) LIMIT 1', 'filter'],
  ['SELECT id FROM job WHERE id IN (SELECT id FROM job WHERE L(id) LIMIT 1)', 'filter'],
  ['SELECT id FROM job WHERE (SELECT L(job.id))', 'filter'],
  ['UPDATE job SET a = 1 WHERE ready AND L(id)', 'filter'],
  ['DELETE FROM job USING other o WHERE L(o.id)', 'filter'],
  ['MERGE INTO t USING u ON t.a = u.a AND L(t.a) WHEN MATCHED THEN DELETE', 'filter'],
  ['INSERT INTO t SELECT id FROM job WHERE L(id)', 'filter'],
  ['SELECT L(id) FROM job ORDER BY id', 'orderBy'],
  ['SELECT id FROM job ORDER BY L(id)', 'orderBy'],
  ['SELECT id FROM job ORDER BY L(id) LIMIT 1', 'limit'],
  ['SELECT id, L(id) FROM job ORDER BY p LIMIT 1', 'limit'],
  ['SELECT L(id) FROM job LIMIT 1', 'limit'],
  ['SELECT L(id) FROM job FETCH FIRST ROW ONLY', 'limit'],
  ['(SELECT L(id) FROM job) LIMIT 1', 'limit'],
  ['SELECT (SELECT L(job.id)) FROM job LIMIT 1', 'limit'],
  ['SELECT id FROM (SELECT id, p, L(id) AS ok FROM job) q WHERE ok ORDER BY p LIMIT 1', 'limit'],
  ['SELECT j.id FROM job j, LATERAL (SELECT L(j.id) AS ok) l WHERE ok ORDER BY p LIMIT 1', 'limit'],
  ['SELECT L(id) FROM job OFFSET 5', 'offset'],
  ['SELECT L(id) FROM job ORDER BY p LIMIT 1 OFFSET 5', 'offset'],
  ['SELECT DISTINCT L(id) FROM job', 'distinct'],
  ['SELECT DISTINCT ON (L(id)) id FROM job', 'distinct'],
  ['SELECT count(*), L(1) FROM job', 'aggregate'],
  ['SELECT bool_and(L(id)) FROM job', 'aggregate'],
  ['SELECT count(*) FILTER (WHERE L(id)) FROM job', 'aggregate'],
  ['SELECT kind, L(kind) FROM job GROUP BY kind', 'aggregate'],
])('%s: %s', (sql, reason) => {
  expect(rowDriven(sql)).toBe(reason);
});

test.each([
  // No table
  'SELECT L(1)',
  'SELECT 1 WHERE L(1)',
  'SELECT L(1) LIMIT 1',
  'SELECT L(x.id) FROM unnest($1::bigint[]) AS x(id) ORDER BY x.id',
  'SELECT id FROM generate_series(1, 3) AS x(id) WHERE L(x.id)',
  'SELECT k FROM (VALUES (1), (2)) AS v(k) WHERE L(k) LIMIT 1',
  'SELECT FROM (SELECT L($1) AS won) AS step WHERE NOT won',
  // A list that WHERE alone restricts
  'SELECT L(id) FROM job',
  'SELECT L(id) FROM job WHERE id = 1',
  'SELECT id, L(id), rank() OVER (ORDER BY p) FROM job WHERE ready',
  // A function in FROM
  'SELECT job.id FROM job, L(1) AS ok WHERE ok LIMIT 1',
  'SELECT job.id FROM job CROSS JOIN LATERAL L(job.id) AS ok',
  // Over rows that are few already
  'SELECT q.id, L(q.id) AS won FROM (SELECT id FROM job WHERE ready ORDER BY p LIMIT 10) q',
  'SELECT id FROM (SELECT id FROM job ORDER BY p LIMIT 10) q WHERE L(q.id)',
  'SELECT id FROM (SELECT id FROM job FETCH FIRST 10 ROWS ONLY) q WHERE L(q.id) ORDER BY id LIMIT 1',
  'SELECT id FROM (SELECT min(id) AS id FROM job) q WHERE L(q.id)',
  'WITH c AS MATERIALIZED (SELECT id FROM job ORDER BY p LIMIT 10) SELECT id FROM c WHERE L(id) LIMIT 1',
  'WITH c AS (UPDATE job SET a = 1 WHERE id = $1 RETURNING id) SELECT id FROM c WHERE L(id)',
  'UPDATE job SET a = 1 FROM (SELECT id FROM job LIMIT 1) q WHERE job.id = q.id AND L(q.id)',
  'SELECT L((SELECT id FROM job ORDER BY p LIMIT 1))',
  // Evaluated once
  'SELECT id FROM job WHERE ready AND (SELECT L(1))',
  'SELECT (SELECT L(1)) FROM job LIMIT 1',
  'WITH l AS (SELECT L($1) AS ok) UPDATE job SET a = 1 FROM l WHERE l.ok',
  // Rows that are returned, or changed
  'UPDATE job SET a = L(id) WHERE ready',
  'UPDATE job SET a = 1 RETURNING L(id)',
  'INSERT INTO job VALUES (L(1))',
  'SELECT L(id) FROM job LIMIT ALL',
])('%s: not', (sql) => {
  expect(rowDriven(sql)).toBeUndefined();
});

test('a hole in FROM is a table', () => {
  expect(lock`SELECT id FROM ${text} WHERE pg_try_advisory_lock(id)`.rowDriven).toBe('filter');
});
