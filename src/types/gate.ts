import { readModule } from './imports/text.js';

/**
 * What a text has that may have lock statements. A file without it, that imports nothing from a file with it, has none: finding that
 * out costs one scan of its text.
 */
export interface Words {
  /** By which what depends on them is kept. */
  readonly key: string;
  readonly pattern: RegExp;
}

const byNames = new Map<string, Words>();

/** What every advisory-lock function has in its name, in any case, and the names of the user's own functions that lock. */
export function wordsOf(names: readonly string[] = []): Words {
  const key = [...new Set(names)].sort().join(' ');
  const known = byNames.get(key) ?? { key, pattern: new RegExp(['[aA][dD][vV][iI][sS][oO][rR][yY]_', ...(key === '' ? [] : [`(?<![\\w$])(?:${key.split(' ').map(escaped).join('|')})(?![\\w$])`])].join('|')) };
  byNames.set(key, known);
  return known;
}

const escaped = (name: string): string => name.replace(/[^\w]/g, '\\$&');

export const noWords = wordsOf();

export const mentionsLocks = (text: string, { pattern }: Words = noWords): boolean => pattern.test(text);

/** Whether a text imports something whose name, or whose module's, speaks of advisory locks: `advisoryLockSql`, `./advisory-locks`. */
export function importsByName(text: string): boolean {
  return SUBJECT.test(text) && readModule(text).takes.some(({ from, name }) => SUBJECT.test(from) || SUBJECT.test(name));
}

const SUBJECT = /advisory/i;
