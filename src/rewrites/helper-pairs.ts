import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../analysis/facts.js';
import type { LeakedLock } from '../analysis/flow/leaks.js';
import type { LockUse } from '../analysis/model.js';
import { isUnlock } from '../analysis/pairs.js';
import type { LocalPair } from '../analysis/regions.js';
import { functionAround, is, walk } from '../analysis/syntax.js';

/** A lock and its unlocks where functions of the file send one of them: the calls of these stand for the statements. */
export function pairOfHelpers({ tracked: { acquire: taken, takenAt }, unlock, unlockedAt }: LeakedLock, facts: FileFacts): LocalPair | undefined {
  const owner = takenAt && functionAround(takenAt);
  const acquire = takenAt && useAt(takenAt, taken, facts);
  if (!owner?.async || owner.generator || !acquire || !unlock || !unlockedAt) return undefined;
  const all = [...walk(owner.body)].flatMap((node) => useAt(node, undefined, facts) ?? []);
  const unlocks = all.filter((one) => isUnlock(one) && (one.lock.function.operation === 'unlockAll' || facts.pairs.fits(acquire, one)));
  const isWhole = unlocks.some(({ call }) => call.node === unlockedAt) && unlocks.every(({ call }) => functionAround(call.node) === owner);
  return isWhole ? { acquire, unlocks, within: owner } : undefined;
}

/** The statement at a node: sent there, or by a function of the file that is called there. */
function useAt(node: TSESTree.Node, known: LockUse | undefined, facts: FileFacts): LockUse | undefined {
  if (known?.call.node === node) return known;
  const direct = facts.uses.find(({ call }) => call.node === node);
  return direct ?? (is(node, 'CallExpression') ? facts.useOfHelper(node) : undefined);
}
