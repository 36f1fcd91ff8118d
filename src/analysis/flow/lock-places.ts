import type { TSESTree } from '@typescript-eslint/utils';
import { isReleaseName } from '../../drivers/index.js';
import { sourceOf, treeOf } from '../../types/index.js';
import { workerAround } from '../in-place.js';
import type { LockUse } from '../model.js';
import { isSessionAcquire, isUnlock, type Pairs } from '../pairs.js';
import type { SessionEnds } from '../sessions/session-end.js';
import { bodyAround, contains, functionAround, is, isMember, memberName, walk, wrapped, type FunctionNode } from '../syntax.js';
import { Callers } from '../values/callers.js';
import { runsFor } from '../values/decided.js';
import { overlaps, placesOf, type Makers } from '../values/makers.js';
import { returnedBy } from '../values/names.js';
import type { Origins } from '../values/origins.js';
import { ByPlace, groupsBy } from './by-place.js';
import { EntryGuards } from './conditions/entry-guards.js';
import { isKeptForLater, putsAway } from './call-kinds.js';
import type { Tracked } from './lock-events.js';

/** A lock in a function, before it is known where that frees it. */
export type Untraced = Omit<Tracked, 'freedAt' | 'others' | 'takenBeside' | 'eventsIn' | 'lent' | 'ownPool' | 'errorsExit' | 'doneIn'>;

/** A call of a function that is passed a connection. */
interface PassingCall {
  readonly node: TSESTree.Node;
  readonly makers: Makers;
}

/** What takes a lock in a function: its statement, or a call of a function that has it. */
interface Taker {
  readonly use: LockUse;
  readonly at: PassingCall;
}

/** Where the functions of a file take and free its locks: by statements of their own, and by calls of functions that have them. */
export class LockPlaces {
  private readonly passing = new Map<LockUse, readonly PassingCall[]>();
  private readonly freeing = new Map<LockUse, readonly PassingCall[]>();
  private readonly takingCalls = new Map<LockUse, readonly PassingCall[]>();
  private readonly standing: ByPlace<LockUse>;
  private unlocking: ByPlace<LockUse> | undefined;
  private taking: ByPlace<Taker> | undefined;
  private byWorker: ReadonlyMap<TSESTree.Node, readonly LockUse[]> | undefined;

  constructor(private readonly uses: readonly LockUse[], private readonly pairs: Pairs, private readonly origins: Origins, private readonly ends: SessionEnds) {
    this.standing = new ByPlace(uses.map((use) => [use.call.node, use]));
  }

  usesIn(body: TSESTree.Node): readonly LockUse[] {
    return this.standing.in(body);
  }

  /** The unlock that a node is, where that may free the lock. */
  unlockAt(node: TSESTree.Node, acquire: LockUse | undefined): LockUse | undefined {
    return this.uses.find((use) => use.call.node === node && isUnlock(use) && (!acquire || this.pairs.fits(acquire, use)));
  }

  /** Calls of the function that takes the lock on a connection that it does not make or get: its file's, its class's, a closure's. */
  callsSharing({ call }: LockUse): readonly PassingCall[] {
    const callee = functionAround(call.node);
    const { makers } = call.connection;
    const isShared = callee && makers.size > 0 && placesOf(makers).every((place) => treeOf(place) !== treeOf(callee) || !contains(callee, place));
    if (!callee || !isShared || this.usesIn(callee).some(isUnlock)) return [];
    return new Callers(this.origins).callsOf(callee).flatMap((node) => (treeOf(node) === treeOf(callee) && !contains(callee, node) ? [{ node, makers }] : []));
  }

  /** The call that runs what takes the lock, `await retry(() => client.query(lock))`, where the code of `retry` is in view. */
  callRunning({ call }: LockUse): readonly PassingCall[] {
    const callback = functionAround(call.node);
    const outer = callback && wrapped(callback, false);
    const node = outer?.parent;
    if (!callback || !is(node, 'CallExpression') || !node.arguments.includes(outer as never) || !returnedBy(callback).some((one) => contains(one, call.node))) return [];
    const { calls, isAll } = new Callers(this.origins).runsOf(callback);
    return isAll && calls.length > 0 ? [{ node, makers: call.connection.makers }] : [];
  }

  /** Where a function frees the lock: its own calls, and calls of functions of the same file that do it on the connection they get. */
  freedIn(body: TSESTree.Node, makers: Makers, acquire: LockUse | undefined): Map<TSESTree.Node, LockUse> {
    const found = new Map<TSESTree.Node, LockUse>();
    // By where it stands: most unlocks of a file are of other functions.
    this.unlocking ??= new ByPlace(this.uses.filter(isUnlock).flatMap((use) => [use.call.node, ...this.callsFreeing(use).map(({ node }) => node)].map((node) => [node, use] as const)));
    for (const use of new Set(this.unlocking.in(body))) {
      if (acquire && !this.pairs.fits(acquire, use)) continue;
      const isHere = isIn(use.call.node, body);
      const calls = this.callsFreeing(use).filter(({ node }) => isIn(node, body));
      const isOwn = acquire !== undefined && this.pairs.of(use)?.acquire === acquire;
      if (isHere && (isOwn || overlaps(use.call.connection.makers, makers) || this.mayBePassed(use, body))) found.set(use.call.node, use);
      for (const call of calls) if (overlaps(call.makers, makers) && !this.isFollowedInto(use, body)) found.set(call.node, use);
    }
    return found;
  }

