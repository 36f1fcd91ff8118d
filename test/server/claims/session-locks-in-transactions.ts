import { drizzle as drizzleOverPg } from 'drizzle-orm/node-postgres';
import { drizzle as drizzleOverPostgres } from 'drizzle-orm/postgres-js';
import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { answer, type Sessions } from '../sessions.js';

/** `no-session-lock-in-transaction`: a session-level lock knows nothing of transactions. */
export function claimsOfSessionLocksInTransactions(sessions: Sessions): void {
  const { connect, database, isFree, pgPool, postgresPool, untilWaiting } = sessions;

  describe('a session-level lock in a transaction', () => {
    it('outlives ROLLBACK and COMMIT; a transaction-level lock does not', async () => {
      const client = await connect();
      for (const end of ['ROLLBACK', 'COMMIT']) {
        await client.query('BEGIN');
        await client.query('SELECT pg_advisory_lock(1), pg_advisory_xact_lock(2)');
        await client.query(end);
        expect([await isFree(1), await isFree(2)]).toEqual([false, true]);
        expect(await answer(client, 'pg_advisory_unlock(1)')).toBe(true);
      }
    });

    it('outlives ROLLBACK TO; a transaction-level lock that was taken since the savepoint does not', async () => {
      const client = await connect();
      await client.query('BEGIN');
      await client.query('SELECT pg_advisory_xact_lock(1)');
      await client.query('SAVEPOINT here');
      await client.query('SELECT pg_advisory_xact_lock(2), pg_advisory_lock(3)');
      await client.query('ROLLBACK TO here');
      expect([await isFree(1), await isFree(2), await isFree(3)]).toEqual([false, true, false]);
      await client.query('ROLLBACK');
      expect([await isFree(1), await isFree(2), await isFree(3)]).toEqual([true, true, false]);
    });

    it('is freed for good by an unlock that is rolled back', async () => {
      const client = await connect();
      await client.query('SELECT pg_advisory_lock(1)');
      await client.query('BEGIN');
      expect(await answer(client, 'pg_advisory_unlock(1)')).toBe(true);
      await client.query('ROLLBACK');
      expect(await isFree(1)).toBe(true);
    });

    it('cannot be freed once a statement has failed, and is still there after ROLLBACK', async () => {
      const client = await connect();
      await client.query('BEGIN');
      await client.query('SELECT pg_advisory_lock(1)');
      await expect(client.query('SELECT 1 / 0')).rejects.toThrow('division by zero');
      await expect(client.query('SELECT pg_advisory_unlock(1)')).rejects.toMatchObject({ code: '25P02' });
      expect(await isFree(1)).toBe(false);
      await client.query('ROLLBACK');
      expect(await isFree(1)).toBe(false);
      expect(await answer(client, 'pg_advisory_unlock(1)')).toBe(true);
    });

    it('that was taken before BEGIN cannot be freed either until the transaction is over', async () => {
      const client = await connect();
      await client.query('SELECT pg_advisory_lock(1)');
      await client.query('BEGIN');
      await expect(client.query('SELECT 1 / 0')).rejects.toThrow('division by zero');
      await expect(client.query('SELECT pg_advisory_unlock(1)')).rejects.toMatchObject({ code: '25P02' });
      await client.query('ROLLBACK');
      expect(await answer(client, 'pg_advisory_unlock(1)')).toBe(true);
      expect(await isFree(1)).toBe(true);
    });
  });

  /** Each opens a transaction, takes a lock, and fails; `unlock` is what a `finally` in it would do. */
  const transactions = {
    'begin() of postgres.js': (take: string, fail: string, unlock: string) =>
      postgresPool({ max: 1 }).begin(async tx => {
        await tx.unsafe(take);
        try {
          await tx.unsafe(fail);
        } finally {
          await tx.unsafe(unlock);
        }
      }),
    'savepoint() of postgres.js': (take: string, fail: string, unlock: string) =>
      postgresPool({ max: 1 }).begin(tx =>
        tx.savepoint(async inner => {
          await inner.unsafe(take);
          try {
            await inner.unsafe(fail);
          } finally {
            await inner.unsafe(unlock);
          }
        }),
      ),
    'transaction() of drizzle over pg': (take: string, fail: string, unlock: string) =>
      drizzleOverPg({ client: pgPool({ max: 1 }) }).transaction(async tx => {
        await tx.execute(take);
        try {
          await tx.execute(fail);
        } finally {
          await tx.execute(unlock);
        }
      }),
    'transaction() of drizzle over postgres.js': (take: string, fail: string, unlock: string) =>
      drizzleOverPostgres({ client: postgresPool({ max: 1 }) }).transaction(async tx => {
        await tx.execute(take);
        try {
          await tx.execute(fail);
        } finally {
          await tx.execute(unlock);
        }
      }),
  };

  describe.each(Object.entries(transactions))('%s', (_name, run) => {
    it('leaves a session-level lock behind when it rolls back, with an unlock in finally that fails', async () => {
      await expect(run('SELECT pg_advisory_lock(1)', 'SELECT 1 / 0', 'SELECT pg_advisory_unlock(1)')).rejects.toThrow();
      expect(await isFree(1)).toBe(false);
    });

    it('ends a transaction-level lock when it rolls back', async () => {
      await expect(run('SELECT pg_advisory_xact_lock(1)', 'SELECT 1 / 0', 'SELECT 1')).rejects.toThrow();
      expect(await isFree(1)).toBe(true);
    });
  });

  describe('an unlock before COMMIT', () => {
    /** The next number in a series without gaps: read the last one, add one, write it. */
    async function nextNumber(client: pg.Client, table: string): Promise<void> {
      await client.query(`INSERT INTO ${table} SELECT coalesce(max(number), 0) + 1 FROM ${table}`);
    }

    async function numbersIn(table: string): Promise<number[]> {
      const { rows } = await database().query(`SELECT number FROM ${table} ORDER BY number`);
      return (rows as { number: number }[]).map(({ number }) => number);
    }

    it('lets in the next one before the work can be seen: the same number is given twice', async () => {
      await database().query('CREATE TABLE slips_early (number int)');
      const [first, second] = [await connect(), await connect()];
      await first.query('BEGIN');
      await first.query('SELECT pg_advisory_lock(1)');
      await nextNumber(first, 'slips_early');
      expect(await answer(first, 'pg_advisory_unlock(1)')).toBe(true);
      await second.query('BEGIN');
      expect(await answer(second, 'pg_try_advisory_lock(1)')).toBe(true);
      await nextNumber(second, 'slips_early');
      await first.query('COMMIT');
      await second.query('COMMIT');
      expect(await numbersIn('slips_early')).toEqual([1, 1]);
    });

    it.each([
      { what: 'a transaction-level lock', table: 'slips_xact', take: ['BEGIN', 'SELECT pg_advisory_xact_lock(1)'], end: ['COMMIT'] },
      { what: 'an unlock after COMMIT', table: 'slips_after', take: ['SELECT pg_advisory_lock(1)', 'BEGIN'], end: ['COMMIT', 'SELECT pg_advisory_unlock(1)'] },
    ])('is what $what avoids: each gets a number of its own', async ({ table, take, end }) => {
      await database().query(`CREATE TABLE ${table} (number int)`);
      const [first, second] = [await connect(), await connect()];
      const run = async (client: pg.Client, statements: string[]) => {
        for (const statement of statements) await client.query(statement);
      };
      await run(first, take);
      await nextNumber(first, table);
      const waiting = run(second, take).then(() => nextNumber(second, table)).then(() => run(second, end));
      await untilWaiting();
      expect(await numbersIn(table)).toEqual([]);
      await run(first, end);
      await waiting;
      expect(await numbersIn(table)).toEqual([1, 2]);
    });
  });
}
