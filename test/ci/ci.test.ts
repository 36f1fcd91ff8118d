import { afterAll, describe, expect, test } from 'vitest';
import { fencesOf } from '../support/page.js';
import { removeUserProjects } from '../support/user-project.js';
import { findingsIn, found, job, pooled, projectWith, single } from './projects.js';

/** What docs/ci.md says beside its jobs. */

afterAll(removeUserProjects);

const eslint = 'node_modules/.bin/eslint .';
const asWarnings = `import config from './eslint.config.mjs';
const weaker = (one) => ({ ...one, rules: Object.fromEntries(Object.keys(one.rules ?? {}).map((rule) => [rule, 'warn'])) });
export default config.map(weaker);
`;

describe('exit codes', () => {
  test('of ESLint: warnings pass, unless they are limited; a broken config is another failure', async () => {
    const project = projectWith(pooled, { 'warn.config.mjs': asWarnings, 'broken.config.mjs': 'export default [{ rules: { "pg-advisory-lock/none": 2 } }];\n' });
    expect((await project.run(`${eslint} -c warn.config.mjs`)).status).toBe(0);
    expect((await project.run(`${eslint} -c warn.config.mjs --max-warnings 0`)).status).toBe(1);
    expect((await project.run(`${eslint} -c broken.config.mjs`)).status).toBe(2);
  });

  test('of oxlint: warnings pass, unless they are denied; a broken config is 1, too', async () => {
    const project = projectWith(pooled);
    project.write({ '.oxlintrc.json': project.read('.oxlintrc.json').replaceAll('"error"', '"warn"') });
    expect((await project.run('node_modules/.bin/oxlint')).status).toBe(0);
    expect((await project.run('node_modules/.bin/oxlint --deny-warnings')).status).toBe(1);
    project.write({ '.oxlintrc.json': '{' });
    expect((await project.run('node_modules/.bin/oxlint')).status).toBe(1);
  });
});

test('eslint-formatter-gha writes annotations', async () => {
  const { status, stdout } = await projectWith(pooled).run(`${eslint} --format gha`, { GITHUB_ACTIONS: 'true' });
  expect(status).toBe(1);
  expect([...stdout.matchAll(/^::error file=.*src\/job\.ts,line=(\d+)/gm)].map(([, line]) => line)).toEqual(['4', '8']);
});

test('old findings are set aside, new ones are not', async () => {
  const [first = '', then = ''] = commandsWith('--suppress-all');
  const project = projectWith(pooled);
  expect((await project.run(first)).status).toBe(0);
  expect((await project.run(then)).status).toBe(0);
  project.write({ 'src/more.ts': job });
  expect((await project.run(then)).status).toBe(1);
});

test('with a cache, a change of another file is missed; the command does not miss it', async () => {
  const [cached = '', beside = ''] = commandsWith('--cache');
  const project = projectWith(single);
  expect((await project.run(cached)).status).toBe(0);
  project.write({ 'src/db.ts': pooled });
  // When this fails, ESLint has learnt of other files, and docs/ci.md has a section too many.
  expect((await project.run(cached)).status).toBe(0);
  expect((await project.run(beside)).status).toBe(1);
  const { stdout, status } = await project.run(`${eslint} --format json`);
  expect([status, findingsIn(stdout)]).toEqual([1, found]);
});

test('threads change nothing', async () => {
  const { stdout, status } = await projectWith(pooled, { 'src/other.ts': job }).run(`${eslint} --concurrency 2 --format json`);
  expect([status, findingsIn(stdout)]).toEqual([1, [...found, ...found]]);
});

/** The lines of the one block of shell that has such a line. */
function commandsWith(text: string): string[] {
  const [only, ...more] = fencesOf('docs/ci.md').filter((fence) => fence.language === 'sh' && fence.text.includes(text));
  expect([only, more]).toEqual([expect.anything(), []]);
  return only?.text.trim().split('\n') ?? [];
}
