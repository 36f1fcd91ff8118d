import { readFileSync } from 'node:fs';
import { inProject } from './paths.js';

/** A block of code in a page. */
export interface Fence {
  readonly language: string;
  readonly text: string;
  /** The file that its first line names in a comment (`# .gitlab-ci.yml`), or the paragraph before it (`` `.oxlintrc.json`: ``). */
  readonly file: string | undefined;
  /** `docs/ci.md:12`, for messages. */
  readonly at: string;
}

const BLOCK = /^```(\w+)[^\n]*\n([^]*?)^```$/gm;
const IN_COMMENT = /^(?:#|\/\/) ([\w./-]*[./][\w./-]+)$/;
const IN_PARAGRAPH = /(?:^|[\s(])`([\w./-]*[./][\w./-]+)`[^\n`]*\n\n$/;

export function fencesOf(page: string): Fence[] {
  const markdown = readFileSync(inProject(page), 'utf8');
  return [...markdown.matchAll(BLOCK)].map(({ 1: language = '', 2: text = '', index }) => {
    const [firstLine = ''] = text.split('\n');
    const before = markdown.slice(0, index);
    return { language, text, file: IN_COMMENT.exec(firstLine)?.[1] ?? IN_PARAGRAPH.exec(before)?.[1], at: `${page}:${before.split('\n').length}` };
  });
}

/** The text of the first block that stands for this file. */
export function fileIn(page: string, file: string): string {
  const found = fencesOf(page).find((fence) => fence.file === file);
  if (!found) throw new Error(`${page} has no block for ${file}.`);
  return found.text;
}
