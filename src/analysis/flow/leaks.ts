import type { TSESTree } from '@typescript-eslint/utils';
import { driverById } from '../../drivers/index.js';
import { isPinned } from '../connections/sessions.js';
import { crossingOf } from '../connections/crossing.js';
import { workerAround } from '../in-place.js';
import { Callers } from '../values/callers.js';
import { overlaps, placesOf, type Maker, type Makers } from '../values/makers.js';
import type { LockUse } from '../model.js';
import type { Place } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { isSessionAcquire, isUnlock, type Pairs } from '../pairs.js';
import type { SessionEnds } from '../sessions/session-end.js';
import { Teardowns } from '../sessions/teardowns.js';
import { returnedBy } from '../values/names.js';
import { bodyAround, contains, functionAround, is, walk, wrapped, type FunctionNode } from '../syntax.js';
import { ProcessEnds } from '../sessions/process-end.js';
import { sourceOf, treeOf } from '../../types/index.js';
import { ByPlace, groupsBy } from './by-place.js';
import { EntryGuards } from './conditions/entry-guards.js';
import { Handle, type Result } from './handles.js';
import { HeldLock } from './held.js';
import type { Held, Leak } from './leak.js';
import { isReleasedBeforeWork } from './following.js';
import { keptLocks } from './kept-locks.js';
import type { Lending } from './lending.js';
import { isPlain, LocksTogether } from './locks-together.js';
import { eventsOf, type LockEvent, type Tracked } from './lock-events.js';
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
}

type Untraced = Omit<Tracked, 'freedAt' | 'others' | 'eventsIn' | 'lent' | 'ownPool' | 'errorsExit' | 'doneIn'>;

/** A call of a function that is passed a connection. */
interface PassingCall {
  readonly node: TSESTree.Node;
  readonly makers: Makers;
}

/** Follows every session-level lock on a pinned connection through the function that takes it, or that frees and gives back. */
export class HeldLocks {
  readonly leaked: LeakedLock[] = [];
  /** Unlocks that also run where the try-lock was lost. */
  readonly lostUnlocks = new Map<LockUse, LockUse>();
  private readonly passing = new Map<LockUse, readonly PassingCall[]>();
  private readonly freeing = new Map<LockUse, readonly PassingCall[]>();
  /** Acquires that some path does not free, reported or not: the lock may be meant to stay, or another rule tells it. */
  private readonly left = new Set<LockUse>();
  private readonly freed = new Set<LockUse>();
  private readonly teardowns: Teardowns;
  private readonly together = new Map<string, LocksTogether>();
  /** What was found of the last lock that a statement takes: it may take a thousand more that are freed alike. */
  private readonly lastAt = new Map<TSESTree.Node, { readonly tracked: Tracked; readonly held: Held | undefined }>();
  private readonly budget = new Budget();
  private taken: ReadonlyMap<TSESTree.Node, number> | undefined;
  private readonly standing: ByPlace<LockUse>;
  private unlocking: ByPlace<LockUse> | undefined;
  private taking: ByPlace<{ readonly use: LockUse; readonly at: PassingCall }> | undefined;
  private byWorker: ReadonlyMap<TSESTree.Node, readonly LockUse[]> | undefined;
  /** What the function that sends an acquire gives back. */
  private readonly results = new Map<LockUse, readonly Result[]>();
  private readonly exits: ProcessEnds;

