import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findSources } from '../../src/cli/files.js';
import { gate } from '../../src/cli/gate.js';
import { posix } from '../../src/cli/ignores.js';
import { wordsOf } from '../../src/types/index.js';
import { UsageError } from '../../src/cli/options.js';
import { removeRepositories, repository, type Repository } from './repository.js';

afterAll(removeRepositories);

const git = { '.git/HEAD': 'ref: refs/heads/main\n' };

function found(made: Repository, from = '.', ...paths: string[]): string[] {
  return findSources(paths, made.path(from)).files.map((file) => posix(relative(made.folder, file)));
}

describe('which files are sources', () => {
  test('by their endings, without declarations and what is made', () => {
    const names = ['a.ts', 'b.tsx', 'c.mts', 'd.cts', 'e.js', 'f.mjs', 'g.cjs', 'h.jsx'];
    const others = ['a.d.ts', 'b.d.mts', 'c.d.cts', 'd.json', 'e.md', 'f.min.js', '.pnp.cjs', 'node_modules/x/index.js', 'sub/node_modules/x/index.ts', 'dist/a.js', 'coverage/a.js', '.next/a.js', 'h.tsx.snap'];
    expect(found(repository(Object.fromEntries([...names, ...others].map((name) => [name, '']))))).toEqual(names);
  });

  test('a link is not followed, so that a circle ends', () => {
    const made = repository({ 'src/a.ts': '' });
    symlinkSync(made.folder, made.path('src/again'), 'junction');
    expect(found(made)).toEqual(['src/a.ts']);
  });

  test('in the order of their names, each once', () => {
    const made = repository({ 'b.ts': '', 'a/c.ts': '', 'a.ts': '' });
    expect(found(made, '.', 'a', '.', 'a/c.ts', 'b.ts')).toEqual(['a.ts', 'a/c.ts', 'b.ts']);
  });
});

describe('.gitignore', () => {
  test('patterns of the top, of folders below, and what they take back', () => {
    const made = repository({
      ...git,
      '.gitignore': '# made\ngenerated/\n*.gen.ts\n/only-here.ts\n!keep.gen.ts\n\\#odd.ts\n',
      'apps/.gitignore': 'local.ts\n!special.gen.ts\n',
      'apps/special.gen.ts': '', 'apps/local.ts': '', 'apps/deep/local.ts': '', 'apps/only-here.ts': '', 'apps/a.ts': '',
      'generated/a.ts': '', 'src/generated/a.ts': '', 'src/a.gen.ts': '', 'src/keep.gen.ts': '', 'src/local.ts': '', 'only-here.ts': '', '#odd.ts': '',
    });
    expect(found(made)).toEqual(['apps/a.ts', 'apps/only-here.ts', 'apps/special.gen.ts', 'src/keep.gen.ts', 'src/local.ts']);
  });

  test('nothing comes back from a folder that is left out', () => {
    const made = repository({ ...git, '.gitignore': 'out/\n!out/a.ts\n', 'out/.gitignore': '!a.ts\n', 'out/a.ts': '', 'b.ts': '' });
    expect(found(made)).toEqual(['b.ts']);
  });

  test('the lists above the folder count up to the top of the repository, and not further', () => {
    const made = repository({ '.gitignore': 'a.ts\n', 'repo/.git/HEAD': '', 'repo/.gitignore': 'b.ts\n', 'repo/.git/info/exclude': 'c.ts\n', 'repo/app/a.ts': '', 'repo/app/b.ts': '', 'repo/app/c.ts': '', 'repo/app/d.ts': '' });
    expect(found(made, 'repo/app')).toEqual(['repo/app/a.ts', 'repo/app/d.ts']);
  });

  test('without a repository, the lists of the folder itself', () => {
    const made = repository({ 'app/.gitignore': 'b.ts\n', 'app/a.ts': '', 'app/b.ts': '', 'app/sub/b.ts': '' });
    expect(found(made, 'app')).toEqual(['app/a.ts']);
  });

  test('what is named is looked at, whatever leaves it out', () => {
    const made = repository({ ...git, '.gitignore': 'build/\nlocal.ts\n', 'build/.gitignore': 'b.ts\n', 'build/a.ts': '', 'build/b.ts': '', 'local.ts': '', 'dist/a.js': '', 'types.d.ts': '' });
    expect(found(made, '.', 'build', 'local.ts', 'dist', 'types.d.ts')).toEqual(['build/a.ts', 'dist/a.js', 'local.ts', 'types.d.ts']);
  });
});

describe('projects that belong together', () => {
  const packages = {
    'package.json': '{ "private": true, "workspaces": ["packages/*"] }',
    'packages/app/package.json': '{ "name": "app" }', 'packages/app/a.ts': "import { lockSql } from '@x/db';\n",
    'packages/db/package.json': '{ "name": "@x/db" }', 'packages/db/index.ts': "export const lockSql = 'SELECT pg_advisory_lock(1)';\n", 'packages/db/other.ts': 'export const other = 1;\n',
  };

  test('workspaces are looked at from the top', () => {
    expect(found(repository(packages))).toEqual(['packages/app/a.ts', 'packages/db/index.ts', 'packages/db/other.ts']);
  });

  test('the references of tsconfig.json, and theirs, where no path is given', () => {
    const made = repository({
      ...packages,
      'packages/app/tsconfig.json': '{\n  // the database\n  "references": [{ "path": "../db" }, { "path": "../db/tsconfig.build.json", }, { "path": "../gone" }, { "path": 3 }], /* "x": "//" */\n}',
      'packages/db/tsconfig.json': '{ "references": [{ "path": "../core" }, { "path": "../app" }] }',
      'packages/core/tsconfig.json': '{ not JSON', 'packages/core/c.ts': '',
    });
    expect(found(made, 'packages/app')).toEqual(['packages/app/a.ts', 'packages/core/c.ts', 'packages/db/index.ts', 'packages/db/other.ts']);
    expect(found(made, 'packages/app', '.')).toEqual(['packages/app/a.ts']);
  });

  test('a file is worth parsing that imports lock SQL from a workspace beside its own', () => {
    const made = repository(packages);
    const passing = (from: string): string[] => gate(findSources([], made.path(from)), wordsOf(), () => { /* not shown */ }).passing.map((file) => posix(relative(made.folder, file)));
    expect(passing('packages/app')).toEqual(['packages/app/a.ts']);
    expect(passing('.')).toEqual(['packages/app/a.ts', 'packages/db/index.ts']);
    expect(passing('packages/db')).toEqual(['packages/db/index.ts']);
  });
});

test('a folder that nobody may read, and a path that is not there', () => {
  const made = repository({ 'a.ts': '' });
  mkdirSync(made.path('closed'), { mode: 0 });
  expect(found(made)).toEqual(['a.ts']);
  expect(() => found(made, '.', 'b.ts')).toThrow(UsageError);
  writeFileSync(made.path('notes.txt'), '');
  expect(() => found(made, '.', 'notes.txt')).toThrow(UsageError);
});
