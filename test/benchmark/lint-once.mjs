/** Lints a folder in one of the ways that a benchmark compares, and prints what it cost: `node lint-once.mjs way folder`. */
import { performance } from 'node:perf_hooks';
import tseslint from 'typescript-eslint';
import { ESLint } from 'eslint';

/** The rule of others beside which the plugin is measured: it asks for types in every file, and most typed configs have it. */
const FLOATING = '@typescript-eslint/no-floating-promises';

const [way = '', folder = '.'] = process.argv.slice(2);
const start = performance.now();
const { default: plugin } = await import('../../dist/src/index.js');
const isTyped = way.includes('project service');
const hasFloating = way.includes(FLOATING);
const hasPlugin = way.endsWith('plugin') || way === 'types on demand' || way === 'project service';
const files = ['**/*.{ts,js}'];
/** @type {import('eslint').Linter.Config[]} */
const configs = [
  { files, languageOptions: { parser: /** @type {import('eslint').Linter.Parser} */ (tseslint.parser), parserOptions: isTyped ? { projectService: true, tsconfigRootDir: folder } : {} }, linterOptions: { reportUnusedDisableDirectives: 'off' } },
  ...(hasFloating ? [{ files, plugins: { '@typescript-eslint': /** @type {any} */ (tseslint.plugin) }, rules: { [FLOATING]: /** @type {const} */ ('error') } }] : []),
  ...(hasPlugin ? [{ ...plugin.configs.recommended, files }] : []),
  // With the parser alone ESLint does all that it does for one rule that asks for nothing.
  ...(hasFloating || hasPlugin ? [] : [{ files, plugins: { nothing: { rules: { nothing: { create: () => ({ 'Program:exit': () => undefined }) } } } }, rules: { 'nothing/nothing': /** @type {const} */ ('error') } }]),
];
const results = await new ESLint({ cwd: folder, overrideConfigFile: true, overrideConfig: configs, allowInlineConfig: false, stats: true }).lintFiles(['src']);
const seconds = (performance.now() - start) / 1000;

/** @param {(rule: string) => boolean} isAsked */
const secondsOf = (isAsked) => results.flatMap(({ stats }) => stats?.times.passes ?? []).flatMap(({ rules = {} }) => Object.entries(rules)).reduce((sum, [rule, { total }]) => sum + (isAsked(rule) ? total : 0), 0) / 1000;
const ofPlugin = /** @param {string} rule */ (rule) => rule.startsWith('pg-advisory-lock/');
process.stdout.write(JSON.stringify({
  seconds,
  cpu: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
  megabytes: process.resourceUsage().maxRSS / 1024,
  files: results.length,
  findings: results.flatMap(({ messages }) => messages).filter(({ ruleId }) => ofPlugin(ruleId ?? '')).length,
  unparsed: results.filter(({ messages }) => messages.some(({ fatal }) => fatal)).length,
  ruleSeconds: { plugin: secondsOf(ofPlugin), floating: secondsOf((rule) => rule === FLOATING) },
}));
