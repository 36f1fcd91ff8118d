/** What the record of Sequelize says, asked of a server through its own pool. */
import { AsyncLocalStorage } from 'node:async_hooks';
import sequelizeModule from 'sequelize';
import { afterEach, describe, expect, it } from 'vitest';
import { useSessions } from './sessions.js';

const { QueryTypes, Sequelize } = sequelizeModule;
const { database, holders, isFree, untilNoneHeld } = useSessions();
const opened: sequelizeModule.Sequelize[] = [];

function connect(max = 4): sequelizeModule.Sequelize {
  const orm = new Sequelize(database().url, { dialect: 'postgres', logging: false, pool: { max } });
  opened.push(orm);
  return orm;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map(orm => orm.close()));
  await untilNoneHeld();
});

const PID = 'SELECT pg_backend_pid() AS pid FROM pg_sleep(0.2)';
const SELECT = { type: QueryTypes.SELECT } as const;

it('gives each call a connection of its own, and calls that are given a transaction that of the transaction', async () => {
  const orm = connect();
  const pids = await Promise.all([1, 2].map(() => orm.query<{ pid: number }>(PID, SELECT)));
  expect(new Set(pids.map(([row]) => row?.pid)).size).toBe(2);
  await orm.transaction(async transaction => {
    const inside = await Promise.all([1, 2].map(() => orm.query<{ pid: number }>(PID, { ...SELECT, transaction })));
    expect(new Set(inside.map(([row]) => row?.pid)).size).toBe(1);
  });
});

it('gives rows and metadata, the rows of a SELECT, or one row', async () => {
  const orm = connect();
  const sql = 'SELECT true AS locked';
  const [rows, ...more] = await orm.query(sql);
  expect([rows, more.length]).toEqual([[{ locked: true }], 1]);
  expect(await orm.query(sql, SELECT)).toEqual([{ locked: true }]);
  expect(await orm.query(sql, { nest: true })).toEqual([{ locked: true }]);
  expect(await orm.query(sql, { ...SELECT, plain: true })).toEqual({ locked: true });
  expect(await orm.query(sql, { plain: true })).toEqual({ locked: true });
});

describe('a transaction', () => {
  it('holds a lock that is sent with it, and none that is not', async () => {
    const orm = connect();
    await orm.transaction(async transaction => {
      await orm.query('SELECT pg_advisory_xact_lock(1)', { transaction });
      await orm.query('SELECT pg_advisory_xact_lock(2)');
      expect([await isFree(1), await isFree(2)]).toEqual([false, true]);
    });
    expect(await isFree(1)).toBe(true);
  });

  it('that nobody manages does the same until it is committed', async () => {
    const orm = connect();
    const transaction = await orm.transaction();
    await orm.query('SELECT pg_advisory_xact_lock(:key)', { replacements: { key: 1 }, transaction });
    expect(await isFree(1)).toBe(false);
    await transaction.commit();
    expect(await isFree(1)).toBe(true);
  });

  it('is joined by all calls around which it is under way, once there is a namespace', async () => {
    const store = new AsyncLocalStorage<Map<string, unknown>>();
    const namespace = {
      run: (work: (context: unknown) => unknown) => store.run(new Map(), () => work(store.getStore())),
      bind: <F extends (...args: never[]) => unknown>(work: F) => AsyncLocalStorage.bind(work),
      get: (key: string) => store.getStore()?.get(key),
      set: (key: string, value: unknown) => store.getStore()?.set(key, value),
    };
    Sequelize.useCLS(namespace);
    try {
      const orm = connect();
      await orm.transaction(async () => {
        await orm.query('SELECT pg_advisory_xact_lock(1)');
        await orm.query('SELECT pg_advisory_xact_lock(2)', { transaction: null });
        expect([await isFree(1), await isFree(2)]).toEqual([false, true]);
      });
    } finally {
      delete (Sequelize as unknown as { _cls?: unknown })._cls;
    }
  });
});

it('keeps a client of pg that its connection manager gives out, and takes it back with its locks', async () => {
  const orm = connect();
  const client = await orm.connectionManager.getConnection({ type: 'write' });
  await (client as { query(text: string): Promise<unknown> }).query('SELECT pg_advisory_lock(1)');
  orm.connectionManager.releaseConnection(client);
  expect(await holders()).toHaveLength(1);
});

it('sends a statement that nothing waits for', async () => {
  const orm = connect(1);
  const sent = orm.query('SELECT pg_advisory_lock(1)');
  await orm.query('SELECT 1');
  expect(await holders()).toHaveLength(1);
  await sent;
});

describe('Sequelize 7', () => {
  const made: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(made.splice(0).map(orm => orm.close()));
  });

  async function connect7() {
    const { Sequelize: Sequelize7 } = await import('@sequelize/core');
    const { PostgresDialect } = await import('@sequelize/postgres');
    const orm = new Sequelize7({ dialect: PostgresDialect, url: database().url, logging: false, pool: { max: 4 } });
    made.push(orm);
    return orm;
  }

  it('joins the transaction of the callback around a call, without an option', async () => {
    const orm = await connect7();
    await orm.transaction(async () => {
      await orm.query('SELECT pg_advisory_xact_lock(1)');
      expect(await isFree(1)).toBe(false);
    });
    const transaction = await orm.startUnmanagedTransaction();
    await orm.query('SELECT pg_advisory_xact_lock(1)', { transaction });
    await orm.query('SELECT pg_advisory_xact_lock(2)');
    expect([await isFree(1), await isFree(2)]).toEqual([false, true]);
    await transaction.commit();
  });

  it('lends a connection, and takes it back with its locks', async () => {
    const orm = await connect7();
    await orm.withConnection(async connection => {
      await orm.query('SELECT pg_advisory_lock(1)', { connection });
      expect(await orm.query('SELECT pg_backend_pid() AS pid', { type: QueryTypes.SELECT, connection })).toEqual([{ pid: (await holders())[0] }]);
    });
    expect(await holders()).toHaveLength(1);
  });
});
