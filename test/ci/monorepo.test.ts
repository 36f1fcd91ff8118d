import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { removeUserProjects, type UserProject } from '../support/user-project.js';
import { findingsIn, found, job, pooled, projectOf, single } from './projects.js';

/** Workspaces that reference each other, none of them built: `jobs` locks with the handle that `db` exports. */

afterAll(removeUserProjects);

const typed = `import tseslint from 'typescript-eslint';
import pgAdvisoryLock from 'eslint-plugin-pg-advisory-lock';
export default [
  { ignores: ['**/dist/'] },
  { ...tseslint.configs.base, files: ['**/*.ts'] },
  { files: ['**/*.ts'], languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } } },
  pgAdvisoryLock.configs.recommended,
];
`;

const options = '"target": "es2022", "module": "nodenext", "strict": true, "composite": true, "declaration": true, "rootDir": "src", "outDir": "dist", "types": ["node"]';

function monorepo(db: string, isReferenced = true): UserProject {
  const project = projectOf({
    'package.json': '{ "private": true, "type": "module", "workspaces": ["packages/*"] }\n',
    'typed.config.mjs': typed,
    'tsconfig.json': '{ "files": [], "references": [{ "path": "packages/db" }, { "path": "packages/jobs" }] }\n',
    'packages/db/package.json': '{ "name": "@acme/db", "type": "module", "exports": { ".": { "types": "./dist/index.d.ts", "default": "./dist/index.js" } } }\n',
    'packages/db/tsconfig.json': `{ "compilerOptions": { ${options} }, "include": ["src"] }\n`,
    'packages/db/src/index.ts': db,
    'packages/jobs/package.json': '{ "name": "@acme/jobs", "type": "module", "dependencies": { "@acme/db": "workspace:*" } }\n',
    'packages/jobs/tsconfig.json': `{ "compilerOptions": { ${options} }, "include": ["src"]${isReferenced ? ', "references": [{ "path": "../db" }]' : ''} }\n`,
    'packages/jobs/src/job.ts': job.replace('./db.js', '@acme/db'),
  });
  const link = join(project.folder, 'node_modules/@acme/db');
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(join(project.folder, 'packages/db'), link, 'junction');
  return project;
}

const programs = {
  'ESLint, with types on demand': '"$TOP/node_modules/.bin/eslint" . --format json',
  'ESLint, with types of its config': '"$TOP/node_modules/.bin/eslint" . -c "$TOP/typed.config.mjs" --format json',
  'the command': '"$TOP/node_modules/.bin/eslint-plugin-pg-advisory-lock" --format json',
};

async function look(project: UserProject, line: string, path = '.'): Promise<unknown[]> {
  const { stdout, status } = await project.run(`cd ${path} && ${line}`, { TOP: project.folder });
  return [status, ...findingsIn(stdout)];
}

describe.each(Object.entries(programs))('%s', (_name, line) => {
  test('follows a reference, at the top and in the package', async () => {
    const project = monorepo(pooled);
    expect(await look(project, line)).toEqual([1, ...found]);
    expect(await look(project, line, 'packages/jobs')).toEqual([1, ...found]);
  });

  test('has nothing to say of one connection', async () => {
    expect(await look(monorepo(single), line)).toEqual([0]);
  });
});

test('a package that is not referenced is known once it is built', async () => {
  const project = monorepo(pooled, false);
  const lines = [programs['ESLint, with types on demand'], programs['ESLint, with types of its config']];
  for (const line of lines) expect(await look(project, line)).toEqual([0]);
  expect((await project.run('node_modules/.bin/tsc -b packages/db')).status).toBe(0);
  for (const line of lines) expect(await look(project, line)).toEqual([1, ...found]);
});
