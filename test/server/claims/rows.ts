import { beforeAll, describe, expect, it } from 'vitest';
import { lock } from '../../sql/support/read.js';
import type { Sessions } from '../sessions.js';

interface Locked {
  /** Ids of the rows that came back. */
  readonly returned: number[];
  readonly locked: number[];
}

/** `no-row-driven-lock`: for which rows PostgreSQL evaluates a lock function. In the statements, `L` stands for one. */
export function claimsOfRows({ connect, database }: Sessions): void {
  beforeAll(async () => {
    await database().query(`
      CREATE TABLE job (id int PRIMARY KEY, ready boolean NOT NULL, priority int NOT NULL);
      INSERT INTO job SELECT n, n % 2 = 0, (n * 7919) % 100 FROM generate_series(1, 100) AS n;
      ANALYZE job`);
  });

  const withLock = (sql: string) => sql.replaceAll('L(', 'pg_try_advisory_lock(');

  async function run(sql: string): Promise<Locked> {
    const client = await connect();
    const { rows } = await client.query<{ id: number }>(withLock(sql));
    const held = await database().held();
    await client.query('SELECT pg_advisory_unlock_all()');
    return { returned: sorted(rows.map(({ id }) => id)), locked: sorted(held.map(({ key }) => Number(key.split('/')[1]))) };
  }

  const sorted = (ids: number[]) => ids.sort((a, b) => a - b);

  describe('a lock function over the rows of a table', () => {
    it.each([
      { sql: 'SELECT id FROM job WHERE ready AND L(id) ORDER BY priority LIMIT 1', returned: 1, locked: 50 },
      { sql: 'SELECT id FROM job WHERE L(id) AND id % 10 = 0 ORDER BY priority OFFSET 3', returned: 7, locked: 100 },
      { sql: 'SELECT id FROM job WHERE L(id) LIMIT 5 OFFSET 5', returned: 5, locked: 10 },
      { sql: 'SELECT a.id FROM job AS a JOIN job AS b ON b.id = a.id + 1 AND L(a.id) ORDER BY a.priority LIMIT 1', returned: 1, locked: 100 },
      { sql: 'SELECT id FROM job GROUP BY id HAVING L(id) ORDER BY max(priority) LIMIT 1', returned: 1, locked: 100 },
      { sql: 'SELECT id FROM (SELECT id, priority FROM job OFFSET 0) AS q WHERE L(q.id) ORDER BY priority LIMIT 1', returned: 1, locked: 100 },
      { sql: 'WITH c AS MATERIALIZED (SELECT * FROM job) SELECT id FROM c WHERE L(c.id) ORDER BY priority LIMIT 1', returned: 1, locked: 100 },
      { sql: 'SELECT id FROM job WHERE (SELECT L(job.id)) ORDER BY priority LIMIT 1', returned: 1, locked: 100 },
      { sql: 'SELECT id FROM job ORDER BY L(id), priority LIMIT 1', returned: 1, locked: 100 },
      { sql: 'SELECT id, L(id) AS mine FROM job ORDER BY mine, priority LIMIT 1', returned: 1, locked: 100 },
      { sql: 'SELECT id, L(id) FROM job ORDER BY id LIMIT 1 OFFSET 5', returned: 1, locked: 6 },
      { sql: 'SELECT id, L(id) FROM job OFFSET 95', returned: 5, locked: 100 },
      { sql: 'SELECT id FROM (SELECT id, priority, L(id) AS mine FROM job) AS q WHERE mine ORDER BY priority LIMIT 1', returned: 1, locked: 100 },
      { sql: 'SELECT id, L(id) FROM job ORDER BY ready FETCH FIRST 1 ROW WITH TIES', returned: 50, locked: 51 },
      { sql: 'SELECT DISTINCT 1 AS id, L(id) FROM job', returned: 1, locked: 100 },
      { sql: 'SELECT DISTINCT ON (L(id)) id FROM job', returned: 1, locked: 100 },
      { sql: 'SELECT 1 AS id, bool_and(L(id)) FROM job', returned: 1, locked: 100 },
      { sql: 'SELECT count(*) FILTER (WHERE L(id)) AS id FROM job', returned: 1, locked: 100 },
      { sql: 'SELECT count(*)::int AS id FROM job WHERE L(id)', returned: 1, locked: 100 },
    ])('locks $locked and returns $returned: $sql', async ({ sql, returned, locked }) => {
      const result = await run(sql);
      expect(result.returned).toHaveLength(returned);
      expect(result.locked).toHaveLength(locked);
      expect(lock(withLock(sql)).rowDriven).toBeDefined();
    });

    it('locks what another condition leaves out, in whatever order the two are written', async () => {
      const expensive = "md5(md5(id::text) || repeat('x', 10)) < '4'";
      const [before, after] = [await run(`SELECT id FROM job WHERE ${expensive} AND L(id)`), await run(`SELECT id FROM job WHERE L(id) AND ${expensive}`)];
      expect(before).toEqual(after);
      expect(before.locked.length).toBeGreaterThan(before.returned.length);
    });

    it('locks the rows that SKIP LOCKED passes over', async () => {
      const other = await connect();
      await other.query('BEGIN');
      await other.query('SELECT FROM job WHERE id <= 3 FOR UPDATE');
      const sql = 'SELECT id, L(id) FROM job ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED';
      expect(await run(sql)).toEqual({ returned: [4], locked: [1, 2, 3, 4] });
      expect(lock(withLock(sql)).rowDriven).toBe('limit');
    });

    it('counts once for every row, and wants as many unlocks', async () => {
      const client = await connect();
      await client.query('SELECT pg_advisory_lock(1) FROM job WHERE id <= 3');
      const { rows } = await client.query('SELECT pg_advisory_unlock(1) AS freed FROM generate_series(1, 4)');
      expect(rows).toEqual([{ freed: true }, { freed: true }, { freed: true }, { freed: false }]);
    });

    it('is not called where there is no row', async () => {
      expect(await run('SELECT id, L(id) FROM job WHERE id = 0')).toEqual({ returned: [], locked: [] });
    });
  });

  describe('a lock function in a select list that is sorted or cut off and no more', () => {
    // The server may go another way: its manual names LIMIT as no protection. Today's goes this way.
    it.each([
      'SELECT id, L(id) FROM job ORDER BY priority',
      'SELECT id, L(id) FROM job ORDER BY priority LIMIT 3',
      'SELECT id, L(id) FROM job LIMIT 3',
    ])('locks what it returns, today: %s', async sql => {
      const { returned, locked } = await run(sql);
      expect(locked).toEqual(returned);
      expect(lock(withLock(sql)).rowDriven).toBeDefined();
    });
  });

  describe('a lock function over rows that are chosen before', () => {
    it.each([
      'SELECT q.id, L(q.id) AS mine FROM (SELECT id FROM job WHERE ready ORDER BY priority LIMIT 10) AS q',
      'SELECT id FROM (SELECT id FROM job WHERE ready ORDER BY priority LIMIT 10) AS q WHERE L(q.id)',
      'SELECT id FROM (SELECT id FROM job WHERE ready ORDER BY priority OFFSET 5 LIMIT 5) AS q WHERE L(q.id)',
      'SELECT id FROM (SELECT min(id) AS id FROM job) AS q WHERE L(q.id)',
      'WITH c AS MATERIALIZED (SELECT id FROM job ORDER BY priority LIMIT 10) SELECT id FROM c WHERE L(id)',
      'WITH c AS (UPDATE job SET priority = priority WHERE id = 7 RETURNING id) SELECT id FROM c WHERE L(id)',
      'SELECT id, L(id) FROM job WHERE ready',
      'SELECT id, L(id) FROM job WHERE id = 7',
      'SELECT job.id FROM job CROSS JOIN LATERAL pg_try_advisory_lock(job.id) AS mine WHERE job.id < 4',
      'SELECT x.id, L(x.id) FROM unnest(ARRAY[3, 1, 2]) AS x (id)',
      'UPDATE job SET priority = priority WHERE id = 7 RETURNING id, L(id)',
    ])('locks what it returns: %s', async sql => {
      const { returned, locked } = await run(sql);
      expect(locked).toEqual(returned);
      expect(locked.length).toBeGreaterThan(0);
      expect(lock(withLock(sql)).rowDriven).toBeUndefined();
    });

    it.each(['SELECT id FROM job WHERE ready AND (SELECT L(1)) ORDER BY id LIMIT 3', 'SELECT id, (SELECT L(1)) FROM job ORDER BY id LIMIT 3'])(
      'or over none locks once: %s',
      async sql => {
        expect((await run(sql)).locked).toEqual([1]);
        expect(lock(withLock(sql)).rowDriven).toBeUndefined();
      },
    );
  });
}
