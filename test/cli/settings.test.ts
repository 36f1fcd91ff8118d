import { afterAll, describe, expect, test } from 'vitest';
import { look, removeRepositories, repository } from './repository.js';

afterAll(removeRepositories);

const job = `export async function run(db, work) {
  await lockJob('nightly');
  await work();
  await freeJob('nightly');
}
`;
const settings = { locks: [{ function: 'lockJob', connection: 'pinned' }], unlocks: [{ function: 'freeJob', connection: 'pinned' }] };
const files = { 'job.js': `import { freeJob, lockJob } from '@acme/locks';\n${job}`, 'other.js': 'export const one = 1;\n' };

describe('settings of the command', () => {
  test.each([
    ['a JSON file', 'settings.json', JSON.stringify({ $schema: 'x', ...settings })],
    ['a module', 'settings.mjs', `export default ${JSON.stringify(settings)};`],
    ['an ESLint config', 'eslint.config.mjs', `export default [{ rules: {} }, [{ settings: { other: 1, 'pg-advisory-lock': ${JSON.stringify({ locks: settings.locks })} } }], { settings: { 'pg-advisory-lock': ${JSON.stringify({ unlocks: settings.unlocks })} } }];`],
    ['a config of oxlint', '.oxlintrc.json', JSON.stringify({ rules: {}, settings: { 'pg-advisory-lock': settings } })],
  ])('%s names helpers', async (_what, name, text) => {
    const { folder } = repository({ ...files, [name]: text });
    const without = await look(folder);
    expect(without).toMatchObject({ status: 0, stdout: expect.stringContaining('Nothing found.') as string });
    const { stdout, status } = await look(folder, '--settings', name);
    expect(stdout).toContain('`freeJob` is not reached');
    expect(stdout).toContain('pg-advisory-lock/no-leaked-lock');
    expect(status).toBe(1);
  });

  test('the inventory has them', async () => {
    const { folder } = repository({ ...files, 'settings.json': JSON.stringify(settings) });
    const { stdout } = await look(folder, '--inventory', '--format', 'json', '--settings', 'settings.json');
    expect((JSON.parse(stdout) as { statements: unknown[] }).statements).toHaveLength(2);
  });

  test.each([
    ['none.json', undefined, 'cannot be read'],
    ['broken.json', '{', 'cannot be read'],
    ['list.json', '3', 'has no settings'],
    ['wrong.json', '{"pooler":"session"}', "`pooler` is `'session'`, and must be `'transaction'`"],
  ])('%s is said', async (name, text, words) => {
    const { folder } = repository({ ...files, ...(text === undefined ? {} : { [name]: text }) });
    const { stderr, status } = await look(folder, '--settings', name);
    expect(stderr).toContain(words);
    expect(status).toBe(2);
  });
});
