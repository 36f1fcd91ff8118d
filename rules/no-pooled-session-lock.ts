import { adviceFor } from '../src/analysis/advice.js';
import { adviceForLock } from '../src/analysis/pair-advice.js';
import { isWithoutSession } from '../src/analysis/connections/sessions.js';
import type { FileFacts } from '../src/analysis/facts.js';
import { helperSetting } from '../src/analysis/helpers/helper-setting.js';
import type { LockUse } from '../src/analysis/model.js';
import { isSessionAcquire, isUnlock } from '../src/analysis/pairs.js';
import { isKeptByAll, isReset } from '../src/analysis/sessions/own-pool.js';
import { disagreementOf, evidenceFor, functionOf, refusalOf, senderOf, settingFor, xactLockOf } from '../src/analysis/wording.js';
import { isWorkOnPool } from '../src/analysis/work-on-pool.js';
import { connectionAtHand, guardInTransaction, reserveConnection, useConnectionAtHand } from '../src/rewrites/index.js';
import { createRule, type Finding, type Judgement } from '../src/rule.js';

export interface Options { readonly unknown: 'ignore' | 'report' }

type MessageId = 'poolOfOne' | 'keptByAll' | 'resetByPool' | 'pooledAcquire' | 'pooledTry' | 'pooledUnlock' | 'pooledUnlockAll' | 'statelessAcquire' | 'statelessUnlock' | 'transactionPooler' | 'unknownCall' | 'callersDisagree' | 'mayBeEither' | 'unknownConnection' | 'redirect' | 'reserve' | 'reserveBeside' | 'guard';

export default createRule<Options, MessageId>({
  docs: { description: 'Disallow session-level advisory locks on a handle that may use another connection for each call', recommended: true },
  suggests: true,
  messages: {
    pooledAcquire: '{{function}} locks for one connection, but {{evidence}}: this call borrows a connection and hands it straight back with the lock on it. The next call may get another connection, so nobody can be sure to free the lock, and it guards nothing or hangs until that connection closes. To fix it, {{advice}}.',
    pooledTry: '{{function}} locks for one connection, but {{evidence}}: this call borrows a connection and hands it straight back with the lock on it. For as long as the pool keeps that connection, whoever asks on another one is refused in silence, and whoever gets that very one holds the lock, too. To fix it, {{advice}}.',
    poolOfOne: '{{function}} locks for one connection, and {{evidence}} with one connection only, but the pool closes that when nobody has used it for a while, and all callers share it: the lock may be gone in the middle of the work, or be held by others, too. To fix it, {{advice}}.',
    keptByAll: '{{function}} locks for one connection, and {{evidence}} with one connection only, which all callers share: whoever asks for the lock while it is held gets it, too. To fix it, {{advice}}.',
    resetByPool: '{{function}} locks for one connection, but {{evidence}}: this call borrows a connection, and the pool resets that when the call hands it back, which frees the lock. It guards nothing, whatever PostgreSQL has answered. To fix it, {{advice}}.',
    pooledUnlock: '{{function}} frees only what its own connection has locked, but {{evidence}}: the call gets any connection of the pool, most likely not the one with the lock, and PostgreSQL answers `false`. To fix it, {{advice}}.',
    pooledUnlockAll: '{{function}} frees the locks of one connection, but {{evidence}}: the call gets any connection of the pool, and may free the locks of other work instead of its own. To fix it, {{advice}}.',
    statelessAcquire: '{{function}} locks for one connection, but {{evidence}}, which has no connection between two calls: the lock is gone, or left to a stranger, when the call returns. To fix it, use a transaction-level lock ({{xactLock}}) inside one transaction, or a client that keeps a connection.',
    statelessUnlock: '{{function}} frees only what its own connection has locked, but {{evidence}}, which has no connection between two calls: {{refusal}}. To fix it, use a transaction-level lock ({{xactLock}}) inside one transaction, or a client that keeps a connection.',
    transactionPooler: '{{function}} locks for one connection, but {{evidence}}: the pooler may send each statement to another server connection, so even one client is no session and the lock stays behind. To fix it, connect to the database directly for this lock, or use {{xactLock}} inside a transaction.',
    unknownCall: '{{sender}} is given {{function}}, which locks for one connection, and it is not known whether it sends that, and on which connection. To fix it, say in the ESLint settings what it does, with {{setting}}.',
    callersDisagree: '{{function}} locks for one connection, and {{evidence}}. On a pool the lock guards nothing. To fix it, pass one connection in each call, or have each call judged by what it passes, with {{setting}} in the ESLint settings.',
    mayBeEither: '{{function}} locks for one connection, and by its type {{evidence}} may be a pool as well as one connection. On a pool the lock guards nothing. To fix it, name only the type of one connection there, or have each call judged by what it passes, with {{setting}} in the ESLint settings.',
    unknownConnection: '{{function}} locks for one connection, and it is not known which connection {{evidence}} uses. To fix it, give the handle the type that its driver declares, make it where this file can see it, or say what it is in the ESLint settings with {{setting}}.',
    redirect: 'Send the lock and the unlock to {{connection}}.',
    reserve: 'Reserve one connection for the lock and the unlock.',
    reserveBeside: 'Reserve one connection for the lock and the unlock. The work stays on the pool, which needs one connection more for it.',
    guard: 'Hold the lock in a transaction around the work. Its timeout must be longer than the work takes.',
  },
  options: {
    unknown: { type: 'string', enum: ['ignore', 'report'], description: 'Whether to report session-level locks on handles whose connection is not known.' },
  },
  defaults: { unknown: 'ignore' },
  judge(judgement) {
    for (const use of judgement.facts.uses) {
      const messageId = judge(use, judgement);
      if (messageId) judgement.report(finding(use, messageId, judgement));
    }
    for (const use of judgement.options.unknown === 'report' ? judgement.facts.unsure : []) if (isSessionAcquire(use)) judgement.report({ loc: use.loc, messageId: 'unknownCall', data: { function: functionOf(use), ...senderOf(use, judgement.facts.types) } });
  },
});

