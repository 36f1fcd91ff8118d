import type { TSESTree } from '@typescript-eslint/utils';
import { sourceOf } from '../../types/index.js';
import { crossingOf } from '../connections/crossing.js';
import { isAssertion } from '../flow/call-kinds.js';
import type { LockUse, SqlCall } from '../model.js';
import { isSessionAcquire, isUnlock, Pairs, sameFunction, type AskedOfPairs, type Pair } from '../pairs.js';
import type { Calls } from '../statements/calls.js';
import type { Origins } from '../values/origins.js';
import { ancestor, callsIn, contains, functionAround, is, isFunction, unwrap, type CallNode, type FunctionNode } from '../syntax.js';

/** The calls of a file, beside those that are told, that stand for a lock statement which is among those of the file, or of another one, already. */
export function callerCalls(root: TSESTree.Program, told: readonly SqlCall[], reader: Calls): SqlCall[] {
  const known = new Set<TSESTree.Node>(told.map(({ node }) => node));
  // What is called where it is written is no helper.
  return callsIn(root).flatMap((node) => (is(node, 'CallExpression') && !known.has(node) && !isFunction(unwrap(node.callee)) ? reader.ofCaller(node) ?? [] : []));
}

/**
 * Calls of lock helpers, as their callers see them. What a helper does on its connection is told in the helper; not to wait for it, not to read
 * its answer, to pass another key or another client than before is what only the caller can do wrong, and told at the call.
 */
export class CallerPairs {
  private readonly pairs: Pairs;
  private readonly unlocks: readonly LockUse[];
  private readonly ofCallers: ReadonlySet<LockUse>;
  private readonly nodes: ReadonlySet<TSESTree.Node>;
  private missing: readonly Pair[] | undefined;
  private mismatchedAt: ReadonlySet<TSESTree.Node> | undefined;

  /** `told`: the other uses of the file, which may be what a helper frees, or free what it has taken. */
  constructor(uses: readonly LockUse[], told: readonly LockUse[], private readonly origins: Origins, asked: AskedOfPairs) {
    // What a helper sends for its callers belongs to none of them in particular.
    const helpers = new Set<unknown>(uses.map(({ call: { node } }) => this.calleeOf(node)));
    const all = uses.length === 0 ? [] : [...told, ...uses.map((use) => (isExpectedToFail(use) ? { ...use, expectsFalse: true } : use))]
      .filter((use) => !helpers.has(functionAround(use.call.node)) && (isUnlock(use) || isSessionAcquire(use)))
      .sort((one, other) => one.call.node.range[0] - other.call.node.range[0]);
    const known = new Set(told);
    this.ofCallers = new Set(all.filter((use) => !known.has(use)));
    this.nodes = new Set(all.map(({ call: { node } }) => node));
    this.unlocks = all.filter(isUnlock);
    this.pairs = new Pairs(all, asked);
  }

  /** Unlocks that cannot free what is taken before them, where a helper sends one of the two. */
  get mismatches(): readonly Pair[] {
    return (this.missing ??= this.unlocks.flatMap((unlock) => {
      const pair = this.pairs.mismatchOf(unlock);
      return pair && this.isOfCaller(pair) && !this.isFreedUnseen(pair) ? [pair] : [];
    }));
  }

  /** Calls of which `mismatches` tells that they free nothing. */
  get mismatched(): ReadonlySet<TSESTree.Node> {
    return (this.mismatchedAt ??= new Set(this.mismatches.map(({ unlock }) => unlock.call.node)));
  }

  /** Unlocks on another client than that of their lock. */
  get crossings(): Pair[] {
    return this.pairsOfCallers().filter((pair) => crossingOf(pair) === 'twoConnections');
  }

  /** Locks whose unlock misses them, which is told of the unlock: here, or in the helper that sends it through a pool. */
  get missed(): Set<TSESTree.Node> {
    return new Set([...this.mismatches, ...this.pairsOfCallers().filter((pair) => crossingOf(pair) !== undefined)].map(({ acquire }) => acquire.call.node));
  }

  private pairsOfCallers(): Pair[] {
    return this.unlocks.flatMap((unlock) => this.pairs.of(unlock) ?? []).filter((pair) => this.isOfCaller(pair));
  }

  private isOfCaller({ acquire, unlock }: Pair): boolean {
    return sameFunction(acquire, unlock) && (this.ofCallers.has(acquire) || this.ofCallers.has(unlock));
  }

  private calleeOf(node: TSESTree.Node): FunctionNode | undefined {
    return is(node, 'CallExpression') ? this.origins.calleeOf(node, undefined)?.callee : undefined;
  }

  /** Whether the function also calls one that locks or frees in ways of its own. */
  private isFreedUnseen({ unlock }: Pair): boolean {
    const owner = functionAround(unlock.call.node);
    return owner !== undefined && callsIn(owner).some((one) => !this.nodes.has(one) && !contains(one, unlock.call.node) && this.mayFree(one));
  }

  private mayFree(call: CallNode): boolean {
    const callee = this.calleeOf(call);
    return callee ? /advisory|unlock/i.test(sourceOf(callee)) : is(call, 'CallExpression') && /unlock/i.test(sourceOf(call.callee));
  }
}

/** A helper that throws where nothing is freed, and code that asserts that it does: `await expect(unlock(other, key)).rejects.toThrow()`. */
function isExpectedToFail({ call: { node, isSilent } }: LockUse): boolean {
  return isSilent === true && ancestor(node, (one) => is(one, 'CallExpression') && isAssertion(one) && one.arguments.some((argument) => contains(argument, node))) !== undefined;
}
