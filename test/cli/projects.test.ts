import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { inProject } from '../support/paths.js';
import { correct, faulty, faultyAt, findingsOf, look, removeRepositories, repository } from './repository.js';

afterAll(removeRepositories);

interface Row {
  readonly file: string;
  readonly line: number;
  readonly within: string;
  readonly operation: string;
  readonly key: string | null;
  readonly connection: string;
  readonly unlockedBy: readonly { readonly line: number }[];
  readonly guard: string | null;
  readonly findings: readonly string[];
}

async function inventoryOf(folder: string, ...args: string[]): Promise<string[]> {
  const { stdout, stderr, status } = await look(folder, '--inventory', '--format', 'json', ...args);
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return (JSON.parse(stdout) as { statements: Row[] }).statements.map((one) =>
    `${one.file}:${one.line} ${one.within} ${one.operation} ${one.key ?? '-'} ${one.connection} ${one.unlockedBy.map(({ line }) => line).join()} ${one.guard ?? '-'} ${one.findings.join()}`.replace(/ +/g, ' ').trim());
}

const tsconfig = '{ "compilerOptions": { "target": "es2022", "module": "nodenext", "strict": true, "noEmit": true, "experimentalDecorators": true } }\n';

describe('a Nest service', () => {
  const { folder } = repository({
    'package.json': '{ "dependencies": { "@nestjs/common": "*", "pg": "*" } }', 'tsconfig.json': tsconfig, '.gitignore': 'dist/\n', 'dist/jobs.service.js': faulty,
    'src/jobs.service.ts': `import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { Pool } from 'pg';

@Injectable()
export class JobsService {
  private readonly pool = new Pool();

  @Cron('0 3 * * *')
  async nightly(): Promise<void> {
    const { rows } = await this.pool.query('SELECT pg_try_advisory_lock(42) AS locked');
    if (!rows[0]?.locked) return;
    try {
      await this.work();
    } finally {
      await this.pool.query('SELECT pg_advisory_unlock(42)');
    }
  }

  private async work(): Promise<void> {}
}
`,
    'src/jobs.service.spec.ts': "import { JobsService } from './jobs.service';\nit('works', () => new JobsService().nightly());\n",
  });

  test('has its findings', async () => {
    expect(findingsOf(await look(folder, '-f', 'json'), folder)).toEqual([
      'src/jobs.service.ts:11:52 no-pooled-session-lock', 'src/jobs.service.ts:16:37 no-cross-connection-unlock', 'src/jobs.service.ts:16:37 no-unchecked-unlock',
    ]);
  });

  test('has its inventory', async () => {
    expect(await inventoryOf(folder)).toEqual([
      'src/jobs.service.ts:11 JobsService.nightly try 42 pooled 16 finally no-pooled-session-lock',
      'src/jobs.service.ts:16 JobsService.nightly unlock 42 pooled - no-cross-connection-unlock,no-unchecked-unlock',
    ]);
  });
});

describe('a Next app', () => {
  const { folder } = repository({
    'package.json': '{ "dependencies": { "next": "*", "postgres": "*" } }', 'tsconfig.json': tsconfig, '.gitignore': '/.next\n/out\n', '.next/server/app.js': faulty, 'out/a.js': faulty,
    'app/page.tsx': 'export default function Page() { return <p>PostgreSQL advisory locks</p>; }\n',
    'app/api/[job]/route.ts': `import postgres from 'postgres';
const sql = postgres(process.env.DATABASE_URL!);
export async function POST(_request: Request, { params }: { params: Promise<{ job: string }> }) {
  const { job } = await params;
  await sql.begin(async (tx) => {
    await tx\`SELECT pg_advisory_xact_lock(hashtext(\${job}))\`;
    await tx\`INSERT INTO runs VALUES (\${job})\`;
  });
  await sql\`SELECT pg_advisory_lock(7)\`;
  return new Response('done');
}
`,
  });

  test('has its findings, in a folder with brackets', async () => {
    expect(findingsOf(await look(folder, '-f', 'json'), folder)).toEqual(['app/api/[job]/route.ts:9:20 no-pooled-session-lock']);
    expect(findingsOf(await look(folder, '-f', 'json', 'app/api/[job]'), folder)).toHaveLength(1);
  });

  test('has its inventory', async () => {
    expect(await inventoryOf(folder)).toEqual([
      'app/api/[job]/route.ts:6 POST acquire hashtext(job) transaction transaction',
      'app/api/[job]/route.ts:9 POST acquire 7 pooled nothing no-pooled-session-lock',
    ]);
  });
});

