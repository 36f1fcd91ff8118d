import type { ESLint, Rule } from 'eslint';
import type { SourceCode } from '@typescript-eslint/utils/ts-eslint';
import type ts from 'typescript';
import { factsOf, type FileFacts } from '../../src/analysis/facts.js';
import { isSessionAcquire, isUnlock } from '../../src/analysis/pairs.js';
import { addUnlock, answeringAt, letErrorThrough, lockForTransaction, readAnswer, removeUnlock, reserveConnection, unlockInFinally, unfolding, unlockWhatWasWon, useConnectionAtHand, useKeyOf, useModeOf, waitFor, writeExactKey, type Rewrite } from '../../src/rewrites/index.js';
import { lint } from '../support/lint.js';

/**
 * Which rewrite is asked for: of the first acquire of a file, of its first unlock, of the first lock that some path leaves, or of the first
 * use that does not fit: an unlock, a lock in a transaction, a key, a statement that nothing waits for.
 */
export type Wanted = 'reserve' | 'throw' | 'warn' | 'leak' | 'fit';

/** What the rewrite makes of a file; `undefined` where none is offered. */
export function rewritten(wanted: Wanted, path: string, text: string, program: ts.Program | undefined): string | undefined {
  let made: string | undefined;
  const rule: Rule.RuleModule = {
    create: (context) => ({
      'Program:exit'() {
        const facts = factsOf(context.sourceCode as unknown as SourceCode, context.filename, { typesOnDemand: false });
        const rewrite = facts ? unfolding(() => rewriteOf(wanted, facts, context.filename), facts) : rewriteOf(wanted, facts, context.filename);
        made = rewrite && apply(text, rewrite);
      },
    }),
  };
  const probe: ESLint.Plugin = { meta: { namespace: 'probe' }, rules: { probe: rule } };
  const { failures } = lint(probe, path, text, { program });
  if (failures.length > 0) throw new Error(failures.join('\n'));
  return made;
}

function rewriteOf(wanted: Wanted, facts: FileFacts | undefined, path: string): Rewrite | undefined {
  if (facts && wanted === 'leak') {
    const [leaked] = facts.held.leaked;
    if (!leaked) throw new Error(`No lock is left in ${path}`);
    const rewrite = leaked.leak.kind === 'swallowed' ? letErrorThrough : leaked.unlock ? unlockInFinally : addUnlock;
    return rewrite(leaked, facts, facts.source);
  }
  if (facts && wanted === 'fit') return fitting(facts);
  const use = facts?.uses.find(wanted === 'reserve' ? isSessionAcquire : isUnlock);
  if (!facts || !use) throw new Error(`No lock in ${path}`);
  return wanted !== 'throw' && wanted !== 'warn' ? useConnectionAtHand(use, facts, facts.source) ?? reserveConnection(use, facts, facts.source) : readAnswer(use, facts, facts.source, answeringAt(use, facts, wanted));
}

function fitting(facts: FileFacts): Rewrite | undefined {
  for (const use of facts.uses) {
    const acquire = facts.pairs.mismatchOf(use)?.acquire;
    const lost = facts.held.lostUnlocks.get(use.call.node);
    if (acquire?.lock.function.level === 'transaction') return removeUnlock(use, facts.source);
    if (acquire) return (acquire.lock.function.mode === use.lock.function.mode ? useKeyOf : useModeOf)(acquire, use, facts, facts.source);
    if (lost) return unlockWhatWasWon(lost.acquire, use, facts, facts.source);
    if (facts.floatingOf(use)) return waitFor(use, facts, facts.source);
    if (facts.transactions.sessionInside.has(use)) return lockForTransaction(use, facts, facts.source);
    if (use.keyFault) return writeExactKey(use, facts, facts.source);
  }
  throw new Error(`Everything fits in ${facts.source.text}`);
}

/** Ranges must not overlap, as ESLint asks for. */
function apply(text: string, { edits }: Rewrite): string {
  let out = '';
  let at = 0;
  for (const { range: [start, end], text: inserted } of [...edits].sort((one, other) => one.range[0] - other.range[0])) {
    if (start < at) throw new Error(`Edits overlap at ${start}`);
    out += text.slice(at, start) + inserted;
    at = end;
  }
  return out + text.slice(at);
}
