/** What the record of pg-promise says, asked of a server through it. */
import pgPromise, { type IDatabase } from 'pg-promise';
import { afterEach, describe, expect, it } from 'vitest';
import { useSessions } from './sessions.js';

const { database, holders, isFree, untilNoneHeld } = useSessions();
const pgp = pgPromise({ noWarnings: true });
const made: IDatabase<object>[] = [];

function connect(max = 4): IDatabase<object> {
  const db = pgp({ connectionString: database().url, max });
  made.push(db);
  return db;
}

afterEach(async () => {
  await Promise.all(made.splice(0).map(db => db.$pool.end()));
  await untilNoneHeld();
});

const PID = 'SELECT pg_backend_pid() AS pid';
const SLOW_PID = `${PID} FROM pg_sleep(0.2)`;

it('gives each call a connection of its own, and sends it at once', async () => {
  const db = connect();
  const pids = await Promise.all([1, 2].map(() => db.one<{ pid: number }>(SLOW_PID)));
  expect(new Set(pids.map(({ pid }) => pid)).size).toBe(2);
});

it('keeps one connection for a task and all within it, which has its locks afterwards', async () => {
  const db = connect();
  await db.task(async t => {
    await t.any('SELECT pg_advisory_lock($1)', 1);
    const pid = await t.one<object>(PID);
    expect(await t.task(inner => inner.one(PID))).toEqual(pid);
    expect(await t.tx(inner => inner.one(PID))).toEqual(pid);
    const [elsewhere] = await Promise.all([db.one<object>(SLOW_PID), t.one<object>(SLOW_PID)]);
    expect(elsewhere).not.toEqual(pid);
  });
  expect(await holders()).toHaveLength(1);
});

describe('a transaction', () => {
  it('is what tx() opens, a task inside of it is a part of, and a task alone is not', async () => {
    const db = connect();
    await db.tx(async t => {
      await t.task(inner => inner.any('SELECT pg_advisory_xact_lock(1)'));
      expect(await isFree(1)).toBe(false);
    });
    expect(await isFree(1)).toBe(true);
    await db.task(async t => {
      await t.any('SELECT pg_advisory_xact_lock(1)');
      expect(await isFree(1)).toBe(true);
    });
  });
});

describe('connect()', () => {
  it('gives the connection back with its locks, unless it is killed or direct', async () => {
    const db = connect();
    const killed = await db.connect();
    await killed.any('SELECT pg_advisory_lock(2)');
    await killed.done(true);
    const direct = await db.connect({ direct: true });
    await direct.any('SELECT pg_advisory_lock(3)');
    await direct.done();
    await untilNoneHeld();
    const connection = await db.connect();
    await connection.any('SELECT pg_advisory_lock(1)');
    await connection.done();
    expect(await holders()).toHaveLength(1);
  });
});

it('rejects a row in none() after the lock is taken, and looks at the last of several statements', async () => {
  const db = connect(1);
  await expect(db.none('SELECT pg_advisory_lock(1)')).rejects.toThrow('No return data was expected.');
  expect(await holders()).toHaveLength(1);
  await expect(db.none('SELECT pg_advisory_unlock(1)')).rejects.toThrow('No return data was expected.');
  expect(await holders()).toHaveLength(0);
  expect(await db.none('SELECT pg_advisory_lock(1); SELECT 1 WHERE false')).toBeNull();
  expect(await db.one('SELECT pg_advisory_unlock($(key))', { key: 1 }, (row: { pg_advisory_unlock: boolean }) => row.pg_advisory_unlock)).toBe(true);
});

it('gives a row, rows, an object of rows, or the rows of a function', async () => {
  const db = connect(1);
  const row = { pg_try_advisory_lock: true };
  expect(await db.one('SELECT pg_try_advisory_lock($1)', 1)).toEqual(row);
  expect(await db.oneOrNone('SELECT pg_try_advisory_lock($1)', [1])).toEqual(row);
  expect(await db.any('SELECT pg_try_advisory_lock($/key/)', { key: 1 })).toEqual([row]);
  expect(await db.query('SELECT pg_try_advisory_lock(1)')).toEqual([row]);
  expect((await db.result('SELECT pg_try_advisory_lock(1)')).rows).toEqual([row]);
  expect(await db.func('pg_try_advisory_lock', [1])).toEqual([row]);
  expect(await db.any(new pgp.ParameterizedQuery({ text: 'SELECT pg_try_advisory_lock($1)', values: [1] }))).toEqual([row]);
});
