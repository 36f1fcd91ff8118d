import { describe, expect, test } from 'vitest';
import { fixtureRun as run, fixtures } from '../fixtures/shared-run.js';

describe.each(fixtures.map((fixture) => [fixture.name, fixture] as const))('%s', (_name, fixture) => {
  test('is judged with types made on demand as with those of the parser', () => {
    const { reports, failures } = run.lintedOnDemand(fixture);
    expect(failures).toEqual([]);
    expect(reports).toEqual(run.linted(fixture).reports);
  });
});

test('what only types can tell is told on demand', () => {
  const differ = fixtures.filter((fixture) => run.untyped(fixture).reports.length < run.linted(fixture).reports.length);
  expect(differ.length).toBeGreaterThan(20);
});