describe('a monorepo with workspaces and project references', () => {
  const { folder, path } = repository({
    'package.json': '{ "private": true, "workspaces": ["packages/*"] }',
    'tsconfig.json': '{ "files": [], "references": [{ "path": "packages/locks" }, { "path": "packages/worker" }] }',
    'packages/locks/package.json': '{ "name": "@acme/locks" }', 'packages/locks/tsconfig.json': '{ "compilerOptions": { "composite": true } }', 'packages/locks/src/index.ts': 'export const takeJob = (id: number): string => `SELECT pg_advisory_lock(${id})`;\n',
    'packages/worker/package.json': '{ "name": "@acme/worker" }', 'packages/worker/tsconfig.json': '{ "references": [{ "path": "../locks" }] }',
    'packages/worker/src/nightly.ts': faulty.replace('(work)', '(work: () => Promise<void>)'),
    'packages/locks/src/pool.ts': "import { Pool } from 'pg';\nexport const pool = new Pool();\n",
    'packages/worker/src/imported.ts': "import { takeJob } from '../../locks/src/index';\nimport { pool } from '../../locks/src/pool';\nexport const take = async () => { await pool.query(takeJob(7)); };\n",
    'packages/worker/src/nightly.test.ts': "import { nightly } from './nightly';\nvoid nightly;\n",
  });

  test('is looked at from the top and from within', async () => {
    // SQL and pool of the first are those of another project, and the file itself has no word of locks.
    const findings = ['packages/worker/src/imported.ts:3:52 no-pooled-session-lock', ...faultyAt('packages/worker/src/nightly.ts')];
    expect(findingsOf(await look(folder, '-f', 'json'), folder)).toEqual(findings);
    expect(findingsOf(await look(path('packages/worker'), '-f', 'json'), folder)).toEqual(findings);
    expect((await look(path('packages/locks'))).stdout).toContain('2 source files looked at: 1 mentions advisory locks, 0 lock statements.');
    // Its own three, and the two of the project that it references.
    expect((await look(path('packages/worker'))).stdout).toContain('5 source files looked at: 2 mention advisory locks, 3 lock statements in 2 files. Types were available.');
  });

  test('what is above the current folder is named from there', async () => {
    expect((await look(path('packages/locks'), '../worker')).stdout).toMatch(/^\.\.\/worker\/src\/imported\.ts\n/);
    expect((await inventoryOf(path('packages/locks'), '../worker')).slice(0, 2)).toEqual([
      '../worker/src/imported.ts:3 take acquire 7 pooled nothing no-pooled-session-lock', '../worker/src/nightly.ts:4 nightly acquire 1 pooled 6 unlock only no-pooled-session-lock',
    ]);
  });
});

describe('plain JavaScript', () => {
  const { folder } = repository({
    'package.json': '{}',
    'job.cjs': faulty.replace("import { Pool } from 'pg'", "const { Pool } = require('pg')").replace('export async function nightly', 'exports.nightly = async function'),
    'good.mjs': correct, 'view.jsx': "import { nightly } from './job.cjs';\nexport const Button = () => <button onClick={nightly}>pg_advisory_lock</button>;\n",
    'script.js': '#!/usr/bin/env node\nif (process.argv.length < 3) return;\nrequire("./job.cjs").nightly();\n',
  });

  test('has its findings', async () => {
    expect(findingsOf(await look(folder, '-f', 'json'), folder)).toEqual(faultyAt('job.cjs'));
  });

  test('has its inventory', async () => {
    expect(await inventoryOf(folder)).toEqual([
      'good.mjs:6 nightly acquire 1 pinned 10 finally', 'good.mjs:10 nightly unlock 1 pinned -',
      'job.cjs:4 nightly acquire 1 pooled 6 unlock only no-pooled-session-lock', 'job.cjs:6 nightly unlock 1 pooled - no-cross-connection-unlock,no-unchecked-unlock',
    ]);
    expect((await look(folder, '--inventory')).stdout).toContain('Keys that more than one function takes\n  `1` is taken by 2 functions, which keep each other out: good.mjs:6 (nightly), job.cjs:4 (nightly).');
  });
});

