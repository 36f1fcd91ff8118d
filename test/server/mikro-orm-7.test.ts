/** What the record of MikroORM says of version 7, asked of a server: which connection the handles of Kysely that it gives work on. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, expect, it } from 'vitest';
import { inProject } from '../support/paths.js';
import { copyInto } from '../versions/layout.js';
import { sets } from '../versions/sets.js';
import { useSessions } from './sessions.js';

/** As far as it is used here: its own declarations are those of another version than the one that is installed by its name. */
interface Kysely { executeQuery(query: unknown): Promise<{ rows: unknown[] }> }
interface EntityManager {
  fork(options?: { keepTransactionContext?: boolean }): EntityManager;
  begin(): Promise<void>;
  rollback(): Promise<void>;
  transactional(work: (em: EntityManager) => Promise<void>): Promise<void>;
  getConnection(): { getClient(): Kysely };
  getKysely(): Kysely;
}
interface MikroOrm7 {
  MikroORM: { init(options: object): Promise<{ em: EntityManager; close(force: boolean): Promise<void> }> };
  EntitySchema: new (options: object) => object;
}

const { database, isFree, untilNoneHeld } = useSessions();

// Beside what it shares with the packages of the project, so that these are found further up.
const folder = inProject(`node_modules/.cache/mikro-orm-7-${String(process.pid)}`);
const modules = join(folder, 'node_modules');
copyInto(modules, sets.find(({ name }) => name === 'mikro-orm-7')!.packages, () => true);
const load = async <T>(path: string): Promise<T> => await import(pathToFileURL(join(modules, path)).href) as T;
const { MikroORM, EntitySchema } = await load<MikroOrm7>('@mikro-orm/postgresql/index.js');
const { CompiledQuery } = await load<{ CompiledQuery: { raw(text: string): unknown } }>('kysely/dist/index.js');

const opened: { close(force: boolean): Promise<void> }[] = [];

/** The root, which finds the EntityManager of the asynchronous context around it. */
async function connectRoot(): Promise<EntityManager> {
  const Entry = new EntitySchema({ name: 'Entry', properties: { id: { type: 'number', primary: true } } });
  const orm = await MikroORM.init({ allowGlobalContext: true, clientUrl: database().url, entities: [Entry], pool: { min: 0, max: 8 } });
  opened.push(orm);
  return orm.em;
}

const lock = (on: Kysely, key: number) => on.executeQuery(CompiledQuery.raw(`select pg_advisory_xact_lock(${String(key)})`));

afterEach(async () => {
  await Promise.all(opened.splice(0).map(orm => orm.close(true)));
  await untilNoneHeld();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('gives each call of the root a connection of its own', async () => {
  const em = await connectRoot();
  for (const handle of [em.getKysely(), em.fork().getKysely(), em.getConnection().getClient()]) {
    const results = await Promise.all([1, 2].map(() => handle.executeQuery(CompiledQuery.raw('select pg_backend_pid() as pid from pg_sleep(0.2)'))));
    expect(new Set(results.map(({ rows: [row] }) => (row as { pid: number }).pid)).size).toBe(2);
  }
});

it('is in the transaction of its EntityManager and in the one around it, but neither that of a fork nor that of the connection is', async () => {
  const em = await connectRoot();
  const before = em.getKysely();
  await em.transactional(async inner => {
    await lock(inner.getKysely(), 1);
    await lock(em.getKysely(), 2);
    await lock(inner.fork({ keepTransactionContext: true }).getKysely(), 3);
    await lock(inner.fork().getKysely(), 4);
    await lock(inner.getConnection().getClient(), 5);
    await lock(before, 6);
    expect(await Promise.all([1, 2, 3, 4, 5, 6].map(isFree))).toEqual([false, false, false, true, true, true]);
  });
  expect(await isFree(1)).toBe(true);
});

it('is in a transaction that is begun on its EntityManager', async () => {
  const em = (await connectRoot()).fork();
  await em.begin();
  await lock(em.getKysely(), 1);
  expect(await isFree(1)).toBe(false);
  await em.rollback();
  expect(await isFree(1)).toBe(true);
});
