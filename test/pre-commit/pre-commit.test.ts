import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, pooled, single } from '../ci/projects.js';
import { fileIn } from '../support/page.js';
import { removeUserProjects } from '../support/user-project.js';
import { page, type Repository, repositoryWith } from './repository.js';
import { absent, hooks, tools } from './tools.js';

afterAll(removeUserProjects);

const hookOfPage = (parse(fileIn(page, '.pre-commit-config.yaml')) as { repos: readonly [{ hooks: typeof hooks }] }).repos[0].hooks;

if (absent.length > 0) console.warn(`Not installed here, so that only what they run is run, by hand: ${absent.join(', ')}.`);

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
