import type { TSESTree } from '@typescript-eslint/utils';
import type { HouseNames } from '../helpers/house.js';
import type { Connection } from '../model.js';

/**
 * A connection where the settings say that all go through a pooler in transaction mode: even one client is no session then, except in
 * a transaction. PgBouncer's table of features has "Never" for session-level advisory locks with transaction pooling
 * (pgbouncer.org/features.html).
 */
export function behindPooler(found: Connection, node: TSESTree.Node, house: HouseNames): Connection {
  if (!house.hasPooler) return found;
  if (found.isDirect || house.typeAt(node)?.handle.isDirect || house.handleAt(node)?.handle.isDirect) return { ...found, isDirect: true };
  if (found.pooler || !(found.kind === 'pooled' || found.kind === 'reserved' || found.kind === 'single')) return found;
  const says = `${found.says}, ${POOLER}`;
  const text = found.evidence.text.includes(found.says) ? found.evidence.text.replace(found.says, () => says) : `${found.evidence.text} is ${says}`;
  return { ...found, kind: 'pooled', isOneClient: found.kind !== 'pooled', says, evidence: { ...found.evidence, text }, pooler: { text: '', where: undefined } };
}

const POOLER = 'behind the transaction-mode pooler of the ESLint settings';

/** What a connection goes through, by its evidence: a connection string, or the settings. */
export const poolerIn = ({ text }: { readonly text: string }): string => (text === '' ? POOLER : `behind a transaction-mode pooler (${text})`);
