import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import postgres from 'postgres';
import { afterEach, beforeAll } from 'vitest';
import type { TestDatabase } from './database.js';
import { useServer } from './use-server.js';

/** Connections to one database, and what the server knows about them. */
export interface Sessions {
  database(): TestDatabase;
  connect(): Promise<pg.Client>;
  pgPool(options?: pg.PoolConfig): pg.Pool;
  postgresPool(options?: postgres.Options<Record<string, never>>): postgres.Sql;
  /** The processes that hold a lock, one entry for each lock. */
  holders(): Promise<number[]>;
  /** Whether somebody who holds nothing could have the lock now. Takes nothing that outlives the question. */
  isFree(key: number | string): Promise<boolean>;
  untilNoneHeld(): Promise<void>;
  /** Until as many sessions as this wait for an advisory lock. */
  untilWaiting(count?: number): Promise<void>;
}

/** One server and one database for a file of tests; after each test its connections are closed, and no lock is left. */
export function useSessions(): Sessions {
  const server = useServer();
  let database: TestDatabase | undefined;
  let closing: (() => Promise<unknown>)[] = [];

  const current = () => {
    if (!database) throw new Error('There is no database before the tests.');
    return database;
  };
  const holders = async () => (await current().held()).map(({ pid }) => pid);
  // Closing a connection is no round trip: the server frees its locks when it notices.
  const untilNoneHeld = async () => {
    while ((await holders()).length > 0) await sleep(10);
  };

  beforeAll(async () => {
    database = await server.createDatabase();
  });
  afterEach(async () => {
    await Promise.all(closing.map(close => close()));
    closing = [];
    await untilNoneHeld();
  });

  return {
    database: current,
    holders,
    untilNoneHeld,
    connect: async () => {
      const client = new pg.Client({ connectionString: current().url });
      await client.connect();
      closing.push(() => client.end());
      return client;
    },
    pgPool: (options = {}) => {
      const pool = new pg.Pool({ connectionString: current().url, max: 4, ...options });
      closing.push(() => pool.end());
      return pool;
    },
    postgresPool: (options = {}) => {
      const sql = postgres(current().url, { max: 4, onnotice: () => {}, ...options });
      closing.push(() => sql.end({ timeout: 5 }));
      return sql;
    },
    // Outside a transaction such a lock is gone when the statement is.
    isFree: async key => {
      const { rows } = await current().query(`SELECT pg_try_advisory_xact_lock(${key}) AS free`);
      return (rows as { free: boolean }[])[0]?.free === true;
    },
    untilWaiting: async (count = 1) => {
      for (;;) {
        const { rows } = await current().query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
        if (rows.length >= count) return;
        await sleep(5);
      }
    },
  };
}

/** What one expression gives: `answer(client, 'pg_advisory_unlock(1)')`. */
export async function answer(client: pg.ClientBase | pg.Pool, expression: string): Promise<unknown> {
  const { rows } = await client.query<{ answer: unknown }>(`SELECT ${expression} AS answer`);
  return rows[0]?.answer;
}

/** The warnings that the server sends to this client, from now on. */
export function warningsOf(client: pg.ClientBase): string[] {
  const warnings: string[] = [];
  client.on('notice', ({ severity, message }) => warnings.push(`${severity}: ${message}`));
  return warnings;
}
