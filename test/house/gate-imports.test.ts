import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';
import { afterAll, describe, expect, test } from 'vitest';
import { mentionsLocks, noWords } from '../../src/types/gate.js';
import { mayImportLocks } from '../../src/types/imports/program.js';
import { TextModules } from '../../src/types/imports/texts.js';
import { importsByText, importsByTree } from '../../src/types/imports/without-program.js';

/** Which files without locks are worth a look, since they import what carries some. */
interface Shape {
  readonly files: Readonly<Record<string, string>>;
  readonly passing: readonly string[];
  /** Where texts alone tell less than a program: what passes by them. */
  readonly byTexts?: readonly string[];
  /** The same, where one file at a time is asked for what it imports from the disk. */
  readonly fromDisk?: readonly string[];
  /** What texts alone tell to who wants calls of functions between as well. */
  readonly through?: readonly string[];
  readonly paths?: Readonly<Record<string, string>>;
  /** Packages that are links to folders. */
  readonly links?: Readonly<Record<string, string>>;
}

const sql = "export const lockSql = 'SELECT pg_advisory_lock(1)';\nexport const other = 1;\n";

const shapes: Record<string, Shape> = {
  'names and modules that are called the same': {
    files: { 'jobs/index.ts': sql, 'a/index.ts': 'export const lockSql = 2;\nexport const other = 3;\n', 'b.ts': "import { lockSql, other } from './a/index.js';\nimport * as index from './a/index.js';\n", 'c.ts': "import { lockSql } from './jobs/index.js';\n", 'd.ts': "import { lockSql as s } from './jobs';\n" },
    passing: ['c.ts', 'd.ts'],
  },
  'exports beside those that carry locks': {
    files: { 'sql.ts': sql, 'a.ts': "import { other } from './sql';\n", 'b.ts': "import * as sql from './sql';\nsql.other;\n", 'c.ts': "import * as sql from './sql';\nsql.lockSql;\n", 'd.ts': "import './sql';\n" },
    passing: ['c.ts'], byTexts: ['a.ts', 'b.ts', 'c.ts'],
  },
  'what an export is made of': {
    files: {
      'sql.ts': "const inner = 'SELECT pg_advisory_lock(1)';\nfunction take(c: any) { return c.query(inner); }\nexport class Locks { take = take; }\nexport const api: any = {};\napi.take = () => inner;\nexport let late: any;\nexport function set() { late = inner; }\nexport interface Deps { locks: Locks }\nexport const free = 1;\nexport default new Locks();\n",
      'a.ts': "import { Locks } from './sql';\n", 'b.ts': "import { api } from './sql';\n", 'c.ts': "import { late } from './sql';\n", 'd.ts': "import type { Deps } from './sql';\n", 'e.ts': "import locks from './sql';\n", 'f.ts': "import { free } from './sql';\n",
    },
    passing: ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts'], byTexts: ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts', 'f.ts'],
  },
  'files that hand on': {
    files: {
      'sql.ts': sql, 'users.ts': 'export const users = 1;\n', 'barrel.ts': "export * from './sql';\nexport * from './users';\nexport * from './barrel';\n", 'top.ts': "export * as all from './barrel';\nexport { lockSql as renamed } from './barrel';\nimport { lockSql, other } from './barrel';\nexport { lockSql as again, other };\nexport default lockSql;\n",
      'a.ts': "import { users } from './barrel';\n", 'b.ts': "import { lockSql } from './barrel';\n", 'c.ts': "import { all } from './top';\n", 'd.ts': "import { renamed } from './top';\n", 'e.ts': "import { again } from './top';\n", 'f.ts': "import d from './top';\n", 'g.ts': "import { lockSql } from './top';\nimport { other } from './top';\n",
    },
    passing: ['b.ts', 'c.ts', 'd.ts', 'e.ts', 'f.ts', 'top.ts'], byTexts: ['b.ts', 'c.ts', 'd.ts', 'e.ts', 'f.ts', 'g.ts', 'top.ts'],
  },
  'a file with locks that takes some of another': {
    files: { 'sql.ts': sql, 'locks.ts': "import { lockSql } from './sql';\nexport const take = (c: any) => c.query(lockSql);\nexport const own = 'SELECT pg_advisory_unlock(1)';\nexport const none = 1;\n", 'a.ts': "import { take } from './locks';\n", 'b.ts': "import { none } from './locks';\n" },
    passing: ['a.ts'], byTexts: ['a.ts', 'b.ts'],
  },
  'a function between that calls with what it is given': {
    files: {
      'locks.ts': "export async function lock(db: any, key: number) { await db.query('SELECT pg_advisory_lock($1)', [key]); }\n",
      'between.ts': "import { lock } from './locks';\nimport * as locks from './locks';\nexport async function guarded(db: any, key: number) {\n  await lock(db, key);\n}\nexport const arrow = async ({ db }: { db: any }): Promise<void> => {\n  await locks.lock(db, 1);\n};\nasync function inner(options: any) {\n  await lock(options.db, 1);\n}\nexport async function own(key: number) {\n  await lock(pool, key);\n}\nexport const other = (db: any) => db;\nexport { inner as outer };\n",
      'a.ts': "import { guarded } from './between';\nexport const run = (db: any) => guarded(db, 1);\n", 'b.ts': "import { arrow } from './between';\n", 'c.ts': "import { outer } from './between';\n",
      'd.ts': "import { own, other } from './between';\n", 'e.ts': "import { run } from './a';\n",
    },
    passing: ['a.ts', 'b.ts', 'between.ts', 'c.ts'], byTexts: ['between.ts'], fromDisk: ['a.ts', 'b.ts', 'between.ts', 'c.ts'], through: ['a.ts', 'b.ts', 'between.ts', 'c.ts'],
  },
  'paths of the config': {
    files: { 'src/sql.ts': sql, 'a.ts': "import { lockSql } from '@/sql';\n", 'b.ts': "import { lockSql } from '@/none';\n", 'c.ts': "import { third } from '@/sql';\n" },
    paths: { '@/*': 'src/*' }, passing: ['a.ts'], byTexts: ['a.ts', 'b.ts'], fromDisk: ['a.ts'],
  },
  'packages of the workspace, and what is installed': {
    files: {
      'packages/db/package.json': '{ "name": "@shop/db", "version": "1.0.0", "types": "src/index.ts", "main": "src/index.ts" }', 'packages/db/src/index.ts': "export * from './locks';\n", 'packages/db/src/locks.ts': sql,
      'node_modules/lib/package.json': '{ "name": "lib", "version": "1.0.0" }', 'node_modules/lib/index.d.ts': 'export declare const lockSql: string;\n',
      'app/a.ts': "import { lockSql } from '@shop/db';\n", 'app/b.ts': "import { lockSql } from 'lib';\n", 'app/c.ts': "import { lockSql } from 'node:fs';\n",
    },
    links: { '@shop/db': 'packages/db' }, passing: ['app/a.ts'],
  },
  'what a package of the workspace exports, and the project itself': {
    files: {
      'package.json': '{ "name": "shop", "type": "module", "imports": { "#jobs/*": "./jobs/*.ts" } }',
      'packages/db/package.json': '{ "name": "@shop/db", "version": "1.0.0", "exports": { ".": { "types": "./src/main.ts", "default": "./dist/main.js" }, "./jobs/*": "./src/in/*.ts" } }', 'packages/db/src/main.ts': 'export const lockSql = 1;\n', 'packages/db/src/in/nightly.ts': sql,
      'jobs/own.ts': sql, 'a.ts': "import { lockSql } from '@shop/db/jobs/nightly';\n", 'b.ts': "import { lockSql } from '@shop/db';\n", 'c.ts': "import { lockSql } from '#jobs/own';\n", 'd.ts': "import { lockSql } from '#jobs/none';\n",
    },
    links: { '@shop/db': 'packages/db' }, passing: ['a.ts', 'c.ts'], byTexts: ['a.ts', 'b.ts', 'c.ts', 'd.ts'], fromDisk: ['a.ts', 'c.ts'],
  },
  'a file with locks that hands on those of another': {
    files: { 'sql.ts': sql, 'locks.ts': "export const own = 'SELECT pg_advisory_lock(2)';\nexport * from './sql';\n", 'a.ts': "import { lockSql } from './locks';\n", 'b.ts': "import { none } from './locks';\n" },
    passing: ['a.ts'],
  },
  'imports that lead round, and nowhere': {
    files: { 'sql.ts': sql, 'a.ts': "export * from './b';\nexport * from './a';\n", 'b.ts': "export * from './a';\nexport * from './none';\n", 'c.ts': `import { lockSql } from './b';\nimport { x } from './${'x'.repeat(5000)}';\nimport y from '';\nimport z from '..';\nimport w from '/';\n`, 'd.ts': "import { lockSql } from './sql.ts/none';\n" },
    passing: [],
  },
  'JavaScript of Node.js': {
    files: { 'sql.cjs': "const lockSql = 'SELECT pg_advisory_lock(1)';\nmodule.exports = { lockSql };\n", 'on.cjs': "module.exports = require('./sql.cjs');\n", 'a.cjs': "const { lockSql } = require('./sql.cjs');\n", 'b.cjs': "const x = require('./on.cjs');\nx.lockSql;\n", 'c.cjs': "const x = require('./none.cjs');\nx.lockSql;\n", 'none.cjs': 'exports.lockSql = 1;\n' },
    passing: ['a.cjs', 'b.cjs', 'on.cjs'],
  },
  'modules of Node.js that hand on all of another': {
    files: {
      'sql.cjs': "const lockSql = 'SELECT pg_advisory_lock(1)';\nmodule.exports = { lockSql };\n", 'none.cjs': 'exports.lockSql = 1;\n',
      'spread.cjs': "module.exports = { one: 1, ...require('./sql.cjs'), two: 2 };\n", 'assigned.cjs': "Object.assign(exports, require('./sql.cjs'));\n", 'module.cjs': "Object.assign(module.exports, { one: 1 }, require('./sql.cjs'));\n", 'star.cjs': '__exportStar(require("./sql.cjs"), exports);\n', 'got.cjs': 'var sql_1 = require("./sql.cjs");\nObject.defineProperty(exports, "lockSql", { enumerable: true, get: function () { return sql_1.lockSql; } });\n', 'free.cjs': "module.exports = { ...require('./none.cjs') };\n",
      'a.cjs': "const x = require('./spread.cjs');\nx.lockSql;\n", 'b.cjs': "const x = require('./assigned.cjs');\nx.lockSql;\n", 'c.cjs': "const x = require('./module.cjs');\nx.lockSql;\n", 'd.cjs': "const x = require('./star.cjs');\nx.lockSql;\n", 'e.cjs': "const x = require('./got.cjs');\nx.lockSql;\n", 'f.cjs': "const x = require('./free.cjs');\nx.lockSql;\n",
    },
    passing: ['a.cjs', 'assigned.cjs', 'b.cjs', 'c.cjs', 'd.cjs', 'e.cjs', 'got.cjs', 'module.cjs', 'spread.cjs', 'star.cjs'],
  },
  'import() and import types': {
    files: { 'sql.ts': sql, 'a.ts': "export const load = async () => (await import('./sql')).lockSql;\n", 'b.ts': "export let x: import('./sql').lockSql;\n", 'c.ts': "export const load = () => import('./sql');\n" },
    passing: ['a.ts', 'b.ts'],
  },
};

