import type { Argument, Driver, Fragment, Making, RunMember } from './driver.js';

/** The drivers under it that have records of their own. */
const DRIVERS = ['node-postgres', 'postgres-js'];

/**
 * `drizzle(client, config)`, `drizzle({ client })`, `drizzle(url, config)` and `drizzle({ connection })`
 * (drizzle-orm/node-postgres/driver.d.ts, drizzle-orm/postgres-js/driver.d.ts).
 */
function make(flavour: string): (args: readonly (Argument | undefined)[]) => Making {
  const pool = flavour === 'postgres-js' ? 'postgres.js pool' : 'pg Pool';
  const own = flavour === 'postgres-js' ? 'postgres' : 'pg';
  return ([first]) => {
    const client = first?.isObject ? first.property('client') : first?.isHandle ? first : undefined;
    if (client) return { kind: 'open', says: 'drizzle', over: client };
    const connection = first?.isObject ? first.property('connection') : first;
    if (connection?.isText) {
      return { kind: 'pooled', says: `drizzle over a ${pool} of its own`, url: connection.text, client: own };
    }
    if (connection?.isObject) {
      const url = connection.property('url')?.text ?? connection.property('connectionString')?.text;
      const size = connection.property('max')?.value;
      const isSingle = flavour === 'postgres-js' && size === 1;
      return {
        kind: isSingle ? 'single' : 'pooled', says: `drizzle over a ${isSingle ? 'postgres.js client of one connection' : `${pool} of its own`}`,
        size: typeof size === 'number' ? size : undefined, url, client: own,
      };
    }
    // A client that is not in view.
    return { kind: 'open', says: 'drizzle', over: first };
  };
}

const builder = (name: string, builds: 'query' | 'modification', sql = 0): RunMember => ({ name, takes: 'selection', builds, sql, result: { rows: undefined, counts: [] } });

const tag = (path: readonly string[], makes: Fragment['makes']): Fragment => ({ modules: ['drizzle-orm'], name: 'sql', path, makes });

/** drizzle-orm 0.45: https://orm.drizzle.team, `drizzle-orm/pg-core`. Its handle is as pooled as the client under it. */
export const drizzle = {
  id: 'drizzle-orm',
  name: 'drizzle',
  packages: ['drizzle-orm'],
  types: [
    { name: 'PgTransaction', kind: 'transaction', says: 'a drizzle transaction' },
    { name: 'PgWithReplicas', kind: 'pooled', says: 'drizzle over a primary and replicas' },
    { name: 'NodePgDatabase', kind: 'open', says: 'drizzle', over: '$client' },
    { name: 'PostgresJsDatabase', kind: 'open', says: 'drizzle', over: '$client' },
    { name: 'PgDatabase', kind: 'open', says: 'drizzle', over: '$client' },
  ],
  makers: DRIVERS.map((flavour) => ({ modules: [`drizzle-orm/${flavour}`], name: 'drizzle', called: 'call' as const, make: make(flavour) })),
  runs: [
    { name: 'execute', takes: 'fragment', sql: 0, result: { rows: 'rows', counts: ['rowCount', 'count'], typed: true } },
    builder('select', 'query'), builder('selectDistinct', 'query'), builder('selectDistinctOn', 'query', 1),
    builder('insert', 'modification'), builder('update', 'modification'), builder('delete', 'modification'),
  ],
  reserves: [{ name: 'transaction', gives: 'transaction', says: 'a drizzle transaction', callbackParameter: 0, returns: false, on: ['pooled', 'single', 'reserved', 'transaction', 'open'] }],
  releases: [],
  properties: ['$client', '$primary'],
  chained: { toSQL: { unsent: true }, getSQL: { unsent: true } },
  isLazy: true,
  transactionAdvice: 'send the lock and the work to the handle of `db.transaction(async (tx) => ...)`',
  advice: 'reserve a connection of the client under drizzle (`db.$client.connect()` with node-postgres, `db.$client.reserve()` with postgres.js), send lock and unlock to it, and release it in `finally`',
  fragments: [
    tag([], 'tag'), tag(['raw'], 'raw'), tag(['join'], 'join'), tag(['param'], 'value'), tag(['placeholder'], 'value'),
    tag(['identifier'], 'name'), tag(['empty'], 'nothing'), tag(['fromList'], 'join'),
  ],
  rowsType: '{row}',
  templates: {
    kind: 'layer', below: '$client',
    over: {
      pg: { kind: 'handle', name: 'connection', make: '{maker}({ client: {connection} })', maker: 'drizzle', module: 'drizzle-orm/node-postgres' },
      // `drizzle()` over a reserved connection type-checks and throws at run time: it reads options that only a client has.
      postgres: { kind: 'connection' },
    },
  },
} as const satisfies Driver;
