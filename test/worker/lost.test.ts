import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inProject } from '../support/paths.js';

const folder = mkdtempSync(join(tmpdir(), 'lost-worker-'));

/** Lints the same file before and after the thread of types on demand is ended. */
const script = `
const [how] = process.argv.slice(2);
import { Linter } from 'eslint';
import parser from '@typescript-eslint/parser';
import plugin from '${pathToFileURL(inProject('dist/src/index.js')).href}';
let thread;
process.on('worker', (worker) => { thread = worker; });
const text = "import { handle } from './db.js';\\nhandle.query('SELECT pg_advisory_lock(1)');\\nimport { Pool } from 'pg';\\nnew Pool().query('SELECT pg_advisory_lock(2)');\\n";
const reports = () => new Linter({ cwd: ${JSON.stringify(folder)} }).verify(text, [{ files: ['**'], languageOptions: { parser }, plugins: { locks: plugin }, rules: { 'locks/no-pooled-session-lock': 'error' } }], { filename: ${JSON.stringify(join(folder, 'job.ts'))} }).map(({ line }) => line);
console.log(JSON.stringify(reports()));
const alive = setInterval(() => {}, 1000); // the thread keeps no process alive
await new Promise((resolve) => { setImmediate(resolve); }); // the event comes with the next tick
const end = thread.terminate();
if (how === 'before') await end;
clearInterval(alive);
console.log(JSON.stringify(reports()));
console.log(JSON.stringify(reports()));
`;

beforeAll(() => {
  symlinkSync(inProject('node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { module: 'preserve', types: [] } }));
  writeFileSync(join(folder, 'db.ts'), "import { Pool } from 'pg';\nexport const handle = new Pool();\n");
  writeFileSync(join(folder, 'run.mjs'), script);
});
afterAll(() => { rmSync(folder, { recursive: true, force: true }); });

test.each(['before', 'while'])('a thread that has ended %s it is asked costs the types, not the lint run, and is spoken of once', (how) => {
  const { stdout, stderr } = spawnSync(process.execPath, ['run.mjs', how], { cwd: folder, encoding: 'utf8' });
  expect(stdout.trim().split('\n')).toEqual(['[2,4]', '[4]', '[4]']);
  expect(stderr.match(/PG_ADVISORY_LOCK_TYPES/g)).toHaveLength(1);
  expect(stderr).toContain('judged by the imports of each file alone');
});
