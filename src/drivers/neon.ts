import type { Argument, Driver, Making } from './driver.js';
import { pgQuery, poolMaker, urlOf } from './pg.js';

/**
 * The WebSocket half of @neondatabase/serverless 1.2, `index.d.ts`: `Pool`, `Client` and `PoolClient` are those of `pg`, bundled. A pool is
 * as pooled as there; the host names with `-pooler` go through PgBouncer in transaction mode.
 */
export const neon = {
  id: 'neon',
  name: 'Neon',
  packages: ['@neondatabase/serverless'],
  types: [
    { name: 'PoolClient', kind: 'reserved', says: 'a client reserved from a Neon Pool' },
    { name: 'Client', kind: 'single', says: 'a Neon Client of its own' },
    { name: 'ClientBase', kind: 'reserved', says: 'one Neon client' },
    { name: 'Pool', kind: 'pooled', says: 'a Neon Pool' },
  ],
  makers: [
    { modules: ['@neondatabase/serverless'], name: 'Pool', called: 'new', make: poolMaker('a Neon Pool') },
    { modules: ['@neondatabase/serverless'], name: 'Client', called: 'new', make: ([options]) => ({ kind: 'single', says: 'a Neon Client of its own', url: urlOf(options) }) },
  ],
  runs: [pgQuery],
  reserves: [{ name: 'connect', gives: 'reserved', says: 'a client reserved from a Neon Pool', callbackParameter: 1, releaseParameter: 2, returns: true, on: ['pooled'] }],
  releases: [
    { name: 'release', session: 'argument', on: ['reserved'] },
    { name: 'end', session: 'destroys', on: ['single', 'reserved', 'pooled'] },
  ],
  derives: [{ name: 'connect', on: ['single'] }],
  isLazy: false,
  transactionAdvice: 'send BEGIN, the lock, the work and COMMIT to one client (`const client = await {pool}.connect()`)',
  closeAdvice: 'close the session with `{client}.release(true)`',
  advice: 'take `const client = await {pool}.connect()` from a pool on the direct host (not the `-pooler` one), send lock, work and unlock to `client`, and call `client.release()` in `finally`',
  standsFor: { pool: 'Neon Pool', client: 'reserved client' },
  fragments: [],
  rowsType: '{row}',
  templates: {
    kind: 'reserve', name: 'client', reserve: '{handle}.connect()', release: '{connection}.release()',
    text: '{connection}.query{type}({text})',
  },
} as const satisfies Driver;

const rows = { rows: 'rows', counts: ['rowCount'], typed: true } as const;

const makeHttp = ([first]: readonly (Argument | undefined)[]): Making => ({ kind: 'stateless', says: "Neon's HTTP driver", url: first?.text });

/**
 * `neon(url)`: every statement is one HTTP request, and a transaction of its own; `sql.transaction([...])` sends several in one request
 * and one transaction (README of @neondatabase/serverless, "sql.transaction"). Rows come as an array, or with `fullResults` in `rows`.
 */
export const neonHttp = {
  id: 'neon-http',
  name: "Neon's HTTP driver",
  packages: ['@neondatabase/serverless'],
  types: [
    { name: 'NeonQueryFunctionInTransaction', kind: 'transaction', says: 'a batch of Neon, which is one transaction' },
    { name: 'NeonQueryFunction', kind: 'stateless', says: "Neon's HTTP driver" },
  ],
  makers: [{ modules: ['@neondatabase/serverless'], name: 'neon', called: 'call', make: makeHttp }],
  runs: [{ name: 'query', takes: 'text', sql: 0, values: { argument: 1 }, result: rows }],
  tag: { result: rows },
  reserves: [{ name: 'transaction', gives: 'transaction', says: 'a batch of Neon, which is one transaction', callbackParameter: 0, batch: 0, returns: false, on: ['stateless'] }],
  releases: [],
  isLazy: true,
  transactionAdvice: 'send the lock and all of the work in one `{sql}.transaction([...])`, or to one client of a `Pool` between BEGIN and COMMIT',
  advice: 'use a `Pool` or `Client` of `@neondatabase/serverless` on the direct host (not the `-pooler` one), and keep one client for the lock, the work and the unlock',
  standsFor: { sql: 'Neon query function' },
  fragments: [],
} as const satisfies Driver;
