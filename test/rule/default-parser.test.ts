import { readdirSync, readFileSync } from 'node:fs';
import parser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import plugin from '../../src/index.js';
import { inProject } from '../support/paths.js';

/** JavaScript is mostly read by ESLint's own parser, whose nodes lack what only TypeScript has. */

const withClasses = `const { Pool } = require('pg');
class Locks {
  constructor(pool) { this.pool = pool; }
  lock(key) { return this.pool.query('select pg_advisory_lock($1)', [key]); }
  async unlock(key) { await this.pool.query('select pg_advisory_unlock($1)', [key]); }
}
exports.locks = new Locks(new Pool());
exports.run = async (work) => { await exports.locks.lock(1); await work(); await exports.locks.unlock(1); };
`;

const fixtures = readdirSync(inProject('fixtures'), { recursive: true, encoding: 'utf8' })
  .map((one) => one.replaceAll('\\', '/')).filter((file) => /\.[cm]?js$/.test(file) && !file.includes('generated')).sort()
  .map((file): [string, string] => [file, readFileSync(inProject(`fixtures/${file}`), 'utf8')]);

const lint = (file: string, text: string, byTypeScript: boolean): string[] =>
  new Linter({ configType: 'flat' }).verify(text, [{
    files: ['**/*'], languageOptions: { sourceType: file.endsWith('.cjs') ? 'commonjs' : 'module', ...(byTypeScript ? { parser } : {}) },
    plugins: { 'pg-advisory-lock': plugin }, rules: plugin.configs.recommended.rules, settings: { 'pg-advisory-lock': { typesOnDemand: false } },
  }], { filename: inProject(`fixtures/${file}`) }).map(({ line, ruleId, message }) => `${line} ${ruleId ?? message}`);

describe('the default parser', () => {
  const warned = vi.fn();
  beforeAll(() => { process.on('warning', warned); });
  afterAll(() => { process.off('warning', warned); });

  test.each([['classes.cjs', withClasses] as [string, string], ...fixtures])('%s is judged as with the other parser', async (file, text) => {
    const found = lint(file, text, false);
    expect(found).toEqual(lint(file, text, true));
    // Warnings are emitted on the next turn.
    await new Promise((done) => { setImmediate(done); });
    expect(warned).not.toHaveBeenCalled();
  });

  test('finds a lock in a class', () => {
    expect(lint('classes.cjs', withClasses, false)).toContain('4 pg-advisory-lock/no-pooled-session-lock');
  });
});
