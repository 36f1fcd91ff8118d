import type { LockUse, SqlCall } from '../src/analysis/model.js';
import { isVoid, rejectionOf } from '../src/analysis/answers/rejections.js';
import { functionOf } from '../src/analysis/wording.js';
import { useOtherMethod } from '../src/rewrites/index.js';
import { createRule } from '../src/rule.js';

type MessageId = 'voidColumn' | 'anyRow' | 'otherMethod';

export default createRule<object, MessageId>({
  docs: { description: 'Disallow a query method that rejects what a lock function returns', recommended: true },
  suggests: true,
  messages: {
    voidColumn: '{{function}} returns a column of type void, which this method cannot read: its promise rejects after PostgreSQL has {{done}}. To fix it, {{advice}}.',
    anyRow: '{{function}} returns a row, and this method takes none: its promise rejects after PostgreSQL has {{done}}. To fix it, {{advice}}.',
    otherMethod: 'Send it with a method that reads no columns.',
  },
  options: {},
  defaults: {},
  judge({ facts, sourceCode, report }) {
    const reported = new Set<SqlCall>();
    for (const use of facts.uses) {
      const { call } = use;
      const rejection = rejectionOf(use);
      if (!rejection || reported.has(call)) continue;
      reported.add(call);
      report({
        loc: use.loc, messageId: rejection.where === 'void' ? 'voidColumn' : 'anyRow', data: { function: functionOf(use), done: doneBy(use), advice: rejection.advice },
        // An answer would be there then, and nothing that reads it.
        suggestions: isVoid(use) ? [{ messageId: 'otherMethod', rewrite: () => useOtherMethod(use, sourceCode) }] : [],
      });
    }
  },
});

function doneBy({ lock }: LockUse): string {
  const { operation } = lock.function;
  if (operation === 'unlockAll') return 'freed the locks';
  if (operation === 'unlock') return 'freed the lock';
  if (operation === 'try') return 'tried the lock, which stays where it was taken';
  return lock.function.level === 'session' ? 'taken the lock, and the lock stays' : 'taken the lock';
}
