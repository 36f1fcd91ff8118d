import { isFixed, keyText } from '../analysis/keys/text.js';
import { compareKeys } from '../analysis/keys/keys.js';
import type { Key } from '../analysis/model.js';
import { isIn, type Collected, type Inventory, type LockStatement, type OpposedOrder, type Position, type SharedKey, type Taking } from './model.js';
import { withPartners } from './partners.js';

/** What only shows when the files of a repository are seen together. */
export function inventoryOf(collected: readonly Collected[], findingsAt: (place: Position & { readonly file: string }) => readonly string[]): Inventory {
  const all = withPartners(collected).map((one): Full => ({ ...one, statement: { ...one.statement, findings: findingsOf(one, findingsAt) } })).sort((one, other) => byPlace(one.statement, other.statement));
  const acquires = all.filter(({ statement: { operation } }) => operation === 'acquire' || operation === 'try');
  const passedKeys = new Map(all.map(({ statement, passedAt }) => [statement, passedAt.map(({ key }) => key)]));
  return { statements: all.map(({ statement }) => statement), passedKeys, sharedKeys: sharedKeys(acquires), opposedOrders: opposedOrders(acquires) };
}

function findingsOf({ statement, reportedAt }: Collected, findingsAt: (place: Position & { readonly file: string }) => readonly string[]): string[] {
  return [...new Set([statement, ...reportedAt.map((place) => ({ file: statement.file, ...place }))].flatMap((place) => findingsAt(place)))];
}

interface Full extends Collected {
  readonly statement: LockStatement;
}

const byPlace = (one: LockStatement, other: LockStatement): number =>
  (one.file < other.file ? -1 : one.file > other.file ? 1 : one.line - other.line || one.column - other.column);

const isSame = (one: LockStatement, other: LockStatement): boolean => compareKeys(one.key, other.key) === 'same';

/** A key that is the same number everywhere, taken in two functions: each then also keeps out the other. Who passes it to a helper takes it. */
function sharedKeys(acquires: readonly Full[]): SharedKey[] {
  const groups: { readonly key: Key; readonly places: Taking[] }[] = [];
  for (const { key, place } of acquires.flatMap(takings)) {
    const group = groups.find((one) => compareKeys(one.key, key) === 'same');
    if (group) group.places.push(place);
    else groups.push({ key, places: [place] });
  }
  return groups.filter(({ places }) => new Set(places.map(({ file, within }) => `${file} ${within}`)).size > 1).map(({ key, places }) => ({ key: keyText(key), places }));
}

function takings({ statement, passedAt }: Full): { readonly key: Key; readonly place: Taking }[] {
  if (isFixed(statement.key)) return [{ key: statement.key, place: statement }];
  return passedAt.filter(({ key }) => isFixed(key)).map(({ key, place }) => ({ key, place: { ...place, mode: statement.mode } }));
}

/** A waits for B while B waits for A: both second locks must wait, and in each of the two keys one of the holders must be exclusive. */
function opposedOrders(acquires: readonly Full[]): OpposedOrder[] {
  const orders = ordersOf(acquires);
  const found: OpposedOrder[] = [];
  const done = new Set<string>();
  for (const [a, b] of orders) {
    const back = orders.filter(([c, d]) => isSame(a, d) && isSame(b, c) && conflicts(a, d) && conflicts(b, c));
    const name = [keyText(a.key), keyText(b.key)].sort().join(' / ');
    if (back.length === 0 || done.has(name)) continue;
    done.add(name);
    found.push({ keys: [keyText(a.key), keyText(b.key)], forth: orders.filter(([c, d]) => isSame(a, c) && isSame(b, d)), back });
  }
  return found;
}

const conflicts = (one: LockStatement, other: LockStatement): boolean => one.mode === 'exclusive' || other.mode === 'exclusive';

function ordersOf(acquires: readonly Full[]): [LockStatement, LockStatement][] {
  return acquires.flatMap((first) => acquires.flatMap((second): [LockStatement, LockStatement][] => {
    if (first === second || second.statement.operation !== 'acquire' || isSame(first.statement, second.statement) || !follows(first, second)) return [];
    // Who has a lock already is given it again at once.
    if (acquires.some((one) => one !== second && isSame(one.statement, second.statement) && one.statement.mode === second.statement.mode && one.statement.connection === second.statement.connection && follows(one, second))) return [];
    return [[first.statement, second.statement]];
  }));
}

function follows({ held, branches }: Full, second: Full): boolean {
  if (!held) return false;
  const [own, ...outer] = second.sentAt;
  const isOwn = own !== undefined && isIn(own, held) && !second.branches.some((one) => branches.includes(opposite(one)));
  return isOwn || outer.some((one) => isIn(one, held));
}

const opposite = (branch: string): string => (branch.endsWith('then') ? branch.replace(/then$/, 'else') : branch.replace(/else$/, 'then'));
