import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Ignores, isBelow } from './ignores.js';
import { UsageError } from './options.js';
import { gitRootOf, importableRootOf, referencedFolders } from './project.js';

/** Finds the sources to look at. */

const SOURCE = /\.[cm]?[jt]sx?$/;
/** Declarations run nothing; what is minified or of Yarn's is made, not written. */
const MADE = /\.d\.[cm]?ts$|\.min\.[cm]?js$|^\./;
const MADE_FOLDERS = new Set(['node_modules', 'bower_components', 'jspm_packages', 'dist', 'coverage']);

export interface Sources {
  /** What is asked about: absolute paths, sorted. */
  readonly files: readonly string[];
  /** Files from which those may import SQL, themselves included. */
  readonly importable: readonly string[];
}

/** @param paths as the user gave them; none: the current folder, and the projects that its `tsconfig.json` references. */
export function findSources(paths: readonly string[], cwd: string): Sources {
  const here = realpathSync(cwd);
  const starts = paths.length > 0 ? paths.map((path) => existing(path, here)) : [here, ...referencedFolders(here)];
  const files = new Set(starts.flatMap((start) => sourcesAt(start)));
  const importable = new Set(files);
  for (const root of new Set(starts.map((start) => importableRootOf(start)))) for (const file of sourcesBelow(root)) importable.add(file);
  return { files: [...files].sort(), importable: [...importable].sort() };
}

function existing(path: string, cwd: string): string {
  const full = resolve(cwd, path);
  if (!statSync(full, { throwIfNoEntry: false })) throw new UsageError(`There is no \`${path}\`.`);
  return realpathSync(full);
}

/** A file that is named is looked at, whatever leaves it out. */
function sourcesAt(start: string): string[] {
  if (statSync(start).isDirectory()) return sourcesBelow(start);
  if (!SOURCE.test(start)) throw new UsageError(`\`${start}\` is no source file: they end in .ts, .tsx, .mts, .cts, .js, .mjs, .cjs or .jsx.`);
  return [start];
}

function sourcesBelow(folder: string): string[] {
  const all = new Ignores(gitRootOf(folder) ?? folder);
  // A folder that is named is looked at, too: within it, its own lists count.
  const ignores = all.isWithinIgnored(folder, true) ? new Ignores(folder) : all;
  const found: string[] = [];
  const open = [folder];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const entry of entriesOf(at)) {
      const path = join(at, entry.name);
      // Links are not followed: what they lead to has a place of its own, or is not of this repository.
      if (entry.isDirectory()) {
        if (!MADE_FOLDERS.has(entry.name) && !entry.name.startsWith('.') && !ignores.isIgnored(path, true)) open.push(path);
      } else if (entry.isFile() && SOURCE.test(entry.name) && !MADE.test(entry.name) && !ignores.isIgnored(path, false)) found.push(path);
    }
  }
  return found;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // not ours to read
  }
}

/** The text of a file; `undefined` where it cannot be read. */
export function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** The innermost folder that has all of these paths. */
export function commonFolder(paths: readonly string[]): string {
  return paths.reduce((common, path) => {
    let at = common;
    while (at !== path && !isBelow(path, at) && dirname(at) !== at) at = dirname(at);
    return at;
  });
}
