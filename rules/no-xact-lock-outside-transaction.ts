import { transactionAdviceFor } from '../src/analysis/advice.js';
import { isAcquire } from '../src/analysis/pairs.js';
import { evidenceFor, functionOf } from '../src/analysis/wording.js';
import { useTransactionHandle } from '../src/rewrites/index.js';
import { createRule } from '../src/rule.js';

type MessageId = 'pooled' | 'autocommit' | 'rootInside' | 'endsBeforeWork' | 'useTransaction';

export default createRule<object, MessageId>({
  docs: { description: 'Disallow a transaction-level lock where no transaction lasts for the work', recommended: true },
  suggests: true,
  messages: {
    pooled: '{{function}} locks until the end of its transaction, but {{evidence}}: the call is a transaction of its own, and the lock is gone when it returns. It guards nothing. To fix it, {{advice}}.',
    autocommit: '{{function}} locks until the end of its transaction, but no transaction is open on this connection ({{evidence}}): the statement is a transaction of its own, and the lock is gone when it returns. It guards nothing. To fix it, {{advice}}.',
    rootInside: '{{function}} is sent to the root handle inside the callback of its transaction ({{evidence}}): it runs on another connection, outside the transaction, and the lock is gone when it returns. To fix it, send it to the handle that the callback gets.',
    endsBeforeWork: '{{function}} locks until the end of its transaction, but the transaction has nothing in it but the lock ({{evidence}}): it ends before the work begins, and guards nothing. To fix it, do the work inside the same transaction.',
    useTransaction: 'Send it to the handle of the transaction.',
  },
  options: {},
  defaults: {},
  judge({ facts, report }) {
    for (const use of facts.uses) {
      if (!isAcquire(use) || use.lock.function.level !== 'transaction' || facts.floatingOf(use) === 'neverSent') continue;
      const messageId = facts.transactions.outsideOf(use);
      if (messageId) report({ loc: use.loc, messageId, data: { function: functionOf(use), evidence: evidenceFor(use), advice: transactionAdviceFor(use, facts) }, suggestions: messageId === 'rootInside' ? [{ messageId: 'useTransaction', rewrite: () => useTransactionHandle(use) }] : [] });
    }
  },
});
