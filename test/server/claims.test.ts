/** What the documentation of the rules says PostgreSQL and its drivers do, each asked of a real server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql as drizzleSql } from 'drizzle-orm';
import { drizzle as drizzleOverPg } from 'drizzle-orm/node-postgres';
import { drizzle as drizzleOverPostgres } from 'drizzle-orm/postgres-js';
import pg from 'pg';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from './database.js';
import { useServer } from './use-server.js';

const server = useServer();
let database: TestDatabase;
let closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  database = await server.createDatabase();
});

afterEach(async () => {
  await Promise.all(closing.map(close => close()));
  closing = [];
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  closing.push(() => client.end());
  return client;
}

function pgPool(options: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString: database.url, max: 4, ...options });
  closing.push(() => pool.end());
  return pool;
}

function postgresPool(options: postgres.Options<Record<string, never>> = {}): postgres.Sql {
  const sql = postgres(database.url, { max: 4, onnotice: () => {}, ...options });
  closing.push(() => sql.end({ timeout: 5 }));
  return sql;
}

async function answer(client: pg.Client | pg.Pool, expression: string): Promise<unknown> {
  const { rows } = await client.query<{ answer: unknown }>(`SELECT ${expression} AS answer`);
  return rows[0]?.answer;
}

async function holders(): Promise<number[]> {
  return (await database.held()).map(({ pid }) => pid);
}

/** Closing a connection is no round trip: the server frees its locks when it notices. */
async function untilNoneHeld(): Promise<void> {
  while ((await database.held()).length > 0) await sleep(10);
}

describe('a session-level lock belongs to its session', () => {
  it('another session may not release it: the answer is false, with a warning and no error', async () => {
    const [holder, other] = [await connect(), await connect()];
    const notices: (string | undefined)[] = [];
    other.on('notice', notice => notices.push(`${notice.severity}: ${notice.message}`));
    await holder.query('SELECT pg_advisory_lock(1)');
    expect(await answer(other, 'pg_advisory_unlock(1)')).toBe(false);
    expect(notices).toEqual(["WARNING: you don't own a lock of type ExclusiveLock"]);
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

  it('is false for a lock of the other mode, and for one key where two were locked', async () => {
    const client = await connect();
    await client.query('SELECT pg_advisory_lock_shared(1), pg_advisory_lock(0, 2)');
    expect(await answer(client, 'pg_advisory_unlock(1)')).toBe(false);
    expect(await answer(client, 'pg_advisory_unlock(2)')).toBe(false);
    expect(await holders()).toHaveLength(2);
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

describe('a statement that nobody awaits', () => {
  /** A later answer on the same single connection proves that the earlier statement had its chance. */
  it('never runs in postgres.js', async () => {
    const sql = postgresPool({ max: 1 });
    void sql`SELECT pg_advisory_lock(1)`;
    await sql`SELECT 1`;
    expect(await holders()).toEqual([]);
    await sql`SELECT pg_advisory_lock(1)`;
    expect(await holders()).toHaveLength(1);
  });

  it('never runs in drizzle, over either driver', async () => {
    const pool = pgPool({ max: 1 });
    const dbs = [drizzleOverPg({ client: pool }), drizzleOverPostgres({ client: postgresPool({ max: 1 }) })] as const;
    for (const db of dbs) {
      void db.execute(drizzleSql`SELECT pg_advisory_lock(1)`);
      await db.execute(drizzleSql`SELECT 1`);
      expect(await holders()).toEqual([]);
    }
  });

  it('does run in pg', async () => {
    const client = await connect();
    void client.query('SELECT pg_advisory_lock(1)');
    await client.query('SELECT 1');
    expect(await holders()).toHaveLength(1);
  });
});

describe('a transaction', () => {
  it('of its own for each statement: a transaction-level lock is gone when the statement is', async () => {
    const client = await connect();
    await client.query('SELECT pg_advisory_xact_lock(1)');
    expect(await holders()).toEqual([]);
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock(1)');
    expect(await holders()).toHaveLength(1);
    await client.query('COMMIT');
    expect(await holders()).toEqual([]);
  });

  it('that rolls back keeps a session-level lock', async () => {
    const client = await connect();
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_lock(1)');
    await client.query('ROLLBACK');
    expect(await holders()).toHaveLength(1);
  });
});
