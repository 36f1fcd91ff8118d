import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderModes } from '../../docs/render.mjs';
import { modesOfFixtures } from '../fixtures/modes-of-fixtures.js';
import { only } from '../fixtures/shared-run.js';
import { inProject } from '../support/paths.js';

const page = readFileSync(inProject('docs/how-it-decides.md'), 'utf8');

test.skipIf(only !== '')('the table of what is found without types is what the fixtures show; `npm run update` writes it', () => {
  const rows = modesOfFixtures();
  expect(rows.filter(({ falseAlarms }) => falseAlarms > 0)).toEqual([]);
  expect(renderModes(page, rows)).toBe(page);
});
