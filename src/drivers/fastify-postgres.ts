import type { Driver } from './driver.js';
import { pgQuery } from './pg.js';

/** @fastify/postgres 6.1, `index.d.ts`: `fastify.pg` is a pool of `pg` with `transact`; `fastify.pg.name` is that of another instance. */
export const fastifyPostgres = {
  id: 'fastify-postgres',
  name: '@fastify/postgres',
  packages: ['@fastify/postgres'],
  types: [{ name: 'PostgresDb', kind: 'pooled', says: 'the pool of @fastify/postgres' }],
  makers: [],
  attached: [{ property: 'pg', package: 'fastify', type: 'FastifyInstance', kind: 'pooled', says: 'the pool of @fastify/postgres' }],
  runs: [pgQuery],
  reserves: [
    { name: 'connect', gives: 'reserved', says: 'a client reserved from the pool of @fastify/postgres', callbackParameter: 1, releaseParameter: 2, returns: true, driver: 'pg', on: ['pooled'] },
    { name: 'transact', gives: 'transaction', says: 'a transaction of @fastify/postgres', callbackParameter: 0, returns: false, driver: 'pg', on: ['pooled'] },
  ],
  releases: [],
  properties: ['pool'],
  isLazy: false,
  transactionAdvice: 'send the lock and the work to the client of `{fastify.pg}.transact(async (client) => ...)`',
  closeAdvice: 'close the session with `{client}.release(true)`',
  advice: 'take `const client = await {fastify.pg}.connect()`, send lock, work and unlock to `client`, and call `client.release()` in `finally`',
  standsFor: { 'fastify.pg': 'Fastify instance with its pool', client: 'reserved client' },
  fragments: [],
  rowsType: '{row}',
  templates: {
    kind: 'reserve', name: 'client', reserve: '{handle}.connect()', release: '{connection}.release()',
    text: '{connection}.query{type}({text})',
  },
} as const satisfies Driver;
