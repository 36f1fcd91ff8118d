import type { Cursor } from './cursor.js';
import type { SqlStatement } from './model.js';

/**
 * Statements that begin and end transactions, with the whole of their grammar: prose often begins with one of their words.
 * https://www.postgresql.org/docs/current/sql-begin.html, sql-commit.html, sql-rollback.html, sql-savepoint.html
 */

export type TransactionEvent = SqlStatement['transaction'];

export interface TransactionStatement {
  /** Undefined for those of two-phase commit. */
  readonly event: TransactionEvent;
}

export function parseTransaction(cursor: Cursor): TransactionStatement | undefined {
  const start = cursor.pos;
  const found = parseHead(cursor);
  // A driver or the program may put a name or a mode into a hole.
  if (found !== undefined) while (cursor.token?.kind === 'hole') cursor.pos += 1;
  if (found !== undefined && cursor.atEnd()) return found;
  cursor.pos = start;
  return undefined;
}

function parseHead(cursor: Cursor): TransactionStatement | undefined {
  const word = cursor.token?.kind === 'word' ? cursor.token.value : '';
  if (!['begin', 'start', 'commit', 'end', 'rollback', 'abort', 'savepoint', 'release', 'prepare'].includes(word)) return undefined;
  cursor.pos += 1;
  switch (word) {
    case 'begin':
      takeNoise(cursor);
      skipModes(cursor);
      return { event: 'begin' };
    case 'start':
      if (!cursor.takeWord('transaction')) return undefined;
      skipModes(cursor);
      return { event: 'begin' };
    case 'prepare':
      return cursor.takeWord('transaction') && takeString(cursor) ? { event: undefined } : undefined;
    case 'savepoint':
      return takeName(cursor) ? { event: 'savepoint' } : undefined;
    case 'release':
      if (cursor.isWord('savepoint') && !cursor.at(1)) return { event: 'release' };
      cursor.takeWord('savepoint');
      return takeName(cursor) ? { event: 'release' } : undefined;
    default:
      return parseEnd(cursor, word === 'commit' || word === 'end' ? 'commit' : 'rollback');
  }
}

function parseEnd(cursor: Cursor, event: 'commit' | 'rollback'): TransactionStatement | undefined {
  if (cursor.takeWord('prepared')) return takeString(cursor) ? { event: undefined } : undefined;
  takeNoise(cursor);
  if (event === 'rollback' && cursor.takeWord('to')) {
    if (cursor.at(1)) cursor.takeWord('savepoint');
    return takeName(cursor) ? { event: 'rollbackTo' } : undefined;
  }
  if (cursor.takeWord('and')) {
    cursor.takeWord('no');
    if (!cursor.takeWord('chain')) return undefined;
  }
  return { event };
}

function takeNoise(cursor: Cursor): void {
  if (!cursor.takeWord('work')) cursor.takeWord('transaction');
}

function takeString(cursor: Cursor): boolean {
  if (cursor.token?.kind !== 'string') return false;
  cursor.pos += 1;
  return true;
}

function takeName(cursor: Cursor): boolean {
  const kind = cursor.token?.kind;
  if (kind !== 'word' && kind !== 'name' && kind !== 'hole' && kind !== 'placeholder') return false;
  cursor.pos += 1;
  return true;
}

const LEVELS = new Set(['serializable', 'repeatable', 'read', 'committed', 'uncommitted']);

function skipModes(cursor: Cursor): void {
  while (takeMode(cursor)) cursor.take(',');
}

function takeMode(cursor: Cursor): boolean {
  if (cursor.takeWords('isolation', 'level')) {
    if (cursor.token?.kind === 'hole') cursor.pos += 1;
    while (cursor.isAnyWord(LEVELS) && !isAccess(cursor)) cursor.pos += 1;
    return true;
  }
  if (isAccess(cursor) || (cursor.isWord('not') && cursor.isWord('deferrable', 1))) {
    cursor.pos += 2;
    return true;
  }
  if (cursor.token?.kind !== 'hole') return cursor.takeWord('deferrable');
  cursor.pos += 1;
  return true;
}

/** READ ONLY, READ WRITE: the level READ COMMITTED begins alike. */
function isAccess(cursor: Cursor): boolean {
  return cursor.isWord('read') && (cursor.isWord('only', 1) || cursor.isWord('write', 1));
}
