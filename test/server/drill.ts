import { setTimeout as sleep } from 'node:timers/promises';
import type { HeldLock, TestDatabase } from './database.js';
import { startLoad } from './load.js';
import type { LockEvent } from './server-log.js';

/** A function under test: runs `work` under a lock of that name, and tells whether it did. */
export type Guarded = (name: string, work: () => Promise<void>) => Promise<boolean>;

/** What a fixture offers: guarded functions, a request that any user may send meanwhile, and the end of its pool. */
export interface Program {
  readonly guarded: ReadonlyMap<string, Guarded>;
  handleRequest(): Promise<unknown>;
  close(): Promise<void>;
}

export interface Round {
  readonly name: string;
  readonly ran: boolean;
  readonly lockPid: number;
  readonly unlockPid: number;
  /** What the unlock answered. */
  readonly released: boolean;
}

export interface Outcome {
  readonly rounds: readonly Round[];
  /** Locks that are still held when all is done and the pool is still open. */
  readonly left: readonly HeldLock[];
}

export interface Contest {
  /** The most workers that were inside the guarded section of one key at once. */
  readonly mostInside: number;
  readonly ran: number;
  readonly refusedUnlocks: number;
  readonly left: readonly HeldLock[];
}

/** Imports the program with `url` as its database; the fixtures read the variable while they load. */
export async function startProgram(url: string, load: () => Promise<Record<string, unknown>>): Promise<Program> {
  process.env['DATABASE_URL'] = url;
  const { handleRequest, close, ...rest } = (await load()) as Record<string, () => Promise<void>>;
  if (!handleRequest || !close) throw new Error('A fixture exports handleRequest and close.');
  const functions = Object.entries(rest).filter(([, value]) => typeof value === 'function');
  return { guarded: new Map(functions as unknown as [string, Guarded][]), handleRequest, close };
}

let drills = 0;

/** One lock a round, each under a name of its own, while the same pool serves requests. */
export async function runRounds(database: TestDatabase, program: Program, guarded: Guarded, rounds = 20): Promise<Outcome> {
  const load = startLoad(program.handleRequest);
  const before = database.events().length;
  // Functions of one program may make the same key of the same name.
  const series = ++drills;
  const results = new Map<string, boolean>();
  try {
    await load.underWay();
    for (let round = 1; round <= rounds; round++) {
      const name = `drill ${series} round ${round}`;
      results.set(name, await guarded(name, () => sleep(Math.random() * 4)));
    }
  } finally {
    await load.stop();
  }
  const events = database.events().slice(before);
  return { rounds: Array.from(results, ([name, ran]) => toRound(name, ran, events)), left: await database.held() };
}

function toRound(name: string, ran: boolean, events: readonly LockEvent[]): Round {
  const [lock, unlock, ...more] = events.filter(event => event.key.includes(`'${name}'`));
  if (lock?.operation !== 'lock' || unlock?.operation !== 'unlock' || more.length > 0) {
    throw new Error(`${name} should send one lock and one unlock: ${JSON.stringify([lock, unlock, ...more])}`);
  }
  return { name, ran, lockPid: lock.pid, unlockPid: unlock.pid, released: unlock.released };
}

/** Two instances of a program, each with several workers, fight for one key while both pools serve requests. */
export async function contend(
  database: TestDatabase,
  instances: readonly { readonly program: Program; readonly guarded: Guarded }[],
  rounds = 6,
): Promise<Contest> {
  const loads = instances.map(({ program }) => startLoad(program.handleRequest));
  const before = database.events().length;
  const series = ++drills;
  let [inside, mostInside, ran] = [0, 0, 0];
  const work = async () => {
    mostInside = Math.max(mostInside, ++inside);
    await sleep(5);
    inside--;
    ran++;
  };
  try {
    await Promise.all(loads.map(load => load.underWay()));
    for (let round = 1; round <= rounds; round++) {
      // Two a pool: each may hold a connection while it waits, and the requests need the rest.
      const workers = [...instances, ...instances];
      await Promise.all(workers.map(({ guarded }) => guarded(`contest ${series} round ${round}`, work)));
    }
  } finally {
    await Promise.all(loads.map(load => load.stop()));
  }
  const refused = database.events().slice(before).filter(({ operation, released }) => operation === 'unlock' && !released);
  return { mostInside, ran, refusedUnlocks: refused.length, left: await database.held() };
}
