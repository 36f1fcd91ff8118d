import type { TSESTree } from '@typescript-eslint/utils';
import { compareKeys, isOtherHash, isSwapped } from '../src/analysis/keys/equality.js';
import type { LostUnlock } from '../src/analysis/flow/leaks.js';
import type { LockUse } from '../src/analysis/model.js';
import type { Pair } from '../src/analysis/pairs.js';
import { functionOf, insteadOf, lineOf } from '../src/analysis/wording.js';
import { removeUnlock, unlockWhatWasWon, useKeyOf, useModeOf } from '../src/rewrites/index.js';
import { createRule, type Finding, type Judgement, type Suggestion } from '../src/rule.js';

type MessageId = 'otherLevel' | 'otherMode' | 'otherLock' | 'otherKey' | 'otherNumber' | 'otherHash' | 'otherOrder' | 'lostTry' | 'leaveOut' | 'useMode' | 'useKey' | 'unlockWhatWasWon';

export default createRule<object, MessageId>({
  docs: { description: 'Disallow an unlock that cannot free what was locked', recommended: true },
  suggests: true,
  messages: {
    otherLevel: '{{unlock}} frees session-level locks only, but {{acquire}} ({{line}}) takes a lock of the transaction: PostgreSQL answers `false`, and the lock stays until COMMIT or ROLLBACK, which frees it anyway. To fix it, leave this unlock out.',
    otherMode: '{{unlock}} does not free what {{acquire}} ({{line}}) takes: shared and exclusive locks are separate. PostgreSQL answers `false`, and the lock stays. To fix it, use the unlock of the same mode.',
    otherLock: '{{unlock}} frees another lock than the one that {{acquire}} ({{line}}) takes{{instead}}: the key differs, and so does the mode. PostgreSQL answers `false`, and the lock stays. To fix it, use the unlock of the same mode, make the key once and use it for both.',
    otherKey: '{{unlock}} frees another key than the one that {{acquire}} ({{line}}) takes{{instead}}. PostgreSQL answers `false`, and the lock stays. To fix it, make the key once and use it for both.',
    otherNumber: '{{unlock}} frees another key than the one that {{acquire}} ({{line}}) takes{{instead}}: one bigint and two integers are never the same key. PostgreSQL answers `false`, and the lock stays. To fix it, make the key once and use it for both.',
    otherHash: '{{unlock}} frees another key than the one that {{acquire}} ({{line}}) takes{{instead}}: the results of two hash functions are not the same key. PostgreSQL answers `false`, and the lock stays. To fix it, make the key once and use it for both.',
    otherOrder: '{{unlock}} has the two integers of the key that {{acquire}} ({{line}}) takes in the other order{{instead}}: that is another key. PostgreSQL answers `false`, and the lock stays. To fix it, make the key once and use it for both.',
    lostTry: '{{unlock}} also runs when the try-lock ({{line}}) was lost: this session then holds nothing, PostgreSQL answers `false` with a warning, and if other code has taken the lock on this session meanwhile, it is freed too early. To fix it, unlock only where the try-lock answered `true`.',
    leaveOut: 'Leave the unlock out.',
    useMode: 'Unlock in the mode of the lock.',
    useKey: 'Unlock the key of the lock.',
    unlockWhatWasWon: 'Unlock only where the lock was taken.',
  },
  options: {},
  defaults: {},
  judge(judgement) {
    const { facts, report } = judgement;
    for (const mismatch of facts.callerPairs.mismatches) if (!facts.pairs.isMismatched(mismatch.unlock)) report(finding(mismatch, judgement));
    for (const unlock of facts.uses) {
      const mismatch = facts.pairs.mismatchOf(unlock);
      if (mismatch) report(finding(mismatch, judgement));
    }
    for (const [node, lost] of facts.held.lostUnlocks) reportLost(node, lost, judgement);
  },
});

function reportLost(node: TSESTree.Node, { acquire, unlock, takenAt }: LostUnlock, { facts, report, sourceCode }: Judgement<object, MessageId>): void {
  const [taken, freed] = [facts.seenAt(takenAt, acquire), facts.seenAt(node, unlock)];
  // Code that expects `false` knows that nothing is freed. Where nobody reads what the try-lock answers, that is the fault, and told there.
  if (freed.expectsFalse || facts.pairs.isMismatched(unlock) || facts.callerPairs.mismatched.has(node) || facts.answerOf(taken).state === 'dropped') return;
  report({
    loc: freed.call.node === node ? freed.loc : node.loc, messageId: 'lostTry',
    data: { unlock: functionOf(freed), acquire: functionOf(taken), line: taken.call.node === takenAt ? lineOf(taken) : `line ${takenAt.loc.start.line}` },
    suggestions: [{ messageId: 'unlockWhatWasWon', rewrite: () => unlockWhatWasWon(acquire, unlock, facts, sourceCode) }],
  });
}

function finding({ acquire, unlock }: Pair, judgement: Judgement<object, MessageId>): Finding<MessageId> {
  const data = { unlock: functionOf(unlock), acquire: functionOf(acquire), line: lineOf(acquire), instead: insteadOf(acquire, unlock) };
  return { loc: unlock.loc, messageId: idOf(acquire, unlock), data, suggestions: suggestionsFor(acquire, unlock, judgement) };
}

function suggestionsFor(acquire: LockUse, unlock: LockUse, { facts, sourceCode }: Judgement<object, MessageId>): Suggestion<MessageId>[] {
  // What is written of one of several statements would be true of that one only.
  if (acquire.choice ?? unlock.choice) return [];
  const messageId = idOf(acquire, unlock);
  if (messageId === 'otherLevel') return [{ messageId: 'leaveOut', rewrite: () => removeUnlock(unlock, sourceCode) }];
  if (messageId === 'otherMode') return [{ messageId: 'useMode', rewrite: () => useModeOf(acquire, unlock, facts, sourceCode) }];
  return messageId === 'otherLock' ? [] : [{ messageId: 'useKey', rewrite: () => useKeyOf(acquire, unlock, facts, sourceCode) }];
}

function idOf(acquire: LockUse, unlock: LockUse): MessageId {
  const [taken, freed] = [acquire.lock.function, unlock.lock.function];
  const isOtherKey = compareKeys(acquire.key, unlock.key) === 'different';
  if (taken.level === 'transaction') return 'otherLevel';
  if (taken.mode !== freed.mode) return isOtherKey ? 'otherLock' : 'otherMode';
  if (acquire.key.parts.length !== unlock.key.parts.length) return 'otherNumber';
  if (isSwapped(acquire.key, unlock.key)) return 'otherOrder';
  return isOtherHash(acquire.key, unlock.key) ? 'otherHash' : 'otherKey';
}
