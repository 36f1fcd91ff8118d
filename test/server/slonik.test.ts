/** What the record of slonik says, asked of a server through it. */
import { createPool, sql, type DatabasePool } from 'slonik';
import { afterEach, expect, it } from 'vitest';
import { useSessions } from './sessions.js';

const { database, holders, isFree, untilNoneHeld } = useSessions();
const made: DatabasePool[] = [];

async function connect(): Promise<DatabasePool> {
  const pool = await createPool(database().url, { maximumPoolSize: 4 });
  made.push(pool);
  return pool;
}

afterEach(async () => {
  await Promise.all(made.splice(0).map(pool => pool.end()));
  await untilNoneHeld();
});

const pid = sql.unsafe`SELECT pg_backend_pid() AS pid`;
const slowPid = sql.unsafe`SELECT pg_backend_pid() AS pid FROM pg_sleep(0.2)`;

it('gives each call a connection of its own, and resets it when it goes back', async () => {
  const pool = await connect();
  const pids: unknown[] = await Promise.all([1, 2].map(() => pool.oneFirst(slowPid)));
  expect(new Set(pids).size).toBe(2);
  await pool.query(sql.unsafe`SELECT pg_advisory_lock(1)`);
  await untilNoneHeld();
  expect(await pool.oneFirst(sql.unsafe`SELECT pg_advisory_unlock(1)`)).toBe(false);
});

it('lends one connection to the callback of connect(), with the transactions on it, and resets it afterwards', async () => {
  const pool = await connect();
  await pool.connect(async connection => {
    await connection.query(sql.unsafe`SELECT pg_advisory_lock(1)`);
    const other = pool.oneFirst(slowPid);
    const own: unknown = await connection.oneFirst(slowPid);
    expect(await other).not.toBe(own);
    expect(await connection.transaction(transaction => transaction.oneFirst(pid))).toBe(own);
    expect(await connection.oneFirst(sql.unsafe`SELECT pg_try_advisory_lock(1)`)).toBe(true);
    expect(await holders()).toHaveLength(1);
  });
  await untilNoneHeld();
});

it('holds a transaction-level lock until the callback of transaction() has ended', async () => {
  const pool = await connect();
  await pool.transaction(async transaction => {
    await transaction.any(sql.unsafe`SELECT pg_advisory_xact_lock(1)`);
    expect(await isFree(1)).toBe(false);
    const own: unknown = await transaction.oneFirst(pid);
    expect(await transaction.transaction(inner => inner.oneFirst(pid))).toBe(own);
  });
  expect(await isFree(1)).toBe(true);
});

it('gives a row, its value, rows, an object of rows, or whether there is a row', async () => {
  const pool = await connect();
  await pool.connect(async connection => {
    const statement = sql.unsafe`SELECT pg_advisory_unlock(1) AS freed`;
    expect(await connection.one(statement)).toEqual({ freed: false });
    expect(await connection.maybeOne(statement)).toEqual({ freed: false });
    expect(await connection.oneFirst(statement)).toBe(false);
    expect(await connection.maybeOneFirst(statement)).toBe(false);
    expect(await connection.any(statement)).toEqual([{ freed: false }]);
    expect(await connection.anyFirst(statement)).toEqual([false]);
    expect((await connection.query(statement)).rows).toEqual([{ freed: false }]);
    expect(await connection.exists(statement)).toBe(true);
  });
});
