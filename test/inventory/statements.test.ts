import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inProject } from '../support/paths.js';
import { inventory, rowsOf } from './inventory-of.js';

const imports = "import { Client, Pool, type PoolClient } from 'pg'; import postgres from 'postgres'; declare const work: () => Promise<void>;";
const rows = (code: string): string[] => rowsOf(inventory({ 'a.ts': `${imports}\n${code}` }));

test.each([
  ['a constant', "await client.query('SELECT pg_advisory_lock(42)')", '42'],
  ['two keys', "await client.query('SELECT pg_advisory_lock(1, $1)', [id])", '1, id'],
  ['a constant of the program', "await client.query('SELECT pg_advisory_lock($1)', [LOCK])", '77'],
  ['a hash of a text', "await client.query(\"SELECT pg_advisory_lock(hashtext('a-job'))\")", "hashtext('a-job')"],
  ['a hash of a parameter', "await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name])", 'hashtextextended(name, 0)'],
  ['a concatenation in SQL', "await client.query(\"SELECT pg_advisory_lock(hashtext('job:' || $1))\", [name])", "hashtext('job:' || name)"],
  ['a template of the program', "await client.query('SELECT pg_advisory_lock(hashtext($1))', [`job:${name}`])", 'hashtext(`job:${name}`)'],
  ['a computation', "await client.query('SELECT pg_advisory_lock($1)', [id * 2 + offset(name)])", 'id * 2 + offset(name)'],
  ['a sum of constants', "await client.query('SELECT pg_advisory_lock(16 + 1)')", '17'],
  ['casts', "await client.query('SELECT pg_advisory_lock($1::int, hashtext($2::text)::int)', [id, name])", 'id::int, hashtext(name::text)::int'],
  ['a name of a table', "await client.query(\"SELECT pg_advisory_lock('orders'::regclass::bigint)\")", "'orders'::regclass::bigint"],
  ['a cast around an operator', "await client.query(\"SELECT pg_advisory_lock(('x' || md5($1))::bit(64)::bigint)\", [name])", "('x' || md5(name))::bit::bigint"],
  ['a member and a method', "await client.query('SELECT pg_advisory_lock(hashtext($1))', [job.name.toLowerCase()])", 'hashtext(job.name.toLowerCase())'],
  ['an element and a sign', "await client.query('SELECT pg_advisory_lock($1, $2)', [-id, jobs[id]])", '-id, jobs[id]'],
  ['a column', "await client.query('SELECT pg_advisory_lock(j.id) FROM jobs j')", 'j.id'],
  ['what is not in view', "await client.query('SELECT pg_advisory_lock($1)', values)", '?'],
])('the key of %s', (_what, statement, key) => {
  const code = `const LOCK = 77; declare function offset(name: string): number;
    export async function run(client: PoolClient, id: number, name: string, job: { name: string }, jobs: number[], values: unknown[]) { ${statement}; }`;
  expect(rows(code)).toEqual([`3 run acquire ${key} pinned: nobody in view, nothing`]);
});

test('the keys that callers pass', () => {
  const { statements } = inventory({ 'a.ts': `${imports}
    async function withLock(client: PoolClient, key: number) { await client.query('SELECT pg_advisory_lock($1)', [key]); }
    async function withName(client: PoolClient, name: string) { await client.query('SELECT pg_advisory_lock(1, hashtext($1))', [name]); }
    export const run = async (client: PoolClient, id: number) => { await withLock(client, 42); await withLock(client, id); await withName(client, 'jobs'); };` });
  expect(statements.map(({ within, passed }) => [within, ...passed])).toEqual([['withLock', '42', 'id'], ['withName', "1, hashtext('jobs')"]]);
});

