import type { TSESTree } from '@typescript-eslint/utils';
import { treeOf } from '../types/index.js';
import { isPinned, isWithoutSession } from './connections/sessions.js';
import type { Openers } from './connections/openers.js';
import type { PassedApart } from './connections/passed-apart.js';
import { isOneSelection } from './values/choices.js';
import { compareKeys, constantsOf, type KeyEquality } from './keys/keys.js';
import { overlaps } from './values/makers.js';
import type { Connection, LockUse } from './model.js';
import { variableOf } from './values/names.js';
import { contains, functionAround, is, isClass, isFunction, uncast } from './syntax.js';

/** Which unlock belongs to which acquire. */

export interface Pair {
  readonly acquire: LockUse;
  readonly unlock: LockUse;
  /** They are on two parameters of their function, and all its callers pass two connections. */
  readonly isPassedApart?: boolean;
}

/** What is asked about the connections of a file's uses. */
export interface AskedOfPairs {
  readonly openers: Openers;
  readonly apart: PassedApart;
  /** Whether code that is in view ends the session of a connection. */
  readonly isEnded: (connection: Connection) => boolean;
}

export class Pairs {
  private readonly byUnlock = new Map<LockUse, Pair>();
  private readonly byAcquire = new Map<LockUse, LockUse[]>();
  private readonly mismatched = new Map<LockUse, LockUse>();
  private readonly acquires: ByKey;
  /** Acquires by what makes their connections. */
  private readonly byMaker = new Map<TSESTree.Node, LockUse[]>();
  private readonly locked = new Map<LockUse, boolean>();

  constructor(private readonly uses: readonly LockUse[], private readonly asked: AskedOfPairs) {
    const acquires = uses.filter((one) => isSessionAcquire(one) && !isProbe(one) && !one.expectsFalse);
    this.acquires = new ByKey(acquires);
    for (const one of acquires) for (const { node } of one.call.connection.makers) this.byMaker.set(node, [...this.byMaker.get(node) ?? [], one]);
    const unlocks = uses.filter((one) => isUnlock(one) && !isProbe(one));
    const within = (one: LockUse, unlock: LockUse): boolean => sameFunction(one, unlock) && !this.isFreedBeside(one, unlock, unlocks);
    for (const unlock of unlocks) this.pair(unlock, 'same', (one) => within(one, unlock));
    for (const unlock of unlocks) this.pair(unlock, 'unknown', (one) => within(one, unlock));
    // What is left over on one connection of a function is a mismatch there, whatever other functions lock.
    this.findMismatches(unlocks);
    // Across functions, connections that may be one come before those that cannot.
    for (const unlock of unlocks) this.pair(unlock, 'same', (one) => mayBelong(one, unlock));
    // What is taken and freed within one function is not what another function frees, if the keys do not say so.
    const settled = new Set([...this.byUnlock.values()].filter((pair) => sameFunction(pair.acquire, pair.unlock)).map((pair) => pair.acquire));
    for (const unlock of unlocks) this.pair(unlock, 'unknown', (one) => mayBelong(one, unlock) && !settled.has(one));
    for (const unlock of unlocks) this.pair(unlock, 'same', () => !mayBeLockedElsewhere(unlock));
    for (const unlock of unlocks) this.pair(unlock, 'unknown', (one) => !isPinned(unlock.call.connection) && !settled.has(one));
  }

  /** Of closures that stand side by side, one that frees its own lock takes it for no other. */
  private isFreedBeside(acquire: LockUse, unlock: LockUse, unlocks: readonly LockUse[]): boolean {
    const [mine, theirs] = [functionAround(acquire.call.node), functionAround(unlock.call.node)];
    if (!mine || !theirs || mine === theirs || contains(mine, theirs) || contains(theirs, mine)) return false;
    return unlocks.some((one) => one !== unlock && contains(mine, one.call.node) && fits(acquire, one) === 'same');
  }

