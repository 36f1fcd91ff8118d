import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noWords } from '../../src/types/gate.js';
import { LockImports, type importsByText } from '../../src/types/imports/without-program.js';
import { readModule } from '../../src/types/imports/text.js';
import { carrierOf } from '../../src/types/imports/texts.js';

/** What a linter that goes on for hours knows of files that change. */
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gate-on-disk-')));
let imports: typeof importsByText;
const clock = performance.now.bind(performance);

beforeEach(() => { imports = new LockImports(() => (file, text) => carrierOf(file, readModule(text), true)); });
afterEach(() => { vi.restoreAllMocks(); });
afterAll(() => { rmSync(folder, { recursive: true, force: true }); });

function write(name: string, text: string, minutes = 0): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
  utimesSync(join(folder, name), new Date(), new Date(Date.now() + minutes * 60_000));
}

/** Some time later, as far as the plugin can tell. */
function later(minutes: number): void {
  vi.spyOn(performance, 'now').mockImplementation(() => clock() + minutes * 60_000);
}

const caller = (from: string): string => `import { take } from '${from}';\ntake();\n`;
const passes = (from: string): boolean => imports.reach(join(folder, 'caller.ts'), caller(from), noWords);
const locking = "export const take = () => 'SELECT pg_advisory_lock(1)';\n";
const plain = 'export const take = () => 1;\n';

test('a helper that was changed on disk is read again', () => {
  write('changed.ts', plain);
  expect(passes('./changed')).toBe(false);
  write('changed.ts', locking, 1);
  later(1);
  expect(passes('./changed')).toBe(true);
  write('changed.ts', plain, 2);
  later(2);
  expect(passes('./changed')).toBe(false);
});

test('a helper, a barrel or a config that comes to be is found', () => {
  expect(passes('./new/barrel')).toBe(false);
  write('new/locks.ts', locking);
  write('new/barrel.ts', "export * from './locks';\n");
  later(1);
  expect(passes('./new/barrel')).toBe(true);
  expect(passes('~/locks')).toBe(false);
  write('tsconfig.json', '{ "extends": "./base" }');
  write('base.json', '{ "compilerOptions": { "paths": { "~/*": ["./new/*"] } } }');
  later(2);
  expect(passes('~/locks')).toBe(true);
});

test('a text that an editor has counts, saved or not, for as long as it is fresh', () => {
  write('open.ts', plain);
  expect(passes('./open')).toBe(false);
  imports.note(join(folder, 'open.ts'), locking, noWords);
  expect(passes('./open')).toBe(true);
  later(10);
  expect(passes('./open')).toBe(false);
});

test('a barrel that is typed into leads elsewhere', () => {
  write('locks.ts', locking);
  write('plain.ts', plain);
  write('barrel.ts', "export * from './plain';\n");
  expect(passes('./barrel')).toBe(false);
  imports.note(join(folder, 'barrel.ts'), "export * from './locks';\n", noWords);
  expect(passes('./barrel')).toBe(true);
  imports.note(join(folder, 'barrel.ts'), "export * from './plain';\n", noWords);
  expect(passes('./barrel')).toBe(false);
});

test('folders that look like files, links that lead round, broken configs and huge files break nothing', () => {
  write('folder.ts/locks.ts', locking);
  symlinkSync(join(folder, 'round'), join(folder, 'round'), 'junction');
  write('package.json', '{ "imports": [ "#x" ');
  write('jsconfig.json', '{ "extends": ["./jsconfig", 1, null], "references": [{ "path": "." }], "compilerOptions": { "paths": { "*": "x", "@/*": [null] }, "baseUrl": 7 } }');
  write('huge.ts', `${locking}${'// '.repeat(2_000_000)}`);
  for (const from of ['./folder', './folder.ts', './round', './round/index', '@/x', '#x', '#', '@', './huge', 'x']) expect(passes(from)).toBe(false);
  expect(passes('./folder.ts/locks')).toBe(true);
});
