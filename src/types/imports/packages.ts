import path from 'node:path';
import { partOf, stringsIn, valueOf } from './data.js';

/** Folders that code is built into; what it is built of lies beside them. */
const BUILT = /^(?:\.\/)?(?:dist|build|lib|out)\//;

/**
 * Where a package may have what an import of it asks for, by its `package.json`: paths in its folder. What is built stands for its sources
 * where these lie as they mostly do.
 *
 * @param rest what the import has behind the name of the package, with a slash in front
 */
export function entriesOf(content: unknown, rest: string): string[] {
  const exported = valueOf(content, 'exports');
  const named = exported === undefined ? [] : exportedAs(exported, `.${rest}`);
  const fields = rest === '' ? ['types', 'typings', 'module', 'main', 'source'].flatMap((field) => stringsIn(valueOf(content, field))) : [];
  const inFolder = rest === '' ? 'index' : rest.slice(1);
  const declared = [...named, ...fields, inFolder, path.posix.join('src', inFolder)];
  return [...new Set(declared.flatMap((one) => (BUILT.test(one) ? [one, one.replace(BUILT, 'src/'), one.replace(BUILT, '')] : [one])))];
}

function exportedAs(exported: unknown, subpath: string): string[] {
  const keys = typeof exported === 'object' && exported !== null ? Object.keys(exported) : [];
  if (!keys.some((key) => key.startsWith('.'))) return subpath === '.' ? stringsIn(exported) : [];
  return keys.flatMap((key) => {
    const part = partOf(key, subpath);
    return part === undefined ? [] : stringsIn(valueOf(exported, key)).map((one) => one.replace('*', () => part));
  });
}
