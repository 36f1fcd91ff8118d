import type { Token } from './lexer.js';
import type { Expr, Query } from './nodes.js';
import type { Structure } from './structure.js';

/** Deeper nesting is left unread, so that no text can overflow the stack. PostgreSQL itself gives up at some thousands. */
const DEEPEST = 100;

/** A place in a token list, and the simplest questions about it. */
export class Cursor {
  pos: number;
  end: number;
  /** The text breaks the grammar here, as prose does: it is no SQL that runs. */
  broken = false;
  /** A hole that may be any text stands where a clause or an operator would. */
  gap = false;
  private depth = 0;

  constructor(
    readonly tokens: readonly Token[],
    readonly structure: Structure,
    first: number,
    /** The end of the statement. */
    readonly last: number,
    /** The parser of queries; passed in, since it and the parser of expressions need each other. */
    readonly parseQuery: (cursor: Cursor) => Query,
  ) {
    this.pos = first;
    this.end = last;
  }

  get token(): Token | undefined {
    return this.pos < this.end ? this.tokens[this.pos] : undefined;
  }

  at(offset: number): Token | undefined {
    return this.pos + offset < this.end ? this.tokens[this.pos + offset] : undefined;
  }

  atEnd(): boolean {
    return this.pos >= this.end;
  }

  isWord(word: string, offset = 0): boolean {
    const token = this.at(offset);
    return token?.kind === 'word' && token.value === word;
  }

  isAnyWord(words: ReadonlySet<string>, offset = 0): boolean {
    const token = this.at(offset);
    return token?.kind === 'word' && words.has(token.value);
  }

  takeWord(word: string): boolean {
    if (!this.isWord(word)) return false;
    this.pos += 1;
    return true;
  }

  /** All of these words in a row, or none of them. */
  takeWords(...words: string[]): boolean {
    if (!words.every((word, offset) => this.isWord(word, offset))) return false;
    this.pos += words.length;
    return true;
  }

  takeAnyWord(words: ReadonlySet<string>): string | undefined {
    if (!this.isAnyWord(words)) return undefined;
    this.pos += 1;
    return this.tokens[this.pos - 1]!.value;
  }

  is(sign: string, offset = 0): boolean {
    const token = this.at(offset);
    return token !== undefined && (token.kind === 'punctuation' || token.kind === 'operator') && token.value === sign;
  }

  take(sign: string): boolean {
    if (!this.is(sign)) return false;
    this.pos += 1;
    return true;
  }

  /** Whether an opening parenthesis stands here and a query in it. */
  isQueryGroup(offset = 0): boolean {
    return this.is('(', offset) && this.structure.queries[this.pos + offset] === 1;
  }

  /** The index of the end of the bracket that opens here, not past this cursor's end. */
  groupEnd(): number {
    const close = this.structure.closes[this.pos]!;
    return close < 0 || close > this.end ? this.end : close;
  }

  /** Reads what is in the bracket here and steps over its end. Whatever is left in it breaks the grammar. */
  group<T>(read: () => T, tooDeep: T): T {
    const outer = this.end;
    const close = this.groupEnd();
    let result = tooDeep;
    if (this.depth < DEEPEST) {
      this.pos += 1;
      this.end = close;
      this.depth += 1;
      result = read();
      this.depth -= 1;
      this.end = outer;
      if (this.pos < close) this.broken = true;
    }
    this.pos = Math.min(close + 1, outer);
    return result;
  }

  /** Goes one level deeper without a bracket (CASE); too deep, gives the whole statement up. */
  nest(read: () => Expr): Expr {
    if (this.depth >= DEEPEST) {
      this.broken = true;
      this.pos = this.end;
      return { kind: 'opaque' };
    }
    this.depth += 1;
    const result = read();
    this.depth -= 1;
    return result;
  }

  skipGroup(): void {
    this.pos = Math.min(this.groupEnd() + 1, this.end);
  }

  /** A comma separated list; `read` must step forward or leave the cursor for the caller to judge. */
  list<T>(read: () => T): T[] {
    const items = [read()];
    while (this.take(',')) items.push(read());
    return items;
  }
}
