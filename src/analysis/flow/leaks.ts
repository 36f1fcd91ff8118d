import type { TSESTree } from '@typescript-eslint/utils';
import { driverById } from '../../drivers/index.js';
import { isPinned } from '../connections/sessions.js';
import { crossingOf } from '../connections/crossing.js';
import { noMakers, overlaps, placesOf, type Maker, type Makers } from '../values/makers.js';
import { returnedBy } from '../values/names.js';
import type { Connection, LockUse } from '../model.js';
import type { Place } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { isSessionAcquire, isUnlock, type Pairs } from '../pairs.js';
import type { SessionEnds } from '../sessions/session-end.js';
import { Teardowns } from '../sessions/teardowns.js';
import { bodyAround, contains, functionAround, is, walk, wrapped, type FunctionNode } from '../syntax.js';
import { isProcessExit, ProcessEnds } from '../sessions/process-end.js';
import { treeOf } from '../../types/index.js';
import { Handle, type Result } from './handles.js';
import { HeldLock } from './held.js';
import type { Held, Leak } from './leak.js';
import { swallows } from './call-kinds.js';
import { isReleasedBeforeWork } from './following.js';
import { keptLocks } from './kept-locks.js';
import type { Lending } from './lending.js';
import { isPlain, LocksTogether } from './locks-together.js';
import { eventsOf, type LockEvent, type Tracked } from './lock-events.js';
import { isIn, LockPlaces, type Untraced } from './lock-places.js';
import { Budget, countBy, MIN_SHARING } from './shared-code.js';

/** A lock that some path leaves held. */
export interface LeakedLock {
  readonly tracked: Tracked;
  readonly leak: Leak;
  /** The first unlock of that lock in the function, where there is one. */
  readonly unlock: LockUse | undefined;
  /** Where the function sends it: the statement itself, or the call of a function that does. */
  readonly unlockedAt: TSESTree.Node | undefined;
  /** Taken again and again before the connection is given back. */
  readonly isInLoop: boolean;
  /** Where no unlock is in view: the call of a function of another file that may free it on some way, `await unlock(client, key)`. */
  readonly freeing?: TSESTree.Node | undefined;
  /** The connection as the function passes it to another one of the file, where that is also given others. */
  readonly passed?: Connection | undefined;
}

/** An unlock that also runs where the try-lock was lost. */
export interface LostUnlock {
  readonly unlock: LockUse;
  readonly acquire: LockUse;
  /** Where the function takes it: the statement, or the call of a function that sends it. */
  readonly takenAt: TSESTree.Node;
}

/** Follows every session-level lock on a pinned connection through the function that takes it, or that frees and gives back. */
export class HeldLocks {
  readonly leaked: LeakedLock[] = [];
  /** Unlocks that also run where the try-lock was lost, by the call that decides it: the statement's, or that of the function which has it. */
  readonly lostUnlocks = new Map<TSESTree.Node, LostUnlock>();
  private readonly places: LockPlaces;
  /** Acquires that some path does not free, reported or not: the lock may be meant to stay, or another rule tells it. */
  private readonly left = new Set<LockUse>();
  private readonly freed = new Set<LockUse>();
  private readonly teardowns: Teardowns;
  private readonly together = new Map<string, LocksTogether>();
  /** What was found of the last lock that a statement takes: it may take a thousand more that are freed alike. */
  private readonly lastAt = new Map<TSESTree.Node, { readonly tracked: Tracked; readonly held: Held | undefined }>();
  private readonly budget = new Budget();
  private taken: ReadonlyMap<TSESTree.Node, number> | undefined;
  /** What the function that sends an acquire gives back. */
  private readonly results = new Map<LockUse, readonly Result[]>();
  private readonly exits: ProcessEnds;

  /** `missed`: where locks are taken of which it is told at their unlock that this cannot free them. */
  constructor(private readonly uses: readonly LockUse[], private readonly pairs: Pairs, private readonly origins: Origins, private readonly ends: SessionEnds, private readonly lending: Lending, private readonly missed: ReadonlySet<TSESTree.Node>) {
    this.places = new LockPlaces(uses, pairs, origins, ends);
    this.teardowns = new Teardowns(origins, ends);
    this.exits = new ProcessEnds(origins);
    for (const tracked of this.trackedLocks()) this.judge(tracked);
    for (const acquire of uses) if (acquire.call.lease?.kind === 'unused' && isHeldBySession(acquire) && !this.isForTheProcess(acquire) && this.isMissed(acquire)) this.leaked.push(this.unused(acquire));
    for (const { acquire, release } of keptLocks(uses, (one) => this.places.freedIn(treeOf(one.call.node).ast, one.call.connection.makers, one).size > 0, ends)) {
      const { node, connection: { makers } } = acquire.call;
      const tracked = this.track({ body: bodyAround(node), makers, acquire, takenAt: node });
      const isTold = this.leaked.some((one) => one.tracked.acquire === acquire || one.leak.at === release);
      if (!isTold && !isResetWhenBack(tracked)) this.leaked.push({ tracked, leak: { kind: 'released', at: release }, unlock: undefined, unlockedAt: undefined, isInLoop: false });
    }
  }

