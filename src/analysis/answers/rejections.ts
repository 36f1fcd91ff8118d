import type { Rejection } from '../../drivers/index.js';
import type { LockUse } from '../model.js';

/** Locks that wait, and the unlock of everything, return void; the others return a boolean. */
export const isVoid = ({ lock }: LockUse): boolean => lock.function.operation === 'acquire' || lock.function.operation === 'unlockAll';

/** Why the promise of a statement rejects for certain after PostgreSQL has run it, where it does. */
export function rejectionOf(use: LockUse): Rejection | undefined {
  const { call: { rejects, statements }, lock, isNeverSent } = use;
  if (!rejects || isNeverSent || lock.answer.kind !== 'column') return undefined;
  if (rejects.where === 'void') return isVoid(use) && !lock.answer.isCast ? rejects : undefined;
  // Of several statements the last one counts; a statement that reads a table may find no row.
  const last = statements.at(-1);
  return last?.kind === 'select' && !last.doesWork && last.locks.includes(lock) ? rejects : undefined;
}
