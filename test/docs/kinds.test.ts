import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { checkBy } from '../support/json-schema.js';
import { type Fence, fencesOf } from '../support/page.js';
import { inProject } from '../support/paths.js';
import { ourRules } from '../support/plugin.js';
import { removeUserProjects, userProject } from '../support/user-project.js';
import { firstExample } from './pictures/example.js';
import { linesNotRun, provenBy } from './kinds.js';

/** Each block of code on each page is proven: here, or by the test that test/docs/kinds.ts names. */

afterAll(removeUserProjects);

const pages = ['README.md', 'CONTRIBUTING.md', ...readdirSync(inProject('docs'), { recursive: true }).map((name) => `docs/${String(name).replaceAll('\\', '/')}`).filter((name) => name.endsWith('.md'))].sort();
const fences = pages.flatMap((page) => fencesOf(page).map((fence) => ({ ...fence, page })));
const name = 'pg-advisory-lock';

/** What a block of JavaScript is as a config of ESLint: the module, or one object of it. */
function configFrom({ text, file = 'eslint.config.mjs' }: Fence): { file: string; module: string } | undefined {
  if (/^(?:export default|module\.exports =)/m.test(text) && /eslint/.test(text) && file.startsWith('eslint.config.')) return { file, module: text };
  const plain = text.replace(/^\/\/.*\n/, '').trim();
  const object = plain.startsWith('{ settings:') ? plain : plain.startsWith('settings:') ? `{ ${plain} }` : plain.startsWith(`'${name}/`) ? `{ rules: { ${plain} } }` : undefined;
  const before = "import tseslint from 'typescript-eslint';\nimport plugin from 'eslint-plugin-pg-advisory-lock';\n";
  return object === undefined ? undefined : { file: 'eslint.config.mjs', module: `${before}export default [{ files: ['**/*.ts'], languageOptions: { parser: tseslint.parser } }, plugin.configs.recommended, ${object}];\n` };
}

const configs = fences.flatMap((fence) => (fence.language === 'js' ? [{ fence, config: configFrom(fence) }] : [])).filter((one) => one.config !== undefined);
const isConfig = (fence: Fence): boolean => configs.some((one) => one.fence.at === fence.at);

test('each block is proven, and by one test', () => {
  const kinds = fences.map((fence) => ({ at: fence.at, by: [...isConfig(fence) ? ['test/docs/kinds.test.ts'] : [], ...provenBy(fence)] }));
  expect(kinds.filter(({ by }) => by.length !== 1)).toEqual([]);
  expect([...new Set(kinds.flatMap(({ by }) => by))].filter((test) => !existsSync(inProject(test)))).toEqual([]);
});

test('a fence that names no language, or a block in HTML, does not escape', () => {
  for (const page of pages) {
    const text = readFileSync(inProject(page), 'utf8');
    const marks = text.split('\n').filter((line) => /^\s*(?:```(?!`)|~~~)/.test(line));
    expect([page, marks.length, /<pre|<code/.test(text)]).toEqual([page, 2 * fencesOf(page).length, false]);
  }
});

test('a block of no kind is noticed', () => {
  const odd = { language: 'python', text: 'print(1)\n', file: undefined, at: 'README.md:1', page: 'README.md' };
  expect([configFrom({ ...odd, language: 'js', text: 'print(1);\n' }), provenBy(odd), provenBy({ ...odd, language: 'sh', text: 'npx eslint --other\n' })]).toEqual([undefined, [], []]);
});

test('the lines that no test runs are there, and none is listed twice', () => {
  const lines = fences.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.trim().split('\n'));
  expect(Object.keys(linesNotRun).filter((line) => !lines.includes(line))).toEqual([]);
});

test('the program that shows how the flow is tested is one of its tests', () => {
  const [shown] = fences.filter(({ page, language }) => page === 'docs/architecture.md' && language === 'js');
  expect(['calls', 'expressions', 'statements'].filter((file) => readFileSync(inProject(`test/flow/${file}.test.ts`), 'utf8').includes(shown?.text.trim() ?? 'none'))).toHaveLength(1);
});

const settingsSchema = checkBy(JSON.parse(readFileSync(inProject('docs/settings.schema.json'), 'utf8')) as object);

