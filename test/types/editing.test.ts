import { mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clearCandidateTSConfigRootDirs } from '@typescript-eslint/typescript-estree';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lint } from '../support/lint.js';
import { inProject } from '../support/paths.js';
import { ourPlugin } from '../support/plugin.js';

/** An editor lints texts that are not on disk, again and again, in one process. */
const folder = mkdtempSync(join(tmpdir(), 'editing-'));
const at = (name: string): string => join(folder, name);
const pooled = "import { Pool } from 'pg';\nexport const handle = new Pool();\n";
const single = "import { Client } from 'pg';\nexport const handle = new Client();\n";
const job = "import { handle } from './db';\nexport const run = () => handle.query('SELECT pg_advisory_lock(1)');\n";

beforeAll(() => {
  symlinkSync(inProject('node_modules'), at('node_modules'), 'junction');
  writeFileSync(at('tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true, module: 'preserve', moduleResolution: 'bundler', noEmit: true, types: [] } }));
  writeFileSync(at('db.ts'), pooled);
  writeFileSync(at('job.ts'), job);
});
afterAll(() => {
  clearCandidateTSConfigRootDirs();
  rmSync(folder, { recursive: true, force: true });
});

const rulesOf = (name: string, text: string): string[] => {
  const { reports, failures } = lint(ourPlugin, at(name), text, { cwd: folder, typesOnDemand: true });
  expect(failures).toEqual([]);
  return reports.map(({ rule }) => rule).filter((rule) => rule === 'no-pooled-session-lock');
};

test('the text that is linted counts, not the one on disk', () => {
  expect(rulesOf('job.ts', job)).toEqual(['no-pooled-session-lock']);
  expect(rulesOf('job.ts', job.replace('./db', './none'))).toEqual([]);
  expect(rulesOf('job.ts', `// a comment\n${job}`)).toEqual(['no-pooled-session-lock']);
});

test('a file without locks that was typed into is known to the files that import it', () => {
  expect(rulesOf('job.ts', job)).toEqual(['no-pooled-session-lock']);
  expect(rulesOf('db.ts', single)).toEqual([]);
  expect(rulesOf('job.ts', job)).toEqual([]);
  expect(rulesOf('db.ts', pooled)).toEqual([]);
  expect(rulesOf('job.ts', job)).toEqual(['no-pooled-session-lock']);
});

test('a file that was changed on disk is read again', async () => {
  expect(rulesOf('job.ts', job)).toEqual(['no-pooled-session-lock']);
  writeFileSync(at('db.ts'), single);
  utimesSync(at('db.ts'), new Date(), new Date(Date.now() + 5000));
  await expect.poll(() => rulesOf('job.ts', job), { timeout: 30_000 }).toEqual([]);
  writeFileSync(at('db.ts'), pooled);
  await expect.poll(() => rulesOf('job.ts', job), { timeout: 30_000 }).toEqual(['no-pooled-session-lock']);
});

test('a tsconfig that was changed on disk is read again', async () => {
  writeFileSync(at('other.ts'), pooled);
  const text = job.replace('./db', 'house/db');
  expect(rulesOf('job.ts', text)).toEqual([]);
  writeFileSync(at('tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true, module: 'preserve', moduleResolution: 'bundler', noEmit: true, types: [], paths: { 'house/db': ['./other.ts'] } } }));
  utimesSync(at('tsconfig.json'), new Date(), new Date(Date.now() + 5000));
  await expect.poll(() => rulesOf('job.ts', text), { timeout: 30_000 }).toEqual(['no-pooled-session-lock']);
});

test('a file that is not on disk, and one without a place, are judged', () => {
  expect(rulesOf('new-file.ts', job)).toEqual(['no-pooled-session-lock']);
  const { reports, failures } = lint(ourPlugin, 'input.ts', pooled + "handle.query('SELECT pg_advisory_lock(1)');", { typesOnDemand: true });
  expect(failures).toEqual([]);
  expect(reports.map(({ rule }) => rule)).toContain('no-pooled-session-lock');
});

test('hundreds of edits leave no programs behind', async () => {
  const collect = (globalThis as { gc?: () => void }).gc ?? (await exposeGc());
  const heapAfter = async (edits: number): Promise<number> => {
    for (let edit = 0; edit < edits; edit++) rulesOf('job.ts', `${job}// ${String(edit)}\n`);
    await sleep(0);
    collect();
    return process.memoryUsage().heapUsed;
  };
  const first = await heapAfter(40);
  const then = await heapAfter(160);
  expect(then / first).toBeLessThan(1.15);
}, 60_000);

async function exposeGc(): Promise<() => void> {
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