  constructor(private readonly uses: readonly LockUse[], private readonly pairs: Pairs, private readonly origins: Origins, private readonly ends: SessionEnds, private readonly lending: Lending) {
    this.standing = new ByPlace(uses.map((use) => [use.call.node, use]));
    this.teardowns = new Teardowns(origins, ends);
    this.exits = new ProcessEnds(origins);
    for (const tracked of this.trackedLocks()) this.judge(tracked);
    for (const acquire of uses) if (acquire.call.lease?.kind === 'unused' && acquire.lock.function.operation === 'acquire' && isHeldBySession(acquire) && !this.isForTheProcess(acquire)) this.leaked.push(this.unused(acquire));
    for (const { acquire, release } of keptLocks(uses, (one) => this.freedIn(treeOf(one.call.node).ast, one.call.connection.makers, one).size > 0, ends)) {
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

  private unused(acquire: LockUse): LeakedLock {
    const { node, connection: { makers } } = acquire.call;
    return { tracked: this.track({ body: bodyAround(node), makers, acquire, takenAt: node }), leak: { kind: 'unused', at: undefined }, unlock: undefined, unlockedAt: undefined, isInLoop: false };
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
    for (const use of held.lostUnlocks) if (tracked.acquire && !this.waits(tracked) && !isInBlock(tracked.acquire)) this.lostUnlocks.set(use, tracked.acquire);
    if (isResetWhenBack(tracked)) return;
    const unlock = firstOf(held.freedBy) ?? firstOf(tracked.freedAt.values());
    // A lock that was taken before may also be handed on: only giving the connection back with it is a leak there.
    // With callbacks, a function returns long before its work is done. On a connection that stays, it may be meant to stay, too.
    const isByCallback = tracked.acquire?.call.takesCallback === true;
    const mustFree = tracked.acquire !== undefined && !isByCallback && unlock !== undefined && (held.freedBy.size > 0 || !held.outlives);
    const leaks = held.leaks.filter(({ kind }) => kind === 'released' || kind === 'swallowed' || kind === 'others' || (mustFree && !(kind === 'thrown' && tracked.errorsExit)));
    const staying = leaks.find((one) => one.at) ?? leaks[0];
    // Where no release gives it to a pool before, the session may be over with the test.
    const leak = staying && (staying.at ?? !this.teardowns.areEnding(tracked.makers, tracked.body)) ? staying : undefined;
    const pair = unlock && this.pairs.of(unlock);
    const isToldElsewhere = (pair && crossingOf(pair) !== undefined) || this.crossesConnections(tracked);
    const unlockedAt = [...tracked.freedAt].find(([, use]) => use === unlock)?.[0];
    // Of one unlock one fault is told: with callbacks, the function that gets its result may be followed for itself as well.
    const isTold = unlock !== undefined && this.leaked.some((one) => one.unlock === unlock && one.unlockedAt === unlockedAt);
    if (!leak || isToldElsewhere || isTold) return;
    // Of a lock that this file takes itself, and another file frees, it is told where the connection goes back, whether or not the other file is in view.
    const isFreedAway = leak.at !== undefined && unlock?.call.isElsewhere === true && tracked.acquire?.call.isElsewhere !== true;
    const told = isFreedAway ? { unlock: undefined, unlockedAt: undefined, freeing: unlockedAt } : { unlock, unlockedAt, freeing: unlock ? undefined : this.freeingIn(tracked) };
    this.leaked.push({ tracked, leak, ...told, isInLoop: isInLoopWithout(tracked.takenAt, leak.at) });
  }

  /** A helper that gives nothing back has its own way to wait until the lock is taken. */
  private waits({ takenAt, acquire }: Tracked): boolean {
    const call = acquire?.call;
    if (call?.isElsewhere && call.isSilent) return true;
    const isGiven = takenAt !== undefined && takenAt === call?.node && call.inner !== undefined;
    const helper = isGiven ? this.origins.calleeOf(call.node, undefined)?.callee : takenAt === call?.node ? undefined : call && functionAround(call.node);
    return helper !== undefined && returnedBy(helper).length === 0;
  }

  private freeingIn({ body, makers, takenAt }: Tracked): TSESTree.Node | undefined {
    return walk(body).find((node) => node !== takenAt && is(node, 'CallExpression') && this.ends.mayFree(node, makers));
  }

  /** The unlock of this lock is on another connection: that is the fault, and no-cross-connection-unlock tells it. */
  private crossesConnections({ acquire }: Tracked): boolean {
    return acquire !== undefined && this.pairs.unlocksOf(acquire).some((unlock) => crossingOf({ acquire, unlock }) !== undefined);
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
    if (!found) this.together.set(key, found = new LocksTogether(tracked, new Set(this.freedIn(tracked.body, tracked.makers, undefined).keys()), this.origins, this.ends));
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
      if (!isSessionAcquire(acquire) || !isHeldBySession(acquire) || this.pairs.hasMismatch(acquire) || isInOneCall(acquire) || acquire.isNeverSent || (acquire.call.lease && acquire.call.lease.kind !== 'followed')) continue;
      // The function that sends it, and those that have a function of the file do it on the connection that they pass.
      const calls = [...this.takersOf(acquire), ...this.callsSharing(acquire)];
      for (const { node, makers } of [...calls, ...this.callRunning(acquire)]) {
        const body = bodyAround(node);
        entered.add(body);
        const results = node !== acquire.call.node && calls.some((one) => one.node === node) ? this.results.get(acquire) ?? [] : [];
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
    const fitting = this.freedIn(body, makers, acquire);
    const others = new Set([...fitting].flatMap(([node, use]) => (this.isOfAnother(node, use, lock) ? [node] : [])));
    const freedAt = new Map([...fitting].filter(([node]) => !others.has(node)));
    for (const node of acquire ? this.freedIn(body, makers, undefined).keys() : []) if (!freedAt.has(node)) others.add(node);
    for (const { call: { frees, node } } of this.standing.in(body)) if (frees && !freedAt.has(node)) others.add(node);
    // A closure that a helper gives back has the connection by the helper's own name.
    const withHelper = lock.handle && acquire ? { ...lock, makers: new Set([...makers, ...acquire.call.connection.makers]) } : lock;
    return { ...lock, freedAt, others, lent: this.lending.lentTo(body, makers), ownPool: acquire && this.ends.pools.ofFunction(body, makers), errorsExit: this.exits.areBehind(body), eventsIn: (callee, by) => this.eventsIn(callee, withHelper, by), doneIn: (method, made) => (treeOf(method) === treeOf(body) ? undefined : this.ends.doneByMethod(method, made, makers)) };
  }

  /** A function that takes a lock on the same connection has its own to free. */
  private eventsIn(callee: FunctionNode, lock: Untraced, by: TSESTree.CallExpression | Place | undefined): Map<TSESTree.Node, LockEvent> {
    const { acquire } = lock;
    const makers = !by ? lock.makers : 'frame' in by ? this.ends.seenInside(by, lock.makers) : this.ends.seenBy(by, callee, lock.makers);
    const takes = this.standing.in(callee).some((use) => isSessionAcquire(use) && overlaps(use.call.connection.makers, makers));
    if (takes) return new Map();
    const events = eventsOf({ ...lock, makers, body: callee, takenAt: undefined, freedAt: this.freedIn(callee, makers, acquire), others: new Set(), lent: undefined, eventsIn: () => new Map() }, this.ends, { isSummed: true });
    return new Map([...events].filter(([, { kind }]) => kind !== 'handOn'));
  }

  /** Calls of the function that takes the lock on a connection that it does not make or get: its file's, its class's, a closure's. */
  private callsSharing({ call }: LockUse): readonly PassingCall[] {
    const callee = functionAround(call.node);
    const { makers } = call.connection;
    const isShared = callee && makers.size > 0 && placesOf(makers).every((place) => treeOf(place) !== treeOf(callee) || !contains(callee, place));
    if (!callee || !isShared || this.standing.in(callee).some(isUnlock)) return [];
    return new Callers(this.origins).callsOf(callee).flatMap((node) => (treeOf(node) === treeOf(callee) && !contains(callee, node) ? [{ node, makers }] : []));
  }

  /** The call that runs what takes the lock, `await retry(() => client.query(lock))`, where the code of `retry` is in view. */
  private callRunning({ call }: LockUse): readonly PassingCall[] {
    const callback = functionAround(call.node);
    const outer = callback && wrapped(callback, false);
    const node = outer?.parent;
    if (!callback || !is(node, 'CallExpression') || !node.arguments.includes(outer as never) || !returnedBy(callback).some((one) => contains(one, call.node))) return [];
    const { calls, isAll } = new Callers(this.origins).runsOf(callback);
    return isAll && calls.length > 0 ? [{ node, makers: call.connection.makers }] : [];
  }

  /** Where a function frees the lock: its own calls, and calls of functions of the same file that do it on the connection they get. */
  private freedIn(body: TSESTree.Node, makers: Makers, acquire: LockUse | undefined): Map<TSESTree.Node, LockUse> {
    const found = new Map<TSESTree.Node, LockUse>();
    // By where it stands: most unlocks of a file are of other functions.
    this.unlocking ??= new ByPlace(this.uses.filter(isUnlock).flatMap((use) => [use.call.node, ...this.callsFreeing(use).map(({ node }) => node)].map((node) => [node, use] as const)));
    for (const use of new Set(this.unlocking.in(body))) {
      if (acquire && !this.pairs.fits(acquire, use)) continue;
      const isHere = isIn(use.call.node, body);
      const calls = this.callsFreeing(use).filter(({ node }) => isIn(node, body));
      const isOwn = acquire !== undefined && this.pairs.of(use)?.acquire === acquire;
      if (isHere && (isOwn || overlaps(use.call.connection.makers, makers))) found.set(use.call.node, use);
      for (const call of calls) if (overlaps(call.makers, makers) && !this.isFollowedInto(use, body)) found.set(call.node, use);
    }
    return found;
  }

  /** A function of the same file that unlocks under a condition is looked into where it is called: what it is passed may decide. */
  private isFollowedInto({ call: { node } }: LockUse, body: TSESTree.Node): boolean {
    const helper = functionAround(node);
    return helper !== undefined && treeOf(helper) === treeOf(body) && !contains(helper, body) && !contains(body, helper) && !new EntryGuards(helper, [node], this.origins).isEmpty;
  }

  /** Whether another lock of the function is taken with the very key that an unlock frees, and this one is not: `lock(client, a)`, `lock(client, b)`, `unlock(client, a)`. */
  private isOfAnother(node: TSESTree.Node, unlock: LockUse, { body, makers, acquire, takenAt }: Untraced): boolean {
    if (!acquire || !takenAt || bodyAround(node) !== body) return false;
    const [freed, taken] = [this.keyAt(node, unlock, makers), this.keyAt(takenAt, acquire, makers)];
    const isTakenBy = (use: LockUse, at: TSESTree.Node): boolean => bodyAround(at) === body && this.keyAt(at, use, makers) === freed;
    return freed !== taken && this.takersIn(body).some(({ use, at }) => isTakenBy(use, at.node) && overlaps(at.makers, makers));
  }

  /** A key as a function writes it, where a helper is given nothing else: the text of the helper's arguments, but for the connection. */
  private keyAt(node: TSESTree.Node, use: LockUse, makers: Makers): string {
    if (node === use.call.node) return use.key.parts.map((part) => ('text' in part ? part.text : undefined) ?? '?').join();
    return is(node, 'CallExpression') ? node.arguments.filter((one) => !this.ends.isOver(one, makers)).map((one) => sourceOf(one)).join() : '';
  }

  /** What takes a lock in a function: statements, and calls of functions that have some. */
  private takersIn(body: TSESTree.Node): readonly { readonly use: LockUse; readonly at: PassingCall }[] {
    this.taking ??= new ByPlace(this.uses.filter(isSessionAcquire).flatMap((use) => this.takersOf(use).map((at) => [at.node, { use, at }] as const)));
    return this.taking.in(body);
  }

  private takersOf(use: LockUse): readonly PassingCall[] {
    return [{ node: use.call.node, makers: use.call.connection.makers }, ...this.callsWith(use)];
  }

  /** Calls that come down to an unlock through any number of functions that pass the connection on, and none of which takes a lock on it. */
  private callsFreeing(use: LockUse): readonly PassingCall[] {
    let known = this.freeing.get(use);
    if (!known) this.freeing.set(use, known = this.findCallsFreeing(use));
    return known;
  }

  private findCallsFreeing(use: LockUse): readonly PassingCall[] {
    const found = new Map(this.callsWith(use).map((call) => [call.node, call]));
    // What is added is seen as well.
    for (const { node, makers } of found.values()) {
      const helper = workerAround(node) ?? bodyAround(node);
      const takes = this.takersIn(helper).some(({ at }) => overlaps(at.makers, makers));
      for (const call of takes ? [] : this.ends.callsPassing(makers, node)) if (!found.has(call.node)) found.set(call.node, call);
    }
    return [...found.values()];
  }

  /** Calls of the function that has a lock statement, where it runs on a connection that they pass. */
  private callsWith(use: LockUse): readonly PassingCall[] {
    let known = this.passing.get(use);
    if (!known) this.passing.set(use, known = this.findCallsWith(use));
    return known;
  }

  private findCallsWith(use: LockUse): readonly PassingCall[] {
    const { connection, node } = use.call;
    // A function that takes the lock and frees it, or the other way round, leaves nothing to its callers.
    const workerOf = (at: TSESTree.Node): TSESTree.Node => workerAround(at) ?? treeOf(at).ast;
    this.byWorker ??= groupsBy(this.uses, (one) => workerOf(one.call.node));
    const hasBoth = (this.byWorker.get(workerOf(node)) ?? []).some((one) => isUnlock(one) !== isUnlock(use) && overlaps(one.call.connection.makers, connection.makers));
    return hasBoth ? [] : this.ends.callsPassing(connection.makers, node);
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

/** `DO $$ ... $$` may raise an error where the lock is lost: then what comes after it has it. */
const isInBlock = ({ call, lock }: LockUse): boolean => call.statements.some(({ kind, locks }) => kind === 'do' && locks.includes(lock));

/** Whether a loop has the one and not the other. */
function isInLoopWithout(node: TSESTree.Node | undefined, other: TSESTree.Node | undefined): boolean {
  for (let at = node?.parent; at; at = at.parent) if (/^(?:For|While|DoWhile)\w*Statement$/.test(at.type) && !(other && contains(at, other))) return true;
  return false;
}

const isIn = (node: TSESTree.Node, body: TSESTree.Node): boolean => treeOf(node).ast === treeOf(body).ast && body.range[0] <= node.range[0] && node.range[1] <= body.range[1];
