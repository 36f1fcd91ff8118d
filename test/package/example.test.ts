import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fencesOf, fileIn } from '../support/page.js';
import { inProject } from '../support/paths.js';
import { type Project, type Tarball, everything, manifest, pack, packagesBeside, projectInstalledWith, projectWith, run } from './project.js';

/**
 * The README's first example, in new projects of both kinds that have the packed plugin, the oldest and the newest ESLint and the
 * oldest and the newest TypeScript. `INSTALL=npm` has npm install them from the tarball, as a user would, in place of links to what is
 * installed here; `npm run matrix` does so on each Node.js.
 */

let tarball: Tarball;
beforeAll(() => { tarball = pack(); });
afterAll(() => { tarball.remove(); });

const projects: Project[] = [];
afterAll(() => { projects.forEach((project) => { project.remove(); }); });

const versionOf = (name: string): string => (JSON.parse(readFileSync(inProject(`node_modules/${name}/package.json`), 'utf8')) as { version: string }).version;

const [incorrect = '', correct = ''] = fencesOf('README.md').filter(({ language }) => language === 'ts').map(({ text }) => text);

/** `7:66 no-pooled-session-lock: message` for each finding in the report that the README shows, which wraps its lines. */
function reportOfReadme(): string[] {
  const [text = ''] = fencesOf('README.md').filter(({ language, text: one }) => language === 'text' && one.startsWith('src/nightly.ts\n')).map((fence) => fence.text);
  return [...text.matchAll(/^ +(\d+:\d+) +error +([^]*?)\s+pg-advisory-lock\/([\w-]+)$/gm)].map(([, at = '', message = '', rule = '']) => `${at} ${rule}: ${message.replaceAll(/\s+/g, ' ')}.`);
}

const blocks = fencesOf('docs/configure.md').filter(({ language }) => language === 'js').map(({ text }) => text);
const asList = blocks.find((text) => text.includes('export default [')) ?? '';
const required = asList.replaceAll(/^import (\w+) from ('[^']+');$/gm, 'const $1 = require($2);').replace('export default', 'module.exports =');

/** Before 9.22 there is no `defineConfig`, and docs/configure.md says to list the configs. */
const configs = {
  eslint: { module: { 'eslint.config.mjs': fileIn('README.md', 'eslint.config.mjs') }, commonjs: { 'eslint.config.cjs': fileIn('docs/configure.md', 'eslint.config.cjs') } },
  'eslint-9': { module: { 'eslint.config.mjs': asList }, commonjs: { 'eslint.config.js': required } },
};

const script = `
  import { ESLint } from 'eslint';
  import ts from 'typescript';
  import estree from '@typescript-eslint/typescript-estree';
  const results = await new ESLint().lintFiles(['src']);
  const line = ({ line, column, ruleId, message }) => \`\${line}:\${column} \${String(ruleId).replace('pg-advisory-lock/', '')}: \${message}\`;
  const found = results.map(({ filePath, messages }) => [filePath.replace(/^.*[\\\\/]/, ''), messages.map(line)]);
  console.log(JSON.stringify({ eslint: ESLint.version, typescript: ts.version, isNewer: estree.typescriptVersionIsAtLeast['5.5'], found: Object.fromEntries(found) }));
`;

const isInstalled = process.env['INSTALL'] === 'npm';
const beside = { 'typescript-eslint': 'typescript-eslint', pg: 'pg', '@types/pg': '@types/pg', '@types/node': '@types/node' };

describe.each(['eslint', 'eslint-9'] as const)('%s', (eslint) => {
  describe.each(['typescript', 'typescript-5.4'] as const)('and %s', (typescript) => {
    test.each(['module', 'commonjs'] as const)('report what the README shows, in a project of the type %s', (type) => {
      const files = {
        ...configs[eslint][type],
        'package.json': `{ "name": "example", "private": true, "type": "${type}" }\n`,
        'tsconfig.json': '{ "compilerOptions": { "target": "es2022", "module": "nodenext", "strict": true, "noEmit": true, "types": ["node"] }, "include": ["src"] }\n',
        'src/nightly.ts': incorrect, 'src/correct.ts': correct, 'lint.mjs': script,
      };
      const chosen = { ...beside, eslint, typescript };
      const project = isInstalled ? projectInstalledWith(tarball, packagesBeside(chosen), files) : projectWith(tarball, { ...everything(), ...chosen }, files);
      projects.push(project);
      const said = JSON.parse(run(process.execPath, [...isInstalled ? [] : ['--preserve-symlinks'], 'lint.mjs'], project.folder)) as object;
      const report = reportOfReadme();
      expect(report).toHaveLength(3);
      expect(said).toEqual({
        eslint: versionOf(eslint), typescript: versionOf(typescript), isNewer: typescript === 'typescript',
        found: { 'nightly.ts': report, 'correct.ts': [] },
      });
    });
  });
});

/** The oldest of what is installed here is the oldest of what the manifest allows. */
test('the oldest ESLint, TypeScript and Node.js are those of the manifest', () => {
  const { peerDependencies, engines } = manifest;
  expect(peerDependencies.eslint).toBe(`^${versionOf('eslint-9')} || ^10.0.0`);
  // 5.4.5 is its last fix; what a minor version of TypeScript can read does not change with them.
  expect(peerDependencies.typescript).toBe(`>=${versionOf('typescript-5.4').replace(/\d+$/, '0')}`);
  expect(engines.node).toBe('^20.19.0 || ^22.13.0 || >=24');
  expect(readFileSync(inProject('README.md'), 'utf8')).toContain('ESLint 9 and 10, TypeScript 5.4 to 6.0, and Node.js 20.19, 22.13, 24 and newer');
});