  private findMismatches(unlocks: readonly LockUse[]): void {
    // `pg_advisory_unlock_all()` has no key that could be another one, and finds no fault with what it does not find.
    for (const unlock of unlocks.filter((one) => !isOfAll(one))) {
      const acquire = this.byUnlock.has(unlock) || unlock.expectsFalse ? undefined : this.uses.find((one) => this.isLeftOver(one) && isMismatch(one, unlock, (use) => this.mayBeLocked(use) || mayBeLockedElsewhere(use)));
      if (acquire) this.mismatched.set(unlock, acquire);
    }
  }

  private pair(unlock: LockUse, equality: 'same' | 'unknown', isCandidate: (use: LockUse) => boolean): void {
    const isCandidateFor = (one: LockUse): boolean => isCandidate(one) && fits(one, unlock) === equality && (!unlock.expectsFalse || isOnOneConnection(one, unlock)) && !this.isBeside(one, unlock);
    const acquire = this.byUnlock.has(unlock) || this.mismatched.has(unlock) ? undefined : this.nearest(unlock, this.acquires.mayFit(unlock, equality), isCandidateFor);
    if (!acquire) return;
    this.byUnlock.set(unlock, { acquire, unlock, ...(this.asked.apart.areApart(acquire, unlock) ? { isPassedApart: true } : {}) });
    this.byAcquire.set(acquire, [...this.byAcquire.get(acquire) ?? [], unlock]);
  }

  /**
   * Whether a lock on another connection is no concern of an unlock whose own connection may have one: by its caller, by what has made it, by
   * another function. What frees all that its session holds names no lock, and is none of one that its own session frees.
   */
  private isBeside(acquire: LockUse, unlock: LockUse): boolean {
    const [taken, freed] = [acquire.call.connection, unlock.call.connection];
    const isElsewhere = isPinned(freed) && (isWithoutSession(taken) || differs(taken, freed));
    return isElsewhere && (this.mayBeLocked(unlock) || (isOfTheCaller(unlock) && !sameFunction(acquire, unlock)) || (isOfAll(unlock) && (this.asksFor(unlock) || this.isFreedByItsOwn(acquire) || this.isOfOther(acquire, unlock))));
  }

  /** Whether the file asks for any lock on the connection of an unlock, also for one that it expects to be refused. */
  private asksFor({ call: { connection } }: LockUse): boolean {
    return this.uses.some((one) => isSessionAcquire(one) && overlaps(one.call.connection.makers, connection.makers));
  }

  /** Whether a function that takes locks itself clears up behind those, and not behind another function. */
  private isOfOther(acquire: LockUse, unlock: LockUse): boolean {
    return !sameFunction(acquire, unlock) && this.uses.some((one) => isAcquire(one) && sameFunction(one, unlock));
  }

  private isFreedByItsOwn(acquire: LockUse): boolean {
    const { connection } = acquire.call;
    return isPinned(connection) && (this.uses.some((one) => isUnlock(one) && fits(acquire, one) !== 'different' && overlaps(one.call.connection.makers, connection.makers)) || this.asked.isEnded(connection));
  }

  private mayBeLocked(unlock: LockUse): boolean {
    let found = this.locked.get(unlock);
    if (found === undefined) this.locked.set(unlock, found = this.hasOwn(unlock) || this.asked.openers.mayHaveLocked(unlock.call.connection.makers, unlock.call.node));
    return found;
  }

  /** Whether some lock of the file may be on the connection of an unlock, and be what that frees. */
  private hasOwn(unlock: LockUse): boolean {
    const { makers } = unlock.call.connection;
    const own = [...makers].flatMap(({ node }) => this.byMaker.get(node) ?? []);
    return own.some((one) => overlaps(one.call.connection.makers, makers) && fits(one, unlock) !== 'different');
  }

  /** Whether a function frees what was locked on its connection before it got that by a call: `const client = await open(key)`. */
  isOfOpener(unlock: LockUse): boolean {
    return !mayBeLockedElsewhere(unlock) && (this.hasOwn(unlock) || this.asked.openers.hasLocked(unlock.call.connection.makers));
  }

  private isLeftOver(use: LockUse): boolean {
    return isAcquire(use) && this.unlocksOf(use).length === 0;
  }

  of(unlock: LockUse): Pair | undefined {
    return this.byUnlock.get(unlock);
  }

