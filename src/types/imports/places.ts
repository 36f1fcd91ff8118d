import { readdirSync, realpathSync, type Dirent, type Stats } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { aliasesOf, filled, readConfig, type Alias, type ReadConfig } from './aliases.js';
import { Kept } from './kept.js';
import { entriesOf } from './packages.js';

interface Folder {
  /** The code in it by name without ending; declarations are none. */
  readonly code: ReadonlyMap<string, readonly string[]>;
  readonly folders: ReadonlySet<string>;
  /** May be folders, too. */
  readonly links: ReadonlySet<string>;
  readonly key: string;
}

/** Where imports lead to, by what lies on disk: each folder that one leads to is listed once, and no file but configs is read. */
export class Places {
  private readonly folders = new Kept(readFolder, (one, other) => one.key === other.key);
  private readonly configs = new Kept(readConfig, (one, other) => one.key === other.key);
  private aliases = new Map<string, readonly Alias[]>();
  private links = new Map<string, ReadonlyMap<string, string>>();
  private targets = new Map<string, string | undefined>();
  private found = new Map<string, Map<string, readonly string[]>>();

  /** Whether anything on disk is not as it was. */
  look(): boolean {
    const found = [this.folders, this.configs].map((one) => one.look()).includes(true);
    if (found) for (const one of [this.aliases, this.links, this.targets, this.found]) one.clear();
    return found;
  }

  /** The files of the user's own that an import may lead to. Where several differ in their ending alone, all of them. */
  of(from: string, file: string): readonly string[] {
    const folder = path.dirname(file);
    const byName = this.found.get(folder) ?? new Map<string, readonly string[]>();
    const known = byName.get(from);
    if (known) return known;
    const found = this.find(from, folder);
    // A piece of a text keeps the whole of it in memory.
    this.found.set(folder, byName.set(Buffer.from(from).toString(), found));
    return found;
  }

  private find(from: string, folder: string): readonly string[] {
    if (/^\.\.?(?:\/|$)/.test(from)) return this.at(path.join(folder, from));
    if (path.isAbsolute(from)) return this.at(path.normalize(from));
    const byAlias = this.aliasesIn(folder).flatMap((alias) => filled(alias, from)).flatMap((one) => this.at(one));
    return byAlias.length > 0 || isBuiltin(from) ? byAlias : this.inPackage(from, folder);
  }

  /** Code at a path, whatever its ending is, or in the `index` of a folder. */
  private at(place: string): readonly string[] {
    const base = withoutEnding(place);
    if (base === '' || isInstalled(base)) return [];
    const above = path.dirname(base);
    const name = path.basename(base);
    const { code, folders, links } = this.folders.get(above);
    const files = code.get(name) ?? [];
    const indices = folders.has(name) || links.has(name) || above === base ? this.folders.get(base).code.get('index') : undefined;
    return indices ? [...files.map((one) => path.join(above, one)), ...indices.map((one) => path.join(base, one))] : files.map((one) => path.join(above, one));
  }

  /** What a package of the workspace, which is a link, has for an import. */
  private inPackage(from: string, folder: string): readonly string[] {
    const [name] = PACKAGE_NAME.exec(from) ?? [];
    const link = name === undefined ? undefined : this.linksFor(folder).get(name);
    const target = link === undefined ? undefined : this.targetOf(link);
    if (name === undefined || target === undefined) return [];
    const found = entriesOf(this.configs.get(path.join(target, 'package.json')).content, from.slice(name.length));
    return [...new Set(found.flatMap((one) => this.at(path.join(target, one))))];
  }

  /** The links in the folders `node_modules` that a file sees, by package. */
  private linksFor(folder: string): ReadonlyMap<string, string> {
    const known = this.links.get(folder);
    if (known) return known;
    const above = path.dirname(folder);
    const inherited = above === folder ? new Map<string, string>() : this.linksFor(above);
    const own = this.linksIn(path.join(folder, 'node_modules'));
    const found = own.length === 0 ? inherited : new Map([...inherited, ...own]);
    this.links.set(folder, found);
    return found;
  }

  private linksIn(folder: string): (readonly [name: string, place: string])[] {
    const { links, folders } = this.folders.get(folder);
    const scopes = [...folders].filter((one) => one.startsWith('@'));
    const scoped = scopes.flatMap((scope) => [...this.folders.get(path.join(folder, scope)).links].map((one) => `${scope}/${one}`));
    return [...links, ...scoped].map((name) => [name, path.join(folder, name)] as const);
  }

  /** Where a link leads to, unless that is an installed package. */
  private targetOf(link: string): string | undefined {
    if (!this.targets.has(link)) this.targets.set(link, realFolder(link));
    const found = this.targets.get(link);
    return found !== undefined && isInstalled(found) ? undefined : found;
  }

  private aliasesIn(folder: string): readonly Alias[] {
    const known = this.aliases.get(folder);
    if (known) return known;
    const above = path.dirname(folder);
    const read: ReadConfig = (place) => this.configs.get(place).content;
    const own = aliasesOf(folder, read);
    const found = own.length > 0 || above === folder ? own : this.aliasesIn(above);
    this.aliases.set(folder, found);
    return found;
  }
}

const CODE = /\.[cm]?[jt]sx?$/;

const DECLARATIONS = /\.d\.(?:[^./]+\.)?[cm]?ts$/;

/** What TypeScript and bundlers take for an alias, `@/…`, `~/…` and `#…`, is none. */
export const PACKAGE_NAME = /^(?:@[^/]+\/)?[^@#~/][^/]*/;

export const withoutEnding = (file: string): string => path.normalize(file).replace(/\.(?:d\.)?[cm]?[jt]sx?$/, '').replace(/[\\/](?:index)?$/, '');

export const isInstalled = (place: string): boolean => place.includes('node_modules') && place.split(path.sep).includes('node_modules');

function readFolder(folder: string, stats: Stats | undefined): Folder {
  const code = new Map<string, string[]>();
  const folders = new Set<string>();
  const links = new Set<string>();
  for (const one of stats ? entriesIn(folder) : []) {
    const { name } = one;
    if (one.isDirectory()) folders.add(name);
    else if (CODE.test(name) && !DECLARATIONS.test(name)) code.set(name.replace(CODE, ''), [...(code.get(name.replace(CODE, '')) ?? []), name]);
    if (one.isSymbolicLink()) links.add(name);
  }
  return { code, folders, links, key: [[...code.values()].flat(), [...folders], [...links]].map((names) => names.sort().join('/')).join('//') };
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // there is none, or nobody may read it
  }
}

export function realFolder(place: string): string | undefined {
  try {
    return realpathSync(place);
  } catch {
    return undefined;
  }
}
