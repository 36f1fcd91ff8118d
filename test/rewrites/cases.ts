import { readFileSync, writeFileSync } from 'node:fs';
import { inProject } from '../support/paths.js';

/** One rewrite: code as a user has it, and what it becomes; without `after`, no rewrite is offered. */
export interface RewriteCase {
  readonly title: string;
  readonly before: string;
  readonly after: string | undefined;
}

const BLOCK = /^```ts (prelude|before|after)\n([\s\S]*?)^```$/gm;

export const pathOfCases = (name: string): string => inProject(`test/rewrites/cases/${name}.md`);

/** The cases of a page: headings, each with a block of code before and one after. The `prelude` is the start of each file. */
export function readCases(name: string): RewriteCase[] {
  const [head = '', ...sections] = readFileSync(pathOfCases(name), 'utf8').split(/^## /m);
  const prelude = blocksOf(head).get('prelude') ?? '';
  return sections.map((section) => {
    const blocks = blocksOf(section);
    const before = blocks.get('before');
    if (before === undefined) throw new Error(`No code in: ${section}`);
    const after = blocks.get('after');
    return { title: section.slice(0, section.indexOf('\n')), before: prelude + before, after: after === undefined ? undefined : prelude + after };
  });
}

/** Writes what each case becomes into the page. */
export function blessCases(name: string, made: ReadonlyMap<string, string | undefined>): void {
  const path = pathOfCases(name);
  const [head = '', ...sections] = readFileSync(path, 'utf8').split(/^## /m);
  const prelude = blocksOf(head).get('prelude') ?? '';
  const blessed = sections.map((section) => {
    const title = section.slice(0, section.indexOf('\n'));
    const before = blocksOf(section).get('before') ?? '';
    const after = made.get(title);
    const block = (kind: string, code: string): string => `\`\`\`ts ${kind}\n${code}\`\`\`\n`;
    return `## ${title}\n\n${block('before', before)}${after === undefined ? '' : `\n${block('after', after.slice(prelude.length))}`}`;
  });
  writeFileSync(path, [head.trimEnd(), ...blessed].join('\n\n').replace(/\n{3,}(?=## )/g, '\n\n').trimEnd() + '\n');
}

const blocksOf = (text: string): Map<string, string> => new Map([...text.matchAll(BLOCK)].map(([, kind = '', code = '']) => [kind, code]));
