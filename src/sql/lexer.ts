import { HOLE, HOLE_CODE, cutName, foldCase, isDigit, isNamePart, isNameStart, isOperatorCharacter, isSpace } from './characters.js';
import { beforeValue, clauseWords } from './keywords.js';
import { readNumber } from './numbers.js';
import { readPlaceholder } from './placeholders.js';
import { decodeUnicode, readDollarQuoted, readQuoted, skipBlockComment, skipLineComment, type Piece } from './quoted.js';
import { holeAt, type Source } from './source.js';

export type TokenKind =
  /** An unquoted name or keyword, folded. One that has a hole in it contains `HOLE` and equals nothing. */
  | 'word'
  /** A quoted name. */
  | 'name'
  | 'number'
  | 'string'
  | 'bits'
  | 'placeholder'
  | 'hole'
  | 'operator'
  /** One of `( ) [ ] , ; . :`, `::`, `:=`, `..` */
  | 'punctuation'
  /** No part of the language. */
  | 'junk';

export interface Token {
  readonly kind: TokenKind;
  readonly value: string;
  readonly start: number;
  readonly end: number;
  /** Of a placeholder. */
  readonly style?: '$' | '?' | ':' | '@';
  /** Of a string with holes in it. */
  readonly pieces?: readonly Piece[];
  readonly hole?: number;
  readonly holeKind?: 'value' | 'text';
}

/** Operators that can stand right before a placeholder without a space: `=?`, `=@name`, `||?`. */
const plainOperators = new Set(['=', '<', '>', '<=', '>=', '<>', '!=', '||', '+', '-', '*', '/', '%', '^', '->', '->>', '#>', '#>>', '~', '=>']);

const RARE_IN_OPERATORS = new Set('~!@#%^&|`?');

/** PostgreSQL takes no longer ones. */
const LONGEST_OPERATOR = 63;

/** Whether a hole that touches this word is not meant as a part of it: `SELECT${columns}`. */
function standsAlone(word: string): boolean {
  return clauseWords.has(word);
}

/** PostgreSQL's scanner, and the placeholders of drivers. Never fails, and looks at each character a bounded number of times. */
export function lex(source: Source): readonly Token[] {
  return new Lexer(source).run();
}

class Lexer {
  private readonly tokens: Token[] = [];
  private readonly text: string;
  private at = 0;
  private questions = 0;
  /** Square brackets that are open. */
  private brackets = 0;

  constructor(private readonly source: Source) {
    this.text = source.text;
  }

  run(): readonly Token[] {
    while (this.at < this.text.length) this.step();
    return this.tokens;
  }

  private step(): void {
    const code = this.text.charCodeAt(this.at);
    const next = this.text.charCodeAt(this.at + 1);
    if (isSpace(code)) this.at += 1;
    else if (code === 45 && next === 45) this.at = skipLineComment(this.text, this.at);
    else if (code === 47 && next === 42) this.at = skipBlockComment(this.text, this.at);
    else if (code === 39) this.string(this.at, false);
    else if (code === 34) this.name(this.at, false);
    else if (code === HOLE_CODE) this.hole();
    else if (isNameStart(code)) this.word();
    else if (isDigit(code) || (code === 46 && isDigit(next))) this.number();
    else if (code === 36) this.dollar();
    else if (code === 58) this.colon();
    else if (isOperatorCharacter(code)) this.operator();
    else if (code === 46 && next === 46) this.push('punctuation', '..', this.at + 2);
    else this.push('()[],;.'.includes(this.text[this.at]!) ? 'punctuation' : 'junk', this.text[this.at]!, this.at + 1);
  }

  private push(kind: TokenKind, value: string, end: number, more?: Partial<Token>): void {
    if (kind === 'punctuation' && value === '[') this.brackets += 1;
    else if (kind === 'punctuation' && value === ']') this.brackets -= 1;
    this.tokens.push({ kind, value, start: this.at, end, ...more });
    this.at = end;
  }

  private string(quote: number, escapes: boolean): void {
    const quoted = readQuoted(this.source, quote, escapes);
    this.push('string', quoted.value, quoted.end, quoted.pieces ? { pieces: quoted.pieces } : undefined);
  }

  private name(quote: number, unicode: boolean): void {
    const quoted = readQuoted(this.source, quote, false);
    const [escape, end] = unicode ? this.unicodeEscape(quoted.end) : ['', quoted.end];
    this.push('name', cutName(unicode ? decodeUnicode(quoted.value, escape) : quoted.value), end);
  }

  /** A hole, alone; a hole that touches a name is a part of that name, unless the name is a word like SELECT. */
  private hole(): void {
    const hole = holeAt(this.source, this.at);
    if (hole === undefined) this.push('junk', HOLE, this.at + 1);
    else if (isNameStart(this.text.charCodeAt(this.at + 1)) && !standsAlone(this.nameAt(this.at + 1))) this.plainWord();
    else this.push('hole', HOLE, this.at + 1, { hole: hole.hole, holeKind: hole.kind });
  }

  /** The unquoted name that begins there, folded. */
  private nameAt(start: number): string {
    let end = start;
    while (end < this.text.length && isNamePart(this.text.charCodeAt(end))) end += 1;
    return foldCase(this.text.slice(start, end));
  }

