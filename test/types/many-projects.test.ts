import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { clearCandidateTSConfigRootDirs } from '@typescript-eslint/typescript-estree';
import { afterAll, expect, test } from 'vitest';
import { lint } from '../support/lint.js';
import { inProject } from '../support/paths.js';
import { ourPlugin } from '../support/plugin.js';

const folder = mkdtempSync(join(tmpdir(), 'many-projects-'));

afterAll(() => {
  clearCandidateTSConfigRootDirs();
  rmSync(folder, { recursive: true, force: true });
});

/** A project of its own, with a large file that the file with the lock imports. */
function lintProject(number: number): void {
  const at = join(folder, `p${String(number)}`);
  mkdirSync(at);
  writeFileSync(join(at, 'tsconfig.json'), JSON.stringify({ compilerOptions: { module: 'preserve', noLib: true, types: [] } }));
  writeFileSync(join(at, 'large.ts'), Array.from({ length: 6000 }, (_, index) => `export const value${String(index)} = { a: ${String(index)}, b: [${String(number)}] };`).join('\n'));
  const { reports, failures } = lint(ourPlugin, join(at, 'job.ts'), "import { Pool } from 'pg';\nimport { value1 } from './large';\nnew Pool().query('SELECT pg_advisory_lock($1)', [value1.a]);\n", { cwd: at, typesOnDemand: true });
  expect(failures).toEqual([]);
  expect(reports.map(({ rule }) => rule)).toContain('no-pooled-session-lock');
}

async function collected(): Promise<number> {
  await sleep(0);
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

test('projects that were linted long ago are forgotten, with their files', async () => {
  symlinkSync(inProject('node_modules'), join(folder, 'node_modules'), 'junction');
  for (let number = 0; number < 10; number++) lintProject(number);
  const ten = await collected();
  for (let number = 10; number < 30; number++) lintProject(number);
  expect(await collected() / ten).toBeLessThan(1.15);
});
