import type { Argument, Driver, Maker, Making } from './driver.js';
import { poolOf } from './pg.js';

/** `pool: { min, max }`; what is below, knex or pg's pool, closes idle connections down to `min` (MikroORM configuration reference, `pool`). */
function makeOrm([options]: readonly (Argument | undefined)[]): Making {
  return { kind: 'pooled', says: 'a MikroORM pool', ...poolOf(options?.property('pool')), url: options?.property('clientUrl')?.text ?? options?.property('host')?.text };
}

const modules = ['@mikro-orm/postgresql', '@mikro-orm/core'];
const maker = (called: Maker['called'], method?: string): Maker => ({ modules, name: 'MikroORM', called, make: makeOrm, ...(method === undefined ? {} : { method }) });

const everywhere = ['pooled', 'transaction', 'open'] as const;
const pool = { kind: 'pooled', says: 'the pool of MikroORM, whatever EntityManager it comes from', joins: 'none' } as const;

const rows = { rows: undefined, counts: [] } as const;

/**
 * MikroORM 6 and 7: https://mikro-orm.io/docs/transactions, `@mikro-orm/core/EntityManager.d.ts`. An EntityManager has one type, and
 * works through the pool or a transaction; by asynchronous context it joins the transaction of `transactional()` around it, which a
 * fork does not, nor `getConnection()`, unless it is given the context.
 */
export const mikro = {
  id: 'mikro-orm',
  name: 'MikroORM',
  packages: ['@mikro-orm/core', '@mikro-orm/knex', '@mikro-orm/sql', '@mikro-orm/postgresql'],
  types: [
    { name: 'AbstractSqlConnection', ...pool },
    { name: 'AbstractSqlDriver', ...pool },
    { name: 'EntityManager', kind: 'open', says: 'a MikroORM EntityManager', injected: { kind: 'pooled', by: ['InjectEntityManager'] } },
    { name: 'EntityRepository', kind: 'open', says: 'a MikroORM repository', injected: { kind: 'pooled', by: ['InjectRepository'] } },
    { name: 'MikroORM', kind: 'pooled', says: 'a MikroORM pool' },
  ],
  makers: [maker('call', 'init'), maker('call', 'initSync'), maker('new')],
  runs: [{
    name: 'execute', takes: 'text', sql: 0, values: { argument: 1 },
    // `connection.execute(sql, [], 'all', em.getTransactionContext())`
    through: [{ argument: 3 }],
    result: rows,
    results: [
      { argument: 2, value: 'get', result: { ...rows, holds: 'row' } },
      { argument: 2, value: 'run', result: { rows: 'rows', counts: ['affectedRows'] } },
    ],
  }],
  reserves: [{ name: 'transactional', gives: 'transaction', says: 'a MikroORM transaction', callbackParameter: 0, returns: false, on: everywhere }],
  releases: [{ name: 'close', session: 'destroys', on: ['pooled'] }],
  derives: [
    { name: 'fork', on: everywhere, gives: { kind: 'pooled', says: 'a fork of a MikroORM EntityManager', joins: 'own', unless: 'keepTransactionContext' } },
    { name: 'getConnection', on: everywhere, gives: pool },
    // Of version 6.
    { name: 'getKnex', on: everywhere, gives: { kind: 'pooled', says: 'the Knex pool of MikroORM', joins: 'none', driver: 'knex' } },
    // Of version 7, which works through Kysely: in the transaction of its EntityManager, if there is one, and of the connection through the pool.
    { name: 'getKysely', on: everywhere, driver: 'kysely' },
    { name: 'getClient', on: ['pooled'], gives: { kind: 'pooled', says: 'the Kysely pool of MikroORM', joins: 'none', driver: 'kysely' } },
    { name: 'getEntityManager', on: everywhere }, { name: 'getRepository', on: everywhere }, { name: 'getContext', on: everywhere },
  ],
  properties: ['em'],
  transactions: { begins: ['begin'], ends: ['commit', 'rollback'], asks: ['isInTransaction'] },
  ambient: ['transactional', 'Transactional', '.begin('],
  decorators: ['Transactional'],
  isLazy: false,
  transactionAdvice: 'send the lock and the work to the EntityManager of `{em}.transactional(async (em) => ...)`, by `em.execute()`',
  advice: 'use `pg_advisory_xact_lock` inside `{em}.transactional(async (em) => ...)`, by `em.execute()`, since MikroORM cannot keep a connection for you; or take the lock on a `pg` Client of its own',
  standsFor: { em: 'EntityManager' },
  fragments: [],
  rowsType: '{row}[]',
} as const satisfies Driver;
