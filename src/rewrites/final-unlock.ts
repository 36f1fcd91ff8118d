import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../analysis/facts.js';
import type { LeakedLock } from '../analysis/flow/leaks.js';
import { canThrow } from '../analysis/flow/call-kinds.js';
import type { LockUse } from '../analysis/model.js';
import { between, commonBlock, indexIn, isBlock, isGivenBackBetween, isRelease, type LocalPair, localPairOf, type Source, sourceOf, variablesIn } from '../analysis/regions.js';
import { contains, functionAround, is, isFunction, walk, wrapped } from '../analysis/syntax.js';
import { pairOfHelpers } from './helper-pairs.js';
import type { Rewrite } from './model.js';
import { straysOf } from './move.js';
import { isWaitedFor, Parts } from './parts.js';
import { exits, type Placement } from './placement.js';
import { isLeft, isReleased } from './releasing.js';
import { placedOf, type Placed, wayOf } from './shaping.js';
import { Straight } from './straight.js';
import { carrierOf } from './target.js';


/**
 * Puts the work under a lock into a `try`, and the unlock into the `finally` of that. `undefined` where some path would still leave
 * the lock, or the unlock would run on one where it is not held or cannot work.
 */
export function unlockInFinally(leaked: LeakedLock, facts: FileFacts, sourceCode: Source): Rewrite | undefined {
  const whole = ownPairOf(leaked, facts);
  // Of an object that tells whether the lock was taken, only the code behind that question has what frees it.
  if (!whole || whole.acquire.call.lease?.results) return undefined;
  const pair = { ...whole, unlocks: whole.unlocks.slice(-1) };
  const parts = new Parts(pair, facts, sourceCode);
  return cover(pair, parts, whole.unlocks.slice(0, -1)) ? parts.draft.rewrite() : undefined;
}

/** Puts the work of a pair into a `try`, in a draft; `early`: unlocks on ways out of the work, which the `finally` stands in for. */
export function cover(pair: LocalPair, parts: Parts, early: readonly LockUse[] = [], isWanted: (kind: Placement['kind']) => boolean = () => true): boolean {
  const placed = placedOf(pair);
  const work = placed && isWanted(placed.placement.kind) && isSure(placed, pair.acquire) ? workOf(placed, pair) : undefined;
  if (!placed || !work || !isUnlockable(work, pair.unlocks) || isCaughtBefore(placed.placement, pair)) return false;
  for (const one of early) {
    const statement = work.some((node) => contains(node, one.call.node)) ? earlyUnlock(one, parts) : undefined;
    if (!statement) return false;
    parts.spans.remove(statement, parts.draft);
  }
  return pair.unlocks.every((one) => parts.keepUnlock(one, wayOf(placed, pair))) && parts.settle(parts.shaping.inPlace(pair, placed));
}

/** Whether each way from the lock leads to its unlock as it is. */
export function isCovered(pair: LocalPair): boolean {
  const placed = placedOf(pair);
  if (!placed || !isSure(placed, pair.acquire)) return false;
  const { block, placement } = placed;
  const [statement, gap] = placement.kind === 'covered' ? [placement.block.body[placement.at], block.body.slice(placement.from, placement.at)]
    : placement.kind === 'around' && pair.acquire.lock.function.operation !== 'try' ? [placement.statement, []] : [];
  if (!is(statement, 'TryStatement') || !statement.finalizer) return false;
  const before = statement.finalizer.body.slice(0, indexIn(statement.finalizer, pair.unlocks[0]!.call.node));
  return [...gap ?? [], ...before].every((one) => isStill(one, pair.acquire));
}

/** The statement of an unlock whose answer nothing reads, right before the function or the round of a loop is left. */
function earlyUnlock(unlock: LockUse, { isDropped, sourceCode }: Parts): TSESTree.ExpressionStatement | undefined {
  const statement = wrapped(unlock.call.node, true).parent;
  if (!is(statement, 'ExpressionStatement') || !isBlock(statement.parent) || !isDropped(unlock)) return undefined;
  const next = statement.parent.body[statement.parent.body.indexOf(statement) + 1];
  const isLeft = is(next, 'ReturnStatement') || is(next, 'ThrowStatement') || is(next, 'ContinueStatement') || is(next, 'BreakStatement');
  const hasComments = sourceCode.getCommentsBefore(statement).length + sourceCode.getCommentsAfter(statement).length + sourceCode.getCommentsInside(statement).length > 0;
  return isLeft && !hasComments && ![...walk(next)].some((one) => is(one, 'AwaitExpression')) ? statement : undefined;
}

