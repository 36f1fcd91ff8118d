import { closeAdviceFor } from '../src/analysis/advice.js';
import type { FileFacts } from '../src/analysis/facts.js';
import { isBeforeWork, placeOfLeak, type LeakedLock } from '../src/analysis/flow/leaks.js';
import { codeOf, evidenceFor, evidenceOf, functionOf } from '../src/analysis/wording.js';
import { addUnlock, destroyOnRelease, destroyWhereFailed, letErrorThrough, unlockInFinally, type Rewrite } from '../src/rewrites/index.js';
import { createRule, type Finding, type Judgement, type Suggestion } from '../src/rule.js';

type MessageId = 'notFreedBeforeRelease' | 'leftOnThrow' | 'leftOnReturn' | 'releasedLocked' | 'releasedBeforeWork' | 'releasedUnreached' | 'swallowedUnlock' | 'othersStay' | 'neverFreed' | 'closeSession' | 'closeFailed' | 'unlockInFinally' | 'addUnlock' | 'letThrough';

export default createRule<object, MessageId>({
  docs: { description: 'Disallow a session-level lock that some path leaves held', recommended: true },
  suggests: true,
  messages: {
    leftOnThrow: '{{unlock}} is not reached when the code between {{lock}} and here throws: {{evidence}}, and the lock stays with its session. To fix it, put the work into `try` and this unlock into `finally`.',
    leftOnReturn: '{{unlock}} is not reached on every path: some code after {{lock}} leaves the function before it, and the lock stays with its session ({{evidence}}). To fix it, put the work into `try` and this unlock into `finally`.',
    notFreedBeforeRelease: '{{unlock}} is not reached on every path from {{lock}} to the point where the connection goes back to its pool ({{evidence}}): whoever gets this connection next holds the lock without asking, and everybody else is refused. To fix it, put the work into `try` and this unlock into `finally`.',
    releasedLocked: 'The connection goes back to its pool with the lock of line {{line}} still on it ({{evidence}}): whoever gets this connection next holds the lock without asking, and everybody else is refused. To fix it, unlock in `finally` before that, or {{close}}.',
    releasedUnreached: '{{freeing}} is not reached on every path from the lock (line {{line}}) to the point where the connection goes back to its pool ({{evidence}}): whoever gets this connection next may hold the lock without asking, and everybody else is refused. To fix it, put the work into `try` and this call into `finally`.',
    releasedBeforeWork: 'The connection goes back to its pool with the lock of line {{line}} still on it, and before the work that the lock is for ({{evidence}}): whoever gets this connection next holds the lock without asking, and everybody else is refused. To fix it, give the connection back after the work, and unlock in `finally` before that.',
    swallowedUnlock: 'When {{unlock}} fails, its error is caught and the connection goes back to its pool as if the lock were freed ({{evidence}}), though it may still be held. To fix it, {{close}} on that path.',
    othersStay: '{{unlock}} frees one key of the list, but {{lock}} is taken for each of its elements: the others stay with their session ({{evidence}}). To fix it, unlock each key of the list in `finally`, or {{close}}.',
    neverFreed: '{{unlock}} gives what frees its lock, and nothing does so here: the lock stays with its session ({{evidence}}). To fix it, keep what it gives, put the work into `try`, and free the lock in `finally`.',
    unlockInFinally: 'Put the work into `try` and the unlock into `finally`.',
    addUnlock: 'Unlock in `finally` before the connection is given back.',
    letThrough: 'Let the error of the unlock through, and give the connection back in `finally`.',
    closeSession: 'Close the session when it is given back.',
    closeFailed: 'Close the session where the unlock has failed.',
  },
  options: {},
  defaults: {},
  judge(judgement) {
    const { facts, report } = judgement;
    for (const leaked of facts.held.leaked) {
      const { acquire } = leaked.tracked;
      const isInTransaction = acquire !== undefined && (facts.transactions.sessionInside.has(acquire) || [...facts.transactions.unlocksInAborted.values()].includes(acquire));
      if (!isInTransaction) report({ ...finding(leaked, facts), suggestions: suggestionsFor(leaked, judgement) });
    }
  },
});