  /** Whether an unlock cannot free what is taken in view: another mode, kind of key, key or level. */
  isMismatched(unlock: LockUse): boolean {
    return this.mismatched.has(unlock);
  }

  /** A mismatched unlock, and the acquire that is left over beside it: in the statements that do not fit, where each has several. */
  mismatchOf(unlock: LockUse): Pair | undefined {
    const acquire = this.mismatched.get(unlock);
    return acquire && (variantsOf(acquire, unlock).pairs.find((one) => acquire.lock.function.level === 'transaction' || fitsAlone(one.acquire, one.unlock) === 'different') ?? { acquire, unlock });
  }

  /** Whether an acquire is left over beside an unlock that cannot free it: that unlock is the fault. */
  hasMismatch(acquire: LockUse): boolean {
    return [...this.mismatched.values()].includes(acquire);
  }

  /** Whether an unlock may free what an acquire takes, by mode and key. */
  fits(acquire: LockUse, unlock: LockUse): boolean {
    return fits(acquire, unlock) !== 'different';
  }

  unlocksOf(acquire: LockUse): readonly LockUse[] {
    return this.byAcquire.get(acquire) ?? [];
  }

  /**
   * The best acquire in the smallest unit around an unlock that has one: a function, then those around it (a factory and its
   * closures), then the class or object literal, then the module.
   */
  private nearest(unlock: LockUse, acquires: readonly LockUse[], isCandidate: (use: LockUse) => boolean): LockUse | undefined {
    for (const unit of acquires.length === 0 ? [] : unitsAround(unlock.call.node)) {
      const candidates = acquires.filter((one) => contains(unit, one.call.node) && isCandidate(one));
      if (candidates.length > 0) return best(candidates, unlock);
    }
    return undefined;
  }
}

/** Acquires by their constant keys: those of other constants need not be compared with an unlock of one. */
class ByKey {
  private readonly byKey = new Map<string, LockUse[]>();
  private readonly others: LockUse[] = [];

  constructor(private readonly all: readonly LockUse[]) {
    for (const use of all) {
      const key = constantOf(use);
      const same = key === undefined ? this.others : this.byKey.get(key) ?? [];
      same.push(use);
      if (key !== undefined) this.byKey.set(key, same);
    }
  }

  /** Those of which it has to be asked whether they are the same, or may be; in the order of the text. */
  mayFit(unlock: LockUse, equality: 'same' | 'unknown'): readonly LockUse[] {
    const key = constantOf(unlock);
    if (key === undefined) return this.all;
    if (equality === 'unknown') return this.others;
    const same = this.byKey.get(key) ?? [];
    const both = new Set([...this.others, ...same]);
    return this.others.length === 0 ? same : this.all.filter((one) => both.has(one));
  }
}

/** The mode and the key of a lock, where that is all constants: two of them are the same if this is. */
function constantOf({ lock, key, variants, choice }: LockUse): string | undefined {
  const parts = variants || choice || key.isOpen || lock.function.operation === 'unlockAll' ? undefined : constantsOf(key);
  return parts && `${lock.function.mode} ${parts.join()}`;
}

export const isUnlock = ({ lock }: LockUse): boolean => lock.function.operation === 'unlock' || lock.function.operation === 'unlockAll';
const isOfAll = (use: LockUse): boolean => [use, ...use.variants ?? []].some(({ lock }) => lock.function.operation === 'unlockAll');
export const isAcquire = ({ lock }: LockUse): boolean => lock.function.operation === 'acquire' || lock.function.operation === 'try';
export const isSessionAcquire = (use: LockUse): boolean => isAcquire(use) && use.lock.function.level === 'session';

/** Whether each statement that takes a lock has one that frees it, where a call may send one of several. */
export const freesEach = (acquire: LockUse, unlocks: readonly LockUse[]): boolean =>
  acquire.variants === undefined || [acquire, ...acquire.variants].every((one) => unlocks.some((unlock) => [unlock, ...unlock.variants ?? []].some((other) => fitsAlone(one, other) !== 'different')));

