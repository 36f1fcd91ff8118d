import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { fileIn } from '../support/page.js';
import { plainEnvironment } from '../support/user-project.js';
import { hooksManifest, page, setUpOf, shown, type Repository } from './repository.js';

/** One hook of pre-commit, as https://pre-commit.com/#new-hooks describes it. */
export interface Hook {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly language: string;
  readonly entry: string;
  readonly types_or: readonly string[];
  readonly require_serial: boolean;
}

interface Lefthook {
  readonly 'pre-commit': { readonly jobs: readonly { readonly glob: string; readonly run: string }[] };
}

/** Something that runs the linter before a commit. */
export interface Tool {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly setUp: (repository: Repository) => Promise<void>;
  /** Whether it judges what is staged, or what lies on disk. */
  readonly judges: 'staged' | 'disk';
}

export const hooks = parse(hooksManifest) as readonly Hook[];

/** The version of a program that may not be installed: `undefined`. */
function versionOf(program: string, ...args: readonly string[]): string | undefined {
  const asked = spawnSync(program, args, { encoding: 'utf8', env: plainEnvironment() });
  return asked.error ? undefined : /\d+\.\d+\.\d+/.exec(asked.stdout)?.[0];
}

const setUpBy = (line: string) => async (repository: Repository): Promise<void> => {
  const { status, stderr } = await repository.run(line);
  if (status !== 0) throw new Error(stderr);
};

/** In place of a tool: a hook of git that runs a line with the names of the staged files that have one of these endings. */
function byHand(line: string, endings: readonly string[]): Pick<Tool, 'files' | 'setUp' | 'judges'> {
  const script = `#!/bin/sh\nset -- $(git diff --cached --name-only --diff-filter=ACMR | grep -E '\\.(${endings.join('|')})$')\n[ $# -eq 0 ] || ${line.includes('{staged_files}') ? line.replace('{staged_files}', '"$@"') : `${line} "$@"`}\n`;
  return {
    files: {}, judges: 'disk',
    setUp: async ({ folder }) => {
      const file = join(folder, '.git/hooks/pre-commit');
      writeFileSync(file, script);
      chmodSync(file, 0o755);
    },
  };
}

/** The endings of the files that have a type of pre-commit, as far as they concern us. */
const endingsOf: Readonly<Record<string, readonly string[]>> = { javascript: ['js', 'mjs', 'cjs'], jsx: ['jsx'], ts: ['ts', 'mts', 'cts'], tsx: ['tsx'] };

/** lefthook's package writes hooks into the repository that installs it, and pre-commit is a program in Python: they are used where they are. */
const lefthook = versionOf('lefthook', 'version');
const framework = versionOf('pre-commit', '--version');

export const absent = [lefthook === undefined ? 'lefthook' : [], framework === undefined ? 'pre-commit' : []].flat();

export const tools: readonly Tool[] = [
  { name: 'husky and lint-staged', files: { ...shown('.husky/pre-commit'), ...shown('lint-staged.config.mjs') }, setUp: setUpBy(setUpOf('npx husky')), judges: 'staged' },
  {
    name: 'husky and lint-staged without ESLint', setUp: setUpBy(setUpOf('npx husky')), judges: 'staged',
    files: { ...shown('.husky/pre-commit'), 'lint-staged.config.mjs': fileIn(page, 'without-eslint/lint-staged.config.mjs') },
  },
  ...(parse(fileIn(page, 'lefthook.yml')) as Lefthook)['pre-commit'].jobs.map(({ glob, run }): Tool => ({
    name: 'the line of lefthook, run by hand', ...byHand(run, /\{(.*)\}/.exec(glob)?.[1]?.split(',') ?? []),
  })),
  ...hooks.map(({ entry, types_or: types }): Tool => ({ name: 'the entry of pre-commit, run by hand', ...byHand(entry, types.flatMap((type) => endingsOf[type] ?? [])) })),
  ...(lefthook === undefined ? [] : [{ name: `lefthook ${lefthook}`, files: shown('lefthook.yml'), setUp: setUpBy(setUpOf('npx lefthook install').replace('npx ', '')), judges: 'staged' as const }]),
  ...(framework === undefined ? [] : [{ name: `pre-commit ${framework}`, files: shown('.pre-commit-config.yaml'), setUp: setUpBy(setUpOf('pre-commit install')), judges: 'staged' as const }]),
];
