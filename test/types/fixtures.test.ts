import { describe, expect, test } from 'vitest';
import { settingsOf } from '../fixtures/markers.js';
import { fixtureRun as run, fixtures } from '../fixtures/shared-run.js';

/** Without a program, a file that only imports its lock SQL is not looked at: its own text is all that the gate has. */
const isSeen = (text: string): boolean => /advisory/i.test(text) || settingsOf(text)?.['locks'] !== undefined;

describe.each(fixtures.filter(({ text }) => isSeen(text)).map((fixture) => [fixture.name, fixture] as const))('%s', (_name, fixture) => {
  test('is judged with types made on demand as with those of the parser', () => {
    const { reports, failures } = run.lintedOnDemand(fixture);
    expect(failures).toEqual([]);
    expect(reports).toEqual(run.linted(fixture).reports);
  });
});

test('what only types can tell is told on demand', () => {
  const differ = fixtures.filter((fixture) => isSeen(fixture.text) && run.untyped(fixture).reports.length < run.linted(fixture).reports.length);
  expect(differ.length).toBeGreaterThan(20);
});