/** Of statements that one selection gives, each pair has to fit; of others, one is enough. */
function fits(acquire: LockUse, unlock: LockUse): KeyEquality {
  // Each lock is held against each unlock of a file: most are of one statement.
  if (!acquire.variants && !unlock.variants && !acquire.choice && !unlock.choice) return fitsAlone(acquire, unlock);
  const both = variantsOf(acquire, unlock);
  const found = both.pairs.map((one) => fitsAlone(one.acquire, one.unlock));
  const order: readonly KeyEquality[] = both.isOneSelection ? ['different', 'unknown', 'same'] : ['same', 'unknown', 'different'];
  return order.find((one) => found.includes(one)) ?? 'unknown';
}

function variantsOf(acquire: LockUse, unlock: LockUse): { readonly pairs: readonly Pair[]; readonly isOneSelection: boolean } {
  const [takes, frees] = [acquire, unlock].map((use) => [use, ...use.variants ?? []]) as [LockUse[], LockUse[]];
  const isOne = isOneSelection(acquire.choice, unlock.choice);
  const fitting = takes.flatMap((one) => frees.flatMap((other): Pair[] => (isOne && one.choice?.index !== other.choice?.index ? [] : [{ acquire: one, unlock: other }])));
  return { pairs: fitting, isOneSelection: isOne };
}

function fitsAlone(acquire: LockUse, unlock: LockUse): KeyEquality {
  if (unlock.lock.function.operation === 'unlockAll') return 'same';
  if (unlock.call.frees) return unlock.call.frees.includes(acquire.call.node) ? 'same' : 'different';
  if (acquire.lock.function.mode !== unlock.lock.function.mode) return 'different';
  return compareKeys(acquire.key, unlock.key);
}

/** One call that both takes and frees: it is complete in itself. */
const isProbe = (use: LockUse): boolean => use.call.locks.some((one) => isUnlock(one) !== isUnlock(use) && one.lock.function.level === 'session' && use.lock.function.level === 'session');

/** An unlock that is meant to free nothing belongs to a lock on its own connection alone. */
const isOnOneConnection = ({ call: { connection } }: LockUse, unlock: LockUse): boolean => isPinned(connection) && sharesConnection(connection, unlock.call.connection);

/** Whether two handles may be one connection, or are both none. */
const isAlike = (acquire: LockUse, unlock: LockUse): boolean =>
  isPinned(acquire.call.connection) === isPinned(unlock.call.connection) || acquire.call.connection.kind === 'unknown' || unlock.call.connection.kind === 'unknown';

const mayBelong = (acquire: LockUse, unlock: LockUse): boolean =>
  isAlike(acquire, unlock) && !(mayBeLockedElsewhere(unlock) && differs(acquire.call.connection, unlock.call.connection));

/** A function that hands its client on before it unlocks may have the lock taken there: `await lock(client, key)`. */
function mayBeLockedElsewhere({ call }: LockUse): boolean {
  const handle = uncast(call.handle);
  const variable = is(handle, 'Identifier') ? variableOf(handle) : undefined;
  return isPinned(call.connection) && variable !== undefined && variable.references.some(({ identifier }) => identifier.range[0] < call.node.range[0] && is(identifier.parent, 'CallExpression') && (identifier.parent).arguments.includes(identifier as never));
}

/** The acquire is not what the unlock frees, and there is no other that it could be. */
function isMismatch(acquire: LockUse, unlock: LockUse, mayBeLocked: (unlock: LockUse) => boolean): boolean {
  if (!sameFunction(acquire, unlock) || acquire.call.lease || unlock.call.frees) return false;
  const isSame = overlaps(acquire.call.connection.makers, unlock.call.connection.makers) || (isNamedHelper(acquire) && isNamedHelper(unlock));
  if (acquire.lock.function.level === 'transaction') {
    const equality = compareKeys(acquire.key, unlock.key);
    // A key that only may be the same may as well be that of a lock which somebody else has taken on the connection.
    const isAlone = isPinned(unlock.call.connection) && !isOfTheCaller(unlock) && !mayBeLocked(unlock);
    return isSame && (equality === 'same' || (equality === 'unknown' && isAlone));
  }
  if (isOfTheCaller(unlock) && isMeantForEarlier(acquire, unlock)) return false;
  return isSame && isPinned(acquire.call.connection) === isPinned(unlock.call.connection);
}

