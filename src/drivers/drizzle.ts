import type { Argument, Driver, Fragment, Making, RunMember } from './driver.js';
import { poolOf } from './pg.js';

/** A driver under it: the record of the client that it makes for itself where it is given none. */
interface Under {
  readonly flavour: string;
  readonly id?: string;
  readonly kind: 'pooled' | 'single' | 'stateless';
  readonly says: string;
  /** What it is with `max: 1`, where one connection is kept then. */
  readonly ofOne?: string;
}

const UNDER: readonly Under[] = [
  { flavour: 'node-postgres', id: 'pg', kind: 'pooled', says: 'a pg Pool of its own' },
  { flavour: 'postgres-js', id: 'postgres', kind: 'pooled', says: 'a postgres.js pool of its own', ofOne: 'a postgres.js client of one connection' },
  { flavour: 'neon-serverless', id: 'neon', kind: 'pooled', says: 'a Neon Pool of its own' },
  { flavour: 'neon-http', id: 'neon-http', kind: 'stateless', says: "Neon's HTTP driver" },
  { flavour: 'vercel-postgres', id: 'vercel', kind: 'pooled', says: 'the Vercel Postgres pool' },
  { flavour: 'pglite', kind: 'single', says: 'PGlite, which is one session' },
  { flavour: 'aws-data-api/pg', kind: 'stateless', says: 'the AWS Data API, which sends each statement as an HTTP request' },
];

/**
 * `drizzle(client, config)`, `drizzle({ client })`, `drizzle(url, config)`, `drizzle({ connection })`, and for some `drizzle()`
 * (drizzle-orm/node-postgres/driver.d.ts and its likes).
 */
const makeOver = ({ id, kind, says, ofOne }: Under) => ([first]: readonly (Argument | undefined)[]): Making => {
  const client = first?.isObject ? first.property('client') : first?.isHandle ? first : undefined;
  if (client) return { kind: 'open', says: 'drizzle', over: client };
  const connection = first?.isObject ? first.property('connection') : first;
  const isOwn = kind !== 'pooled' || connection?.isText === true || connection?.isObject === true || (first === undefined && id === 'vercel');
  // A client that is not in view.
  if (!isOwn) return { kind: 'open', says: 'drizzle', over: first };
  const url = connection?.isObject ? connection.property('url')?.text ?? connection.property('connectionString')?.text : connection?.text;
  const pool = poolOf(connection?.isObject ? connection : undefined);
  const isSingle = ofOne !== undefined && pool.size === 1;
  return {
    kind: isSingle ? 'single' : kind, says: `drizzle over ${isSingle ? ofOne : says}`, ...pool, url,
    ...(id === undefined ? {} : { client: id }),
  };
};

const builder = (name: string, builds: 'query' | 'modification', sql = 0): RunMember => ({ name, takes: 'selection', builds, sql, result: { rows: undefined, counts: [] } });

const tag = (path: readonly string[], makes: Fragment['makes']): Fragment => ({ modules: ['drizzle-orm'], name: 'sql', path, makes });

