import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';
import { changedAt } from './configs.js';

interface Entry {
  readonly text: string;
  /** When the file was changed last; files of packages are not looked at again. */
  readonly time: number | undefined;
  /** Until when a text that is not on disk counts, in milliseconds of `performance`; absent for one that is. */
  freshUntil: number | undefined;
  file: ts.SourceFile | undefined;
  /** The tree that a host has made of the text. */
  readonly parsed?: ts.SourceFile | undefined;
}

/**
 * How long after it was linted last a text that was never saved counts for other files, in milliseconds. Nobody tells of a tab that was
 * closed without saving, and a tab that is open is linted again only when it is typed into.
 */
const FRESH = 120_000;

/** Texts and trees of files for all programs that parse alike; what does not change is parsed once. */
export class SourceFiles {
  private readonly entries = new Map<string, Entry>();
  /** Counts the changes of files that were known. A program is out of date when it has moved on. */
  changes = 0;

  constructor(private readonly ts: TypeScript) {}

  has(file: string): boolean {
    return this.entries.has(file);
  }

  /**
   * The text as an editor has it, saved or not.
   * @param parsed the tree that a host has made of it: where the text is new, no other is made
   */
  put(file: string, text: string, parsed?: ts.SourceFile): void {
    const known = this.entries.get(file);
    if (known?.text === text) {
      if (known.freshUntil !== undefined) known.freshUntil = performance.now() + FRESH;
      return;
    }
    if (known) this.changes++;
    // Asked before the text is read: what is written in between is then read again.
    const time = timeOf(file);
    const isSaved = this.ts.sys.readFile(file) === text;
    this.entries.set(file, { text, time, freshUntil: isSaved ? undefined : performance.now() + FRESH, file: undefined, parsed });
  }

  get(file: string, options: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.SourceFile | undefined {
    let entry = this.entries.get(file);
    if (!entry) {
      const time = timeOf(file);
      const text = this.ts.sys.readFile(file);
      if (text === undefined) return undefined;
      this.entries.set(file, entry = { text, time, freshUntil: undefined, file: undefined });
    }
    return (entry.file ??= adopted(this.ts, file, entry, options) ?? this.parse(file, entry.text, options));
  }

  /** Whether TypeScript has the text of a file. */
  isParsed(file: string): boolean {
    const entry = this.entries.get(file);
    return entry?.file?.text === entry?.text;
  }

  /** Forgets what was changed on disk, and what was never saved and may be gone; other files then see what is on disk. */
  forgetChanged(): void {
    const now = performance.now();
    for (const [file, { time, freshUntil = Infinity }] of this.entries) {
      if (freshUntil >= now && (isOfPackage(file) || changedAt(file) === time)) continue;
      this.entries.delete(file);
      this.changes++;
    }
  }

  /** Forgets files that no program has any more. */
  keepOnly(files: ReadonlySet<string>): void {
    for (const file of this.entries.keys()) if (!files.has(file)) this.entries.delete(file);
  }

  /** A file that nests deeper than TypeScript can read costs itself, not the program that it is part of. */
  private parse(file: string, text: string, options: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.SourceFile {
    try {
      return this.ts.createSourceFile(file, text, options);
    } catch {
      return this.ts.createSourceFile(file, '', options);
    }
  }
}

/** TypeScript parses comments in JavaScript alone, where they may say types: a host without types leaves them out. */
const WITHOUT_JSDOC = /\.[cm]?tsx?$/i;

/** A host's tree as our own program would have made it. */
function adopted(ts: TypeScript, name: string, { text, parsed }: Entry, options: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.SourceFile | undefined {
  if (!parsed || parsed.fileName !== name || parsed.text !== text || !WITHOUT_JSDOC.test(name) || typeof options !== 'object' || !options.setExternalModuleIndicator || !isMadeBy(ts, parsed)) return undefined;
  const file = parsed as { impliedNodeFormat?: ts.ResolutionMode; externalModuleIndicator?: unknown };
  file.impliedNodeFormat = options.impliedNodeFormat;
  file.externalModuleIndicator = undefined;
  options.setExternalModuleIndicator(parsed);
  return parsed;
}

const kinds = new WeakMap<TypeScript, object>();

/** A host may have another copy of TypeScript. */
function isMadeBy(ts: TypeScript, file: ts.SourceFile): boolean {
  const kind = kinds.get(ts) ?? Object.getPrototypeOf(ts.createSourceFile('a.ts', '', ts.ScriptTarget.Latest)) as object;
  kinds.set(ts, kind);
  return Object.getPrototypeOf(file) === kind;
}

const timeOf = (file: string): number | undefined => (isOfPackage(file) ? undefined : changedAt(file));

const isOfPackage = (file: string): boolean => file.includes('/node_modules/');
