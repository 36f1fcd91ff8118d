/**
 * What the record of @fastify/postgres says, asked of a server through it. Neon, Vercel Postgres and supabase-js speak WebSockets and HTTP
 * to services that are not here: their records follow their declarations and pages.
 */
import fastifyPostgres from '@fastify/postgres';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { useSessions } from './sessions.js';

const { database, holders, isFree, untilNoneHeld } = useSessions();
const made: FastifyInstance[] = [];

async function start(): Promise<FastifyInstance> {
  const app = fastify();
  made.push(app);
  await app.register(fastifyPostgres, { connectionString: database().url, max: 4 });
  return app;
}

afterEach(async () => {
  await Promise.all(made.splice(0).map(app => app.close()));
  await untilNoneHeld();
});

const SLOW_PID = 'SELECT pg_backend_pid() AS pid FROM pg_sleep(0.2)';

it('gives each query a connection of its own', async () => {
  const { pg } = await start();
  const pids = await Promise.all([1, 2].map(async () => (await pg.query<{ pid: number }>(SLOW_PID)).rows[0]?.pid));
  expect(new Set(pids).size).toBe(2);
});

it('gives out a client by connect(), which has its locks when it goes back', async () => {
  const { pg } = await start();
  const client = await pg.connect();
  await client.query('SELECT pg_advisory_lock(1)');
  client.release();
  expect(await holders()).toHaveLength(1);
});

it('opens a transaction by transact(), and for the request by an option of its route', async () => {
  const app = await start();
  await app.pg.transact(async client => {
    await client.query('SELECT pg_advisory_xact_lock(1)');
    expect(await isFree(1)).toBe(false);
  });
  expect(await isFree(1)).toBe(true);
  app.get('/', { pg: { transact: true } }, async request => {
    await request.pg?.query('SELECT pg_advisory_xact_lock(1)');
    return { free: await isFree(1) };
  });
  expect((await app.inject('/')).json()).toEqual({ free: false });
  expect(await isFree(1)).toBe(true);
});
