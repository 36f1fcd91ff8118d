import { existsSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import plugin from '../../src/index.js';
import { correct, faulty, faultyAt, findingsOf, look, removeRepositories, repository } from './repository.js';

afterAll(removeRepositories);

describe('what is printed', () => {
  test('findings by file, with the code, what to do and a last line', async () => {
    const { folder } = repository({ 'src/job.js': faulty, 'src/other.js': 'export const one = 1;\n' });
    const { stdout, status } = await look(folder);
    expect(status).toBe(1);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('src/job.js');
    expect(stdout).toContain('    4:28  `pg_advisory_lock` locks for one connection, but `pool` is a pg Pool (job.js:2)');
    expect(stdout).toContain("          | await pool.query('SELECT pg_advisory_lock(1)');\n          |                          ^^^^^^^^^^^^^^^^\n");
    expect(stdout).toContain('          To fix it, take `const client = await pool.connect()`');
    expect(stdout).toContain('          Quick fix: Reserve one connection for the lock and the unlock.');
    expect(stdout).toContain('          pg-advisory-lock/no-pooled-session-lock');
    expect(stdout).toContain('\n3 findings in 1 file.\n2 source files looked at: 1 mentions advisory locks, 2 lock statements in 1 file. Types were available.\n2 findings with a quick fix');
    expect(Math.max(...lines.filter((line) => line.startsWith(' ')).map((line) => line.length))).toBeLessThanOrEqual(110);
  });

  test('nothing found says what was looked at', async () => {
    const { folder } = repository({ 'a.ts': correct.replace('work', 'work: () => Promise<void>'), 'b.ts': 'export const one: number = 1;\n', 'c.mjs': '' });
    const { stdout, status } = await look(folder);
    expect(stdout).toContain('Nothing found.\n3 source files looked at: 1 mentions advisory locks, 2 lock statements in 1 file. Types were available.\n');
    expect(status).toBe(0);
  });

  test('a folder without locks, and an empty one', async () => {
    const none = repository({ 'a.ts': 'export const one = 1;\n' });
    expect(await look(none.folder)).toEqual({ status: 0, stdout: 'Nothing found.\n1 source file looked at: none mentions advisory locks, 0 lock statements.\n', stderr: '' });
    const empty = repository({ 'README.md': '' });
    expect(await look(empty.folder)).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(/^There are no source files in this folder/) as string });
    expect(await look(empty.folder, '--inventory', '-f', 'json')).toMatchObject({ status: 2, stdout: '' });
  });

  test('colours where they are asked for alone', async () => {
    const { folder } = repository({ 'job.js': faulty });
    expect((await look(folder)).stdout).not.toContain('\u001B[');
    expect((await look(folder, '--color')).stdout).toContain('\u001B[');
  });

  test('a file that cannot be read is said, and the others are looked at', async () => {
    const { folder } = repository({ 'broken.ts': "const = 'pg_advisory_lock(1)';\n", 'job.js': faulty, 'locks.js': 'export const locks = "pg_advisory_lock";\n' });
    const { stdout, status } = await look(folder);
    expect(stdout).toContain('broken.ts\n\n     1:6  This file cannot be read: Parsing error: Variable declaration expected.\n          | const = ');
    expect(stdout).toContain('3 findings in 1 file. 1 file could not be read.');
    expect(status).toBe(1);
    expect(await look(folder, 'broken.ts')).toMatchObject({ status: 1, stdout: expect.stringContaining('Nothing found. 1 file could not be read.') as string });
    // A fault in a file without locks is none of this.
    const other = repository({ 'broken.ts': 'const = 1;\n' });
    expect((await look(other.folder)).status).toBe(0);
  });
});

