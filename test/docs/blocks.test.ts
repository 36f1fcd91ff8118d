import { expect, test } from 'vitest';
import { toyPlugin } from '../fixtures/toy-plugin.js';
import { inProject } from '../support/paths.js';
import { ProgramFactory, compilerOptionsOf } from '../support/program.js';
import { blocksOf, problemsOf, programOf } from './blocks.js';

const factory = new ProgramFactory(compilerOptionsOf(inProject('fixtures/tsconfig.json')));
const folder = inProject('docs/rules/toy');

const page = `# Toy

\`\`\`sh
# Incorrect
\`\`\`

## Examples

### Incorrect code

\`\`\`ts
// db.ts
export const db = 1;
\`\`\`

#### With more

\`\`\`ts
one
\`\`\`

### Correct

\`\`\`tsx
two
\`\`\`
\`\`\`ts skip
three
\`\`\`

**Incorrect**

\`\`\`ts
four
\`\`\`

## Other

\`\`\`ts
five
\`\`\`
`;

test('blocks know where they stand and what is expected of them', () => {
  expect(blocksOf('toy.md', page, '/d').map(({ at, path, text, verdict }) => [at, path, text.trim(), verdict])).toEqual([
    ['toy.md:11', '/d/section-3/db.ts', '// db.ts\nexport const db = 1;', 'incorrect'],
    ['toy.md:18', '/d/section-4/block-18.ts', 'one', 'incorrect'],
    ['toy.md:24', '/d/section-5/block-24.tsx', 'two', 'correct'],
    ['toy.md:33', '/d/section-6/block-33.ts', 'four', 'incorrect'],
    ['toy.md:39', '/d/section-7/block-39.ts', 'five', undefined],
  ]);
});

function problems(title: string, code: string, rule?: string): string[] {
  const blocks = blocksOf('toy.md', `## ${title}\n\`\`\`ts\n${code}\n\`\`\`\n`, folder);
  const program = programOf(blocks, factory);
  return blocks.flatMap((block) => problemsOf(block, rule, toyPlugin(), program));
}

test('an incorrect block must be reported, by the rule of its page', () => {
  const code = 'declare const foo: number;\nvoid foo;';
  expect(problems('Incorrect', code)).toEqual([]);
  expect(problems('Incorrect', code, 'no-foo')).toEqual([]);
  expect(problems('Incorrect', code, 'no-bar')).toEqual(['nothing is reported in an incorrect block']);
  expect(problems('Incorrect', 'export const other = 1;')).toEqual(['nothing is reported in an incorrect block']);
});

test('a correct block must not be reported', () => {
  const code = 'declare const foo: number;\nvoid foo;';
  expect(problems('Correct', code)).toEqual(['line 2 of a correct block is reported: No foo here.']);
  expect(problems('Correct', code, 'no-bar')).toEqual([]);
  expect(problems('Other', code)).toEqual(['line 2 of a plain block is reported: No foo here.']);
});

test('every block must compile', () => {
  expect(problems('Other', 'export const other: string = 1;')).toEqual([expect.stringContaining('TS2322')]);
  expect(problems('Other', 'export const = 1;')).not.toEqual([]);
});

test('blocks below one heading may import each other', () => {
  const text = '## Correct\n```ts\n// db.ts\nexport const db = 1;\n```\n```ts\nimport { db } from \'./db\';\nexport const text: string = db;\n```\n';
  const blocks = blocksOf('toy.md', text, folder);
  const program = programOf(blocks, factory);
  expect(blocks.flatMap((block) => problemsOf(block, undefined, toyPlugin(), program))).toEqual([expect.stringContaining('TS2322')]);
});
