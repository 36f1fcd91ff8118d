/** What the documentation of the rules says PostgreSQL and its drivers do, each asked of a real server. */
import { sql as drizzleSql } from 'drizzle-orm';
import { drizzle as drizzleOverPg } from 'drizzle-orm/node-postgres';
import { drizzle as drizzleOverPostgres } from 'drizzle-orm/postgres-js';
import { describe, expect, it } from 'vitest';
import { claimsOfKeys } from './claims/keys.js';
import { claimsOfLeaks } from './claims/leaks.js';
import { claimsOfMismatches } from './claims/mismatches.js';
import { claimsOfOperations } from './claims/operations.js';
import { claimsOfRows } from './claims/rows.js';
import { claimsOfSending } from './claims/sending.js';
import { claimsOfSessionLocksInTransactions } from './claims/session-locks-in-transactions.js';
import { claimsOfTransactionLocks } from './claims/transaction-locks.js';
import { claimsOfTryAnswers } from './claims/try-answers.js';
import { answer, useSessions, warningsOf } from './sessions.js';

const sessions = useSessions();
const { connect, holders, pgPool, postgresPool, untilNoneHeld } = sessions;

describe('a session-level lock belongs to its session', () => {
  it('another session may not release it: the answer is false, with a warning and no error', async () => {
    const [holder, other] = [await connect(), await connect()];
    const warnings = warningsOf(other);
    await holder.query('SELECT pg_advisory_lock(1)');
    expect(await answer(other, 'pg_advisory_unlock(1)')).toBe(false);
    expect(warnings).toEqual(["WARNING: you don't own a lock of type ExclusiveLock"]);
    expect(await holders()).toHaveLength(1);
    expect(await answer(holder, 'pg_advisory_unlock(1)')).toBe(true);
    expect(await holders()).toEqual([]);
  });

  it('whoever gets the connection next gets the lock with it', async () => {
    const pool = pgPool({ max: 1 });
    expect(await answer(pool, 'pg_try_advisory_lock(1)')).toBe(true);
    expect(await answer(pool, 'pg_try_advisory_lock(1)')).toBe(true);
    expect(await answer(await connect(), 'pg_try_advisory_lock(1)')).toBe(false);
  });

  it('counts: as many unlocks as locks', async () => {
    const client = await connect();
    await client.query('SELECT pg_advisory_lock(1), pg_advisory_lock(1)');
    expect(await answer(client, 'pg_advisory_unlock(1)')).toBe(true);
    expect(await holders()).toHaveLength(1);
    expect(await answer(client, 'pg_advisory_unlock(1)')).toBe(true);
    expect(await answer(client, 'pg_advisory_unlock(1)')).toBe(false);
  });

  it('an error of another statement does not free it', async () => {
    const client = await connect();
    await client.query('SELECT pg_advisory_lock(1)');
    await expect(client.query('SELECT 1 / 0')).rejects.toThrow('division by zero');
    expect(await holders()).toHaveLength(1);
  });

  it('pg_advisory_unlock_all answers nothing and frees what its own session holds', async () => {
    const [holder, other] = [await connect(), await connect()];
    await holder.query('SELECT pg_advisory_lock(1), pg_advisory_lock_shared(2)');
    expect(await answer(other, 'pg_advisory_unlock_all()')).toBe('');
    expect(await holders()).toHaveLength(2);
    expect(await answer(holder, 'pg_advisory_unlock_all()')).toBe('');
    expect(await holders()).toEqual([]);
  });
});

describe('the answer of an unlock', () => {
  it('is a column of a row that is always there', async () => {
    const { rows, rowCount } = await (await connect()).query('SELECT pg_advisory_unlock(1)');
    expect(rowCount).toBe(1);
    expect(rows).toEqual([{ pg_advisory_unlock: false }]);
  });
});

describe('a connection of a pg pool', () => {
  it('keeps its lock over release()', async () => {
    const client = await pgPool().connect();
    await client.query('SELECT pg_advisory_lock(1)');
    client.release();
    expect(await holders()).toHaveLength(1);
  });

  it('is closed by release(true), and the lock goes with it', async () => {
    const pool = pgPool();
    const client = await pool.connect();
    await client.query('SELECT pg_advisory_lock(1)');
    client.release(true);
    expect(pool.totalCount).toBe(0);
    await untilNoneHeld();
  });

  it('is closed when a query through the pool fails on it, and the lock goes with it', async () => {
    const pool = pgPool({ max: 1 });
    await pool.query('SELECT pg_advisory_lock(1)');
    await expect(pool.query('SELECT 1 / 0')).rejects.toThrow('division by zero');
    expect(pool.totalCount).toBe(0);
    await untilNoneHeld();
    expect(await answer(pool, 'pg_advisory_unlock(1)')).toBe(false);
  });

  it('is closed when idle, even the only one of its pool, and the lock goes with it', async () => {
    const pool = pgPool({ max: 1, idleTimeoutMillis: 1 });
    const removed = new Promise(resolve => pool.once('remove', resolve));
    await pool.query('SELECT pg_advisory_lock(1)');
    await removed;
    await untilNoneHeld();
    expect(await answer(pool, 'pg_advisory_unlock(1)')).toBe(false);
  });

  it('is the one that came back last, so that a quiet pool unlocks by luck', async () => {
    const pool = pgPool();
    await Promise.all([1, 2, 3, 4].map(() => pool.query('SELECT pg_sleep(0.05)')));
    expect(pool.idleCount).toBe(4);
    for (let round = 1; round <= 20; round++) {
      await pool.query('SELECT pg_advisory_lock($1)', [round]);
      expect(await answer(pool, `pg_advisory_unlock(${round})`)).toBe(true);
    }
  });

  it('stays when idle expiry is off, and may unlock', async () => {
    const pool = pgPool({ max: 1, idleTimeoutMillis: 0 });
    await pool.query('SELECT pg_advisory_lock(1)');
    expect(await answer(pool, 'pg_advisory_unlock(1)')).toBe(true);
  });
});

describe('a reserved connection', () => {
  it('of postgres.js keeps its lock over release()', async () => {
    const reserved = await postgresPool().reserve();
    await reserved`SELECT pg_advisory_lock(1)`;
    reserved.release();
    expect(await holders()).toHaveLength(1);
  });

  it('of postgres.js cannot carry drizzle', async () => {
    const reserved = await postgresPool().reserve();
    try {
      expect(() => drizzleOverPostgres(reserved)).toThrow(TypeError);
    } finally {
      reserved.release();
    }
  });

  it('of a pg pool can, and then stays one session', async () => {
    const client = await pgPool().connect();
    const db = drizzleOverPg({ client });
    await db.execute(drizzleSql`SELECT pg_advisory_lock(1)`);
    const { rows } = await db.execute(drizzleSql`SELECT pg_advisory_unlock(1) AS released`);
    client.release();
    expect(rows).toEqual([{ released: true }]);
  });
});

claimsOfLeaks(sessions);
claimsOfMismatches(sessions);
claimsOfTryAnswers(sessions);
claimsOfSessionLocksInTransactions(sessions);
claimsOfTransactionLocks(sessions);
claimsOfKeys(sessions);
claimsOfRows(sessions);
claimsOfSending(sessions);
claimsOfOperations(sessions);
