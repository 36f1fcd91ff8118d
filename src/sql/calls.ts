import { findLockFunction, takesArguments } from './catalogue.js';
import type { Cursor } from './cursor.js';
import { opaque, parseExpr, parseExprs, parseSortKeys } from './expressions.js';
import { aggregates, specialArguments } from './keywords.js';
import type { LockFunction } from './model.js';
import type { Call, Expr } from './nodes.js';

/** What the parentheses of a call have. */
interface Arguments {
  readonly args: readonly Expr[];
  readonly extras: readonly Expr[];
  /** DISTINCT or ORDER BY, which only aggregates take. */
  readonly aggregate: boolean;
}

/** Reads a call whose name ends before the cursor, at its opening parenthesis. */
export function parseCall(cursor: Cursor, path: readonly string[]): Call {
  const token = cursor.tokens[cursor.pos - 1]!;
  const closed = cursor.structure.closes[cursor.pos]! >= 0;
  const name = path.at(-1)!;
  const builtin = path.length === 1 || path.at(-2) === 'pg_catalog';
  const inner = cursor.group((): Arguments => parseArguments(cursor, specialArguments.has(name)), { args: [opaque], extras: [], aggregate: false });
  const extras = [...inner.extras];
  const aggregate = parseSuffixes(cursor, extras);
  return {
    kind: 'call',
    name,
    path,
    builtin,
    args: inner.args,
    extras,
    aggregate: aggregate ?? (inner.aggregate || (builtin && aggregates.has(name))),
    lock: closed && builtin ? lockFunction(name, inner.args) : undefined,
    start: token.start,
    end: token.end,
  };
}

/** A call that no function of the catalogue fits fails, as PostgreSQL has no other function of that name. */
function lockFunction(name: string, args: readonly Expr[]): LockFunction | undefined {
  const found = findLockFunction(name);
  if (found === undefined || !takesArguments(found.operation, args.length)) return undefined;
  return args.some((arg) => arg.kind === 'column' && arg.star) ? undefined : found;
}

function parseArguments(cursor: Cursor, special: boolean): Arguments {
  if (cursor.atEnd()) return { args: [], extras: [], aggregate: false };
  if (cursor.is('*')) {
    cursor.pos += 1;
    return { args: [{ kind: 'column', path: [], star: true }], extras: [], aggregate: false };
  }
  let aggregate = cursor.takeWord('distinct');
  if (!aggregate) cursor.takeWord('all');
  const args = cursor.list(() => parseArgument(cursor, special));
  let extras: Expr[] = [];
  if (cursor.takeWords('order', 'by')) {
    extras = parseSortKeys(cursor);
    aggregate = true;
  }
  while (special && !cursor.atEnd()) skipSpecial(cursor, extras);
  return { args, extras, aggregate };
}

function parseArgument(cursor: Cursor, special: boolean): Expr {
  cursor.takeWord('variadic');
  const named = cursor.is(':=', 1) || cursor.is('=>', 1);
  if (named && cursor.token!.kind !== 'punctuation') cursor.pos += 2;
  const expr = parseExpr(cursor);
  if (!special || cursor.atEnd() || cursor.is(',') || cursor.isWord('order')) return expr;
  // `extract(day FROM x)`, `json_object('a' VALUE 1)`: words between values.
  const parts = [expr];
  while (!cursor.atEnd() && !cursor.is(',')) skipSpecial(cursor, parts);
  return { kind: 'operation', skeleton: parts.map(() => '{}').join(' '), parts, columnName: undefined };
}

function skipSpecial(cursor: Cursor, parts: Expr[]): void {
  const before = cursor.pos;
  // Those of JSON_TABLE and XMLTABLE are definitions.
  if (cursor.takeWord('columns') && cursor.is('(')) {
    cursor.skipGroup();
    return;
  }
  const expr = parseExpr(cursor);
  if (cursor.pos > before) parts.push(expr);
  else cursor.pos += 1;
}

/** FILTER, WITHIN GROUP, OVER; true for an aggregate, false for a window function, undefined where none of them stands. */
function parseSuffixes(cursor: Cursor, extras: Expr[]): boolean | undefined {
  let aggregate: boolean | undefined;
  if (cursor.isWord('within') && cursor.isWord('group', 1) && cursor.is('(', 2)) {
    cursor.pos += 2;
    append(extras, cursor.group(() => (cursor.takeWords('order', 'by') ? parseSortKeys(cursor) : []), []));
    aggregate = true;
  }
  if (cursor.isWord('filter') && cursor.is('(', 1)) {
    cursor.pos += 1;
    extras.push(cursor.group(() => (cursor.takeWord('where') ? parseExpr(cursor) : opaque), opaque));
    aggregate = true;
  }
  if (cursor.isWord('over') && cursor.at(1) !== undefined) {
    cursor.pos += 1;
    if (cursor.is('(')) append(extras, parseWindow(cursor));
    else cursor.pos += 1;
    aggregate = false;
  }
  return aggregate;
}

/** Spreading a long list into a call would overflow the stack. */
export function append<T>(list: T[], more: readonly T[]): void {
  for (const item of more) list.push(item);
}

/** A window's definition, in its parentheses. */
export function parseWindow(cursor: Cursor): Expr[] {
  return cursor.group(() => {
    const exprs: Expr[] = [];
    while (!cursor.atEnd()) {
      if (cursor.takeWords('partition', 'by')) append(exprs, parseExprs(cursor));
      else if (cursor.takeWords('order', 'by')) append(exprs, parseSortKeys(cursor));
      else skipFrame(cursor, exprs);
    }
    return exprs;
  }, []);
}

function skipFrame(cursor: Cursor, exprs: Expr[]): void {
  const before = cursor.pos;
  const expr = parseExpr(cursor);
  if (cursor.pos === before) cursor.pos += 1;
  else if (expr.kind !== 'column') exprs.push(expr);
}