  /** A script may take a lock for as long as it runs. */
  private isForTheProcess({ call: { isElsewhere, node } }: LockUse): boolean {
    const body = bodyAround(node);
    return isElsewhere === true && (is(body, 'Program') || this.exits.areBehind(body));
  }

  /**
   * Whether nothing frees what is taken where nothing is done with what would. Of a try-lock that has to be asked for, that is no question where nobody
   * asks; who ends the process where it is lost may keep it until the end, and who throws where it is taken has expected that it is not.
   */
  private isMissed(acquire: LockUse): boolean {
    const { call: { node, lease }, lock } = acquire;
    const isTry = lock.function.operation === 'try';
    if (!isTry && !lease?.results) return true;
    if (isTry && lease?.isAsked !== true) return false;
    const isExiting = [...walk(bodyAround(node))].some((one) => is(one, 'CallExpression') && isProcessExit(one));
    return !isExiting && this.follow(this.unused(acquire).tracked)?.leaks.some(({ kind }) => kind !== 'thrown') === true;
  }

  private unused(acquire: LockUse): LeakedLock {
    const { node, connection: { makers }, lease } = acquire.call;
    return { tracked: this.track({ body: bodyAround(node), makers, acquire, takenAt: node, ...(lease?.results ? { handle: new Handle(node, lease.results) } : {}) }), leak: { kind: 'unused', at: undefined }, unlock: undefined, unlockedAt: undefined, isInLoop: false };
  }

  /** Whether the paths of every function that takes the lock have been followed, and each of them frees it. */
  isFreedOnEveryPath(acquire: LockUse): boolean {
    return this.freed.has(acquire) && !this.left.has(acquire);
  }

  isLeftOnSomePath(acquire: LockUse): boolean {
    return this.left.has(acquire);
  }

  private judge(tracked: Tracked): void {
    const held = this.follow(tracked);
    if (!held) return;
    // A row that is there may mean either, `WHERE NOT won`.
    if (tracked.acquire && tracked.takenAt === tracked.acquire.call.node && tracked.acquire.lock.answer.kind !== 'row') this.results.set(tracked.acquire, held.results);
    if (tracked.acquire && (held.leaks.length > 0 || held.freedBy.size === 0)) this.left.add(tracked.acquire);
    else if (tracked.acquire) this.freed.add(tracked.acquire);
    const { acquire, takenAt } = tracked;
    for (const [node, unlock] of held.lostUnlocks) if (acquire && takenAt && !this.waits(tracked) && !this.waitsBeside(tracked, unlock) && !isInBlock(acquire)) this.lostUnlocks.set(this.decidingCall(node, tracked), { unlock, acquire, takenAt });
    if (isResetWhenBack(tracked)) return;
    const unlock = firstOf(held.freedBy) ?? firstOf(tracked.freedAt.values());
    // A lock that was taken before may also be handed on: only giving the connection back with it is a leak there.
    // With callbacks, a function returns long before its work is done. On a connection that stays, it may be meant to stay, too.
    const isByCallback = tracked.acquire?.call.takesCallback === true;
    const mustFree = tracked.acquire !== undefined && !isByCallback && unlock !== undefined && (held.freedBy.size > 0 || !held.outlives);
    const leaks = held.leaks.filter(({ kind }) => kind === 'released' || kind === 'swallowed' || kind === 'others' || (mustFree && !(kind === 'thrown' && tracked.errorsExit)));
    const staying = leaks.find((one) => one.at) ?? leaks[0];
    // Where no release gives it to a pool before, the session may be over with the test.
    const leak = staying && (staying.at ?? !this.teardowns.areEnding(tracked.makers, tracked.body, (node) => this.places.unlockAt(node, tracked.acquire)?.call.handle)) ? staying : undefined;
    const pair = unlock && this.pairs.of(unlock);
    const isToldElsewhere = (pair && crossingOf(pair) !== undefined) || this.crossesConnections(tracked) || (tracked.takenAt !== undefined && this.missed.has(tracked.takenAt));
    const unlockedAt = [...tracked.freedAt].find(([, use]) => use === unlock)?.[0];
    // Of one unlock one fault is told: with callbacks, the function that gets its result may be followed for itself as well.
    const isTold = unlock !== undefined && this.leaked.some((one) => one.unlock === unlock && one.unlockedAt === unlockedAt);
    if (!leak || isToldElsewhere || isTold) return;
    // Of a lock that this file takes itself, and another file frees, it is told where the connection goes back, whether or not the other file is in view.
    const isFreedAway = leak.at !== undefined && unlock?.call.isElsewhere === true && tracked.acquire !== undefined && tracked.acquire.call.isElsewhere !== true;
    const told = isFreedAway ? { unlock: undefined, unlockedAt: undefined, freeing: unlockedAt } : { unlock, unlockedAt, freeing: unlock ? undefined : this.freeingIn(tracked) };
    this.leaked.push({ tracked, leak, ...told, passed: this.passedIn(tracked, told.unlock, told.unlockedAt), isInLoop: isInLoopWithout(tracked.takenAt, leak.at) });
  }

