import type { LockFunction, LockMode, LockOperation } from './model.js';

/**
 * The advisory-lock functions of PostgreSQL, all that `pg_proc` has of them.
 * Source: https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-ADVISORY-LOCKS
 */
export const lockFunctions: readonly LockFunction[] = [
  { name: 'pg_advisory_lock', operation: 'acquire', level: 'session', mode: 'exclusive' },
  { name: 'pg_advisory_lock_shared', operation: 'acquire', level: 'session', mode: 'shared' },
  { name: 'pg_advisory_unlock', operation: 'unlock', level: 'session', mode: 'exclusive' },
  { name: 'pg_advisory_unlock_all', operation: 'unlockAll', level: 'session', mode: undefined },
  { name: 'pg_advisory_unlock_shared', operation: 'unlock', level: 'session', mode: 'shared' },
  { name: 'pg_advisory_xact_lock', operation: 'acquire', level: 'transaction', mode: 'exclusive' },
  { name: 'pg_advisory_xact_lock_shared', operation: 'acquire', level: 'transaction', mode: 'shared' },
  { name: 'pg_try_advisory_lock', operation: 'try', level: 'session', mode: 'exclusive' },
  { name: 'pg_try_advisory_lock_shared', operation: 'try', level: 'session', mode: 'shared' },
  { name: 'pg_try_advisory_xact_lock', operation: 'try', level: 'transaction', mode: 'exclusive' },
  { name: 'pg_try_advisory_xact_lock_shared', operation: 'try', level: 'transaction', mode: 'shared' },
];

const byName: ReadonlyMap<string, LockFunction> = new Map(lockFunctions.map((row) => [row.name, row]));

/** The function of that exact name, as PostgreSQL stores it: an unquoted name must be folded to lower case before. */
export function findLockFunction(name: string): LockFunction | undefined {
  return byName.get(name);
}

/** The session-level function that frees what a function of this mode takes; transaction-level locks have none. */
export function findUnlockFunction(mode: LockMode): LockFunction | undefined {
  return lockFunctions.find((row) => row.operation === 'unlock' && row.mode === mode);
}

/** The number of arguments that a function of this operation takes: one bigint or two ints, and none to free all. */
export function takesArguments(operation: LockOperation, count: number): boolean {
  return operation === 'unlockAll' ? count === 0 : count === 1 || count === 2;
}
