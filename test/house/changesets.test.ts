import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { inProject } from '../support/paths.js';

const folder = mkdtempSync(join(tmpdir(), 'changesets-'));
afterAll(() => { rmSync(folder, { recursive: true, force: true }); });

const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
const versionIn = (text: string): number[] => (JSON.parse(text) as { version: string }).version.split('.').map(Number);

test('the changes that wait for a release go to the top of the changelog, with one more', () => {
  for (const path of ['package.json', 'CHANGELOG.md', '.changeset']) cpSync(inProject(path), join(folder, path), { recursive: true });
  symlinkSync(inProject('node_modules'), join(folder, 'node_modules'), 'junction');
  const before = { changelog: read('CHANGELOG.md'), version: versionIn(read('package.json')) };
  writeFileSync(join(folder, '.changeset/some-change.md'), "---\n'eslint-plugin-pg-advisory-lock': minor\n---\n\nSomething new.\n");
  for (const args of [['init', '-q'], ['add', 'package.json']]) spawnSync('git', args, { cwd: folder });
  const { status, stdout, stderr } = spawnSync(process.execPath, [inProject('node_modules/@changesets/cli/bin.js'), 'version'], { cwd: folder, encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
  const [major = 0, minor = 0] = before.version;
  const [newMajor = 0, newMinor = 0] = versionIn(read('package.json'));
  expect(newMajor > major || newMinor > minor).toBe(true);
  const [title, ...rest] = read('CHANGELOG.md').split('\n## ');
  expect(title).toBe('# Changelog\n');
  expect(rest[0]).toMatch(/^\d+\.\d+\.0\n\n### M[^]*- Something new\.\n/);
  expect(read('CHANGELOG.md').endsWith(before.changelog.replace('# Changelog\n', ''))).toBe(true);
});
