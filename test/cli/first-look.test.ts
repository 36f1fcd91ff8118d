import { existsSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { inProject } from '../support/paths.js';
import { run, removeRepositories, repository } from './repository.js';
import { shop } from './shop.js';

afterAll(removeRepositories);

interface Shown {
  readonly line: string;
  readonly args: readonly string[];
  /** What the page shows as its output. */
  readonly output: string | undefined;
}

/** The commands of a page's blocks of shell, with the block of text after each, if that is its output: below the same heading. */
function commandsOf(page: string): Shown[] {
  const blocks = [...readFileSync(inProject(page), 'utf8').matchAll(/^```(\w*)\n([^]*?)^```$|^#+ (?=.)/gm)].map(([, language = 'heading', text = '']) => ({ language, text }));
  return blocks.flatMap(({ language, text }, index) => {
    if (language !== 'sh') return [];
    const next = blocks[index + 1];
    const lines = text.split('\n').filter((line) => line.startsWith('npx eslint-plugin-pg-advisory-lock'));
    return lines.map((line, at) => ({ line, args: line.replace(/ +#.*$/, '').split(/ +/).slice(2), output: at === lines.length - 1 && next && /^(?:text|diff|mermaid)$/.test(next.language) ? next.text : undefined }));
  });
}

describe.each(['docs/first-look.md', 'README.md'])('%s', (page) => {
  const commands = commandsOf(page);

  test('shows commands', () => {
    expect(commands.length).toBeGreaterThan(0);
  });

  test.each(commands.map((one) => [one.line, one] as const))('%s', (_line, { args, output }) => {
    const { folder, path } = repository(shop);
    const { status, stdout, stderr } = run(folder, ...args);
    expect([stderr, stdout].join(''), String(status)).not.toContain('--help shows how to call it');
    expect(status).toBe(args.includes('--help') || args.includes('--inventory') || args.includes('--fix-suggestions') ? 0 : 1);
    if (output !== undefined) expect(stdout.trimEnd()).toBe(output.trimEnd());
    const file = args[args.findIndex((one) => one === '--output-file' || one === '-o') + 1];
    if (args.some((one) => one === '--output-file' || one === '-o')) expect(existsSync(path(file ?? ''))).toBe(true);
  });
});

test('the page names every option and every format', () => {
  const text = readFileSync(inProject('docs/first-look.md'), 'utf8');
  const options = [...run(inProject(''), '--help').stdout.matchAll(/--(?:\[no-\])?[a-z-]+/g)].map(([option]) => option.replace('[no-]', ''));
  expect(options.filter((option) => !text.includes(option))).toEqual([]);
});
