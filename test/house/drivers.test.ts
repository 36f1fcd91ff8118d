import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Driver, drivers } from '../../src/drivers/index.js';
import { inProject } from '../support/paths.js';

/** The folder of a package, or of the types that are declared for it. */
function foldersOf(name: string): string[] {
  const { resolve } = createRequire(inProject('package.json'));
  const types = name.startsWith('@') ? name.slice(1).replace('/', '__') : name;
  return [`${name}/package.json`, `@types/${types}/package.json`].flatMap((path) => {
    try {
      return [dirname(resolve(path))];
    } catch {
      const folder = inProject(`node_modules/${dirname(path)}`);
      return exists(folder) ? [folder] : [];
    }
  });
}

function exists(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}

/** Whether some declaration file of a driver's packages has a name of its own for this type. */
const declarations = new Map<string, string>();
function declarationsOf({ id, packages }: Driver): string {
  const known = declarations.get(id);
  if (known !== undefined) return known;
  const files = packages.flatMap(foldersOf).flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => join(folder, String(file))).filter((file) => /\.d\.[cm]?ts$/.test(file)));
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  declarations.set(id, text);
  return text;
}

const isDeclared = (driver: Driver, name: string): boolean => new RegExp(`\\b(?:class|interface|type|const|let|var|function)\\s+${name.replaceAll('$', '\\$')}\\b`).test(declarationsOf(driver));
const isMember = (driver: Driver, name: string): boolean => new RegExp(`(?<![\\w$])(?:readonly\\s+|get\\s+)?['"]?${name.replaceAll('$', '\\$')}['"]?\\??\\s*[(<:]`).test(declarationsOf(driver));

describe.each(drivers.map((driver) => [driver.id, driver] as const))('the record of %s names what the installed library declares', (_id, driver) => {
  const ownTypes = driver.types.filter(({ members, since }) => members === undefined && since === undefined).flatMap(({ name }) => (name === undefined ? [] : [name]));
  test.runIf(ownTypes.length > 0)('types', () => {
    expect(ownTypes.filter((name) => !isDeclared(driver, name))).toEqual([]);
  });

  test('members', () => {
    const members = [
      ...driver.types.flatMap((one) => [...(one.members?.has ?? []), ...(one.members?.lacks ?? []), ...(one.over === undefined ? [] : [one.over])]),
      ...driver.runs.map(({ name }) => name), ...driver.reserves.flatMap(({ name, completedBy }) => [name, ...(completedBy === undefined ? [] : [completedBy])]),
      ...driver.releases.map(({ name }) => name), ...(driver.derives ?? []).map(({ name }) => name), ...Object.keys(driver.chained ?? {}), ...Object.keys(driver.pieces ?? {}), ...(driver.properties ?? []),
      ...(driver.transactions ? [...driver.transactions.begins, ...driver.transactions.ends, ...(driver.transactions.asks ?? [])] : []),
    ];
    expect([...new Set(members)].filter((name) => !isMember(driver, name))).toEqual([]);
  });
});
