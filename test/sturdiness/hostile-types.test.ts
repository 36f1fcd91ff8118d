import { mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearCandidateTSConfigRootDirs } from '@typescript-eslint/typescript-estree';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ownTypes, wordsOf } from '../../src/types/index.js';
import { inProject } from '../support/paths.js';
import { ourPlugin } from '../support/plugin.js';
import { imported, importer, modules, scripts } from './hostile-types.mjs';
import { lintHostile } from './lint.mjs';

const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
const at = (name: string): string => join(folder, name);

beforeAll(() => {
  symlinkSync(inProject('node_modules'), at('node_modules'), 'junction');
  writeFileSync(at('tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true, allowJs: true, checkJs: true, module: 'preserve', moduleResolution: 'bundler', target: 'esnext', noEmit: true, types: [] } }));
});
afterEach(() => { vi.restoreAllMocks(); });
afterAll(() => {
  clearCandidateTSConfigRootDirs();
  rmSync(folder, { recursive: true, force: true });
});

/** What TypeScript's parser overflows the stack over: such a file is judged without types. */
const beyondTypeScript = new Set(['parentheses in JSDoc', 'promises in JSDoc', 'braces in JSDoc']);

/** No fault, and the lock at the end of the text is reported. */
function expectJudged(name: string, text: string, typesOnDemand: boolean): void {
  const { refusal, fault, reports } = lintHostile(ourPlugin, text, { file: at(name), cwd: folder, typesOnDemand });
  expect(refusal).toBeUndefined();
  expect(fault).toBeUndefined();
  const [line] = text.split('\n').flatMap((one, index) => (one.includes('await pool.query') ? [index + 1] : [])).slice(-1);
  expect(reports.filter(({ ruleId }) => ruleId.endsWith('/no-pooled-session-lock')).map((one) => one.line)).toContain(line);
}

let writes = 0;

/** The clock goes on, so that the disk is looked at. */
function nextLook(): void {
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now + 60_000 * writes);
}

describe.each([['hostile.js', scripts], ['hostile.ts', modules]] as const)('%s', (name, texts) => {
  test.each(Object.entries(texts))('%s, without types', (_title, text) => {
    expectJudged(name, text, false);
  });
  test.each(Object.entries(texts))('%s, with types on demand', (title, text) => {
    expect(ownTypes(at(name), text, wordsOf()) === undefined).toBe(beyondTypeScript.has(title));
    expectJudged(name, text, true);
  });
});

test.each(Object.entries(imported))('an import %s, with types on demand', (title, text) => {
  writeFileSync(at('db.ts'), text);
  utimesSync(at('db.ts'), new Date(), new Date(Date.now() - 1000 * ++writes));
  nextLook();
  if (!title.includes('overflows')) expect(ownTypes(at('job.ts'), importer, wordsOf())).toBeDefined();
  expectJudged('job.ts', importer, true);
});
