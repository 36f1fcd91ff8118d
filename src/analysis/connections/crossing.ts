import { isPinned, isWithoutSession } from './sessions.js';
import type { FileFacts } from '../facts.js';
import type { LockUse } from '../model.js';
import { differs, type Pair } from '../pairs.js';
import { isKeptByAll } from '../sessions/own-pool.js';

export type Crossing = 'bothPooled' | 'acquiredOnPool' | 'unlockedOnPool' | 'twoConnections';

/** How the two calls of a pair miss one pinned connection; `undefined` where they may be on one. */
export function crossingOf({ acquire, unlock, isPassedApart }: Pair): Crossing | undefined {
  const [taken, freed] = [acquire.call.connection, unlock.call.connection];
  if (isKeptByAll(freed) && freed.made !== undefined && freed.made === taken.made) return undefined;
  if (isWithoutSession(freed)) return isWithoutSession(taken) ? 'bothPooled' : 'unlockedOnPool';
  if (!isPinned(freed)) return undefined;
  if (isWithoutSession(taken)) return 'acquiredOnPool';
  return isPinned(taken) && (isPassedApart || differs(taken, freed)) ? 'twoConnections' : undefined;
}

/** Whether an unlock is not on one connection with its lock, or on none that could have it. */
export function isAstray(unlock: LockUse, { pairs }: FileFacts): boolean {
  const pair = pairs.of(unlock);
  return isWithoutSession(unlock.call.connection) || (pair !== undefined && crossingOf(pair) !== undefined);
}
