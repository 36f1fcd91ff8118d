import type { ESLint, Linter } from 'eslint';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InstallationError } from './options.js';

/**
 * What lints: the packages that were installed with the plugin, which fit each other; else those of the project that is looked at
 * (`yarn dlx` and `pnpm dlx` may install the plugin alone).
 */

export async function loadEslint(cwd: string): Promise<typeof ESLint> {
  const { ESLint: found } = await load('eslint', cwd, () => import('eslint')).catch((error: unknown) => { throw new InstallationError(missing('ESLint', 'eslint', error)); });
  const [major = 0] = found.version.split('.').map(Number);
  if (major < 9) throw new InstallationError(`This needs ESLint 9 or 10, and found ${found.version}: npm install --save-dev eslint`);
  return found;
}

/** The parser of TypeScript and JavaScript; why there is none, where there is none. */
export async function loadParser(cwd: string): Promise<Linter.Parser | InstallationError> {
  try {
    const found = await load('@typescript-eslint/parser', cwd, () => import('@typescript-eslint/parser'));
    return ('default' in found ? found.default : found);
  } catch (error) {
    return new InstallationError(missing('The parser of typescript-eslint', 'typescript@6', error));
  }
}

async function load<T>(name: string, cwd: string, own: () => Promise<T>): Promise<T> {
  try {
    return await own();
  } catch (error) {
    try {
      return await import(pathToFileURL(createRequire(join(cwd, 'package.json')).resolve(name)).href) as T;
    } catch {
      throw error;
    }
  }
}

function missing(what: string, name: string, error: unknown): string {
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const beside7 = /\bTS 7|TypeScript 7/.test(reason) ? ', or beside TypeScript 7: npm install --save-dev typescript@npm:@typescript/typescript6 typescript-7@npm:typescript@7' : '';
  return `${what} cannot be loaded: ${reason}\nInstall it: npm install --save-dev ${name}${beside7}`;
}
