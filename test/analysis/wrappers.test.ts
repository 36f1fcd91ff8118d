import { afterEach, expect, test, vi } from 'vitest';
import { Connections } from '../../src/analysis/connections/connections.js';
import type { Place } from '../../src/analysis/values/origin.js';
import { treeOf } from '../../src/types/index.js';
import { lint } from '../support/lint.js';
import { inProject } from '../support/paths.js';
import { ourPlugin } from '../support/plugin.js';
import { ProgramFactory, compilerOptionsOf } from '../support/program.js';

const folder = inProject('fixtures/pg/many-calls-of-one-wrapper');
const wrapper = `
import { Pool, type QueryResult } from 'pg';
const pool = new Pool();
const send = (text: string, values: unknown[]): Promise<QueryResult> => pool.query(text, values);
export const query = (text: string, values: unknown[] = []): Promise<QueryResult> => send(text, values);
`;
const callsOf = (file: number, count: number): string => `
import { query } from './db';
${Array.from({ length: count }, (_, call) => `export const lock${String(call)} = () => query('SELECT pg_advisory_lock(${String(file * 100 + call)})');`).join('\n')}
`;

interface Asked { find(place: Place): unknown }

/** How often the connection of something in the wrapper's file is followed, while all files are linted. */
function followed(files: number, callsInEach: number): { reports: number; count: number } {
  const texts = new Map([[`${folder}/db.ts`, wrapper], ...Array.from({ length: files }, (_, index) => [`${folder}/job${String(index)}.ts`, callsOf(index, callsInEach)] as const)]);
  const program = new ProgramFactory(compilerOptionsOf(inProject('fixtures/tsconfig.json'))).create(texts);
  const find = vi.spyOn(Connections.prototype as unknown as Asked, 'find');
  let reports = 0;
  for (const [path, text] of texts) {
    if (path.endsWith('db.ts')) continue;
    const linted = lint(ourPlugin, path, text, { program });
    expect(linted.failures).toEqual([]);
    reports += linted.reports.length;
  }
  const count = find.mock.calls.filter(([{ node }]) => treeOf(node).fileName.endsWith('db.ts')).length;
  find.mockRestore();
  return { reports, count };
}

afterEach(() => { vi.restoreAllMocks(); });

test('a wrapper is followed to its handle once a program, not once a call', () => {
  const once = followed(1, 1);
  const often = followed(20, 10);
  expect(once).toEqual({ reports: 1, count: once.count });
  expect(often).toEqual({ reports: 200, count: once.count });
});
