/** Says how far the work is, on one line of a terminal that is wiped in the end. Nothing where there is no terminal. */
export class Progress {
  private shown = 0;

  constructor(private readonly stream: { readonly isTTY?: boolean; write(text: string): unknown }) {}

  say(text: string): void {
    const now = Date.now();
    if (!this.stream.isTTY || now - this.shown < 100) return;
    this.shown = now;
    this.stream.write(`\r\u001B[K${text}`);
  }

  end(): void {
    if (this.stream.isTTY && this.shown > 0) this.stream.write('\r\u001B[K');
  }
}
