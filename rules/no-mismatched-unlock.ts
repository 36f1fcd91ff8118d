import type { LockUse } from '../src/analysis/model.js';
import { functionOf, lineOf } from '../src/analysis/wording.js';
import { removeUnlock, unlockWhatWasWon, useKeyOf, useModeOf } from '../src/rewrites/index.js';
import { createRule, type Judgement, type Suggestion } from '../src/rule.js';

type MessageId = 'otherLevel' | 'otherMode' | 'otherKey' | 'lostTry' | 'leaveOut' | 'useMode' | 'useKey' | 'unlockWhatWasWon';

export default createRule<object, MessageId>({
  docs: { description: 'Disallow an unlock that cannot free what was locked', recommended: true },
  suggests: true,
  messages: {
    otherLevel: '{{unlock}} frees session-level locks only, but {{acquire}} ({{line}}) takes a lock of the transaction: PostgreSQL answers `false`, and the lock stays until COMMIT or ROLLBACK, which frees it anyway. To fix it, leave this unlock out.',
    otherMode: '{{unlock}} does not free what {{acquire}} ({{line}}) takes: shared and exclusive locks are separate. PostgreSQL answers `false`, and the lock stays. To fix it, use the unlock of the same mode.',
    otherKey: '{{unlock}} frees another key than the one that {{acquire}} ({{line}}) takes. One bigint and two integers are never the same key, nor are the results of two hash functions. PostgreSQL answers `false`, and the lock stays. To fix it, make the key once and use it for both.',
    lostTry: '{{unlock}} also runs when the try-lock ({{line}}) was lost: this session then holds nothing, PostgreSQL answers `false` with a warning, and if other code has taken the lock on this session meanwhile, it is freed too early. To fix it, unlock only where the try-lock answered `true`.',
    leaveOut: 'Leave the unlock out.',
    useMode: 'Unlock in the mode of the lock.',
    useKey: 'Unlock the key of the lock.',
    unlockWhatWasWon: 'Unlock only where the lock was taken.',
  },
  options: {},
  defaults: {},
  judge(judgement) {
    const { facts, report, sourceCode } = judgement;
    for (const unlock of facts.uses) {
      const acquire = facts.pairs.mismatchOf(unlock);
      if (acquire) report({ loc: unlock.loc, messageId: idOf(acquire, unlock), data: { unlock: functionOf(unlock), acquire: functionOf(acquire), line: lineOf(acquire) }, suggestions: [suggestionFor(acquire, unlock, judgement)] });
      else {
        const lost = facts.held.lostUnlocks.get(unlock);
        if (lost) report({ loc: unlock.loc, messageId: 'lostTry', data: { unlock: functionOf(unlock), acquire: functionOf(lost), line: lineOf(lost) }, suggestions: [{ messageId: 'unlockWhatWasWon', rewrite: () => unlockWhatWasWon(lost, unlock, facts, sourceCode) }] });
      }
    }
  },
});

function suggestionFor(acquire: LockUse, unlock: LockUse, { facts, sourceCode }: Judgement<object, MessageId>): Suggestion<MessageId> {
  const messageId = idOf(acquire, unlock);
  if (messageId === 'otherLevel') return { messageId: 'leaveOut', rewrite: () => removeUnlock(unlock, sourceCode) };
  if (messageId === 'otherMode') return { messageId: 'useMode', rewrite: () => useModeOf(acquire, unlock, facts, sourceCode) };
  return { messageId: 'useKey', rewrite: () => useKeyOf(acquire, unlock, facts, sourceCode) };
}

function idOf(acquire: LockUse, unlock: LockUse): MessageId {
  const [taken, freed] = [acquire.lock.function, unlock.lock.function];
  if (taken.level === 'transaction') return 'otherLevel';
  return taken.mode === freed.mode ? 'otherKey' : 'otherMode';
}
