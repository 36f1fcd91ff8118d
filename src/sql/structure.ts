import type { Token } from './lexer.js';

/** Brackets and statements of a token list, found in one pass without recursion. */
export interface Structure {
  /** For every opening bracket the index of its end, else -1. */
  readonly closes: Int32Array;
  /** For every opening parenthesis 1 if a query stands in it, not an expression. */
  readonly queries: Uint8Array;
  readonly statements: readonly Range[];
}

/** Indexes of tokens, the last one excluded. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

const OPENS: Readonly<Record<string, string>> = { ')': '(', ']': '[' };

/** Words that begin a query, also inside of parentheses. */
export const queryWords: ReadonlySet<string> = new Set(['select', 'with', 'values', 'table']);

/** Words that may follow a query in parentheses and make one query with it. */
const queryTails = new Set(['union', 'intersect', 'except', 'order', 'limit', 'offset', 'fetch', 'for']);

export function findStructure(tokens: readonly Token[]): Structure {
  const closes = new Int32Array(tokens.length).fill(-1);
  const queries = new Uint8Array(tokens.length);
  const statements: Range[] = [];
  const open: number[] = [];
  let first = 0;
  let body = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    if (token.kind === 'punctuation') {
      if (token.value === '(' || token.value === '[') {
        open.push(at);
      } else if (token.value === ')' || token.value === ']') {
        const start = open.at(-1);
        if (start === undefined || tokens[start]!.value !== OPENS[token.value]) continue;
        open.pop();
        closes[start] = at;
        queries[start] = isQuery(tokens, closes, queries, start) ? 1 : 0;
      } else if (token.value === ';' && open.length === 0 && body === 0) {
        if (at > first) statements.push({ first, last: at });
        first = at + 1;
      }
    } else if (token.kind === 'word') {
      body = bodyDepth(tokens, first, at, body);
    }
  }
  if (tokens.length > first) statements.push({ first, last: tokens.length });
  return { closes, queries, statements };
}

/** Asked from the inside out, so that the answer for an inner parenthesis is there already. */
function isQuery(tokens: readonly Token[], closes: Int32Array, queries: Uint8Array, start: number): boolean {
  const token = tokens[start + 1]!;
  if (token.kind === 'word') return queryWords.has(token.value);
  if (token.kind !== 'punctuation' || token.value !== '(' || queries[start + 1] === 0) return false;
  const next = closes[start + 1]! + 1;
  return next === closes[start] || (tokens[next]?.kind === 'word' && queryTails.has(tokens[next].value));
}

/**
 * How deep a token stands in the body of a function that is written in SQL (`BEGIN ATOMIC ... END`), whose semicolons end no
 * statement of the text. https://www.postgresql.org/docs/current/sql-createfunction.html
 */
function bodyDepth(tokens: readonly Token[], first: number, at: number, depth: number): number {
  const { value } = tokens[at]!;
  if (value === 'atomic') {
    const begins = depth === 0 && tokens[first]!.value === 'create' && tokens[at - 1]!.value === 'begin' && at > first;
    return begins ? 1 : depth;
  }
  if (depth === 0 || (value !== 'case' && value !== 'end')) return depth;
  // `x AS end` and `x.end` are names.
  const before = tokens[at - 1]!.value;
  if (before === 'as' || before === '.') return depth;
  return value === 'case' ? depth + 1 : depth - 1;
}
