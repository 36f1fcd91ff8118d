import type { Words } from '../gate.js';
import { typescript } from '../typescript.js';
import type { Carrier } from './carriers.js';
import { ModulesOnDisk, type ReadLockFile } from './on-disk.js';
import { carriedOf, partsOf } from './parts.js';
import { takesOf } from './program-takes.js';
import { readModule } from './text.js';
import { carrierOf } from './texts.js';

/** Whether a file without locks of its own takes what carries some, told without a program. */
export class LockImports {
  private readonly byWords = new Map<Words, ModulesOnDisk>();

  constructor(private readonly readerFor: (words: Words) => ReadLockFile) {}

  reach(file: string, text: string, words: Words): boolean {
    try {
      return this.of(words).reaches(file, text);
    } catch {
      return false; // what lies on disk may be beyond anybody: that costs this file its imports, never the lint run
    }
  }

  /** Tells of the newest text of a file that others may import. */
  note(file: string, text: string, words: Words): void {
    this.of(words).note(file, text);
  }

  /** The same, for all who have asked so far. */
  noteForAll(file: string, text: string): void {
    for (const one of this.byWords.values()) one.note(file, text);
  }

  private of(words: Words): ModulesOnDisk {
    const known = this.byWords.get(words) ?? new ModulesOnDisk(words, this.readerFor(words));
    this.byWords.set(words, known);
    return known;
  }
}

const byText: ReadLockFile = (file, text) => carrierOf(file, readModule(text), true);

/** By texts alone: all that a file with locks exports may carry some. It needs no TypeScript, so that a host may ask it. */
export const importsByText = new LockImports(() => byText);

/** By the trees of the files with locks, export by export: to be asked before a program is made. */
export const importsByTree = new LockImports((words) => (file, text) => byTree(file, text, words) ?? byText(file, text));

function byTree(file: string, text: string, words: Words): Carrier<string> | undefined {
  const ts = typescript();
  if (!ts) return undefined;
  try {
    const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const parts = partsOf(ts, tree, words);
    return { file, takes: takesOf(ts, tree).map((take) => ({ ...take, from: take.from.text })), carriedGiven: (locals) => carriedOf(parts, locals) };
  } catch {
    return undefined; // deeper than TypeScript can read
  }
}
