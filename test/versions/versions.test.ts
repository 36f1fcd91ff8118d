import { describe, expect, test } from 'vitest';
import { driverById } from '../../src/drivers/index.js';
import { collectFixtures, fixtureAt, type Fixture } from '../fixtures/collect.js';
import { compareWithMarkers } from '../fixtures/markers.js';
import { folderOf } from '../fixtures/modes.js';
import { FixtureRun } from '../fixtures/run.js';
import { only, fixturesRoot } from '../fixtures/shared-run.js';
import { undeclaredNames } from '../support/declared.js';
import { ourPlugin, ourRules } from '../support/plugin.js';
import { ProgramFactory, compileErrors, compilerOptionsOf } from '../support/program.js';
import { folderOfSet, foldersInSet, layOut } from './layout.js';
import { sets, type VersionSet } from './sets.js';

/** `VERSIONS=kysely` keeps the sets whose name contains it. */
const chosen = sets.filter(({ name }) => name.includes(process.env['VERSIONS'] ?? ''));
for (const { name, packages } of chosen) layOut(name, packages);

const driverOf = ({ driver }: VersionSet) => driverById(driver)!;
const written = collectFixtures(fixturesRoot, only);

/** The fixtures of the driver, where no other version of it is found, and those of the set's own. */
function fixturesOf(set: VersionSet): Fixture[] {
  const shared = written.filter(({ driver, name }) => driver === folderOf(driverOf(set)) && !Object.hasOwn(set.differs ?? {}, name));
  return [...shared.map(({ name, text }) => fixtureAt(folderOfSet(set.name), name, asWritten(set, name, text))), ...collectFixtures(folderOfSet(set.name), only).filter(({ driver }) => driver !== 'node_modules')];
}

function asWritten({ rewritten = [], typed = [] }: VersionSet, name: string, text: string): string {
  return [...rewritten, ...(name.endsWith('.ts') ? typed : [])].reduce((all, [from, to]) => all.replaceAll(from, to), text);
}

const fixtures = new Map(chosen.map((set) => [set, fixturesOf(set)]));
const run = new FixtureRun(ourPlugin, new ProgramFactory(compilerOptionsOf(`${fixturesRoot}/tsconfig.json`)), [...fixtures.values()].flat());

describe.each(chosen.map((set) => [set.name, set] as const))('%s', (_set, set) => {
  test.each(fixtures.get(set)!.map((one) => [one.name, one] as const))('reports what is marked in %s', (name, fixture) => {
    const { reports, failures } = run.linted(fixture);
    expect([...failures, ...compareWithMarkers(fixture.text, reports, [...ourRules.keys()])]).toEqual([]);
    const errors = compileErrors(run.program, fixture.path);
    if (Object.hasOwn(set.uncompiled ?? {}, name)) expect(errors).not.toEqual([]);
    else expect(errors).toEqual([]);
    if (!Object.hasOwn({ ...set.uncompiled, ...set.unrewritten }, name)) expect(run.rewriteProblems(fixture)).toEqual([]);
  });

  test('declares the names of the record', () => {
    const { id, packages } = driverOf(set);
    expect({ id, ...undeclaredNames(driverOf(set), foldersInSet(set.name, packages)) }).toEqual({ id, types: set.lacks?.types ?? [], members: set.lacks?.members ?? [] });
  });

  test.skipIf(only !== '')('the fixtures that are left out, or do not compile, are there', () => {
    const names = [set.uncompiled, set.unrewritten, set.differs].flatMap((one) => Object.keys(one ?? {}));
    expect(names.filter((name) => !written.some((one) => one.name === name))).toEqual([]);
  });
});
