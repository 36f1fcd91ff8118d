import type { Argument, Driver, Fragment, Making, RunMember } from './driver.js';
import { poolOf } from './pg.js';

/** `new Kysely({ dialect: new PostgresDialect({ pool: new Pool({ max }) }) })`: its dialects for PostgreSQL take a pool, which `destroy()` ends. */
function make([options]: readonly (Argument | undefined)[]): Making {
  return { kind: 'pooled', says: 'a Kysely instance over a pool', ...poolOf(options?.property('dialect')?.argument(0)?.property('pool')?.argument(0)) };
}

const rows = { rows: 'rows', counts: ['numAffectedRows'] } as const;
const SENT_BY = ['execute', 'executeTakeFirst', 'executeTakeFirstOrThrow'] as const;
const builder = (name: string, selects: RunMember['selects']): RunMember => (
  { name, takes: 'selection', builds: 'query', sql: 0, result: { rows: undefined, counts: [] }, sentBy: SENT_BY, ...(selects ? { selects } : {}) }
);

const tag = (path: readonly string[], makes: Fragment['makes']): Fragment => ({ modules: ['kysely'], name: 'sql', path, makes });

/** Kysely 0.28: https://kysely.dev, `kysely/dist/esm/kysely.d.ts`. */
export const kysely = {
  id: 'kysely',
  name: 'Kysely',
  packages: ['kysely'],
  types: [
    { name: 'ControlledTransaction', kind: 'transaction', says: 'a Kysely transaction' },
    { name: 'Transaction', kind: 'transaction', says: 'a Kysely transaction' },
    // A transaction, and a connection that is lent, are assignable to it.
    { name: 'Kysely', kind: 'open', says: 'Kysely', injected: { kind: 'pooled' } },
  ],
  makers: [{ modules: ['kysely'], name: 'Kysely', called: 'new', make }],
  runs: [
    { name: 'execute', takes: 'fragment', sql: 'receiver', handle: 0, result: rows },
    { name: 'executeQuery', takes: 'fragment', sql: 0, result: { ...rows, typed: true } },
    builder('selectNoFrom', 'arguments'), builder('selectFrom', 'later'),
  ],
  pieces: { fn: 'function' },
  chained: { executeTakeFirst: { holds: 'row' }, executeTakeFirstOrThrow: { holds: 'row' } },
  reserves: [
    { name: 'connection', completedBy: 'execute', gives: 'reserved', says: 'a connection of Kysely', callbackParameter: 0, returns: false, on: ['pooled', 'open', 'transaction', 'reserved'] },
    { name: 'transaction', completedBy: 'execute', gives: 'transaction', says: 'a Kysely transaction', callbackParameter: 0, returns: false, on: ['pooled', 'open', 'reserved'] },
    { name: 'startTransaction', completedBy: 'execute', gives: 'transaction', says: 'a Kysely transaction', returns: true, on: ['pooled', 'open', 'reserved'] },
  ],
  releases: [{ name: 'destroy', session: 'destroys', on: ['pooled', 'open'] }],
  derives: [...['withSchema', 'withPlugin', 'withoutPlugins', 'withTables'].map((name) => ({ name, on: ['pooled', 'open', 'reserved', 'transaction'] as const }))],
  // `await trx.commit().execute()`.
  transactions: { begins: [], ends: ['commit', 'rollback'] },
  decorators: ['Transactional'],
  isLazy: false,
  transactionAdvice: 'send the lock and the work to the handle of `{db}.transaction().execute(async (trx) => ...)`',
  advice: 'send lock, work and unlock to the handle of `{db}.connection().execute(async (conn) => ...)`',
  standsFor: { db: 'Kysely instance' },
  fragments: [tag([], 'tag'), tag(['raw'], 'raw'), tag(['lit'], 'raw'), tag(['val'], 'value'), tag(['join'], 'join'), tag(['ref'], 'name'), tag(['id'], 'name'), { modules: ['kysely'], name: 'CompiledQuery', path: ['raw'], makes: 'raw', values: 1 }],
  rowsType: '{row}',
  columnTypes: 'argument',
  templates: { kind: 'reserve', name: 'connection', reserve: '{handle}.connection().execute', isLent: true },
} as const satisfies Driver;
