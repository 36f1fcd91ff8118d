import { drizzle as drizzleOverPg } from 'drizzle-orm/node-postgres';
import { drizzle as drizzleOverPostgres } from 'drizzle-orm/postgres-js';
import { describe, expect, it } from 'vitest';
import { answer, type Sessions } from '../sessions.js';

/** Sends at once, whatever the driver would do. */
type Run = (text: string) => Promise<unknown>;

/** `no-xact-lock-outside-transaction`: the lock lasts as long as its transaction, which may be one statement. */
export function claimsOfTransactionLocks(sessions: Sessions): void {
  const { connect, database, isFree, pgPool, postgresPool, untilWaiting } = sessions;

  const handles: Record<string, () => Promise<Run>> = {
    'a pg pool': async () => text => pgPool().query(text),
    'a pg pool of one': async () => {
      const pool = pgPool({ max: 1, idleTimeoutMillis: 0 });
      return text => pool.query(text);
    },
    'a client of pg': async () => {
      const client = await connect();
      return text => client.query(text);
    },
    'postgres.js': async () => {
      const sql = postgresPool();
      return async text => sql.unsafe(text);
    },
    'postgres.js with one connection': async () => {
      const sql = postgresPool({ max: 1 });
      return async text => sql.unsafe(text);
    },
    'drizzle over a pg pool': async () => {
      const db = drizzleOverPg({ client: pgPool() });
      return async text => db.execute(text);
    },
    'drizzle over a client of pg': async () => {
      const db = drizzleOverPg({ client: await connect() });
      return async text => db.execute(text);
    },
    'drizzle over postgres.js': async () => {
      const db = drizzleOverPostgres({ client: postgresPool() });
      return async text => db.execute(text);
    },
  };

  describe.each(Object.entries(handles))('a transaction-level lock on %s', (_name, open) => {
    it.each(['pg_advisory_xact_lock', 'pg_try_advisory_xact_lock', 'pg_advisory_xact_lock_shared'])('is gone when the statement is: %s', async name => {
      const run = await open();
      await run(`SELECT ${name}(1)`);
      expect(await isFree(1)).toBe(true);
      // Not for want of a connection: one that belongs to the session stays.
      await run('SELECT pg_advisory_lock(2)');
      expect(await isFree(2)).toBe(false);
    });

    it('guards work in the same statement', async () => {
      await expectHeldDuring(await open(), 'SELECT pg_advisory_xact_lock(1), pg_advisory_xact_lock(2)');
    });

    it('guards work in the same text of several statements', async () => {
      await expectHeldDuring(await open(), 'SELECT pg_advisory_xact_lock(1); SELECT pg_advisory_xact_lock(2)');
    });
  });

  /** The statement stops in the middle of its work, where it waits for the second lock. */
  async function expectHeldDuring(run: Run, text: string): Promise<void> {
    const holder = await connect();
    await holder.query('SELECT pg_advisory_lock(2)');
    const running = run(text);
    await untilWaiting();
    expect(await isFree(1)).toBe(false);
    await holder.query('SELECT pg_advisory_unlock(2)');
    await running;
    expect([await isFree(1), await isFree(2)]).toEqual([true, true]);
  }

  describe('a transaction-level lock', () => {
    it('guards what stands between BEGIN and COMMIT in one text, even through a pool', async () => {
      const pool = pgPool();
      await expectHeldDuring(text => pool.query(text), 'BEGIN; SELECT pg_advisory_xact_lock(1); SELECT pg_advisory_xact_lock(2); COMMIT');
    });

    it('guards what stands between BEGIN and COMMIT on one client', async () => {
      const client = await connect();
      await client.query('BEGIN');
      await client.query('SELECT pg_advisory_xact_lock(1)');
      expect(await isFree(1)).toBe(false);
      await client.query('COMMIT');
      expect(await isFree(1)).toBe(true);
    });

    it('is not in the transaction that BEGIN through a pool has opened on the connection that is lent out meanwhile', async () => {
      const pool = pgPool({ max: 2 });
      await pool.query('BEGIN');
      const lent = await pool.connect();
      await pool.query('SELECT pg_advisory_xact_lock(1)');
      expect(await isFree(1)).toBe(true);
      await pool.query('COMMIT');
      // Whoever has that connection now works in a transaction that nobody ends.
      await lent.query('SELECT pg_advisory_xact_lock(3)');
      expect(await isFree(3)).toBe(false);
      lent.release(true);
    });

    it('in a statement that also reads what it guards reads the state of before the wait', async () => {
      await database().query('CREATE TABLE settled (day int)');
      const insertOnce = `
        WITH own AS MATERIALIZED (SELECT pg_advisory_xact_lock(1) IS NOT NULL AS mine)
        INSERT INTO settled SELECT 1 FROM own WHERE mine AND NOT EXISTS (SELECT FROM settled WHERE day = 1)`;
      const [first, second] = [await connect(), await connect()];
      await first.query('BEGIN');
      await first.query(insertOnce);
      const waiting = second.query(insertOnce);
      await untilWaiting();
      await first.query('COMMIT');
      await waiting;
      expect(await answer(first, '(SELECT count(*)::int FROM settled)')).toBe(2);
      // Two statements of one transaction: the second one sees what the lock waited for.
      await second.query('TRUNCATE settled');
      const lockThenInsert = async () => {
        await second.query('BEGIN');
        await second.query('SELECT pg_advisory_xact_lock(1)');
        await second.query('INSERT INTO settled SELECT 1 WHERE NOT EXISTS (SELECT FROM settled WHERE day = 1)');
        await second.query('COMMIT');
      };
      await first.query('BEGIN');
      await first.query(insertOnce);
      const waitingToo = lockThenInsert();
      await untilWaiting();
      await first.query('COMMIT');
      await waitingToo;
      expect(await database().query('SELECT FROM settled')).toMatchObject({ rowCount: 1 });
    });
  });

  /** Each gives the root handle and the transaction's to a callback, as code that closes over the root has them. */
  const transactions: Record<string, (work: (root: Run, own: Run) => Promise<void>) => Promise<unknown>> = {
    'begin() of postgres.js': work => {
      const sql = postgresPool();
      return sql.begin(tx => work(text => sql.unsafe(text), text => tx.unsafe(text)));
    },
    'transaction() of drizzle over a pg pool': work => {
      const db = drizzleOverPg({ client: pgPool() });
      return db.transaction(tx => work(text => db.execute(text), text => tx.execute(text)));
    },
    'transaction() of drizzle over postgres.js': work => {
      const db = drizzleOverPostgres({ client: postgresPool() });
      return db.transaction(tx => work(text => db.execute(text), text => tx.execute(text)));
    },
  };

  describe.each(Object.entries(transactions))('in the callback of %s', (_name, transaction) => {
    it('the root handle locks on another connection, and the lock is gone while the transaction goes on', async () => {
      await transaction(async (root, own) => {
        await root('SELECT pg_advisory_xact_lock(1)');
        expect(await isFree(1)).toBe(true);
        // Another session: what it holds is refused to the transaction.
        await root('SELECT pg_advisory_lock(2)');
        await own(`DO $$ BEGIN ASSERT NOT pg_try_advisory_xact_lock(2), 'another session'; END $$`);
      });
    });

    it('the handle of the transaction locks until its end', async () => {
      await transaction(async (root, own) => {
        await own('SELECT pg_advisory_xact_lock(1)');
        expect(await isFree(1)).toBe(false);
        await root('SELECT 1');
        expect(await isFree(1)).toBe(false);
      });
      expect(await isFree(1)).toBe(true);
    });

    it('a lock alone guards nothing of what follows', async () => {
      await transaction(async (_root, own) => {
        await own('SELECT pg_advisory_xact_lock(1)');
        expect(await isFree(1)).toBe(false);
      });
      expect(await isFree(1)).toBe(true);
    });
  });
}
