import type { SourceCode } from '@typescript-eslint/utils/ts-eslint';
import { isPinned } from '../analysis/connections.js';
import type { FileFacts } from '../analysis/facts.js';
import type { LockUse } from '../analysis/model.js';
import { localPairOf, typesAround } from '../analysis/regions.js';
import { functionAround } from '../analysis/syntax.js';
import { treeOf } from '../analysis/regions.js';
import { AnswerReader, type WhenFalse } from './answer.js';
import { Carrier } from './carrier.js';
import { Draft } from './draft.js';
import type { Rewrite } from './model.js';
import { Names } from './names.js';
import { Reserving } from './reserve.js';
import { Text } from './text.js';

export type { Edit, Rewrite } from './model.js';

/**
 * Puts an acquire, its unlocks and the work between them on one reserved connection of the driver. `undefined` where no edit is
 * known to be safe: they stand in different functions, the pool has one connection, the driver cannot reserve, the shape of the
 * code is not one of those that the rewrite knows.
 */
export function reserveConnection(use: LockUse, facts: FileFacts, sourceCode: Readonly<SourceCode>): Rewrite | undefined {
  const pair = localPairOf(use, facts.pairs);
  if (!pair) return undefined;
  const connections = [pair.acquire, ...pair.unlocks].map((one) => one.call.connection);
  // The work would wait for the one connection that the lock holds; a pooler gives no session at all.
  if (connections.some((one) => one.size === 1 || one.pooler !== undefined || one.kind === 'stateless' || one.kind === 'unknown')) return undefined;
  if (connections.some((one) => isPinned(one))) return undefined;
  return new Reserving(pair, facts, sourceCode).rewrite();
}

/** Reads the answer of an unlock and throws, or warns, where it is false. */
export function readAnswer(unlock: LockUse, facts: FileFacts, sourceCode: Readonly<SourceCode>, whenFalse: WhenFalse): Rewrite | undefined {
  if (facts.answerOf(unlock).state !== 'dropped') return undefined;
  const draft = new Draft(new Text(sourceCode));
  const within = functionAround(unlock.call.node) ?? treeOf(unlock.call.node).ast;
  const carrier = new Carrier(sourceCode, draft, typesAround(unlock, sourceCode));
  const reader = new AnswerReader(sourceCode, draft, carrier, new Names(sourceCode, within), whenFalse);
  return reader.read(unlock, undefined) ? { edits: draft.edits(), title: whenFalse === 'throw' ? 'Throw when the lock was not held' : 'Warn when the lock was not held' } : undefined;
}
