import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import { afterAll, expect, test } from 'vitest';
import tseslint from 'typescript-eslint';
import plugin from '../../src/index.js';
import { inProject } from '../support/paths.js';

const folders: string[] = [];

/** A project of its own: a module with the handle, a module with the lock. */
function project(): string {
  const folder = mkdtempSync(join(tmpdir(), 'two-configs-'));
  folders.push(folder);
  symlinkSync(inProject('node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true, module: 'preserve', moduleResolution: 'bundler', noEmit: true, types: [] }, include: ['*.ts'] }));
  writeFileSync(join(folder, 'db.ts'), "import postgres from 'postgres';\nexport const sql = postgres('postgres://localhost/app');\n");
  writeFileSync(join(folder, 'job.ts'), "import { sql } from './db';\nexport async function run(): Promise<void> {\n  await sql`select pg_advisory_lock(1)`;\n}\n");
  return folder;
}

afterAll(() => { for (const folder of folders) rmSync(folder, { recursive: true, force: true }); });

// As an editor or a monorepo has it. The parser then asks every conversion for its root, also ours of the other files.
test('the handle of another file is followed in the second config of a process, too', async () => {
  for (const folder of [project(), project()]) {
    const eslint = new ESLint({
      cwd: folder, overrideConfigFile: true,
      overrideConfig: [{ files: ['**/*.ts'], ...(tseslint.configs.base as object), languageOptions: { parser: tseslint.parser, parserOptions: { projectService: true, tsconfigRootDir: folder } } }, plugin.configs.recommended],
    });
    const [result] = await eslint.lintFiles(['job.ts']);
    expect(result?.messages.map((one) => one.ruleId)).toEqual(['pg-advisory-lock/no-pooled-session-lock']);
  }
});
