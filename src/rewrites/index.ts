import type { TSESTree } from '@typescript-eslint/utils';
import { isPinned } from '../analysis/connections/sessions.js';
import type { FileFacts } from '../analysis/facts.js';
import type { Answer, LockUse } from '../analysis/model.js';
import { freesEach, isUnlock } from '../analysis/pairs.js';
import { localPairOf, type LocalPair, type Source, treeOf } from '../analysis/regions.js';
import { contains, functionAround, is, isFunction, isMember, wrapped } from '../analysis/syntax.js';
import { codeOf } from '../analysis/wording.js';
import { AnswerReader, whenFalseAt, type WhenFalse } from './answer.js';
import { Carrier } from './carrier.js';
import { columnsOf, hasOneAnswer, isReadable } from './columns.js';
import { Draft } from './draft.js';
import { Mistaken } from './mistaken.js';
import { isCovered } from './final-unlock.js';
import { withoutUnused } from './imports.js';
import type { Rewrite } from './model.js';
import { Moving, straysOf, targetOf } from './move.js';
import { Names } from './names.js';
import { awaitStatement } from './small-edits.js';
import { Parts } from './parts.js';
import { Reserving } from './reserve.js';
import { Spans } from './spans.js';
import { carrierOf } from './target.js';
import { Text } from './text.js';

export type { Edit, Rewrite } from './model.js';
export { letErrorThrough, unlockInFinally } from './final-unlock.js';
export { unlockWhatWasWon, useKeyOf, useModeOf } from './fitting.js';
export { leaveWhenLost } from './lost-try.js';
export { lockForTransaction, removeUnlock } from './levels.js';
export { guardInTransaction } from './guarding.js';
export { addUnlock } from './missing-unlock.js';
export { unfolding } from './unfold.js';
export { writeExactKey } from './exact-key.js';
export { destroyOnRelease, destroyWhereFailed, useOtherMethod, useTransactionHandle } from './small-edits.js';

/**
 * Puts an acquire, its unlocks and the work between them on one reserved connection of the driver. `undefined` where no edit is
 * known to be safe: they stand in different functions, the pool has one connection, the driver cannot reserve, the shape of the
 * code is not one of those that the rewrite knows; or where a connection is at hand.
 */
export function reserveConnection(use: LockUse, facts: FileFacts, sourceCode: Source): Rewrite | undefined {
  const pair = pairToMend(use, facts);
  if (!pair || isOnOneConnection(pair) || moved(pair, facts, sourceCode)) return undefined;
  const reserving = (isUnpacked: boolean): Rewrite | undefined => {
    const parts = new Parts(pair, facts, sourceCode);
    parts.inner.isUnpacked = isUnpacked;
    return new Reserving(pair, parts).rewrite();
  };
  const rewrite = reserving(true) ?? reserving(false);
  return rewrite && withoutUnused(rewrite, sourceCode);
}

/** Sends an acquire and its unlocks to a connection that the code has reserved already. */
export function useConnectionAtHand(use: LockUse, facts: FileFacts, sourceCode: Source): Rewrite | undefined {
  const pair = pairToMend(use, facts);
  const rewrite = pair && !isOnOneConnection(pair) ? moved(pair, facts, sourceCode) : undefined;
  return rewrite && withoutUnused(rewrite, sourceCode);
}

/** The connection that it sends them to, as the code writes it. */
export function connectionAtHand(use: LockUse, facts: FileFacts): string {
  const pair = localPairOf(use, facts.pairs);
  return pair ? codeOf(carrierOf((targetOf(pair) ?? pair.acquire).call)) : '';
}

function moved(pair: LocalPair, facts: FileFacts, sourceCode: Source): Rewrite | undefined {
  if (!callsOf(pair).some((one) => isPinned(one.connection))) return undefined;
  const moving = (): Moving => new Moving(pair, new Parts(pair, facts, sourceCode));
  return moving().rewrite() ?? moving().behind() ?? moving().plain();
}

/** The pair of a use, where it may be put on one connection. */
function pairToMend(use: LockUse, facts: FileFacts): LocalPair | undefined {
  const pair = localPairOf(use, facts.pairs);
  if (!pair || callsOf(pair).some((one) => one.result.isGuess) || !freesEach(pair.acquire, pair.unlocks)) return undefined;
  // The work would wait for the one connection that the lock holds; a pooler gives no session at all.
  const isHopeless = callsOf(pair).some(({ connection: one }) => (one.size === 1 && !isPinned(one)) || one.pooler !== undefined || (one.kind === 'stateless' && one.over?.kind !== 'pooled') || one.kind === 'unknown');
  return isHopeless ? undefined : pair;
}

const callsOf = ({ acquire, unlocks }: LocalPair): LockUse['call'][] => [acquire, ...unlocks].map((one) => one.call);

const isOnOneConnection = (pair: LocalPair): boolean => callsOf(pair).some((one) => isPinned(one.connection)) && straysOf(pair).length === 0;

/**
 * What the code that reads the answer of an unlock does where it is false: a line in the log in the place of an error that something
 * swallows, that hides another, or that comes when all is done; or that leads to a `catch` which unlocks once more.
 */
