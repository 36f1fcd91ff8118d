import { readFileSync, type Stats } from 'node:fs';

/** What is larger is no code that somebody writes. */
const LARGEST = 4_000_000;

/** The text of a file; `undefined` for what is none, or cannot be read. */
export function textAt(file: string, stats: Stats | undefined): string | undefined {
  try {
    return stats?.isFile() && stats.size <= LARGEST ? readFileSync(file, 'utf8').replace(/^\uFEFF/, '') : undefined;
  } catch {
    return undefined; // nobody may read it
  }
}