  private passedIn({ makers, acquire, takenAt }: Tracked, unlock: LockUse | undefined, unlockedAt: TSESTree.Node | undefined): Connection | undefined {
    const [use, node] = unlock ? [unlock, unlockedAt] : [acquire, takenAt];
    const passed = use && node !== use.call.node && is(node, 'CallExpression') ? this.ends.passedTo(node, makers) : undefined;
    const [told, where] = [use?.call.connection.evidence.where, passed?.evidence.where];
    return told && where && (told.file !== where.file || told.line !== where.line) ? passed : undefined;
  }

  /** Of an unlock in a function that the one with the lock calls once, that call. */
  private decidingCall(node: TSESTree.Node, { body }: Tracked): TSESTree.Node {
    const helper = functionAround(node);
    if (!helper || helper === body) return node;
    const [only, ...others] = [...walk(body)].filter((one) => is(one, 'CallExpression') && !contains(helper, one) && this.origins.calleeOf(one, undefined)?.callee === helper);
    return only && others.length === 0 ? only : node;
  }

  /** A helper that gives nothing back has its own way to wait until the lock is taken. */
  private waits({ takenAt, acquire }: Tracked): boolean {
    const call = acquire?.call;
    if (call?.isElsewhere && call.isSilent) return true;
    const isGiven = takenAt !== undefined && takenAt === call?.node && call.inner !== undefined;
    const helper = isGiven ? this.origins.calleeOf(call.node, undefined)?.callee : takenAt === call?.node ? undefined : call && functionAround(call.node);
    return helper !== undefined && returnedBy(helper).length === 0;
  }

  /** A helper may wait for the lock behind a try-lock that it has lost: what it is passed decides. */
  private waitsBeside({ acquire, takenAt }: Tracked, unlock: LockUse): boolean {
    const helper = acquire && takenAt !== acquire.call.node ? functionAround(acquire.call.node) : undefined;
    return helper !== undefined && this.places.usesIn(helper).some((one) => one.lock.function.operation === 'acquire' && isSessionAcquire(one) && this.pairs.fits(one, unlock));
  }

  private freeingIn({ body, makers, takenAt }: Tracked): TSESTree.Node | undefined {
    return walk(body).find((node) => node !== takenAt && is(node, 'CallExpression') && this.ends.mayFree(node, makers));
  }

  /** The unlock of this lock is on another connection: that is the fault, and no-cross-connection-unlock tells it. */
  private crossesConnections({ acquire }: Tracked): boolean {
    return acquire !== undefined && this.pairs.unlocksOf(acquire).some((unlock) => crossingOf(this.pairs.of(unlock) ?? { acquire, unlock }) !== undefined);
  }

  /** Of code that is nested too deep to be followed, or of too much of it, nothing is known. */
  private follow(tracked: Tracked): Held | undefined {
    const before = tracked.takenAt && this.lastAt.get(tracked.takenAt);
    if (before && isAlike(before.tracked, tracked)) return before.held;
    const held = this.run(tracked);
    if (tracked.takenAt && isPlain(tracked)) this.lastAt.set(tracked.takenAt, { tracked, held });
    return held;
  }