describe('a migration tool', () => {
  const { folder } = repository({
    'package.json': '{ "type": "module" }', 'tsconfig.json': tsconfig,
    'src/cli.ts': `import pg from 'pg';
const MIGRATIONS = 4027111;
const client = new pg.Client();
await client.connect();
try {
  await client.query('SELECT pg_advisory_lock($1)', [MIGRATIONS]);
  await client.query('CREATE TABLE IF NOT EXISTS migrations (name text)');
} finally {
  await client.end();
}
`,
  });

  test('has nothing to be found', async () => {
    expect(await look(folder)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Nothing found\.\n1 source file looked at: 1 mentions advisory locks, 1 lock statement in 1 file\./) as string });
  });

  test('has its inventory', async () => {
    expect(await inventoryOf(folder)).toEqual(['src/cli.ts:6 (top level) acquire 4027111 single session']);
  });
});

describe('the inventory', () => {
  const { folder, path } = repository({
    'a.js': correct.replaceAll('(1)', '(1), pg_advisory_lock(2)'), 'b.js': correct.replaceAll('(1)', '(2), pg_advisory_lock(1)'), 'c.js': "export const broken = 'pg_advisory_lock;\n",
  });

  test('lists what it can, and says what it cannot read', async () => {
    const { stdout, stderr, status } = await look(folder, '--inventory');
    expect(stdout).toContain('3 source files looked at: 3 mention advisory locks');
    expect(stderr).toMatch(/^c\.js:1:\d+ cannot be read: Parsing error/);
    expect(status).toBe(1);
  });

  test.each([['table', /^a\.js\n {2}line {2}function/], ['markdown', /^# Advisory locks\n/], ['mermaid', /^flowchart LR\n/], ['svg', /^<svg [^]*<\/svg>\n$/], ['json', /^\{\n {2}"statements"/]])('as %s, to a file', async (format, text) => {
    expect(await look(folder, '--inventory', '--format', format, '--output-file', `made/${format}`, 'a.js', 'b.js')).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(readFileSync(path(`made/${format}`), 'utf8')).toMatch(text);
  });

  test('where there are no locks', async () => {
    const none = repository({ 'a.js': '' });
    expect(await look(none.folder, '--inventory')).toEqual({ status: 0, stdout: '1 source file looked at: none mentions advisory locks, 0 lock statements.\n', stderr: '' });
    expect(JSON.parse((await look(none.folder, '--inventory', '-f', 'json')).stdout)).toMatchObject({ statements: [], looked: { files: 1 } });
  });
});

/** Read by hand: src/one-instance.ts is the only file with locks, and src/db.ts makes `db` over a pool of five. */
test('the inventory of the example app', async () => {
  expect(await inventoryOf(inProject('fixtures/example-app'))).toEqual([
    'src/one-instance.ts:10 onOneInstance try hashtextextended(job, 0) pooled 17 finally no-pooled-session-lock',
    'src/one-instance.ts:17 onOneInstance unlock hashtextextended(job, 0) pooled - no-cross-connection-unlock,no-unchecked-unlock',
  ]);
});

test('a report where the connection is given back belongs to the lock that is still on it', async () => {
  const { folder } = repository({
    'job.js': `import { Pool } from 'pg';
const pool = new Pool();
export async function job() {
  const client = await pool.connect();
  await client.query('SELECT pg_advisory_lock(16 + 1)');
  client.release();
}
`,
  });
  expect(await inventoryOf(folder)).toEqual(['job.js:5 job acquire 17 pinned nothing no-leaked-lock']);
});