/** Whether a function is given the client on which it unlocks: its caller may have taken a lock on it. */
function isOfTheCaller({ call: { connection, node } }: LockUse): boolean {
  const owner = functionAround(node);
  return isPinned(connection) && owner !== undefined && [...connection.makers].some((maker) => owner.params.some((param) => contains(param, maker.node)));
}

/**
 * An unlock that runs before the lock, or right behind it with nothing to guard in between, steps from one lock to another: it frees
 * what was taken before. In a loop the lock of the round before is what comes first.
 */
function isMeantForEarlier({ call: { node: taken } }: LockUse, { call: { node: freed } }: LockUse): boolean {
  if (functionAround(taken) !== functionAround(freed) || treeOf(taken) !== treeOf(freed)) return false;
  const [mine, theirs] = [statementOf(taken), statementOf(freed)];
  if (!mine || !theirs || isInLoop(freed)) return false;
  if (freed.range[1] <= taken.range[0]) return true;
  const block = mine.parent;
  return is(block, 'BlockStatement') && block === theirs.parent && block.body.indexOf(theirs as never) === block.body.indexOf(mine as never) + 1;
}

function statementOf(node: TSESTree.Node): TSESTree.Node | undefined {
  let at: TSESTree.Node | undefined = node;
  while (at && !/Statement$|Declaration$/.test(at.type)) at = at.parent;
  return at;
}

function isInLoop(node: TSESTree.Node): boolean {
  for (let at = node.parent; at && !isFunction(at); at = at.parent) if (/^(?:For|ForOf|ForIn|While|DoWhile)Statement$/.test(at.type)) return true;
  return false;
}

/** A call of a helper that the settings name as one that works on its own connection. */
const isNamedHelper = ({ call: { helper, connection } }: LockUse): boolean => helper !== undefined && isPinned(connection) && connection.makers.size === 0;

/** Whether one function has both, its callbacks included. */
export function sameFunction(one: LockUse, other: LockUse): boolean {
  const [mine, theirs] = [outermostFunction(one.call.node), outermostFunction(other.call.node)];
  return mine === theirs;
}

const outermost = new WeakMap<TSESTree.Node, TSESTree.Node | undefined>();

function outermostFunction(node: TSESTree.Node): TSESTree.Node | undefined {
  if (!outermost.has(node)) outermost.set(node, findOutermost(node));
  return outermost.get(node);
}

function findOutermost(node: TSESTree.Node): TSESTree.Node | undefined {
  let found: TSESTree.Node | undefined;
  for (let at = node.parent; at && !isClass(at); at = at.parent) if (isFunction(at)) found = at;
  return found;
}

function best(candidates: readonly LockUse[], unlock: LockUse): LockUse | undefined {
  const score = (one: LockUse): number =>
    (fits(one, unlock) === 'same' ? 4 : 0) + (sharesConnection(one.call.connection, unlock.call.connection) ? 2 : 0) + (one.call.node.range[0] <= unlock.call.node.range[0] ? 1 : 0);
  return candidates.reduce<LockUse | undefined>((found, one) => (!found || score(one) > score(found) || (score(one) === score(found) && isNearer(one, found, unlock)) ? one : found), undefined);
}

const isNearer = (one: LockUse, other: LockUse, to: LockUse): boolean =>
  one.call.node.range[0] <= to.call.node.range[0] && one.call.node.range[0] > other.call.node.range[0];

function* unitsAround(node: TSESTree.Node): Generator<TSESTree.Node> {
  for (let at = node.parent; at; at = at.parent) if (isFunction(at) || isClass(at) || is(at, 'ObjectExpression') || is(at, 'Program')) yield at;
}

/** Whether two handles may be one session: pinned alike, made by the same code or by code that is not all in view. */
export function sharesConnection(one: Connection, other: Connection): boolean {
  if (isPinned(one) !== isPinned(other)) return false;
  return !differs(one, other);
}

/** Whether two handles are two connections for certain. */
export function differs(one: Connection, other: Connection): boolean {
  return one.complete && other.complete && one.makers.size > 0 && other.makers.size > 0 && !overlaps(one.makers, other.makers);
}
