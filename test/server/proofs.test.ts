import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inProject } from '../support/paths.js';
import { applySuggestions, type Rewritten } from './apply-suggestions.js';
import type { TestDatabase } from './database.js';
import { contend, runRounds, startProgram, type Guarded, type Program } from './drill.js';
import { lintFixture } from './lint-fixture.js';
import { loadSources, readSources, type LoadedSources, type Sources } from './run-source.js';
import { typeErrors } from './type-check.js';
import { useServer } from './use-server.js';
import { sendNeonThrough, startWebSocketProxy, type WebSocketProxy } from './websocket-proxy.js';

const fixtures = inProject('fixtures/server');
const sources = readSources(fixtures);
const server = useServer();

const files = {
  'pg.ts': ['runOnce', 'runInTurn', 'billCustomer'],
  'pg-imported-pool.ts': ['closeTheDay', 'readPrices'],
  'postgres-js.ts': ['sendReminders', 'exportOrders', 'importPrices'],
  'drizzle-node-postgres.ts': ['runNightly', 'rebuildIndex'],
  'drizzle-postgres-js.ts': ['sendDigest', 'reconcile'],
  'knex.ts': ['archive', 'migrate'],
  'kysely.ts': ['restock', 'recount'],
  'typeorm.ts': ['closeTill', 'countStock'],
  'pg-promise.ts': ['dredge', 'countMoorings'],
  'slonik.ts': ['blast', 'weigh'],
  'fastify-postgres.ts': ['printInvoices', 'remind'],
  'prisma.ts': ['prune', 'fold'],
  'neon.ts': ['loadFeed', 'rank'],
  'vercel.ts': ['warm', 'publish'],
  'drizzle-neon-serverless.ts': ['settle', 'balance'],
} as const;

/** Rewritten to locks that end with their transaction: there is no unlock to look at, only who is let in. */
const endingByThemselves = new Set(['prisma.ts']);

/** Libraries that reset a connection when it goes back: the lock is lost with the call that took it, whichever connection is next. */
const resetting = new Set(['slonik.ts']);

/** Code whose shape the rewrites leave to its author: reported, and no more. */
const onlyReported = { 'pg-callback.ts': ['syncStock'] } as const;

const proxies: WebSocketProxy[] = [];
afterAll(async () => {
  for (const proxy of proxies) await proxy.stop();
});

interface Instance {
  readonly program: Program;
  readonly guarded: Guarded;
}

/** Starts a file, as many times as asked, for the tests of one `describe`. */
function useProgram(file: string, text: () => Sources, instances = 1) {
  const programs: Program[] = [];
  const loaded: LoadedSources[] = [];
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await server.createDatabase();
    const url = await reachableBy(file, database.url);
    for (let count = 0; count < instances; count++) {
      const instance = loadSources(text());
      loaded.push(instance);
      programs.push(await startProgram(url, () => instance.import(file)));
    }
  });
  afterAll(async () => {
    await Promise.all(programs.map(program => program.close()));
    for (const instance of loaded) instance.remove();
  });
  return {
    names: () => programs.flatMap(program => [...program.guarded.keys()]),
    database: () => {
      if (!database) throw new Error('There is no database before the tests.');
      return database;
    },
    instances: (name: string): Instance[] => programs.map(program => ({ program, guarded: pick(program, name) })),
  };
}

/** Neon's clients reach a server through a WebSocket; that of Vercel takes none but `localhost` and the hosts of a pooler. */
async function reachableBy(file: string, url: string): Promise<string> {
  if (!/neon|vercel/.test(file)) return url;
  const proxy = await startWebSocketProxy(Number(new URL(url).port));
  proxies.push(proxy);
  sendNeonThrough(proxy);
  return url.replace('127.0.0.1', 'localhost');
}

function pick(program: Program, name: string): Guarded {
  const guarded = program.guarded.get(name);
  if (!guarded) throw new Error(`There is no function ${name}.`);
  return guarded;
}

