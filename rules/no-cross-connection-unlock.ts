import { adviceFor } from '../src/analysis/advice.js';
import type { Connection } from '../src/analysis/model.js';
import { crossingOf } from '../src/analysis/connections/crossing.js';
import { evidenceFor, functionOf, lineOf, refusalOf, xactLockOf } from '../src/analysis/wording.js';
import { isWorkOnPool } from '../src/analysis/work-on-pool.js';
import { isReset } from '../src/analysis/sessions/own-pool.js';
import { connectionAtHand, guardInTransaction, reserveConnection, useConnectionAtHand } from '../src/rewrites/index.js';
import { createRule } from '../src/rule.js';

type MessageId = 'bothPooled' | 'bothStateless' | 'bothBehindPooler' | 'bothOnPoolOfOne' | 'bothReset' | 'acquiredOnPool' | 'unlockedOnPool' | 'twoConnections' | 'redirect' | 'reserve' | 'reserveBeside' | 'guard';

/** Why two calls through one handle may be on two connections. */
function bothWays(connection: Connection): MessageId {
  const { kind, pooler, size } = connection;
  if (pooler) return 'bothBehindPooler';
  if (kind === 'stateless') return 'bothStateless';
  if (isReset(connection)) return 'bothReset';
  return size === 1 ? 'bothOnPoolOfOne' : 'bothPooled';
}

export default createRule<object, MessageId>({
  docs: { description: 'Disallow an unlock that is not on the one connection that took the lock', recommended: true },
  suggests: true,
  messages: {
    bothPooled: '{{unlock}} frees only what its own connection has locked, but the lock is taken on {{line}} and both go through the pool: {{evidence}}. Once the pool is busy they get two connections, {{refusal}} and the lock stays until its connection closes. To fix it, {{advice}}.',
    bothStateless: '{{unlock}} frees only what its own connection has locked, but the lock is taken on {{line}} and this call is another request: {{evidence}}, which has no connection between two calls. {{refusal}}, and the lock is gone or stays with a stranger. To fix it, {{advice}}.',
    bothOnPoolOfOne: '{{unlock}} frees only what its own connection has locked, but the lock is taken on {{line}} and both go through the pool: {{evidence}} with one connection only, which the pool closes when nobody has used it for a while. The unlock then gets a new one, {{refusal}}, and the work ran unguarded. To fix it, {{advice}}.',
    bothReset: '{{unlock}} frees only what its own connection has locked, but the lock is taken on {{line}} and both go through the pool: {{evidence}}, which resets a connection when a call hands it back. The lock is free by then, and {{refusal}}. To fix it, {{advice}}.',
    bothBehindPooler: '{{unlock}} frees only what its own connection has locked, but the lock is taken on {{line}} and both go through a pooler that may send each statement to another server connection: {{evidence}}. PostgreSQL then answers `false` and the lock stays with the pooler. To fix it, connect to the database directly for this lock, or use {{xactLock}} inside a transaction.',
    acquiredOnPool: '{{unlock}} frees only what its own connection has locked: it runs on one connection ({{evidence}}), but the lock is taken on {{line}} through the pool ({{other}}), on whatever connection was free. {{refusal}} and the lock stays. To fix it, take the lock on the same connection as the unlock.',
    unlockedOnPool: '{{unlock}} frees only what its own connection has locked: the lock is taken on {{line}} on a connection of its own ({{other}}), but this call gets any connection of the pool ({{evidence}}). {{refusal}} and the lock stays. To fix it, send the unlock to the connection that took the lock.',
    twoConnections: '{{unlock}} frees only what its own connection has locked, but the lock is taken on {{line}} on another connection ({{other}}; here {{evidence}}). {{refusal}} and the lock stays with the first one. To fix it, keep one connection from the lock to the unlock, and give it back only then.',
    redirect: 'Send the lock and the unlock to {{connection}}.',
    reserve: 'Reserve one connection for the lock and the unlock.',
    reserveBeside: 'Reserve one connection for the lock and the unlock. The work stays on the pool, which needs one connection more for it.',
    guard: 'Hold the lock in a transaction around the work. Its timeout must be longer than the work takes.',
  },
  options: {},
  defaults: {},
  judge({ facts, sourceCode, report }) {
    const told = facts.uses.flatMap((unlock) => facts.pairs.of(unlock) ?? []).filter((pair) => crossingOf(pair) !== undefined);
    const ofCallers = facts.callerPairs.crossings.filter(({ unlock }) => !told.some((one) => one.unlock === unlock));
    for (const pair of [...told, ...ofCallers]) {
      const { unlock } = pair;
      const messageId = facts.isWithinOneStatement(unlock) || facts.floatingOf(unlock) === 'neverSent' ? undefined : crossingOf(pair);
      if (!messageId) continue;
      const { connection } = unlock.call;
      report({
        loc: unlock.loc, messageId: messageId === 'bothPooled' ? bothWays(connection) : messageId,
        data: {
          unlock: functionOf(unlock), refusal: refusalOf(unlock), line: lineOf(pair.acquire), evidence: evidenceFor(unlock), other: evidenceFor(pair.acquire), xactLock: xactLockOf(pair.acquire),
          // What no-pooled-session-lock says of the lock need not be said again.
          advice: facts.isWithinOneStatement(pair.acquire) || facts.floatingOf(pair.acquire) === 'neverSent' ? adviceFor(unlock, facts, pair.acquire) : `keep one connection for both, or use a transaction-level lock instead (see ${lineOf(pair.acquire)})`,
        },
        suggestions: [{ messageId: 'redirect', data: { connection: connectionAtHand(unlock, facts) }, rewrite: () => useConnectionAtHand(unlock, facts, sourceCode) }, { messageId: isWorkOnPool(unlock, facts) ? 'reserveBeside' : 'reserve', rewrite: () => reserveConnection(unlock, facts, sourceCode) }, { messageId: 'guard', rewrite: () => guardInTransaction(unlock, facts, sourceCode) }],
      });
    }
  },
});
