import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inProject } from '../support/paths.js';

const folder = mkdtempSync(join(tmpdir(), 'typed-into-'));

/** Lints one file three times, each time with another text, and tells of the threads that were begun and are left. */
const script = `
const [when] = process.argv.slice(2);
import { Linter } from 'eslint';
import parser from '@typescript-eslint/parser';
import plugin from '${pathToFileURL(inProject('dist/src/index.js')).href}';
const threads = new Set();
let begun = 0;
process.on('worker', (worker) => { begun++; threads.add(worker); worker.once('exit', () => threads.delete(worker)); });
const text = "import { handle } from './db.js';\\nhandle.query('SELECT pg_advisory_lock(1)');\\n";
const linter = new Linter({ cwd: ${JSON.stringify(folder)} });
const lint = (key) => linter.verify('// '.padEnd(3 + key, 'x') + '\\n' + text, [{ files: ['**'], languageOptions: { parser }, plugins: { locks: plugin }, rules: { 'locks/no-pooled-session-lock': 'error' } }], { filename: ${JSON.stringify(join(folder, 'job.ts'))} }).map(({ line }) => line);
const lines = [];
for (const key of [1, 2, 3]) {
  lines.push(...lint(key));
  if (when === 'later') await new Promise((resolve) => { setTimeout(resolve, 20); });
}
const alive = setInterval(() => {}, 1000);
await new Promise((resolve) => { setTimeout(resolve, 500); });
clearInterval(alive);
console.log(JSON.stringify({ lines, begun, left: threads.size }));
`;

beforeAll(() => {
  symlinkSync(inProject('node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { module: 'preserve', types: [] } }));
  writeFileSync(join(folder, 'db.ts'), "import { Pool } from 'pg';\nexport const handle = new Pool();\n");
  writeFileSync(join(folder, 'run.mjs'), script);
});
afterAll(() => { rmSync(folder, { recursive: true, force: true }); });

const run = (...args: string[]): unknown => {
  const { stdout, stderr } = spawnSync(process.execPath, ['run.mjs', ...args], { cwd: folder, encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
};

test('the passes of one lint run are judged in a thread', () => {
  expect(run('at once')).toEqual({ lines: [3, 3, 3], begun: 1, left: 1 });
});

test('a file that somebody types into is judged where its tree is made, and the thread ends', () => {
  expect(run('later')).toEqual({ lines: [3, 3, 3], begun: 1, left: 0 });
});

test.each(['--node-ipc', '--stdio', '--pipe=one'])('a language server, which is started with %s, begins no thread', (flag) => {
  expect(run('at once', flag)).toEqual({ lines: [3, 3, 3], begun: 0, left: 0 });
});
