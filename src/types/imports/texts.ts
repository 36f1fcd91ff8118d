import { isBuiltin } from 'node:module';
import path from 'node:path';
import { ANYWHERE, Carriers, type Between, type Carrier } from './carriers.js';
import { isInstalled, PACKAGE_NAME, realFolder, withoutEnding } from './places.js';
import { readModule, type ModuleText } from './text.js';

/**
 * Who imports whom, from the texts of files alone: for who has no program, or wants to know what to make one of. A relative path is
 * followed, and so is a package of the workspace to its folder; of an alias, names must agree. What is installed imports nothing of these.
 */
export class TextModules {
  private readonly modules = new Map<string, ModuleText>();
  private readonly byPath = new Map<string, string[]>();
  private readonly byModuleName = new Map<string, string[]>();
  private readonly packages = new Map<string, string | undefined>();
  private readonly below = new Map<string, readonly string[]>();

  /** @param files absolute paths; one that cannot be read imports nothing */
  constructor(files: Iterable<string>, private readonly textOf: (file: string) => string | undefined) {
    for (const file of files) {
      this.modules.set(file, readModule(textOf(file) ?? ''));
      push(this.byPath, withoutEnding(file), file);
      push(this.byModuleName, moduleNameOf(file), file);
    }
  }

  /** The files that take what these export, at once or as others hand it on; `isThrough`: or functions that call that with what they are given. */
  importersOf(files: Iterable<string>, isThrough = false): string[] {
    const ofInterest = new Set(files);
    const between = (file: string): Between<string> | undefined => (ofInterest.has(file) || !this.modules.has(file) ? undefined : { takes: this.modules.get(file)!.takes, text: this.textOf(file) ?? '' });
    const carriers = [...this.modules].flatMap(([file, module]) => carrierOf(file, module, ofInterest.has(file)) ?? []);
    const found = new Carriers(carriers, (from, file) => this.resolve(from, file));
    return [...this.modules].filter(([file, { takes }]) => !ofInterest.has(file) && (found.reach(file, takes, () => this.textOf(file) ?? '') || (isThrough && found.reachThrough(file, takes, between)))).map(([file]) => file);
  }

  private resolve(from: string, file: string): readonly string[] {
    const folder = path.dirname(file);
    if (/^\.\.?(?:\/|$)/.test(from)) return this.byPath.get(withoutEnding(path.join(folder, from))) ?? [];
    if (isBuiltin(from)) return [];
    const found = this.packageOf(from, folder);
    if (found === undefined) return [ANYWHERE, ...(this.byModuleName.get(moduleNameOf(from)) ?? [])];
    return isInstalled(found) ? [] : this.filesBelow(found);
  }

  /** Where the package of a specifier lies, by the links of `node_modules`; `undefined` for an alias, and for what is not installed. */
  private packageOf(from: string, folder: string): string | undefined {
    const [name] = PACKAGE_NAME.exec(from) ?? [];
    if (name === undefined) return undefined;
    const place = path.join(folder, 'node_modules', name);
    const above = path.dirname(folder);
    if (!this.packages.has(place)) this.packages.set(place, realFolder(place) ?? (above === folder ? undefined : this.packageOf(from, above)));
    return this.packages.get(place);
  }

  private filesBelow(folder: string): readonly string[] {
    const known = this.below.get(folder) ?? [...this.modules.keys()].filter((file) => path.normalize(file).startsWith(folder + path.sep));
    this.below.set(folder, known);
    return known;
  }
}

/** `undefined` for a file that has nothing to do with it: neither of interest, nor handing on what it imports. */
export function carrierOf(file: string, { takes, exports, renamed }: ModuleText, isOfInterest: boolean): Carrier<string> | undefined {
  const handedOn = new Set(renamed.map(([local]) => local));
  const relevant = takes.filter(({ as, local }) => as !== undefined || (local !== undefined && handedOn.has(local)));
  if (isOfInterest) return { file, takes: relevant, carriedGiven: () => exports };
  if (relevant.length === 0) return undefined;
  return { file, takes: relevant, carriedGiven: (locals) => renamed.flatMap(([local, exported]) => (locals.has(local) ? [exported] : [])) };
}

function push(lists: Map<string, string[]>, key: string, file: string): void {
  const list = lists.get(key);
  if (list) list.push(file);
  else lists.set(key, [file]);
}

/** The last part of a module's path; of an `index` file, its folder. */
const moduleNameOf = (file: string): string => path.basename(withoutEnding(file));
