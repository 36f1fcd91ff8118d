import type { KeyFaultKind } from '../src/analysis/model.js';
import { exactKeyFor } from '../src/analysis/advice.js';
import { functionOf } from '../src/analysis/wording.js';
import { writeExactKey } from '../src/rewrites/index.js';
import { createRule } from '../src/rule.js';

export default createRule<object, KeyFaultKind | 'writeExactKey'>({
  docs: { description: 'Disallow a lock key that is not the key that was meant', recommended: true },
  suggests: true,
  messages: {
    unsafeNumber: '{{function}} gets {{value}}, a number past 2^53 - 1: JavaScript has already rounded it, so that other values lock the same key, and an unlock by the exact key answers `false`. To fix it, {{written}}.',
    roundedBigint: '{{function}} gets {{value}}: JavaScript rounds a `bigint` past 2^53 - 1 there, so that other values lock the same key, and an unlock by the exact key answers `false`. To fix it, {{passed}}.',
    wideHalf: '{{function}} with two keys takes two 32-bit integers, but {{value}} is or may be a 64-bit value: PostgreSQL refuses the call, and no lock is taken. To fix it, use the form with one bigint key, or a 32-bit hash such as `hashtext`.',
    nullable: '{{function}} takes no lock and raises no error for NULL, and {{value}} may be null or missing: the work then runs unguarded. To fix it, make sure of the key before, for example by throwing when it is missing.',
    writeExactKey: 'Write the key as a string of its digits.',
  },
  options: {},
  defaults: {},
  judge({ facts, sourceCode, report }) {
    for (const use of facts.uses) {
      if (use.keyFault && !use.isNeverSent) report({ loc: use.loc, messageId: use.keyFault.kind, data: { function: functionOf(use), value: use.keyFault.value, ...exactKeyFor(use) }, suggestions: use.keyFault.kind === 'unsafeNumber' ? [{ messageId: 'writeExactKey', rewrite: () => writeExactKey(use, facts, sourceCode) }] : [] });
    }
  },
});
