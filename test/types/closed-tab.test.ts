import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearCandidateTSConfigRootDirs } from '@typescript-eslint/typescript-estree';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { lint } from '../support/lint.js';
import { inProject } from '../support/paths.js';
import { ourPlugin } from '../support/plugin.js';

/** Nobody tells a linter that a tab was closed without saving: its text was never on disk, and is not linted again. */
const folder = mkdtempSync(join(tmpdir(), 'closed-tab-'));
const at = (name: string): string => join(folder, name);
const pooled = "import { Pool } from 'pg';\nexport const handle = new Pool();\n";
const single = "import { Client } from 'pg';\nexport const handle = new Client();\n";
const job = "import { handle } from './db';\nexport const run = () => handle.query('SELECT pg_advisory_lock(1)');\n";

beforeAll(() => {
  symlinkSync(inProject('node_modules'), at('node_modules'), 'junction');
  writeFileSync(at('tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true, module: 'preserve', moduleResolution: 'bundler', noEmit: true, types: [] } }));
  writeFileSync(at('db.ts'), single);
  writeFileSync(at('job.ts'), job);
});
afterEach(() => { vi.restoreAllMocks(); });
afterAll(() => {
  clearCandidateTSConfigRootDirs();
  rmSync(folder, { recursive: true, force: true });
});

const rulesOf = (name: string, text: string): string[] => {
  const { reports, failures } = lint(ourPlugin, at(name), text, { cwd: folder, typesOnDemand: true });
  expect(failures).toEqual([]);
  return reports.map(({ rule }) => rule).filter((rule) => rule === 'no-pooled-session-lock');
};

const clock = performance.now.bind(performance);
const MINUTE = 60_000;

/** Some time later, as far as the plugin can tell. */
function later(minutes: number): void {
  vi.spyOn(performance, 'now').mockImplementation(() => clock() + minutes * MINUTE);
}

test('a text that was never saved counts for other files while it is fresh, and no longer', () => {
  expect(rulesOf('job.ts', job)).toEqual([]);
  expect(rulesOf('db.ts', pooled)).toEqual([]);
  expect(rulesOf('job.ts', job)).toEqual(['no-pooled-session-lock']);
  later(10);
  expect(rulesOf('job.ts', job)).toEqual([]);
});

test('a file with locks that was never saved does not count for ever either', () => {
  const locks = "import { handle } from './db';\nexport { handle };\nexport const lock = () => handle.query('SELECT pg_advisory_lock(2)');\n";
  writeFileSync(at('locks.ts'), locks);
  const user = job.replace('./db', './locks');
  later(20);
  expect(rulesOf('user.ts', user)).toEqual([]);
  expect(rulesOf('locks.ts', locks.replace("import { handle } from './db';", "import { Pool } from 'pg';\nconst handle = new Pool();"))).toEqual(['no-pooled-session-lock']);
  expect(rulesOf('user.ts', user)).toEqual(['no-pooled-session-lock']);
  later(30);
  expect(rulesOf('user.ts', user)).toEqual([]);
});

test('a text that is typed into again stays fresh', () => {
  later(40);
  expect(rulesOf('job.ts', job)).toEqual([]);
  for (let minutes = 40; minutes < 50; minutes++) {
    later(minutes);
    expect(rulesOf('db.ts', pooled)).toEqual([]);
  }
  expect(rulesOf('job.ts', job)).toEqual(['no-pooled-session-lock']);
});

test('a file that is not on disk is gone for others once it is no longer linted', () => {
  later(60);
  const user = job.replace('./db', './not-saved');
  expect(rulesOf('user.ts', user)).toEqual([]);
  expect(rulesOf('not-saved.ts', `${pooled}handle.query('SELECT pg_advisory_lock(3)');\n`)).toEqual(['no-pooled-session-lock']);
  later(70);
  expect(rulesOf('user.ts', user)).toEqual([]);
});

test('the text that is linted counts however long it is not saved', () => {
  later(80);
  const text = `${pooled}handle.query('SELECT pg_advisory_lock(4)');\n`;
  expect(rulesOf('db.ts', text)).toEqual(['no-pooled-session-lock']);
  later(90);
  expect(rulesOf('db.ts', text)).toEqual(['no-pooled-session-lock']);
});

test('a file that is deleted and comes back, or comes to be, is seen by those that import it', () => {
  later(100);
  const user = job.replace('./db', './moved');
  expect(rulesOf('user.ts', user)).toEqual([]);
  for (let minutes = 110; minutes < 140; minutes += 20) {
    writeFileSync(at('moved.ts'), pooled);
    later(minutes);
    expect(rulesOf('user.ts', user)).toEqual(['no-pooled-session-lock']);
    rmSync(at('moved.ts'));
    later(minutes + 10);
    expect(rulesOf('user.ts', user)).toEqual([]);
  }
});
