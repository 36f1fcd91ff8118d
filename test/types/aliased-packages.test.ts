import { expect, test } from 'vitest';
import { lint } from '../support/lint.js';
import { inProject } from '../support/paths.js';
import { ourPlugin } from '../support/plugin.js';

/** `npm install typeorm-0.3@npm:typeorm@0.3`: the folder has another name than the package. */
const rulesOf = (text: string): string[] => {
  const { reports, failures } = lint(ourPlugin, inProject('fixtures/aliased.ts'), text, { cwd: inProject('fixtures'), typesOnDemand: true });
  expect(failures).toEqual([]);
  return reports.map(({ rule }) => rule);
};

test('a handle of a package that is installed under an alias is what the package calls it', () => {
  expect(rulesOf("import type { DataSource } from 'typeorm-0.3';\nexport const run = (given: DataSource) => given.query('SELECT pg_advisory_lock(1)');\n")).toEqual(['no-pooled-session-lock']);
  expect(rulesOf("import type { QueryRunner } from 'typeorm-0.3';\nexport const run = (given: QueryRunner) => given.query('SELECT pg_advisory_lock(1)');\n")).toEqual([]);
});

test('a type of that name in a package that is another one is nothing', () => {
  expect(rulesOf("import type { DataSource } from 'eslint-9';\nexport const run = (given: DataSource) => given.query('SELECT pg_advisory_lock(1)');\n")).toEqual([]);
});
