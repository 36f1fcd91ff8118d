import { parseCall } from './calls.js';
import { HOLE } from './characters.js';
import type { Cursor } from './cursor.js';
import { opaque, parseExpr, parseExprs } from './expressions.js';
import { notTableAlias, reserved, valueWords } from './keywords.js';
import type { SqlExpression } from './model.js';
import type { Expr, Subquery } from './nodes.js';
import type { Token } from './lexer.js';
import { longTypeWords, parseTypeName, skipIntervalFields } from './type-names.js';

/** Longer chains of casts and subscripts than any program has would nest too deep. */
const LONGEST_CHAIN = 50;

/** One value with its casts and subscripts, or undefined where none begins here. */
export function parseValue(cursor: Cursor): Expr | undefined {
  const expr = parsePrimary(cursor);
  return expr && parseLinks(cursor, expr);
}

/** Casts and subscripts after a value. */
export function parseLinks(cursor: Cursor, value: Expr): Expr {
  let expr = value;
  for (let links = 0; ; links += 1) {
    const next = parseLink(cursor, expr);
    if (next === undefined) return expr;
    expr = links < LONGEST_CHAIN ? next : opaque;
  }
}

function parseLink(cursor: Cursor, expr: Expr): Expr | undefined {
  if (cursor.take('::')) return { kind: 'cast', type: parseTypeName(cursor) ?? '', of: expr };
  if (cursor.is('[')) {
    const bounds = cursor.group(() => parseBounds(cursor), []);
    return { kind: 'operation', skeleton: `{}[${bounds.map(() => '{}').join(':')}]`, parts: [expr, ...bounds], columnName: undefined };
  }
  if (cursor.is('.') && isName(cursor.at(1))) {
    const name = cursor.at(1)!.value;
    cursor.pos += 2;
    return { kind: 'operation', skeleton: `{}.${name}`, parts: [expr], columnName: name };
  }
  if (cursor.is('.') && cursor.is('*', 1)) {
    cursor.pos += 2;
    return { kind: 'operation', skeleton: '{}.*', parts: [expr], columnName: undefined };
  }
  if (cursor.isWord('collate') && isName(cursor.at(1))) {
    cursor.pos += 2;
    while (cursor.is('.') && isName(cursor.at(1))) cursor.pos += 2;
    return expr;
  }
  return undefined;
}

function parseBounds(cursor: Cursor): Expr[] {
  const bounds: Expr[] = [];
  while (!cursor.atEnd()) {
    const before = cursor.pos;
    if (!cursor.take(':')) bounds.push(parseExpr(cursor));
    if (cursor.pos === before) break;
  }
  return bounds;
}

export function isName(token: Token | undefined): boolean {
  return token?.kind === 'word' || token?.kind === 'name';
}

function parsePrimary(cursor: Cursor): Expr | undefined {
  const token = cursor.token;
  switch (token?.kind) {
    case 'number':
      return literal(cursor, { kind: 'number', text: token.value });
    case 'string':
      return literal(cursor, stringValue(token));
    case 'placeholder':
      return literal(cursor, { kind: 'placeholder', style: token.style!, name: token.value });
    case 'bits':
    case 'junk':
      cursor.pos += 1;
      if (token.kind === 'junk') cursor.broken = token.value !== HOLE && !/^\d/.test(token.value) ? true : cursor.broken;
      return { kind: 'operation', skeleton: token.value, parts: [], columnName: undefined };
    case 'hole':
      return parseHole(cursor, token);
    case 'punctuation':
      return token.value === '(' ? parseParentheses(cursor) : token.value === '[' ? parseItems(cursor) : undefined;
    case 'name':
      return parsePath(cursor);
    case 'word':
      return parseWord(cursor, token.value);
    default:
      return undefined;
  }
}

function literal(cursor: Cursor, value: SqlExpression): Expr {
  cursor.pos += 1;
  return { kind: 'literal', value, anyText: false };
}

function parseString(cursor: Cursor): Expr | undefined {
  const token = cursor.at(0);
  return token?.kind === 'string' ? literal(cursor, stringValue(token)) : undefined;
}

/** A string that is nothing but a hole has the value of the hole; any other string with holes is put together from parts. */
function stringValue(token: Token): SqlExpression {
  if (token.pieces === undefined) return { kind: 'string', value: token.value };
  const parts = token.pieces.map((piece): SqlExpression => (typeof piece === 'string' ? { kind: 'string', value: piece } : { kind: 'hole', hole: piece }));
  return parts.length === 1 ? parts[0]! : { kind: 'other', text: `'${'{}'.repeat(parts.length)}'`, parts };
}

function parseHole(cursor: Cursor, token: Token): Expr {
  if (cursor.is('.', 1) || cursor.is('(', 1)) return parsePath(cursor) ?? opaque;
  if (token.holeKind === 'text' && isName(cursor.at(1)) && (cursor.is('(', 2) || cursor.is('.', 2))) {
    // `SELECT ${distinct} f(1)`: words of the grammar.
    cursor.gap = true;
    cursor.pos += 1;
    return parsePrimary(cursor) ?? opaque;
  }
  cursor.pos += 1;
  const value: SqlExpression = { kind: 'hole', hole: token.hole! };
  const known = token.value === HOLE;
  return { kind: 'literal', value: known ? value : { kind: 'other', text: `${token.value}{}`, parts: [value] }, anyText: known && token.holeKind === 'text' };
}

function parseParentheses(cursor: Cursor): Expr {
  if (cursor.isQueryGroup()) return parseSubquery(cursor, 'scalar');
  const items = cursor.group(() => (cursor.atEnd() ? [] : parseExprs(cursor)), [opaque]);
  return items.length === 1 ? items[0]! : { kind: 'items', of: 'row', items };
}

