import process from 'node:process';
import * as parser from '@typescript-eslint/parser';
import { Linter } from 'eslint';

/**
 * Lints one text twice: without any rule, to see what the parser and ESLint themselves make of it, and with all rules of the plugin.
 * A fault that the plugin caught and warned of counts like a crash.
 */

/**
 * @typedef {object} Outcome
 * @property {string | undefined} refusal What the parser, or ESLint without rules, says of the text; the plugin is then not asked.
 * @property {string | undefined} fault How the plugin failed.
 * @property {readonly { readonly ruleId: string, readonly line: number, readonly message: string }[]} reports
 * @property {number} time Milliseconds of the processor that the rules added to parsing and walking.
 */

/** @type {string[]} */
const faults = [];
const { emitWarning } = process;
process.emitWarning = /** @type {typeof process.emitWarning} */ ((/** @type {string | Error} */ warning, /** @type {unknown[]} */ ...rest) => {
  const code = /** @type {{ readonly code?: string } | undefined} */ (rest[0])?.code ?? rest[1];
  if (code === 'PG_ADVISORY_LOCK_FAULT') faults.push(String(warning));
  else Reflect.apply(emitWarning, process, [warning, ...rest]);
});

const bare = { rules: {} };

/**
 * @param {import('eslint').ESLint.Plugin} plugin
 * @param {string} text
 * @param {{ readonly file?: string, readonly cwd?: string, readonly typesOnDemand?: boolean, readonly isMeasured?: boolean }} [options]
 * @returns {Outcome}
 */
export function lintHostile(plugin, text, { file = 'hostile.ts', cwd = process.cwd(), typesOnDemand = false, isMeasured = false } = {}) {
  const { rules } = /** @type {import('eslint').Linter.Config} */ (/** @type {Record<string, unknown>} */ (plugin.configs)['strict']);
  /** @param {import('eslint').Linter.Config} config */
  const verify = (config) => {
    const start = process.cpuUsage();
    const messages = new Linter({ cwd }).verify(text, [{
      files: ['**'], languageOptions: { parser, sourceType: 'module' }, plugins: { 'pg-advisory-lock': plugin }, linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'off' },
      settings: { 'pg-advisory-lock': { typesOnDemand } }, ...config,
    }], { filename: file });
    const { user, system } = process.cpuUsage(start);
    return { messages, time: (user + system) / 1000 };
  };
  const none = { refusal: undefined, fault: undefined, reports: [], time: 0 };
  let empty;
  try {
    if (isMeasured) verify(bare);
    empty = verify(bare);
    if (empty.messages[0]) return { ...none, refusal: empty.messages[0].message };
  } catch (error) {
    return { ...none, refusal: firstLine(error) };
  }
  try {
    faults.length = 0;
    const full = verify(rules ? { rules } : {});
    const reports = full.messages.map(({ ruleId, line, message }) => ({ ruleId: ruleId ?? '', line, message }));
    return { refusal: undefined, fault: faults[0], reports, time: Math.max(0, full.time - empty.time) };
  } catch (error) {
    return { ...none, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

const firstLine = (/** @type {unknown} */ error) => String(error instanceof Error ? error.message : error).split('\n', 1)[0];