/**
 * Lets the error of an unlock through that is caught now, and gives the connection back even so. `undefined` where more than the
 * unlock stands under that `catch`.
 */
export function letErrorThrough({ unlock, unlockedAt, leak }: LeakedLock, facts: FileFacts, sourceCode: Source): Rewrite | undefined {
  if (!unlock || unlockedAt !== unlock.call.node || !leak.at || !functionAround(unlockedAt)?.async) return undefined;
  const block = commonBlock([unlockedAt, leak.at]);
  const pair: LocalPair = { acquire: unlock, unlocks: [unlock], within: functionAround(unlockedAt)! };
  const parts = new Parts(pair, facts, sourceCode);
  if (!isWaitedFor(unlock) || !parts.letThrough(unlock)) return undefined;
  const [at, release] = block ? [indexIn(block, unlockedAt), indexIn(block, leak.at)] : [-1, -1];
  // The release in an outer `finally` runs anyway.
  const isOutside = at === release && is(block?.body[at], 'TryStatement');
  if (!block || !(isOutside || is(block.body[release], 'ExpressionStatement'))) return undefined;
  const gone = { statements: new Set<TSESTree.Node>(), handles: [] };
  const isSafe = isOutside || new Straight(parts.inner, sourceCode, gone).make({ kind: 'straight', block, from: at, unlock: release }, false) !== undefined;
  return isSafe ? parts.draft.rewrite() : undefined;
}

/** The lock and its unlock on one connection, where one function has both, and waits for them. */
function ownPairOf(leaked: LeakedLock, facts: FileFacts): LocalPair | undefined {
  const { tracked: { acquire, takenAt }, unlock, unlockedAt } = leaked;
  const isDirect = takenAt === acquire?.call.node && unlockedAt === unlock?.call.node;
  const pair = !acquire || !unlock ? undefined : isDirect ? localPairOf(acquire, facts.pairs, true) : pairOfHelpers(leaked, facts);
  if (!pair || straysOf(pair).length > 0 || ![pair.acquire, ...pair.unlocks].every(isWaitedFor)) return undefined;
  const end = pair.acquire.call.node.range[1];
  return pair.unlocks.some(({ call }) => isGivenBackBetween(call.handle, end, call.node.range[0], (one) => isLeft(one, call.node))) ? undefined : pair;
}

/** Whether the lock is held for certain where the `try` is to begin, and nothing before that leaves with it. */
function isSure({ block, placement }: Placed, acquire: LockUse): boolean {
  const before = gapIn(block, placement, acquire);
  if (!before?.every((one) => isQuiet(one, acquire)) || (placement.kind === 'straight' && asksForFailure(placement))) return false;
  const inner = placement.kind === 'straight' ? [placement.block, ...between(placement.block, block)] : [];
  return inner.every((one) => !is(one, 'IfStatement') || isPlain(one.test));
}

/** Whether the unlock runs only where the work has not failed: `catch { failed = true }`, `if (!failed) await unlock()`. */
function asksForFailure({ block, from, unlock }: Placement & { kind: 'straight' }): boolean {
  const last = block.body[unlock];
  const asked = new Set([...is(last, 'IfStatement') ? walk(last.test) : []].flatMap((one) => (is(one, 'Identifier') ? one.name : [])));
  const handlers = block.body.slice(from, unlock).flatMap((one) => [...walk(one)].filter((inner) => is(inner, 'CatchClause')));
  return handlers.some((one) => [...walk(one)].some((inner) => is(inner, 'AssignmentExpression') && is(inner.left, 'Identifier') && asked.has(inner.left.name)));
}

/** The statements from the acquire to the work; `undefined` where the shape leaves some way out that is not known. */
function gapIn(block: Placed['block'], placement: Placement, { call: { node } }: LockUse): readonly TSESTree.Statement[] | undefined {
  const at = indexIn(block, node);
  switch (placement.kind) {
    case 'straight':
      return block.body.slice(at, placement.block === block ? placement.from : indexIn(block, placement.block));
    case 'covered':
      return isUnconditional(placement) ? block.body.slice(at, placement.from) : undefined;
    case 'around':
      return placement.statement.block.body.slice(indexIn(placement.statement.block, node), placement.from);
    case 'final':
      return block.body.slice(at, indexIn(block, placement.statement));
    case 'behind':
    case 'kept':
      return undefined;
  }
}

/** Whether the `finally` runs its unlock whatever has happened: no condition stands in it. */
function isUnconditional({ block, at }: Placement & { kind: 'covered' }): boolean {
  const statement = block.body[at];
  return is(statement, 'TryStatement') && statement.finalizer !== null && !statement.finalizer.body.some((one) => is(one, 'IfStatement') && [...walk(one.consequent)].some((node) => is(node, 'AwaitExpression')));
}

