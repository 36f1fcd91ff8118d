import { sql as drizzleSql } from 'drizzle-orm';
import { drizzle as drizzleOverPg } from 'drizzle-orm/node-postgres';
import { drizzle as drizzleOverPostgres } from 'drizzle-orm/postgres-js';
import { describe, expect, it } from 'vitest';
import { answer, type Sessions } from '../sessions.js';

/** `no-unchecked-try-lock`: a dropped answer lets everybody in, and all that surrounds the answer is the same either way. */
export function claimsOfTryAnswers({ connect, isFree, pgPool, postgresPool }: Sessions): void {
  describe('the answer of a try-lock', () => {
    it.each([
      { what: 'dropped', reads: false, most: 2 },
      { what: 'read', reads: true, most: 1 },
    ])('$what: so many of two workers are inside at once: $most', async ({ reads, most }) => {
      let [inside, mostInside] = [0, 0];
      let tried = 0;
      let letGo = () => {};
      const bothTried = new Promise<void>(resolve => (letGo = resolve));
      const worker = async () => {
        const client = await connect();
        const mine = await answer(client, 'pg_try_advisory_lock(1)');
        if (++tried === 2) letGo();
        if (reads && mine !== true) return;
        mostInside = Math.max(mostInside, ++inside);
        await bothTried;
        inside--;
      };
      await Promise.all([worker(), worker()]);
      expect(mostInside).toBe(most);
    });

    it('is not needed by the function that waits: there is one worker inside', async () => {
      let [inside, mostInside] = [0, 0];
      const worker = async () => {
        const client = await connect();
        await client.query('SELECT pg_advisory_lock(1)');
        mostInside = Math.max(mostInside, ++inside);
        await client.query('SELECT 1');
        inside--;
        await client.query('SELECT pg_advisory_unlock(1)');
      };
      await Promise.all([worker(), worker(), worker()]);
      expect(mostInside).toBe(1);
    });
  });

  const otherColumn = (row: object | undefined): unknown => (row && 'locked' in row ? row.locked : undefined);

  /** Each gives what code may test in place of the answer, and the answer itself. */
  const drivers = {
    pg: async (text: string) => {
      const result = await pgPool({ max: 1 }).query<{ mine: boolean }>(text);
      const [row] = result.rows;
      return { around: [result, result.rows, result.rows.length, result.rowCount, row], mine: row?.mine, missing: otherColumn(row) };
    },
    'postgres.js': async (text: string) => {
      const result = await postgresPool({ max: 1 }).unsafe<{ mine: boolean }[]>(text);
      const [row] = result;
      return { around: [result, result.length, result.count, row], mine: row?.mine, missing: otherColumn(row) };
    },
    'drizzle over pg': async (text: string) => {
      const result = await drizzleOverPg({ client: pgPool({ max: 1 }) }).execute<{ mine: boolean }>(text);
      const [row] = result.rows;
      return { around: [result, result.rows, result.rows.length, result.rowCount, row], mine: row?.mine, missing: otherColumn(row) };
    },
    'drizzle over postgres.js': async (text: string) => {
      const result = await drizzleOverPostgres({ client: postgresPool({ max: 1 }) }).execute<{ mine: boolean }>(text);
      const [row] = result;
      return { around: [result, result.length, result.count, row], mine: row?.mine, missing: otherColumn(row) };
    },
    'a select of drizzle over pg': async (text: string) => {
      const db = drizzleOverPg({ client: pgPool({ max: 1 }) });
      const result = await db.select({ mine: drizzleSql<boolean>`mine` }).from(drizzleSql`(${drizzleSql.raw(text)}) AS tried`);
      const [row] = result;
      return { around: [result, result.length, row], mine: row?.mine, missing: otherColumn(row) };
    },
    'a select of drizzle over postgres.js': async (text: string) => {
      const db = drizzleOverPostgres({ client: postgresPool({ max: 1 }) });
      const result = await db.select({ mine: drizzleSql<boolean>`mine` }).from(drizzleSql`(${drizzleSql.raw(text)}) AS tried`);
      const [row] = result;
      return { around: [result, result.length, row], mine: row?.mine, missing: otherColumn(row) };
    },
  };

  describe.each(Object.entries(drivers))('what %s gives for a try-lock', (_name, ask) => {
    it('is true in the column alone: result, rows, count and row are there for a refused lock as for one that was got', async () => {
      const holder = await connect();
      await holder.query('SELECT pg_advisory_lock(1)');
      const refused = await ask('SELECT pg_try_advisory_lock(1) AS mine');
      await holder.query('SELECT pg_advisory_unlock(1)');
      const taken = await ask('SELECT pg_try_advisory_lock(1) AS mine');
      expect({ refused: refused.mine, taken: taken.mine }).toEqual({ refused: false, taken: true });
      expect(refused.around.map(Boolean)).toEqual(refused.around.map(() => true));
      expect(taken.around.map(Boolean)).toEqual(refused.around.map(() => true));
      expect(await isFree(1)).toBe(false);
    });

    it('is undefined in a column that is not there, whoever has the lock', async () => {
      const taken = await ask('SELECT pg_try_advisory_lock(1) AS mine');
      expect(taken).toMatchObject({ mine: true, missing: undefined });
      expect((await ask('SELECT pg_try_advisory_lock(1) AS mine')).missing).toBeUndefined();
    });
  });

  describe('the name of the column', () => {
    it('is that of the function where the statement gives no other', async () => {
      const client = await connect();
      const plain = await client.query('SELECT pg_try_advisory_lock(1)');
      const named = await client.query('SELECT pg_try_advisory_lock(1) AS mine');
      expect([plain.rows, named.rows]).toEqual([[{ pg_try_advisory_lock: true }], [{ mine: true }]]);
    });
  });

  describe('an answer that SQL turns into the presence of a row', () => {
    it('may be counted', async () => {
      const [holder, other] = [await connect(), await connect()];
      const text = 'SELECT 1 WHERE pg_try_advisory_lock(1)';
      expect((await holder.query(text)).rowCount).toBe(1);
      expect((await other.query(text)).rowCount).toBe(0);
    });

    it.each([
      ['as a condition of the statement that works', 'WITH won AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(1) AS mine) INSERT INTO tick SELECT 1 FROM won WHERE won.mine', 0],
      ['without a source of rows', 'INSERT INTO tick SELECT 1 WHERE pg_try_advisory_xact_lock(1)', 0],
      ['taken along and not asked', 'WITH won AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(1) AS mine) INSERT INTO tick SELECT 1 FROM won', 1],
    ])('decides whether work is done, %s', async (_, text, done) => {
      const [holder, other] = [await connect(), await connect()];
      await other.query('CREATE TEMPORARY TABLE tick (n int)');
      await holder.query('SELECT pg_advisory_lock(1)');
      await other.query(text);
      expect((await other.query('SELECT FROM tick')).rowCount).toBe(done);
      await holder.query('SELECT pg_advisory_unlock(1)');
      await other.query(text);
      expect((await other.query('SELECT FROM tick')).rowCount).toBe(done + 1);
    });
  });
}