test('which connection it is', () => {
  const { statements } = inventory({ 'a.ts': `${imports}
    const pool = new Pool(); const sql = postgres(); const one = postgres({ max: 1 });
    export const pooled = () => pool.query('SELECT pg_advisory_lock(1)');
    export const tagged = () => sql\`SELECT pg_try_advisory_lock_shared(2)\`;
    export const transaction = () => sql.begin((tx) => tx\`SELECT pg_advisory_xact_lock(3)\`);
    export const single = () => one\`SELECT pg_advisory_lock(4)\`;
    export const unknown = async (db: { query(text: string): Promise<void> }) => { await db.query('SELECT pg_advisory_lock(5)'); };` });
  expect(statements.map(({ within, function: name, level, mode, operation, connection, handle, evidence }) => [within, name, level, mode, operation, connection, handle, evidence])).toEqual([
    ['pooled', 'pg_advisory_lock', 'session', 'exclusive', 'acquire', 'pooled', 'pool', '`pool` is a pg Pool (a.ts:2)'],
    ['tagged', 'pg_try_advisory_lock_shared', 'session', 'shared', 'try', 'pooled', 'sql', '`sql` is a postgres.js pool (a.ts:2)'],
    ['transaction', 'pg_advisory_xact_lock', 'transaction', 'exclusive', 'acquire', 'transaction', 'tx', '`tx` is a postgres.js transaction (a.ts:5)'],
    ['single', 'pg_advisory_lock', 'session', 'exclusive', 'acquire', 'single', 'one', '`one` is a postgres.js client of one connection (a.ts:2)'],
    ['unknown', 'pg_advisory_lock', 'session', 'exclusive', 'acquire', 'unknown', 'db', 'it is not in view what `db` is'],
  ]);
});

test('what nothing waits for guards nothing, and what is never sent frees nothing', () => {
  const code = `export async function notAwaited(client: PoolClient) { client.query('SELECT pg_advisory_lock(1)'); try { await work(); } finally { await client.query('SELECT pg_advisory_unlock(1)'); } }
    export async function neverSent(sql: postgres.ReservedSql) { sql\`SELECT pg_advisory_lock(2)\`; try { await work(); } finally { await sql\`SELECT pg_advisory_unlock(2)\`; } }
    export async function neverFreed(sql: postgres.ReservedSql) { await sql\`SELECT pg_advisory_lock(3)\`; try { await work(); } finally { sql\`SELECT pg_advisory_unlock(3)\`; } }
    export async function awaited(client: PoolClient) { await client.query('SELECT pg_advisory_lock(4)'); try { await work(); } finally { await client.query('SELECT pg_advisory_unlock(4)'); } }`;
  const { statements } = inventory({ 'a.ts': `${imports}\n${code}` });
  expect(statements.flatMap(({ within, guard }) => (guard === undefined ? [] : [`${within}: ${guard}`]))).toEqual(['notAwaited: nothing', 'neverSent: nothing', 'neverFreed: nothing', 'awaited: finally']);
});