/** Whether a statement behind a lock goes on to the next one for certain, but for where a try-lock was lost. */
export function isQuiet(statement: TSESTree.Statement, acquire: LockUse): boolean {
  const isGuard = is(statement, 'IfStatement') && !statement.alternate && exits(statement.consequent);
  if (isGuard || is(statement, 'WhileStatement')) return isPlain(statement.test) && isStill(statement.test, acquire);
  return isStill(statement, acquire);
}

const isStill = (node: TSESTree.Node, { call }: LockUse): boolean => [...walk(node, isFunction)].every((one) => isOwn(one, call.node) || !(canThrow(one) || /^(?:Return|Break|Continue|Throw)Statement$/.test(one.type)));

const isOwn = (node: TSESTree.Node, call: TSESTree.Node): boolean => contains(call, node) || (is(node, 'AwaitExpression') && contains(node.argument, call));

/** A test of one thing: nothing else decides. */
const isPlain = (test: TSESTree.Node): boolean => ![...walk(test, isFunction)].some((one) => is(one, 'LogicalExpression') && one.operator !== '??');

/** What runs under the lock. */
function workOf({ block, placement }: Placed, { acquire, unlocks }: LocalPair): readonly TSESTree.Node[] {
  switch (placement.kind) {
    case 'straight':
      return placement.block.body.slice(placement.from, placement.unlock);
    case 'covered':
      return [...placement.block.body.slice(placement.from, placement.at), (placement.block.body[placement.at] as TSESTree.TryStatement).block];
    case 'around':
      return placement.statement.block.body.slice(placement.from);
    case 'final':
    case 'behind':
    case 'kept':
      return [placement.statement.block].filter((one) => unlocks.every(({ call }) => !contains(acquire.call.node, call.node)) && contains(block, one));
  }
}

function isCaughtBefore(placement: Placement, { acquire, unlocks, within }: LocalPair): boolean {
  const connections = variablesIn(carrierOf(acquire.call));
  const releases = [...connections].flatMap((one) => one.references.map(({ identifier }) => identifier as TSESTree.Node)).filter((one) => isReleased(one) && !unlocks.some(({ call }) => contains(call.node, one)));
  return isCaughtAt(placeIn(placement), within, releases);
}

/**
 * Whether a `catch` around the new place of an unlock lets the connection go back as if nothing were wrong where the unlock itself
 * fails: one fault would be cured, and another be left.
 */
export function isCaughtAt(place: TSESTree.Node, within: TSESTree.Node, releases: readonly TSESTree.Node[]): boolean {
  for (const at of [place, ...between(place, within)]) {
    const statement = at.parent;
    if (!is(statement, 'TryStatement') || statement.block !== at || !statement.handler) continue;
    const { handler } = statement;
    const isThrownOn = is(handler.body.body.at(-1), 'ThrowStatement');
    if (releases.some((one) => contains(handler, one) || (!isThrownOn && !contains(statement.block, one) && one.range[0] > statement.range[0]))) return true;
  }
  return false;
}

/** The block, or the statement, that will have the unlock. */
function placeIn(placement: Placement): TSESTree.Node {
  switch (placement.kind) {
    case 'straight':
    case 'covered':
      return placement.block;
    case 'around':
      return placement.statement.block;
    case 'final':
    case 'behind':
    case 'kept':
      return placement.statement;
  }
}

const BEGINS = /^['"`]\s*(?:begin|start\s+transaction)\b/i;
const ROLLS_BACK = /^['"`]\s*(?:rollback|abort)\b/i;

/** Whether an unlock works behind all of it: the connection is still there, and no transaction has failed on it. */
export function isUnlockable(work: readonly TSESTree.Node[], unlocks: readonly LockUse[]): boolean {
  const nodes = work.flatMap((one) => [...walk(one)]);
  const isGivenBack = nodes.some((one) => isRelease(one) && unlocks.every(({ call }) => !contains(one, call.node)));
  const isOpened = nodes.some((one) => isText(one, BEGINS));
  const isRolledBack = nodes.some((one) => is(one, 'TryStatement') && [one.handler, one.finalizer].some((clean) => clean && [...walk(clean)].some((node) => isText(node, ROLLS_BACK))));
  return !isGivenBack && (!isOpened || isRolledBack);
}

const isText = (node: TSESTree.Node, pattern: RegExp): boolean => (is(node, 'Literal') || is(node, 'TemplateLiteral')) && pattern.test(sourceOf(node));
