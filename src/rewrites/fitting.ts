import type { TSESTree } from '@typescript-eslint/utils';
import { isPinned } from '../analysis/connections/sessions.js';
import type { FileFacts } from '../analysis/facts.js';
import { unlockFunctionOf } from '../analysis/functions.js';
import { compareKeys } from '../analysis/keys/keys.js';
import type { LockUse, SqlCall } from '../analysis/model.js';
import { type LocalPair, meansSameAt, type Source, treeOf } from '../analysis/regions.js';
import { contains, functionAround, is, walk } from '../analysis/syntax.js';
import type { LockFunction } from '../sql/model.js';
import { cover, isCovered } from './final-unlock.js';
import { isSteady } from './missing-unlock.js';
import type { Rewrite } from './model.js';
import { straysOf } from './move.js';
import { isWaitedFor, Parts } from './parts.js';
import { linesOf } from './text.js';
import { writtenAt, type Written } from './written.js';

/** Unlocks that are written anew so that they free what was taken. */

/** The unlock of the lock's mode. */
export function useModeOf(acquire: LockUse, unlock: LockUse, facts: FileFacts, sourceCode: Source): Rewrite | undefined {
  const written = writtenAt(unlock, sourceCode);
  const wanted = unlockFunctionOf(acquire);
  if (!written || !wanted || compareKeys(acquire.key, unlock.key) === 'different') return undefined;
  const renamed = withFunction(unlock, wanted, facts);
  return renamed && fit({ acquire, unlock: renamed }, facts, sourceCode, (parts) => {
    parts.draft.replace(written.name, linesOf(wanted.name));
  });
}

/** The key of the lock, where both stand as text at their calls, over the same values. */
export function useKeyOf(acquire: LockUse, unlock: LockUse, facts: FileFacts, sourceCode: Source): Rewrite | undefined {
  const [taken, freed] = [writtenAt(acquire, sourceCode), writtenAt(unlock, sourceCode)];
  if (!taken || !freed || !isSameText(taken, freed, sourceCode) || !hasSameValues(acquire.call, unlock.call, taken, sourceCode)) return undefined;
  const key = sourceCode.text.slice(...taken.args);
  if (key.includes('\n') || !isSteady(acquire.call.node, acquire)) return undefined;
  const keyed = { ...unlock, lock: { ...unlock.lock, args: acquire.lock.args }, key: acquire.key };
  return fit({ acquire, unlock: withOwnCall(keyed) }, facts, sourceCode, (parts) => {
    parts.draft.replace(freed.args, linesOf(key));
  });
}

/** The unlock runs only where the try-lock was won: in a `finally` of its own behind the test of the answer. */
export function unlockWhatWasWon(acquire: LockUse, unlock: LockUse, facts: FileFacts, sourceCode: Source): Rewrite | undefined {
  const pair = pairOf(acquire, unlock);
  if (!pair || facts.pairs.unlocksOf(acquire).length !== 1) return undefined;
  const parts = new Parts(pair, facts, sourceCode);
  return cover(pair, parts, [], (kind) => kind === 'around') ? parts.draft.rewrite() : undefined;
}

/** The edit, and what a lock needs that is freed at last: its unlock on every path, the answer of that read. */
function fit({ acquire, unlock }: { acquire: LockUse; unlock: LockUse }, facts: FileFacts, sourceCode: Source, edit: (parts: Parts) => void): Rewrite | undefined {
  const pair = pairOf(acquire, unlock);
  if (!pair) return undefined;
  const parts = new Parts(pair, facts, sourceCode);
  edit(parts);
  const isHeldOnOne = isPinned(acquire.call.connection) && acquire.call.connection.kind !== 'transaction';
  const isDone = isHeldOnOne && !isCovered(pair) ? cover(pair, parts) : parts.keepUnlock(unlock, 'stays');
  return isDone && (!parts.isDropped(unlock) || parts.isReadNow) ? parts.draft.rewrite() : undefined;
}

function pairOf(acquire: LockUse, unlock: LockUse): LocalPair | undefined {
  const within = functionAround(unlock.call.node);
  const isOfOne = within?.async && !within.generator && functionAround(acquire.call.node) === within && treeOf(acquire.call.node) === treeOf(unlock.call.node);
  const isKnown = isPinned(acquire.call.connection) ? straysOf({ acquire, unlocks: [unlock] }).length === 0 : acquire.call.connection.kind === 'unknown' && unlock.call.connection.kind === 'unknown';
  return isOfOne && isKnown && isWaitedFor(acquire) && isWaitedFor(unlock) ? { acquire, unlocks: [unlock], within } : undefined;
}

/** As if the unlock were written with another function; `undefined` where a column that is read would get another name. */
function withFunction(unlock: LockUse, wanted: LockFunction, facts: FileFacts): LockUse | undefined {
  const { answer } = unlock.lock;
  const isUnnamed = answer.kind === 'column' && answer.name === unlock.lock.function.name;
  if (isUnnamed && facts.answerOf(unlock).state !== 'dropped') return undefined;
  return withOwnCall({ ...unlock, lock: { ...unlock.lock, function: wanted, answer: isUnnamed ? { ...answer, name: wanted.name } : answer } });
}

function withOwnCall(use: LockUse): LockUse {
  const locks: LockUse[] = [];
  const one: LockUse = { ...use, call: { ...use.call, locks } };
  locks.push(...use.call.locks.map((other) => (other.loc === use.loc ? one : other)));
  return one;
}

const isSameText = (one: Written, other: Written, { text }: Source): boolean => one.literal.type === other.literal.type && text[one.literal.range[0]] === text[other.literal.range[0]];

/** Whether what the placeholders and holes of one statement stand for can be had at the other. */
function hasSameValues(one: SqlCall, other: SqlCall, { literal, args }: Written, { text }: Source): boolean {
  const [mine, theirs] = [one, other].map((call) => [...walk(call.node)].filter((node): node is TSESTree.ArrayExpression => is(node, 'ArrayExpression')).map((node) => text.slice(...node.range)).join());
  const holes = is(literal, 'TemplateLiteral') ? literal.expressions.filter((hole) => args[0] <= hole.range[0] && hole.range[1] <= args[1]) : [];
  return mine === theirs && holes.every((hole) => meansSameAt(hole, other.node, other.node.range[0]) && contains(one.node, hole));
}
