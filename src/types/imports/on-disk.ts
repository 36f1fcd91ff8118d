import path from 'node:path';
import { mentionsLocks, type Words } from '../gate.js';
import { Carriers, type Carrier, type Take } from './carriers.js';
import { Kept, statsOf } from './kept.js';
import { passedOnIn, type PassedOn } from './passing-on.js';
import { Places } from './places.js';
import { textAt } from './text-at.js';
import { readModule, takenIn, type ModuleText } from './text.js';
import { carrierOf } from './texts.js';

/** What is kept of a file: nothing of one that neither mentions locks nor hands anything on. */
interface Module {
  readonly carrier: Carrier<string> | undefined;
  readonly hasLocks: boolean;
  /** What its functions call with what they are given. */
  readonly passedOn?: readonly PassedOn[];
  /** Two files with the same one are the same to all who import them. */
  readonly key: string;
}

/** A file that mentions locks. Somebody types into it: it is read once another file imports it, not at each key. */
class LockFile implements Module {
  readonly hasLocks = true;
  private known: { readonly carrier: Carrier<string> | undefined } | undefined;

  constructor(readonly key: string, private readonly read: () => Carrier<string> | undefined) {}

  get carrier(): Carrier<string> | undefined {
    return (this.known ??= { carrier: this.read() }).carrier;
  }
}

/** How a file that mentions locks is read. */
export type ReadLockFile = (file: string, text: string) => Carrier<string> | undefined;

/** How much of the time may go into looking whether files were changed on disk. */
const SHARE_OF_LOOKING = 1 / 100;

const nothing: Module = { carrier: undefined, hasLocks: false, key: '' };

const EXPORTS_FUNCTION = /\bexport\s+(?:async\b|function\b|const\b)/;

const HANDS_ON = /\bexport\s*(?:type\s*)?[*{=]|\bexport\s+default\b|\bexports\b/;

/**
 * Who imports what carries locks, found from the file that imports on, by the texts on disk and of an editor: of a project, only what such
 * files lead to is read, and each text once.
 */
export class ModulesOnDisk {
  private readonly places = new Places();
  private readonly modules = new Kept((file: string, stats) => this.read(file, textAt(file, stats) ?? ''), (one, other) => one.key === other.key);
  /** Files that lead to none with locks, and those that do, as far as anybody has asked. */
  private readonly free = new Set<string>();
  private readonly leading = new Set<string>();
  private carriers: Carriers<string> | undefined;
  private nextLook = 0;

  constructor(private readonly words: Words, private readonly readLockFile: ReadLockFile) {}

  /** The text of a file as whoever lints it has it. Of one that nobody has asked for, only a text that was not saved is worth a look. */
  note(file: string, text: string): void {
    const own = path.normalize(file);
    if (!this.modules.has(own) && isOnDisk(own, text)) return;
    if (this.modules.put(own, this.read(file, text))) this.forget();
  }

  /** Whether a file takes something that carries locks. */
  reaches(file: string, text: string): boolean {
    this.look();
    const own = path.normalize(file);
    const leads: Take<string>[] = [];
    let [last, isLast] = ['', false];
    for (const take of takenIn(text)) {
      // The names of one import stand side by side.
      if (take.from !== last) [last, isLast] = [take.from, this.leads(this.places.of(take.from, own))];
      if (isLast) leads.push(take);
    }
    return (leads.length > 0 && this.carriersOfLeading().reach(own, leads, () => text)) || takenIn(text).some((take) => this.takesThrough(own, take));
  }

  /** Whether a file takes a function of one between, which calls what carries locks with what it is given. */
  private takesThrough(file: string, { from, name, as }: Take<string>): boolean {
    return as === undefined && this.places.of(from, file).some((between) => between !== file && this.modules.get(between).passedOn?.some(({ take, members, exports }) =>
      exports.includes(name) && this.leads(this.places.of(take.from, between)) && this.carriersOfLeading().reach(between, [take], () => members)) === true);
  }

  private look(): void {
    const start = performance.now();
    if (start < this.nextLook) return;
    const isChanged = [this.nextLook > 0 && this.modules.look(), this.nextLook > 0 && this.places.look()].includes(true);
    if (isChanged) this.forget();
    const end = performance.now();
    this.nextLook = end + Math.max(1000, (end - start) / SHARE_OF_LOOKING);
  }

  private forget(): void {
    this.free.clear();
    this.leading.clear();
    this.carriers = undefined;
  }

  private read(file: string, text: string): Module {
    const hasLocks = mentionsLocks(text, this.words);
    if (hasLocks) return new LockFile(text, () => this.readLockFile(file, text));
    if (!HANDS_ON.test(text) && !EXPORTS_FUNCTION.test(text)) return nothing;
    const module = readModule(text);
    const calls = passedOnIn(text, module);
    const isCarrier = carrierOf(file, module, false) !== undefined;
    if (!isCarrier && calls.length === 0) return nothing;
    const key = JSON.stringify([isCarrier ? module : {}, calls]);
    // A piece of a text keeps the whole of it in memory; what is read of the key is on its own.
    const [kept, passedOn] = JSON.parse(key) as [ModuleText, PassedOn[]];
    return { carrier: isCarrier ? carrierOf(path.normalize(file), kept, false) : undefined, hasLocks, passedOn, key };
  }

  /** Whether one of some files may lead to one with locks. What that takes is found out for all files on the way. */
  private leads(files: readonly string[]): boolean {
    let isLeading = false;
    for (const file of files) {
      if (this.free.has(file)) continue;
      if (!this.leading.has(file)) this.settle(file);
      isLeading ||= this.leading.has(file);
    }
    return isLeading;
  }

  private settle(start: string): void {
    if (this.modules.get(start) === nothing) {
      this.free.add(start);
      return;
    }
    const found = new Set([start]);
    const importers = new Map<string, string[]>();
    const leading = new Set<string>();
    // A set gives what is added to it on the way.
    for (const file of found) {
      const { carrier, hasLocks } = this.modules.get(file);
      if (hasLocks) leading.add(file);
      for (const target of carrier?.takes.flatMap(({ from }) => this.places.of(from, file)) ?? []) {
        if (this.leading.has(target)) leading.add(file);
        else if (!this.free.has(target)) {
          found.add(target);
          const known = importers.get(target);
          if (known) known.push(file);
          else importers.set(target, [file]);
        }
      }
    }
    for (const file of leading) for (const importer of importers.get(file) ?? []) leading.add(importer);
    for (const file of found) (leading.has(file) ? this.leading : this.free).add(file);
    if (leading.size > 0) this.carriers = undefined;
  }

  private carriersOfLeading(): Carriers<string> {
    return (this.carriers ??= new Carriers([...this.leading].flatMap((file) => this.modules.get(file).carrier ?? []), (from, file) => this.places.of(from, file)));
  }
}

/** As far as the length tells, which costs no reading. */
const isOnDisk = (file: string, text: string): boolean => statsOf(file)?.size === Buffer.byteLength(text);
