/** The repository that docs/first-look.md shows its commands on. */
export const shop: Readonly<Record<string, string>> = {
  'package.json': '{ "private": true, "type": "module", "dependencies": { "pg": "^8.0.0" } }\n',
  'tsconfig.json': '{ "compilerOptions": { "target": "es2022", "module": "nodenext", "strict": true, "noEmit": true }, "include": ["src"] }\n',
  '.gitignore': 'node_modules\ndist\n',
  'src/nightly.ts': `import { Pool } from 'pg';

const pool = new Pool();

/** Called every minute, in each instance of the app. */
export async function nightly(work: () => Promise<void>): Promise<void> {
  const { rows } = await pool.query<{ locked: boolean }>('SELECT pg_try_advisory_lock(42) AS locked');
  if (!rows[0]?.locked) return;
  await work();
  await pool.query('SELECT pg_advisory_unlock(42)');
}
`,
  'src/clean-up.ts': `import { Pool } from 'pg';

const pool = new Pool();

export async function cleanUp(work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('SELECT pg_advisory_lock(42)');
    try {
      await work();
    } finally {
      const { rows: [answer] } = await client.query<{ unlocked: boolean }>('SELECT pg_advisory_unlock(42) AS unlocked');
      if (answer?.unlocked !== true) console.error('Lock 42 was lost.');
    }
  } finally {
    client.release();
  }
}
`,
  'src/stock.ts': `import { Pool } from 'pg';

const pool = new Pool();
const STOCK = 1;
const ORDERS = 2;

export async function order(article: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [ORDERS]);
    await client.query('SELECT pg_advisory_xact_lock($1)', [STOCK]);
    await client.query('INSERT INTO orders VALUES ($1)', [article]);
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

export async function restock(article: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [STOCK]);
    await client.query('UPDATE stock SET count = count + 1 WHERE article = $1', [article]);
    await client.query('SELECT pg_advisory_xact_lock($1)', [ORDERS]);
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}
`,
  'src/articles.ts': 'export interface Article { readonly id: number }\n',
};
