import type { Stats } from 'node:fs';
import path from 'node:path';
import { partOf, readLoosely, stringsIn, valueOf } from './data.js';
import { textAt } from './text-at.js';

/** What a config has an import mean: `@/*` is `src/*`. */
export interface Alias {
  readonly pattern: string;
  /** Absolute paths, with a `*` for what that of the pattern stands for. */
  readonly targets: readonly string[];
}

export interface ReadContent {
  readonly content: unknown;
  readonly key: string;
}

export type ReadConfig = (place: string) => unknown;

export function readConfig(place: string, stats: Stats | undefined): ReadContent {
  const key = textAt(place, stats) ?? '';
  return { content: key === '' ? undefined : readLoosely(key), key };
}

/** The paths that an import stands for by an alias. */
export function filled({ pattern, targets }: Alias, from: string): string[] {
  const part = partOf(pattern, from);
  return part === undefined ? [] : targets.map((one) => one.replace('*', () => part));
}

/** The aliases of the configs in a folder: `paths` and `baseUrl` of TypeScript, `imports` of Node.js. */
export function aliasesOf(folder: string, read: ReadConfig): Alias[] {
  const imports = valueOf(read(path.join(folder, 'package.json')), 'imports');
  const ofNode = Object.keys(Object(imports) as object).map((pattern): Alias => ({ pattern, targets: stringsIn(valueOf(imports, pattern)).map((one) => path.join(folder, one)) }));
  return [...['tsconfig.json', 'jsconfig.json'].flatMap((name) => aliasesIn(path.join(folder, name), read, new Set())), ...ofNode];
}

/** Those of a config, of those that it extends, and of the projects that it references. */
function aliasesIn(config: string, read: ReadConfig, seen: Set<string>): Alias[] {
  const content = read(config);
  if (content === undefined || seen.has(config)) return [];
  seen.add(config);
  const folder = path.dirname(config);
  const options = valueOf(content, 'compilerOptions');
  const paths = valueOf(options, 'paths');
  const [base] = stringsIn(valueOf(options, 'baseUrl'));
  const at = (one: string): string => path.resolve(folder, base ?? '', one.replace(CONFIG_FOLDER, () => folder));
  const own = Object.keys(Object(paths) as object).map((pattern): Alias => ({ pattern, targets: stringsIn(valueOf(paths, pattern)).map(at) }));
  const others = [...stringsIn(valueOf(content, 'extends')), ...stringsIn(valueOf(content, 'references'))].filter((one) => one.startsWith('.') || path.isAbsolute(one));
  const inherited = others.flatMap((one) => configsAt(path.resolve(folder, one))).flatMap((one) => aliasesIn(one, read, seen));
  return [...own, ...inherited, ...(base === undefined ? [] : [{ pattern: '*', targets: [at('*')] }])];
}

const CONFIG_FOLDER = '${configDir}';

const configsAt = (place: string): string[] => (place.endsWith('.json') ? [place] : [`${place}.json`, path.join(place, 'tsconfig.json')]);
