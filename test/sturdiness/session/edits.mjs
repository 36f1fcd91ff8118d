/** A small project, and what somebody types into it. */

export const FILES = ['job.ts', 'db.ts', 'locks.ts', 'users.ts', 'new.ts'];

const db = "import { Pool } from 'pg';\nexport const pool = new Pool();\nexport class Db {\n  constructor(readonly pool: Pool) {}\n}\n";
const job = "import { pool } from './db';\nimport { withLock } from './locks';\nexport async function run(): Promise<void> {\n  await pool.query('SELECT pg_advisory_lock(1)');\n  await withLock(2, () => Promise.resolve());\n}\n";
const locks = "import { Db, pool } from './db';\nexport const db = new Db(pool);\nexport async function withLock(key: number, work: () => Promise<void>): Promise<void> {\n  const client = await db.pool.connect();\n  await client.query('SELECT pg_advisory_lock($1)', [key]);\n  await work();\n  await client.query('SELECT pg_advisory_unlock($1)', [key]);\n  client.release();\n}\n";
const users = "import { withLock } from './locks';\nimport { db } from './locks';\nexport async function users(): Promise<void> {\n  await withLock(3, async () => { await db.pool.query('SELECT pg_try_advisory_lock(4)'); });\n}\n";

/** @type {Readonly<Record<string, string>>} */
const texts = { 'db.ts': db, 'job.ts': job, 'locks.ts': locks, 'users.ts': users, 'new.ts': job };

/**
 * What stands on disk. The project service of a process is made once, with the options that it is first asked with: a file that it is
 * not to know from the disk would need an option. @param {import('./linter.mjs').Way} way @returns {[string, string][]}
 */
export const project = (way) => [
  ...Object.entries(texts).filter(([name]) => way === 'projectService' || name !== 'new.ts'),
  ['tsconfig.json', JSON.stringify({ compilerOptions: { strict: true, module: 'preserve', moduleResolution: 'bundler', target: 'es2022', noEmit: true, types: [] }, include: ['*.ts'] })],
];

/** The text after an edit: code that goes on growing and shrinking, with names of its own each time. @param {string} name @param {number} count */
export function edit(name, count) {
  const text = texts[name] ?? '';
  const added = Array.from({ length: count % 7 }, (_, index) => `export const own${count}x${index}: { readonly a${count}: number } = { a${count}: ${index} };`);
  return `${text}${added.join('\n')}\n// ${'typed '.repeat(count % 11)}\n`;
}