test.each([
  ['finally', 'await client.query("SELECT pg_advisory_lock(1)"); try { await work(); } finally { await client.query("SELECT pg_advisory_unlock(1)"); }',
    ['3 run acquire 1 pinned: line 3, finally', '3 run unlock 1 pinned: frees line 3']],
  ['a callback of finally()', 'await client.query("SELECT pg_advisory_lock(1)"); await work().finally(() => client.query("SELECT pg_advisory_unlock(1)"));',
    ['3 run acquire 1 pinned: line 3, finally', '3 run unlock 1 pinned: frees line 3']],
  ['an unlock that an error skips', 'await client.query("SELECT pg_advisory_lock(1)"); await work(); await client.query("SELECT pg_advisory_unlock(1)"); client.release();',
    ['3 run acquire 1 pinned: line 3, unlock only', '3 run unlock 1 pinned: frees line 3']],
  ['every path', 'await client.query("SELECT pg_advisory_lock(1)"); try { await work(); await client.query("SELECT pg_advisory_unlock(1)"); client.release(); } catch { client.release(true); }',
    ['3 run acquire 1 pinned: line 3, every path', '3 run unlock 1 pinned: frees line 3']],
  ['an early return before the unlock', 'await client.query("SELECT pg_advisory_lock(1)"); if (Math.random() > 0.5) return; await client.query("SELECT pg_advisory_unlock(1)");',
    ['3 run acquire 1 pinned: line 3, unlock only', '3 run unlock 1 pinned: frees line 3']],
  ['a branch that keeps the lock', 'await client.query("SELECT pg_advisory_lock(1)"); try { await work(); if (Math.random() > 0.5) await client.query("SELECT pg_advisory_unlock(1)"); } catch { await client.query("SELECT pg_advisory_unlock(1)"); }',
    ['3 run acquire 1 pinned: line 3, unlock only', '3 run unlock 1 pinned: frees line 3', '3 run unlock 1 pinned: frees line 3']],
  ['a transaction that the lock outlives', 'await client.query("BEGIN"); await client.query("SELECT pg_advisory_lock(1)"); await work(); await client.query("SELECT pg_advisory_unlock(1)"); await client.query("COMMIT");',
    ['3 run acquire 1 pinned: line 3, unlock only', '3 run unlock 1 pinned: frees line 3']],
  ['a condition in finally', 'await client.query("SELECT pg_advisory_lock(1)"); try { await work(); } finally { if (Math.random() > 0.5) await client.query("SELECT pg_advisory_unlock(1)"); }',
    ['3 run acquire 1 pinned: line 3, unlock only', '3 run unlock 1 pinned: frees line 3']],
  ['a try-lock that is freed where it was won', 'const { rows } = await client.query<{ ok: boolean }>("SELECT pg_try_advisory_lock(1) AS ok"); if (!rows[0]?.ok) return; try { await work(); } finally { await client.query("SELECT pg_advisory_unlock(1)"); }',
    ['3 run try 1 pinned: line 3, finally', '3 run unlock 1 pinned: frees line 3']],
  ['a flag in finally', 'let mine = false; try { await client.query("SELECT pg_advisory_lock(1)"); mine = true; await work(); } finally { if (mine) await client.query("SELECT pg_advisory_unlock(1)"); }',
    ['3 run acquire 1 pinned: line 3, finally', '3 run unlock 1 pinned: frees line 3']],
  ['the end of the session', 'await client.query("SELECT pg_advisory_lock(1)"); try { await work(); } finally { client.release(true); }',
    ['3 run acquire 1 pinned: end of session, session']],
  ['one statement', 'await client.query("SELECT pg_advisory_lock(1), pg_advisory_unlock(1)");',
    ['3 run acquire 1 pinned: line 3, statement', '3 run unlock 1 pinned: frees line 3']],
  ['BEGIN on the way', 'await client.query("BEGIN"); await client.query("SELECT pg_advisory_xact_lock(1)"); await work(); await client.query("COMMIT");',
    ['3 run acquire 1 pinned: end of transaction, transaction']],
  ['no transaction', 'await pool.query("SELECT pg_advisory_xact_lock(1)"); await work();',
    ['3 run acquire 1 pooled: end of transaction, nothing']],
  ['the transaction of its own statement', 'await pool.query("UPDATE t SET n = n + 1 WHERE pg_try_advisory_xact_lock(1)");',
    ['3 run try 1 pooled: end of transaction, statement']],
  ['a client that may be in a transaction', 'await client.query("SELECT pg_advisory_xact_lock(1)"); await work();',
    ['3 run acquire 1 pinned: end of transaction, unknown']],
  ['nothing', 'await client.query("SELECT pg_advisory_lock(1)");', ['3 run acquire 1 pinned: nobody in view, nothing']],
  ['everything that the session holds', 'await client.query("SELECT pg_advisory_lock(1)"); try { await work(); } finally { await client.query("SELECT pg_advisory_unlock_all()"); }',
    ['3 run acquire 1 pinned: line 3, finally', '3 run unlockAll all pinned: frees line 3']],
])('guarded by %s', (_what, body, expected) => {
  expect(rows(`const pool = new Pool();\nexport async function run(client: PoolClient) { ${body} }`)).toEqual(expected);
});

