import { keyText } from '../analysis/keys/text.js';
import type { Inventory, LockStatement, OpposedOrder, Place } from './model.js';

/** What the table, the Markdown and the pictures say alike. */

export const at = ({ file, line }: Place): string => `${file}:${line}`;

/** A key for people; `pg_advisory_unlock_all` has none. */
export const keyOf = ({ key, operation }: LockStatement): string => (operation === 'unlockAll' ? 'all' : keyText(key));

/** How many of the keys that callers pass are told. */
const MAX_PASSED = 4;

/** The same with what callers pass for it: `key (42, 43)`. */
export function keysOf(one: LockStatement): string {
  const shown = one.passed.slice(0, MAX_PASSED);
  return shown.length === 0 ? keyOf(one) : `${keyOf(one)} (${shown.join('; ')}${one.passed.length > shown.length ? '; ...' : ''})`;
}

const OPERATIONS = { acquire: 'lock', try: 'try', unlock: 'unlock', unlockAll: 'unlock all' } as const;
export const operationOf = ({ operation }: LockStatement): string => OPERATIONS[operation];

export const isTaking = ({ operation }: LockStatement): boolean => operation === 'acquire' || operation === 'try';

/** Who frees what is taken, or what an unlock frees. Within one file the line is enough. */
export function partnersOf(one: LockStatement): string {
  const short = (place: Place): string => (place.file === one.file ? `line ${place.line}` : at(place));
  if (!isTaking(one)) return one.unlocks ? `frees ${short(one.unlocks)}` : one.operation === 'unlockAll' ? 'frees all' : 'frees nothing in view';
  if (one.unlockedBy.length > 0) return [...new Set(one.unlockedBy.map(short))].join(', ');
  if (one.level === 'transaction') return 'end of transaction';
  return one.guard === 'session' ? 'end of session' : 'nobody in view';
}

export const guardOf = ({ guard }: LockStatement): string => guard ?? '';

/** "`42` is taken in 2 places: a.ts:3 (nightly), b.ts:9 (hourly)." */
export function sharedLines({ sharedKeys }: Inventory): string[] {
  return sharedKeys.map(({ key, places }) => {
    const functions = new Set(places.map((one) => `${one.file} ${one.within}`)).size;
    return `\`${key}\` is taken by ${functions} functions${places.every(({ mode }) => mode === 'shared') ? '' : ', which keep each other out'}: ${places.map(named).join(', ')}.`;
  });
}

const named = (place: Place): string => `${at(place)} (${place.within})`;

/** "`1`, then `2` at a.ts:3 and 4; `2`, then `1` at b.ts:9 and 10." */
export function orderLines({ opposedOrders }: Inventory): string[] {
  const places = (pairs: OpposedOrder['forth']): string => pairs.map(([first, second]) => `${named(first)} and ${named(second)}`).join(', ');
  return opposedOrders.map(({ keys: [one, other], forth, back }) =>
    `\`${one}\` is held while \`${other}\` is waited for: ${places(forth)}. The other way round: ${places(back)}. Two that run at the same time may wait for each other; take them in one order.`);
}

/** How many callers are told of a function. */
const MAX_CALLERS = 10;

/** "a.ts:3 (nightly), b.ts:9 (hourly)" */
export function callersOf({ callers }: LockStatement): string {
  const more = callers.length - MAX_CALLERS;
  return `${callers.slice(0, MAX_CALLERS).map(named).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export const SHARED_TITLE = 'Keys that more than one function takes';
export const ORDERS_TITLE = 'Keys that are taken in both orders (deadlock)';

const WIDE = /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Extended_Pictographic}/u;

/** The characters of a text, an emoji being one. */
export const charactersOf = (text: string): string[] => Array.from(text);

/** How many columns a text takes in a monospaced font. */
export const widthOf = (text: string): number => charactersOf(text).reduce((sum, one) => sum + (WIDE.test(one) ? 2 : 1), 0);
