import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import parser from '@typescript-eslint/parser';
import { ESLint, Linter } from 'eslint';
import type { InferInput } from 'valibot';
import { describe, expect, expectTypeOf, test } from 'vitest';
import plugin, { type PgAdvisoryLockSettings } from '../../src/index.js';
import { readSettings } from '../../src/settings/index.js';
import type { schemas } from '../../src/settings/schema.js';
import { checkBy } from '../support/json-schema.js';
import { inProject } from '../support/paths.js';

// It comes with a package that the project has, and is asked here alone.
const { typeOrValueSpecifiersSchema } = createRequire(createRequire(import.meta.url).resolve('typescript-eslint'))('@typescript-eslint/type-utils') as { typeOrValueSpecifiersSchema: { items: object } };

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
    [{ fixSuggestion: true }, '`fixSuggestion` is not known (did you mean `fixSuggestions`?)'],
    [{ fixSuggestions: 'yes' }, "`fixSuggestions` is `'yes'`, and must be `true` or `false`"],
    ['all', "`settings['pg-advisory-lock']` must be an object"],
    [{ handles: {} }, '`handles` must be an array'],
    [{ handles: [3] }, '`handles[0]` is `3`, and must be an object'],
    [{ handles: [() => 1] }, '`handles[0]` is a function, and must be an object'],
    [{ handles: [{ type: 'Db' }] }, '`handles[0].connection` is missing, and must be'],
    [{ handles: [{ type: 'Db', connection: 'pooled' }, { type: 'Db', connection: 'poled' }] }, "`handles[1].connection` is `'poled'`, and must be `'pooled'`, `'pinned'`, `'transaction'` or `'stateless'` (did you mean `pooled`?)"],
    [{ handles: [{ type: 'Db', conection: 'pooled', connection: 'pooled' }] }, '`handles[0].conection` is not known (did you mean `connection`?)'],
    [{ handles: [{ connection: 'pooled' }] }, '`handles[0]` must have one of `type`, `function` and `value`'],
    [{ handles: [{ type: 'Db', value: 'db', connection: 'pooled' }] }, 'one of `type`, `function` and `value`, not several'],
    [{ handles: [{ type: { from: 'fille', name: 'Db' }, connection: 'pooled' }] }, "`handles[0].type.from` is `'fille'`, and must be `'file'`, `'package'` or `'lib'` (did you mean `file`?)"],
    [{ handles: [{ type: { from: 'package', name: 'Db' }, connection: 'pooled' }] }, '`handles[0].type.package` is missing'],
    [{ handles: [{ type: 'Db', connection: 'pooled', run: [] }] }, '`handles[0].run` is empty, and must be an array with entries'],
    [{ queries: [{ function: 'run', sql: -1 }] }, '`queries[0].sql` is `-1`, and must be an index, from 0 on'],
    [{ queries: [{ type: 'Db' }] }, '`queries[0]` must have either `function`, or `type` and `member`'],
    [{ locks: [{ function: 'lock', connection: 'direct' }] }, "`locks[0].connection` is `'direct'`, and must be `'pooled'`, `'pinned'`, `'transaction'`, `'stateless'` or an object"],
    [{ unlocks: [{ function: 'unlock', key: [1] }] }, '`unlocks[0].key[1]` is missing'],
    [{ locks: [{ function: 'lock', unlock: false }] }, '`locks[0].unlock` is `false`, and must be `true` or text'],
    [{ locks: [{ function: 'lock', unlock: true, level: 'transaction' }] }, "`locks[0].unlock` cannot stand beside `level: 'transaction'`"],
    [{ pooler: 'session' }, "`pooler` is `'session'`, and must be `'transaction'`"],
  ])('a wrong one is one clear report: %j', async (settings, words) => {
    const { messages } = await lint(faulty, typeof settings === 'string' ? settings as never : { ...settings, typesOnDemand: false });
    const said = messages.filter((one) => one.message.startsWith('Wrong ESLint settings'));
    expect(said).toHaveLength(1);
    expect(said[0]?.message).toContain(words);
    expect(said[0]?.line).toBe(1);
    // All else is judged as ever.
    expect(messages.length).toBeGreaterThan(1);
  });

  test('several wrong ones are one report, and the right ones hold', async () => {
    const settings = { handles: [{ type: 'Db', connection: 'poled' }, { type: 'Db', connection: 'pooled' }], pooler: 1 };
    const { messages } = await lint("interface Db { query(text: string): Promise<unknown> }\nexport const lock = (db: Db) => db.query('SELECT pg_advisory_lock(1)');\n", settings);
    expect(messages.map(({ line, ruleId }) => [line, ruleId?.replace(/^.*\//, '')])).toEqual([[1, expect.anything()], [2, 'no-pooled-session-lock']]);
    expect(messages[0]?.message).toContain('handles[0].connection');
    expect(messages[0]?.message).toContain('`pooler` is `1`');
  });

  test('a name that nothing has is no fault', async () => {
    expect((await lint(faulty, { handles: [{ type: { from: 'package', name: 'Nothing', package: 'nowhere' }, connection: 'pinned' }], locks: [{ function: 'nobody' }] })).messages).toEqual((await lint(faulty, {})).messages);
  });

  test('a name that stands in no regular expression as it is', async () => {
    const { messages } = await lint("declare function $lock$(key: number): Promise<void>;\nexport function run(): void { $lock$(1); }\n", { locks: [{ function: ['$lock$', 'a.b(c'] }, { function: { from: 'file', name: ['$lock$', 'a.b(c'] } }] });
    expect(messages.map(({ line }) => line)).toEqual([1, 2]);
  });

  test('a file without locks hears nothing of them', async () => {
    expect((await lint('export const one = 1;\n', { wrong: 1 })).messages).toEqual([]);
  });
});

describe('several configs in one process', () => {
  const text = "declare class Db { query(text: string): Promise<unknown> }\nexport async function run(db: Db): Promise<void> {\n  await db.query('SELECT pg_advisory_lock(1)');\n}\n";
  const asked = async (connection: string): Promise<string[]> => (await lint(text, { handles: [{ type: 'Db', connection }] })).messages.map(({ ruleId }) => ruleId?.replace(/^.*\//, '') ?? '');

  test('each have their own settings', async () => {
    const all = await Promise.all(['pooled', 'transaction', 'pinned', 'pooled'].map(asked));
    expect(all).toEqual([['no-pooled-session-lock'], ['no-session-lock-in-transaction'], [], ['no-pooled-session-lock']]);
    expect((await lint(text, {})).messages).toEqual([]);
  });

  test('one tree of a file may be judged under several', () => {
    const linter = new Linter();
    const config = (settings: object): Linter.Config => ({ languageOptions: { parser }, files: ['**/*.ts'], plugins: { 'pg-advisory-lock': plugin }, rules: plugin.configs.recommended.rules, settings: { 'pg-advisory-lock': settings } });
    const first = linter.verify(text, [config({ handles: [{ type: 'Db', connection: 'pooled' }] })], 'job.ts');
    const tree = linter.getSourceCode();
    const second = linter.verify(tree, [config({ handles: [{ type: 'Db', connection: 'pinned' }] })], 'job.ts');
    expect([first.length, second.length]).toEqual([1, 0]);
  });
});

describe('the form of the settings', () => {
  test('is what its types say', () => {
    expectTypeOf<PgAdvisoryLockSettings>().toEqualTypeOf<InferInput<ReturnType<typeof schemas>['all']>>();
  });

  test('has a schema for editors that accepts and refuses the same', async () => {
    const check = checkBy(JSON.parse(await readFile(inProject('docs/settings.schema.json'), 'utf8')) as object);
    const right = { handles: [{ type: { from: 'package', name: ['A'], package: '@acme/db' }, connection: 'pooled', run: ['query'], result: 'rows' }], queries: [{ function: 'q', connection: { argument: 1 }, sql: 1 }], locks: [{ type: 'L', member: 'm', key: [0, 1], try: true }], unlocks: [{ function: 'u', all: true }], pooler: 'transaction' };
    expect(check(right), JSON.stringify(check.errors)).toBe(true);
    expect(readSettings({ 'pg-advisory-lock': right }).faults).toEqual([]);
    for (const wrong of [{ handles: [{ type: 'A', connection: 'poled' }] }, { pooler: 'session' }, { other: 1 }, { locks: [{ function: { from: 'lib' } }] }]) {
      expect(check(wrong), JSON.stringify(wrong)).toBe(false);
      expect(readSettings({ 'pg-advisory-lock': wrong }).faults).toHaveLength(1);
    }
  });

  /** The form of names is that of typescript-eslint, so that users know it. */
  test.each([
    'Db', { from: 'file', name: 'Db' }, { from: 'file', name: ['Db', 'Other'], path: 'src/db.ts' }, { from: 'package', name: 'Db', package: 'db' }, { from: 'lib', name: 'Promise' },
    3, null, {}, { from: 'file' }, { from: 'package', name: 'Db' }, { from: 'lib', name: 'Promise', path: 'x' }, { from: 'file', name: [] }, { from: 'other', name: 'Db' }, { from: 'file', name: 'Db', other: 1 },
  ])('names are given as in typescript-eslint: %j', (specifier) => {
    const theirs = checkBy({ items: typeOrValueSpecifiersSchema.items });
    const { faults } = readSettings({ 'pg-advisory-lock': { handles: [{ type: specifier, connection: 'pooled' }] } });
    expect(faults.length === 0).toBe(theirs([specifier]));
  });
});
