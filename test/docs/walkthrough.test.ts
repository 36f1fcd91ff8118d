import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fencesOf } from '../support/page.js';
import { inProject } from '../support/paths.js';

/** CONTRIBUTING.md, done step by step on a copy of the project: its files are written, and its commands run. */

const page = 'CONTRIBUTING.md';
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'walkthrough-')));
afterAll(() => { rmSync(folder, { recursive: true, force: true }); });

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

function run(program: string, args: readonly string[], fixtures = ''): string {
  const { VITEST: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', env: { ...env, FIXTURES: fixtures, NO_COLOR: '1' } });
  expect(status, `${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
  return stdout;
}
const vitest = (fixtures: string, ...args: readonly string[]): string => run(process.execPath, [inProject('node_modules/vitest/vitest.mjs'), 'run', ...args], fixtures);

beforeAll(() => {
  const others = ['src', 'rules', 'test', 'docs', 'README.md', 'CONTRIBUTING.md', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'vitest.config.ts', 'fixtures/tsconfig.json', 'fixtures/prisma/schema.prisma', 'fixtures/prisma/generated'];
  for (const path of others) cpSync(inProject(path), join(folder, path), { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(inProject('node_modules')).filter((one) => !['.cache', '.vite', '.vitest'].includes(one))) symlinkSync(inProject(`node_modules/${name}`), join(folder, 'node_modules', name), 'junction');
  write('node_modules/acme-sql/package.json', '{ "name": "acme-sql", "version": "1.0.0", "types": "./index.d.ts" }\n');
  for (const { file, text } of fencesOf(page)) if (file !== undefined) write(file, text);
});

test('a driver: its record compiles and names what the library declares, and its fixture and quick fixes hold', () => {
  const index = 'src/drivers/index.ts';
  write(index, `import { acme } from './acme.js';\n${read(index).replace(/(const drivers: readonly Driver\[\] = \[[^\]]*)\]/, '$1, acme]')}`);
  run(process.execPath, [inProject('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json', '--noEmit']);
  vitest('', 'test/house/drivers.test.ts', '-t', 'of acme names');
  expect(vitest('acme', '--mode', 'bless', 'test/fixtures/fixtures.test.ts')).not.toContain('failed');
  expect(vitest('acme', 'test/fixtures/fixtures.test.ts')).not.toContain('failed');
  expect(read('fixtures/acme/connections/pool-and-lease.messages.txt')).toContain('`acme` is an Acme pool');
  const [first = '', second = ''] = read('fixtures/acme/connections/pool-and-lease.fixed.ts').split('export async function ').slice(1);
  for (const text of [first, second]) expect(text).toMatch(/const lease = await acme\.lease\(\);[^]*lease\.giveBack\(\);/);
});

test('a rule: it joins the configs and tables, its page and its fixture hold', () => {
  run(process.execPath, ['docs/update.mjs', '--quick']);
  expect(read('README.md')).toContain('docs/rules/no-zero-lock-key.md');
  const rest = /^````md\n([^]*?)^````$/m.exec(readFileSync(inProject(page), 'utf8'))?.[1] ?? '';
  write('docs/rules/no-zero-lock-key.md', `${read('docs/rules/no-zero-lock-key.md')}\n${rest}`);
  run(process.execPath, [inProject('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json', '--noEmit']);
  expect(vitest('', 'test/docs/docs.test.ts', '-t', 'no-zero')).toMatch(/Tests +[3-9]\d* passed/);
  vitest('pg/keys/zero', '--mode', 'bless', 'test/fixtures/fixtures.test.ts');
  expect(read('fixtures/pg/keys/zero.messages.txt')).toContain('no-zero-lock-key (zero)');
});
