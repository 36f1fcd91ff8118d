import { HOLE_CODE, isHexDigit, isNamePart, isNameStart, isNewline, isSpace } from './characters.js';
import { holeAt, type Source } from './source.js';

/**
 * Everything between quotes: strings, names, dollar quotes, and comments. An end that is missing is the end of the text.
 * https://www.postgresql.org/docs/current/sql-syntax-lexical.html
 */

/** A piece of a string: text, or the number of a hole. */
export type Piece = string | number;

export interface Quoted {
  readonly value: string;
  /** Only where the string has holes. */
  readonly pieces: readonly Piece[] | undefined;
  readonly end: number;
}

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Collects the value of a quoted thing, and where holes stand in it. */
class Value {
  private readonly pieces: Piece[] = [];
  private text = '';

  add(text: string): void {
    this.text += text;
  }

  addHole(hole: number): void {
    this.flush();
    this.pieces.push(hole);
  }

  finish(end: number): Quoted {
    this.flush();
    const value = this.pieces.map((piece) => (typeof piece === 'string' ? piece : '\uFFFC')).join('');
    return { value, pieces: this.pieces.some((piece) => typeof piece === 'number') ? this.pieces : undefined, end };
  }

  private flush(): void {
    if (this.text !== '') this.pieces.push(this.text);
    this.text = '';
  }
}

/** Reads from the opening quote; `escapes` for `E''` strings, where a backslash means something. */
export function readQuoted(source: Source, start: number, escapes: boolean): Quoted {
  const { text } = source;
  const quote = text.charCodeAt(start);
  const value = new Value();
  let at = start + 1;
  let from = at;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      value.add(text.slice(from, at));
      if (text.charCodeAt(at + 1) === quote) {
        // The second one begins the text that follows.
        from = at + 1;
        at += 2;
        continue;
      }
      // Strings in a row are one string where a line ends between them.
      const next = quote === 39 ? continuation(text, at + 1) : undefined;
      if (next === undefined) return value.finish(at + 1);
      from = at = next;
    } else if (escapes && code === 92) {
      value.add(text.slice(from, at));
      const [character, end] = readEscape(text, at);
      value.add(character);
      from = at = end;
    } else if (code === HOLE_CODE && holeAt(source, at)) {
      value.add(text.slice(from, at));
      value.addHole(holeAt(source, at)!.hole);
      from = at += 1;
    } else {
      at += 1;
    }
  }
  value.add(text.slice(from, at));
  return value.finish(at);
}

function continuation(text: string, start: number): number | undefined {
  let newline = false;
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isNewline(code)) newline = true;
    else if (code === 45 && text.charCodeAt(at + 1) === 45) at = skipLineComment(text, at) - 1;
    else if (!isSpace(code)) break;
  }
  return newline && text.charCodeAt(at) === 39 ? at + 1 : undefined;
}

function readEscape(text: string, start: number): [string, number] {
  const letter = text[start + 1];
  if (letter === undefined) return ['', start + 1];
  if (letter === 'x') return readCode(text, start + 2, 2, 16, letter);
  if (letter === 'u') return readCode(text, start + 2, 4, 16, letter);
  if (letter === 'U') return readCode(text, start + 2, 8, 16, letter);
  if (letter >= '0' && letter <= '7') return readCode(text, start + 1, 3, 8, letter);
  return [SIMPLE_ESCAPES[letter] ?? letter, start + 2];
}

function readCode(text: string, start: number, most: number, base: 8 | 16, otherwise: string): [string, number] {
  let end = start;
  const fits = (code: number): boolean => (base === 16 ? isHexDigit(code) : code >= 48 && code <= 55);
  while (end < start + most && fits(text.charCodeAt(end))) end += 1;
  return end === start ? [otherwise, end] : [fromCodePoint(parseInt(text.slice(start, end), base)), end];
}

function fromCodePoint(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
}

/** `\0061` and `\+000061` of `U&''` and `U&""`, with another escape character where `UESCAPE` gives one. */
export function decodeUnicode(value: string, escape: string): string {
  if (!value.includes(escape)) return value;
  const out: string[] = [];
  for (let at = 0; at < value.length; at += 1) {
    if (value[at] !== escape) {
      out.push(value[at]!);
      continue;
    }
    if (value[at + 1] === escape) {
      out.push(escape);
      at += 1;
      continue;
    }
    const long = value[at + 1] === '+';
    const start = at + (long ? 2 : 1);
    const [character, end] = readCode(value, start, long ? 6 : 4, 16, escape);
    out.push(character);
    at = end - 1;
    if (end === start) at = start - 1;
  }
  return out.join('');
}

/** The text after `$tag$` and its end, if a tag stands there; a tag follows the rules of names, without dollars. */
export function readDollarQuoted(source: Source, start: number): Quoted | undefined {
  const { text } = source;
  let at = start + 1;
  if (text.charCodeAt(at) !== 36) {
    if (!isNameStart(text.charCodeAt(at))) return undefined;
    while (at < text.length && text.charCodeAt(at) !== 36 && isNamePart(text.charCodeAt(at))) at += 1;
    if (text.charCodeAt(at) !== 36) return undefined;
  }
  const tag = text.slice(start, at + 1);
  const close = text.indexOf(tag, at + 1);
  const value = text.slice(at + 1, close < 0 ? text.length : close);
  return { value, pieces: undefined, end: close < 0 ? text.length : close + tag.length };
}

export function skipLineComment(text: string, start: number): number {
  let at = start;
  while (at < text.length && !isNewline(text.charCodeAt(at))) at += 1;
  return at;
}

/** Comments nest. */
export function skipBlockComment(text: string, start: number): number {
  let depth = 1;
  let at = start + 2;
  while (at < text.length && depth > 0) {
    const code = text.charCodeAt(at);
    if (code === 42 && text.charCodeAt(at + 1) === 47) {
      depth -= 1;
      at += 2;
    } else if (code === 47 && text.charCodeAt(at + 1) === 42) {
      depth += 1;
      at += 2;
    } else {
      at += 1;
    }
  }
  return at;
}
