import type { Fence } from '../support/page.js';

/** Lines of shell that no test runs as they stand, and why. */
export const linesNotRun: Readonly<Record<string, string>> = {
  'npm install --save-dev eslint typescript@6 typescript-eslint eslint-plugin-pg-advisory-lock': 'asks the registry for the plugin; `npm run matrix` has npm install the tarball beside the same packages',
  'npm install --save-dev typescript@npm:@typescript/typescript6 typescript-7@npm:typescript@7': 'asks the registry; test/package/typescript-7.test.ts has a project that is laid out so',
  'npm install --save-dev husky lint-staged': 'asks the registry; both are installed here, and test/pre-commit uses them',
  'npm install --save-dev lefthook': 'its package writes hooks into the repository that installs it; test/pre-commit runs the line of its config',
  'npx lefthook install': 'run by test/pre-commit where lefthook is installed',
  'pre-commit install': 'a program in Python; run by test/pre-commit where it is installed',
  'npm run matrix': 'takes half an hour; test/package/example.test.ts has its cells on one Node.js',
  'npm run matrix -- --only 22.13': 'a part of it',
  'npm ci': 'has been run where tests run',
  'npm ci && npm run demo': 'test/server/demo.test.ts runs the demo',
  'npm run demo   # the bug, the reports, the quick fixes and a real server, in one go': 'test/server/demo.test.ts runs the demo',
  'npm test       # all checks and tests': 'is what runs this',
  'npm run bless                              # all fixtures': 'writes what test/fixtures/golden.test.ts and fixtures.test.ts compare',
  'FIXTURES=pg/pairs/one-function npm run bless   # those whose name contains it': 'writes what test/fixtures compares',
  'FIXTURES=pg/pairs npx vitest run test/fixtures # compare only': 'is a part of what runs this',
  'VERSIONS=kysely npx vitest run test/versions': 'is a part of what runs this',
};

interface Proof {
  readonly page: RegExp;
  readonly language: RegExp;
  readonly text?: RegExp;
  readonly file?: RegExp;
  readonly by: string;
}

/** Which test proves a block; each block of the pages has one. */
const proofs: readonly Proof[] = [
  { page: /^CONTRIBUTING\.md$/, language: /^ts$/, file: /^(?:node_modules\/acme-sql|src\/drivers|fixtures|rules)\//, by: 'test/docs/walkthrough.test.ts' },
  { page: /^CONTRIBUTING\.md$/, language: /^ts$/, text: /^import type \{ PoolClient \}.*\n\n.*function migrate/, by: 'test/docs/walkthrough.test.ts' },
  { page: /^CONTRIBUTING\.md$/, language: /^sh$/, text: /^FIXTURES=(?:acme|pg\/keys\/zero) npm run bless\n$/, by: 'test/docs/walkthrough.test.ts' },
  // Two lines of a fixture, to show what a marker is.
  { page: /^CONTRIBUTING\.md$/, language: /^ts$/, text: /^await pool\.query\(.* \/\/ expect: no-pooled-session-lock\nawait client\.query\(.* \/\/ expect: ok\n$/, by: 'test/fixtures/runner.test.ts' },
  { page: /^docs\/architecture\.md$/, language: /^js$/, text: /normal free/, by: 'test/docs/kinds.test.ts' },
  // A drawing.
  { page: /^docs\/architecture\.md$/, language: /^text$/, text: /^source text ─▶ gate/, by: 'test/docs/kinds.ts' },
  { page: /^(?:README|docs\/.*)\.md$/, language: /^tsx?$/, by: 'test/docs/docs.test.ts' },
  { page: /^docs\/ci\.md$/, language: /^yaml$/, by: 'test/ci/snippets.test.ts' },
  { page: /^docs\/ci\.md$/, language: /^json$/, text: /"overrides"/, by: 'test/docs/kinds.test.ts' },
  { page: /^docs\/ci\.md$/, language: /^sh$/, text: /--(?:suppress-all|cache)\n/, by: 'test/ci/ci.test.ts' },
  { page: /^docs\/configure\.md$/, language: /^json$/, file: /^\.oxlintrc\.json$/, by: 'test/docs/kinds.test.ts' },
  { page: /^README\.md$/, language: /^text$/, text: /^src\/nightly\.ts\n/, by: 'test/docs/pictures.test.ts' },
  { page: /^README\.md$/, language: /^text$/, text: /^What the server says\n/, by: 'test/server/demo.test.ts' },
  { page: /^(?:README|docs\/first-look)\.md$/, language: /^sh$/, text: /^(?:npx eslint-plugin-pg-advisory-lock.*\n)+$/, by: 'test/cli/first-look.test.ts' },
  { page: /^docs\/first-look\.md$/, language: /^(?:text|diff|mermaid)$/, by: 'test/cli/first-look.test.ts' },
  { page: /^docs\/editor\.md$/, language: /^jsonc$/, by: 'test/editor/editor.test.ts' },
  { page: /^docs\/pre-commit\.md$/, language: /^(?:js|yaml|sh)$/, file: /lint-staged|^lefthook\.yml$|^\.pre-commit-config\.yaml$|^\.husky\//, by: 'test/pre-commit/pre-commit.test.ts' },
  { page: /^docs\/pre-commit\.md$/, language: /^sh$/, text: /^npm install --save-dev husky lint-staged\nnpx husky\n$/, by: 'test/pre-commit/pre-commit.test.ts' },
  { page: /^docs\/advisory-locks\.md$/, language: /^sql$/, by: 'test/server/claims.test.ts' },
  { page: /^docs\/rules\/no-row-driven-lock\.md$/, language: /^sql$/, by: 'test/server/claims.test.ts' },
  { page: /^docs\/rules\/no-cross-connection-unlock\.md$/, language: /^text$/, text: /^SELECT pg_advisory_unlock\(42\);\n/, by: 'test/server/claims.test.ts' },
];

/** The tests that prove a block: one, or it is of no kind. */
export function provenBy(fence: Fence & { readonly page: string }): string[] {
  const found = proofs.filter(({ page, language, text, file }) => page.test(fence.page) && language.test(fence.language) && (text?.test(fence.text) ?? true) && (file?.test(fence.file ?? '') ?? true)).map(({ by }) => by);
  const lines = fence.text.trim().split('\n');
  return found.length === 0 && fence.language === 'sh' && lines.every((line) => line in linesNotRun) ? ['test/docs/kinds.ts'] : found;
}
