import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { drivers } from '../../src/drivers/index.js';
import { undeclaredNames } from '../support/declared.js';
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

/** Names that only another version has than the one that is installed by its own name: `test/versions` looks for them there. */
const ofOtherVersions: Readonly<Record<string, readonly string[]>> = {
  'drizzle-orm': ['PgAsyncTransaction', 'PgAsyncWithReplicas', 'PgAsyncDatabase', 'BasePgAsyncDatabase'],
};

test.each(drivers.map((driver) => [driver.id, driver] as const))('the record of %s names what the installed library declares', (id, driver) => {
  expect(undeclaredNames(driver, driver.packages.flatMap(foldersOf))).toEqual({ types: ofOtherVersions[id] ?? [], members: [] });
});
