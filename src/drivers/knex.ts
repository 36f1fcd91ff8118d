import type { Argument, Driver, Maker, Making, RunMember } from './driver.js';
import { poolOf } from './pg.js';

/** Clients of PostgreSQL, by the names that Knex knows them by, and those of databases that speak as it does. */
const POSTGRES = /^(?:pg|pgnative|postgres|postgresql|pg-native|cockroachdb|redshift)$/;

/** `knex({ client: 'pg', connection, pool: { min, max } })`; tarn closes connections that nobody uses after 30 s, down to `min`, which is 2 if nothing is said. */
function make([options]: readonly (Argument | undefined)[]): Making | undefined {
  const client = options?.property('client')?.value;
  if (typeof client === 'string' && !POSTGRES.test(client)) return undefined;
  const connection = options?.property('connection');
  const url = connection?.isObject ? connection.property('connectionString') ?? connection.property('host') : connection;
  return { kind: 'pooled', says: 'a Knex pool', ...poolOf(options?.property('pool')), url: options?.isObject ? url?.text : options?.text };
}

const says = 'a connection acquired from a Knex pool';

/** What pg gives, for raw text (knex.d.ts, `Raw<any>`); the rows, for what a builder makes. */
const raw: RunMember = { name: 'raw', takes: 'text', sql: 0, values: { argument: 1 }, result: { rows: 'rows', counts: ['rowCount'] } };
const builder = (name: string, holds?: 'row'): RunMember => (
  { name, takes: 'selection', builds: 'query', selects: 'arguments', sql: 0, result: { rows: undefined, counts: [], ...(holds ? { holds } : {}) } }
);

const modelPool = { kind: 'pooled', says: 'the Knex pool of an Objection model' } as const;
const ofModel = (method: string, makeOf: Maker['make']): Maker => ({ modules: ['objection'], name: 'Model', method, called: 'call', make: makeOf });

/** Knex 3: https://knexjs.org, `knex/types/index.d.ts`. */
export const knex = {
  id: 'knex',
  name: 'Knex',
  packages: ['knex'],
  types: [
    { name: 'Transaction', kind: 'transaction', says: 'a Knex transaction' },
    // A transaction is assignable to it.
    { name: 'Knex', kind: 'open', says: 'Knex', injected: { kind: 'pooled' } },
  ],
  makers: [
    { modules: ['knex'], name: 'default', called: 'call', make },
    { modules: ['knex'], name: 'knex', called: 'call', make },
    // Objection, unless a transaction is bound to the model, which is another class then (objection, "bindKnex").
    ofModel('knex', () => modelPool), ofModel('knexQuery', () => modelPool),
    // `Model.query(trx)`, and the pool without it.
    ofModel('query', ([trx]) => (trx ? { kind: 'open', says: 'an Objection query', over: trx } : modelPool)),
  ],
  runs: [raw, builder('select'), builder('first', 'row')],
  called: { ...builder('select'), selects: 'later' },
  pieces: { raw: 'raw' },
  chained: {
    transacting: { through: { argument: 0, gives: { kind: 'transaction', says: 'a Knex transaction' } } },
    connection: { through: { argument: 0, gives: { kind: 'reserved', says } } },
    first: { holds: 'row' }, timeout: {}, debug: {}, options: {}, queryContext: {}, toSQL: { unsent: true }, toQuery: { unsent: true },
  },
  // `knex.schema.raw(text)`, as migrations write it.
  properties: ['schema'],
  derives: [{ name: 'withUserParams', on: ['pooled', 'open', 'transaction', 'single'] }],
  reserves: [
    { name: 'acquireConnection', path: ['client'], gives: 'reserved', says, driver: 'pg', returns: true, on: ['pooled', 'open'] },
    { name: 'transaction', gives: 'transaction', says: 'a Knex transaction', callbackParameter: 0, returns: true, on: ['pooled', 'open', 'transaction', 'single'] },
    { name: 'savepoint', gives: 'transaction', says: 'a Knex transaction', callbackParameter: 0, returns: false, on: ['transaction'] },
  ],
  releases: [
    { name: 'releaseConnection', connection: 0, session: 'keeps', on: ['reserved'] },
    { name: 'destroyRawConnection', connection: 0, session: 'destroys', on: ['reserved'] },
    { name: 'destroy', session: 'destroys', on: ['pooled', 'open', 'single'] },
  ],
  transactions: { begins: [], ends: ['commit', 'rollback'] },
  decorators: ['Transactional'],
  takesNoBigint: true,
  isLazy: true,
  transactionAdvice: 'send the lock and the work to the handle of `{knex}.transaction(async (trx) => ...)`',
  advice: 'take `const connection = await {knex}.client.acquireConnection()`, send lock and unlock with `.connection(connection)`, and give it back in `finally`',
  standsFor: { knex: 'Knex instance' },
  fragments: [{ modules: ['objection'], name: 'raw', path: [], makes: 'raw' }],
  rowsType: '{ rows: {row}[] }',
  templates: {
    kind: 'reserve', name: 'connection', reserve: '{handle}.client.acquireConnection()', release: 'await {handle}.client.releaseConnection({connection})',
    chained: '.connection({connection})',
  },
} as const satisfies Driver;