const folders: string[] = [];

afterAll(() => { for (const folder of folders) rmSync(folder, { recursive: true, force: true }); });

function write({ files, links = {}, paths = {} }: Shape): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gate-')));
  folders.push(folder);
  const at = (name: string): string => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    return join(folder, name);
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text);
  if (Object.keys(paths).length > 0) writeFileSync(at('tsconfig.json'), `{ // as TypeScript reads it\n  "compilerOptions": { "paths": { ${Object.entries(paths).map(([alias, to]) => `"${alias}": ["./${to}"],`).join(' ')} } },\n}\n`);
  for (const [name, to] of Object.entries(links)) symlinkSync(join(folder, to), at(`node_modules/${name}`), 'junction');
  return folder;
}

const options: ts.CompilerOptions = { module: ts.ModuleKind.Preserve, moduleResolution: ts.ModuleResolutionKind.Bundler, allowJs: true, noEmit: true, noLib: true, types: [] };

describe.each(Object.entries(shapes))('%s', (_name, shape) => {
  const folder = write(shape);
  const names = Object.keys(shape.files).filter((name) => /\.[cm]?[jt]s$/.test(name) && !name.includes('node_modules')).map((name) => join(folder, name));
  const textOf = (file: string): string => shape.files[relative(folder, file).split(sep).join('/')] ?? '';
  const named = (files: readonly string[]): string[] => files.map((file) => relative(folder, file).split(sep).join('/')).sort();

  test('in a program', () => {
    const program = ts.createProgram(names, { ...options, paths: Object.fromEntries(Object.entries(shape.paths ?? {}).map(([alias, to]) => [alias, [join(folder, to)]])) });
    program.getTypeChecker();
    expect(named(names.filter((name) => !mentionsLocks(textOf(name)) && mayImportLocks(name, program, noWords)))).toEqual(shape.passing);
  });

  test('by their texts', () => {
    const withLocks = names.filter((name) => mentionsLocks(textOf(name)));
    expect(named(new TextModules(names, textOf).importersOf(withLocks))).toEqual(shape.byTexts ?? shape.passing);
    expect(named(new TextModules(names, textOf).importersOf(withLocks, true))).toEqual(shape.through ?? shape.byTexts ?? shape.passing);
  });

  test('from one file on, by the texts on disk', () => {
    const passing = names.filter((name) => !mentionsLocks(textOf(name)) && importsByText.reach(name, textOf(name), noWords));
    expect(named(passing)).toEqual(shape.fromDisk ?? shape.byTexts ?? shape.passing);
  });

  test('from one file on, by the trees of those with locks', () => {
    const passing = names.filter((name) => !mentionsLocks(textOf(name)) && importsByTree.reach(name, textOf(name), noWords));
    expect(named(passing)).toEqual(shape.passing);
  });
});
