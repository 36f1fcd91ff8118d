/** Reads pieces of JavaScript one after the other, each once, so that no text takes longer than its length. */
export class Scanner {
  at = 0;
  private hasCommentEnds = true;

  constructor(readonly text: string) {}

  /** Blanks and comments. */
  skip(): void {
    for (;;) {
      BLANKS.lastIndex = this.at;
      BLANKS.test(this.text);
      this.at = Math.max(this.at, BLANKS.lastIndex);
      if (this.text.startsWith('//', this.at)) this.at = this.endOfLine();
      else if (!this.skipComment()) return;
    }
  }

  /** The next letter, when it is this one. */
  takes(letter: string): boolean {
    this.skip();
    if (this.text[this.at] !== letter) return false;
    this.at++;
    return true;
  }

  /** What stands next: its first letter. */
  get next(): string {
    this.skip();
    return this.text[this.at] ?? '';
  }

  /** The next word. */
  word(): string | undefined {
    this.skip();
    const start = this.at;
    let end = start;
    let code = this.text.charCodeAt(end);
    while (isPlain(code)) code = this.text.charCodeAt(++end);
    // Most words are plain; to look at them letter by letter takes a fifth of the time.
    if (code < 128 || Number.isNaN(code)) end = end > start && !isDigit(this.text.charCodeAt(start)) ? end : start;
    else {
      WORD.lastIndex = start;
      end = start + (WORD.exec(this.text)?.[0].length ?? 0);
    }
    this.at = end;
    return end === start ? undefined : this.text.slice(start, end);
  }

  takesWord(word: string): boolean {
    const start = this.at;
    if (this.word() === word) return true;
    this.at = start;
    return false;
  }

  /** The next string on one line, without what its escapes mean. */
  string(): string | undefined {
    const quote = this.next;
    if (quote !== "'" && quote !== '"' && quote !== '`') return undefined;
    const start = this.at + 1;
    for (let at = start; at < this.text.length; at++) {
      const letter = this.text[at];
      if (letter === '\n') break;
      if (letter === '\\') at++;
      else if (letter === quote) {
        this.at = at + 1;
        return this.text.slice(start, at);
      }
    }
    this.at = this.endOfLine();
    return undefined;
  }

  private skipComment(): boolean {
    if (!this.hasCommentEnds || !this.text.startsWith('/*', this.at)) return false;
    const end = this.text.indexOf('*/', this.at + 2);
    this.hasCommentEnds = end !== -1;
    if (end !== -1) this.at = end + 2;
    return end !== -1;
  }

  private endOfLine(): number {
    const end = this.text.indexOf('\n', this.at);
    return end === -1 ? this.text.length : end;
  }
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Letters and digits of ASCII, `_` and `$`. */
const isPlain = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || isDigit(code) || code === 95 || code === 36;

const BLANKS = /\s*/y;
const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
