import type ts from 'typescript';

/**
 * The word that every advisory-lock function has in its name. A file without it, that imports nothing from a file with it, has no
 * lock statements: finding that out costs one scan of its text.
 */
const WORD = /advisory/i;

export const mentionsLocks = (text: string): boolean => WORD.test(text);

/** The names by which other files may import from the files that mention locks. */
export interface LockFiles {
  readonly exports: ReadonlySet<string>;
  readonly moduleNames: ReadonlySet<string>;
}

const lockFiles = new WeakMap<ts.Program, LockFiles>();

const EXPORTED = /\bexport\s+(?:default\s+|declare\s+|async\s+|abstract\s+)*(?:const|let|var|function\s*\*?|class|enum|const\s+enum)\s+([\w$]+)|\bexport\s*(?:type\s*)?\{([^}]*)\}|\b(?:module\.)?exports\.([\w$]+)\s*=|\bmodule\.exports\s*=\s*\{([^}]*)\}/g;

function namesExportedBy(text: string): string[] {
  return [...text.matchAll(EXPORTED)].flatMap(([, single, list, property, object]) =>
    [single, property, ...(list ?? object ?? '').split(',').map((one) => one.replace(/^.*\bas\s+|:.*$/s, '').trim())].filter((one): one is string => !!one));
}

const moduleNameOf = (path: string): string => path.replace(/(?:\/index)?\.[cm]?[jt]sx?$/, '').replace(/^.*\//, '');

/** Which of the program's own files mention locks, by name and by the names they export. Made once per program, from text alone. */
function lockFilesOf(program: ts.Program): LockFiles {
  const known = lockFiles.get(program);
  if (known) return known;
  const found = lockFilesAmong(program.getSourceFiles().filter((file) => !file.isDeclarationFile && !file.fileName.includes('/node_modules/')));
  lockFiles.set(program, found);
  return found;
}

/** Which of some files mention locks, from their text alone. */
export function lockFilesAmong(files: Iterable<{ readonly fileName: string; readonly text: string }>): LockFiles {
  const found = { exports: new Set<string>(), moduleNames: new Set<string>() };
  for (const { fileName, text } of files) {
    if (!mentionsLocks(text)) continue;
    found.moduleNames.add(moduleNameOf(fileName));
    for (const name of namesExportedBy(text)) found.exports.add(name);
  }
  return found;
}

const IMPORTED = /\b(?:import|export)\s+(?:type\s+)?([\w$*{][^'"`;]*?)\s*from\s*['"]([^'"]+)['"]|(?:\b(?:const|let|var)\s+([\w$]+|\{[^}]*\})\s*=\s*)?\brequire\(\s*['"]([^'"]+)['"]\s*\)/g;

export const mayImportLocks = (text: string, program: ts.Program): boolean => importsFrom(lockFilesOf(program), text);

/**
 * Whether a file that does not mention locks may still use lock SQL that it imports: it imports a name that a file with locks
 * exports, or all of such a file. Names are compared, not resolved, so a passing file may turn out to have nothing.
 */
export function importsFrom({ exports, moduleNames }: LockFiles, text: string): boolean {
  if (moduleNames.size === 0) return false;
  for (const [, clause, from, variable, required] of text.matchAll(IMPORTED)) {
    if (moduleNames.has(moduleNameOf(from ?? required ?? ''))) return true;
    const names = (clause ?? variable ?? '').split(/[{},]/).map((one) => one.replace(/\btype\s+/, '').replace(/\s+as\s.*$|:.*$/s, '').trim());
    if (names.some((name) => name !== '' && exports.has(name))) return true;
  }
  return false;
}
