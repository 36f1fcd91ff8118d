import * as tsParser from '@typescript-eslint/parser';
import type { Linter } from 'eslint';
import { join } from 'node:path';
import type ts from 'typescript';
import { expect, test } from 'vitest';
import { lint } from '../support/lint.js';
import { inProject } from '../support/paths.js';
import { ourPlugin } from '../support/plugin.js';
import { ProgramFactory, compilerOptionsOf } from '../support/program.js';

const folder = inProject('fixtures/none/gate');
const locked = `import { Pool } from 'pg';
const pool = new Pool();
export async function run(): Promise<void> {
  await pool.query('SELECT pg_advisory_lock(1)');
  await pool.query('SELECT pg_advisory_unlock(1)');
}
`;
const texts = new Map([
  [join(folder, 'locked.ts'), locked],
  [join(folder, 'sql.ts'), "export const lockSql = 'SELECT pg_advisory_lock(1)';\n"],
  [join(folder, 'imports-lock-sql.ts'), "import { Pool } from 'pg';\nimport { lockSql } from './sql';\nexport const run = () => new Pool().query(lockSql);\n"],
  [join(folder, 'plain.ts'), "import { Pool } from 'pg';\nexport const rows = (pool: Pool) => pool.query('SELECT 1').then(({ rows }) => rows);\n"],
  [join(folder, 'other.ts'), "import { rows } from './plain';\nimport { Pool } from 'pg';\nexport const more = () => rows(new Pool());\n"],
]);
const program = new ProgramFactory(compilerOptionsOf(inProject('fixtures/tsconfig.json'))).create(texts);

interface Watched {
  readonly checkerUses: readonly string[];
  /** How often the text of each of the program's own files was read. */
  readonly textReads: ReadonlyMap<string, number>;
  readonly reports: number;
}

/** Lints files one after another with one program that notes what is asked of it; its checker refuses every question. */
function watch(...names: string[]): Watched {
  const checkerUses: string[] = [];
  const ask = (member: string): never => { checkerUses.push(member); throw new Error(`${member} was asked`); };
  const textReads = new Map<string, number>();
  const refuse = new Proxy(program.getTypeChecker(), { get: (_, member) => ask(String(member)) });
  const files = program.getSourceFiles().map((file) => (texts.has(file.fileName) ? countReads(file, textReads) : file));
  const watched = new Proxy(program, {
    get: (target, member) => {
      if (member === 'getTypeChecker') return () => refuse;
      if (member === 'getSourceFiles') return () => files;
      return Reflect.get(target, member) as unknown;
    },
  });
  const reports = names.flatMap((name) => lintWatched(join(folder, name), watched, ask));
  return { checkerUses, textReads, reports: reports.length };
}

function countReads(file: ts.SourceFile, reads: Map<string, number>): ts.SourceFile {
  return new Proxy(file, {
    get: (target, member) => {
      if (member === 'text') reads.set(target.fileName, (reads.get(target.fileName) ?? 0) + 1);
      return Reflect.get(target, member) as unknown;
    },
  });
}

/** A rule may catch what the checker throws, or crash with it: either way the question has been noted. */
function lintWatched(path: string, watched: ts.Program, ask: (member: string) => never): readonly unknown[] {
  return lint(ourPlugin, path, texts.get(path) ?? '', { parser: parserOver(watched, ask) }).reports;
}

/** The parser of typescript-eslint over the real program, whose services then hand out the watched one. */
function parserOver(watched: ts.Program, ask: (member: string) => never): Linter.Parser {
  return {
    meta: { name: 'watched', version: '1.0.0' },
    parseForESLint: (text: string, options: tsParser.ParserOptions | null) => {
      const parsed = tsParser.parseForESLint(text, { ...options, programs: [program] });
      const shortcuts = { getTypeAtLocation: () => ask('getTypeAtLocation'), getSymbolAtLocation: () => ask('getSymbolAtLocation') };
      return { ...parsed, services: { ...parsed.services, ...shortcuts, program: watched } };
    },
  } as unknown as Linter.Parser;
}

test('a file with locks asks the checker, so that the next tests can fail', () => {
  expect(watch('locked.ts').checkerUses).not.toEqual([]);
});

test('a file that imports lock SQL passes the gate', () => {
  expect(watch('imports-lock-sql.ts').checkerUses).not.toEqual([]);
});

test('a file that holds no lock text asks the checker nothing', () => {
  expect(watch('plain.ts', 'other.ts')).toMatchObject({ checkerUses: [], reports: 0 });
});

test('the texts of the program are scanned once, however many rules and files', () => {
  const { textReads } = watch('plain.ts', 'other.ts', 'plain.ts');
  // A scan may look at a text once to find the word and once more for what a file with the word exports.
  expect([...textReads].filter(([path, reads]) => reads > (texts.get(path)?.includes('advisory') ? 2 : 1))).toEqual([]);
});