test('two ways to take one lock have one unlock', () => {
  const body = 'if (wait) await client.query("SELECT pg_advisory_lock(1)");\nelse await client.query("SELECT pg_try_advisory_lock(1)");\ntry { await work(); } finally { await client.query("SELECT pg_advisory_unlock(1)"); }';
  expect(rows(`export async function run(client: PoolClient, wait: boolean) { ${body} }`)).toEqual([
    '2 run acquire 1 pinned: line 4, finally', '3 run try 1 pinned: line 4, finally', expect.stringMatching(/^4 run unlock 1 pinned: frees line [23]$/),
  ]);
});

test('names of functions', () => {
  const lock = "client.query('SELECT pg_advisory_lock(1)')";
  const found = rows(`declare const client: PoolClient; declare const app: { get(path: string, run: () => Promise<unknown>): void };
    export class Locks { take() { return ${lock}; }
      static other = () => ${lock};
      async [Symbol.asyncDispose]() { await ${lock}; }
      #own() { return [1].map(() => ${lock}); } }
    export const Named = class { take() { return ${lock}; } };
    export const object = { take() { return ${lock}; },
      arrow: () => ${lock} };
    app.get('/run', () => ${lock});
    export default function () { return ${lock}; }
    await ${lock};`);
  expect(found.map((row) => row.split(' acquire')[0]?.replace(/^\d+ /, ''))).toEqual([
    'Locks.take', 'Locks.other', 'Locks[Symbol.asyncDispose]', 'Locks.#own', 'Named.take', 'take', 'arrow', "app.get('/run')", 'default', '(top level)',
  ]);
});

test('an unlock in another function', () => {
  const code = `export class Locks {
    constructor(private readonly client: PoolClient) {}
    async lock() { await this.client.query('SELECT pg_advisory_lock(1)'); }
    async unlock() { await this.client.query('SELECT pg_advisory_unlock(1)'); }
  }`;
  expect(rows(code)).toEqual(['4 Locks.lock acquire 1 pinned: line 5, another function', '5 Locks.unlock unlock 1 pinned: frees line 4']);
});

/** Read by hand: src/one-instance.ts is the only file with locks, and src/db.ts:11 is where `db` is made over a pool of five. */
test('the example app', () => {
  const top = inProject('fixtures/example-app');
  const names = ['src/catalogue.ts', 'src/db.ts', 'src/jobs/expired-holds.ts', 'src/jobs/overdue-notices.ts', 'src/main.ts', 'src/one-instance.ts', 'src/schema.ts', 'src/tick.ts'];
  const found = inventory(Object.fromEntries(names.map((name) => [name, readFileSync(`${top}/${name}`, 'utf8')])), top);
  expect(rowsOf(found)).toEqual([
    '10 onOneInstance try hashtextextended(job, 0) pooled: line 17, finally',
    '17 onOneInstance unlock hashtextextended(job, 0) pooled: frees line 10',
  ]);
  expect(found.statements.map(({ file, column, function: name, level, mode, handle, evidence }) => [file, column, name, level, mode, handle, evidence])).toEqual([
    ['src/one-instance.ts', 16, 'pg_try_advisory_lock', 'session', 'exclusive', 'db', '`db` is drizzle over a postgres.js pool (db.ts:11)'],
    ['src/one-instance.ts', 33, 'pg_advisory_unlock', 'session', 'exclusive', 'db', '`db` is drizzle over a postgres.js pool (db.ts:11)'],
  ]);
  expect([found.sharedKeys, found.opposedOrders]).toEqual([[], []]);
});
