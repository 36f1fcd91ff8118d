/** Lints a folder in one of the ways that a benchmark compares, and prints what it cost: `node lint-once.mjs way folder`. */
import { performance } from 'node:perf_hooks';
import * as parser from '@typescript-eslint/parser';
import { ESLint } from 'eslint';

const [way, folder = '.'] = process.argv.slice(2);
const start = performance.now();
const { default: plugin } = await import('../../dist/src/index.js');
const parserOptions = way === 'project service' ? { projectService: true, tsconfigRootDir: folder } : {};
/** @type {import('eslint').Linter.Config[]} */
const configs = [
  { files: ['**/*.ts'], languageOptions: { parser, parserOptions }, linterOptions: { reportUnusedDisableDirectives: 'off' } },
  // With the parser alone ESLint does all that it does for one rule that asks for nothing.
  way === 'parser only'
    ? { files: ['**/*.ts'], plugins: { nothing: { rules: { nothing: { create: () => ({ 'Program:exit': () => undefined }) } } } }, rules: { 'nothing/nothing': 'error' } }
    : { ...plugin.configs.recommended, files: ['**/*.ts'] },
];
const results = await new ESLint({ cwd: folder, overrideConfigFile: true, overrideConfig: configs, allowInlineConfig: false }).lintFiles(['src']);
process.stdout.write(JSON.stringify({
  seconds: (performance.now() - start) / 1000,
  cpu: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
  megabytes: process.resourceUsage().maxRSS / 1024,
  files: results.length,
  findings: results.flatMap(({ messages }) => messages).filter(({ ruleId }) => ruleId?.startsWith('pg-advisory-lock/')).length,
}));
