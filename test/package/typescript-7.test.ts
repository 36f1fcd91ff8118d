import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everything, type Installed, type Project, pack, projectWith, type Tarball } from './project.js';

let tarball: Tarball;
const projects: Project[] = [];
beforeAll(() => { tarball = pack(); });
afterAll(() => {
  tarball.remove();
  for (const project of projects) project.remove();
});

const files = {
  'tsconfig.json': '{ "compilerOptions": { "target": "es2022", "module": "nodenext", "strict": true, "noEmit": true, "types": ["node"], "skipLibCheck": true }, "include": ["*.ts"] }',
  'db.ts': "import { Pool } from 'pg';\nexport const pool = new Pool();\n",
  'here.ts': "import { Pool } from 'pg';\nconst pool = new Pool();\nexport const here = () => pool.query('SELECT pg_advisory_lock(1)');\n",
  'job.ts': "import { pool } from './db.js';\nexport const job = () => pool.query('SELECT pg_advisory_lock(2)');\n",
  '.oxlintrc.json': JSON.stringify({ categories: { correctness: 'off' }, jsPlugins: ['eslint-plugin-pg-advisory-lock'], rules: { 'pg-advisory-lock/no-pooled-session-lock': 'error' } }),
  'eslint.config.mjs': "import tseslint from 'typescript-eslint';\nimport plugin from 'eslint-plugin-pg-advisory-lock';\nexport default [{ files: ['**/*.ts'], languageOptions: { parser: tseslint.parser } }, { ...plugin.configs.recommended, files: ['**/*.ts'] }];\n",
};

function project(installed: Installed): string {
  const made = projectWith(tarball, installed, files);
  projects.push(made);
  return made.folder;
}

/** Each package is a link; kept as links, they find the `typescript` of this project, as those of a user do. */
const asInstalled = { NODE_OPTIONS: '--preserve-symlinks --preserve-symlinks-main' };

function oxlint(folder: string): { files: string[]; stderr: string } {
  const { stdout, stderr } = spawnSync(process.execPath, ['node_modules/oxlint/bin/oxlint', '--format', 'json', '--no-ignore', 'db.ts', 'here.ts', 'job.ts'], { cwd: folder, encoding: 'utf8', env: { ...process.env, ...asInstalled } });
  return { files: (JSON.parse(stdout) as { diagnostics: { filename: string }[] }).diagnostics.map(({ filename }) => filename).sort(), stderr };
}

test('where TypeScript is 7, oxlint finds what one file shows, and says why no more', () => {
  const folder = project({ ...everything(), typescript: 'typescript-7' });
  const { files: found, stderr } = oxlint(folder);
  expect(found).toEqual(['here.ts']);
  expect(stderr).toContain('TypeScript 7.0.2 has no JavaScript API that linters can use');
  expect(stderr).toContain('npm install --save-dev typescript@npm:@typescript/typescript6 typescript-7@npm:typescript@7');
});

describe('with TypeScript 6 under its name, and 7 beside it', () => {
  let folder = '';
  beforeAll(() => { folder = project(everything()); });

  test('the project compiles with 7', () => {
    const { stdout, status } = spawnSync(process.execPath, ['node_modules/typescript-7/bin/tsc', '-p', '.'], { cwd: folder, encoding: 'utf8' });
    expect([stdout, status]).toEqual(['', 0]);
    expect(spawnSync(process.execPath, ['node_modules/typescript-7/bin/tsc', '--version'], { cwd: folder, encoding: 'utf8' }).stdout).toContain('Version 7.');
  });

  test('oxlint gives the full verdicts', () => {
    expect(oxlint(folder)).toEqual({ files: ['here.ts', 'job.ts'], stderr: '' });
  });

  test('ESLint gives the full verdicts', () => {
    const { stdout } = spawnSync(process.execPath, ['node_modules/eslint/bin/eslint.js', '--format', 'json', 'here.ts', 'job.ts'], { cwd: folder, encoding: 'utf8', env: { ...process.env, ...asInstalled } });
    const messages = (JSON.parse(stdout) as { messages: { ruleId: string }[] }[]).map((one) => one.messages.map(({ ruleId }) => ruleId).filter((rule) => rule.endsWith('no-pooled-session-lock')));
    expect(messages).toEqual([['pg-advisory-lock/no-pooled-session-lock'], ['pg-advisory-lock/no-pooled-session-lock']]);
  });
});
