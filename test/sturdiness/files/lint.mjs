import { createRequire } from 'node:module';
import process from 'node:process';
import * as parser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import plugin from '../../../dist/src/index.js';
import { placeOfTypes } from '../../../dist/src/worker/client.js';

/** Lints one file with all rules, and says what must not be. */

/** @typedef {{ readonly kind: 'crash' | 'warning' | 'worker' | 'outside' | 'rewrite', readonly what: string }} Fault */

const name = 'pg-advisory-lock';
const { rules } = /** @type {import('eslint').Linter.Config} */ (plugin.configs.strict);
const typescript = /** @type {typeof import('typescript')} */ (createRequire(import.meta.url)('typescript'));

/** @type {string[]} */
const warnings = [];
process.emitWarning = /** @type {typeof process.emitWarning} */ ((/** @type {string | Error} */ warning) => { warnings.push(String(warning)); });

/**
 * @param {string} file @param {string} text
 * @param {{ readonly cwd: string, readonly settings?: object, readonly program?: import('typescript').Program | undefined, readonly isWanted: (report: import('eslint').Linter.LintMessage, offset: number) => boolean }} options
 * @returns {{ readonly isRefused: boolean, readonly reports: number, readonly faults: Fault[] }}
 */
export function lint(file, text, { cwd, settings = {}, program, isWanted }) {
  const jsx = !/\.[cm]?ts$/.test(file);
  /** @type {import('eslint').Linter.Config} */
  const config = {
    files: ['**/*.*'], plugins: { [name]: plugin }, rules, settings: { [name]: settings }, linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'off' },
    languageOptions: { parser, parserOptions: program ? { programs: [program] } : { ecmaFeatures: { jsx } } },
  };
  warnings.length = 0;
  let messages;
  try {
    // What no rule says is a note of ESLint's on comments, or a syntax error.
    messages = new Linter({ cwd }).verify(text, [config], { filename: file }).filter(({ ruleId, fatal }) => ruleId !== null || fatal);
  } catch (error) {
    return { isRefused: false, reports: 0, faults: [{ kind: 'crash', what: String(error instanceof Error ? error.stack : error) }] };
  }
  if (messages.some(({ fatal }) => fatal)) return { isRefused: true, reports: 0, faults: [] };
  const lines = lineStarts(text);
  const outside = messages.filter((one) => !isWanted(one, (lines[one.line - 1] ?? 0) + one.column - 1));
  return {
    isRefused: false, reports: messages.length,
    faults: [
      ...warnings.map((what) => /** @type {Fault} */ ({ kind: 'warning', what })),
      ...outside.map(({ ruleId, line, column, message }) => /** @type {Fault} */ ({ kind: 'outside', what: `${String(line)}:${String(column)} ${ruleId ?? ''} ${message}` })),
      ...brokenRewrites(text, messages, jsx).map((what) => /** @type {Fault} */ ({ kind: 'rewrite', what })),
      ...(placeOfTypes() !== 'nowhere' ? [] : [/** @type {Fault} */ ({ kind: 'worker', what: 'The worker that makes types on demand is gone.' })]),
    ],
  };
}

/** @param {string} text */
const lineStarts = (text) => [0, ...[...text.matchAll(/\r\n|[\r\n\u2028\u2029]/g)].map((one) => one.index + one[0].length)];

const MOST_REWRITES = 1;

/** Suggestions after which the text does not parse. @param {string} text @param {readonly import('eslint').Linter.LintMessage[]} messages @param {boolean} jsx */
function brokenRewrites(text, messages, jsx) {
  const all = messages.flatMap(({ ruleId, line, suggestions = [] }) => suggestions.map(({ fix, desc }) => ({ ruleId, line, fix, desc })));
  const step = Math.max(1, Math.floor(all.length / MOST_REWRITES));
  return all.filter((_, index) => index % step === 0).flatMap(({ ruleId, line, fix, desc }) => {
    const after = text.slice(0, fix.range[0]) + fix.text + text.slice(fix.range[1]);
    try {
      parser.parse(after, { ecmaFeatures: { jsx } });
      return [];
    } catch (error) {
      return [`${ruleId ?? ''} on line ${String(line)}, "${desc}": ${String(error)}`];
    }
  });
}

/** A program of all files of a folder, as a config with typed linting gives it. @param {readonly string[]} files */
export const programOf = (files) => typescript.createProgram({ rootNames: [...files], options: { allowJs: true, module: typescript.ModuleKind.Preserve, moduleResolution: typescript.ModuleResolutionKind.Bundler, target: typescript.ScriptTarget.ESNext, jsx: typescript.JsxEmit.Preserve, strict: true, skipLibCheck: true, noEmit: true, types: [] } });
