import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { inProject, projectRoot } from '../support/paths.js';
import { type Installed, type Project, type Tarball, everything, lintIn, manifest, pack, projectWith, run, usual } from './project.js';

let tarball: Tarball;
beforeAll(() => { tarball = pack(); });
afterAll(() => { tarball.remove(); });

const projects: Project[] = [];
afterAll(() => { projects.forEach((project) => { project.remove(); }); });

const job = `import { Pool } from 'pg';
const pool = new Pool();
export async function nightly(work: () => Promise<void>): Promise<void> {
  await pool.query('SELECT pg_advisory_lock(1)');
  await work();
  await pool.query('SELECT pg_advisory_unlock(1)');
}
`;
const found = ['no-pooled-session-lock', 'no-cross-connection-unlock', 'no-unchecked-unlock'];
const tsconfig = '{ "compilerOptions": { "target": "es2022", "module": "nodenext", "strict": true, "noEmit": true, "types": ["node"], "skipLibCheck": false }, "include": ["*.ts"] }';

function project(files: Record<string, string>, installed: Installed = usual): Project {
  const made = projectWith(tarball, installed, { 'job.ts': job, 'tsconfig.json': tsconfig, ...files });
  projects.push(made);
  return made;
}

const typed = "languageOptions: { parser: tseslint.parser, parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } }";
const imports = "import tseslint from 'typescript-eslint';\nimport plugin from 'eslint-plugin-pg-advisory-lock';\n";
const spread = `${imports}export default [{ ...plugin.configs.recommended, files: ['**/*.ts'], ${typed} }];`;
const define = "import { defineConfig } from 'eslint/config';\n";

describe('the plugin from its tarball', () => {
  test.each([
    ['a config that extends by name', 'eslint.config.mjs', `${define}${imports}export default defineConfig({ files: ['**/*.ts'], plugins: { 'pg-advisory-lock': plugin }, extends: ['pg-advisory-lock/recommended'], ${typed} });`],
    ['a config that extends by object', 'eslint.config.mjs', `${define}${imports}export default defineConfig({ files: ['**/*.ts'], extends: [plugin.configs.recommended], ${typed} });`],
    ['the strict config', 'eslint.config.mjs', `${define}${imports}export default defineConfig({ files: ['**/*.ts'], extends: [plugin.configs.strict], ${typed} });`],
    ['an array with the config in it', 'eslint.config.mjs', `${imports}export default [{ files: ['**/*.ts'], ${typed} }, plugin.configs.recommended];`],
    ['a config that is spread', 'eslint.config.mjs', spread],
    ['its rules alone', 'eslint.config.mjs', `${imports}export default [{ files: ['**/*.ts'], plugins: { 'pg-advisory-lock': plugin }, rules: { ...plugin.configs.recommended.rules }, ${typed} }];`],
    ['a config in TypeScript', 'eslint.config.ts', `${define}${imports}export default defineConfig({ files: ['**/*.ts'], extends: [plugin.configs.recommended], ${typed} });`],
    ['a config in CommonJS', 'eslint.config.cjs', `const { defineConfig } = require('eslint/config');\nconst tseslint = require('typescript-eslint');\nconst plugin = require('eslint-plugin-pg-advisory-lock');\nmodule.exports = defineConfig({ files: ['**/*.ts'], plugins: { 'pg-advisory-lock': plugin }, extends: ['pg-advisory-lock/recommended'], ${typed.replace('import.meta.dirname', '__dirname')} });`],
  ])('works in %s', (_what, name, config) => {
    expect(lintIn(project({ [name]: config }), 'job.ts')).toEqual(found.map((rule) => `pg-advisory-lock/${rule}`));
  });

  test('works under another prefix', () => {
    const config = `${define}${imports}export default defineConfig({ files: ['**/*.ts'], plugins: { locks: plugin }, extends: ['locks/recommended'], ${typed} });`;
    expect(lintIn(project({ 'eslint.config.mjs': config }), 'job.ts')).toEqual(found.map((rule) => `locks/${rule}`));
  });

  test('works without types, too', () => {
    const config = `${imports}export default [{ ...plugin.configs.recommended, files: ['**/*.ts'], languageOptions: { parser: tseslint.parser } }];`;
    expect(lintIn(project({ 'eslint.config.mjs': config }), 'job.ts')).toEqual(found.map((rule) => `pg-advisory-lock/${rule}`));
  });

  test('lints JavaScript where neither typescript-eslint nor TypeScript is installed', () => {
    const config = "import plugin from 'eslint-plugin-pg-advisory-lock';\nexport default [plugin.configs.recommended];";
    const made = project({ 'eslint.config.mjs': config, 'job.js': job.replaceAll(/: \(\) => Promise<void>|: Promise<void>/g, '') }, { eslint: 'eslint' });
    expect(lintIn(made, 'job.js')).toEqual(found.map((rule) => `pg-advisory-lock/${rule}`));
  });

  test('is the same to import and to require', () => {
    const script = `
      import plugin from '${manifest.name}';
      import { createRequire } from 'node:module';
      const required = createRequire(import.meta.url)('${manifest.name}');
      console.log(JSON.stringify([required === plugin, plugin.meta, Object.keys(plugin.configs)]));
    `;
    const made = project({ 'script.mjs': script });
    expect(JSON.parse(run(process.execPath, ['script.mjs'], made.folder))).toEqual([
      true, { name: manifest.name, version: manifest.version, namespace: 'pg-advisory-lock' }, ['recommended', 'strict'],
    ]);
  });

  test('has types that fit a config in TypeScript', () => {
    const config = `${define}import type { ESLint, Linter } from 'eslint';\n${imports}
      export default defineConfig(
        { plugins: { 'pg-advisory-lock': plugin }, extends: ['pg-advisory-lock/recommended'] },
        { extends: [plugin.configs.recommended, plugin.configs.strict] },
        plugin.configs.recommended,
        { ...plugin.configs.strict, files: ['**/*.ts'], ${typed} },
      );
      export const asPlugin: ESLint.Plugin = plugin;
      export const configs: Linter.Config[] = [plugin.configs.recommended, plugin.configs.strict];
      // @ts-expect-error: there is no such config
      export const none = plugin.configs.recommendet;
    `;
    const made = project({ 'eslint.config.ts': config });
    expect(run(process.execPath, [inProject('node_modules/typescript/bin/tsc'), '-p', '.'], made.folder)).toBe('');
  });
});

