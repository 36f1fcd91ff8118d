import { append } from './calls.js';
import type { Cursor } from './cursor.js';
import { parseExpr, parseExprs } from './expressions.js';
import { notTableAlias, reserved, valueWords } from './keywords.js';
import type { Expr, From, JoinCondition, Leaf } from './nodes.js';
import { isName, parseValue } from './values.js';

/** FROM, laid flat: of a tree of joins only the tables, their conditions, and what an outer join may leave out are kept. */

export const noFrom: From = { leaves: [], conditions: [], merges: false };

interface Building {
  readonly leaves: Leaf[];
  readonly conditions: JoinCondition[];
  merges: boolean;
}

const emptyLeaf: Leaf = {
  kind: 'table',
  path: [],
  alias: undefined,
  columns: [],
  query: undefined,
  calls: [],
  ordinality: false,
  optional: false,
};

export function parseFrom(cursor: Cursor): From {
  const from: Building = { leaves: [], conditions: [], merges: false };
  cursor.list(() => parseJoins(cursor, from));
  return from;
}

/** The table of UPDATE, DELETE, INSERT or MERGE, before other tables. */
export function withTarget(target: Leaf, from: From): From {
  return { ...from, leaves: [target, ...from.leaves] };
}

const JOIN_WORDS = new Set(['natural', 'inner', 'left', 'right', 'full', 'cross', 'outer', 'join']);

function parseJoins(cursor: Cursor, from: Building): void {
  const start = from.leaves.length;
  /** How many leaves of this chain a right or full join may leave out. */
  let optionalUntil = start;
  const open: string[] = [];
  parseLeaves(cursor, from);
  for (;;) {
    if (cursor.isAnyWord(JOIN_WORDS) && isJoin(cursor)) {
      const { kind, natural } = takeJoin(cursor);
      if (natural) from.merges = true;
      if (kind === 'right' || kind === 'full') optionalUntil = from.leaves.length;
      const before = from.leaves.length;
      parseLeaves(cursor, from);
      if (kind === 'left' || kind === 'full') markOptional(from, before, from.leaves.length);
      if (kind !== 'cross' && !natural) open.push(kind);
    } else if (open.length > 0 && cursor.takeWord('on')) {
      from.conditions.push({ expr: parseExpr(cursor), filters: open.pop() === 'inner' });
    } else if (cursor.isWord('using') && cursor.is('(', 1)) {
      cursor.pos += 1;
      cursor.skipGroup();
      if (cursor.takeWord('as')) cursor.pos += 1;
      open.pop();
      from.merges = true;
    } else if (cursor.token?.kind === 'hole') {
      // It may bring joins and whole clauses.
      cursor.gap = true;
      cursor.pos += 1;
    } else {
      break;
    }
  }
  markOptional(from, start, optionalUntil);
}

function isJoin(cursor: Cursor): boolean {
  for (let offset = 0; ; offset += 1) {
    if (cursor.isWord('join', offset)) return true;
    if (!cursor.isAnyWord(JOIN_WORDS, offset)) return false;
  }
}

/** The words of a join up to JOIN itself. */
function takeJoin(cursor: Cursor): { readonly kind: string; readonly natural: boolean } {
  let kind = 'inner';
  let natural = false;
  for (let word = cursor.takeAnyWord(JOIN_WORDS); word !== undefined && word !== 'join'; word = cursor.takeAnyWord(JOIN_WORDS)) {
    if (word === 'natural') natural = true;
    else if (word !== 'outer') kind = word;
  }
  return { kind, natural };
}

function markOptional(from: Building, first: number, last: number): void {
  for (let at = first; at < last; at += 1) from.leaves[at] = { ...from.leaves[at]!, optional: true };
}

function parseLeaves(cursor: Cursor, from: Building): void {
  const lateral = cursor.takeWord('lateral');
  if (cursor.is('(') && !cursor.isQueryGroup()) {
    const inner: Building = { leaves: [], conditions: [], merges: false };
    cursor.group(() => parseJoins(cursor, inner), undefined);
    append(from.leaves, inner.leaves);
    append(from.conditions, inner.conditions);
    if (inner.merges) from.merges = true;
    parseAlias(cursor);
    return;
  }
  const leaf = parseLeaf(cursor);
  if (leaf) from.leaves.push(leaf);
  else if (!cursor.atEnd() && !lateral) cursor.broken = true;
}

