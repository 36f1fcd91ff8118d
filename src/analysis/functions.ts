import { findUnlockFunction, lockFunctions } from '../sql/index.js';
import type { LockFunction } from '../sql/model.js';
import type { LockUse } from './model.js';

/** Functions that belong to the one of a use. */

/** What frees a session-level lock: the unlock of its mode. */
export function unlockFunctionOf({ lock: { function: { mode } } }: LockUse): LockFunction | undefined {
  return mode && findUnlockFunction(mode);
}

/** What takes the same lock for the transaction, waits for it or not; for an unlock, what takes the lock that it frees. */
export function transactionFunctionOf({ lock: { function: { operation, mode } } }: Pick<LockUse, 'lock'>): LockFunction | undefined {
  const wanted = operation === 'try' ? 'try' : 'acquire';
  return lockFunctions.find((one) => one.level === 'transaction' && one.operation === wanted && one.mode === mode);
}