function suggestionsFor(leaked: LeakedLock, { facts, sourceCode }: Judgement<object, MessageId>): Suggestion<MessageId>[] {
  const { leak: { kind }, unlock } = leaked;
  const closeFailed = (): Rewrite | undefined => destroyWhereFailed(leaked, facts.types, sourceCode);
  const close = (): Rewrite | undefined => (isForClosing(leaked) && !closeFailed() ? destroyOnRelease(leaked, sourceCode) : undefined);
  const closing = { messageId: 'closeSession', rewrite: close } as const;
  // Where the session can be closed, that is better than an error about a lock that may still be there.
  if (kind === 'swallowed') return [{ messageId: 'closeFailed', rewrite: closeFailed }, closing, { messageId: 'letThrough', rewrite: () => (closeFailed() ?? close() ? undefined : letErrorThrough(leaked, facts, sourceCode)) }];
  // Where the work comes later, it would run without a lock; where another function frees it, it would be freed twice.
  if (kind === 'others' || kind === 'unused' || leaked.freeing || isBeforeWork(leaked)) return [];
  // An unlock in `finally` fails where a statement of the transaction has failed before it.
  const isInTransaction = leaked.tracked.acquire !== undefined && facts.transactions.isInside(leaked.tracked.acquire);
  if (unlock) return isInTransaction ? [] : [{ messageId: 'unlockInFinally', rewrite: () => unlockInFinally(leaked, facts, sourceCode) }];
  return kind === 'released' ? [{ messageId: 'addUnlock', rewrite: () => addUnlock(leaked, facts, sourceCode) }, closing] : [];
}

/** Closing the session is the cure where nothing unlocks, or where nobody knows whether the unlock worked: it frees the locks of all rounds of a loop. */
const isForClosing = ({ leak, unlock }: LeakedLock): boolean => leak.kind === 'swallowed' || (leak.kind === 'released' && !unlock);

function finding(leaked: LeakedLock, facts: FileFacts): Finding<MessageId> {
  const { tracked, leak, unlock, unlockedAt } = leaked;
  const use = unlock ?? tracked.acquire!;
  const acquire = tracked.acquire ?? facts.pairs.of(use)?.acquire;
  // Where the function has helpers lock and unlock, it has its own name for the connection.
  const seen = facts.seenAt((unlock ? unlockedAt : tracked.takenAt) ?? use.call.node, use);
  const taken = acquire && tracked.takenAt && tracked.takenAt !== acquire.call.node ? tracked.takenAt : acquire ?? use;
  const line = String(taken.loc.start.line);
  return {
    loc: placeOfLeak(leaked),
    messageId: unlock === undefined && isBeforeWork(leaked) ? 'releasedBeforeWork' : leak.kind === 'unused' ? 'neverFreed' : leak.kind === 'others' ? 'othersStay' : leak.kind === 'swallowed' ? 'swallowedUnlock' : leak.kind === 'released' ? (unlock ? 'notFreedBeforeRelease' : leaked.freeing ? 'releasedUnreached' : 'releasedLocked') : leak.kind === 'thrown' ? 'leftOnThrow' : 'leftOnReturn',
    data: { unlock: functionOf(seen), freeing: leaked.freeing ? codeOf(leaked.freeing) : '', line, lock: acquire ? `the lock (line ${line})` : tracked.openedAt ? `the call that gives the connection with its lock (line ${tracked.openedAt.loc.start.line})` : 'the start of the function, where the lock is held,', evidence: leaked.passed ? evidenceOf(leaked.passed) : evidenceFor(seen), close: tracked.lent?.isOwn && !leak.at ? 'have the function that lends the connection close it' : closeAdviceFor(use, facts, leak.at) },
  };
}
