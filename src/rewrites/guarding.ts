import type { FileFacts } from '../analysis/facts.js';
import { transactionFunctionOf } from '../analysis/functions.js';
import type { LockUse } from '../analysis/model.js';
import { rejectionOf } from '../analysis/answers/rejections.js';
import { type Block, driverOf, escapesOf, indexIn, localPairOf, type Source, sourceOf } from '../analysis/regions.js';
import { is } from '../analysis/syntax.js';
import type { GuardTemplates } from '../drivers/index.js';
import { Draft } from './draft.js';
import { lendingOf } from './lending.js';
import { isReadByName, Removal } from './levels.js';
import type { Rewrite } from './model.js';
import { Names } from './names.js';
import { isWaitedFor } from './parts.js';
import { placedOf } from './shaping.js';
import { Spans } from './spans.js';
import { fill, sendingOf } from './target.js';
import { deeper, linesOf, Text } from './text.js';
import { writtenAt } from './written.js';

/**
 * Where no connection can be kept: the transaction-level lock, in a transaction that stays open around the work and ends with it. The
 * work goes on through the handles that it has. `undefined` where the pair is not a lock and, behind it, a `try` whose `finally`
 * unlocks; or where what the work leaves or returns could not be had outside of a callback.
 */
export function guardInTransaction(use: LockUse, facts: FileFacts, sourceCode: Source): Rewrite | undefined {
  const pair = localPairOf(use, facts.pairs);
  const [unlock, ...more] = pair?.unlocks ?? [];
  if (!pair || !unlock || more.length > 0 || !isWaitedFor(pair.acquire) || !isWaitedFor(unlock)) return undefined;
  const { acquire } = pair;
  const templates = driverOf(acquire.call)?.templates;
  if (templates?.kind !== 'guard' || !canGuard(acquire, unlock, templates, facts)) return undefined;
  const written = writtenAt(acquire, sourceCode);
  const wanted = transactionFunctionOf(acquire);
  const placed = placedOf(pair);
  if (!written || !wanted || isReadByName(acquire, facts) || placed?.placement.kind !== 'covered' || placed.placement.block !== placed.block) return undefined;
  const { block, placement: { at } } = placed;
  const draft = new Draft(new Text(sourceCode));
  const name = new Names(sourceCode, pair.within).free(templates.name);
  draft.replace(written.name, linesOf(wanted.name));
  draft.replace(acquire.call.handle.range, linesOf(name));
  const first = indexIn(block, acquire.call.node);
  const last = lastOf(block, at);
  const region = { block, first, last, before: [], behind: [], hoisted: new Set<string>() };
  const lending = lendingOf(region, sourceCode);
  const span = new Spans(sourceCode).in(block, first, last);
  if (lending === undefined || escapesOf(sourceCode, span).length > 0 || !new Removal(sourceCode, draft).of(unlock)) return undefined;
  const { style } = draft.text;
  const opened = fill(templates.open, { handle: sourceOf(acquire.call.handle) });
  draft.replace(span, [...linesOf(`${lending} ${opened}(async (${name}) => {`), ...deeper(draft.cut(span), style), ...linesOf(`}, ${templates.options})${style.end}`)]);
  return draft.rewrite();
}

/** Both go through pools of the library, more than one connection is there, and the handle of the lock can open a transaction. */
function canGuard(acquire: LockUse, unlock: LockUse, { open }: GuardTemplates, { types }: FileFacts): boolean {
  const isAlone = [acquire, unlock].every(({ call }) => call.connection.kind === 'pooled' && call.connection.size !== 1 && call.locks.length === 1 && !call.result.isGuess);
  const [, method = ''] = /^\{handle\}\.([\w$]+)/.exec(open) ?? [];
  const facts = types.typeOf(acquire.call.handle);
  return isAlone && driverOf(unlock.call) === driverOf(acquire.call) && sendingOf(acquire.call) !== undefined && rejectionOf(acquire) === undefined && (!facts || facts.isAny || facts.hasMember(method));
}

/** The `try`, or the `return` right behind it. */
const lastOf = (block: Block, at: number): number => (is(block.body[at + 1], 'ReturnStatement') ? at + 1 : at);
