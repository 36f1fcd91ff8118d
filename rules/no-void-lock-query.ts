import type { LockUse, SqlCall } from '../src/analysis/model.js';
import { functionOf } from '../src/analysis/wording.js';
import { useOtherMethod } from '../src/rewrites/index.js';
import { createRule } from '../src/rule.js';

type MessageId = 'voidColumn' | 'otherMethod';

/** Locks that wait, and the unlock of everything, return void; the others return a boolean. */
const isVoid = ({ lock }: LockUse): boolean => lock.function.operation === 'acquire' || lock.function.operation === 'unlockAll';

export default createRule<object, MessageId>({
  docs: { description: 'Disallow a query method that rejects what a lock function returns', recommended: true },
  suggests: true,
  messages: {
    voidColumn: '{{function}} returns a column of type void, which this method cannot read: its promise rejects after PostgreSQL has {{done}}. To fix it, {{advice}}.',
    otherMethod: 'Send it with a method that reads no columns.',
  },
  options: {},
  defaults: {},
  judge({ facts, sourceCode, report }) {
    const reported = new Set<SqlCall>();
    for (const use of facts.uses) {
      const { call } = use;
      if (!call.rejects || reported.has(call) || !isRejected(use)) continue;
      reported.add(call);
      report({
        loc: use.loc, messageId: 'voidColumn', data: { function: functionOf(use), done: doneBy(use), advice: call.rejects.advice },
        suggestions: [{ messageId: 'otherMethod', rewrite: () => useOtherMethod(use, sourceCode) }],
      });
    }
  },
});

function isRejected(use: LockUse): boolean {
  const { call, lock: { answer }, isNeverSent } = use;
  return !isNeverSent && call.rejects?.where === 'void' && answer.kind === 'column' && !answer.isCast && isVoid(use);
}

function doneBy({ lock }: LockUse): string {
  if (lock.function.operation !== 'acquire') return 'freed the locks';
  return lock.function.level === 'session' ? 'taken the lock, and the lock stays' : 'taken the lock';
}
