import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { clearCandidateTSConfigRootDirs } from '@typescript-eslint/typescript-estree';
import { ESLint } from 'eslint';
import { afterAll, expect, test } from 'vitest';
import { inProject } from '../support/paths.js';

const folders: string[] = [];

/** A project of its own, with its own config file: a module with the handle, a module with the lock. */
function project(): string {
  const folder = mkdtempSync(join(tmpdir(), 'two-configs-'));
  folders.push(folder);
  symlinkSync(inProject('node_modules'), join(folder, 'node_modules'));
  const files = {
    'package.json': '{"type":"module"}',
    'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, module: 'preserve', moduleResolution: 'bundler', noEmit: true, types: [] }, include: ['*.ts'] }),
    'eslint.config.js': `import tseslint from 'typescript-eslint';
import plugin from '${pathToFileURL(inProject('dist/src/index.js')).href}';
export default [{ ...tseslint.configs.base, files: ['**/*.ts'] }, { files: ['**/*.ts'], languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } } }, plugin.configs.recommended];
`,
    'db.ts': "import postgres from 'postgres';\nexport const sql = postgres('postgres://localhost/app');\n",
    'job.ts': "import { sql } from './db';\nexport async function run(): Promise<void> {\n  await sql`select pg_advisory_lock(1)`;\n}\n",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

afterAll(() => {
  clearCandidateTSConfigRootDirs(); // other suites of the process parse without a root of their own
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

// As an editor or a monorepo has it: the parser then wants to be told the root of every conversion, also of ours of the other files.
test('the handle of another file is followed in the second config of a process, too', async () => {
  for (const folder of [project(), project()]) {
    const [result] = await new ESLint({ cwd: folder }).lintFiles(['job.ts']);
    expect(result?.messages.map((one) => `${String(one.ruleId)} ${one.fatal ? one.message : ''}`)).toEqual(['pg-advisory-lock/no-pooled-session-lock ']);
  }
}, 60_000);
