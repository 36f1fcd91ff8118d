import type { LockUse } from '../src/analysis/model.js';
import { functionOf } from '../src/analysis/wording.js';
import { createRule } from '../src/rule.js';

type MessageId = 'inFilter' | 'beforeLimit';

type Why = NonNullable<LockUse['lock']['rowDriven']>;

const CLAUSES: Record<Why, string> = {
  filter: 'WHERE', orderBy: 'ORDER BY', limit: 'LIMIT', offset: 'OFFSET', distinct: 'DISTINCT', aggregate: 'an aggregate',
};

export default createRule<object, MessageId>({
  docs: { description: 'Disallow a lock function that PostgreSQL may evaluate for rows that the query does not return', recommended: true },
  messages: {
    inFilter: '{{function}} stands in a condition over a table: PostgreSQL may evaluate it for every row that it looks at, in an order of its own choice, so that it runs for rows that the query never returns. To fix it, choose the rows in a sub-select with LIMIT first, and call the function on its result.',
    beforeLimit: '{{function}} stands in the select list of a query over a table with {{clause}}: PostgreSQL may evaluate it for rows that are sorted, skipped or cut off afterwards, so that it runs for rows that the query never returns. To fix it, choose the rows in a sub-select first, and call the function on its result.',
  },
  options: {},
  defaults: {},
  judge({ facts, report }) {
    for (const use of facts.uses) {
      const why = use.isNeverSent ? undefined : use.lock.rowDriven;
      // All rows of a query that only sorts are returned: a common way to take several locks in one order.
      if (why && why !== 'orderBy') report({ loc: use.loc, messageId: why === 'filter' ? 'inFilter' : 'beforeLimit', data: { function: functionOf(use), clause: CLAUSES[why] } });
    }
  },
});
