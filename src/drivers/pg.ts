import type { Argument, Driver, Maker, Making, RunMember } from './driver.js';

/** The connection string of a pool or client, or the name of its host. */
export const urlOf = (options: Argument | undefined): string | undefined => {
  return options?.isObject ? options.property('connectionString')?.text ?? options.property('host')?.text : options?.text;
};

const numberOf = (argument: Argument | undefined): number | undefined => (typeof argument?.value === 'number' ? argument.value : undefined);

/**
 * The options of a pool as pg-pool has them, which others take over: it closes connections that nobody uses after `idleTimeoutMillis`, 10 seconds
 * if nothing is said and never if that is 0, down to `min`, which is 0 (pg-pool/index.js; node-postgres.com/apis/pool). `otherwise` is
 * where the greatest number stands if not in `max`.
 */
export function poolOf(options: Argument | undefined, otherwise?: Argument): Required<Pick<Making, 'size' | 'expires'>> {
  const size = numberOf(options?.property('max')) ?? numberOf(otherwise);
  const min = numberOf(options?.property('min')) ?? 0;
  return { size, expires: options?.property('idleTimeoutMillis')?.value !== 0 && (size === undefined || min < size) };
}

/** pg-pool: `max` is 10 if nothing is said, and may be called `poolSize`. */
export const poolMaker = (says: string) => ([options]: readonly (Argument | undefined)[]): Making => (
  { kind: 'pooled', says, ...poolOf(options, options?.property('poolSize')), url: urlOf(options) }
);

const makePool = poolMaker('a pg Pool');

const makers: readonly Maker[] = [
  { modules: ['pg', 'pg-pool'], name: 'Pool', called: 'new', make: makePool },
  { modules: ['pg-pool'], name: 'default', called: 'new', make: makePool },
  { modules: ['pg'], name: 'Client', called: 'new', make: ([options]) => ({ kind: 'single', says: 'a pg Client of its own', url: urlOf(options) }) },
];

/** `rowMode: 'array'` makes rows arrays of values (@types/pg, `QueryArrayConfig`). */
export const pgQuery = {
  name: 'query', takes: 'text', sql: 0, values: { argument: 1 }, callback: true,
  config: { text: 'text', values: 'values', arrayRows: ['rowMode', 'array'] },
  result: { rows: 'rows', counts: ['rowCount'] },
} as const satisfies RunMember;

/** node-postgres: https://node-postgres.com, `@types/pg`. `pg.native` has the same classes. */
export const pg = {
  id: 'pg',
  name: 'pg',
  packages: ['pg', 'pg-pool'],
  types: [
    { name: 'PoolClient', kind: 'reserved', says: 'a client reserved from a pg Pool' },
    { name: 'Client', kind: 'single', says: 'a pg Client of its own' },
    { name: 'ClientBase', kind: 'reserved', says: 'one pg client' },
    { name: 'Pool', kind: 'pooled', says: 'a pg Pool' },
  ],
  makers,
  runs: [pgQuery],
  reserves: [{ name: 'connect', gives: 'reserved', says: 'a client reserved from a pg Pool', callbackParameter: 1, releaseParameter: 2, returns: true, on: ['pooled'] }],
  releases: [
    { name: 'release', session: 'argument', on: ['reserved'] },
    { name: 'end', session: 'destroys', on: ['single', 'reserved', 'pooled'] },
  ],
  derives: [{ name: 'connect', on: ['single'] }],
  isLazy: false,
  transactionAdvice: 'send BEGIN, the lock, the work and COMMIT to one client (`const client = await {pool}.connect()`)',
  closeAdvice: 'close the session with `{client}.release(true)`',
  advice: 'take `const client = await {pool}.connect()`, send lock, work and unlock to `client`, and call `client.release()` in `finally`',
  standsFor: { pool: 'pg Pool', client: 'reserved client' },
  // A statement as an object: `client.query(new Query('SELECT ...'))`.
  fragments: [{ modules: ['pg'], name: 'Query', path: [], makes: 'raw' }],
  rowsType: '{row}',
  templates: {
    kind: 'reserve', name: 'client', reserve: '{handle}.connect()', release: '{connection}.release()',
    text: '{connection}.query{type}({text})',
  },
} as const satisfies Driver;
