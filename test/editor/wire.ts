import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { plainEnvironment } from '../support/user-project.js';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Pending {
  readonly method: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** What the client answers to requests of the server. */
export type Answer = (method: string, params: unknown) => unknown;

/** JSON-RPC over the standard streams of a language server: each message is preceded by its length in bytes. */
export class Wire {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #pending = new Map<number, Pending>();
  readonly #ended: Promise<number | null>;
  #received = Buffer.alloc(0);
  #last = 0;
  #complaints = '';

  constructor(script: string, cwd: string, readonly answer: Answer) {
    this.#child = spawn(process.execPath, [script, '--stdio'], { cwd, env: plainEnvironment(), stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child.stdout.on('data', (data: Buffer) => { this.#receive(data); });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => { this.#complaints += text; });
    this.#child.stdin.on('error', () => undefined);
    this.#ended = new Promise((resolve) => {
      this.#child.on('close', (status) => {
        for (const { method, reject } of this.#pending.values()) reject(new Error(`The server ended (${String(status)}) before it answered ${method}.\n${this.#complaints}`));
        this.#pending.clear();
        resolve(status);
      });
    });
  }

  request(method: string, params?: unknown): Promise<unknown> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { method, resolve, reject });
      this.#send({ id, method, params });
    });
  }

  notify(method: string, params?: unknown): void {
    this.#send({ method, params });
  }

  /** Asks the server to end, as an editor does when it closes; the exit code. */
  async close(): Promise<number | null> {
    await this.request('shutdown');
    this.notify('exit');
    return this.#ended;
  }

  /** Ends the server, whatever state it is in. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #send(message: Message): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #receive(data: Buffer): void {
    this.#received = Buffer.concat([this.#received, data]);
    for (;;) {
      const end = this.#received.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/i.exec(this.#received.subarray(0, Math.max(end, 0)).toString())?.[1]);
      if (end < 0 || this.#received.length < end + 4 + length) return;
      const message = JSON.parse(this.#received.subarray(end + 4, end + 4 + length).toString()) as Message;
      this.#received = this.#received.subarray(end + 4 + length);
      this.#handle(message);
    }
  }

  #handle({ id, method, params, result, error }: Message): void {
    if (method !== undefined) {
      const answer = this.answer(method, params);
      if (id !== undefined) this.#send({ id, result: answer ?? null });
      return;
    }
    const pending = this.#pending.get(Number(id));
    this.#pending.delete(Number(id));
    if (error) pending?.reject(new Error(`${pending.method}: ${error.message}`));
    else pending?.resolve(result);
  }
}
