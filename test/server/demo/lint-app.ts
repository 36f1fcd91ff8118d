import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ESLint } from 'eslint';
import { applySuggestions, type Applied } from '../apply-suggestions.js';
import { makeProjectFolder } from '../run-source.js';

export interface AppLint {
  /** As ESLint's default formatter prints it; empty where there is nothing to say. */
  readonly report: string;
  readonly problems: number;
}

export interface FixedApp {
  readonly folder: string;
  /** By path relative to the app. */
  readonly applied: ReadonlyMap<string, readonly Applied[]>;
  remove(): void;
}

/** Lints the app with its own configuration, as `npx eslint .` does in its folder. */
export async function lintApp(folder: string, colour: boolean): Promise<AppLint> {
  const eslint = new ESLint({ cwd: folder });
  const results = await eslint.lintFiles(['src']);
  const formatter = await eslint.loadFormatter('stylish');
  const report = await formatter.format(results, { color: colour });
  return { report, problems: results.reduce((sum, { messages }) => sum + messages.length, 0) };
}

/** Copies the app and takes every quick fix that the editor would offer there. */
export async function fixApp(folder: string, files: Iterable<string>): Promise<FixedApp> {
  const copy = makeProjectFolder();
  cpSync(folder, copy, { recursive: true, filter: source => !source.includes('node_modules') });
  const eslint = new ESLint({ cwd: copy });
  const applied = new Map<string, readonly Applied[]>();
  for (const file of files) {
    const filePath = path.join(copy, file);
    const lint = async (text: string) => (await eslint.lintText(text, { filePath })).flatMap(({ messages }) => messages);
    const rewritten = await applySuggestions(readFileSync(filePath, 'utf8'), lint);
    writeFileSync(filePath, rewritten.text);
    if (rewritten.applied.length > 0) applied.set(file, rewritten.applied);
  }
  return { folder: copy, applied, remove: () => rmSync(copy, { recursive: true, force: true }) };
}
