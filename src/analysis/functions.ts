import { findUnlockFunction, lockFunctions } from '../sql/index.js';
import type { LockFunction } from '../sql/model.js';
import type { LockUse } from './model.js';

/** Functions that belong to the one of a use. */

/** What frees a session-level lock: the unlock of its mode. */
export function unlockFunctionOf({ lock: { function: { mode } } }: LockUse): LockFunction | undefined {
  return mode && findUnlockFunction(mode);
}

/** What takes the same lock for the transaction. */
export function transactionFunctionOf({ lock: { function: { operation, mode } } }: LockUse): LockFunction | undefined {
  return lockFunctions.find((one) => one.level === 'transaction' && one.operation === operation && one.mode === mode);
}
