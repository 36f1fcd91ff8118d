import type { Source } from '../analysis/regions.js';
import { scanOf, type Scan, type Style } from './scan.js';
import { breaksNow, type Break } from './unfold.js';

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

export class Text {
  private readonly scan: Scan;
  /** Line breaks that are to come into the file, in their order. */
  readonly breaks = breaksNow();

  constructor(private readonly sourceCode: Source) {
    this.scan = scanOf(sourceCode);
  }

  get style(): Style {
    return this.scan.style;
  }

  of(node: { readonly range: Range }): string {
    return this.sourceCode.text.slice(node.range[0], node.range[1]);
  }

  /** The white space before the first letter of the line. */
  indentAt(offset: number): string {
    const { text } = this.sourceCode;
    const start = this.lineStart(offset);
    const made = this.breaks.findLast(({ range }) => range[1] <= offset && range[0] >= start);
    if (made) return made.indent;
    let end = start;
    while (end < text.length && /[^\S\n]/.test(text[end]!)) end++;
    return text.slice(start, end);
  }

  private lineStart(offset: number): number {
    return offset === 0 ? 0 : this.sourceCode.text.lastIndexOf('\n', offset - 1) + 1;
  }

  isFirstOnLine(offset: number): boolean {
    return this.breaks.some(({ range }) => range[1] === offset) || /^[^\S\n]*$/.test(this.sourceCode.text.slice(this.lineStart(offset), offset));
  }

  /** Where the line break before the first letter of a line begins; in the middle of a line, the white space before an offset. */
  breakBefore(offset: number): number {
    const { text } = this.sourceCode;
    let at = offset;
    while (at > 0 && /[^\S\n]/.test(text[at - 1]!)) at--;
    return text[at - 1] === '\n' ? at - (text[at - 2] === '\r' ? 2 : 1) : at;
  }

  private breaksIn([start, end]: Range): readonly Break[] {
    return this.breaks.filter(({ range }) => range[0] >= start && range[1] <= end && range[1] > start && range[0] < end);
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
    let at = start;
    for (const { range, indent } of this.breaksIn([start, end])) {
      this.copyLines([at, range[0]], base, out);
      out.start(without(indent, base), false);
      at = range[1];
    }
    this.copyLines([at, end], base, out);
  }

  private copyLines([start, end]: Range, base: string, out: Lines): void {
    const [first = '', ...more] = this.sourceCode.text.slice(start, end).split('\n');
    out.append(first.replace(/\r$/, ''));
    let at = start + first.length + 1;
    for (const line of more) {
      const isRaw = this.scan.isRaw(at);
      const text = line.replace(/\r$/, '');
      out.start(isRaw ? text : without(text, base), isRaw);
      at += line.length + 1;
    }
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
