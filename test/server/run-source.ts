import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { inProject } from '../support/paths.js';

/** A set of TypeScript files by path relative to their folder. */
export type Sources = ReadonlyMap<string, string>;

export interface LoadedSources {
  import(file: string): Promise<Record<string, unknown>>;
  remove(): void;
}

export function readSources(folder: string): Sources {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const source = files.filter(file => /\.ts$/.test(file) && !/\.d\.ts$|node_modules/.test(file));
  return new Map(source.map(file => [file.replaceAll('\\', '/'), readFileSync(path.join(folder, file), 'utf8')]));
}

/**
 * Compiles sources into a folder outside the checkout, from where they import the checkout's packages. Each call makes new
 * modules, and so new pools: two calls are two instances of a program.
 */
export function loadSources(sources: Sources): LoadedSources {
  const folder = makeProjectFolder();
  for (const [file, text] of sources) {
    const target = path.join(folder, file.replace(/\.ts$/, '.js'));
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, compile(text, file));
  }
  return {
    // Built at run time, so that vite leaves it to Node.
    import: file => import(/* @vite-ignore */ pathToFileURL(path.join(folder, file.replace(/\.ts$/, '.js'))).href),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** An empty ESM project in the temporary folder, with the checkout's packages installed by links. */
function makeProjectFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'advisory-lock-project-'));
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }\n');
  symlinkSync(inProject('node_modules'), path.join(folder, 'node_modules'), 'junction');
  return folder;
}

function compile(text: string, fileName: string): string {
  const compilerOptions: ts.CompilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2022,
    verbatimModuleSyntax: true,
    inlineSourceMap: true,
    inlineSources: true,
  };
  return ts.transpileModule(text, { fileName, compilerOptions }).outputText;
}
