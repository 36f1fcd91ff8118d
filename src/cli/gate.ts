import { mentionsLocks, noteImporters, TextModules, type Words } from '../types/index.js';
import { readText, type Sources } from './files.js';

export interface Gated {
  /** The files that may have lock statements, and only these are worth parsing. */
  readonly passing: readonly string[];
  /** Files that say the word. */
  readonly mentioning: number;
}

/** One look at every text: the same gate as within the rules, before anything is parsed. */
export function gate({ files, importable }: Sources, words: Words, progress: (done: number) => void): Gated {
  const direct = new Set<string>();
  importable.forEach((fileName, index) => {
    const text = readText(fileName);
    if (text !== undefined && mentionsLocks(text, words)) direct.add(fileName);
    progress(index + 1);
  });
  if (direct.size === 0) return { passing: [], mentioning: 0 };
  const importers = new Set(new TextModules(importable, readText).importersOf(direct, true));
  noteImporters(importers);
  return { passing: files.filter((file) => direct.has(file) || importers.has(file)), mentioning: files.filter((file) => direct.has(file)).length };
}
