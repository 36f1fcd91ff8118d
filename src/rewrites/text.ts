import type { TSESTree } from '@typescript-eslint/utils';
import type { Source } from '../analysis/regions.js';

/** The text of the linted file, cut into lines that can be put elsewhere at another indentation. */

export type Range = readonly [start: number, end: number];

export interface Line {
  readonly text: string;
  /** It starts inside a template literal or a string: its indentation is part of a value. */
  readonly isRaw: boolean;
}

/** New lines for a range. The indentation of all but the first counts from the line where the range starts. */
export interface Change {
  readonly range: Range;
  readonly lines: readonly Line[];
  /** An offset in the line that the indentation counts from, where that is another one. */
  readonly base?: number;
}

export const linesOf = (text: string): Line[] => text.split('\n').map((one) => ({ text: one, isRaw: false }));

/** How the file is written. */
export interface Style {
  readonly indent: string;
  readonly quote: '"' | "'";
  readonly end: ';' | '';
  readonly newline: '\n' | '\r\n';
}

export class Text {
  readonly style: Style;
  private readonly raw: readonly Range[];

  constructor(private readonly sourceCode: Source) {
    this.style = styleOf(sourceCode);
    this.raw = sourceCode.tokens.filter((one) => one.loc.start.line !== one.loc.end.line && /^(?:Template|String)$/.test(one.type)).map((one) => one.range);
  }

  of(node: { readonly range: Range }): string {
    return this.sourceCode.text.slice(node.range[0], node.range[1]);
  }

  /** The white space before the first letter of the line. */
  indentAt(offset: number): string {
    const start = this.sourceCode.text.lastIndexOf('\n', offset - 1) + 1;
    return /^[^\S\n]*/.exec(this.sourceCode.text.slice(start))![0];
  }

  isFirstOnLine(offset: number): boolean {
    return /(?:^|\n)[^\S\n]*$/.test(this.sourceCode.text.slice(0, offset));
  }

  /** A part of the file with changes in it, as if its first line were not indented. */
  cut([start, end]: Range, changes: readonly Change[]): Line[] {
    const base = this.indentAt(start);
    const out = new Lines();
    let at = start;
    for (const { range, lines, base: from = range[0] } of [...changes].sort((one, other) => one.range[0] - other.range[0] || one.range[1] - other.range[1])) {
      this.copy([at, range[0]], base, out);
      out.add(lines, without(this.indentAt(from), base));
      at = range[1];
    }
    this.copy([at, end], base, out);
    return out.lines;
  }

  private copy([start, end]: Range, base: string, out: Lines): void {
    const [first = '', ...more] = this.sourceCode.text.slice(start, end).split('\n');
    out.append(first.replace(/\r$/, ''));
    let at = start + first.length + 1;
    for (const line of more) {
      const isRaw = this.isRaw(at);
      const text = line.replace(/\r$/, '');
      out.start(isRaw ? text : without(text, base), isRaw);
      at += line.length + 1;
    }
  }

  private isRaw(offset: number): boolean {
    return this.raw.some(([start, end]) => start < offset && offset < end);
  }

  /** Lines as the text that replaces something which starts on a line with this indentation. */
  print(lines: readonly Line[], indent: string): string {
    return lines.map(({ text, isRaw }, index) => (index === 0 || isRaw || text === '' ? text : indent + text)).join(this.style.newline);
  }
}

/** Lines while they are put together. */
class Lines {
  readonly lines: Line[] = [{ text: '', isRaw: false }];

  append(text: string): void {
    const last = this.lines.pop()!;
    this.lines.push({ ...last, text: last.text + text });
  }

  start(text: string, isRaw: boolean): void {
    this.lines.push({ text, isRaw });
  }

  add([first, ...more]: readonly Line[], indent: string): void {
    this.append(first?.text ?? '');
    for (const { text, isRaw } of more) this.start(isRaw || text === '' ? text : indent + text, isRaw);
  }
}

function without(text: string, indent: string): string {
  if (text.startsWith(indent)) return text.slice(indent.length);
  let shared = 0;
  while (shared < indent.length && /[^\S\n]/.test(text[shared] ?? '')) shared++;
  return text.slice(shared);
}

/** Lines one step deeper. */
export const deeper = (lines: readonly Line[], { indent }: Style): Line[] =>
  lines.map((one) => (one.isRaw || one.text === '' ? one : { ...one, text: indent + one.text }));

/** Lines with something before the first and after the last. */
export const surround = (before: string, lines: readonly Line[], after: string): Line[] =>
  lines.map((one, index) => ({ ...one, text: `${index === 0 ? before : ''}${one.text}${index === lines.length - 1 ? after : ''}` }));

function styleOf({ text, ast }: Source): Style {
  return { indent: indentOf(text), quote: quoteOf(ast), end: endOf(ast), newline: text.includes('\r\n') ? '\r\n' : '\n' };
}

/** By how much most lines after an opening brace are indented more. */
function indentOf(text: string): string {
  const counts = new Map<string, number>();
  for (const [, outer = '', inner = ''] of text.matchAll(/^([^\S\n]*)\S[^\n]*\{\r?\n([^\S\n]*)(?=\S)/gm)) {
    if (inner.startsWith(outer) && inner !== outer) counts.set(inner.slice(outer.length), (counts.get(inner.slice(outer.length)) ?? 0) + 1);
  }
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), ['  ', 0])[0];
}

function quoteOf({ tokens = [] }: TSESTree.Program): Style['quote'] {
  const strings = tokens.filter((one) => (one.type as string) === 'String');
  return strings.filter((one) => one.value.startsWith('"')).length * 2 > strings.length ? '"' : "'";
}

function endOf({ tokens = [], body }: TSESTree.Program): Style['end'] {
  const ends = new Set(tokens.filter((one) => one.value === ';').map((one) => one.range[1]));
  const [first] = body.filter((one) => one.type as string === 'ImportDeclaration' || one.type as string === 'VariableDeclaration');
  return first ? (ends.has(first.range[1]) ? ';' : '') : ends.size > 0 ? ';' : '';
}