function parseLeaf(cursor: Cursor): Leaf | undefined {
  if (cursor.is('(')) {
    const query = cursor.group(() => cursor.parseQuery(cursor), undefined);
    return { ...emptyLeaf, kind: 'query', query, ...parseAlias(cursor) };
  }
  if (cursor.isWord('rows') && cursor.isWord('from', 1) && cursor.is('(', 2)) return parseRowsFrom(cursor);
  if (isFunction(cursor)) {
    const call = parseValue(cursor);
    const ordinality = cursor.takeWords('with', 'ordinality');
    return { ...emptyLeaf, kind: 'function', calls: call ? [call] : [], ordinality, ...parseAlias(cursor) };
  }
  return parseTable(cursor);
}

/** A name, perhaps with a schema, and an opening parenthesis; or a word that is a function (`CURRENT_DATE`). */
function isFunction(cursor: Cursor): boolean {
  let offset = 0;
  while ((isName(cursor.at(offset)) || cursor.at(offset)?.kind === 'hole') && cursor.is('.', offset + 1)) offset += 2;
  const token = cursor.at(offset);
  if (token?.kind === 'word' && valueWords.has(token.value)) return offset === 0;
  if (token === undefined || !(isName(token) || token.kind === 'hole') || !cursor.is('(', offset + 1)) return false;
  return token.kind !== 'word' || token.value === 'cast' || !reserved.has(token.value);
}

function parseRowsFrom(cursor: Cursor): Leaf {
  cursor.pos += 2;
  const calls: Expr[] = [];
  cursor.group(() => {
    cursor.list(() => {
      calls.push(parseExpr(cursor));
      if (cursor.takeWord('as') && cursor.is('(')) cursor.skipGroup();
    });
  }, undefined);
  const ordinality = cursor.takeWords('with', 'ordinality');
  return { ...emptyLeaf, kind: 'function', calls, ordinality, ...parseAlias(cursor) };
}

/** A table by name, or a hole or placeholder that a driver puts a name into. INSERT wants `AS` before its alias. */
export function parseTable(cursor: Cursor, requiresAs = false): Leaf | undefined {
  if (cursor.takeWord('only') && cursor.is('(')) {
    const inner = cursor.group(() => parseTable(cursor), undefined);
    return inner && { ...inner, ...parseAlias(cursor, requiresAs) };
  }
  const token = cursor.token;
  if (token?.kind === 'hole' || token?.kind === 'placeholder') {
    cursor.pos += 1;
    while (cursor.is('.') && (isName(cursor.at(1)) || cursor.at(1)?.kind === 'hole')) cursor.pos += 2;
    return { ...emptyLeaf, kind: 'hole', ...parseAlias(cursor, requiresAs) };
  }
  if (!isName(token) || (token?.kind === 'word' && reserved.has(token.value))) return undefined;
  const path = [token!.value];
  cursor.pos += 1;
  while (cursor.is('.') && (isName(cursor.at(1)) || cursor.at(1)?.kind === 'hole')) {
    path.push(cursor.at(1)!.value);
    cursor.pos += 2;
  }
  cursor.take('*');
  const alias = parseAlias(cursor, requiresAs);
  const calls = cursor.takeWord('tablesample') ? parseSample(cursor) : [];
  return { ...emptyLeaf, path, ...alias, calls };
}

/** The numbers of TABLESAMPLE. */
function parseSample(cursor: Cursor): Expr[] {
  while (isName(cursor.token) || cursor.is('.')) cursor.pos += 1;
  const numbers = cursor.is('(') ? cursor.group(() => parseExprs(cursor), []) : [];
  const seed = cursor.takeWord('repeatable') && cursor.is('(') ? cursor.group(() => parseExprs(cursor), []) : [];
  return [...numbers, ...seed];
}

/** `AS a (x, y)`, `a`, or `AS (x int, y text)` after a function. */
function parseAlias(cursor: Cursor, requiresAs = false): { readonly alias: string | undefined; readonly columns: readonly string[] } {
  const named = cursor.takeWord('as');
  let alias: string | undefined;
  if ((isAlias(cursor) && (named || !requiresAs)) || (named && cursor.token?.kind === 'hole')) {
    alias = cursor.token!.value;
    cursor.pos += 1;
  }
  const columns = (named || alias !== undefined) && cursor.is('(') && !cursor.isQueryGroup() ? columnNames(cursor) : [];
  return { alias, columns };
}

function isAlias(cursor: Cursor): boolean {
  const token = cursor.token;
  if (token?.kind === 'name') return true;
  return token?.kind === 'word' && !reserved.has(token.value) && !notTableAlias.has(token.value) && token.value !== 'set';
}

function columnNames(cursor: Cursor): string[] {
  return cursor.group(() => {
    const names: string[] = [];
    let expectsName = true;
    while (!cursor.atEnd()) {
      if (expectsName && isName(cursor.token)) names.push(cursor.token!.value);
      expectsName = cursor.is(',');
      if (cursor.is('(')) cursor.skipGroup();
      else cursor.pos += 1;
    }
    return names;
  }, []);
}