function parseSubquery(cursor: Cursor, use: Subquery['use']): Expr {
  const first = cursor.pos;
  const query = cursor.group(() => cursor.parseQuery(cursor), undefined);
  return query ? { kind: 'subquery', use, query, first, last: cursor.pos } : opaque;
}

/** `[1, 2]`, after ARRAY or within another. */
function parseItems(cursor: Cursor): Expr {
  return { kind: 'items', of: 'array', items: cursor.group(() => (cursor.atEnd() ? [] : parseExprs(cursor)), []) };
}

function parseWord(cursor: Cursor, word: string): Expr | undefined {
  const opens = cursor.is('(', 1);
  switch (word) {
    case 'null':
      return literal(cursor, { kind: 'null' });
    case 'true':
    case 'false':
      cursor.pos += 1;
      return { kind: 'constant', word };
    case 'case':
      return cursor.nest(() => parseCase(cursor));
    case 'cast':
      return opens ? parseCast(cursor) : undefined;
    case 'array':
      if (!cursor.is('[', 1) && !opens) return undefined;
      cursor.pos += 1;
      return cursor.is('[') ? parseItems(cursor) : parseSubquery(cursor, 'array');
    case 'collation':
      if (!cursor.isWord('for', 1) || !cursor.is('(', 2)) break;
      cursor.pos += 2;
      return { kind: 'operation', skeleton: 'collation for {}', parts: [cursor.group(() => parseExpr(cursor), opaque)], columnName: undefined };
    case 'exists':
      if (!cursor.isQueryGroup(1)) break;
      cursor.pos += 1;
      return parseSubquery(cursor, 'exists');
    case 'any':
    case 'all':
    case 'some':
      if (!opens && cursor.at(1)?.kind !== 'hole') return undefined;
      cursor.pos += 1;
      if (!opens) return parsePrimary(cursor);
      if (cursor.isQueryGroup()) return parseSubquery(cursor, 'member');
      return { kind: 'operation', skeleton: `${word} {}`, parts: [cursor.group(() => parseExpr(cursor), opaque)], columnName: undefined };
    case 'row':
      if (!opens) break;
      cursor.pos += 1;
      return { kind: 'items', of: 'row', items: cursor.group(() => (cursor.atEnd() ? [] : parseExprs(cursor)), []) };
  }
  if (valueWords.has(word) && !cursor.is('.', 1) && !(word === 'current_schema' && opens)) {
    cursor.pos += 1;
    if (cursor.is('(')) cursor.skipGroup();
    return { kind: 'constant', word };
  }
  if (reserved.has(word)) return undefined;
  return (longTypeWords.has(word) ? parseTypedString(cursor) : undefined) ?? parsePath(cursor);
}

/** `timestamp with time zone '...'`, `interval '1' day`, and `interval :age` of drivers that put the text in themselves. */
function parseTypedString(cursor: Cursor): Expr | undefined {
  const start = cursor.pos;
  const type = parseTypeName(cursor)!;
  const of = cursor.token?.kind === 'placeholder' ? parsePrimary(cursor) : parseString(cursor);
  if (of === undefined) {
    cursor.pos = start;
    return undefined;
  }
  if (type === 'interval') skipIntervalFields(cursor);
  return { kind: 'cast', type, of };
}

function parseCast(cursor: Cursor): Expr {
  cursor.pos += 1;
  return cursor.group((): Expr => {
    const of = parseExpr(cursor);
    if (!cursor.takeWord('as')) return opaque;
    return { kind: 'cast', type: parseTypeName(cursor) ?? '', of };
  }, opaque);
}

function parseCase(cursor: Cursor): Expr {
  cursor.pos += 1;
  const subject = cursor.isWord('when') ? undefined : parseExpr(cursor);
  const conditions: Expr[] = [];
  const results: Expr[] = [];
  while (cursor.takeWord('when')) {
    conditions.push(parseExpr(cursor));
    if (!cursor.takeWord('then')) break;
    results.push(parseExpr(cursor));
  }
  const otherwise = cursor.takeWord('else') ? parseExpr(cursor) : undefined;
  if (!cursor.takeWord('end') && !cursor.atEnd()) cursor.broken = true;
  return { kind: 'case', subject, conditions, results, otherwise };
}

/** A column, a function's call, or a string with the name of a type before it. */
function parsePath(cursor: Cursor): Expr | undefined {
  const first = cursor.pos;
  const word = cursor.token!;
  const path = [word.value];
  cursor.pos += 1;
  while (cursor.is('.')) {
    if (cursor.is('*', 1)) {
      cursor.pos += 2;
      return { kind: 'column', path, star: true };
    }
    if (!isName(cursor.at(1)) && cursor.at(1)?.kind !== 'hole') break;
    path.push(cursor.at(1)!.value);
    cursor.pos += 2;
  }
  if (cursor.is('(')) {
    const call = parseCall(cursor, path);
    const of = parseString(cursor);
    return of ? { kind: 'cast', type: path.join('.'), of } : call;
  }
  if (cursor.token?.kind === 'string') {
    cursor.pos = first;
    const type = parseTypeName(cursor) ?? '';
    // `name 'text'` needs a string right after the name; a type's array brackets cannot stand there.
    const of = parseString(cursor);
    return of ? { kind: 'cast', type, of } : opaque;
  }
  if (word.kind === 'word' && path.length === 1 && notTableAlias.has(word.value)) {
    cursor.pos = first;
    return undefined;
  }
  return { kind: 'column', path, star: false };
}
