import { isPinned } from '../src/analysis/connections/sessions.js';
import type { Answer, LockUse } from '../src/analysis/model.js';
import { functionAround } from '../src/analysis/syntax.js';
import { columnOf, evidenceFor, functionOf, lineOf, sendingFor, testedIn, xactLockOf } from '../src/analysis/wording.js';
import { isAstray } from '../src/analysis/connections/crossing.js';
import { answeringAt, lockForTransaction, readAnswer, waitForAnswer } from '../src/rewrites/index.js';
import { createRule, type Judgement, type Suggestion } from '../src/rule.js';

export interface Options {
  readonly checkPinned: boolean;
  readonly whenFalse: 'throw' | 'warn';
}

type MessageId = 'droppedAnswer' | 'droppedElsewhere' | 'droppedPinnedAnswer' | 'droppedInTransaction' | 'mistakenAnswer' | 'mistakenColumn' | 'logWhenFalse' | 'throwWhenFalse' | 'warnWhenFalse' | 'testColumn' | 'lockForTransaction' | 'await';

export default createRule<Options, MessageId>({
  docs: { description: 'Require that the answer of an unlock is read', recommended: true },
  suggests: true,
  messages: {
    droppedAnswer: '{{function}} answers `false` when this connection does not hold the lock, and nothing reads the answer: the lock then stays, without an error and without a line in the log. To fix it, {{sending}}read {{column}} and {{failing}} when it is not `true`.',
    droppedElsewhere: '{{function}} answers `false` when this connection does not hold the lock, and nothing reads the answer, so nobody would hear of it. To fix it, let lock and unlock use one connection first, and then read {{column}}.',
    droppedPinnedAnswer: '{{function}} answers `false` when this connection does not hold the lock any more, and nothing reads the answer, though {{evidence}}: the connection may have been lost and replaced, or the lock freed before, and then the work ran unguarded. To fix it, {{sending}}read {{column}} and {{failing}} when it is not `true`.',
    droppedInTransaction: '{{function}} answers `false` when this connection does not hold the lock any more, and nothing reads the answer. The lock is taken inside a transaction ({{line}}), where one that ends with the transaction needs no unlock. To fix it, lock with {{xactLock}} there, and leave this unlock out.',
    mistakenAnswer: '{{function}} answers in {{column}}, but what is tested here is {{tested}}. A `false` passes as success and the lock stays. To fix it, {{sending}}test the column itself.',
    mistakenColumn: '{{function}} answers in {{column}}, but the column that is tested here is not in the result, so its value is always `undefined`. To fix it, test {{column}}.',
    logWhenFalse: 'Read the answer and log when it is false.',
    throwWhenFalse: 'Read the answer and throw when it is false.',
    warnWhenFalse: 'Read the answer and warn when it is false.',
    testColumn: 'Test the column.',
    lockForTransaction: 'Lock for the transaction, which frees the lock as it ends.',
    await: 'Wait for the answer.',
  },
  options: {
    checkPinned: { type: 'boolean', description: 'Whether to ask for the answer also where the unlock is on one pinned connection.' },
    whenFalse: { type: 'string', enum: ['throw', 'warn'], description: 'What the suggested code does when the answer is false.' },
  },
  defaults: { checkPinned: true, whenFalse: 'throw' },
  judge(judgement) {
    for (const use of [...judgement.facts.uses, ...judgement.facts.callerUses]) if (use.lock.function.operation === 'unlock') judgeUnlock(use, judgement);
  },
});

function judgeUnlock(use: LockUse, { facts, options, sourceCode, report }: Judgement<Options, MessageId>): void {
  const { connection } = use.call;
  const pinned = isPinned(connection);
  if (facts.floatingOf(use) || facts.isWithinOneStatement(use) || facts.pairs.isMismatched(use) || facts.callerPairs.mismatched.has(use.call.node)) return;
  if ((pinned && !options.checkPinned) || facts.isDestroyedAfter(use)) return;
  const answer = facts.answerOf(use);
  const acquire = facts.pairs.of(use)?.acquire;
  const inside = acquire && facts.transactions.sessionInside.has(acquire) && functionAround(acquire.call.node) === functionAround(use.call.node) ? acquire : undefined;
  const messageId = idOf(answer, { isAstray: isAstray(use, facts), isInTransaction: inside !== undefined, isPinned: pinned });
  if (!messageId) return;
  const whenFalse = answeringAt(use, facts, options.whenFalse);
  const wait: Suggestion<MessageId> = { messageId: 'await', rewrite: () => waitForAnswer(use, facts, sourceCode) };
  const read: Suggestion<MessageId> = { messageId: answer.state === 'mistaken' ? 'testColumn' : SUGGESTED[whenFalse], rewrite: () => readAnswer(use, facts, sourceCode, whenFalse) };
  // Its answer would be read, and the lock stay: the rewrite that puts the two on one connection reads the answer, too. Where it also
  // runs after a try-lock that was refused, `false` would be told each time that somebody else has the lock.
  const isTooEarly = messageId === 'droppedElsewhere' || facts.held.lostUnlocks.has(use.call.node);
  report({
    loc: use.loc, messageId,
    data: {
      function: functionOf(use), evidence: evidenceFor(use), tested: testedIn(answer), sending: sendingFor(use), column: columnOf(use), failing: whenFalse === 'throw' ? 'throw, or at least log,' : 'log',
      line: lineOf(inside ?? use), xactLock: xactLockOf(inside ?? use),
    },
    suggestions: messageId === 'droppedInTransaction' && inside ? [{ messageId: 'lockForTransaction', rewrite: () => lockForTransaction(inside, facts, sourceCode) }] : isTooEarly ? [] : [read, wait],
  });
}

const SUGGESTED = { log: 'logWhenFalse', throw: 'throwWhenFalse', warn: 'warnWhenFalse' } as const;

function idOf(answer: Answer, where: { isAstray: boolean; isInTransaction: boolean; isPinned: boolean }): MessageId | undefined {
  if (answer.state === 'dropped') return where.isAstray ? 'droppedElsewhere' : where.isInTransaction ? 'droppedInTransaction' : where.isPinned ? 'droppedPinnedAnswer' : 'droppedAnswer';
  if (answer.state !== 'mistaken') return undefined;
  return answer.tested === 'column' ? 'mistakenColumn' : 'mistakenAnswer';
}
