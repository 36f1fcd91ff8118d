import { compareKeys, type KeyEquality } from '../analysis/keys/keys.js';
import type { Key } from '../analysis/model.js';
import { isIn, type Collected, type Place, type Span } from './model.js';

/**
 * The unlocks in other functions and files of the locks that nothing in their own file frees: an unlock that is sent while the lock is
 * held, and one that frees nothing else and has the same key.
 */
export function withPartners(collected: readonly Collected[]): Collected[] {
  const unlocks = collected.filter(isOpenUnlock);
  const freed = new Map<Collected, Collected>();
  const all = collected.map((acquire): Collected => {
    if (!isLeftOver(acquire)) return acquire;
    const partners = unlocks.filter((unlock) => isSentWhileHeld(unlock, acquire) || isOfSameKey(unlock, acquire));
    for (const unlock of partners) if (!freed.has(unlock)) freed.set(unlock, acquire);
    return partners.length === 0 ? acquire : freedBy(acquire, partners);
  });
  return all.map((one) => {
    const acquire = one.statement.unlocks ? undefined : freed.get(one);
    return acquire ? { ...one, statement: { ...one.statement, unlocks: placeOf(acquire) } } : one;
  });
}

const placeOf = ({ statement: { file, line, within } }: Collected): Place => ({ file, line, within });

const isLeftOver = ({ statement: { operation, level, unlockedBy, guard }, isWaitedFor }: Collected): boolean =>
  (operation === 'acquire' || operation === 'try') && level === 'session' && unlockedBy.length === 0 && guard === 'nothing' && isWaitedFor;

/** An unlock that is not of its own function's lock alone. */
const isOpenUnlock = ({ statement: { operation, unlocks, within, level, file }, isWaitedFor }: Collected): boolean =>
  (operation === 'unlock' || operation === 'unlockAll') && level === 'session' && isWaitedFor && !(unlocks?.file === file && unlocks.within === within);

const fitsMode = (unlock: Collected, acquire: Collected): boolean => unlock.statement.operation === 'unlockAll' || unlock.statement.mode === acquire.statement.mode;

/** The calls by which an unlock is sent between the lock and the end of its function. */
function callsWhileHeld(unlock: Collected, { held }: Collected): Span[] {
  return held ? unlock.sentAt.filter((call) => isIn(call, held)) : [];
}

function isSentWhileHeld(unlock: Collected, acquire: Collected): boolean {
  if (!fitsMode(unlock, acquire)) return false;
  return callsWhileHeld(unlock, acquire).some((call) => {
    if (unlock.statement.operation === 'unlockAll') return true;
    const passed = unlock.passedAt.find((one) => isIn(one.call, call) && isIn(call, one.call));
    const equality = best(keysOf(acquire), [passed?.key ?? unlock.statement.key]);
    return equality === 'same' || (equality === 'unknown' && unlock.statement.unlocks === undefined);
  });
}

/** Of two functions that somebody else calls in turn, where both are left over. */
function isOfSameKey(unlock: Collected, acquire: Collected): boolean {
  return unlock.statement.operation === 'unlock' && unlock.statement.unlocks === undefined && fitsMode(unlock, acquire) && best(keysOf(acquire), keysOf(unlock)) === 'same';
}

/** The key, and what callers pass for it. */
const keysOf = ({ statement, passedAt }: Collected): Key[] => [statement.key, ...passedAt.map(({ key }) => key)];

function best(some: readonly Key[], others: readonly Key[]): KeyEquality {
  const found = some.flatMap((one) => others.map((other) => compareKeys(one, other)));
  return found.find((one) => one === 'same') ?? found.find((one) => one === 'unknown') ?? 'different';
}

/** The lock is held up to the last call that frees it. */
function freedBy(acquire: Collected, partners: readonly Collected[]): Collected {
  const ends = partners.flatMap((unlock) => callsWhileHeld(unlock, acquire).map(({ start }) => start));
  const held = acquire.held && ends.length > 0 ? { ...acquire.held, end: Math.max(...ends) } : acquire.held;
  return { ...acquire, held, statement: { ...acquire.statement, unlockedBy: partners.map(placeOf), guard: 'another function' } };
}
