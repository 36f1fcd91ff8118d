import { expect, test } from 'vitest';
import { renderIndex, renderPage, renderReadme } from '../../docs/render.mjs';

const described = {
  name: 'no-toy',
  namespace: 'toy',
  configs: { recommended: { rules: { 'toy/no-toy': 'error' as const } }, strict: { rules: { 'toy/no-toy': ['error', { level: 2 }] as ['error', unknown] } }, off: { rules: {} } },
  rule: {
    meta: {
      docs: { description: 'Disallow toys', url: 'https://example.org' },
      hasSuggestions: true,
      schema: [{ type: 'object', properties: { level: { type: 'integer', description: 'How much.' }, kind: { enum: ['a', 'b'], description: 'Which.' } } }],
      defaultOptions: [{ level: 1, kind: 'a' }],
    },
  },
};

test('the index imports every rule', () => {
  expect(renderIndex(['no-a-toy', 'no-b'])).toBe([
    '// Written by `npm run update`.', "import noAToy from './no-a-toy.js';", "import noB from './no-b.js';", '',
    'export const rules = {', "  'no-a-toy': noAToy,", "  'no-b': noB,", '};', '',
  ].join('\n'));
});

test('the table of rules stands between its markers, and what is around it stays', () => {
  const text = renderReadme('before\n<!-- rules:start -->\nold\n<!-- rules:end -->\nafter\n', [described]);
  expect(text).toMatch(/^before\n<!-- rules:start -->\n\| Rule[^]*\n<!-- rules:end -->\nafter\n$/);
  expect(text).toContain('| [no-toy](docs/rules/no-toy.md) | Disallow toys | 💡 |');
  expect(text).not.toContain('old');
  expect(renderReadme(text, [described])).toBe(text);
});

test('a text without markers is refused', () => {
  expect(() => renderReadme('nothing', [described])).toThrow('markers');
});

test('a page has its title, its configs and its options, and keeps what an author wrote', () => {
  const page = renderPage('## Incorrect\n', described);
  expect(page).toContain('# toy/no-toy\n\nDisallow toys.\n\nIn the configs `recommended` and `strict` (with `{"level":2}`). 💡 Offers suggestions.\n');
  expect(page).toContain('\n## Incorrect\n');
  expect(page).toContain('### `level`\n\nHow much.\n\nType: `integer`. Default: `1`.');
  expect(page).toContain('### `kind`\n\nWhich.\n\nType: `"a"` or `"b"`. Default: `"a"`.');
  expect(renderPage(page, described)).toBe(page);
});
