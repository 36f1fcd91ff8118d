import { ESLint } from 'eslint';
import { describe, expect, test } from 'vitest';
import parser from '@typescript-eslint/parser';
import plugin from '../../src/index.js';

const faulty = `import { Pool } from 'pg';
const pool = new Pool();
export async function run(work: () => Promise<void>): Promise<void> {
  await pool.query('SELECT pg_advisory_lock(1)');
  await work();
  await pool.query('SELECT pg_advisory_unlock(1)');
}
`;

async function lint(text: string, settings: Record<string, unknown>, fix = false): Promise<ESLint.LintResult> {
  const eslint = new ESLint({
    overrideConfigFile: true, fix,
    overrideConfig: [{ files: ['**/*.ts'], languageOptions: { parser: parser }, plugins: { 'pg-advisory-lock': plugin }, rules: plugin.configs.recommended.rules, settings: { 'pg-advisory-lock': settings } }],
  });
  const [result] = await eslint.lintText(text, { filePath: 'job.ts' });
  return result!;
}

describe('settings', () => {
  test('suggestions stay suggestions', async () => {
    const { messages, output } = await lint(faulty, {}, true);
    expect(messages.some((one) => one.suggestions !== undefined && one.suggestions.length > 0)).toBe(true);
    expect(output).toBeUndefined();
  });

  test('fixSuggestions makes them fixes for one run', async () => {
    const { messages, output } = await lint(faulty, { fixSuggestions: true }, true);
    expect(output).toContain('await pool.connect()');
    expect(messages.map((one) => one.ruleId)).toEqual([]);
  });

  test.each([
    [{ fixSuggestion: true }, "has no 'fixSuggestion'"],
    [{ fixSuggestions: 'yes' }, 'must be true or false'],
    ['all', 'must be an object'],
  ])('a wrong one is one clear report: %j', async (settings, words) => {
    const { messages } = await lint(faulty, settings as never);
    const said = messages.filter((one) => one.message.startsWith('Wrong ESLint settings'));
    expect(said).toHaveLength(1);
    expect(said[0]?.message).toContain(words);
    expect(said[0]?.line).toBe(1);
  });

  test('a file without locks hears nothing of them', async () => {
    expect((await lint('export const one = 1;\n', { wrong: 1 })).messages).toEqual([]);
  });
});
