import type { Cursor } from './cursor.js';
import { parseExpr, parseExprs } from './expressions.js';
import { noFrom, parseFrom, parseTable, withTarget } from './from.js';
import type { Expr, From, Modification, Target } from './nodes.js';

/** INSERT, UPDATE, DELETE and MERGE. https://www.postgresql.org/docs/current/dml.html */

type ParseTargets = (cursor: Cursor) => Target[];

const HEADS: Readonly<Record<string, Modification['kind']>> = { insert: 'insert', update: 'update', delete: 'delete', merge: 'merge' };

export function isModification(cursor: Cursor): boolean {
  const token = cursor.token;
  return token?.kind === 'word' && Object.hasOwn(HEADS, token.value);
}

/** What the clauses of one statement gather. */
class Parts {
  source: Modification['source'];
  readonly values: Expr[] = [];
  from: From = noFrom;
  readonly conditions: Expr[] = [];
}

export function parseModification(cursor: Cursor, parseTargets: ParseTargets): Modification {
  const kind = HEADS[cursor.token!.value]!;
  cursor.pos += 1;
  if (kind === 'delete') cursor.takeWord('from');
  else if (kind !== 'update') cursor.takeWord('into');
  const target = parseTable(cursor, kind === 'insert');
  if (target === undefined && !cursor.atEnd()) cursor.broken = true;
  const parts = new Parts();
  if (kind === 'insert') parseInsert(cursor, parts);
  else if (kind === 'merge') parseMerge(cursor, parts);
  else parseChange(cursor, parts, kind);
  const returning = cursor.takeWord('returning') ? parseReturning(cursor, parseTargets) : [];
  while (cursor.token?.kind === 'hole') {
    cursor.gap = true;
    cursor.pos += 1;
  }
  const { source, values, from, conditions } = parts;
  return { kind, source, values, from: target ? withTarget(target, from) : from, conditions, returning };
}

function parseReturning(cursor: Cursor, parseTargets: ParseTargets): Target[] {
  if (cursor.isWord('with') && cursor.is('(', 1)) {
    cursor.pos += 1;
    cursor.skipGroup();
  }
  return parseTargets(cursor);
}

function parseInsert(cursor: Cursor, parts: Parts): void {
  // `INSERT INTO t (a, b)`: parseTable takes the list for an alias' columns only after an alias.
  if (cursor.is('(') && !cursor.isQueryGroup()) cursor.skipGroup();
  if (cursor.takeWord('overriding')) {
    cursor.pos += 1;
    cursor.takeWord('value');
  }
  if (!cursor.takeWords('default', 'values')) parts.source = parseSource(cursor);
  if (!cursor.takeWords('on', 'conflict')) return;
  // Columns of an index, with operator classes.
  if (cursor.is('(')) cursor.skipGroup();
  else if (cursor.takeWords('on', 'constraint')) cursor.pos += 1;
  if (cursor.takeWord('where')) parts.values.push(parseExpr(cursor));
  if (cursor.takeWords('do', 'update', 'set')) {
    parseAssignments(cursor, parts);
    if (cursor.takeWord('where')) parts.conditions.push(parseExpr(cursor));
  } else {
    cursor.takeWords('do', 'nothing');
  }
}

function parseSource(cursor: Cursor): Modification['source'] {
  if (cursor.token?.kind !== 'hole') return cursor.atEnd() ? undefined : cursor.parseQuery(cursor);
  // A driver's helper brings columns and values.
  cursor.gap = true;
  while (cursor.at(0)?.kind === 'hole') cursor.pos += 1;
  return cursor.isWord('values') || cursor.isWord('select') ? cursor.parseQuery(cursor) : undefined;
}

/** UPDATE and DELETE. */
function parseChange(cursor: Cursor, parts: Parts, kind: 'update' | 'delete'): void {
  if (kind === 'update') {
    if (cursor.takeWord('set')) parseAssignments(cursor, parts);
    else if (!cursor.atEnd()) cursor.broken = true;
  }
  if (cursor.takeWord(kind === 'update' ? 'from' : 'using')) parts.from = parseFrom(cursor);
  if (!cursor.takeWord('where')) return;
  if (cursor.takeWords('current', 'of')) cursor.pos += 1;
  else parts.conditions.push(parseExpr(cursor));
}

function parseAssignments(cursor: Cursor, parts: Parts): void {
  cursor.list(() => {
    if (cursor.token?.kind === 'hole' && !cursor.is('=', 1) && !cursor.is('.', 1)) {
      cursor.gap = true;
      cursor.pos += 1;
      return;
    }
    while (!cursor.atEnd() && !cursor.is('=')) {
      if (cursor.is('(') || cursor.is('[')) cursor.skipGroup();
      else if (cursor.is(',') || cursor.isWord('where') || cursor.isWord('from')) return;
      else cursor.pos += 1;
    }
    cursor.take('=');
    parts.values.push(parseExpr(cursor));
  });
}

function parseMerge(cursor: Cursor, parts: Parts): void {
  if (!cursor.takeWord('using')) {
    if (!cursor.atEnd()) cursor.broken = true;
    return;
  }
  parts.from = parseFrom(cursor);
  if (cursor.takeWord('on')) parts.conditions.push(parseExpr(cursor));
  while (cursor.takeWord('when')) {
    cursor.takeWord('not');
    cursor.takeWord('matched');
    if (cursor.takeWord('by')) cursor.pos += 1;
    if (cursor.takeWord('and')) parts.conditions.push(parseExpr(cursor));
    if (!cursor.takeWord('then')) break;
    parseMergeAction(cursor, parts);
  }
}

function parseMergeAction(cursor: Cursor, parts: Parts): void {
  if (cursor.takeWords('update', 'set')) parseAssignments(cursor, parts);
  else if (cursor.takeWord('insert')) parseMergeInsert(cursor, parts);
  else if (!cursor.takeWord('delete')) cursor.takeWords('do', 'nothing');
}

function parseMergeInsert(cursor: Cursor, parts: Parts): void {
  if (cursor.is('(')) cursor.skipGroup();
  if (cursor.takeWord('overriding')) {
    cursor.pos += 1;
    cursor.takeWord('value');
  }
  if (cursor.takeWords('default', 'values') || !cursor.takeWord('values')) return;
  if (cursor.is('(')) for (const value of cursor.group(() => parseExprs(cursor), [])) parts.values.push(value);
}

