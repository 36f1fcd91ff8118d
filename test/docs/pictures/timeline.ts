import { once } from 'node:events';
import type pg from 'pg';
import { type TestDatabase, createTestDatabase } from '../../server/database.js';
import { startServer } from '../../server/postgres-server.js';
import { loadSources } from '../../server/run-source.js';
import type { LockEvent } from '../../server/server-log.js';
import { firstExample } from './example.js';
import { type Look, type Picture, box, path, picture, text, widestCell, width } from './svg.js';

/** One call of lock or unlock, as the server saw it. Connections are numbered in the order in which they were used. */
export interface Call {
  readonly sql: string;
  readonly connection: number;
  readonly answer: boolean;
  /** What the server warned of. */
  readonly warning: string | undefined;
}

export interface Story {
  /** The lock and the unlock of the first call of the job, then the lock of the second. */
  readonly calls: readonly Call[];
  /** The connection that another request got while the job ran. */
  readonly borrowed: number;
  /** How often the job ran in two calls. */
  readonly runs: number;
  /** Who holds a lock in the end. */
  readonly holders: readonly number[];
}

interface ExampleModule {
  readonly pool: pg.Pool;
  nightly(work: () => Promise<void>): Promise<void>;
}

/** Two calls of the job: whether each of them did its work, and who borrowed a connection meanwhile. */
interface Drill {
  readonly ran: readonly boolean[];
  readonly borrowers: readonly number[];
  readonly warnings: readonly string[];
}

/** Runs the README's first example twice on a server, while another request takes a connection of the same pool. */
export async function observe(): Promise<Story> {
  const server = await startServer();
  try {
    const database = await createTestDatabase(server);
    try {
      const code = firstExample();
      const { drill, holders } = await runOn(database, code);
      return storyOf(code, database.events(), drill, holders);
    } finally {
      await database.close();
    }
  } finally {
    await server.stop();
  }
}

async function runOn(database: TestDatabase, code: string): Promise<{ drill: Drill; holders: number[] }> {
  const reachable = code.replace('const pool = new Pool()', `export const pool = new Pool({ connectionString: '${database.url}' })`);
  const sources = loadSources(new Map([['nightly.ts', reachable]]));
  try {
    const { pool, nightly } = (await sources.import('nightly.ts')) as unknown as ExampleModule;
    const warnings: string[] = [];
    const ends: Promise<unknown>[] = [];
    pool.on('connect', (client) => {
      client.on('notice', ({ message }) => { warnings.push(message ?? ''); });
      ends.push(once(client, 'end'));
    });
    const borrowed: pg.PoolClient[] = [];
    try {
      const ran: boolean[] = [];
      const borrowers: number[] = [];
      for (const call of [0, 1]) {
        ran[call] = false;
        await nightly(async () => {
          ran[call] = true;
          const client = await pool.connect();
          borrowed.push(client);
          const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
          borrowers.push(...rows.map(({ pid }) => pid));
        });
      }
      return { drill: { ran, borrowers, warnings }, holders: (await database.held()).map(({ pid }) => pid) };
    } finally {
      for (const client of borrowed) client.release();
      await pool.end();
      // The pool does not wait for its connections to close, and the server would end them with an error.
      await Promise.all(ends);
    }
  } finally {
    sources.remove();
  }
}

function storyOf(code: string, events: readonly LockEvent[], { ran, borrowers, warnings }: Drill, holders: readonly number[]): Story {
  const pids = [...new Set(events.map(({ pid }) => pid))];
  const numberOf = (pid: number | undefined) => pids.indexOf(pid ?? 0) + 1;
  const [locked, warned] = [[...ran], [...warnings]];
  const calls = events.map(({ pid, operation, released }): Call => ({
    sql: statementOf(code, operation),
    connection: numberOf(pid),
    answer: operation === 'lock' ? locked.shift() === true : released,
    warning: operation === 'unlock' && !released ? warned.shift() : undefined,
  }));
  return { calls, borrowed: numberOf(borrowers[0]), runs: ran.filter(Boolean).length, holders: holders.map(numberOf) };
}

