import type { Argument, Driver, Making, RunMember } from './driver.js';
import { poolOf } from './pg.js';

/** `new Sequelize(url, options)`, `(database, user, password, options)` or `(options)`; a pool has 5 connections, and closes idle ones down to `min`, which is 0 (sequelize/types/sequelize.d.ts, `PoolOptions`). */
function makeSequelize(args: readonly (Argument | undefined)[]): Making | undefined {
  const options = args.find((one) => one?.isObject);
  const dialect = options?.property('dialect')?.value;
  if (typeof dialect === 'string' && !/^postgres/.test(dialect)) return undefined;
  return { kind: 'pooled', says: 'a Sequelize pool', ...poolOf(options?.property('pool')), url: args[0]?.text ?? options?.property('host')?.text };
}

const selected = { rows: undefined, counts: [] } as const;

const run = (name: string): RunMember => ({
  name, takes: 'text', sql: 0, values: { argument: 1, options: ['bind', 'replacements'] }, config: { text: 'query', values: 'values' },
  through: [{ argument: 1, option: 'transaction' }, { argument: 1, option: 'connection', gives: { kind: 'reserved', says: 'a connection reserved from a Sequelize pool' } }],
  // `[rows, metadata]`, unless the kind of the statement is said.
  result: { rows: '0', counts: [] },
  results: [
    // Without a type it makes the statement a SELECT.
    { argument: 1, option: 'plain', value: true, result: { ...selected, holds: 'row' } },
    { argument: 1, option: 'type', value: 'SELECT', result: selected },
    { argument: 1, option: 'nest', value: true, result: selected },
  ],
});

/**
 * Sequelize 6: https://sequelize.org/docs/v6/core-concepts/raw-queries, `sequelize/types`; and 7, in which calls without an
 * option join the transaction of the callback around them by themselves, if there is one, unless `disableClsTransactions` is set; neither
 * a transaction that is not managed nor `withConnection()` is joined so (https://sequelize.org/docs/v7/querying/transactions).
 */
export const sequelize = {
  id: 'sequelize',
  name: 'Sequelize',
  packages: ['sequelize', '@sequelize/core'],
  types: [
    { name: 'Sequelize', kind: 'pooled', says: 'a Sequelize pool' },
    { name: 'AbstractConnection', kind: 'reserved', says: 'a connection reserved from a Sequelize pool' },
    // It has no method that sends SQL: calls are given it as an option.
    { name: 'Transaction', kind: 'transaction', says: 'a Sequelize transaction' },
  ],
  makers: [
    { modules: ['sequelize', '@sequelize/core', 'sequelize-typescript'], name: 'Sequelize', called: 'new', make: makeSequelize },
    { modules: ['sequelize'], name: 'default', called: 'new', make: makeSequelize },
  ],
  runs: [run('query'), run('queryRaw')],
  reserves: [
    { name: 'transaction', gives: 'transaction', says: 'a Sequelize transaction', callbackParameter: 0, returns: true, isGiven: true, on: ['pooled'] },
    { name: 'startUnmanagedTransaction', gives: 'transaction', says: 'a Sequelize transaction', returns: true, isGiven: true, on: ['pooled'] },
    { name: 'withConnection', when: { argument: 0, option: 'destroyConnection', value: true }, gives: 'reserved', ends: true, says: 'a connection reserved from a Sequelize pool', callbackParameter: 0, returns: false, isGiven: true, on: ['pooled'] },
    { name: 'withConnection', gives: 'reserved', says: 'a connection reserved from a Sequelize pool', callbackParameter: 0, returns: false, isGiven: true, on: ['pooled'] },
    // Of 6, not documented: a client of pg.
    { name: 'getConnection', path: ['connectionManager'], gives: 'reserved', says: 'a client reserved from a Sequelize pool', driver: 'pg', returns: true, on: ['pooled'] },
  ],
  releases: [
    { name: 'releaseConnection', connection: 0, session: 'keeps', on: ['pooled'] },
    { name: 'close', session: 'destroys', on: ['pooled'] },
  ],
  ambient: ['useCLS'],
  joinsCallbacks: { by: '@sequelize/core', unless: 'disableClsTransactions' },
  decorators: ['Transactional'],
  isLazy: false,
  columnTypes: 'none',
  transactionAdvice: 'open one with `{sequelize}.transaction(async (transaction) => ...)`, and give `{ transaction }` to the lock and the work',
  advice: 'use `pg_advisory_xact_lock` inside `{sequelize}.transaction(async (transaction) => ...)`, with `{ transaction }` for the lock and the work, since Sequelize 6 cannot keep a connection for you (7 can, by `withConnection()`); or take the lock on a `pg` Client of its own',
  standsFor: { sequelize: 'Sequelize instance' },
  fragments: [{ modules: ['@sequelize/core'], name: 'sql', path: [], makes: 'tag' }],
} as const satisfies Driver;
