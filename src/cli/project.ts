import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isBelow } from './ignores.js';

/** What folders belong together, as far as `package.json`, `tsconfig.json` and git say. */

function* ancestorsOf(folder: string): Generator<string> {
  for (let at = folder; ; at = dirname(at)) {
    yield at;
    if (dirname(at) === at) return;
  }
}

const folderOf = (path: string): string => (statSync(path).isDirectory() ? path : dirname(path));

/** The top of the git repository around a path. In a work tree or a submodule `.git` is a file. */
export function gitRootOf(path: string): string | undefined {
  for (const folder of ancestorsOf(folderOf(path))) if (existsSync(join(folder, '.git'))) return folder;
  return undefined;
}

/** The folder whose files the sources at a path may import from each other: that of the workspaces, else that of the package. */
export function importableRootOf(path: string): string {
  const start = folderOf(path);
  let nearest: string | undefined;
  for (const folder of ancestorsOf(start)) {
    const manifest = readJson(join(folder, 'package.json')) as { workspaces?: unknown } | undefined;
    if (manifest) nearest ??= folder;
    if (manifest?.workspaces !== undefined || existsSync(join(folder, 'pnpm-workspace.yaml'))) return folder;
    if (existsSync(join(folder, '.git'))) break;
  }
  return nearest ?? start;
}

/** The folders of the projects that a folder's `tsconfig.json` references, and those reference, where they lie outside of the folder. */
export function referencedFolders(folder: string): string[] {
  const seen = new Set<string>();
  const open = [join(folder, 'tsconfig.json')];
  for (let config = open.pop(); config !== undefined; config = open.pop()) {
    if (seen.has(config)) continue;
    seen.add(config);
    const { references } = (readJson(config) ?? {}) as { references?: unknown };
    for (const one of Array.isArray(references) ? references as { path?: unknown }[] : []) {
      const path = typeof one.path === 'string' ? resolve(dirname(config), one.path) : undefined;
      if (path !== undefined && existsSync(path)) open.push(configAt(realpathSync(path)));
    }
  }
  const folders = [...new Set([...seen].map((config) => dirname(config)))].filter((one) => one !== folder && !isBelow(one, folder));
  return folders.filter((one) => !folders.some((other) => isBelow(one, other)));
}

const configAt = (path: string): string => (statSync(path).isDirectory() ? join(path, 'tsconfig.json') : path);

/** JSON as `tsconfig.json` has it, with comments and commas at ends; `undefined` where there is none, or it is broken. */
function readJson(file: string): unknown {
  try {
    const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
    const plain = text.replace(/"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[^]*?\*\//g, (piece) => (piece.startsWith('"') ? piece : ' '));
    return JSON.parse(plain.replace(/"(?:\\.|[^"\\])*"|,(?=\s*[}\]])/g, (piece) => (piece === ',' ? '' : piece))) as unknown;
  } catch {
    return undefined;
  }
}