describe.each(Object.entries({ ...files, ...onlyReported }))('%s as written', (file, functions) => {
  const running = useProgram(file, () => sources);

  it('exports the functions that are tested here and no others', () => {
    expect(running.names().sort()).toEqual([...functions].sort());
  });

  it.each(functions)('%s loses its lock in a busy pool', async name => {
    const database = running.database();
    const held = (await database.held()).length;
    for (const { program, guarded } of running.instances(name)) {
      const { rounds, left } = await runRounds(database, program, guarded);
      const refused = rounds.filter(round => !round.released);
      if (resetting.has(file)) {
        expect(refused).toEqual(rounds);
        expect(left.length - held).toBe(0);
      } else {
        expect(refused.length).toBeGreaterThan(0);
        expect(refused.filter(({ lockPid, unlockPid }) => lockPid === unlockPid)).toEqual([]);
        expect(left.length - held).toBe(refused.length);
      }
      expect(rounds.every(round => round.ran)).toBe(true);
    }
  });

  it('is reported, each of its functions', async () => {
    const messages = await lintFixture(file)(sources.get(file) ?? '');
    expect(messages.filter(({ ruleId }) => ruleId === 'pg-advisory-lock/no-pooled-session-lock')).toHaveLength(functions.length);
    expect(messages.filter(({ ruleId }) => ruleId === 'pg-advisory-lock/no-cross-connection-unlock')).toHaveLength(functions.length);
  });
});

describe.each(Object.entries(files))('%s with the suggestions applied', (file, functions) => {
  let rewritten: Rewritten | undefined;
  const text = () => rewritten?.text ?? '';
  beforeAll(async () => {
    rewritten = await applySuggestions(sources.get(file) ?? '', lintFixture(file));
  });
  const running = useProgram(file, () => new Map([...sources, [file, text()]]), 2);

  it('is another text, with nothing left to report', () => {
    expect(rewritten?.applied.length).toBeGreaterThan(0);
    expect(rewritten?.messages).toEqual([]);
  });

  it('compiles', () => {
    expect(typeErrors(fixtures, new Map([...sources, [file, text()]]))).toEqual([]);
  });

  it.skipIf(endingByThemselves.has(file)).each(functions)('%s locks and unlocks on one connection of a busy pool', async name => {
    const database = running.database();
    for (const { program, guarded } of running.instances(name)) {
      const { rounds, left } = await runRounds(database, program, guarded);
      expect(rounds.filter(({ released }) => !released)).toEqual([]);
      expect(rounds.filter(({ lockPid, unlockPid }) => lockPid !== unlockPid)).toEqual([]);
      expect(rounds.every(({ ran }) => ran)).toBe(true);
      expect(left).toEqual([]);
    }
  });

  it.each(functions)('%s frees its lock when the work throws', async name => {
    const database = running.database();
    for (const { guarded } of running.instances(name)) {
      const work = () => Promise.reject(new Error('the work failed'));
      await expect(guarded(`failing ${name}`, work)).rejects.toThrow('the work failed');
      expect(await database.held()).toEqual([]);
    }
  });

  it.each(functions)('%s lets in one worker of two instances at a time', async name => {
    const { mostInside, ran, refusedUnlocks, left } = await contend(running.database(), running.instances(name));
    // A shared lock lets in all who share it.
    if (name === 'readPrices') expect(mostInside).toBeGreaterThan(1);
    else expect(mostInside).toBe(1);
    expect(ran).toBeGreaterThan(0);
    expect(refusedUnlocks).toBe(0);
    expect(left).toEqual([]);
  });
});

describe('the contest', () => {
  it('sees workers that nothing keeps apart', async () => {
    const database = await server.createDatabase();
    const program: Program = { guarded: new Map(), handleRequest: () => sleep(1), close: async () => {} };
    const guarded: Guarded = async (_name, work) => work().then(() => true);
    const { mostInside } = await contend(database, [{ program, guarded }, { program, guarded }]);
    expect(mostInside).toBeGreaterThan(1);
  });
});
