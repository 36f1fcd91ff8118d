import { describe, expect, it } from 'vitest';
import { answer, type Sessions } from '../sessions.js';

/** `no-leaked-lock`: what becomes of a lock that its function leaves behind, and of an unlock that fails. */
export function claimsOfLeaks({ connect, holders, isFree, pgPool, postgresPool, untilNoneHeld }: Sessions): void {
  const failingWork = () => Promise.reject(new Error('the work failed'));

  describe('a lock that a DO block takes', () => {
    it('outlives the block where it is of the session, and not where it is of the transaction', async () => {
      const client = await connect();
      await client.query('DO $$ BEGIN PERFORM pg_advisory_lock(1); PERFORM pg_advisory_xact_lock(2); END $$');
      expect([await isFree(1), await isFree(2)]).toEqual([false, true]);
      await client.query('DO $$ BEGIN PERFORM pg_advisory_unlock(1); END $$');
      expect(await isFree(1)).toBe(true);
    });

    it('stays behind in a pool', async () => {
      const pool = pgPool();
      await pool.query('DO $$ BEGIN PERFORM pg_advisory_lock(1); END $$');
      expect(await isFree(1)).toBe(false);
    });

    it('is not there, without a word, where PERFORM throws the answer away', async () => {
      const [holder, client] = [await connect(), await connect()];
      await holder.query('SELECT pg_advisory_lock(1)');
      await client.query('DO $$ BEGIN PERFORM pg_try_advisory_lock(1); END $$');
      expect(await holders()).toEqual([await answer(holder, 'pg_backend_pid()')]);
    });
  });

  describe('a lock that is left behind', () => {
    it('goes back to a pg pool; the next borrower has it unasked, and everybody else is refused', async () => {
      const pool = pgPool();
      const leaking = async () => {
        const client = await pool.connect();
        try {
          await client.query('SELECT pg_advisory_lock(1)');
          await failingWork();
          await client.query('SELECT pg_advisory_unlock(1)');
        } finally {
          client.release();
        }
      };
      await expect(leaking()).rejects.toThrow('the work failed');
      expect(pool.idleCount).toBe(1);
      expect(await isFree(1)).toBe(false);

      const borrower = await pool.connect();
      expect(await holders()).toEqual([await answer(borrower, 'pg_backend_pid()')]);
      expect(await answer(borrower, 'pg_try_advisory_lock(1)')).toBe(true);
      // It frees what it took and is polite about it; the lock that was left stays.
      expect(await answer(borrower, 'pg_advisory_unlock(1)')).toBe(true);
      borrower.release();
      expect(await isFree(1)).toBe(false);
    });

    it('goes back to the pool of postgres.js; the next borrower has it unasked', async () => {
      const sql = postgresPool({ max: 1 });
      const leaking = async () => {
        const reserved = await sql.reserve();
        try {
          await reserved`SELECT pg_advisory_lock(1)`;
          await failingWork();
          await reserved`SELECT pg_advisory_unlock(1)`;
        } finally {
          reserved.release();
        }
      };
      await expect(leaking()).rejects.toThrow('the work failed');
      expect(await isFree(1)).toBe(false);
      expect([...(await sql`SELECT pg_try_advisory_lock(1) AS mine`)]).toEqual([{ mine: true }]);
    });

    it('is freed on every path by an unlock in finally', async () => {
      const pool = pgPool();
      const careful = async () => {
        const client = await pool.connect();
        try {
          await client.query('SELECT pg_advisory_lock(1)');
          try {
            await failingWork();
          } finally {
            expect(await answer(client, 'pg_advisory_unlock(1)')).toBe(true);
          }
        } finally {
          client.release();
        }
      };
      await expect(careful()).rejects.toThrow('the work failed');
      expect(await isFree(1)).toBe(true);
    });

    it('is freed by closing the session instead', async () => {
      const pool = pgPool();
      const closing = async () => {
        const client = await pool.connect();
        try {
          await client.query('SELECT pg_advisory_lock(1)');
          await failingWork();
        } finally {
          client.release(true);
        }
      };
      await expect(closing()).rejects.toThrow('the work failed');
      await untilNoneHeld();
      expect(await isFree(1)).toBe(true);
    });

    it('stays once for every time it is left', async () => {
      const client = await connect();
      for (const id of [1, 2, 3]) {
        await client.query('SELECT pg_advisory_lock(7, $1)', [id]);
        if (id % 2 === 1) continue;
        expect(await answer(client, `pg_advisory_unlock(7, ${id})`)).toBe(true);
      }
      expect(await holders()).toHaveLength(2);
      expect([await isFree('7, 1'), await isFree('7, 2'), await isFree('7, 3')]).toEqual([false, true, false]);
    });

    it('stays when a statement of the same text fails before the unlock', async () => {
      const client = await connect();
      const text = 'SELECT pg_advisory_lock(1); SELECT 1 / 0; SELECT pg_advisory_unlock(1)';
      await expect(client.query(text)).rejects.toThrow('division by zero');
      expect(await isFree(1)).toBe(false);
    });
  });

  describe('an unlock that fails', () => {
    /** Leaves the client in a transaction that has failed: every statement but its end is refused, the unlock with them. */
    const breakTransaction = async (client: { query(text: string): Promise<unknown> }) => {
      await client.query('BEGIN');
      await client.query('SELECT 1 / 0').catch(() => undefined);
    };

    it('leaves the lock, and a plain release hands it on', async () => {
      const pool = pgPool();
      const client = await pool.connect();
      await client.query('SELECT pg_advisory_lock(1)');
      await breakTransaction(client);
      let swallowed: unknown;
      await client.query('SELECT pg_advisory_unlock(1)').catch((error: unknown) => (swallowed = error));
      client.release();
      expect(swallowed).toMatchObject({ code: '25P02' });
      const borrower = await pool.connect();
      await borrower.query('ROLLBACK');
      expect(await holders()).toEqual([await answer(borrower, 'pg_backend_pid()')]);
      borrower.release();
      expect(await isFree(1)).toBe(false);
    });

    it('does no harm where the session is closed then', async () => {
      const pool = pgPool();
      const client = await pool.connect();
      await client.query('SELECT pg_advisory_lock(1)');
      await breakTransaction(client);
      const unlocked = await client.query('SELECT pg_advisory_unlock(1)').then(() => true, () => false);
      client.release(!unlocked);
      expect(unlocked).toBe(false);
      await untilNoneHeld();
    });

    it('leaves the lock on a reserved connection of postgres.js, too', async () => {
      const sql = postgresPool({ max: 1 });
      const reserved = await sql.reserve();
      await reserved`SELECT pg_advisory_lock(1)`;
      await breakTransaction({ query: text => reserved.unsafe(text) });
      await reserved`SELECT pg_advisory_unlock(1)`.catch(() => undefined);
      reserved.release();
      await sql`ROLLBACK`;
      expect(await isFree(1)).toBe(false);
      expect([...(await sql`SELECT pg_advisory_unlock(1) AS released`)]).toEqual([{ released: true }]);
    });
  });
}
