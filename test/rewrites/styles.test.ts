import { describe, expect, it } from 'vitest';
import { rewritten } from './rewriting.js';

/** How the rest of the file is written is how the new code is written. There are no types here, either. */
const path = 'file.ts';

const lines = (...all: readonly string[]): string => all.map((one) => `${one}\n`).join('');

const straight = lines(
  "import { Pool } from 'pg';",
  'const pool = new Pool();',
  'export async function run() {',
  "  await pool.query('SELECT pg_advisory_lock(1)');",
  '  await work();',
  "  await pool.query('SELECT pg_advisory_unlock(1)');",
  '}',
);

const reserved = lines(
  "import { Pool } from 'pg';",
  'const pool = new Pool();',
  'export async function run() {',
  '  const client = await pool.connect();',
  '  try {',
  "    await client.query('SELECT pg_advisory_lock(1)');",
  '    try {',
  '      await work();',
  '    } finally {',
  "      const unlocked = await client.query('SELECT pg_advisory_unlock(1)');",
  '      if (unlocked.rows[0]?.pg_advisory_unlock !== true) {',
  "        console.error('Advisory lock 1 was not held by the connection that unlocked it');",
  '      }',
  '    }',
  '  } finally {',
  '    client.release();',
  '  }',
  '}',
);

const inStyle: Record<string, (text: string) => string> = {
  'two spaces': (text) => text,
  'four spaces': (text) => text.replace(/^ +/gm, (indent) => indent + indent),
  tabs: (text) => text.replace(/^(?: {2})+/gm, (indent) => '\t'.repeat(indent.length / 2)),
  'double quotes': (text) => text.replaceAll("'", '"'),
  'no semicolons': (text) => text.replaceAll(';', ''),
  'Windows line ends': (text) => text.replaceAll('\n', '\r\n'),
};

describe('the style of the file', () => {
  it.each(Object.entries(inStyle))('%s', (_name, style) => {
    expect(rewritten('reserve', path, style(straight), undefined)).toBe(style(reserved));
  });

  it('hoists without a semicolon before a bracket', () => {
    const before = lines(
      "import postgres from 'postgres'",
      'const sql = postgres()',
      'export async function run() {',
      '  await sql`SELECT pg_advisory_lock(1)`',
      '  const { total = 0 } = await work()',
      '  await sql`SELECT pg_advisory_unlock(1)`',
      '  await tell(total)',
      '}',
    );
    expect(rewritten('reserve', path, before, undefined)).toBe(lines(
      "import postgres from 'postgres'",
      'const sql = postgres()',
      'export async function run() {',
      '  let total',
      '  const reserved = await sql.reserve()',
      '  try {',
      '    await reserved`SELECT pg_advisory_lock(1)`',
      '    try {',
      '      ;({ total = 0 } = await work())',
      '    } finally {',
      '      const [unlocked] = await reserved`SELECT pg_advisory_unlock(1)`',
      '      if (unlocked?.pg_advisory_unlock !== true) {',
      "        console.error('Advisory lock 1 was not held by the connection that unlocked it')",
      '      }',
      '    }',
      '  } finally {',
      '    reserved.release()',
      '  }',
      '  await tell(total)',
      '}',
    ));
  });

  it('takes a value apart behind the try', () => {
    const before = lines(
      "import postgres from 'postgres'",
      'const sql = postgres()',
      'export async function run() {',
      '  await sql`SELECT pg_advisory_lock(1)`',
      '  const { total } = await work()',
      '  await sql`SELECT pg_advisory_unlock(1)`',
      '  await tell(total)',
      '}',
    );
    expect(rewritten('reserve', path, before, undefined)).toBe(lines(
      "import postgres from 'postgres'",
      'const sql = postgres()',
      'export async function run() {',
      '  let result',
      '  const reserved = await sql.reserve()',
      '  try {',
      '    await reserved`SELECT pg_advisory_lock(1)`',
      '    try {',
      '      result = await work()',
      '    } finally {',
      '      const [unlocked] = await reserved`SELECT pg_advisory_unlock(1)`',
      '      if (unlocked?.pg_advisory_unlock !== true) {',
      "        console.error('Advisory lock 1 was not held by the connection that unlocked it')",
      '      }',
      '    }',
      '  } finally {',
      '    reserved.release()',
      '  }',
      '  const { total } = result',
      '  await tell(total)',
      '}',
    ));
  });

  it('keeps a function on one line readable', () => {
    const before = lines(
      "import { Client } from 'pg';",
      'const client = new Client();',
      "export const leave = async () => { try { await work(); } finally { await client.query('SELECT pg_advisory_unlock(1)'); } };",
    );
    expect(rewritten('throw', path, before, undefined)).toBe(lines(
      "import { Client } from 'pg';",
      'const client = new Client();',
      'export const leave = async () => {',
      '  try {',
      '    await work();',
      '  } finally {',
      "    const unlocked = await client.query('SELECT pg_advisory_unlock(1)');",
      '    if (unlocked.rows[0]?.pg_advisory_unlock !== true) {',
      "      console.error('Advisory lock 1 was not held by the connection that unlocked it');",
      '    }',
      '  }',
      '};',
    ));
  });
});

describe('what is done where the answer is false', () => {
  const before = lines(
    "import { Client } from 'pg';",
    'const client = new Client();',
    'export async function leave(key) {',
    "  await client.query('SELECT pg_advisory_unlock($1, 2)', [key]);",
    '}',
  );

  it.each([['throw', 'throw new Error(%)'], ['warn', 'console.warn(%)']] as const)('%s', (wanted, statement) => {
    const said = '`Advisory lock ${key}, 2 was not held by the connection that unlocked it`';
    expect(rewritten(wanted, path, before, undefined)).toBe(lines(
      "import { Client } from 'pg';",
      'const client = new Client();',
      'export async function leave(key) {',
      "  const unlocked = await client.query('SELECT pg_advisory_unlock($1, 2)', [key]);",
      '  if (unlocked.rows[0]?.pg_advisory_unlock !== true) {',
      `    ${statement.replace('%', said)};`,
      '  }',
      '}',
    ));
  });
});
