import type { Driver } from './driver.js';
import { pgQuery, poolMaker, urlOf } from './pg.js';

const pooled = (): { kind: 'pooled'; says: string } => ({ kind: 'pooled', says: 'a Vercel Postgres pool' });
const MODULES = ['@vercel/postgres'];

const request = 'whose `sql` tag sends each statement as an HTTP request';

/**
 * @vercel/postgres 0.10, `dist/index.d.ts`: the exports `sql` and `db` are one pool, made when it is first used. Its classes extend those
 * of Neon, and these those of `pg`, so that the record has to be asked before theirs. The tag of a pool takes no connection of it: it calls
 * `neon(connectionString, { fullResults: true })` (`VercelPool.sql` in `dist/chunk-7IR77QAQ.js`), while `query()` does, and so does a client's tag.
 * `createPool()` throws for a connection string that is neither local nor has `-pooler.` in it, and `createClient()` for one that has (there, too).
 */
export const vercel = {
  id: 'vercel',
  name: 'Vercel Postgres',
  packages: MODULES,
  types: [
    { name: 'VercelPool', kind: 'pooled', says: 'a Vercel Postgres pool' },
    { name: 'VercelPoolClient', kind: 'reserved', says: 'a client reserved from a Vercel Postgres pool' },
    { name: 'VercelClient', kind: 'single', says: 'a Vercel Postgres client of its own' },
    { name: 'VercelClientBase', kind: 'reserved', says: 'one Vercel Postgres client' },
  ],
  makers: [
    { modules: MODULES, name: 'sql', called: 'itself', make: pooled },
    { modules: MODULES, name: 'db', called: 'itself', make: pooled },
    { modules: MODULES, name: 'createPool', called: 'call', make: poolMaker('a Vercel Postgres pool') },
    { modules: MODULES, name: 'createClient', called: 'call', make: ([options]) => ({ kind: 'single', says: 'a Vercel Postgres client of its own', url: urlOf(options) }) },
  ],
  // `pool.sql`...`` and `client.sql`...`` are tags.
  runs: [pgQuery, { name: 'sql', takes: 'fragment', isCommon: true, sql: 0, result: pgQuery.result, request }],
  tag: { result: pgQuery.result, request },
  reserves: [{ name: 'connect', gives: 'reserved', says: 'a client reserved from a Vercel Postgres pool', callbackParameter: 1, releaseParameter: 2, returns: true, on: ['pooled'] }],
  releases: [
    { name: 'release', session: 'argument', on: ['reserved'] },
    { name: 'end', session: 'destroys', on: ['single', 'reserved', 'pooled'] },
  ],
  derives: [{ name: 'connect', on: ['single'] }],
  takesNoBigint: true,
  isLazy: false,
  transactionAdvice: 'send BEGIN, the lock, the work and COMMIT to one client (`const client = await {db}.connect()`)',
  closeAdvice: 'close the session with `{client}.release(true)`',
  advice: 'take a client that keeps its connection, send lock, work and unlock to it, and give it back in `finally` (`createClient()` connects directly; `{db}.connect()` does where the pool does not go through a `-pooler` host)',
  standsFor: { db: 'Vercel pool', client: 'reserved client' },
  fragments: [],
  rowsType: '{row}',
  templates: {
    kind: 'reserve', name: 'client', reserve: '{handle}.connect()', release: '{connection}.release()',
    tag: 'sql', tagged: '{connection}.sql{type}{template}', text: '{connection}.query{type}({text})',
  },
} as const satisfies Driver;
