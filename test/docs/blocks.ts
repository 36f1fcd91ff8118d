import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import type { ESLint } from 'eslint';
import type ts from 'typescript';
import { lint, nameOf } from '../support/lint.js';
import { type ProgramFactory, compileErrors } from '../support/program.js';

export interface Block {
  /** `docs/rules/no-x.md:12`, for messages. */
  readonly at: string;
  /** Where the block would stand as a file: blocks below one heading are files of one folder. */
  readonly path: string;
  readonly text: string;
  readonly verdict: 'incorrect' | 'correct' | undefined;
  /** What `settings: { ... }` above the block in its section says. */
  readonly settings: Record<string, unknown> | undefined;
}

interface Section {
  readonly level: number;
  readonly verdict: Block['verdict'];
}

/** A line that begins a section: a heading, or `Incorrect` or `Correct` as a paragraph of its own (`**Incorrect**`, `❌ Incorrect:`). */
const heading = /^(#{1,6}) (.*)$|^(?:\*\*)?(?:[❌✅] ?)?(Incorrect|Correct)\b/;
const fence = /^```(?:ts|tsx|typescript)(?: (.*))?$/;
const fileName = /^\/\/ ([\w./-]+\.[cm]?tsx?)$/m;

/** Every block of TypeScript in a page, except those whose fence says `skip`. A first line `// db.ts` names the file of a block. */
export function blocksOf(page: string, markdown: string, folder: string): Block[] {
  const lines = markdown.split('\n');
  const blocks: Block[] = [];
  let sections: Section[] = [];
  let section = 0;
  let settings: Block['settings'];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const [opened, info] = fence.exec(line) ?? [];
    if (line === '```js' && lines[index + 1]?.startsWith('settings: {')) settings = settingsIn(lines.slice(index + 1, endOf(lines, index)).join('\n'));
    if (opened === undefined && line.startsWith('```')) index = endOf(lines, index);
    if (opened !== undefined) {
      const end = endOf(lines, index);
      const text = `${lines.slice(index + 1, end).join('\n')}\n`;
      const name = text.startsWith('// ') ? fileName.exec(text)?.[1] : undefined;
      const path = join(folder, `section-${String(section)}`, name ?? `block-${String(index + 1)}.${line.includes('tsx') ? 'tsx' : 'ts'}`);
      if (!info?.includes('skip')) blocks.push({ at: `${page}:${String(index + 1)}`, path, text, verdict: sections.findLast(({ verdict }) => verdict)?.verdict, settings });
      index = end;
    } else {
      const next = sectionAt(line);
      if (next) sections = [...sections.filter(({ level }) => level < next.level), next];
      if (next) section += 1;
      if (next && next.level < 7) settings = undefined;
    }
  }
  return blocks;
}

/** Code of a page, as a config has it. */
function settingsIn(code: string): Record<string, unknown> {
  const { settings } = runInNewContext(`({ ${code} })`) as { settings: Record<string, Record<string, unknown>> };
  return structuredClone(settings['pg-advisory-lock'] ?? {});
}

function endOf(lines: readonly string[], start: number): number {
  const end = lines.findIndex((line, index) => index > start && line.startsWith('```'));
  return end < 0 ? lines.length : end;
}

function sectionAt(line: string): Section | undefined {
  const [found, hashes, title = '', paragraph] = heading.exec(line) ?? [];
  if (found === undefined) return undefined;
  const word = paragraph ?? /\b(incorrect|correct)\b/i.exec(title)?.[1];
  return { level: hashes?.length ?? 7, verdict: word?.toLowerCase() as Block['verdict'] };
}

/**
 * What is wrong with a block: it must compile, an incorrect one must be reported, any other must not. On the page of a rule
 * only that rule is asked; elsewhere all are.
 */
export function problemsOf(block: Block, rule: string | undefined, plugin: ESLint.Plugin, program: ts.Program): string[] {
  const rules = rule === undefined ? undefined : { [`${nameOf(plugin)}/${rule}`]: 'error' as const };
  const { reports, failures } = lint(plugin, block.path, block.text, { program, rules, settings: block.settings });
  const problems = [...failures, ...compileErrors(program, block.path)];
  if (block.verdict === 'incorrect' && reports.length === 0) problems.push('nothing is reported in an incorrect block');
  if (block.verdict !== 'incorrect') problems.push(...reports.map(({ line, message }) => `line ${String(line)} of a ${block.verdict ?? 'plain'} block is reported: ${message}`));
  return problems;
}

export function programOf(blocks: readonly Block[], factory: ProgramFactory): ts.Program {
  return factory.create(new Map(blocks.map(({ path, text }) => [path, text])));
}
