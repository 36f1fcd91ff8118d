import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Fixture } from '../fixtures/collect.js';
import { settingsOf } from '../fixtures/markers.js';
import { fixtureRun as run, fixtures, fixturesRoot } from '../fixtures/shared-run.js';
import { inProject } from '../support/paths.js';
import { oxlint, type Finding } from './oxlint.js';

/** Options of rules are not read from comments there: a config has to give them. */
const seen = fixtures.filter((one) => !/\/\*\s*eslint\s/.test(one.text));

describe('every fixture', () => {
  const found = new Map<Fixture, Finding[]>();
  const others: string[] = [];
  beforeAll(async () => {
    const settingsIn = ({ text }: Fixture): string => JSON.stringify(settingsOf(text) ?? {});
    for (const settings of new Set(seen.map(settingsIn))) {
      const group = seen.filter((fixture) => settingsIn(fixture) === settings);
      const ran = await oxlint(fixturesRoot, group.map(({ path }) => relative(fixturesRoot, path)), { settings: JSON.parse(settings) as object });
      others.push(...ran.others);
      for (const fixture of group) found.set(fixture, ran.findings.filter(({ file }) => join(fixturesRoot, file) === fixture.path));
    }
  }, 300_000);

  test('is read without a crash', () => {
    expect(others).toEqual([]);
  });

  test.each(seen.map((fixture) => [fixture.name, fixture] as const))('%s is judged in oxlint as with the parser’s types', (_name, fixture) => {
    const order = (one: Omit<Finding, 'file'>): string => `${String(one.line).padStart(5)}:${String(one.column).padStart(5)} ${one.rule} ${one.message}`;
    expect((found.get(fixture) ?? []).map(order).sort()).toEqual(run.linted(fixture).reports.map(order).sort());
  });
});

test('options of a rule are those of its config', async () => {
  const file = 'pg/options/pinned-not-checked.ts';
  const lines = async (rules: object): Promise<number[]> => (await oxlint(fixturesRoot, [file], { rules })).findings.filter(({ rule }) => rule === 'no-unchecked-unlock').map(({ line }) => line);
  const all = await lines({});
  const unpinned = await lines({ 'pg-advisory-lock/no-unchecked-unlock': ['error', { checkPinned: false }] });
  expect(all.length).toBeGreaterThan(unpinned.length);
  expect(unpinned).toEqual(run.linted(fixtures.find(({ name }) => name === file)!).reports.filter(({ rule }) => rule === 'no-unchecked-unlock').map(({ line }) => line));
});

describe('a copy of the example app', () => {
  const folder = mkdtempSync(join(tmpdir(), 'oxlint-app-'));
  symlinkSync(inProject('node_modules'), join(folder, 'node_modules'), 'junction');
  afterAll(() => { rmSync(folder, { recursive: true, force: true }); });

  test.each(['--fix-suggestions', 'fixSuggestions'])('is repaired by %s', async (way) => {
    const app = join(folder, way.replace(/\W/g, ''));
    cpSync(inProject('fixtures/example-app'), app, { recursive: true });
    const options = way.startsWith('--') ? { flags: [way] } : { settings: { fixSuggestions: true }, flags: ['--fix'] };
    // Unlike ESLint, oxlint goes over a file once; edits that would overlap wait for the next run.
    await oxlint(app, ['src'], options);
    expect(await oxlint(app, ['src'], options)).toEqual({ findings: [], others: [] });
    expect(readFileSync(join(app, 'src/one-instance.ts'), 'utf8')).toContain('.reserve()');
  });
});