  /** Whether a function unlocks on what it is passed or on something else, `client ?? pool`: each call decides. */
  private mayBePassed({ call: { connection, handle } }: LockUse, body: TSESTree.Node): boolean {
    return connection.kind === 'unknown' && this.origins.of({ node: handle, frame: undefined }).some((one) => one.kind === 'parameter' && one.callee === body);
  }

  /** A function of the same file that unlocks under a condition is looked into where it is called: what it is passed may decide. */
  private isFollowedInto({ call: { node } }: LockUse, body: TSESTree.Node): boolean {
    const helper = functionAround(node);
    return helper !== undefined && treeOf(helper) === treeOf(body) && !contains(helper, body) && !contains(body, helper) && !new EntryGuards(helper, [node], this.origins).isEmpty;
  }

  /** Whether another lock of the function is taken with the very key that an unlock frees, and this one is not: `lock(client, a)`, `lock(client, b)`, `unlock(client, a)`. */
  isOfAnother(node: TSESTree.Node, unlock: LockUse, { body, makers, acquire, takenAt }: Untraced): boolean {
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
  private takersIn(body: TSESTree.Node): readonly Taker[] {
    this.taking ??= new ByPlace(this.uses.filter(isSessionAcquire).flatMap((use) => this.takersOf(use).map((at) => [at.node, { use, at }] as const)));
    return this.taking.in(body);
  }

  takersOf(use: LockUse): readonly PassingCall[] {
    return [{ node: use.call.node, makers: use.call.connection.makers }, ...this.callsTaking(use)];
  }

  /** Calls that come down to a lock through any number of functions that do no more with the connection than to pass it on. */
  private callsTaking(use: LockUse): readonly PassingCall[] {
    let known = this.takingCalls.get(use);
    if (!known) this.takingCalls.set(use, known = this.findCallsTaking(use));
    return known;
  }

  private findCallsTaking(use: LockUse): readonly PassingCall[] {
    const direct = this.callsWith(use);
    // What a function makes of a try-lock's answer is followed in the one that has it, and no further.
    if (use.lock.function.operation === 'try') return direct;
    const found = new Map(direct.map((call) => [call.node, call]));
    // What is added is seen as well.
    for (const { node, makers } of found.values()) {
      const helper = workerAround(node);
      const calls = helper && !this.ends.unlocksIn(helper) && isPassingOn(helper, node) ? this.ends.callsPassing(makers, node) : [];
      for (const call of calls) if (!found.has(call.node) && this.isReachedBy(node, call.node)) found.set(call.node, call);
    }
    return [...found.values()];
  }

  /** Whether a call of a function reaches some code of it, whatever the conditions before. */
  private isReachedBy(node: TSESTree.Node, call: TSESTree.Node): boolean {
    const entered = is(call, 'CallExpression') ? this.origins.calleeOf(call, undefined) : undefined;
    return entered !== undefined && functionAround(node) === entered.callee && runsFor(node, entered.callee, entered.frame.args) === true;
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
    return hasBoth ? [] : this.ends.callsPassing(connection.makers, node).filter((call) => !this.isLeftOut(node, call.node));
  }

  /** Whether a call decides by what it passes, or leaves to a default, that its function does not send a statement. */
  private isLeftOut(sent: TSESTree.Node, call: TSESTree.Node): boolean {
    const entered = is(call, 'CallExpression') ? this.origins.calleeOf(call, undefined) : undefined;
    return entered !== undefined && functionAround(sent) === entered.callee && runsFor(sent, entered.callee, entered.frame.args) === false;
  }

  /** `if (!got) await client.query(wait)`: another lock that an unlock of a try-lock may free as well. */
  takenBeside({ body, makers, acquire, takenAt }: Untraced, freedAt: ReadonlyMap<TSESTree.Node, LockUse>): ReadonlySet<TSESTree.Node> {
    if (acquire?.lock.function.operation !== 'try' || freedAt.size === 0) return new Set();
    const unlocks = [...new Set(freedAt.values())];
    const isBeside = ({ use, at }: Taker): boolean => use !== acquire && at.node !== takenAt && overlaps(at.makers, makers) && unlocks.some((one) => this.pairs.fits(use, one));
    return new Set(this.takersIn(body).filter(isBeside).map(({ at }) => at.node));
  }
}

/** Whether a function that calls one which takes a lock keeps nothing of it, has nothing done later, gives no connection back, and gives nothing else to its caller. */
function isPassingOn(helper: FunctionNode, call: TSESTree.Node): boolean {
  if (helper.generator || returnedBy(helper).some((one) => !contains(one, call))) return false;
  return [...walk(helper.body)].every((node) => {
    if (is(node, 'AssignmentExpression')) return !isMember(node.left);
    return !is(node, 'CallExpression') || !(putsAway(node) || isKeptForLater(node) || (isMember(node.callee) && isReleaseName(memberName(node.callee) ?? '')));
  });
}

/** Whether a node stands in a function, or in a file. */
export const isIn = (node: TSESTree.Node, body: TSESTree.Node): boolean => treeOf(node).ast === treeOf(body).ast && body.range[0] <= node.range[0] && node.range[1] <= body.range[1];
