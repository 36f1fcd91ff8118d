/** What the record of Kysely says, asked of a server through the library. */
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { useSessions } from './sessions.js';

const { database, holders, isFree, untilNoneHeld } = useSessions();
type Db = Kysely<object>;
const instances: Db[] = [];

function connect(max = 4): Db {
  const db = new Kysely<object>({ dialect: new PostgresDialect({ pool: new Pool({ connectionString: database().url, max }) }) });
  instances.push(db);
  return db;
}

afterEach(async () => {
  await Promise.all(instances.splice(0).map(db => db.destroy()));
  await untilNoneHeld();
});

const pidOf = async (db: Db): Promise<number | undefined> => (await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid FROM pg_sleep(0.2)`.execute(db)).rows[0]?.pid;

it('gives each call a connection of its own, also through what is derived from it', async () => {
  const db = connect();
  for (const one of [db, db.withSchema('public'), db.withoutPlugins()]) expect(new Set(await Promise.all([pidOf(one), pidOf(one)])).size).toBe(2);
});

describe('connection()', () => {
  it('lends one connection to its callback, and keeps its locks when it is given back', async () => {
    const db = connect();
    await db.connection().execute(async conn => {
      expect(new Set(await Promise.all([pidOf(conn), pidOf(conn)])).size).toBe(1);
      await sql`SELECT pg_advisory_lock(1)`.execute(conn);
      expect(await pidOf(conn)).toBe((await holders())[0]);
      // The root is on another one.
      expect(await pidOf(db)).not.toBe((await holders())[0]);
      await conn.transaction().execute(async trx => expect(await pidOf(trx)).toBe((await holders())[0]));
    });
    expect(await holders()).toHaveLength(1);
  });
});

describe('a transaction', () => {
  it('keeps the lock until its callback is done, or the caller commits', async () => {
    const db = connect();
    await db.transaction().execute(async trx => {
      await sql`SELECT pg_advisory_xact_lock(1)`.execute(trx);
      expect(await isFree(1)).toBe(false);
    });
    expect(await isFree(1)).toBe(true);
    const trx = await db.startTransaction().execute();
    await trx.selectNoFrom(sql`pg_advisory_xact_lock(1)`.as('locked')).execute();
    expect(await isFree(1)).toBe(false);
    await trx.commit().execute();
    expect(await isFree(1)).toBe(true);
  });

  it('is not joined by the root inside its callback', async () => {
    const db = connect();
    await db.transaction().execute(async trx => {
      await sql`SELECT pg_advisory_xact_lock(1)`.execute(db);
      await sql`SELECT 1`.execute(trx);
      expect(await isFree(1)).toBe(true);
    });
  });
});

it('gives rows in the result for SQL of its own, an array of rows for a builder, and one for `executeTakeFirst`', async () => {
  const db = connect(1);
  const taken = { taken: true };
  expect((await sql`SELECT pg_try_advisory_lock(${1}) AS taken`.execute(db)).rows).toEqual([taken]);
  expect((await db.executeQuery(CompiledQuery.raw('SELECT pg_try_advisory_lock($1) AS taken', [1]))).rows).toEqual([taken]);
  const query = db.selectNoFrom(({ fn, val }) => fn<boolean>('pg_try_advisory_lock', [val(1)]).as('taken'));
  expect(await query.execute()).toEqual([taken]);
  expect(await query.executeTakeFirst()).toEqual(taken);
  expect(await query.executeTakeFirstOrThrow()).toEqual(taken);
});

it('sends a statement when it is executed, waited for or not', async () => {
  const db = connect(1);
  const never = [sql`SELECT pg_advisory_lock(1)`, db.selectNoFrom(sql`pg_advisory_lock(1)`.as('locked'))];
  await sql`SELECT 1`.execute(db);
  expect([never.length, await holders()]).toEqual([2, []]);
  const sent = sql`SELECT pg_advisory_lock(1)`.execute(db);
  await sql`SELECT 1`.execute(db);
  expect(await holders()).toHaveLength(1);
  await sent;
});