function judge(use: LockUse, { facts, options }: Judgement<Options, MessageId>): MessageId | undefined {
  const { connection } = use.call;
  if (facts.isWithinOneStatement(use) || facts.floatingOf(use) === 'neverSent') return undefined;
  if (isSessionAcquire(use)) {
    if (connection.pooler) return 'transactionPooler';
    if (isReset(connection)) return 'resetByPool';
    if (isKeptByAll(connection)) return 'keptByAll';
    if (connection.kind === 'pooled' && connection.size === 1) return 'poolOfOne';
    if (connection.kind === 'pooled') return use.lock.function.operation === 'try' ? 'pooledTry' : 'pooledAcquire';
    return connection.kind === 'stateless' ? 'statelessAcquire' : connection.kind === 'unknown' && options.unknown === 'report' && !facts.isJudgedAtCalls(use) ? unknownId(use, facts) : undefined;
  }
  if (!isUnlock(use) || use.expectsFalse || !isWithoutSession(connection) || facts.pairs.of(use) || facts.pairs.isMismatched(use)) return undefined;
  return connection.kind === 'stateless' ? 'statelessUnlock' : use.lock.function.operation === 'unlockAll' ? 'pooledUnlockAll' : 'pooledUnlock';
}

function unknownId(use: LockUse, { types }: FileFacts): MessageId {
  if (use.call.connection.disagreeing) return 'callersDisagree';
  return helperSetting(use, types) === undefined ? 'unknownConnection' : 'mayBeEither';
}

function finding(use: LockUse, messageId: MessageId, { facts, sourceCode }: Judgement<Options, MessageId>): Finding<MessageId> {
  const { connection } = use.call;
  return {
    loc: use.loc, messageId,
    data: { function: functionOf(use), refusal: refusalOf(use), evidence: disagreementOf(use) ?? evidenceFor(use), advice: isSessionAcquire(use) ? adviceForLock(use, facts) : adviceFor(use, facts), xactLock: xactLockOf(use), ...(connection.kind === 'unknown' ? { setting: settingFor(use, facts.types) } : {}) },
    suggestions: isSessionAcquire(use) && connection.kind !== 'unknown' ? [{ messageId: 'redirect', data: { connection: connectionAtHand(use, facts) }, rewrite: () => useConnectionAtHand(use, facts, sourceCode) }, { messageId: isWorkOnPool(use, facts) ? 'reserveBeside' : 'reserve', rewrite: () => reserveConnection(use, facts, sourceCode) }, { messageId: 'guard', rewrite: () => guardInTransaction(use, facts, sourceCode) }] : [],
  };
}
