import { HOLE } from './characters.js';
import { Cursor } from './cursor.js';
import { parseExpr } from './expressions.js';
import { lex, type Token } from './lexer.js';
import type { SqlHole } from './model.js';
import type { Expr, Query } from './nodes.js';
import { parsePerformed, parseQuery } from './queries.js';
import type { Source } from './source.js';
import { findStructure, queryWords, type Range, type Structure } from './structure.js';

/** What a statement of a block of code evaluates: `drops` where it is a PERFORM, whose result nobody sees. */
export interface BlockPart {
  readonly query: Query | undefined;
  readonly exprs: readonly Expr[];
  readonly drops: boolean;
}

export interface Block {
  readonly tokens: readonly Token[];
  readonly parts: readonly BlockPart[];
  /** Whether some statement was left unread. */
  readonly isPartial: boolean;
}

const OPENING = new Set(['begin', 'declare', 'loop', 'else']);
/** Statements that evaluate nothing: the ends of blocks, and `NULL`. */
const CLOSING = new Set(['end', 'null', 'exit', 'continue']);
const CONDITIONS = new Map([['if', 'then'], ['elsif', 'then'], ['elseif', 'then'], ['while', 'loop']]);

/**
 * The body of `DO $$ ... $$` in PL/pgSQL, as far as it evaluates expressions of SQL: PERFORM, SELECT INTO, assignments and conditions.
 * Everything else is left unread. https://www.postgresql.org/docs/current/plpgsql-statements.html
 */
export function readBlock(source: Source, tokens: readonly Token[], { first, last }: Range): Block | undefined {
  const own = tokens.slice(first, last);
  const language = own.findIndex((one) => one.kind === 'word' && one.value === 'language');
  const [body, ...more] = own.filter((one) => one.kind === 'string');
  if (!body || more.length > 0 || (language >= 0 && own[language + 1]?.value !== 'plpgsql')) return undefined;
  // Between `$$` and `$$`, or quotes with none in between, the body stands as it is.
  const quote = (body.end - body.start - body.value.length) / 2;
  const start = body.start + quote;
  if (!Number.isInteger(quote) || source.text.slice(start, body.end - quote) !== body.value) return undefined;
  const inner = lex(inBody(source, body.value, start)).map((one) => ({ ...one, start: one.start + start, end: one.end + start }));
  const structure = findStructure(inner);
  const parts: BlockPart[] = [];
  const unread = structure.statements.filter((range) => !readPart(inner, structure, range, parts));
  return { tokens: inner, parts, isPartial: unread.length > 0 };
}

/** The body by itself: no more than its own length is looked at, however many blocks a text has. */
function inBody({ holes }: Source, text: string, start: number): Source {
  const own = new Map<number, SqlHole>();
  for (let at = text.indexOf(HOLE); at >= 0; at = text.indexOf(HOLE, at + 1)) {
    const hole = holes.get(start + at);
    if (hole) own.set(at, hole);
  }
  return { text, holes: own };
}

/** Adds what a statement evaluates, and what the heads of blocks before it do; false where something was left unread. */
function readPart(tokens: readonly Token[], structure: Structure, { first, last }: Range, parts: BlockPart[]): boolean {
  let at = first;
  for (;;) {
    const token = at < last ? tokens[at]! : undefined;
    if (!token) return true;
    const closing = token.kind === 'word' ? CONDITIONS.get(token.value) : undefined;
    if (token.kind === 'word' && OPENING.has(token.value)) {
      at += 1;
    } else if (closing) {
      const end = endOf(tokens, at + 1, last, closing);
      if (end === undefined) return false;
      const condition = expression(tokens, structure, at + 1, end);
      if (!condition) return false;
      parts.push(condition);
      at = end + 1;
    } else {
      return readStatement(tokens, structure, at, last, parts);
    }
  }
}

function readStatement(tokens: readonly Token[], structure: Structure, first: number, last: number, parts: BlockPart[]): boolean {
  const { kind, value } = tokens[first]!;
  const cursor = new Cursor(tokens, structure, first, last, parseQuery);
  if (kind === 'word' && CLOSING.has(value)) return true;
  if (cursor.takeWord('perform')) return add(cursor, { query: parsePerformed(cursor), exprs: [], drops: true }, parts);
  if (kind === 'word' && queryWords.has(value)) return add(cursor, { query: parseQuery(cursor), exprs: [], drops: false }, parts);
  const assignment = tokens.slice(first, last).findIndex((one) => one.kind === 'punctuation' && one.value === ':=');
  const assigned = assignment > 0 ? expression(tokens, structure, first + assignment + 1, last) : undefined;
  if (assigned) parts.push(assigned);
  return assigned !== undefined;
}

function add(cursor: Cursor, part: BlockPart, parts: BlockPart[]): boolean {
  if (!cursor.atEnd() || cursor.broken) return false;
  parts.push(part);
  return true;
}

function expression(tokens: readonly Token[], structure: Structure, first: number, end: number): BlockPart | undefined {
  const cursor = new Cursor(tokens, structure, first, end, parseQuery);
  const expr = parseExpr(cursor);
  return cursor.atEnd() && !cursor.broken ? { query: undefined, exprs: [expr], drops: false } : undefined;
}

/** Where the word is that ends a condition; those of a CASE in it do not. */
function endOf(tokens: readonly Token[], from: number, last: number, word: string): number | undefined {
  let cases = 0;
  for (let at = from; at < last; at += 1) {
    const token = tokens[at]!;
    if (token.kind !== 'word') continue;
    if (cases === 0 && token.value === word) return at;
    if (token.value === 'case') cases += 1;
    else if (token.value === 'end') cases -= 1;
  }
  return undefined;
}
