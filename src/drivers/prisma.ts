import type { Argument, Driver, Fragment, HandleType, Making, RunMember, Values } from './driver.js';
import { poolOf, urlOf } from './pg.js';

/**
 * The tag and `Prisma.sql` values (class `Sql`) are taken by `$queryRaw` and `$executeRaw`, strings with values by the `Unsafe` ones.
 * Queries give an array of rows, the others the number of rows (Prisma reference, "Raw queries").
 */
function run(name: string, { unsafe = false } = {}): RunMember {
  const isQuery = name.startsWith('$query');
  const values: { values?: Values } = unsafe ? { values: { argument: 1, isRest: true } } : {};
  return {
    name, takes: unsafe ? 'text' : 'fragment', sql: 0, ...values,
    result: { rows: undefined, counts: [], ...(isQuery ? {} : { holds: 'count' as const }) },
    ...(isQuery ? {} : { answeredBy: name.replace('execute', 'query') }),
    // P2010, "Failed to deserialize column of type 'void'", after PostgreSQL has run the function: proven with 6.19 and 7.10.
    ...(isQuery ? { rejects: { where: 'void' as const, instead: name.replace('query', 'execute'), advice: `send it with \`${name.replace('query', 'execute')}\`, or read it as text (\`::text\`)` } } : {}),
  };
}

/**
 * The client is generated: into `node_modules/.prisma`, or (generator `prisma-client`) into the user's own files, and `$extends` makes
 * mapped types of it. So its types are known by their members. A transaction's client has no `$connect` (ITXClientDenyList of 6 and 7).
 */
const RAW = ['$queryRaw', '$executeRaw'];
const transaction = { members: { has: RAW, lacks: ['$connect'] }, kind: 'transaction', says: 'a Prisma transaction' } as const;
const types: readonly HandleType[] = [
  // Structural: the root client is assignable to both.
  { name: 'TransactionClient', ...transaction, takesRoot: true },
  { name: 'Omit', ...transaction, takesRoot: true },
  { name: 'PrismaClient', members: { has: RAW }, kind: 'pooled', says: 'a PrismaClient' },
  { members: { has: [...RAW, '$connect', '$transaction'] }, kind: 'pooled', says: 'a PrismaClient' },
  // `Pick<PrismaClient, '$queryRaw'>`, an interface of the user's own: either may be passed for it.
  { members: { has: ['$queryRaw'], lacks: ['$connect'] }, kind: 'open', says: 'a Prisma client' },
  { members: { has: ['$executeRaw'], lacks: ['$connect'] }, kind: 'open', says: 'a Prisma client' },
];

/**
 * Of 6, the connection string of a data source (`datasources: { db: { url } }`, `datasourceUrl`), whose `connection_limit` is the greatest number of
 * connections and whose `max_idle_connection_lifetime`, 300 seconds if nothing is said, closes those that nobody uses unless it is 0; of both,
 * an adapter over pg's pool, which knows neither of them (https://www.prisma.io/docs/orm/overview/databases/postgresql#arguments).
 */
function make([options]: readonly (Argument | undefined)[]): Making {
  const made = { kind: 'pooled', says: 'a PrismaClient' } as const;
  const given = options?.property('adapter');
  if (given) {
    const pool = given.argument(0);
    return { ...made, ...poolOf(pool?.isObject ? pool : pool?.argument(0)), url: urlOf(pool) };
  }
  const url = options?.property('datasources')?.property('db')?.property('url')?.text ?? options?.property('datasourceUrl')?.text;
  const limit = /[?&]connection_limit=(\d+)(?:&|$)/.exec(url ?? '')?.[1];
  return { ...made, size: limit === undefined ? undefined : Number(limit), expires: !/[?&]max_idle_connection_lifetime=0(?:&|$)/.test(url ?? ''), url };
}

/** `Prisma.sql` and its like; of the generator `prisma-client` they come out of the runtime. */
const fragment = (name: string, makes: Fragment['makes'], runtimeName = name): Fragment[] => [
  { modules: ['@prisma/client'], name: 'Prisma', path: [name], makes },
  { modules: ['@prisma/client/runtime/client', '@prisma/client/runtime/library'], name: runtimeName, path: [], makes },
];

/** Prisma 6 and 7: https://www.prisma.io/docs/orm/prisma-client/using-raw-sql/raw-queries, `.prisma/client/index.d.ts`. */
export const prisma = {
  id: 'prisma',
  name: 'Prisma',
  packages: ['@prisma/client', '.prisma'],
  generated: /(?:^|[./])(?:generated|prisma)(?:\/|$)/,
  types,
  makers: [
    // Within an extension: the client that its method is called on, which may be that of a transaction.
    { modules: ['@prisma/client', '.prisma/client', '@prisma/client/edge'], name: 'Prisma', method: 'getExtensionContext', called: 'call', make: () => ({ kind: 'pooled', varies: true, says: 'a PrismaClient' }) },
    { modules: ['@prisma/client/runtime/client', '@prisma/client/runtime/library'], name: 'Extensions', method: 'getExtensionContext', called: 'call', make: () => ({ kind: 'pooled', varies: true, says: 'a PrismaClient' }) },
    { modules: ['@prisma/client', '.prisma/client', '@prisma/client/edge'], name: 'PrismaClient', called: 'new', make },
  ],
  runs: [run('$queryRaw'), run('$executeRaw'), run('$queryRawUnsafe', { unsafe: true }), run('$executeRawUnsafe', { unsafe: true })],
  reserves: [
    // Prisma 7 keeps it on the transaction's client, where it is a savepoint.
    { name: '$transaction', gives: 'transaction', says: 'a Prisma transaction', callbackParameter: 0, batch: 0, returns: false, on: ['pooled', 'transaction', 'open'] },
  ],
  releases: [{ name: '$disconnect', session: 'destroys', on: ['pooled'] }],
  derives: [{ name: '$extends', on: ['pooled', 'open'] }, { name: '$on', on: ['pooled'] }],
  decorators: ['Transactional'],
  isLazy: true,
  transactionAdvice: 'send the lock and the work to the handle of `{prisma}.$transaction(async (tx) => ...)`',
  advice: 'use `pg_advisory_xact_lock` inside `{prisma}.$transaction(async (tx) => ...)`, with the work on `tx`, since Prisma cannot keep a connection for you; or take the lock on a `pg` Client of its own',
  standsFor: { prisma: 'PrismaClient' },
  // After `timeout` milliseconds, 5,000 if nothing is said, Prisma rolls the transaction back under the work (P2028), and the lock is free.
  templates: { kind: 'guard', name: 'tx', open: '{handle}.$transaction', options: '{ timeout: 600_000 /* ms, longer than the work takes */ }' },
  rowsType: '{row}[]',
  columnTypes: 'argument',
  fragments: [
    ...fragment('sql', 'tag', 'sqltag'), ...fragment('raw', 'raw'), ...fragment('join', 'join'), ...fragment('empty', 'nothing'),
  ],
} as const satisfies Driver;
