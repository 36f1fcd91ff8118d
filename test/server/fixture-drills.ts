import { drizzle as drizzleOverPg } from 'drizzle-orm/node-postgres';
import { drizzle as drizzleOverPostgres } from 'drizzle-orm/postgres-js';
import type pg from 'pg';
import type postgres from 'postgres';
import type { LockEvent } from './server-log.js';
import type { Sessions } from './sessions.js';

/** One function of a fixture, about to be called. */
export interface Scene {
  readonly sessions: Sessions;
  readonly subject: (...args: unknown[]) => Promise<unknown>;
  /** The handles that the fixture has made, in order. */
  readonly opened: readonly unknown[];
  readonly source: string;
  /** The fixture with all suggestions taken: they may have taken an unlock out. */
  readonly isRewritten: boolean;
  events(): LockEvent[];
  /** Until no lock is held, or long enough: a session that is closed lets go of its locks in its own time. */
  untilFreed(): Promise<void>;
}

type Call = (scene: Scene) => Promise<unknown>;

export interface Drill {
  readonly fixture: string;
  readonly rule: string;
  readonly schema?: string;
  readonly calls: Readonly<Record<string, Call>>;
  /** Calls, and tells whether the fault shows. What is expected decides only how long to wait for its absence. */
  shows(scene: Scene, call: () => Promise<unknown>, expected: boolean): Promise<boolean>;
}

const fails = () => Promise.reject(new Error('the work failed'));
const succeeds = async () => {};

/** A lock is still held when the call has failed or returned. */
const leavesALock: Drill['shows'] = async ({ sessions, events, untilFreed }, call, expected) => {
  await call().catch(() => undefined);
  if (!events().some(({ operation }) => operation === 'lock')) throw new Error('No lock was taken.');
  if (!expected) await untilFreed();
  return (await sessions.holders()).length > 0;
};

/** PostgreSQL answered `false` to an unlock. */
const hasAnUnlockRefused: Drill['shows'] = async ({ events, isRewritten }, call) => {
  await call();
  const unlocks = events().filter(({ operation }) => operation === 'unlock');
  if (unlocks.length === 0 && isRewritten) return false;
  if (unlocks.length !== 1) throw new Error(`There were ${unlocks.length} unlocks.`);
  return unlocks[0]?.released === false;
};

/** The tables write down what is locked while they are written to. */
const guarded = (tables: string) => `
  CREATE TABLE worked (locks int);
  CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO worked SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted;
    RETURN NULL;
  END $$;
  ${tables}`;

const noting = (table: string) => `CREATE TRIGGER noting BEFORE INSERT OR UPDATE ON ${table} EXECUTE FUNCTION note();`;

async function locksDuringWork({ sessions }: Scene): Promise<number[]> {
  const { rows } = await sessions.database().query('SELECT locks FROM worked');
  return (rows as { locks: number }[]).map(({ locks }) => locks);
}

/** The work is done, and no lock is held meanwhile. */
const worksUnguarded: Drill['shows'] = async (scene, call) => {
  await call();
  const locks = await locksDuringWork(scene);
  if (locks.length !== 1) throw new Error(`The work was done ${locks.length} times.`);
  return locks[0] === 0;
};

/** Goes in when another holds the lock, or stays out when nobody does. */
const goesInRegardless: Drill['shows'] = async (scene, call) => {
  const goesIn = async () => {
    const before = (await locksDuringWork(scene)).length;
    const answer = await call();
    return answer === true || (await locksDuringWork(scene)).length > before;
  };
  const key = /advisory(?:_xact)?_lock\(([\d, ]+?)(?:, \$\{\w+\})?\)/.exec(scene.source)?.[1] ?? '';
  const full = /\$\{\w+\}\)/.test(scene.source.split('expect:')[0] ?? '') ? `${key}, 1` : key;
  const holder = await scene.sessions.connect();
  await holder.query(`SELECT pg_advisory_lock(${full})`);
  const whenRefused = await goesIn();
  await holder.query(`SELECT pg_advisory_unlock(${full})`);
  return whenRefused || !(await goesIn());
};

