import type { Argument, Driver, Maker, Making, ReserveMember } from './driver.js';
import { poolOf } from './pg.js';

/** What `extra` says to pg's pool, or `poolSize`; without either it has 10 (DataSourceOptions, PostgresDriver). */
function makeSource([options]: readonly (Argument | undefined)[]): Making {
  return { kind: 'pooled', says: 'a TypeORM DataSource', ...poolOf(options?.property('extra'), options?.property('poolSize')), url: options?.property('url')?.text ?? options?.property('host')?.text };
}

const root = (says: string) => (): Making => ({ kind: 'pooled', says });

const made = (name: string, called: Maker['called'], make: Maker['make']): Maker => ({ modules: ['typeorm'], name, called, make });

const everywhere = ['pooled', 'reserved', 'transaction', 'open'] as const;

const transaction: ReserveMember = { name: 'transaction', gives: 'transaction', says: 'a TypeORM transaction', callbackParameter: 0, returns: false, on: everywhere };

/**
 * TypeORM 0.3 and 1, and @nestjs/typeorm, which gives out TypeORM's own objects: https://typeorm.io/docs/advanced-topics/transactions.
 * An EntityManager or Repository works through the DataSource, a QueryRunner or a transaction: its type does not tell.
 */
export const typeorm = {
  id: 'typeorm',
  name: 'TypeORM',
  packages: ['typeorm'],
  types: [
    { name: 'QueryRunner', kind: 'reserved', says: 'a TypeORM QueryRunner' },
    { name: 'PostgresQueryRunner', kind: 'reserved', says: 'a TypeORM QueryRunner' },
    { name: 'DataSource', kind: 'pooled', says: 'a TypeORM DataSource' },
    { name: 'EntityManager', kind: 'open', says: 'a TypeORM EntityManager', injected: { kind: 'pooled', by: ['InjectEntityManager'] } },
    { name: 'Repository', kind: 'open', says: 'a TypeORM Repository', injected: { kind: 'pooled', by: ['InjectRepository'] } },
  ],
  makers: [
    made('DataSource', 'new', makeSource),
    // 0.2 and 0.3: a DataSource that was called a Connection, and its EntityManager.
    made('createConnection', 'call', makeSource),
    made('getConnection', 'call', root('a TypeORM DataSource')),
    made('getManager', 'call', root('the EntityManager of a TypeORM DataSource')),
    made('getRepository', 'call', root('a Repository of a TypeORM DataSource')),
  ],
  runs: [
    {
      name: 'query', takes: 'text', sql: 0, values: { argument: 1 },
      // `dataSource.query(sql, [], runner)`, but `runner.query(sql, [], true)` for a QueryResult.
      through: [{ argument: 2, gives: { kind: 'reserved', says: 'a TypeORM QueryRunner' } }],
      result: { rows: undefined, counts: [] },
      results: [{ argument: 2, value: true, result: { rows: 'records', counts: ['affected'] } }],
    },
    { name: 'sql', isCommon: true, takes: 'fragment', sql: 0, result: { rows: undefined, counts: [] } },
    {
      // `createQueryBuilder(runner)`, `createQueryBuilder(Entity, 'alias', runner)`, of a repository `createQueryBuilder('alias', runner)`.
      name: 'createQueryBuilder', takes: 'selection', builds: 'query', selects: 'texts', sql: 0, through: [{ argument: 0 }, { argument: 1 }, { argument: 2 }],
      sentBy: ['getRawOne', 'getRawMany', 'getOne', 'getOneOrFail', 'getMany', 'getRawAndEntities', 'getExists', 'execute'], result: { rows: undefined, counts: [] },
    },
  ],
  chained: {
    setQueryRunner: { through: { argument: 0 } }, getRawOne: { holds: 'row' },
    // Entities, which have no column that is not theirs.
    getOne: { holds: 'unknown' }, getOneOrFail: { holds: 'unknown' }, getMany: { holds: 'unknown' }, getRawAndEntities: { holds: 'unknown' }, getExists: { holds: 'unknown' },
  },
  reserves: [
    { name: 'createQueryRunner', gives: 'reserved', says: 'a TypeORM QueryRunner', returns: true, on: ['pooled'] },
    transaction,
  ],
  releases: [
    { name: 'release', session: 'keeps', on: ['reserved'] },
    { name: 'destroy', session: 'destroys', on: ['pooled'] },
    { name: 'close', session: 'destroys', on: ['pooled'] },
  ],
  derives: [
    { name: 'getRepository', on: everywhere }, { name: 'getTreeRepository', on: everywhere }, { name: 'withRepository', on: everywhere },
    { name: 'extend', on: everywhere }, { name: 'initialize', on: ['pooled'] },
    // `createEntityManager(runner)` works through the runner.
    { name: 'createEntityManager', through: 0, on: ['pooled'] },
  ],
  properties: ['manager', 'queryRunner'],
  transactions: { begins: ['startTransaction'], ends: ['commitTransaction', 'rollbackTransaction'], asks: ['isTransactionActive'] },
  // The package typeorm-transactional makes all calls join the transaction of a decorated method around them.
  ambient: ['typeorm-transactional', 'initializeTransactionalContext'],
  decorators: ['Transactional'],
  isLazy: false,
  transactionAdvice: 'send the lock and the work to the EntityManager of `{dataSource}.transaction(async (manager) => ...)`',
  advice: 'take `const runner = {dataSource}.createQueryRunner()`, send lock, work and unlock to `runner`, and call `await runner.release()` in `finally`',
  standsFor: { dataSource: 'DataSource' },
  fragments: [],
  templates: {
    kind: 'reserve', name: 'runner', reserve: '{handle}.createQueryRunner()', isAtOnce: true, release: 'await {connection}.release()',
    tagged: '{connection}.sql{type}{template}', text: '{connection}.query({text})', typed: '{connection}.manager',
  },
} as const satisfies Driver;
