import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { clearCandidateTSConfigRootDirs } from '@typescript-eslint/typescript-estree';
import * as parser from '@typescript-eslint/parser';
import { ESLint, type Linter } from 'eslint';
import { afterAll, describe, expect, test } from 'vitest';
import { inProject } from '../support/paths.js';
import { ourPlugin } from '../support/plugin.js';

/** The files of a project, and the one in it that is linted. */
interface Shape {
  readonly files: Readonly<Record<string, string | object>>;
  readonly linted: string;
  /** What a typed config cannot parse at all is held against this instead. */
  readonly lines?: readonly string[];
}

const compilerOptions = { strict: true, module: 'preserve', moduleResolution: 'bundler', noEmit: true, skipLibCheck: true, types: [] };

const db = "import { Pool } from 'pg';\nexport const pool = new Pool();\nexport const openClient = () => pool.connect();\n";
/** One lock on the pool, and one that leaks: found only by who knows what `pool` and `openClient()` are. */
const job = (from: string): string => `import { openClient, pool } from '${from}';
export async function run(): Promise<void> {
  await pool.query('SELECT pg_advisory_lock(1)');
}
export async function leak(work: () => Promise<void>): Promise<void> {
  const client = await openClient();
  await client.query('SELECT pg_advisory_lock(2)');
  await work();
  client.release();
}
`;
const expected = ['3 no-pooled-session-lock', '9 no-leaked-lock'];

const shapes: Record<string, Shape> = {
  'a plain tsconfig': { files: { 'tsconfig.json': { compilerOptions, include: ['src'] }, 'src/db.ts': db, 'src/job.ts': job('./db') }, linted: 'src/job.ts' },
  'a solution with references': {
    files: {
      'tsconfig.json': { files: [], references: [{ path: './tsconfig.app.json' }, { path: './tsconfig.test.json' }] },
      'tsconfig.app.json': { compilerOptions: { ...compilerOptions, composite: true, paths: { '@app/*': ['./src/*'] } }, include: ['src'] },
      'tsconfig.test.json': { compilerOptions: { ...compilerOptions, composite: true }, include: ['test'], references: [{ path: './tsconfig.app.json' }] },
      'src/db.ts': db, 'src/job.ts': job('@app/db'), 'test/job.test.ts': "export {};\n",
    },
    linted: 'src/job.ts',
  },
  'references that were never built': {
    files: {
      'tsconfig.json': { files: [], references: [{ path: './packages/db' }, { path: './packages/jobs' }] },
      'packages/db/tsconfig.json': { compilerOptions: { ...compilerOptions, noEmit: false, composite: true, outDir: 'dist', rootDir: 'src' }, include: ['src'] },
      'packages/db/src/index.ts': db,
      'packages/jobs/tsconfig.json': { compilerOptions: { ...compilerOptions, noEmit: false, composite: true, outDir: 'dist', rootDir: 'src' }, include: ['src'], references: [{ path: '../db' }] },
      'packages/jobs/src/job.ts': job('../../db/src/index'),
    },
    linted: 'packages/jobs/src/job.ts',
  },
  'an augmentation that nothing imports': {
    files: {
      'tsconfig.json': { compilerOptions, include: ['src'] },
      'src/globals.ts': "import type { Pool, PoolClient } from 'pg';\ndeclare global {\n  var pool: Pool;\n  var openClient: () => Promise<PoolClient>;\n}\n",
      'src/job.ts': job('./none').replace(/^.*\n/, 'export {};\n'),
    },
    linted: 'src/job.ts',
  },
  'a declaration file that nothing imports': {
    files: {
      'tsconfig.json': { compilerOptions, include: ['src', 'types'] },
      'types/house.d.ts': "declare module 'house-db' {\n  import type { Pool, PoolClient } from 'pg';\n  export const pool: Pool;\n  export const openClient: () => Promise<PoolClient>;\n}\n",
      'src/job.ts': job('house-db'),
    },
    linted: 'src/job.ts',
  },
  'the config of a folder above': {
    files: {
      'tsconfig.json': { compilerOptions, include: ['**/src/**/*.ts'] },
      'apps/worker/tsconfig.json': { extends: '../../tsconfig.json', include: ['scripts'] },
      'apps/worker/src/db.ts': db, 'apps/worker/src/job.ts': job('./db'), 'apps/worker/scripts/none.ts': 'export {};\n',
    },
    linted: 'apps/worker/src/job.ts',
  },
  'a jsconfig': {
    files: {
      'jsconfig.json': { compilerOptions: { ...compilerOptions, checkJs: true }, include: ['src'] },
      'src/db.js': db, 'src/job.js': job('./db').replaceAll(/: Promise<void>(?=[ )])/g, '').replace(': () => Promise<void>', ''),
    },
    linted: 'src/job.js',
  },
  'broken JSON': { files: { 'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "preserve", ', 'src/db.ts': db, 'src/job.ts': job('./db') }, linted: 'src/job.ts', lines: expected },
  'a base config that is missing': {
    files: { 'tsconfig.json': { extends: './no-such-base.json', compilerOptions, include: ['src'] }, 'src/db.ts': db, 'src/job.ts': job('./db') }, linted: 'src/job.ts', lines: expected,
  },
  'no config at all': { files: { 'src/db.ts': db, 'src/job.ts': job('./db') }, linted: 'src/job.ts', lines: expected },
  'a file that its config leaves out': {
    files: { 'tsconfig.json': { compilerOptions, include: ['src'] }, 'src/db.ts': db, 'scripts/job.ts': job('../src/db') }, linted: 'scripts/job.ts', lines: expected,
  },
  'JavaScript beside TypeScript': {
    files: { 'tsconfig.json': { compilerOptions, include: ['src'] }, 'src/db.ts': db, 'src/job.mjs': job('./db').replaceAll(/: Promise<void>(?=[ )])/g, '').replace(': () => Promise<void>', '') },
    linted: 'src/job.mjs', lines: expected,
  },
};

const folders: string[] = [];

afterAll(() => {
  clearCandidateTSConfigRootDirs(); // other suites of the process parse without a root of their own
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function write({ files }: Shape): string {
  const folder = mkdtempSync(join(tmpdir(), 'tsconfig-shape-'));
  folders.push(folder);
  symlinkSync(inProject('node_modules'), join(folder, 'node_modules'), 'junction');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

async function linesOf(folder: string, file: string, parserOptions: Linter.ParserOptions): Promise<string[]> {
  const config = { files: ['**/*.*'], languageOptions: { parser, parserOptions } };
  const recommended = { ...(ourPlugin.configs?.['recommended'] as Linter.Config), files: ['**/*.*'] };
  const eslint = new ESLint({ cwd: folder, overrideConfigFile: true, overrideConfig: [config, recommended] });
  const [result] = await eslint.lintFiles([file]);
  return result!.messages.map((one) => `${String(one.line)} ${one.fatal ? one.message : one.ruleId!.replace(/^.*\//, '')}`);
}

describe.each(Object.entries(shapes))('%s', (_name, shape) => {
  test('types made on demand tell what those of a typed config tell', async () => {
    const folder = write(shape);
    const typed = shape.lines ?? await linesOf(folder, shape.linted, { projectService: true, tsconfigRootDir: folder });
    expect(typed).toEqual(expected);
    expect(await linesOf(folder, shape.linted, {})).toEqual(typed);
  });
});
