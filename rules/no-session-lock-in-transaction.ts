import { evidenceFor, functionOf, lineOf, xactLockOf } from '../src/analysis/wording.js';
import { lockForTransaction } from '../src/rewrites/index.js';
import { createRule } from '../src/rule.js';

type MessageId = 'takenInside' | 'unlockInAborted' | 'lockForTransaction';

export default createRule<object, MessageId>({
  docs: { description: 'Disallow a session-level lock inside a transaction', recommended: true },
  suggests: true,
  messages: {
    takenInside: '{{function}} locks for the session, but it is taken inside a transaction ({{evidence}}): ROLLBACK does not free it, an unlock fails once a statement has failed, and an unlock before COMMIT lets the next one in before the work can be seen. To fix it, use the transaction-level function ({{xactLock}}), whose lock ends with the transaction, and leave the unlock out.',
    unlockInAborted: '{{function}} runs before the transaction is over: after a failed statement PostgreSQL refuses everything but ROLLBACK, this unlock fails, and the lock of {{line}} stays ({{evidence}}). To fix it, unlock after COMMIT or ROLLBACK on every path.',
    lockForTransaction: 'Lock for the transaction, which frees the lock as it ends.',
  },
  options: {},
  defaults: {},
  judge({ facts, sourceCode, report }) {
    for (const use of facts.uses) {
      const { transactions } = facts;
      const acquire = transactions.unlocksInAborted.get(use);
      if (facts.floatingOf(use) === 'neverSent' || (!acquire && !transactions.sessionInside.has(use))) continue;
      report({ loc: use.loc, messageId: acquire ? 'unlockInAborted' : 'takenInside', data: { function: functionOf(use), evidence: evidenceFor(use), line: lineOf(acquire ?? use), xactLock: xactLockOf(use) }, suggestions: acquire ? [] : [{ messageId: 'lockForTransaction', rewrite: () => lockForTransaction(use, facts, sourceCode) }] });
    }
  },
});