export function answeringAt(unlock: LockUse, facts: FileFacts, wanted: WhenFalse): WhenFalse {
  const { state } = facts.answerOf(unlock);
  if (state === 'mistaken' || wanted !== 'throw') return wanted;
  return state === 'dropped' && isUndoneIn(unlock, facts) ? 'log' : whenFalseAt(wanted, unlock.call.node);
}

/** Reads the answer of an unlock and throws, or says so, where it is false. */
export function readAnswer(unlock: LockUse, facts: FileFacts, sourceCode: Source, whenFalse: WhenFalse): Rewrite | undefined {
  const answer = facts.answerOf(unlock);
  if (answer.state === 'read' || answer.state === 'ignored' || unlock.call.result.isGuess || unlock.call.keepsAnswer || !hasOneAnswer(unlock)) return undefined;
  if (answer.state === 'mistaken' && isPromise(unlock, facts)) return undefined;
  const draft = new Draft(new Text(sourceCode));
  const within = functionAround(unlock.call.node) ?? treeOf(unlock.call.node).ast;
  const types = facts.types;
  const carrier = new Carrier(sourceCode, draft, types);
  const reader = new AnswerReader(sourceCode, draft, carrier, new Names(sourceCode, within), types, whenFalse);
  const isDone = answer.state === 'mistaken' ? correct(answer, unlock, draft, facts) : reader.read(unlock, undefined);
  return isDone ? draft.rewrite() : undefined;
}

/**
 * Waits for a statement, where that is all that it needs to be sent in its turn: a lock that ends with its transaction, or is on one
 * connection; its unlock, where that is in a `finally` already, and its answer is then read.
 */
export function waitFor(use: LockUse, facts: FileFacts, sourceCode: Source): Rewrite | undefined {
  const { call, lock: { function: { level, operation } } } = use;
  if (level === 'transaction') return facts.transactions.isInside(use) && operation === 'acquire' ? awaitStatement(use, sourceCode) : undefined;
  if (call.connection.kind === 'transaction' || !isPinned(call.connection)) return undefined;
  // One that was sent all the same is followed to its unlock already; one that never was may have none.
  if (operation === 'acquire' && call.floats === 'notAwaited') return awaitStatement(use, sourceCode);
  const pair = localPairOf(use, facts.pairs, true);
  if (!pair || straysOf(pair).length > 0 || !isCovered(pair)) return undefined;
  if (operation === 'acquire') return awaitStatement(use, sourceCode);
  if (operation !== 'unlock') return undefined;
  // A helper that reads the answer itself, or keeps it, only has to be waited for.
  if (call.isElsewhere && (call.isSilent === true || call.keepsAnswer || call.holds !== 'boolean')) return awaitStatement(use, sourceCode);
  return readAnswer(use, facts, sourceCode, answeringAt(use, facts, 'throw'));
}

/** Whether an error at an unlock leads to a `catch` that unlocks once more. */
function isUndoneIn({ call: { node } }: LockUse, { uses }: FileFacts): boolean {
  for (let at: TSESTree.Node = node; at.parent && !isFunction(at); at = at.parent) {
    const statement: TSESTree.Node = at.parent;
    if (!is(statement, 'TryStatement') || statement.block !== at || !statement.handler) continue;
    const { handler } = statement;
    return uses.some((one) => isUnlock(one) && contains(handler.body, one.call.node));
  }
  return false;
}

/** Tests the column where something that is always there is tested in its place. */
export function testColumn(use: LockUse, facts: FileFacts, sourceCode: Source): Rewrite | undefined {
  const answer = facts.answerOf(use);
  if (answer.state !== 'mistaken' || isPromise(use, facts) || !hasOneAnswer(use)) return undefined;
  const draft = new Draft(new Text(sourceCode));
  return !use.call.result.isGuess && correct(answer, use, draft, facts) ? draft.rewrite() : undefined;
}

/** Whether what is tested is a promise, or may be: `if (!tryLock(client))`. */
function isPromise({ call: { node, takesCallback } }: LockUse, { types }: FileFacts): boolean {
  const { parent } = wrapped(node, false);
  return !takesCallback && !is(parent, 'AwaitExpression') && !isMember(parent ?? node) && types.typeOf(node)?.isAwaitable !== false;
}

/** Waits for the answer where its promise is tested. What a promise of a boolean gives is the answer; of a result, its column would have to be read as well. */
export function waitForAnswer(use: LockUse, facts: FileFacts, sourceCode: Source): Rewrite | undefined {
  const isTested = facts.answerOf(use).state === 'mistaken' && use.call.holds === 'boolean' && isPromise(use, facts);
  return isTested ? awaitStatement(use, sourceCode) : undefined;
}

function correct(answer: Answer & { state: 'mistaken' }, use: LockUse, draft: Draft, { types, source }: FileFacts): boolean {
  const { call } = use;
  const columns = columnsOf(call, use.lock.function.operation);
  const rows = new Carrier(source, draft, types).rowsAfter(call, undefined);
  // Without types, the test may be of another thing than it seems.
  if (!columns || !isReadable(call, columns, types)) return false;
  return rows === call.result.rows && new Mistaken(draft, new Spans(source), rows).correct(answer, call, columns);
}
