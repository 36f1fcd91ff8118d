/** What the record of Prisma says, asked of a server through its own client. */
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '@prisma/client';
import { afterEach, describe, expect, it } from 'vitest';
import { drivers } from '../../src/drivers/index.js';
import { useSessions } from './sessions.js';

const { database, holders, isFree, untilNoneHeld } = useSessions();
const clients: PrismaClient[] = [];

function connect(max = 4): PrismaClient {
  const client = new PrismaClient({ adapter: new PrismaPg({ connectionString: database().url, max }) });
  clients.push(client);
  return client;
}

afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.$disconnect()));
  await untilNoneHeld();
});

interface Pid {
  pid: number;
}

const record = drivers.find(({ id }) => id === 'prisma');

describe('a void column', () => {
  it.each(record?.runs.filter(({ rejects }) => rejects) ?? [])('$name rejects after PostgreSQL has taken the lock', async ({ name }) => {
    const prisma = connect();
    const sent = name === '$queryRaw' ? prisma.$queryRaw`SELECT pg_advisory_lock(1)` : prisma.$queryRawUnsafe('SELECT pg_advisory_lock(1)');
    await expect(sent).rejects.toThrow("Failed to deserialize column of type 'void'");
    expect(await holders()).toHaveLength(1);
  });

  it('is read as text, left in FROM, or not read by the methods that give a count', async () => {
    const prisma = connect();
    await prisma.$transaction(async tx => {
      expect(await tx.$queryRaw`SELECT pg_advisory_xact_lock(1)::text`).toEqual([{ pg_advisory_xact_lock: '' }]);
      expect(await tx.$queryRaw`SELECT true AS locked FROM pg_advisory_xact_lock(1)`).toEqual([{ locked: true }]);
      expect(await tx.$executeRaw`SELECT pg_advisory_xact_lock(1)`).toBe(1);
      expect(await tx.$executeRawUnsafe('SELECT pg_advisory_xact_lock($1)', 1)).toBe(1);
    });
  });
});

it('gives an array of rows, or their number: 1 for a refused lock', async () => {
  const [holder, prisma] = [connect(1), connect(1)];
  expect(await holder.$queryRaw`SELECT pg_try_advisory_lock(1) AS taken`).toEqual([{ taken: true }]);
  expect(await prisma.$queryRawUnsafe('SELECT pg_try_advisory_lock($1) AS taken', 1)).toEqual([{ taken: false }]);
  expect(await prisma.$executeRaw`SELECT pg_try_advisory_lock(1)`).toBe(1);
  expect(await prisma.$executeRaw`SELECT pg_advisory_unlock(1)`).toBe(1);
  expect(await holders()).toHaveLength(1);
});

it('gives each call a connection of its own', async () => {
  const prisma = connect();
  const extended = prisma.$extends({});
  const pids = async (db: Pick<PrismaClient, '$queryRaw'>) => Promise.all([1, 2].map(() => db.$queryRaw<Pid[]>`SELECT pg_backend_pid() AS pid FROM pg_sleep(0.2)`));
  for (const db of [prisma, extended as unknown as PrismaClient]) expect(new Set((await pids(db)).map(([row]) => row?.pid)).size).toBe(2);
  await prisma.$executeRaw`SELECT pg_advisory_lock(1)`;
  const [holder] = await holders();
  const answers = await Promise.all([1, 2].map(() => prisma.$queryRaw<{ freed: boolean; pid: number }[]>`SELECT pg_advisory_unlock(1) AS freed, pg_backend_pid() AS pid FROM pg_sleep(0.2)`));
  // Of two connections, one at least is not the holder's.
  for (const [row] of answers) expect(row?.freed).toBe(row?.pid === holder);
  expect(answers.some(([row]) => row?.freed === false)).toBe(true);
});

describe('a transaction', () => {
  it('keeps the lock until its callback is done', async () => {
    const prisma = connect();
    await prisma.$transaction(async tx => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(1)`;
      expect(await isFree(1)).toBe(false);
      await tx.$transaction(async inner => {
        expect(await inner.$queryRaw`SELECT pg_backend_pid() AS pid`).toEqual(await tx.$queryRaw`SELECT pg_backend_pid() AS pid`);
      });
    });
    expect(await isFree(1)).toBe(true);
  });

  it('is not joined by the root client inside its callback', async () => {
    const prisma = connect();
    await prisma.$transaction(async tx => {
      await prisma.$executeRaw`SELECT pg_advisory_xact_lock(1)`;
      await tx.$queryRaw`SELECT 1 AS one`;
      expect(await isFree(1)).toBe(true);
    });
  });

  it('is what an array of statements runs in, one after the other, whatever handle they are written with', async () => {
    const prisma = connect();
    const [, first, second] = await prisma.$transaction([
      prisma.$executeRaw`SELECT pg_advisory_xact_lock(1)`,
      prisma.$queryRaw<{ locks: number }[]>`SELECT count(*)::int AS locks FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()`,
      prisma.$queryRaw<{ locks: number }[]>`SELECT count(*)::int AS locks FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()`,
    ]);
    expect([...first, ...second]).toEqual([{ locks: 1 }, { locks: 1 }]);
    expect(await isFree(1)).toBe(true);
  });

  it('leaves a session-level lock behind', async () => {
    const prisma = connect();
    await prisma.$transaction([prisma.$executeRaw`SELECT pg_advisory_lock(1)`, prisma.$executeRaw`SELECT 1`]);
    expect(await holders()).toHaveLength(1);
  });
});

it('never sends a statement that nothing waits for', async () => {
  const prisma = connect(1);
  void prisma.$executeRaw`SELECT pg_advisory_lock(1)`;
  void prisma.$queryRawUnsafe('SELECT pg_advisory_lock(1)::text');
  await prisma.$queryRaw`SELECT 1 AS one`;
  expect(await holders()).toEqual([]);
});