interface Looked {
  readonly settings: object;
  readonly found: readonly string[];
  readonly failed: readonly string[];
}

const look = `
  import { ESLint } from 'eslint';
  const [file, path] = process.argv.slice(2);
  const eslint = new ESLint({ overrideConfigFile: file });
  const { settings } = await eslint.calculateConfigForFile(path);
  const [{ messages }] = await eslint.lintFiles([path]);
  console.log(JSON.stringify({
    settings: settings?.['${name}'] ?? {},
    found: messages.map(({ line, ruleId }) => \`\${line} \${ruleId}\`),
    failed: messages.filter(({ fatal, ruleId }) => fatal || ruleId === null).map(({ message }) => message),
  }));
`;

describe.each(configs.map(({ fence, config }) => [fence.at, config] as const))('the config at %s', (_at, config) => {
  test('is loaded, its settings are right, and it finds the first example of the README', async () => {
    const { file = '', module = '' } = config ?? {};
    const isJavaScript = !module.includes('tseslint') && /^import/.test(module) && module.includes('defineConfig');
    const path = isJavaScript ? 'src/nightly.js' : 'src/nightly.ts';
    const code = isJavaScript ? firstExample().replaceAll(/: \(\) => Promise<void>|: Promise<void>|<\{ locked: boolean \}>/g, '') : firstExample();
    // What the page shows for a config that lints with types stands alone; the settings' page has one that leaves the parser out.
    const completed = module.includes('parser') || module.includes('tseslint') || isJavaScript ? module : module.replace('export default [', "export default [{ files: ['**/*.ts'], languageOptions: { parser: (await import('typescript-eslint')).parser } },");
    const project = userProject(['eslint', 'typescript', 'typescript-eslint', 'pg', '@types/pg', '@types/node'], {
      'package.json': '{ "type": "module" }\n', [file]: completed, [path]: code, 'look.mjs': look,
      'tsconfig.json': '{ "compilerOptions": { "target": "es2022", "module": "nodenext", "strict": true, "noEmit": true, "types": ["node"] }, "include": ["src"] }\n',
    });
    // In a process of its own: typescript-eslint guesses one folder of configs for each.
    const { stdout, stderr } = await project.run(`node look.mjs ${file} ${path}`);
    const { settings, found, failed } = JSON.parse(stdout || `{ "failed": [${JSON.stringify(stderr)}] }`) as Looked;
    expect(failed).toEqual([]);
    expect(settingsSchema(settings), JSON.stringify(settingsSchema.errors)).toBe(true);
    expect(found).toContain(`7 ${name}/no-pooled-session-lock`);
  });
});

test('the config of oxlint is what its schema allows, and has all rules', () => {
  const schema = JSON.parse(readFileSync(inProject('node_modules/oxlint/configuration_schema.json'), 'utf8')) as object;
  const check = checkBy(schema);
  const [config] = fences.filter(({ file }) => file === '.oxlintrc.json');
  const parsed = JSON.parse(config?.text ?? '') as { rules: object };
  expect(check(parsed), JSON.stringify(check.errors)).toBe(true);
  expect(Object.keys(parsed.rules)).toEqual([...ourRules.keys()].map((rule) => `${name}/${rule}`).sort());
});

test('the versions that docs/ci.md names in package.json are those that its jobs are run with', () => {
  type Packages = { readonly devDependencies: Readonly<Record<string, string>>; readonly overrides: Readonly<Record<string, unknown>> };
  const ours = JSON.parse(readFileSync(inProject('package.json'), 'utf8')) as Packages;
  const [block] = fences.filter(({ page, language }) => page === 'docs/ci.md' && language === 'json');
  const { devDependencies, overrides } = JSON.parse(block?.text ?? '') as Packages;
  const formatter = '@microsoft/eslint-formatter-sarif';
  expect([devDependencies[formatter], overrides]).toEqual([ours.devDependencies[formatter], { [formatter]: ours.overrides[formatter] }]);
  expect(ours.devDependencies['eslint']).toMatch(new RegExp(`^${devDependencies['eslint']?.replace(/^\^(\d+).*/, '$1') ?? ''}\\.`));
});
