import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '../database.js';
import { startLoad } from '../load.js';
import type { RunningServer } from '../postgres-server.js';
import { loadSources, type Sources } from '../run-source.js';
import type { LockEvent } from '../server-log.js';

/** One lock and the unlock that was meant for it. */
export interface Sample {
  readonly lockPid: number;
  readonly unlockPid: number;
  readonly released: boolean;
}

/** What became of the app's jobs in a row of ticks. */
export interface Run {
  /** Jobs that were due, and those of them that were done. */
  readonly due: number;
  readonly done: number;
  readonly notices: number;
  readonly unlocks: number;
  readonly refused: number;
  /** Where the lock and the unlock ran on two connections, the first such; else the first of all. */
  readonly sample: Sample | undefined;
  readonly left: number;
  /** What ticks threw. */
  readonly errors: readonly string[];
}

type Ticks = Pick<Run, 'done' | 'errors'>;

const ticks = 30;
const jobs = 2;
const readers = 10;

interface App {
  tick(): Promise<string[]>;
  howOftenLent(title: string): Promise<number>;
  closeDatabase(): Promise<void>;
}

/** Runs the app's own files against a database of their own, with or without readers who use the site meanwhile. */
export async function runApp(server: RunningServer, folder: string, sources: Sources, traffic: 'quiet' | 'busy'): Promise<Run> {
  const database = await createTestDatabase(server);
  await database.query(readFileSync(path.join(folder, 'schema.sql'), 'utf8'));
  process.env['DATABASE_URL'] = database.url;
  const loaded = loadSources(sources);
  const modules = await Promise.all(['src/db.ts', 'src/tick.ts', 'src/catalogue.ts'].map(file => loaded.import(file)));
  const app = Object.assign({}, ...modules) as App;
  try {
    return await summary(database, await tickAway(app, traffic));
  } finally {
    await app.closeDatabase();
    await database.close();
    loaded.remove();
  }
}

/** The clock is turned, not waited for: one tick follows the other. */
async function tickAway(app: App, traffic: 'quiet' | 'busy'): Promise<Ticks> {
  let title = 0;
  const load = startLoad(() => app.howOftenLent(`book ${title++ % 100}`), traffic === 'busy' ? readers : 0);
  let done = 0;
  const errors: string[] = [];
  try {
    if (traffic === 'busy') await load.underWay();
    for (let count = 0; count < ticks; count++) {
      try {
        done += (await app.tick()).length;
      } catch (error) {
        errors.push(String(error));
      }
    }
  } finally {
    await load.stop();
  }
  return { done, errors };
}

async function summary(database: TestDatabase, ticked: Ticks): Promise<Run> {
  const pairs = pairUp(database.events());
  const { rows } = await database.query('SELECT count(*)::int AS notices FROM outbox');
  return {
    ...ticked,
    due: ticks * jobs,
    notices: (rows as { notices: number }[])[0]?.notices ?? 0,
    unlocks: pairs.length,
    refused: pairs.filter(({ released }) => !released).length,
    sample: pairs.find(({ released }) => !released) ?? pairs[0],
    left: (await database.held()).length,
  };
}

/** Jobs run one after the other, so that an unlock belongs to the last lock of its key. */
function pairUp(events: readonly LockEvent[]): Sample[] {
  const lastLock = new Map<string, number>();
  return events.flatMap(({ operation, key, pid, released }) => {
    if (operation === 'lock') lastLock.set(key, pid);
    const lockPid = lastLock.get(key);
    return operation === 'unlock' && lockPid !== undefined ? [{ lockPid, unlockPid: pid, released }] : [];
  });
}