describe('what a user calls it with', () => {
  test('help and version', async () => {
    const { folder } = repository({});
    const help = await look(folder, '--help');
    expect(help).toMatchObject({ status: 0, stderr: '' });
    expect(help.stdout).toMatch(/advisory lock is [^]*Usage\n[^]*--fix-suggestions[^]*Examples\n[^]*Exit code\n/);
    expect(await look(folder, '-v')).toEqual({ status: 0, stdout: `${plugin.meta.version}\n`, stderr: '' });
  });

  test.each([
    ['an option that is not there', ['--fix'], /'--fix'/],
    ['a rule that is not there', ['--rule', 'no-lock'], /There is no rule `no-lock`\. The rules are no-cross-connection-unlock, /],
    ['a path that is not there', ['nowhere.ts'], /There is no `nowhere\.ts`\./],
    ['a file that is no source', ['notes.md'], /notes\.md` is no source file/],
    ['a format that is not there', ['--format', 'poem'], /The format `poem` cannot be loaded/],
    ['a format that the inventory has not', ['--inventory', '--format', 'stylish'], /The inventory has no format `stylish`\. It has table, json, markdown, mermaid, svg\./],
    ['an inventory that should change something', ['--inventory', '--fix-suggestions'], /--inventory changes nothing/],
    ['an output that cannot be written', ['-o', 'notes.md/report.txt'], /`notes\.md\/report\.txt` cannot be written/],
  ])('%s ends with 2', async (_what, args, message) => {
    const { folder } = repository({ 'job.js': faulty, 'notes.md': '' });
    const { status, stdout, stderr } = await look(folder, ...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/--help shows how to call it\.\n$/);
    expect(stderr).not.toContain('    at ');
  });

  test('one rule, several rules, the strict config', async () => {
    const { folder } = repository({ 'job.js': faulty, 'unknown.js': "export const lock = async (db) => { await db.query('SELECT pg_advisory_lock(1)'); };\n" });
    expect(findingsOf(await look(folder, '--rule', 'no-unchecked-unlock', '-f', 'json'), folder)).toEqual(['job.js:6:28 no-unchecked-unlock']);
    expect(findingsOf(await look(folder, '--rule', 'no-unchecked-unlock', '--rule=pg-advisory-lock/no-pooled-session-lock', '-f', 'json'), folder)).toEqual(['job.js:4:28 no-pooled-session-lock', 'job.js:6:28 no-unchecked-unlock']);
    expect(findingsOf(await look(folder, '--strict', '-f', 'json', 'unknown.js'), folder)).toEqual(['unknown.js:1:60 no-pooled-session-lock']);
    expect((await look(folder, 'unknown.js')).status).toBe(0);
  });

  test('a call of which it is not known whether it sends its text', async () => {
    const { folder } = repository({ 'odd.ts': "export const lock = async (db: any) => { await db.run('SELECT pg_advisory_lock(1)'); };\n" });
    expect(findingsOf(await look(folder, '--strict', '-f', 'json'), folder)).toEqual(['odd.ts:1:63 no-pooled-session-lock']);
    const { stdout, status } = await look(folder);
    expect(status).toBe(0);
    expect(stdout).toContain('1 lock statement in 1 file on a connection that is not known (--strict lists it).');
    expect(stdout).toContain('Types were available, but not of what sends these statements, and nothing is said of its connection: odd.ts: `db` (line 1).');
    expect((await look(folder, '--inventory')).stdout).toMatch(/lock\s+lock\s+session\s+exclusive\s+1\s+unknown.*it is not in view whether `db\.run` sends it/);
  });

  test('formats of ESLint and of packages, and an output file', async () => {
    const { folder, path } = repository({
      'job.js': faulty,
      'node_modules/eslint-formatter-counts/index.js': "module.exports = (results) => results.map((one) => one.messages.length).join('+');\n",
      'own.cjs': "module.exports = () => 'my own';\n",
    });
    expect(await look(folder, '--format', 'stylish')).toMatchObject({ status: 1, stdout: expect.stringMatching(/4:28\s+error[^]*✖ 3 problems/) as string, stderr: expect.stringContaining('3 findings in 1 file.') as string });
    expect((await look(folder, '--format', 'counts')).stdout).toBe('3\n');
    expect((await look(folder, '--format', './own.cjs')).stdout).toBe('my own\n');
    expect(await look(folder, '--format', 'html', '--output-file', 'reports/locks.html')).toMatchObject({ status: 1, stdout: '' });
    expect(readFileSync(path('reports/locks.html'), 'utf8')).toMatch(/^<!DOCTYPE html>[^]*no-pooled-session-lock/);
    expect((await look(folder, '-o', 'reports/locks.txt')).stdout).toMatch(/^3 findings in 1 file\.\n/);
    expect(readFileSync(path('reports/locks.txt'), 'utf8')).toMatch(/^job\.js\n[^]*3 findings in 1 file\.\n/);
  });

  test('a format has a list without anything to look at, too', async () => {
    const { folder } = repository({ 'a.js': '' });
    expect(await look(folder, '--format', 'json')).toMatchObject({ status: 0, stdout: '[]\n' });
  });
});

describe('what the code says of other linters', () => {
  test('comments that turn this plugin off count; other rules are not asked, whatever comments say', async () => {
    const { folder } = repository({ 'job.js': `/* eslint no-var: "error", other/rule: "error" */\n${faulty.replace("  await pool.query('SELECT pg_advisory_lock", "  // eslint-disable-next-line pg-advisory-lock/no-pooled-session-lock\n  await pool.query('SELECT pg_advisory_lock")}var x = 1; // eslint-disable-line other/rule\n` });
    expect(findingsOf(await look(folder, '-f', 'json'), folder)).toEqual(['job.js:8:28 no-cross-connection-unlock', 'job.js:8:28 no-unchecked-unlock']);
  });

  test('the config of the project is not asked', async () => {
    const { folder } = repository({ 'job.js': faulty, 'eslint.config.js': 'throw new Error("no");\n', '.eslintrc.json': '{ "root": ' });
    expect(await look(folder)).toMatchObject({ status: 1, stderr: '' });
  });
});

describe('--fix-suggestions', () => {
  test('applies the first quick fix of each finding until there are none, shows it, and is done', async () => {
    const { folder, path } = repository({ 'job.js': `/* eslint no-var: 2 */\n${faulty}var x = 1;\n`, 'kept.js': correct });
    const { stdout, status } = await look(folder, '--fix-suggestions');
    expect(stdout).toMatch(/^--- job\.js\n\+\+\+ job\.js\n@@ -\d+,\d+ \+\d+,\d+ @@\n/);
    expect(stdout).toContain('\n+  const client = await pool.connect();\n');
    expect(stdout).toContain('Nothing found.');
    expect(stdout).toContain('\n1 quick fix applied in 1 file, for you to review:\n  1 x Reserve one connection for the lock and the unlock.\nNothing found.\n');
    expect(stdout).not.toContain('--fix-suggestions');
    expect(status).toBe(0);
    const changed = readFileSync(path('job.js'), 'utf8');
    expect(changed).toContain('client.release()');
    expect(changed).toContain('var x = 1;');
    const again = await look(folder, '--fix-suggestions');
    expect(again.stdout).toMatch(/^No quick fix was applied\.\nNothing found\.\n/);
    expect(readFileSync(path('job.js'), 'utf8')).toBe(changed);
    expect(readFileSync(path('kept.js'), 'utf8')).toBe(correct);
  });

  test('says how often it has done what, and what that takes', async () => {
    const onPool = faulty.replace('await work();', "await pool.query('UPDATE jobs SET runs = runs + 1');");
    const { folder, path } = repository({ 'a.js': `\uFEFF${onPool}`, 'b.js': onPool, 'c.js': faulty });
    const { stdout } = await look(folder, '--fix-suggestions');
    expect(stdout).toContain('\n3 quick fixes applied in 3 files, for you to review:\n  2 x Reserve one connection for the lock and the unlock. The work stays on the pool, which needs one\n      connection more for it.\n  1 x Reserve one connection for the lock and the unlock.\n');
    expect(readFileSync(path('a.js'), 'utf8')).toMatch(/^\uFEFFimport \{ Pool \} from 'pg';\nconst pool/);
  });

  test('nothing is changed without it, and one rule changes what that rule says', async () => {
    const own = "import { Client } from 'pg';\nconst client = new Client();\nexport const free = async () => { await client.query('SELECT pg_advisory_unlock(1)'); };\n";
    const { folder, path } = repository({ 'job.js': faulty, 'own.js': own });
    await look(folder);
    await look(folder, '--inventory');
    expect(readFileSync(path('job.js'), 'utf8')).toBe(faulty);
    const { stdout, status } = await look(folder, '--fix-suggestions', '--rule', 'no-unchecked-unlock');
    expect(stdout).toContain('+++ own.js');
    expect(readFileSync(path('own.js'), 'utf8')).toContain('!== true');
    // Its answer is of no use as long as it goes to the pool.
    expect(readFileSync(path('job.js'), 'utf8')).toBe(faulty);
    expect(status).toBe(1);
  });

  test('a format has what is left, and the changes go to the other output', async () => {
    const { folder } = repository({ 'job.js': faulty });
    const { stdout, stderr, status } = await look(folder, '--fix-suggestions', '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject([{ messages: [] }]);
    expect(stderr).toContain('+++ job.js');
    expect(status).toBe(0);
  });
});

test('nothing is left behind in the folder', async () => {
  const { folder, path } = repository({ 'job.js': faulty });
  await look(folder);
  expect(['.eslintcache', 'node_modules', 'package.json'].filter((name) => existsSync(path(name)))).toEqual([]);
  expect(findingsOf(await look(folder, '-f', 'json'), folder)).toEqual(faultyAt('job.js'));
});