  private word(): void {
    const prefix = this.text[this.at]!.toLowerCase();
    const quote = this.text[this.at + 1];
    if (quote === "'" && (prefix === 'e' || prefix === 'n')) this.string(this.at + 1, prefix === 'e');
    else if (quote === "'" && (prefix === 'b' || prefix === 'x')) this.bits(prefix);
    else if (prefix === 'u' && this.text.startsWith('&"', this.at + 1)) this.name(this.at + 2, true);
    else if (prefix === 'u' && this.text.startsWith("&'", this.at + 1)) this.unicodeString();
    else this.plainWord();
  }

  private plainWord(): void {
    const name = this.nameAt(this.at);
    let end = this.at + Math.max(name.length, 1);
    if (!standsAlone(name)) while (end < this.text.length && (isNamePart(this.text.charCodeAt(end)) || holeAt(this.source, end))) end += 1;
    this.push('word', cutName(foldCase(this.text.slice(this.at, end))), end);
  }

  private bits(prefix: string): void {
    const quoted = readQuoted(this.source, this.at + 1, false);
    this.push('bits', prefix + quoted.value, quoted.end);
  }

  private unicodeString(): void {
    const quoted = readQuoted(this.source, this.at + 2, false);
    const [escape, end] = this.unicodeEscape(quoted.end);
    this.push('string', decodeUnicode(quoted.value, escape), end, quoted.pieces ? { pieces: quoted.pieces } : undefined);
  }

  /** The escape character of a `U&` literal, and where the literal ends. */
  private unicodeEscape(from: number): [string, number] {
    let at = from;
    while (isSpace(this.text.charCodeAt(at))) at += 1;
    if (this.text.slice(at, at + 7).toLowerCase() !== 'uescape') return ['\\', from];
    at += 7;
    while (isSpace(this.text.charCodeAt(at))) at += 1;
    const isOne = this.text[at] === "'" && this.text[at + 2] === "'";
    return isOne ? [this.text[at + 1]!, at + 3] : ['\\', from];
  }

  private number(): void {
    const { value, end } = readNumber(this.text, this.at);
    // A number that touches a hole is another number, unknown.
    if (holeAt(this.source, end)) this.push('junk', value, end);
    else this.push('number', value, end);
  }

  private dollar(): void {
    const quoted = readDollarQuoted(this.source, this.at);
    // `$${n}`: the number of a parameter, put together by the program.
    const hole = holeAt(this.source, this.at + 1);
    if (quoted) this.push('string', quoted.value, quoted.end);
    else if (hole) this.push('hole', '$', this.at + 2, { hole: hole.hole, holeKind: hole.kind });
    else this.placeholder();
  }

  private placeholder(): void {
    const found = readPlaceholder(this.text, this.at);
    if (found) this.push('placeholder', found.name, found.end, { style: found.style });
    else this.push('junk', this.text[this.at]!, this.at + 1);
  }

  private colon(): void {
    const next = this.text[this.at + 1];
    const double = next === ':' || next === '=';
    // `a[1:n]` is a slice.
    const slices = this.brackets > 0 && this.followsValue();
    const found = double || slices ? undefined : readPlaceholder(this.text, this.at);
    if (found) this.push('placeholder', found.name, found.end, { style: ':' });
    else if (double) this.push('punctuation', `:${next}`, this.at + 2);
    else this.push('punctuation', ':', this.at + 1);
  }

  /** Whether the last token ends a value, so that an operator must follow. */
  private followsValue(): boolean {
    const last = this.tokens.at(-1);
    if (last === undefined) return false;
    if (last.kind === 'operator' || last.kind === 'junk') return false;
    if (last.kind === 'punctuation') return last.value === ')' || last.value === ']';
    return last.kind !== 'word' || !beforeValue.has(last.value);
  }

  private operator(): void {
    const first = this.text[this.at]!;
    const found = first === '@' && !this.followsValue() ? readPlaceholder(this.text, this.at) : undefined;
    if (first === '?' && !this.followsValue()) {
      this.question();
    } else if (found) {
      this.push('placeholder', found.name, found.end, { style: '@' });
    } else {
      const end = this.operatorEnd();
      this.push('operator', this.text.slice(this.at, end), end);
    }
  }

  /** `?`, and knex's `??` for a name. */
  private question(): void {
    this.questions += 1;
    this.push('placeholder', String(this.questions), this.at + (this.text[this.at + 1] === '?' ? 2 : 1), { style: '?' });
  }

  /** As many operator characters as one operator may have. */
  private operatorEnd(): number {
    const last = Math.min(this.at + LONGEST_OPERATOR, this.text.length);
    let rare = RARE_IN_OPERATORS.has(this.text[this.at]!);
    let end = this.at + 1;
    for (; end < last && isOperatorCharacter(this.text.charCodeAt(end)); end += 1) {
      const first = this.text[end]!;
      const second = this.text.charCodeAt(end + 1);
      if ((first === '-' && second === 45) || (first === '/' && second === 42)) break;
      const placeholder = first === '?' || (first === '@' && isNameStart(second));
      if (placeholder && end - this.at <= 3 && plainOperators.has(this.text.slice(this.at, end))) break;
      if (RARE_IN_OPERATORS.has(first)) rare = true;
    }
    // An operator of several characters may end in + or - only if it has one of the rarer characters.
    while (!rare && end > this.at + 1 && '+-'.includes(this.text[end - 1]!)) end -= 1;
    return end;
  }
}
