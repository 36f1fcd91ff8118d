import { readFileSync } from 'node:fs';
import { inProject } from '../support/paths.js';
import { fencesOf, fileIn } from '../support/page.js';
import { type Outcome, type UserProject, userProject } from '../support/user-project.js';

const packages = ['eslint', 'typescript', 'typescript-eslint', 'pg', '@types/pg', '@types/node', 'husky', 'lint-staged'];

/** Somebody who commits, with no configuration of git but that of the repository. */
const committer = {
  GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.org', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.org',
};

export interface Repository extends UserProject {
  /** Adds what is named, and commits what is added. */
  commit(...paths: readonly string[]): Promise<Outcome>;
  commits(): Promise<number>;
}

/** A repository of git with one commit, in which the plugin is installed and configured as the README says. */
export async function repositoryWith(files: Readonly<Record<string, string>>): Promise<Repository> {
  const project = userProject(packages, {
    'package.json': '{ "type": "module" }\n',
    '.gitignore': 'node_modules\n.eslintcache\n',
    'tsconfig.json': '{ "compilerOptions": { "target": "es2022", "module": "nodenext", "strict": true, "noEmit": true, "types": ["node"] }, "include": ["src"] }\n',
    'eslint.config.mjs': fileIn('README.md', 'eslint.config.mjs').replace('export default defineConfig(', "export default defineConfig({ ignores: ['src/generated.ts'] }, "),
    ...files,
  });
  const run = (line: string, env: Readonly<Record<string, string>> = {}): Promise<Outcome> => project.run(line, { ...committer, ...env });
  const repository: Repository = {
    ...project, run,
    commit: (...paths) => run(`${paths.length > 0 ? `git add ${paths.join(' ')} && ` : ''}git commit -q -m change`),
    commits: async () => Number((await run('git rev-list --count HEAD')).stdout),
  };
  const made = await run('git init -q && git add . && git commit -q -m start');
  if (made.status !== 0) throw new Error(made.stderr);
  return repository;
}

export const page = 'docs/pre-commit.md';

/** A file as docs/pre-commit.md shows it. */
export const shown = (file: string): Readonly<Record<string, string>> => ({ [file]: fileIn(page, file) });

/** The line with which docs/pre-commit.md sets a tool up, where all is installed. */
export function setUpOf(start: string): string {
  const lines = fencesOf(page).filter(({ language }) => language === 'sh').flatMap(({ text }) => text.split('\n'));
  const [only, ...more] = lines.filter((line) => line.startsWith(start));
  if (only === undefined || more.length > 0) throw new Error(`${page} should have one line that begins with ${start}.`);
  return only;
}

export const hooksManifest = readFileSync(inProject('.pre-commit-hooks.yaml'), 'utf8');