function statementOf(code: string, operation: 'lock' | 'unlock'): string {
  return new RegExp(`pg_(?:try_)?advisory_${operation}\\(\\d+\\)`).exec(code)?.[0] ?? operation;
}

const codeAt = 24;
const connectionsAt = [0, 300, 540];
const row = 40;
const top = 36;

/** The calls from top to bottom, a line for each connection, and a bar on it for as long as it holds the lock. */
export function timelinePicture(story: Story): Picture {
  const [lock, unlock, next] = story.calls;
  if (!lock || !unlock || !next) throw new Error(`Three calls were expected: ${JSON.stringify(story)}`);
  const yAt = (at: number) => top - 12 + row * at;
  const end = yAt(6) + 16;
  const x = (connection: number) => connectionsAt[connection] ?? 0;
  const key = /\d+/.exec(lock.sql)?.[0] ?? '';
  const heldTo = story.holders.includes(lock.connection) ? end : yAt(3);

  const content = [
    text('Your code', codeAt, 26, 'dim'),
    ...[1, 2].flatMap((connection) => [text(`Connection ${String(connection)}`, x(connection) - 8, 26, 'dim'), path('faint', `M${String(x(connection))} ${String(top)}V${String(end)}`)]),
    box('held', x(lock.connection) - 5, yAt(1), 10, heldTo - yAt(1), 3),
    ...call(lock, yAt(1), x, `, holds ${key}`),
    text('the job runs', codeAt, yAt(2) + 4),
    text('borrowed by another request', x(story.borrowed) + 14, yAt(2) + 4, 'dim'),
    ...call(unlock, yAt(3), x),
    text('the next call of the job:', codeAt, yAt(4) + 12, 'dim'),
    ...call(next, yAt(5), x),
    text(story.runs === 1 ? 'the job is skipped' : 'the job runs', codeAt, yAt(6) + 4, story.runs === 1 ? 'red' : 'plain'),
    ...story.holders.map((holder) => text(`still holds ${key}`, x(holder) + 14, yAt(6) + 4, 'red')),
    path('faint', `M0 ${String(end + 12)}H${String(width)}`),
    text('A run of this code on a PostgreSQL server; its process ids are shown as 1 and 2.', codeAt, end + 34, 'dim'),
  ];
  return picture(end + 48, wordsOf(story, key), content);
}

function call({ sql, connection, answer, warning }: Call, y: number, x: (connection: number) => number, more = ''): string[] {
  const look: Look = answer ? 'green' : 'red';
  const [from, to] = [codeAt + sql.length * widestCell + 10, x(connection) - 7];
  return [
    text(sql, codeAt, y + 4),
    path(look, `M${String(from)} ${String(y)}H${String(to)}m-6 -4l6 4l-6 4`),
    text(`answers ${String(answer)}${answer ? more : ''}`, x(connection) + 14, y + 4, look),
    ...(warning === undefined ? [] : [text(warning, x(connection) + 14, y + 22, 'dim')]),
  ];
}

function wordsOf({ calls, borrowed, runs, holders }: Story, key: string): string {
  const told = calls.map(({ sql, connection, answer, warning }) => `${sql} on connection ${String(connection)} answers ${String(answer)}${warning === undefined ? '' : ` (${warning})`}`);
  const [lock, unlock, next] = told;
  const outcome = runs === 1 ? 'the job is skipped' : 'the job runs';
  const left = holders.map((holder) => `, and connection ${String(holder)} still holds ${key}`).join('');
  return `Timeline: ${String(lock)}. The job runs, and another request borrows connection ${String(borrowed)}. ${String(unlock)}. At the next call of the job, ${String(next)}: ${outcome}${left}.`;
}
