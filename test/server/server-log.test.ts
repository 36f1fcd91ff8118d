import { describe, expect, it } from 'vitest';
import { lockEvents } from './server-log.js';

const log = (...entries: string[]) => entries.map(entry => `@@${entry}\n`).join('');
const unlock = { operation: 'unlock', transaction: false } as const;

describe('what the log tells', () => {
  it('puts bound values in place, quotes and parentheses in them and all', () => {
    const text = log(
      '7|db|LOG:  execute s1: SELECT pg_try_advisory_lock($1, hashtext($2)) AS ok',
      "7|db|DETAIL:  Parameters: $1 = '42', $2 = 'it''s (not) closed ('",
    );
    const key = "'42', hashtext('it''s (not) closed (')";
    expect(lockEvents(text, 'db')).toEqual([{ pid: 7, operation: 'lock', transaction: false, key, released: true }]);
  });

  it('reads statements of several lines, and several functions in one', () => {
    const text = log('7|db|LOG:  statement: SELECT pg_advisory_xact_lock(1),\n\t  pg_advisory_unlock_shared( 1,\n\t2 )');
    expect(lockEvents(text, 'db')).toMatchObject([
      { operation: 'lock', transaction: true, key: '1' },
      { operation: 'unlock', transaction: false, key: '1, 2' },
    ]);
  });

  it('lays a warning to the last unlock of the same session', () => {
    const text = log(
      '7|db|LOG:  statement: SELECT pg_advisory_unlock(1)',
      '8|db|LOG:  statement: SELECT pg_advisory_unlock(1)',
      "7|db|WARNING:  you don't own a lock of type ExclusiveLock",
    );
    expect(lockEvents(text, 'db')).toEqual([
      { pid: 7, ...unlock, key: '1', released: false },
      { pid: 8, ...unlock, key: '1', released: true },
    ]);
  });

  it('leaves out other databases, other statements, and text that only mentions a function', () => {
    const text = log(
      '7|other|LOG:  statement: SELECT pg_advisory_unlock(1)',
      '7|db|LOG:  statement: SELECT 1',
      '7|db|ERROR:  function pg_advisory_unlock(text) does not exist',
    );
    expect(lockEvents(text, 'db')).toEqual([]);
  });
});