  private run(tracked: Tracked): Held | undefined {
    try {
      const together = this.togetherWith(tracked);
      return HeldLock.follow(tracked, together?.eventsOf(tracked) ?? eventsOf(tracked, this.ends), this.origins, this.budget, together);
    } catch (error) {
      this.together.clear(); // what was run half is not to be used
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  /** The other locks that the same code takes and frees on the same connection, where there are enough of them. */
  private togetherWith(tracked: Tracked): LocksTogether | undefined {
    if (!isPlain(tracked) || this.takenIn(tracked.body) < MIN_SHARING) return undefined;
    const key = LocksTogether.keyOf(tracked, this.ends);
    let found = this.together.get(key);
    if (!found) this.together.set(key, found = new LocksTogether(tracked, new Set(this.places.freedIn(tracked.body, tracked.makers, undefined).keys()), this.origins, this.ends));
    return found;
  }

  /** How many locks a function takes itself. */
  private takenIn(body: Tracked['body']): number {
    this.taken ??= countBy(this.uses.filter(isSessionAcquire).map((use) => bodyAround(use.call.node)));
    return this.taken.get(body) ?? 0;
  }

  private *trackedLocks(): Generator<Tracked> {
    const entered = new Set<TSESTree.Node>();
    for (const acquire of this.uses) {
      if (!isSessionAcquire(acquire) || !isHeldBySession(acquire) || this.pairs.hasMismatch(acquire) || isInOneCall(acquire) || acquire.isNeverSent || (acquire.call.lease && acquire.call.lease.kind !== 'followed') || isSettled(acquire)) continue;
      // The function that sends it, and those that have a function of the file do it on the connection that they pass.
      const calls = [...this.places.takersOf(acquire), ...this.places.callsSharing(acquire)];
      for (const { node, makers } of [...calls, ...this.places.callRunning(acquire)]) {
        const body = bodyAround(node);
        entered.add(body);
        const results = node !== acquire.call.node && calls.some((one) => one.node === node) ? this.results.get(acquire) ?? [] : acquire.call.lease?.results ?? [];
        yield this.track({ body, makers, acquire, takenAt: node, ...(results.length > 0 ? { handle: new Handle(node, results) } : {}) });
      }
    }
    yield* this.heldAtEntry(entered);
  }

  /** "In a function that unlocks and releases and does not acquire, the lock is held at entry." */
  private *heldAtEntry(entered: Set<TSESTree.Node>): Generator<Tracked> {
    for (const unlock of this.uses) {
      const body = bodyAround(unlock.call.node);
      const acquire = this.pairs.of(unlock)?.acquire;
      if (!isUnlock(unlock) || !isHeldBySession(unlock) || this.pairs.isMismatched(unlock) || isInOneCall(unlock) || entered.has(body) || (acquire && isIn(acquire.call.node, body))) continue;
      const { makers } = unlock.call.connection;
      const isReleased = [...walk(body)].some((node) => is(node, 'CallExpression') && this.ends.releaseAt(node, makers) !== undefined);
      // A connection that is reserved here has no lock at entry, unless the function that gives it has locked; whoever took it since is not in view.
      const isMadeHere = ({ node, call }: Maker): boolean => !is(call ?? node, 'Identifier') && isIn(call ?? node, body) && !(call && !isIn(node, body) && this.pairs.isOfOpener(unlock));
      if (!isReleased || [...makers].some(isMadeHere)) continue;
      entered.add(body);
      yield this.track({ body, makers, acquire: undefined, takenAt: undefined, openedAt: placesOf(makers).find((one) => !is(one, 'Identifier') && isIn(one, body)) });
    }
  }

  private track(lock: Untraced): Tracked {
    const { body, makers, acquire } = lock;
    const fitting = this.places.freedIn(body, makers, acquire);
    const others = new Set([...fitting].flatMap(([node, use]) => (this.places.isOfAnother(node, use, lock) ? [node] : [])));
    const freedAt = new Map([...fitting].filter(([node]) => !others.has(node)));
    for (const node of acquire ? this.places.freedIn(body, makers, undefined).keys() : []) if (!freedAt.has(node)) others.add(node);
    for (const { call: { frees, node } } of this.places.usesIn(body)) if (frees && !freedAt.has(node)) others.add(node);
    // A closure that a helper gives back has the connection by the helper's own name.
    const withHelper = lock.handle && acquire ? new Set([...makers, ...acquire.call.connection.makers]) : makers;
    // What is done to all of a list is done to this one.
    const inList = acquire && lock.takenAt === acquire.call.node ? this.ends.elements.of(acquire.call.handle) : noMakers;
    const among = (own: Makers): Makers => (inList.size > 0 ? new Set([...own, ...inList]) : own);
    return { ...lock, makers: among(makers), freedAt, others, takenBeside: this.places.takenBeside(lock, freedAt), lent: this.lending.lentTo(body, makers), ownPool: acquire && this.ends.pools.ofFunction(body, makers), errorsExit: this.exits.areBehind(body), eventsIn: (callee, by) => this.eventsIn(callee, { ...lock, makers: among(withHelper) }, by), doneIn: (method, made) => (treeOf(method) === treeOf(body) ? undefined : this.ends.doneByMethod(method, made, makers)) };
  }

  /** A function that takes a lock on the same connection has its own to free. */
  private eventsIn(callee: FunctionNode, lock: Untraced, by: TSESTree.CallExpression | Place | undefined): Map<TSESTree.Node, LockEvent> {
    const { acquire } = lock;
    const makers = !by ? lock.makers : 'frame' in by ? this.ends.seenInside(by, lock.makers) : this.ends.seenBy(by, callee, lock.makers);
    const takes = this.places.usesIn(callee).some((use) => isSessionAcquire(use) && overlaps(use.call.connection.makers, makers));
    if (takes) return new Map();
    const events = eventsOf({ ...lock, makers, body: callee, takenAt: undefined, freedAt: this.places.freedIn(callee, makers, acquire), others: new Set(), lent: undefined, eventsIn: () => new Map() }, this.ends, { isSummed: true });
    return new Map([...events].filter(([, { kind }]) => kind !== 'handOn'));
  }

}

/** Whether two locks that one statement plainly takes are freed by the same unlocks. */
function isAlike(one: Tracked, other: Tracked): boolean {
  if (!isPlain(other) || one.body !== other.body || one.freedAt.size !== other.freedAt.size || one.others.size !== other.others.size) return false;
  return [...one.freedAt].every(([node, use]) => other.freedAt.get(node) === use) && [...one.others].every((node) => other.others.has(node));
}

/** Where a leak is told: at the unlock on that connection if there is one, else where the connection is given back, else at the acquire. */
export function placeOfLeak({ tracked, leak, unlock, unlockedAt }: LeakedLock): TSESTree.SourceLocation {
  return (unlockedAt === unlock?.call.node ? unlock?.loc : unlockedAt?.loc) ?? leak.at?.loc ?? (unlock ?? tracked.acquire!).loc;
}

/** Whether the connection goes back right behind the lock, with the work still to come: nothing that is done to the lock before that would guard it. */
export const isBeforeWork = ({ tracked: { takenAt, body }, leak: { kind, at } }: LeakedLock): boolean =>
  kind === 'released' && at !== undefined && takenAt !== undefined && treeOf(at) === treeOf(takenAt) && takenAt.range[1] <= at.range[0] && isReleasedBeforeWork(takenAt, at, body);

const firstOf = (unlocks: Iterable<LockUse>): LockUse | undefined => [...unlocks].sort((one, other) => one.call.node.range[0] - other.call.node.range[0])[0];

/** A connection that loses its locks when it is given back leaves none behind. */
const isResetWhenBack = ({ acquire, freedAt }: Tracked): boolean => driverById((acquire ?? firstOf(freedAt.values()))?.call.connection.driver)?.resets === true;

/** Taken and freed by one call: nothing is held after it. */
const isInOneCall = (use: LockUse): boolean => use.call.locks.some((one) => isUnlock(one) !== isUnlock(use));

const isHeldBySession = ({ call }: LockUse): boolean => isPinned(call.connection) && call.connection.kind !== 'transaction';

/** A connection with its lock that `Promise.allSettled` puts into an object which also says whether there is one. */
function isSettled({ call: { node, connection: { makers } } }: LockUse): boolean {
  const list = wrapped(node, false).parent;
  return is(list, 'ArrayExpression') && is(list.parent, 'CallExpression') && swallows(list.parent) && [...makers].some(({ call }) => call === node);
}

/** `DO $$ ... $$` may raise an error where the lock is lost: then what comes after it has it. */
const isInBlock = ({ call, lock }: LockUse): boolean => call.statements.some(({ kind, locks }) => kind === 'do' && locks.includes(lock));

/** Whether a loop has the one and not the other. */
function isInLoopWithout(node: TSESTree.Node | undefined, other: TSESTree.Node | undefined): boolean {
  for (let at = node?.parent; at; at = at.parent) if (/^(?:For|While|DoWhile)\w*Statement$/.test(at.type) && !(other && contains(at, other))) return true;
  return false;
}
