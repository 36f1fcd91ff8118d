import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { plainEnvironment } from '../support/user-project.js';
import { hooksManifest, setUpOf, type Repository } from './repository.js';

/** One hook, as https://pre-commit.com/#new-hooks describes it. */
export interface Hook {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly language: string;
  readonly entry: string;
  readonly types_or: readonly string[];
  readonly require_serial: boolean;
}

export const hooks = parse(hooksManifest) as readonly Hook[];

const asked = spawnSync('pre-commit', ['--version'], { encoding: 'utf8', env: plainEnvironment() });

/** The framework is written in Python, so it may not be there: `undefined`. */
export const version = /^pre-commit (\d+\.\d+\.\d+)/.exec(asked.error ? '' : asked.stdout)?.[1];

export async function installFramework(repository: Repository): Promise<void> {
  const { status, stderr } = await repository.run(setUpOf('pre-commit install'));
  if (status !== 0) throw new Error(stderr);
}

/** The endings of the files that have a type of the framework, as far as they concern us. */
const endings: Readonly<Record<string, string>> = { javascript: 'js|mjs|cjs', jsx: 'jsx', ts: 'ts|mts|cts', tsx: 'tsx' };

/** In place of the framework: a hook of git that runs the entry with the names of the staged files of its types, once. */
export async function runByHand({ folder }: Repository, { entry, types_or: types }: Hook): Promise<void> {
  const file = join(folder, '.git/hooks/pre-commit');
  const pattern = types.map((type) => endings[type] ?? 'no-such-type').join('|');
  writeFileSync(file, `#!/bin/sh\nfiles=$(git diff --cached --name-only --diff-filter=ACMRTUXB | grep -E '\\.(${pattern})$') || exit 0\nexec ${entry} $files\n`);
  chmodSync(file, 0o755);
}
