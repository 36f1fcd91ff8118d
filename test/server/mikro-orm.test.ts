/** What the record of MikroORM says, asked of a server through its own pool. */
import { EntitySchema, MikroORM, type SqlEntityManager } from '@mikro-orm/postgresql';
import { afterEach, describe, expect, it } from 'vitest';
import { useSessions } from './sessions.js';

const { database, holders, isFree, untilNoneHeld } = useSessions();
const opened: Pick<MikroORM, 'close'>[] = [];
const Entry = new EntitySchema<{ id: number }>({ name: 'Entry', properties: { id: { type: 'number', primary: true } } });

/** The root, which finds the EntityManager of the asynchronous context around it. */
async function connectRoot(max = 4): Promise<SqlEntityManager> {
  const orm = await MikroORM.init({ allowGlobalContext: true, clientUrl: database().url, entities: [Entry], pool: { min: 0, max } });
  opened.push(orm);
  return orm.em;
}

const connect = async (max?: number) => (await connectRoot(max)).fork();

afterEach(async () => {
  await Promise.all(opened.splice(0).map(orm => orm.close(true)));
  await untilNoneHeld();
});

type Pids = { pid: number }[];

it('gives each call a connection of its own', async () => {
  const em = await connect();
  for (const handle of [em, em.getConnection()]) {
    const pids = await Promise.all([1, 2].map(() => handle.execute<Pids>('select pg_backend_pid() as pid from pg_sleep(0.2)')));
    expect(new Set(pids.map(([row]) => row?.pid)).size).toBe(2);
  }
});

it('gives the rows, one row, or an object with the rows', async () => {
  const em = await connect();
  const sql = 'select ?::boolean as locked';
  expect(await em.execute(sql, [true])).toEqual([{ locked: true }]);
  expect(await em.execute(sql, [true], 'get')).toEqual({ locked: true });
  expect(await em.execute(sql, [true], 'run')).toMatchObject({ affectedRows: 1, rows: [{ locked: true }] });
});

describe('a transaction', () => {
  it('is what its EntityManager works in, and the one around it, but neither a fork nor the connection without a context', async () => {
    const em = await connectRoot(8);
    const beside = em.fork();
    await em.transactional(async inner => {
      await inner.execute('select pg_advisory_xact_lock(1)');
      await em.execute('select pg_advisory_xact_lock(2)');
      await inner.getConnection().execute('select pg_advisory_xact_lock(3)', [], 'all', inner.getTransactionContext());
      await inner.getConnection().execute('select pg_advisory_xact_lock(4)');
      await beside.execute('select pg_advisory_xact_lock(5)');
      await inner.getKnex().raw('select pg_advisory_xact_lock(6)');
      await inner.fork({ keepTransactionContext: true }).execute('select pg_advisory_xact_lock(7)');
      expect(await Promise.all([1, 2, 3, 4, 5, 6, 7].map(isFree))).toEqual([false, false, false, true, true, true, false]);
    });
    expect(await isFree(1)).toBe(true);
  });

  it('is begun and ended by methods, on a fork of its own', async () => {
    const em = await connect();
    await em.begin();
    await em.execute('select pg_advisory_xact_lock(1)');
    expect([em.isInTransaction(), await isFree(1)]).toEqual([true, false]);
    await em.rollback();
    expect([em.isInTransaction(), await isFree(1)]).toEqual([false, true]);
  });
});

it('sends a statement that nothing waits for', async () => {
  const em = await connect(1);
  const sent = em.execute('select pg_advisory_lock(1)');
  await em.execute('select 1');
  expect(await holders()).toHaveLength(1);
  await sent;
});
