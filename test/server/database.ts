import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { urlOf, type RunningServer } from './postgres-server.js';
import { lockEvents, type LockEvent } from './server-log.js';

export interface HeldLock {
  readonly pid: number;
  /** As `pg_locks` shows it: the two halves of a bigint key, or two int keys (`objsubid` 2). */
  readonly key: string;
  readonly mode: string;
}

/** A database of its own for one test. Advisory locks belong to a database, so tests cannot get at each other's. */
export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  /** Every lock and unlock so far, as the server's log tells it. */
  events(): LockEvent[];
  held(): Promise<HeldLock[]>;
  /** What is held for good: a connection that was closed just now ends on the server a moment later. */
  heldAtRest(): Promise<HeldLock[]>;
  query(sql: string): Promise<pg.QueryResult>;
  close(): Promise<void>;
}

const template = 'shop';
let made = 0;

/** What the fixtures read and write. Filled once; each database is a copy. */
const schema = `
  CREATE TABLE orders (id int PRIMARY KEY, customer text NOT NULL, total numeric NOT NULL, billed boolean NOT NULL DEFAULT false);
  INSERT INTO orders SELECT n, 'customer ' || n % 50, n % 90, false FROM generate_series(1, 2000) AS n;`;

export async function createTestDatabase(server: RunningServer): Promise<TestDatabase> {
  await ensureTemplate(server);
  const name = `test_${process.pid}_${++made}`;
  await runIn(server, 'postgres', `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const observer = new pg.Client({ connectionString: urlOf(server, name), application_name: 'observer' });
  await observer.connect();
  return {
    url: urlOf(server, name),
    name,
    events: () => lockEvents(readFileSync(server.logFile, 'utf8'), name),
    held: () => heldLocks(observer),
    heldAtRest: () => heldAtRest(observer),
    query: sql => observer.query(sql),
    close: () => observer.end(),
  };
}

async function heldLocks(observer: pg.Client): Promise<HeldLock[]> {
  const { rows } = await observer.query<HeldLock>(`
    SELECT pid, format('%s/%s/%s', classid, objid, objsubid) AS key, mode FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ORDER BY pid, key, mode`);
  return rows;
}

async function heldAtRest(observer: pg.Client, looks = 40): Promise<HeldLock[]> {
  const held = await heldLocks(observer);
  if (held.length === 0 || looks === 1) return held;
  await sleep(25);
  return heldAtRest(observer, looks - 1);
}

const templates = new WeakMap<RunningServer, Promise<void>>();

function ensureTemplate(server: RunningServer): Promise<void> {
  let ready = templates.get(server);
  if (!ready) {
    ready = runIn(server, 'postgres', `CREATE DATABASE ${template}`).then(() => runIn(server, template, schema));
    templates.set(server, ready);
  }
  return ready;
}

async function runIn(server: RunningServer, database: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(server, database) });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
