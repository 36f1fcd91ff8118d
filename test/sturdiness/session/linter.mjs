import * as parser from '@typescript-eslint/parser';
import { Linter } from 'eslint';

/** @typedef {'onDemand' | 'projectService'} Way Where types come from. */
export const WAYS = /** @type {readonly Way[]} */ (['onDemand', 'projectService']);

/**
 * One linter for a whole session, as an editor has it.
 *
 * @param {import('eslint').ESLint.Plugin} plugin @param {string} folder @param {Way} way
 * @returns {(file: string, text: string) => { readonly failures: readonly string[], readonly reports: number }}
 */
export function linterFor(plugin, folder, way) {
  const linter = new Linter({ cwd: folder });
  const { rules = {} } = /** @type {import('eslint').Linter.Config} */ (/** @type {Record<string, unknown>} */ (plugin.configs)['recommended']);
  const parserOptions = way === 'onDemand' ? {} : { projectService: true, tsconfigRootDir: folder };
  /** @type {import('eslint').Linter.Config} */
  const config = { files: ['**/*.ts'], languageOptions: { parser, parserOptions }, plugins: { 'pg-advisory-lock': plugin }, rules, settings: { 'pg-advisory-lock': { typesOnDemand: way === 'onDemand' } } };
  return (file, text) => {
    const messages = linter.verify(text, [config], { filename: file });
    return { failures: messages.filter(({ fatal }) => fatal).map(({ message }) => message), reports: messages.length };
  };
}
