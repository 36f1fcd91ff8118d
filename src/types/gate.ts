import type ts from 'typescript';

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

const EXPORTED = /\bexport\s+(?:default\s+|declare\s+|async\s+|abstract\s+)*(?:const|let|var|function\s*\*?|class|enum|const\s+enum)\s+([\w$]+)|\bexport\s*(?:type\s*)?\{([^}]*)\}|\b(?:module\.)?exports\.([\w$]+)\s*=|\bmodule\.exports\s*=\s*\{([^}]*)\}/g;

export function namesExportedBy(text: string): string[] {
  return [...text.matchAll(EXPORTED)].flatMap(([, single, list, property, object]) =>
    [single, property, ...(list ?? object ?? '').split(',').map((one) => one.replace(/^.*\bas\s+|:.*$/s, '').trim())].filter((one): one is string => !!one));
}

/** The last part of a module's path; of an `index` file, its folder. */
export const moduleNameOf = (path: string): string => path.replace(/(?:\/index)?\.[cm]?[jt]sx?$/, '').replace(/^.*\//, '');

type FileText = readonly [fileName: string, text: string];

const IMPORTED = /\b(?:import|export)\s+(?:type\s+)?([\w$*{][^'"`;]*?)\s*from\s*['"]([^'"]+)['"]|(?:\b(?:const|let|var)\s+([\w$]+|\{[^}]*\})\s*=\s*)?\brequire\(\s*['"]([^'"]+)['"]\s*\)/g;

/** One import of a text, or one `export … from`. */
export interface Import {
  readonly from: string;
  /** What is imported by name; of `*` and of a default import, nothing that the other file calls so. */
  readonly names: readonly string[];
  readonly isReexport: boolean;
}

export function importsOf(text: string): Import[] {
  return [...text.matchAll(IMPORTED)].map(([whole, clause, from, variable, required]) => ({
    from: from ?? required ?? '', isReexport: whole.startsWith('export'),
    names: (clause ?? variable ?? '').split(/[{},]/).map((one) => one.replace(/\btype\s+/, '').replace(/\s+as\s.*$|:.*$/s, '').trim()).filter((one) => one !== ''),
  }));
}

/**
 * What some files export, by name and by the names of their modules: from text alone. Names are compared, not resolved, so that a file
 * may turn out to import nothing of them.
 */
export class LockFiles {
  private readonly exports = new Set<string>();
  private readonly moduleNames = new Set<string>();

  constructor(files: Iterable<FileText>) {
    for (const [fileName, text] of files) {
      this.moduleNames.add(moduleNameOf(fileName));
      for (const name of namesExportedBy(text)) this.exports.add(name);
    }
  }

  /** Whether a text imports a name that one of the files exports, or all of such a file. */
  mayBeImportedBy(text: string): boolean {
    if (this.moduleNames.size === 0) return false;
    return importsOf(text).some(({ from, names }) => this.moduleNames.has(moduleNameOf(from)) || names.some((name) => this.exports.has(name)));
  }
}

const lockFiles = new WeakMap<ts.Program, Map<Words, LockFiles>>();

/** The program's own files that mention locks; looked for once. */
function lockFilesOf(program: ts.Program, words: Words): LockFiles {
  const byWords = lockFiles.get(program) ?? new Map<Words, LockFiles>();
  const known = byWords.get(words) ?? new LockFiles(program.getSourceFiles()
    .filter((file) => !file.isDeclarationFile && !file.fileName.includes('/node_modules/') && mentionsLocks(file.text, words))
    .map((file): FileText => [file.fileName, file.text]));
  lockFiles.set(program, byWords.set(words, known));
  return known;
}

/** Whether a file that does not mention locks may still use lock SQL that it imports. */
export const mayImportLocks = (text: string, program: ts.Program, words: Words): boolean => lockFilesOf(program, words).mayBeImportedBy(text);
