import type { Argument, Driver, Fragment, Making, Result, RunMember } from './driver.js';

const run = (name: string, result: Partial<Result> = {}): RunMember => ({ name, takes: 'fragment', sql: 0, columnTypes: 'statement', result: { rows: undefined, counts: [], ...result } });

function makePool([connection, options]: readonly (Argument | undefined)[]): Making {
  const size = options?.property('maximumPoolSize')?.value;
  return { kind: 'pooled', says: 'a slonik pool', size: typeof size === 'number' ? size : undefined, expires: true, url: connection?.text };
}

const fragment = (name: string, makes: Fragment['makes']): Fragment => ({ modules: ['slonik', '@slonik/sql-tag'], name: 'sql', path: [name], makes });

/**
 * slonik 47: https://github.com/gajus/slonik, `slonik/dist/types.d.ts`. Up to 48 a reserved connection and a transaction have the type
 * that a pool has too; from 49 on they have their own names. A connection is reset (`DISCARD ALL`) whenever it goes back.
 */
export const slonik = {
  id: 'slonik',
  name: 'slonik',
  packages: ['slonik', '@slonik/types'],
  types: [
    { name: 'DatabasePool', kind: 'pooled', says: 'a slonik pool' },
    { name: 'DatabaseTransactionConnection', kind: 'transaction', says: 'a slonik transaction' },
    { name: 'DatabasePoolConnection', kind: 'reserved', says: 'a connection of a slonik pool' },
    { name: 'CommonQueryMethods', kind: 'open', says: 'a slonik handle' },
  ],
  makers: [{ modules: ['slonik'], name: 'createPool', called: 'call', make: makePool }],
  runs: [
    run('any'), run('many'), run('query', { rows: 'rows', counts: ['rowCount'] }),
    run('one', { holds: 'row' }), run('maybeOne', { holds: 'row' }),
    run('oneFirst', { holds: 'boolean' }), run('maybeOneFirst', { holds: 'boolean' }),
    // An array of the values of the only column.
    run('anyFirst', { holds: 'values' }), run('manyFirst', { holds: 'values' }),
    // Whether there is a row: there is one whatever PostgreSQL answers.
    run('exists', { holds: 'count' }),
  ],
  reserves: [
    { name: 'connect', gives: 'reserved', says: 'a connection of a slonik pool', callbackParameter: 0, returns: false, on: ['pooled'] },
    { name: 'transaction', gives: 'transaction', says: 'a slonik transaction', callbackParameter: 0, returns: false, on: ['pooled', 'reserved', 'transaction', 'open'] },
  ],
  releases: [{ name: 'end', session: 'destroys', on: ['pooled'] }],
  resets: true,
  isLazy: false,
  transactionAdvice: 'send the lock and the work to the handle of `{pool}.transaction(async (transaction) => ...)`',
  advice: 'send lock, work and unlock to the handle of `{pool}.connect(async (connection) => ...)`',
  standsFor: { pool: 'slonik pool' },
  fragments: [fragment('unsafe', 'tag'), fragment('fragment', 'tag'), fragment('join', 'join'), fragment('identifier', 'name'), fragment('literalValue', 'value')],
  templates: {
    kind: 'reserve', name: 'connection', reserve: '{handle}.connect', isLent: true, release: '',
    text: '{connection}.query({text})',
  },
} as const satisfies Driver;
