import * as parser from '@typescript-eslint/parser';
import { Linter } from 'eslint';

/** What ESLint's own `no-unsafe-finally` says more of a text that a suggestion has made than of the one before: an error thrown in a `finally` hides that of the work. */
export function newUnsafeFinally(path: string, before: string, after: string): string[] {
  if (!after.includes('finally')) return [];
  const found = unsafeIn(path, after);
  return found.length > unsafeIn(path, before).length ? found.map(({ line, message }) => `no-unsafe-finally, line ${String(line)}: ${message}`) : [];
}

function unsafeIn(path: string, text: string): Linter.LintMessage[] {
  const config: Linter.Config = {
    files: ['**/*.*'], languageOptions: { parser }, rules: { 'no-unsafe-finally': 'error' }, linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'off' },
  };
  return new Linter({ cwd: '/' }).verify(text, [config], { filename: path }).filter(({ ruleId }) => ruleId !== null);
}
