import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { HeldLock, TestDatabase } from '../server/database.js';
import { startLoad } from '../server/load.js';
import { loadSources } from '../server/run-source.js';
import { useServer } from '../server/use-server.js';
import { readCases } from './cases.js';

/** What a rewrite makes is run as it is, on a busy pool: lock and unlock meet on one connection, and nothing stays behind. */
const server = useServer();

/** `CALL work()` is of no server; two clients and one of a parameter need a program around them; a shared pool can be ended only once; a stream is only declared. */
const notAlone = new Set(['The lock on the pool, right before a client is reserved', 'A function that ends the pool, called behind the unlock', 'A stream that is ended in the work']);

const cases = ['pg', 'postgres', 'drizzle'].flatMap((page) => readCases(page).filter(({ title, after }) => after !== undefined && !notAlone.has(title)).map((one) => ({ ...one, page })));

describe.each(cases)('$page: $title', ({ after, title }) => {
  test('holds and frees', async () => {
    const database = await server.createDatabase();
    await database.query(TABLES);
    const left = await run(programOf(after!, database, title), database);
    const [taken, ...others] = database.events();
    const unlocks = others.filter(({ operation, key }) => operation === 'unlock' && key === taken?.key);
    if (!keepsOnPool(after!)) expect(left).toEqual([]);
    expect(unlocks.map(({ pid, released }) => ({ pid, released }))).toEqual(unlocks.map(() => ({ pid: taken?.pid, released: true })));
    expect(unlocks.length > 0 || after!.includes('pg_advisory_unlock_all')).toBe(true);
  });
});

/** Where the work fails in them as they were, the client is not given back, whether it has the lock or not: its pool would never end. */
const isNotGivenBack = (title: string): boolean => title.startsWith('Released right behind the unlock') || title.endsWith('the release right behind the work');
const leaking = readCases('leaks').filter(({ after }) => after !== undefined);
/** A database for all of them: each keeps a connection, and a server has not so many. */
let shared: Promise<TestDatabase> | undefined;
const failing = "throw new Error('the work failed')";

describe.each(leaking)('leaks: $title', ({ before, after, title }) => {
  // The work fails, where the unlock itself does not.
  const leftBy = async (text: string): Promise<readonly HeldLock[]> => {
    const database = await (shared ??= server.createDatabase());
    const soFar = database.events().length;
    const program = programOf(text, database, title).replace('const work = () => sleep(5);', `const work = async () => { await sleep(5); ${failing}; };`).replace('return 1;', `${failing};`);
    const left = await run(program, database, true);
    expect(database.events().length).toBeGreaterThan(soFar);
    return left;
  };

  // A lock stays only where its unlock fails.
  test.skipIf(title === 'The error of an unlock is dropped' || isNotGivenBack(title))('left a lock before', async () => {
    expect(await leftBy(before)).not.toEqual([]);
  });

  test('leaves none', async () => {
    expect(await leftBy(after!)).toEqual([]);
  });
});

/** Whether a rewrite left another lock where it was, which then stays behind or not as the pool's luck will have it. */
const keepsOnPool = (text: string): boolean => /\b(?:await|void) (?:(?:this\.)?(?:pool|db|sql)\b(?:\.query|\.execute\()?)\W[^;]*?advisory_(?:lock|unlock)/.test(text);

/** What the cases read and write. */
const TABLES = `
  CREATE TABLE job AS SELECT 1 AS id;
  CREATE TABLE one AS SELECT 1 AS id;
  CREATE TABLE log (line text);`;

/** The text with a real database in the place of what it only declares. */
function programOf(text: string, { url }: TestDatabase, title: string): string {
  const connected = text
    .replaceAll("'postgres://localhost/app'", JSON.stringify(url))
    .replaceAll('new Pool()', `new Pool({ connectionString: ${JSON.stringify(url)} })`)
    .replace('declare const pool: Pool;', `const pool = new Pool({ connectionString: ${JSON.stringify(url)} });`)
    .replace('declare const work: () => Promise<void>;', "import { setTimeout as sleep } from 'node:timers/promises';\nconst work = () => sleep(5);")
    .replace('declare const count: () => Promise<number>;', 'const count = async () => { await sleep(5); return 1; };')
    .replace('declare const notify: (text: string) => Promise<void>;', 'const notify = () => sleep(1);')
    .replace('declare const res: { json(body: unknown): void };', 'const res = { json() {} };')
    .replace("FROM job'", "FROM generate_series(1, 3)'")
    .replace("import type { Pool } from 'pg';", "import { Pool } from 'pg';");
  const isScript = title === 'At the top level';
  return isScript ? connected : `${connected}\n${handlesOf(connected, url)}`;
}

/** What the test needs of a program: a request that keeps its pool busy, and an end. */
function handlesOf(text: string, url: string): string {
  const made = /class Jobs.*NodePgDatabase/s.test(text) ? `export const given = drizzle(new Pool({ connectionString: ${JSON.stringify(url)} }));` : '';
  if (made) return `${made}\nexport const request = () => given.$client.query('SELECT 1');\nexport const end = () => given.$client.end();`;
  const isOfPostgres = /const sql = postgres/.test(text);
  if (/const pool = /.test(text)) return `export const given = pool;\nexport const request = () => ${isOfPostgres ? 'sql`SELECT 1`' : "pool.query('SELECT 1')"};\nexport const end = () => Promise.all([pool.end()${isOfPostgres ? ', sql.end()' : ''}]);`;
  const name = /const sql = postgres/.test(text) ? 'sql' : /const client = postgres/.test(text) ? 'client' : undefined;
  if (name) return `export const request = () => ${name}\`SELECT 1\`;\nexport const end = () => ${name}.end();`;
  return "export const request = () => db.execute('SELECT 1');\nexport const end = () => db.$client.end();";
}

type Run = (...args: readonly unknown[]) => Promise<unknown>;

/** The locks that are still held when the work is done and its pool is open. */
async function run(text: string, database: TestDatabase, mayFail = false): Promise<readonly HeldLock[]> {
  const loaded = loadSources(new Map([['main.ts', text]]));
  try {
    const { request, end, given, Jobs, run: plain, tick, withLock } = await loaded.import('main.ts') as Record<'request' | 'end' | 'run' | 'tick' | 'withLock', Run | undefined> & { given: unknown; Jobs: (new (given: unknown) => { run: Run }) | undefined };
    const body = plain ?? tick ?? withLock ?? (Jobs && (async (...args) => new Jobs(given).run(...args)));
    if (!body || !request || !end) return await database.heldAtRest(); // a script has run as it was imported
    const load = startLoad(() => request());
    try {
      await load.underWay();
      await body(...argumentsFor(text)).catch((error: unknown) => {
        if (!mayFail) throw error;
      });
      return await database.heldAtRest();
    } finally {
      await load.stop();
      await end();
    }
  } finally {
    loaded.remove();
  }
}

const VALUES: Record<string, unknown> = { name: 'jobs', key: 7n, exclusive: true, client: 'c', ids: [1, 2], timer: undefined, isLate: false };

function argumentsFor(text: string): unknown[] {
  const list = /(?:async function (?:run|tick|withLock)|const run = async |async run)\s*\(([^]*?)\): Promise/.exec(text)?.[1] ?? '';
  return list.split(/,(?![^(<]*[)>])/).flatMap((one) => {
    const name = /^\s*(\w+)/.exec(one)?.[1];
    if (name === undefined) return [];
    if (name === 'work' || name === 'fn') return [async () => { await sleep(5); return true; }];
    if (name === 'id') return [11];
    return [VALUES[name]];
  });
}
