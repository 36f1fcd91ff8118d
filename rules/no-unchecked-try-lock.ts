import type { Answer } from '../src/analysis/model.js';
import { columnOf, functionOf, sendingFor, testedIn } from '../src/analysis/wording.js';
import { leaveWhenLost, testColumn, waitForAnswer } from '../src/rewrites/index.js';
import { createRule } from '../src/rule.js';

type MessageId = 'droppedAnswer' | 'mistakenAnswer' | 'mistakenColumn' | 'testColumn' | 'await' | 'leaveWhenLost';

export default createRule<object, MessageId>({
  docs: { description: 'Require that the answer of a try-lock is read', recommended: true },
  suggests: true,
  messages: {
    droppedAnswer: '{{function}} does not wait: it answers `false` when somebody else holds the lock, and nothing reads the answer, so the work runs without the lock. To fix it, {{sending}}read {{column}} and do the work only when it is `true`{{waiting}}.',
    mistakenAnswer: '{{function}} answers in {{column}}, but what is tested here is {{tested}}. A refused lock passes as taken, and the work runs without it. To fix it, {{sending}}test the column itself.',
    mistakenColumn: '{{function}} answers in {{column}}, but the column that is tested here is not in the result, so its value is always `undefined`. To fix it, test {{column}}.',
    testColumn: 'Test the column.',
    await: 'Wait for the answer.',
    leaveWhenLost: 'Do the work only where the lock is won.',
  },
  options: {},
  defaults: {},
  judge({ facts, sourceCode, report }) {
    // A helper that gives back a count has no answer for its callers: that is told of the helper.
    for (const use of [...facts.uses, ...facts.callerUses.filter(({ call }) => call.holds !== 'count')]) {
      if (use.lock.function.operation !== 'try' || facts.floatingOf(use)) continue;
      const answer = facts.answerOf(use);
      const messageId = idOf(answer);
      if (messageId) report({ loc: use.loc, messageId, data: { function: functionOf(use), column: columnOf(use), tested: testedIn(answer), sending: sendingFor(use), waiting: use.call.helper === undefined ? ', or use the function without `try`, which waits' : '' }, suggestions: [{ messageId: 'testColumn', rewrite: () => testColumn(use, facts, sourceCode) }, { messageId: 'await', rewrite: () => waitForAnswer(use, facts, sourceCode) }, { messageId: 'leaveWhenLost', rewrite: () => leaveWhenLost(use, facts, sourceCode) }] });
    }
  },
});

function idOf(answer: Answer): MessageId | undefined {
  if (answer.state === 'dropped') return 'droppedAnswer';
  if (answer.state !== 'mistaken') return undefined;
  return answer.tested === 'column' ? 'mistakenColumn' : 'mistakenAnswer';
}
