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
    WORD.lastIndex = this.at;
    const [found] = WORD.exec(this.text) ?? [];
    if (found !== undefined) this.at += found.length;
    return found;
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

const BLANKS = /\s*/y;
const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
