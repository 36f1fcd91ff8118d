import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inProject } from '../support/paths.js';

/** Where packages stand, from `node_modules`, by the names that code imports them by. */
export type Packages = Readonly<Record<string, string>>;

const declarations = /\.d\.[cm]?ts$|(?:^|[\\/])package\.json$/;

/** Where the packages of a set stand, and the texts of fixtures that import them: no file of another version is found from there. */
export const folderOfSet = (set: string): string => inProject(`fixtures/versions/${set}`);

/**
 * Lays out the declarations of packages that are installed under other names, or for other versions of what they import, below
 * `node_modules` of a folder of their own: the plugin knows a library by the name of its package. What they import besides is
 * found further up. Does nothing where these versions are there.
 */
export function layOut(set: string, packages: Packages): void {
  const folder = join(folderOfSet(set), 'node_modules');
  const stamp = join(folder, '.stamp.json');
  const wanted = JSON.stringify(Object.entries(packages).map(([name, place]) => [name, place, versionAt(placeOf(place))]));
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(folder, { recursive: true, force: true });
  copyInto(folder, packages, (file) => declarations.test(file));
  writeFileSync(stamp, wanted);
}

/** Copies packages by the names that code imports them by. What one brings of the others for itself is left out: there is one of each. */
export function copyInto(folder: string, packages: Packages, isWanted: (file: string) => boolean): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, place] of Object.entries(packages)) {
    const root = placeOf(place);
    const brought = Object.keys(packages).map((other) => join(root, 'node_modules', other));
    cpSync(root, join(folder, name), { recursive: true, filter: (from) => !brought.includes(from) && (statSync(from).isDirectory() || isWanted(from)) });
  }
}

const placeOf = (place: string): string => resolve(inProject('node_modules'), place);

/** The version of an installed package. */
const versionAt = (folder: string): string => (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;

/** The folders of packages that a set lays out, or that are installed where it does not. */
export function foldersInSet(set: string, names: readonly string[]): string[] {
  const folders = [join(folderOfSet(set), 'node_modules'), inProject('node_modules')];
  return names.flatMap((name) => folders.map((one) => join(one, name)).find((one) => existsSync(one) && readdirSync(one).length > 0) ?? []);
}
