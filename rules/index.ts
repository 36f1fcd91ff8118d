// Written by `npm run update`.
import noCrossConnectionUnlock from './no-cross-connection-unlock.js';
import noFloatingLockQuery from './no-floating-lock-query.js';
import noLeakedLock from './no-leaked-lock.js';
import noMismatchedUnlock from './no-mismatched-unlock.js';
import noPooledSessionLock from './no-pooled-session-lock.js';
import noRowDrivenLock from './no-row-driven-lock.js';
import noSessionLockInTransaction from './no-session-lock-in-transaction.js';
import noUncheckedTryLock from './no-unchecked-try-lock.js';
import noUncheckedUnlock from './no-unchecked-unlock.js';
import noUnsafeLockKey from './no-unsafe-lock-key.js';
import noVoidLockQuery from './no-void-lock-query.js';
import noXactLockOutsideTransaction from './no-xact-lock-outside-transaction.js';

export const rules = {
  'no-cross-connection-unlock': noCrossConnectionUnlock,
  'no-floating-lock-query': noFloatingLockQuery,
  'no-leaked-lock': noLeakedLock,
  'no-mismatched-unlock': noMismatchedUnlock,
  'no-pooled-session-lock': noPooledSessionLock,
  'no-row-driven-lock': noRowDrivenLock,
  'no-session-lock-in-transaction': noSessionLockInTransaction,
  'no-unchecked-try-lock': noUncheckedTryLock,
  'no-unchecked-unlock': noUncheckedUnlock,
  'no-unsafe-lock-key': noUnsafeLockKey,
  'no-void-lock-query': noVoidLockQuery,
  'no-xact-lock-outside-transaction': noXactLockOutsideTransaction,
};