/** Not every lock function that is written there has reached the server. */
const isNotSent: Drill['shows'] = async ({ events, source }, call) => {
  await call();
  return events().length < (source.match(/pg_advisory_\w+\(/g) ?? []).length;
};

/** Opens a transaction on the connection of the lock and fails in it, so that the unlock fails, too. */
function brokenByWork(pool: pg.Pool): () => Promise<void> {
  let client: pg.PoolClient | undefined;
  pool.on('acquire', acquired => (client = acquired));
  return async () => {
    await client?.query('BEGIN');
    await client?.query('SELECT 1 / 0').catch(() => undefined);
  };
}

function brokenByWorkOfReserved(sql: postgres.Sql): () => Promise<void> {
  let reserved: postgres.ReservedSql | undefined;
  const reserve = sql.reserve.bind(sql);
  sql.reserve = async () => (reserved = await reserve());
  return async () => {
    await reserved?.unsafe('BEGIN');
    await reserved?.unsafe('SELECT 1 / 0').catch(() => undefined);
  };
}

const withWork = (work: () => Promise<unknown>, ...args: unknown[]): Call => ({ subject }) => subject(...args, work);
const withArguments = (...args: unknown[]): Call => ({ subject }) => subject(...args);
const onPool = (...args: unknown[]): Call => ({ subject, sessions }) => subject(sessions.pgPool(), ...args);
const onPostgres = (...args: unknown[]): Call => ({ subject, opened }) => (opened[0] as postgres.Sql).begin(tx => subject(tx, ...args));
const onClient = (work: () => Promise<unknown>): Call => async ({ subject, sessions }) => subject(await sessions.connect(), work);

/** Does the work on a connection of its own, wherever the lock is. */
const working = (table: string, ...args: unknown[]): Call => ({ subject, sessions }) =>
  subject(...args, async () => {
    await sessions.database().query(`UPDATE ${table} SET done = true`);
  });

const onTransactionOfPostgres = (...args: unknown[]): Call => ({ subject, sessions }) => sessions.postgresPool().begin(tx => subject(tx, ...args));
const onReserved = (...args: unknown[]): Call => async ({ subject, sessions }) => {
  const reserved = await sessions.postgresPool().reserve();
  try {
    return await subject(reserved, ...args);
  } finally {
    await reserved`SELECT pg_advisory_unlock_all()`;
    reserved.release();
  }
};
const onTransactionOfPg = (...args: unknown[]): Call => ({ subject, sessions }) => drizzleOverPg({ client: sessions.pgPool() }).transaction(tx => subject(tx, ...args));
const onTransactionOfJs = (...args: unknown[]): Call => ({ subject, sessions }) => drizzleOverPostgres({ client: sessions.postgresPool() }).transaction(tx => subject(tx, ...args));

const heldByAnother = (key: string, call: Call): Call => async scene => {
  await (await scene.sessions.connect()).query(`SELECT pg_advisory_lock(${key})`);
  return call(scene);
};

export const drills: readonly Drill[] = [
  {
    fixture: 'pg/pairs/lock-left-behind.ts',
    rule: 'no-leaked-lock',
    schema: 'CREATE TABLE task (id int, due timestamptz, done boolean)',
    shows: leavesALock,
    calls: {
      unlockOnSuccessOnly: onPool(fails),
      unlockInFinally: onPool(fails),
      earlyReturn: onPool(),
      neverUnlocked: onPool(succeeds),
      destroyedInstead: onPool(fails),
      continueSkipsTheUnlock: onPool([1]),
      failureOfUnlockSwallowed: ({ subject, sessions }) => {
        const pool = sessions.pgPool();
        return subject(pool, brokenByWork(pool));
      },
      failureOfUnlockDestroys: ({ subject, sessions }) => {
        const pool = sessions.pgPool();
        return subject(pool, brokenByWork(pool));
      },
      releasesWhatItsCallerLocked: async ({ subject, sessions }) => {
        const client = await sessions.pgPool().connect();
        await client.query('SELECT pg_advisory_lock(2009)');
        return subject(client, fails);
      },
    },
  },
  {
    fixture: 'postgres/leaks/reserved.ts',
    rule: 'no-leaked-lock',
    schema: 'CREATE TABLE clip (id int, encoded_at timestamptz)',
    shows: leavesALock,
    calls: {
      unlockOnSuccessOnly: withWork(fails),
      earlyReturn: withWork(succeeds),
      neverUnlocked: withWork(succeeds),
      unlockErrorSwallowed: ({ subject, opened }) => subject(brokenByWorkOfReserved(opened[0] as postgres.Sql)),
      continueSkipsUnlock: withWork(() => Promise.resolve(false), [1]),
      unlockedOnEveryPath: withWork(fails),
    },
  },
  {
    fixture: 'postgres/leaks/one-connection.ts',
    rule: 'no-leaked-lock',
    shows: leavesALock,
    calls: { throwLeavesIt: withWork(fails), finallyFreesIt: withWork(fails), endsWithItsClient: withWork(fails) },
  },
  {
    fixture: 'drizzle/leaks/checked-out-client.ts',
    rule: 'no-leaked-lock',
    shows: leavesALock,
    calls: {
      successOnly: withWork(fails),
      neverFreed: withWork(succeeds),
      errorSwallowed: ({ subject, opened }) => subject(brokenByWork(opened[0] as pg.Pool)),
      destroyedOnError: ({ subject, opened }) => subject(brokenByWork(opened[0] as pg.Pool)),
      alwaysDestroyed: withWork(fails),
    },
  },
  {
    // Their tables are not there: the work fails, and the transaction with it.
    fixture: 'pg/pairs/inside-a-transaction.ts',
    rule: 'no-session-lock-in-transaction',
    shows: leavesALock,
    calls: { takenAfterBegin: onPool(), freedBeforeCommit: onPool(), freedBeforeRollback: onPool(), freedAfterTheTransaction: onPool() },
  },
  {
    fixture: 'postgres/transactions/session-lock-in-begin.ts',
    rule: 'no-session-lock-in-transaction',
    shows: leavesALock,
    calls: {
      lockAndUnlock: withArguments(1),
      readUnlock: withArguments(1),
      neverUnlocked: withArguments(1),
      inSavepoint: withArguments(1),
      inParameter: onPostgres(1),
      transactionLevel: withArguments(1),
    },
  },
  {
    fixture: 'postgres/transactions/begin-on-reserved.ts',
    rule: 'no-session-lock-in-transaction',
    shows: leavesALock,
    calls: { unlockAfterTheEnd: withArguments(1), unlockBeforeTheEnd: withArguments(1), transactionLevelInside: withArguments(1) },
  },
  {
    fixture: 'drizzle/transactions/session-lock-in-transaction.ts',
    rule: 'no-session-lock-in-transaction',
    shows: leavesALock,
    calls: { lockAndUnlock: withArguments(1), tryOnly: withArguments(1), nested: withArguments(1), parameter: onTransactionOfPg(1), transactionLevel: withArguments(1) },
  },
  {
    fixture: 'pg/pairs/mismatched.ts',
    rule: 'no-mismatched-unlock',
    shows: hasAnUnlockRefused,
    calls: {
      otherMode: onClient(succeeds),
      otherForm: onClient(succeeds),
      otherConstant: onClient(succeeds),
      otherHash: onClient(succeeds),
      otherLevel: onClient(succeeds),
      lostLock: heldByAnother('2026', onClient(succeeds)),
      matching: onClient(succeeds),
    },
  },
  {
    fixture: 'postgres/keys/mismatched.ts',
    rule: 'no-mismatched-unlock',
    schema: 'CREATE TABLE vehicle (id int, seen timestamptz)',
    shows: hasAnUnlockRefused,
    calls: {
      otherMode: withWork(succeeds),
      otherNumberOfKeys: withWork(succeeds),
      otherHash: withWork(succeeds, 'M-AB 12'),
      lockOfTheTransaction: withArguments(1),
      lostTry: heldByAnother('3704, 1', withWork(succeeds, 1)),
      matching: withWork(succeeds, 'M-AB 12'),
    },
  },
  {
    fixture: 'postgres/transactions/outside-a-transaction.ts',
    rule: 'no-xact-lock-outside-transaction',
    schema: guarded(`CREATE TABLE payment (month text, done boolean); CREATE TABLE due (month text, done boolean); ${noting('payment')}`),
    shows: worksUnguarded,
    calls: {
      onPool: working('payment', 'May'),
      tryOnPool: working('payment', 'May'),
      onReserved: working('payment', 'May'),
      onOneConnection: withArguments('May'),
      rootInsideBegin: withArguments('May'),
      transactionEndsTooEarly: working('payment', 'May'),
      inBegin: withArguments('May'),
      beginWithArray: withArguments('May'),
    },
  },
  {
    fixture: 'drizzle/transactions/outside-a-transaction.ts',
    rule: 'no-xact-lock-outside-transaction',
    schema: guarded(`CREATE TABLE show (id int, sold int, done boolean); ${noting('show')}`),
    shows: worksUnguarded,
    calls: {
      onRoot: withArguments(1),
      onCheckedOutClient: withArguments(1),
      rootWithinTransaction: withArguments(1),
      transactionOfTheLockOnly: working('show', 1),
      inTransaction: withArguments(1),
      transactionOfPinnedDatabase: withArguments(1),
    },
  },
  {
    fixture: 'postgres/try-answers/not-read.ts',
    rule: 'no-unchecked-try-lock',
    schema: guarded(`CREATE TABLE draw (id int, done boolean); ${noting('draw')}`),
    shows: goesInRegardless,
    calls: {
      dropped: onTransactionOfPostgres(1),
      resultTested: onTransactionOfPostgres(1),
      lengthTested: onTransactionOfPostgres(1),
      rowTested: onReserved(),
      countTested: onReserved(),
      otherColumnTested: onReserved(),
      read: onTransactionOfPostgres(1),
      readAsPresenceOfARow: onTransactionOfPostgres(),
    },
  },
  {
    fixture: 'drizzle/try-answers/not-read.ts',
    rule: 'no-unchecked-try-lock',
    schema: guarded(`CREATE TABLE pass (id int, used boolean); ${noting('pass')}`),
    shows: goesInRegardless,
    calls: {
      dropped: onTransactionOfPg(1),
      rowsTested: onTransactionOfPg(),
      rowTested: onTransactionOfPg(),
      rowCountTested: onTransactionOfPg(),
      otherColumnTested: onTransactionOfPg(),
      arrayTested: onTransactionOfJs(),
      lengthTested: onTransactionOfJs(),
      selectRowTested: onTransactionOfJs(),
      readOfResult: onTransactionOfPg(),
      readOfArray: onTransactionOfJs(),
      readOfSelect: onTransactionOfJs(),
    },
  },
  {
    fixture: 'postgres/floating/never-sent.ts',
    rule: 'no-floating-lock-query',
    schema: 'CREATE TABLE cart (id int, closed boolean)',
    shows: isNotSent,
    calls: {
      lockNotAwaited: onTransactionOfPostgres(1),
      unlockVoided: onReserved(succeeds),
      inForEach: onTransactionOfPostgres([1]),
      awaited: onTransactionOfPostgres([1]),
      returned: onTransactionOfPostgres(),
      inPromiseAll: onTransactionOfPostgres([1]),
    },
  },
  {
    fixture: 'drizzle/floating/never-sent.ts',
    rule: 'no-floating-lock-query',
    schema: 'CREATE TABLE pallet (id int, moved timestamptz); CREATE PROCEDURE move_pallets() LANGUAGE sql AS $$ SELECT 1 $$',
    shows: isNotSent,
    calls: {
      lockNotAwaited: onTransactionOfPg(1),
      unlockVoided: async ({ subject, sessions }) => subject(drizzleOverPg({ client: await sessions.connect() }), succeeds),
      selectNotAwaited: onTransactionOfPg(),
      awaited: onTransactionOfPg(),
      returned: onTransactionOfPg(),
    },
  },
];
