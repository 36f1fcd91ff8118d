import { functionOf, waitingFor } from '../src/analysis/wording.js';
import { leaveWhenLost, waitFor } from '../src/rewrites/index.js';
import { createRule } from '../src/rule.js';

type MessageId = 'neverSent' | 'notAwaited' | 'await' | 'leaveWhenLost';

export default createRule<object, MessageId>({
  docs: { description: 'Require that a lock statement is awaited, returned or handed on', recommended: true },
  suggests: true,
  messages: {
    neverSent: '{{function}} is never sent: this driver sends a statement when its promise is awaited, and nothing awaits this one, so PostgreSQL never sees it: no lock is taken, and none is freed. To fix it, {{waiting}}.',
    notAwaited: '{{function}} is sent, but nothing waits for it: the code goes on before PostgreSQL has answered, without the lock or with it, and an error ends in an unhandled rejection. To fix it, {{waiting}}.',
    await: 'Wait for the statement.',
    leaveWhenLost: 'Wait for the answer, and do the work only where the lock is won.',
  },
  options: {},
  defaults: {},
  judge({ facts, sourceCode, report }) {
    const reported = new Set<object>();
    for (const use of [...facts.uses, ...facts.callerUses]) {
      const messageId = facts.floatingOf(use);
      if (!messageId || reported.has(use.call)) continue;
      reported.add(use.call);
      report({ loc: use.loc, messageId, data: { function: functionOf(use), waiting: waitingFor(use) }, suggestions: [{ messageId: 'await', rewrite: () => waitFor(use, facts, sourceCode) }, ...(use.lock.function.operation === 'try' ? [{ messageId: 'leaveWhenLost', rewrite: () => leaveWhenLost(use, facts, sourceCode) } as const] : [])] });
    }
  },
});
