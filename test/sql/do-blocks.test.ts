import { describe, expect, test } from 'vitest';
import { names, statement } from './support/read.js';

const locksIn = (body: string): string[] => statement(`DO $$ ${body} $$`).locks.map(({ function: { name }, answer }) => `${name} ${answer.kind}`);

describe('a lock function in a DO block', () => {
  test.each<[string, string[]]>([
    ['BEGIN PERFORM pg_advisory_lock(1); END', ['pg_advisory_lock dropped']],
    ['BEGIN PERFORM pg_try_advisory_lock(1), pg_advisory_unlock(2); END;', ['pg_try_advisory_lock dropped', 'pg_advisory_unlock dropped']],
    ['BEGIN PERFORM 1 WHERE pg_try_advisory_lock(1); END', ['pg_try_advisory_lock inside']],
    ["BEGIN IF NOT pg_try_advisory_lock(1) THEN RAISE EXCEPTION 'busy'; END IF; END", ['pg_try_advisory_lock inside']],
    ['BEGIN IF a THEN NULL; ELSIF pg_try_advisory_lock(1) THEN PERFORM work(); ELSE PERFORM pg_advisory_unlock(2); END IF; END', ['pg_try_advisory_lock inside', 'pg_advisory_unlock dropped']],
    ['BEGIN IF CASE WHEN a THEN pg_try_advisory_lock(1) ELSE true END THEN NULL; END IF; END', ['pg_try_advisory_lock inside']],
    ['BEGIN WHILE NOT pg_try_advisory_lock(1) LOOP PERFORM pg_sleep(1); END LOOP; END', ['pg_try_advisory_lock inside']],
    ['DECLARE ok boolean := pg_try_advisory_lock(1); BEGIN ok := pg_advisory_unlock(1); END', ['pg_try_advisory_lock inside', 'pg_advisory_unlock inside']],
    ['DECLARE ok boolean; BEGIN SELECT pg_try_advisory_lock(1) INTO ok; END', ['pg_try_advisory_lock inside']],
    ['BEGIN IF a THEN', []],
    ['pg_advisory_lock(1)', []],
    ["BEGIN EXECUTE 'SELECT pg_advisory_lock(1)'; END", []],
  ])('%s', (body, expected) => {
    expect(locksIn(body)).toEqual(expected);
  });

  test('stands where it does in the whole text', () => {
    const sql = `SELECT 1; DO LANGUAGE plpgsql $body$ BEGIN\n  PERFORM pg_advisory_lock(1);\nEND $body$`;
    const [, block] = [0, 1].map((at) => sql.split('; ')[at]);
    const [found] = statement(block!).locks;
    expect(block!.slice(found!.start, found!.end)).toBe('pg_advisory_lock');
    expect(names("DO 'BEGIN PERFORM pg_advisory_lock(1); END'")).toEqual(['pg_advisory_lock']);
  });

  test.each<[string, boolean]>([
    ['BEGIN PERFORM pg_advisory_xact_lock(1); END', false],
    ['BEGIN PERFORM pg_advisory_xact_lock(1); UPDATE t SET a = 1; END', true],
    ["BEGIN PERFORM pg_advisory_xact_lock(1); EXECUTE 'UPDATE t SET a = 1'; END", true],
    ['BEGIN PERFORM pg_advisory_xact_lock(1); PERFORM work(); END', true],
  ])('doesWork of %s is %s', (body, works) => {
    expect(statement(`DO $$ ${body} $$`).doesWork).toBe(works);
  });
});
