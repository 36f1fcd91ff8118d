import { expect, test } from 'vitest';
import { readSql } from '../../src/sql/index.js';

test('reads a lock function out of a statement', () => {
  const [statement] = readSql({ parts: ['SELECT pg_try_advisory_lock($1) AS ok'] }).statements;
  expect(statement?.locks[0]?.function.name).toBe('pg_try_advisory_lock');
  expect(statement?.locks[0]?.answer).toEqual({ kind: 'column', name: 'ok', index: 0 });
});
