/** What the record of TypeORM says, asked of a server through its own DataSource. */
import 'reflect-metadata';
import { DataSource, type EntityManager } from 'typeorm';
import { afterEach, describe, expect, it } from 'vitest';
import { useSessions } from './sessions.js';

const { database, holders, isFree, untilNoneHeld } = useSessions();
const sources: DataSource[] = [];

async function connect(poolSize = 4): Promise<DataSource> {
  const source = new DataSource({ type: 'postgres', url: database().url, poolSize });
  sources.push(source);
  return source.initialize();
}

afterEach(async () => {
  await Promise.all(sources.splice(0).map(source => source.destroy()));
  await untilNoneHeld();
});

type Queries = Pick<EntityManager, 'query'>;
const pidOf = async (handle: Queries, wait = 0) => (await handle.query<{ pid: number }[]>(`SELECT pg_backend_pid() AS pid FROM pg_sleep(${wait})`))[0]?.pid;

it('gives each call of a DataSource, its EntityManager and its statements by tag a connection of its own', async () => {
  const source = await connect();
  for (const handle of [source, source.manager]) expect(new Set(await Promise.all([pidOf(handle, 0.2), pidOf(handle, 0.2)])).size).toBe(2);
  const tagged = await Promise.all([1, 2].map(() => source.sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid FROM pg_sleep(0.2)`));
  expect(new Set(tagged.map(([row]) => row?.pid)).size).toBe(2);
});

it('keeps one connection for a QueryRunner, its EntityManager, and calls that are given it; release keeps the locks', async () => {
  const source = await connect();
  const runner = source.createQueryRunner();
  const pid = await pidOf(runner);
  expect(await pidOf(runner.manager)).toBe(pid);
  expect(await source.query('SELECT pg_backend_pid() AS pid', [], runner)).toEqual([{ pid }]);
  expect(await runner.manager.transaction(manager => pidOf(manager))).toBe(pid);
  await runner.query('SELECT pg_advisory_lock(1)');
  await runner.release();
  expect(await holders()).toEqual([pid]);
});

it('gives an array of rows, or what says so', async () => {
  const source = await connect();
  const runner = source.createQueryRunner();
  expect(await runner.query('SELECT pg_try_advisory_lock(1) AS locked')).toEqual([{ locked: true }]);
  expect(await runner.query('SELECT pg_advisory_unlock(1) AS freed', [], true)).toMatchObject({ records: [{ freed: true }], raw: [{ freed: true }] });
  await runner.release();
});

describe('a transaction', () => {
  it('keeps the lock, is what its EntityManager and runner work in, and is not joined by the DataSource', async () => {
    const source = await connect();
    await source.transaction(async manager => {
      await manager.query('SELECT pg_advisory_xact_lock(1)');
      await source.query('SELECT pg_advisory_xact_lock(2)');
      expect(await isFree(1)).toBe(false);
      expect(await isFree(2)).toBe(true);
      expect(await pidOf(manager.queryRunner!)).toBe(await pidOf(manager));
    });
    expect(await isFree(1)).toBe(true);
  });

  it('is begun and ended by methods of a runner, which tells whether there is one', async () => {
    const source = await connect();
    const runner = source.createQueryRunner();
    await runner.startTransaction();
    await runner.query('SELECT pg_advisory_xact_lock(1)');
    expect(runner.isTransactionActive).toBe(true);
    expect(await isFree(1)).toBe(false);
    await runner.rollbackTransaction();
    expect(runner.isTransactionActive).toBe(false);
    expect(await isFree(1)).toBe(true);
    await runner.release();
  });
});

it('sends a statement that nothing waits for', async () => {
  const source = await connect(1);
  const sent = source.query('SELECT pg_advisory_lock(1)');
  await source.query('SELECT 1');
  expect(await holders()).toHaveLength(1);
  await sent;
});
