import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { main } from '../../src/cli/main.js';
import { lookedAt, type Looked } from '../../src/cli/report.js';
import { inProject } from '../support/paths.js';
import { faulty, removeRepositories, repository } from './repository.js';

afterAll(removeRepositories);

/** The command within this process, in a terminal or not. */
async function run(cwd: string, isTTY: boolean, env: Record<string, string> = {}, ...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const said = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof said) => ({ isTTY, columns: 72, write: (text: string) => { said[name] += text; } });
  const usual = process.listeners('warning');
  const status = await main(args, { cwd: () => cwd, env, stdout: stream('stdout'), stderr: stream('stderr') });
  process.removeAllListeners('warning');
  for (const listener of usual) process.on('warning', listener);
  return { status, ...said };
}

describe('in a terminal', () => {
  beforeEach(() => { vi.spyOn(Date, 'now').mockImplementation((() => { let now = 0; return () => (now += 200); })()); return () => { vi.restoreAllMocks(); }; });

  test('there are colours, lines as wide as it is, and progress that is wiped', async () => {
    const { folder } = repository({ 'job.js': faulty });
    const { status, stdout, stderr } = await run(folder, true);
    expect(status).toBe(1);
    expect(stdout).toContain('\u001B[4mjob.js\u001B[24m');
    expect(Math.max(...stdout.replaceAll(/\u001B\[\d+m/g, '').split('\n').filter((line) => line.startsWith('  ')).map((line) => line.length))).toBeLessThanOrEqual(72);
    expect(stderr).toMatch(/\r\u001B\[K1 of 1 files looked through\r\u001B\[K1 of 1 files with locks analysed\r\u001B\[K$/);
  });

  test.each([['NO_COLOR', '1'], ['TERM', 'dumb']])('no colours where %s says so', async (name, value) => {
    const { folder } = repository({ 'job.js': faulty });
    expect((await run(folder, true, { [name]: value })).stdout).not.toContain('\u001B');
    expect((await run(folder, true, { [name]: value }, '--color')).stdout).toContain('\u001B');
  });

  test('no progress elsewhere', async () => {
    const { folder } = repository({ 'job.js': faulty });
    expect((await run(folder, false)).stderr).toBe('');
  });
});

test('a fault of the command itself is shown whole, and ends with 2', async () => {
  const failing = { cwd: () => { throw new Error('gone'); }, env: {}, stdout: { write: () => true }, stderr: { write: (text: string) => { said += text; } } };
  let said = '';
  expect(await main([], failing)).toBe(2);
  expect(said).toMatch(/^Error: gone\n {4}at /);
});

describe('types', () => {
  const looked: Looked = { files: 9, mentioning: 2, statements: 5, unknown: 0, inStrict: 0, withLocks: 2, typed: 2, reasons: [], untyped: [] };

  test.each<[string, Partial<Looked>, string]>([
    ['had for all', {}, '9 source files looked at: 2 mention advisory locks, 5 lock statements in 2 files. Types were available.'],
    ['had for some', { typed: 1 }, 'Types were not available for 1 of the 2 files with locks: a connection that is made in another file, or passed in, is unknown, and nothing is said of it.'],
    ['not had, and why', { typed: 0, reasons: ['TypeScript 7 has no API.'] }, 'Types were not available: TypeScript 7 has no API.'],
  ])('%s', (_what, change, text) => {
    expect(lookedAt({ ...looked, ...change }, 'findings')).toContain(text);
  });

  test.each<[string, Partial<Looked>, Parameters<typeof lookedAt>[1], string]>([
    ['that strict reports', { unknown: 2, inStrict: 2 }, 'findings', '5 lock statements in 2 files, 2 of them on a connection that is not known (--strict lists them).'],
    ['of which strict reports some', { unknown: 5, inStrict: 2 }, 'findings', '5 lock statements in 2 files, all of them on a connection that is not known (--inventory lists them).'],
    ['that strict has reported', { unknown: 1, inStrict: 1 }, 'strict', '5 lock statements in 2 files, 1 of them on a connection that is not known.'],
    ['that strict has not reported', { unknown: 1, inStrict: 0 }, 'strict', ', 1 of them on a connection that is not known (--inventory lists it).'],
    ['that the inventory lists', { unknown: 2, inStrict: 2 }, 'inventory', ', 2 of them on a connection that is not known.'],
    ['that is the only one', { statements: 1, withLocks: 1, unknown: 1, inStrict: 1 }, 'findings', '1 lock statement in 1 file on a connection that is not known (--strict lists it).'],
  ])('statements on a connection that is not known, %s', (_what, change, shown, text) => {
    expect(lookedAt({ ...looked, ...change }, shown)).toContain(text);
  });

  test('why there are none is gathered from the warnings of the process, and other warnings are shown', () => {
    const script = `
      const { gatherTypeWarnings } = await import(${JSON.stringify(pathToFileURL(inProject('dist/src/cli/warnings.js')).href)});
      const reasons = gatherTypeWarnings();
      process.emitWarning('no tsconfig.json', { code: 'PG_ADVISORY_LOCK_TYPES' });
      process.emitWarning('a fault', { code: 'PG_ADVISORY_LOCK_FAULT' });
      setImmediate(() => { console.log(JSON.stringify(reasons)); });
    `;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(stdout).toBe('["no tsconfig.json"]\n');
    expect(stderr).toContain('[PG_ADVISORY_LOCK_FAULT] Warning: a fault');
    expect(stderr).not.toContain('tsconfig');
  });
});

test('a reader that stops early is no failure', () => {
  const { folder } = repository(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`job${index}.js`, faulty])));
  const { stdout, stderr } = spawnSync('sh', ['-c', `"${process.execPath}" "${inProject('dist/src/cli/bin.js')}" | head -1`], { cwd: folder, encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['job0.js\n', '']);
});
