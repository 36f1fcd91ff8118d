import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { TestDatabase } from '../server/database.js';
import { loadSources } from '../server/run-source.js';
import { useServer } from '../server/use-server.js';
import { inProject } from '../support/paths.js';

/** What the suggestions make of two fixtures, run on a server where an unlock fails, and where a try-lock is lost. */
const server = useServer();

interface Program {
  readonly pool: pg.Pool;
  /** What runs as the work of each function, with what it is given. */
  readonly hooks: { work: (key?: number) => Promise<void> };
  readonly [name: string]: unknown;
}

async function started(file: string, { url }: TestDatabase, beside: Readonly<Record<string, string>> = {}): Promise<{ program: Program; remove: () => void }> {
  const read = (name: string): string => readFileSync(inProject(`fixtures/${name}`), 'utf8');
  const text = read(file)
    .replace('new Pool()', `new Pool({ connectionString: ${JSON.stringify(url)}, max: 1 })`)
    .replace(/declare const work: .*;/, 'const work = (key) => hooks.work(key);')
    .replace(/declare const (?:note|pause): .*;/, 'const note = () => {};\nconst pause = note;');
  const loaded = loadSources(new Map([['main.ts', `${text}\nexport const hooks = { work: async () => {} };\nexport { pool };\n`], ...Object.entries(beside).map(([name, from]) => [name, read(from)] as const)]));
  return { program: await loaded.import('main.ts') as Program, remove: () => { loaded.remove(); } };
}

const pidOf = async (pool: pg.Pool): Promise<number> => (await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid;

describe.each(['dropped', 'given', 'told', 'toldByName', 'inLines', 'onOneLine', 'emptyCatch', 'answered', 'releasedInChain', 'bothHandlers', 'rounds'])('an unlock whose error is kept: %s', (name) => {
  test.each([['works', false], ['fails', true]])('the unlock %s', async (_how, isFailing) => {
    const database = await server.createDatabase();
    const { program, remove } = await started('pg/leaks/failed-unlocks.fixed.ts', database);
    try {
      let client: pg.PoolClient | undefined;
      program.pool.on('connect', (one) => { client = one; });
      const before = await pidOf(program.pool);
      // After a failed statement of a transaction, the unlock is refused.
      if (isFailing) program.hooks.work = async () => { await client!.query('BEGIN'); await client!.query('SELECT 1 / 0').catch(() => undefined); };
      await (program[name] as (keys: number[]) => Promise<unknown>)([7100]);
      expect(await database.heldAtRest()).toEqual([]);
      expect(await pidOf(program.pool) === before).toBe(!isFailing);
    } finally {
      await program.pool.end();
      remove();
    }
  });
});

const locks = { 'helpers-elsewhere/locks.ts': 'pg/answers/helpers-elsewhere/locks.ts' };

async function* each(keys: readonly number[]): AsyncGenerator<number> {
  yield* keys;
}

describe('a try-lock that is lost', () => {
  test.each([
    ['eachKey', [1, 2, 3]], ['eachKeyByHelper', each([1, 2, 3])], ['inSwitch', [1, 2, 3].map((key) => ({ kind: 'once', key }))], ['labelled', [[1, 2], [3]]],
  ])('leaves one round: %s', async (name, keys) => {
    expect(await worked(name, 2, keys)).toEqual([1, 3]);
  });

  test('leaves the function', async () => {
    expect(await worked('plain', 7201)).toEqual([]);
    expect(await worked('plain', 1)).toEqual([undefined]);
    await expect(worked('counted', 7202)).rejects.toThrow('Advisory lock 7202 is held by another session');
  });

  async function worked(name: string, held: number, keys?: unknown): Promise<unknown[]> {
    const database = await server.createDatabase();
    await database.query(`SELECT pg_advisory_lock(${held})`);
    const { program, remove } = await started('pg/answers/try-locks-left.fixed.ts', database, locks);
    const done: unknown[] = [];
    program.hooks.work = async (key) => { done.push(key); };
    const client = await program.pool.connect();
    try {
      await (program[name] as (client: pg.PoolClient, keys: unknown) => Promise<unknown>)(client, keys);
      expect((await database.held()).length).toBe(1);
      return done;
    } finally {
      client.release();
      await program.pool.end();
      remove();
    }
  }
});
