import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { inProject } from '../support/paths.js';
import { ourPlugin, ourRules } from '../support/plugin.js';
import { ProgramFactory, compilerOptionsOf } from '../support/program.js';
import { blocksOf, problemsOf, programOf } from './blocks.js';

interface Page {
  readonly name: string;
  /** The rule that the page is about; `undefined` where it is about all. */
  readonly rule: string | undefined;
  readonly text: string;
}

const rulePages = readdirSync(inProject('docs/rules')).filter((file) => file.endsWith('.md'));
const pages: Page[] = [
  pageAt('README.md', undefined),
  ...readdirSync(inProject('docs')).filter((file) => file.endsWith('.md')).map((file) => pageAt(`docs/${file}`, undefined)),
  ...rulePages.map((file) => pageAt(`docs/rules/${file}`, file.slice(0, -'.md'.length))),
];

function pageAt(name: string, rule: string | undefined): Page {
  return { name, rule, text: existsSync(inProject(name)) ? readFileSync(inProject(name), 'utf8') : '' };
}

const blocks = pages.flatMap((page) => blocksOf(page.name, page.text, inProject(page.name.replace(/\.md$/, ''))).map((block) => ({ ...block, page })));
const program = programOf(blocks, new ProgramFactory(compilerOptionsOf(inProject('fixtures/tsconfig.json'))));

test('every rule has a page, every page has a rule', () => {
  expect(rulePages.sort()).toEqual([...ourRules.keys()].map((rule) => `${rule}.md`).sort());
});

test.each(blocks.map((block) => [block.at, block] as const))('the block at %s is as it says', (_at, block) => {
  expect(problemsOf(block, block.page.rule, ourPlugin, program)).toEqual([]);
});

describe.each([...ourRules])('%s', (name, rule) => {
  const page = pages.find((one) => one.rule === name);

  test('shows incorrect and correct code', () => {
    const verdicts = blocks.filter((block) => block.page === page).map(({ verdict }) => verdict);
    expect(verdicts).toEqual(expect.arrayContaining(['incorrect', 'correct']));
  });

  test('has a heading for every option', () => {
    const [schema] = [rule.meta?.schema ?? []].flat() as { properties?: object }[];
    const missing = Object.keys(schema?.properties ?? {}).filter((option) => !page?.text.split('\n').includes(`### \`${option}\``));
    expect(missing).toEqual([]);
  });

  test('has the address of its page, if any', () => {
    const { url = `https://example.org/docs/rules/${name}.md` } = rule.meta?.docs ?? {};
    expect(url).toMatch(new RegExp(`^https://.*/docs/rules/${name}\\.md$`));
  });
});
