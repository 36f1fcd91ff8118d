import { expect, test } from 'vitest';
import { inProject } from '../support/paths.js';
import { compilerOptionsOf, ProgramFactory } from '../support/program.js';
import { rewritten, type Wanted } from './rewriting.js';

const factory = new ProgramFactory(compilerOptionsOf(inProject('fixtures/tsconfig.json')));
const path = inProject('fixtures/none/rewritten/unfold.ts');
const before = "import { Pool, type PoolClient } from 'pg';\nconst pool = new Pool();\ndeclare const work: () => Promise<void>;\n";

function after(wanted: Wanted, code: string): string | undefined {
  const text = `${before}${code}\n`;
  return rewritten(wanted, path, text, factory.create(new Map([[path, text]])))?.slice(before.length).trimEnd();
}

const FREED = "const { rows: [unlocked] } = await client.query<{ pg_advisory_unlock: boolean }>('SELECT pg_advisory_unlock(1)');";
const checked = (indent: string, failed: string): string => `${indent}${FREED}\n${indent}if (unlocked?.pg_advisory_unlock !== true) {\n${indent}  ${failed}('Advisory lock 1 was not held by the connection that unlocked it');\n${indent}}`;

test('a block on one line that gets too long is unfolded, with those around it and beside it', () => {
  const code = "export async function run(client: PoolClient) { try { await work(); } finally { await client.query('SELECT pg_advisory_unlock(1)'); } }";
  expect(after('throw', code)).toBe(`export async function run(client: PoolClient) {\n  try {\n    await work();\n  } finally {\n${checked('    ', 'console.error')}\n  }\n}`);
});

test('a comment goes with the statement before it, and other blocks stay as they are', () => {
  const code = "export async function run(client: PoolClient, all: number[]) {\n  try { all.forEach((one) => { console.log(one); }); /* done */ } finally { await client.query('SELECT pg_advisory_unlock(1)'); }\n}";
  expect(after('throw', code)).toBe(`export async function run(client: PoolClient, all: number[]) {\n  try {\n    all.forEach((one) => { console.log(one); }); /* done */\n  } finally {\n${checked('    ', 'console.error')}\n  }\n}`);
});

test('statements beside each other on a line', () => {
  const code = "export async function run(client: PoolClient) {\n  await work(); await client.query('SELECT pg_advisory_unlock(1)');\n}";
  expect(after('throw', code)).toBe(`export async function run(client: PoolClient) {\n  await work();\n${checked('  ', 'throw new Error')}\n}`);
});

test('what is short enough stays on its line', () => {
  const code = "export async function run(c: PoolClient) { await c.query('BEGIN'); c.query('SELECT pg_advisory_xact_lock(1)'); }";
  expect(after('fit', code)).toBe(code.replace('; c.query', '; await c.query'));
});

test('lines break in the style of the file', () => {
  const code = "export async function run() {\r\n\tawait pool.query('SELECT pg_advisory_lock(1)'); try { await work(); } finally { await pool.query('SELECT pg_advisory_unlock(1)'); }\r\n}";
  const lines = after('reserve', code)?.split('\r\n');
  expect(lines?.slice(0, 8)).toEqual(['export async function run() {', '\tconst client = await pool.connect();', '\ttry {', "\t\tawait client.query('SELECT pg_advisory_lock(1)');", '\t\ttry {', '\t\t\tawait work();', '\t\t} finally {', `\t\t\t${FREED}`]);
  expect(lines?.join('')).not.toContain('\n');
});
