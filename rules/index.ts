// Written by `npm run update`.
import noCrossConnectionUnlock from './no-cross-connection-unlock.js';
import noPooledSessionLock from './no-pooled-session-lock.js';
import noUncheckedUnlock from './no-unchecked-unlock.js';

export const rules = {
  'no-cross-connection-unlock': noCrossConnectionUnlock,
  'no-pooled-session-lock': noPooledSessionLock,
  'no-unchecked-unlock': noUncheckedUnlock,
};
