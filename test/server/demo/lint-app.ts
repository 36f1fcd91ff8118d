import path from 'node:path';
import { ESLint, type Linter } from 'eslint';
import { applySuggestions, type Applied } from '../apply-suggestions.js';
import type { Sources } from '../run-source.js';

export interface AppLint {
  /** As ESLint's default formatter prints it; empty where there is nothing to say. */
  readonly report: string;
  readonly problems: number;
}

export interface FixedApp {
  readonly sources: Sources;
  /** The quick fixes that were taken, by file. */
  readonly applied: ReadonlyMap<string, readonly Applied[]>;
  /** What ESLint still says. */
  readonly left: readonly Linter.LintMessage[];
}

/** Lints the app with its own configuration, as `npx eslint .` does in its folder. */
export async function lintApp(folder: string, colour: boolean): Promise<AppLint> {
  const eslint = new ESLint({ cwd: folder });
  const results = await eslint.lintFiles(['src']);
  const formatter = await eslint.loadFormatter('stylish');
  const report = await formatter.format(results, { color: colour });
  return { report, problems: results.reduce((sum, { messages }) => sum + messages.length, 0) };
}

/** Takes every quick fix that the editor would offer there, and leaves the files as they are. */
export async function fixApp(folder: string, before: Sources): Promise<FixedApp> {
  const eslint = new ESLint({ cwd: folder });
  const sources = new Map(before);
  const applied = new Map<string, readonly Applied[]>();
  const left: Linter.LintMessage[] = [];
  for (const [file, source] of before) {
    const filePath = path.join(folder, file);
    const lint = async (text: string) => (await eslint.lintText(text, { filePath })).flatMap(({ messages }) => messages);
    const rewritten = await applySuggestions(source, lint);
    sources.set(file, rewritten.text);
    left.push(...rewritten.messages);
    if (rewritten.applied.length > 0) applied.set(file, rewritten.applied);
  }
  return { sources, applied, left };
}