/** drizzle-orm 0.45 and 1.0 (names that begin with `PgAsync`): https://orm.drizzle.team, `drizzle-orm/pg-core`. Its handle is as pooled as the client under it. */
export const drizzle = {
  id: 'drizzle-orm',
  name: 'drizzle',
  packages: ['drizzle-orm'],
  types: [
    { name: 'PgTransaction', kind: 'transaction', says: 'a drizzle transaction' },
    { name: 'PgAsyncTransaction', kind: 'transaction', says: 'a drizzle transaction' },
    { name: 'PgWithReplicas', kind: 'pooled', says: 'drizzle over a primary and replicas' },
    { name: 'PgAsyncWithReplicas', kind: 'pooled', says: 'drizzle over a primary and replicas' },
    { name: 'NeonHttpDatabase', kind: 'stateless', says: "drizzle over Neon's HTTP driver" },
    { name: 'AwsDataApiPgDatabase', kind: 'stateless', says: 'drizzle over the AWS Data API, which sends each statement as an HTTP request' },
    { name: 'PgliteDatabase', kind: 'single', says: 'drizzle over PGlite, which is one session' },
    { name: 'NeonDatabase', kind: 'open', says: 'drizzle', over: '$client' },
    { name: 'VercelPgDatabase', kind: 'open', says: 'drizzle', over: '$client' },
    { name: 'NodePgDatabase', kind: 'open', says: 'drizzle', over: '$client' },
    { name: 'PostgresJsDatabase', kind: 'open', says: 'drizzle', over: '$client' },
    { name: 'PgDatabase', kind: 'open', says: 'drizzle', over: '$client' },
    { name: 'PgAsyncDatabase', kind: 'open', says: 'drizzle', over: '$client' },
    // Of Aurora DSQL, too.
    { name: 'BasePgAsyncDatabase', kind: 'open', says: 'drizzle', over: '$client' },
  ],
  makers: UNDER.map((under) => ({ modules: [`drizzle-orm/${under.flavour}`], name: 'drizzle', called: 'call' as const, make: makeOver(under) })),
  runs: [
    {
      name: 'execute', takes: 'fragment', sql: 0, result: { rows: 'rows', counts: ['rowCount', 'count'], typed: true },
      // Of 1.0.
      results: [
        { argument: 1, value: 'objects', result: { rows: undefined, counts: [] } },
        { argument: 1, value: 'arrays', result: { rows: undefined, counts: [], arrayRows: true } },
      ],
    },
    builder('select', 'query'), builder('selectDistinct', 'query'), builder('selectDistinctOn', 'query', 1),
    builder('insert', 'modification'), builder('update', 'modification'), builder('delete', 'modification'),
  ],
  reserves: [
    { name: 'transaction', gives: 'transaction', says: 'a drizzle transaction', callbackParameter: 0, returns: false, on: ['pooled', 'single', 'reserved', 'transaction', 'stateless', 'open'] },
    // Of Neon's HTTP driver: one request, one transaction.
    { name: 'batch', gives: 'transaction', says: 'a batch of drizzle, which is one transaction', batch: 0, returns: false, on: ['stateless'] },
  ],
  releases: [],
  properties: ['$client', '$primary'],
  chained: { toSQL: { unsent: true }, getSQL: { unsent: true } },
  decorators: ['Transactional'],
  isLazy: true,
  transactionAdvice: 'send the lock and the work to the handle of `{db}.transaction(async (tx) => ...)`',
  advice: 'reserve a connection of the client under drizzle (`{db}.$client.connect()` with node-postgres, `{db}.$client.reserve()` with postgres.js), send lock and unlock to it, and release it in `finally`',
  standsFor: { db: 'drizzle database' },
  fragments: [
    tag([], 'tag'), tag(['raw'], 'raw'), tag(['join'], 'join'), tag(['param'], 'value'), tag(['placeholder'], 'value'),
    tag(['identifier'], 'name'), tag(['empty'], 'nothing'), tag(['fromList'], 'join'),
  ],
  rowsType: '{row}',
  templates: {
    kind: 'layer', below: '$client',
    over: {
      pg: { kind: 'handle', name: 'connection', make: '{maker}({ client: {connection} })', maker: 'drizzle', module: 'drizzle-orm/node-postgres' },
      neon: { kind: 'handle', name: 'connection', make: '{maker}({ client: {connection} })', maker: 'drizzle', module: 'drizzle-orm/neon-serverless' },
      vercel: { kind: 'handle', name: 'connection', make: '{maker}({ client: {connection} })', maker: 'drizzle', module: 'drizzle-orm/vercel-postgres' },
      // `drizzle()` over a reserved connection type-checks and throws at run time: it reads options that only a client has.
      postgres: { kind: 'connection' },
    },
  },
} as const satisfies Driver;
