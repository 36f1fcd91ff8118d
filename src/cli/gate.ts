import { LockFiles, mentionsLocks, noteImporters, type Words } from '../types/index.js';
import { readText, type Sources } from './files.js';

export interface Gated {
  /** The files that may have lock statements, and only these are worth parsing. */
  readonly passing: readonly string[];
  /** Files that say the word. */
  readonly mentioning: number;
}

/** One look at every text: the same gate as within the rules, before anything is parsed. */
export function gate({ files, importable }: Sources, words: Words, progress: (done: number) => void): Gated {
  const mentioning: [fileName: string, text: string][] = [];
  importable.forEach((fileName, index) => {
    const text = readText(fileName);
    if (text !== undefined && mentionsLocks(text, words)) mentioning.push([fileName, text]);
    progress(index + 1);
  });
  if (mentioning.length === 0) return { passing: [], mentioning: 0 };
  const lockFiles = new LockFiles(mentioning);
  const direct = new Set(mentioning.map(([fileName]) => fileName));
  const importers = new Set(files.filter((file) => !direct.has(file) && lockFiles.mayBeImportedBy(readText(file) ?? '')));
  noteImporters(importers);
  return { passing: files.filter((file) => direct.has(file) || importers.has(file)), mentioning: files.filter((file) => direct.has(file)).length };
}
