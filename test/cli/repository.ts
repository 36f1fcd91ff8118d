import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inProject } from '../support/paths.js';

const bin = inProject('dist/src/cli/bin.js');

export interface Repository {
  readonly folder: string;
  path(name: string): string;
}

const made: string[] = [];

/** A folder with these files, outside of this project. */
export function repository(files: Readonly<Record<string, string>>): Repository {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'first-look-')));
  made.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return { folder, path: (name) => join(folder, name) };
}

export function removeRepositories(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command in this process, in which TypeScript is loaded and has read the packages' declarations. */
export async function look(cwd: string, ...args: string[]): Promise<Outcome> {
  const { main } = await import(pathToFileURL(inProject('dist/src/cli/main.js')).href) as typeof import('../../src/cli/main.js');
  const [stdout, stderr]: string[][] = [[], []];
  const status = await main(args, { cwd: () => cwd, env: {}, stdout: { write: (text) => stdout!.push(text) }, stderr: { write: (text) => stderr!.push(text) } });
  return { status, stdout: stdout!.join(''), stderr: stderr!.join('') };
}

/** Runs what `npm run build` has made of the command, in a process of its own. */
export function run(cwd: string, ...args: string[]): Outcome {
  if (!existsSync(bin)) throw new Error('There is no command to run: run `npm run build` first.');
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { cwd, encoding: 'utf8', env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined } });
  return { status, stdout, stderr };
}

/** `file:line:column rule` of everything that was found. */
export function findingsOf(outcome: Outcome, folder: string): string[] {
  const results = JSON.parse(outcome.stdout) as { filePath: string; messages: { line: number; column: number; ruleId: string | null }[] }[];
  return results.flatMap(({ filePath, messages }) => messages.map(({ line, column, ruleId }) => `${filePath.slice(folder.length + 1)}:${line}:${column} ${ruleId?.replace(/^.*\//, '') ?? 'cannot be read'}`));
}

/** A job that locks through a pool: three findings, on lines 4 and 6. */
export const faulty = `import { Pool } from 'pg';
const pool = new Pool();
export async function nightly(work) {
  await pool.query('SELECT pg_advisory_lock(1)');
  await work();
  await pool.query('SELECT pg_advisory_unlock(1)');
}
`;

export const faultyAt = (file: string): string[] => [`${file}:4:28 no-pooled-session-lock`, `${file}:6:28 no-cross-connection-unlock`, `${file}:6:28 no-unchecked-unlock`];

export const correct = `import { Pool } from 'pg';
const pool = new Pool();
export async function nightly(work) {
  const client = await pool.connect();
  try {
    await client.query('SELECT pg_advisory_lock(1)');
    try {
      await work();
    } finally {
      const { rows } = await client.query('SELECT pg_advisory_unlock(1) AS unlocked');
      if (!rows[0].unlocked) console.error('lost');
    }
  } finally {
    client.release();
  }
}
`;