describe('the command from the tarball', () => {
  const command = `node_modules/${manifest.name}/dist/src/cli/bin.js`;
  const look = ({ folder }: Project, ...args: string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, [...args, command, '--format', 'json', 'job.ts'], { cwd: folder, encoding: 'utf8' });
  const rulesOf = (stdout: string): string[] => (JSON.parse(stdout) as { messages: { ruleId: string }[] }[]).flatMap(({ messages }) => messages.map(({ ruleId }) => ruleId.replace(/^.*\//, '')));

  test.each([
    ['what is usual', usual],
    ['the oldest ESLint 9', { ...usual, eslint: 'eslint-9' }],
    ['no typescript-eslint of the user', { eslint: 'eslint' }],
  ])('finds with %s', (_what, installed) => {
    const { status, stdout } = look(project({}, installed));
    expect(rulesOf(stdout)).toEqual(found);
    expect(status).toBe(1);
  });

  test('finds with the oldest TypeScript', () => {
    const { status, stdout } = look(project({}, { ...everything(), typescript: 'typescript-5.4' }), '--preserve-symlinks', '--preserve-symlinks-main');
    expect(rulesOf(stdout)).toEqual(found);
    expect(status).toBe(1);
  });

  test('says what to install where there is no ESLint', () => {
    expect(look(project({}, {}))).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(/^ESLint cannot be loaded: [^]*\nInstall it: npm install --save-dev eslint\n$/) as string });
  });

  test('says what to do about TypeScript 7, and reads JavaScript all the same', () => {
    const { typescript: _, ...others } = everything();
    const made = project({
      'node_modules/typescript/package.json': '{ "name": "typescript", "version": "7.0.2", "main": "index.js" }',
      'node_modules/typescript/index.js': "module.exports = { version: '7.0.2', versionMajorMinor: '7.0' };\n",
      'js/job.js': job.replaceAll(/: \(\) => Promise<void>|: Promise<void>/g, ''),
    }, others);
    expect(look(made, '--preserve-symlinks', '--preserve-symlinks-main')).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('or beside TypeScript 7: npm install --save-dev typescript@npm:@typescript/typescript6 typescript-7@npm:typescript@7\n') as string });
    const { stdout } = spawnSync(process.execPath, ['--preserve-symlinks', '--preserve-symlinks-main', command, '-f', 'json', 'js'], { cwd: made.folder, encoding: 'utf8' });
    expect(rulesOf(stdout)).toEqual(found);
  });

  test('is what the manifest names', () => {
    expect(manifest.bin).toEqual({ [manifest.name]: 'dist/src/cli/bin.js' });
    expect(readFileSync(`${tarball.folder}/dist/src/cli/bin.js`, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });
});

describe('the tarball', () => {
  test('holds what is needed and no more', () => {
    expect(tarball.names.filter((name) => !/^dist\/(?:src|rules)\/[\w/-]+\.(?:js|d\.ts)$|^docs\/(?:rules\/[\w-]+|advisory-locks|how-it-decides|first-look|settings|editor|ci|configure|pre-commit|versions)\.md$|^docs\/settings\.schema\.json$/.test(name))).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
  });

  test('has nothing to say for publint', async () => {
    const { messages, pkg } = await publint({ pkgDir: tarball.folder, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test('resolves for every way of importing it', () => {
    const attw = inProject('node_modules/@arethetypeswrong/cli/dist/index.js');
    const found = run(process.execPath, [attw, tarball.file, '--profile', 'esm-only', '--format', 'ascii', '--no-color'], projectRoot);
    expect(found).toMatch(/"eslint-plugin-pg-advisory-lock"\s+node16 \(from ESM\): 🟢 \(ESM\)\s+bundler: 🟢/);
  });
});

test('the lockfile names no place to download from', () => {
  expect(readFileSync(inProject('package-lock.json'), 'utf8')).not.toContain('"resolved"');
});

/** Two names of one package both bring a command, and the one that comes first must win. */
test.each(['eslint', 'tsc'])('the command %s is not one of the old versions', (command) => {
  expect(realpathSync(inProject(`node_modules/.bin/${command}`))).toMatch(/node_modules[\\/](?:eslint|typescript)[\\/]bin/);
});
