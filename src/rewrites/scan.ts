import type { TSESTree } from '@typescript-eslint/utils';
import type { Source } from '../analysis/regions.js';
import type { Range } from './text.js';

/** What rewrites ask of the text of a whole file: found out once, however many locks it has. */

/** How the file is written. */
export interface Style {
  readonly indent: string;
  readonly quote: '"' | "'";
  readonly end: ';' | '';
  readonly newline: '\n' | '\r\n';
}

const scans = new WeakMap<Source, Scan>();

export function scanOf(source: Source): Scan {
  const known = scans.get(source) ?? new Scan(source);
  scans.set(source, known);
  return known;
}

export class Scan {
  readonly style: Style;
  /** Template literals and strings of several lines, in their order. */
  private readonly raw: readonly Range[];
  private readonly counts = new Map<string, number>();
  private values: Set<string> | undefined;

  constructor(private readonly source: Source) {
    this.style = styleOf(source);
    this.raw = source.tokens.filter((one) => one.loc.start.line !== one.loc.end.line && /^(?:Template|String)$/.test(one.type)).map((one) => one.range);
  }

  /** Whether an offset lies within a literal, so that white space there is part of a value. */
  isRaw(offset: number): boolean {
    const [start, end] = this.raw[firstFrom(this.raw, offset, (one) => one[0]) - 1] ?? [];
    return start !== undefined && end !== undefined && start < offset && offset < end;
  }

  /** How often a word stands in the file, in code, text and comments. */
  countOf(word: string): number {
    const known = this.counts.get(word) ?? countIn(this.source.text, word);
    this.counts.set(word, known);
    return known;
  }

  /** Whether some token of the file is this word. */
  hasToken(value: string): boolean {
    return (this.values ??= new Set(this.source.tokens.map((one) => one.value))).has(value);
  }

  /** The tokens in a range, each with the one before it. */
  *tokensIn([start, end]: Range): Generator<readonly [token: TSESTree.Token, before: TSESTree.Token | undefined]> {
    const { tokens } = this.source;
    for (let index = firstFrom(tokens, start, (one) => one.range[0]); index < tokens.length && tokens[index]!.range[1] <= end; index++) yield [tokens[index]!, tokens[index - 1]];
  }
}

/** Index of the first of some ordered things that begins at an offset or behind it. */
function firstFrom<T>(all: readonly T[], offset: number, startOf: (one: T) => number): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (startOf(all[middle]!) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How often a word stands in a text. */
export function countIn(text: string, word: string): number {
  let count = 0;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) if (!isInWord(text, at - 1) && !isInWord(text, at + word.length)) count++;
  return count;
}

const isInWord = (text: string, at: number): boolean => /[\w$]/.test(text[at] ?? '');

function styleOf({ text, ast }: Source): Style {
  return { indent: indentOf(text), quote: quoteOf(ast), end: endOf(ast, text), newline: text.includes('\r\n') ? '\r\n' : '\n' };
}

/** By how much most lines after an opening brace are indented more. */
function indentOf(text: string): string {
  const counts = new Map<string, number>();
  let opening: string | undefined;
  for (const line of text.split('\n')) {
    const blanks = line.slice(0, line.length - line.trimStart().length);
    const inner = opening !== undefined && blanks.length < line.length && blanks.startsWith(opening) ? blanks.slice(opening.length) : '';
    if (inner !== '') counts.set(inner, (counts.get(inner) ?? 0) + 1);
    opening = /.\{\r?$/.test(line.slice(blanks.length)) ? blanks : undefined;
  }
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), ['  ', 0])[0];
}

function quoteOf({ tokens = [] }: TSESTree.Program): Style['quote'] {
  let [all, double] = [0, 0];
  for (const { type, value } of tokens) {
    if ((type as string) !== 'String') continue;
    all++;
    if (value.startsWith('"')) double++;
  }
  return double * 2 > all ? '"' : "'";
}

function endOf({ tokens = [], body }: TSESTree.Program, text: string): Style['end'] {
  const first = body.find((one) => one.type as string === 'ImportDeclaration' || one.type as string === 'VariableDeclaration');
  const hasEnd = first ? text[first.range[1] - 1] === ';' : tokens.some((one) => one.value === ';');
  return hasEnd ? ';' : '';
}
