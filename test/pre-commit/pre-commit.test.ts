import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, pooled, single } from '../ci/projects.js';
import { fileIn } from '../support/page.js';
import { removeUserProjects } from '../support/user-project.js';
import { hooks, installFramework, runByHand, version } from './framework.js';
import { type Repository, repositoryWith, setUpOf, shown } from './repository.js';

afterAll(removeUserProjects);

interface Tool {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly setUp: (repository: Repository) => Promise<unknown>;
  /** Whether it judges what is staged, or what lies on disk. */
  readonly judges: 'staged' | 'disk';
}

const runs = (line: string) => async (repository: Repository): Promise<void> => {
  const { status, stderr } = await repository.run(line);
  if (status !== 0) throw new Error(stderr);
};

const hookOfPage = (parse(fileIn('docs/pre-commit.md', '.pre-commit-config.yaml')) as { repos: readonly [{ hooks: typeof hooks }] }).repos[0].hooks;

const tools: Tool[] = [
  { name: 'husky and lint-staged', files: { ...shown('.husky/pre-commit'), ...shown('lint-staged.config.mjs') }, setUp: runs(setUpOf('npx husky')), judges: 'staged' },
  {
    name: 'husky and lint-staged without ESLint', setUp: runs(setUpOf('npx husky')), judges: 'staged',
    files: { ...shown('.husky/pre-commit'), 'lint-staged.config.mjs': fileIn('docs/pre-commit.md', 'without-eslint/lint-staged.config.mjs') },
  },
  { name: 'lefthook', files: shown('lefthook.yml'), setUp: runs(setUpOf('npx lefthook install')), judges: 'staged' },
  { name: 'the entry of the hook, run by hand in place of pre-commit', files: {}, setUp: (repository) => runByHand(repository, hooks[0]!), judges: 'disk' },
  ...(version === undefined ? [] : [{ name: `pre-commit ${version}`, files: shown('.pre-commit-config.yaml'), setUp: installFramework, judges: 'staged' as const }]),
];

if (version === undefined) console.warn('pre-commit is not installed here: its hook is run by hand only. To run it for real: pip install pre-commit.');

describe.each(tools)('$name', ({ files, setUp, judges }) => {
  let repository: Repository;
  beforeAll(async () => {
    repository = await repositoryWith({ 'src/db.ts': single, 'src/job.ts': job, 'README.md': '', ...files });
    await setUp(repository);
  });

  test('lets a correct commit pass', async () => {
    repository.write({ 'src/job.ts': `${job}// more\n`, 'src/other.ts': 'export const other = 1;\n' });
    const { status, stdout, stderr } = await repository.commit('src');
    expect(status, stdout + stderr).toBe(0);
    expect(await repository.commits()).toBe(2);
  });

  test('refuses a commit with the bug, and says why', async () => {
    repository.write({ 'src/faulty.ts': job.replace('./db.js', './pool.js'), 'src/pool.ts': pooled });
    const { status, stdout, stderr } = await repository.commit('src/faulty.ts', 'src/pool.ts');
    const said = stdout + stderr;
    expect(status, said).toBe(1);
    expect(said).toContain('`pg_advisory_lock` locks for one connection');
    expect(said).toContain('pg-advisory-lock/no-pooled-session-lock');
    expect(await repository.commits()).toBe(2);
  });

  // It is staged still; on disk it is repaired.
  if (judges === 'staged') test('judges what is staged, not what lies on disk', async () => {
    repository.write({ 'src/pool.ts': single });
    const { status, stdout, stderr } = await repository.commit();
    expect(status, stdout + stderr).toBe(1);
    expect(repository.read('src/pool.ts')).toBe(single);
    expect((await repository.commit('src/pool.ts')).status).toBe(0);
    expect(await repository.commits()).toBe(3);
  });

  test('has nothing to say of other files', async () => {
    const before = await repository.commits();
    await repository.run('git reset -q --hard');
    repository.write({ 'README.md': 'more\n', 'src/generated.ts': 'export const generated = 1;\n' });
    const { status, stdout, stderr } = await repository.commit('README.md', 'src/generated.ts');
    expect(status, stdout + stderr).toBe(0);
    expect(await repository.commits()).toBe(before + 1);
  });

  test('misses a lock in a file that is not in the commit', async () => {
    const before = await repository.commits();
    repository.write({ 'src/db.ts': pooled });
    expect((await repository.commit('src/db.ts')).status).toBe(0);
    expect(await repository.commits()).toBe(before + 1);
  });
});

describe('.pre-commit-hooks.yaml', () => {
  test('has the hook that docs/pre-commit.md shows', () => {
    expect(hooks.map(({ description: _, ...hook }) => hook)).toEqual(hookOfPage);
  });

  test('is what the framework asks for', () => {
    // https://pre-commit.com/#creating-new-hooks: these four are required, the others are known.
    const required = ['id', 'name', 'entry', 'language'];
    const known = [...required, 'description', 'types_or', 'require_serial'];
    for (const hook of hooks) {
      expect(Object.keys(hook)).toEqual(expect.arrayContaining(required));
      expect(Object.keys(hook).filter((key) => !known.includes(key))).toEqual([]);
      expect(hook.language).toBe('system');
    }
  });
});
