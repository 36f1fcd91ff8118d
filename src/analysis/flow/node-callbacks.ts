import type { TSESTree } from '@typescript-eslint/utils';
import { callbackOf, is, type FunctionNode } from '../syntax.js';
import type { Tracked } from './lock-events.js';
import { withFlag, type LockState } from './lock-state.js';
import { placeOf } from './conditions/remembered.js';
import type { Effect } from './engine/transfer.js';

/** The Node-style callback of a lock's statement, where it stands there. */
export function callbackAt(node: TSESTree.Node, { takenAt, acquire, freedAt }: Tracked): FunctionNode | undefined {
  const use = node === takenAt ? acquire : freedAt.get(node);
  return use?.call.node === node && use.call.takesCallback && is(node, 'CallExpression') ? callbackOf(node) : undefined;
}

/** A statement that fails throws; where a callback gets its error, that is one more way to go on. */
export function settled(node: TSESTree.Node, tracked: Tracked, done: readonly LockState[], failed: LockState): Effect<LockState> {
  const callback = callbackAt(node, tracked);
  if (!callback) return { normal: done, thrown: [failed] };
  const [error] = callback.params;
  const place = error && placeOf(error);
  return { normal: place ? [...done.map((one) => withFlag(one, place, '-')), withFlag(failed, place, '+')] : [...done, failed], thrown: [] };
}
