import type { Argument, Driver, Fragment, Making, Rejection, Result, ReserveMember, RunMember } from './driver.js';
import { poolMaker } from './pg.js';

/**
 * Values are an array, an object by name (`$(key)`), or the only value itself. A third argument is a function over the rows, or a mask
 * that asks for another result (`query`, `func`).
 */
const run = (name: string, result: Partial<Result> = {}, more: Partial<RunMember> = {}): RunMember => ({
  name, takes: 'text', sql: 0, values: { argument: 1, mayBeOne: true }, config: { text: 'text', values: 'values', arrayRows: ['rowMode', 'array'] },
  result: { rows: undefined, counts: [], ...result }, ...more,
});
const byMask = [{ argument: 2, result: { rows: undefined, counts: [], holds: 'unknown' as const } }];

/** `none()` rejects with "No return data was expected." after PostgreSQL has run the statement: proven with 12.7. */
const rejects: Rejection = { where: 'row', instead: 'any', advice: 'send it with `any`, or with `one` where its answer is to be read' };

/** Inside of a transaction a task is a part of it. A task and a transaction have one type, `ITask`. */
const lend = (name: string, gives: 'reserved' | 'transaction', on: ReserveMember['on']): ReserveMember => ({
  name, gives, says: gives === 'transaction' ? 'a pg-promise transaction' : 'a pg-promise task, which is no transaction', callbackParameter: 0, returns: false, on,
});

const url = (connection: Argument | undefined): string | undefined => (connection?.isObject ? poolMaker('')([connection]).url : connection?.text);

function makeDatabase([connection]: readonly (Argument | undefined)[]): Making {
  return { ...poolMaker('a pg-promise database')([connection?.isObject ? connection : undefined]), url: url(connection) };
}

/** pg-promise 11 and 12: https://vitaly-t.github.io/pg-promise/Database.html, `pg-promise/typescript/pg-promise.d.ts`. */
export const pgPromise = {
  id: 'pg-promise',
  name: 'pg-promise',
  packages: ['pg-promise'],
  types: [
    { name: 'IDatabase', kind: 'pooled', says: 'a pg-promise database' },
    { name: 'ITask', kind: 'reserved', says: 'a pg-promise task' },
    { name: 'IConnected', kind: 'reserved', says: 'a connection of pg-promise' },
    { name: 'IBaseProtocol', kind: 'open', says: 'a pg-promise handle' },
  ],
  makers: [{ modules: ['pg-promise'], name: 'default', called: 'twice', endedBy: 'end', make: makeDatabase }],
  runs: [
    run('any'), run('manyOrNone'), run('many'), run('query', {}, { results: byMask, rowsType: '{row}[]' }), run('map'), run('each'),
    run('one', { holds: 'row' }), run('oneOrNone', { holds: 'row' }), run('none', { holds: 'unknown' }, { rejects }),
    run('result', { rows: 'rows', counts: ['rowCount'] }, { columnTypes: 'argument' }), run('multi', { holds: 'unknown' }), run('multiResult', { holds: 'unknown' }),
    run('func', {}, { takes: 'function', results: byMask, rowsType: '{row}[]' }),
  ],
  reserves: [
    // A direct connection is outside of the pool, and closed by `done()`.
    { name: 'connect', when: { argument: 0, option: 'direct', value: true }, gives: 'single', says: 'a connection of its own of pg-promise', returns: true, on: ['pooled', 'open'] },
    { name: 'connect', gives: 'reserved', says: 'a connection reserved from a pg-promise database', returns: true, on: ['pooled', 'open'] },
    lend('task', 'transaction', ['transaction']), lend('taskIf', 'transaction', ['transaction']),
    lend('task', 'reserved', ['pooled', 'reserved', 'single', 'open']), lend('taskIf', 'reserved', ['pooled', 'reserved', 'single', 'open']),
    lend('tx', 'transaction', ['pooled', 'reserved', 'transaction', 'single', 'open']), lend('txIf', 'transaction', ['pooled', 'reserved', 'transaction', 'single', 'open']),
  ],
  releases: [
    { name: 'end', session: 'destroys', on: ['pooled'] },
    { name: 'done', session: 'destroys', on: ['single'] },
    { name: 'done', session: 'argument', on: ['reserved'] },
  ],
  // pg's pool, which `db.$pool.end()` ends.
  properties: ['$pool'],
  decorators: ['Transactional'],
  // Called for each database, task and transaction that is made (`IInitOptions.extend`).
  hooks: ['extend'],
  isLazy: false,
  transactionAdvice: 'send the lock and the work to the handle of `{db}.tx(async (t) => ...)`',
  closeAdvice: 'close the session with `{connection}.done(true)`',
  advice: 'send lock, work and unlock to the handle of `{db}.task(async (t) => ...)`, or to `const connection = await {db}.connect()` and call `connection.done()` in `finally`',
  standsFor: { db: 'pg-promise database', connection: 'reserved connection' },
  fragments: ['ParameterizedQuery', 'PreparedStatement'].flatMap((name): Fragment[] => [
    { modules: ['pg-promise'], name: 'default', path: [name], isOfCall: true, makes: 'raw' }, { modules: ['pg-promise'], name, path: [], makes: 'raw' },
  ]),
  rowsType: '{row}',
  templates: {
    kind: 'reserve', name: 'connection', reserve: '{handle}.connect()', release: '{connection}.done()',
    text: '{connection}.any{type}({text})',
  },
} as const satisfies Driver;
