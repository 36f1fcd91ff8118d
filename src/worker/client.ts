import { existsSync } from 'node:fs';
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';
import type { JudgedFile, PlainFinding } from '../rule.js';

/**
 * Types on demand live in a worker: a program's large heap would slow the garbage collection of all the parsing that a lint run does
 * beside it, and its TypeScript the parser's. A file goes over as text, findings come back as data, and the caller waits.
 */

export interface Question extends JudgedFile {
  readonly rule: string;
}

/** A file of which questions will be asked: the worker may begin, while the host does something else. */
export interface Notice extends Omit<JudgedFile, 'options'> {
  readonly isAhead: true;
}

export interface Reply {
  /** `undefined` where the worker has no types for the file. */
  readonly findings: readonly PlainFinding[] | undefined;
  /** Arguments of `process.emitWarning`. */
  readonly warnings: readonly (readonly [string, object])[];
}

/** What the worker is started with. */
export interface Line {
  readonly port: MessagePort;
  /** Two numbers: whether the worker has loaded (1) or cannot (2), and 1 once a reply is there. */
  readonly flags: Int32Array;
}

interface OpenLine extends Line {
  readonly worker: Worker;
}

/** Far beyond what a program of thousands of files takes: milliseconds by the clock, and of the processor too. */
const LONGEST_WAIT = 180_000;
/**
 * How often a wait is looked at, in milliseconds, which itself takes one or two of the processor; and at how many looks in a row less than
 * `ALIVE` milliseconds of work may have been done.
 */
const [LOOK, MOST_IDLE, ALIVE] = [5000, 3, 20];

/** Trees live for as long as a file is judged: in a young generation of this size, in megabytes, few of them are copied. */
const YOUNG = 64;

let line: OpenLine | 'here' | 'nowhere' | undefined;

let isLoaded = false;

/** Starts the worker when it is first asked for; it loads while the caller goes on. */
function open(): OpenLine | 'here' | 'nowhere' {
  return (line ??= start() ?? 'here');
}

/** The worker, loaded. Where there can be none, the caller does the work. */
function opened(): OpenLine | 'here' | 'nowhere' {
  const one = open();
  if (isLoaded || typeof one === 'string') return one;
  waitFor(one.flags, 0);
  isLoaded = true;
  if (Atomics.load(one.flags, 0) !== 1) line = 'here';
  return line ?? 'here';
}

function start(): OpenLine | undefined {
  const entry = new URL('./entry.js', import.meta.url);
  if (entry.protocol !== 'file:' || !existsSync(entry)) return undefined; // run from its sources, or bundled
  try {
    const { port1, port2 } = new MessageChannel();
    const flags = new Int32Array(new SharedArrayBuffer(8));
    const worker = new Worker(entry, { workerData: { port: port2, flags } satisfies Line, transferList: [port2], execArgv: [], resourceLimits: { maxYoungGenerationSizeMb: YOUNG } });
    worker.on('error', ({ message }) => { lose(message); });
    worker.on('exit', (code) => { lose(`it ended with ${code}`); });
    worker.unref();
    port1.unref();
    return { port: port1, flags, worker };
  } catch {
    return undefined; // not every host allows workers
  }
}

/**
 * Waits until the worker sets a flag, or does nothing any more: of a thread that has died while it is waited for, nobody tells. The clock
 * alone does not tell it either, since on a busy machine a thread is given the processor for seconds in minutes.
 */
function waitFor(flags: Int32Array, index: number): void {
  const [start, worked] = [performance.now(), processorTime()];
  let [last, idle] = [worked, 0];
  while (Atomics.wait(flags, index, 0, LOOK) === 'timed-out') {
    const now = processorTime();
    idle = now - last < ALIVE ? idle + 1 : 0;
    last = now;
    if (idle >= MOST_IDLE || Math.min(performance.now() - start, now - worked) > LONGEST_WAIT) return;
  }
}

/** What all threads of the process have worked, in milliseconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** What is judged from here on is judged with less: that is said once. */
function lose(reason: string): void {
  if (typeof line === 'string') return;
  line = 'nowhere';
  process.emitWarning(`The thread in which eslint-plugin-pg-advisory-lock finds types is lost (${reason}), so advisory locks are judged by the imports of each file alone.`, { type: 'Warning', code: 'PG_ADVISORY_LOCK_TYPES' });
}

/** For a process that parses few files: types on demand are made in it, where all can share the facts. */
export function stayHere(): void {
  const one = line;
  line = 'here';
  texts.clear();
  if (typeof one === 'object') void one.worker.terminate();
}

/** How an editor tells a language server to talk to it: such a process lints one file again and again. */
const OF_SERVER = /^--(?:node-ipc|stdio|(?:socket|pipe)(?:=|$))/;

export const isServer = process.argv.some((one) => OF_SERVER.test(one));

/** The files with locks by the text that they were linted with last, and when. */
const texts = new Map<string, { readonly text: string; readonly turn: number }>();

/**
 * Whether somebody types into a file. Then the trees that the host makes at each key are worth more than a thread: made anew there, they
 * take several times as long as the types. The passes of `--fix` change a text as well, but all in one turn of the event loop.
 */
function isTypedInto(fileName: string, text: string): boolean {
  const known = texts.get(fileName);
  const turn = currentTurn();
  texts.set(fileName, { text, turn });
  return known !== undefined && known.text !== text && known.turn !== turn;
}

let [turns, isCounted] = [0, false];

/** Which turn of the event loop this is, among those that ask. */
function currentTurn(): number {
  if (!isCounted) {
    isCounted = true;
    setImmediate(() => { [turns, isCounted] = [turns + 1, false]; }).unref();
  }
  return turns;
}

/** Where types on demand are made: nowhere, once the worker has died of them. */
export function placeOfTypes(): 'worker' | 'here' | 'nowhere' {
  const one = opened();
  return typeof one === 'string' ? one : 'worker';
}

/** What a rule finds in a file, with types of our own; `undefined` where there are none. */
export function findingsFromWorker(question: Question): readonly PlainFinding[] | undefined {
  const one = opened();
  if (typeof one === 'string') return undefined;
  const { port, flags } = one;
  Atomics.store(flags, 1, 0);
  port.postMessage(question);
  waitFor(flags, 1);
  const reply = receiveMessageOnPort(port)?.message as Reply | undefined;
  if (!reply) {
    lose(`no answer for ${question.fileName}`);
    return undefined;
  }
  for (const [message, options] of reply.warnings) process.emitWarning(message, options);
  return reply.findings;
}

/** Tells the worker that a file will be asked about. */
export function announceToWorker(file: Omit<JudgedFile, 'options'>): void {
  if (typeof line !== 'string' && (isServer || isTypedInto(file.fileName, file.text))) stayHere();
  const one = open();
  if (typeof one === 'object') one.port.postMessage({ ...file, isAhead: true } satisfies Notice);
}

/** Tells the worker, if there is one yet, of the text that an editor has of a file without locks. */
export function tellWorker(fileName: string, text: string): void {
  if (typeof line === 'object') line.port.postMessage({ fileName, text } satisfies Note);
}

/** The newest text of a file without locks. */
export interface Note {
  readonly fileName: string;
  readonly text: string;
}
