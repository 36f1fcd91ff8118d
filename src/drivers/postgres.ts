import type { Argument, Driver, Making } from './driver.js';

/** `postgres(url, options)` or `postgres(options)`; `max` defaults to 10 (postgres/types/index.d.ts, `BaseOptions`). */
function makeSql([first, second]: readonly (Argument | undefined)[]): Making {
  const options = first?.isObject ? first : second;
  const asked = options?.property('max');
  const max = asked?.value;
  const url = first?.isObject ? first.property('host')?.text : first?.text;
  // What the options do not say, the query of the URL may (src/index.js, `parseOptions`). It is a text there, of which `Array(max)` makes one connection, whatever it says.
  const written = asked || first?.isObject ? undefined : /[?&]max=(\d+)(?:&|$)/.exec(url ?? '')?.[1];
  if (written !== undefined && written !== '1') return { kind: 'open', varies: true, says: 'a postgres.js client', url };
  // A client of one connection keeps it: there is no idle expiry unless `idle_timeout` asks for it.
  if (max === 1 || written === '1') return { kind: 'single', says: 'a postgres.js client of one connection', size: 1, url };
  if (asked?.mayBe(1)) return { kind: 'open', varies: true, says: 'a postgres.js client', url };
  return { kind: 'pooled', says: 'a postgres.js pool', size: typeof max === 'number' ? max : undefined, url };
}

const rows = { rows: undefined, counts: ['count'] } as const;

/** postgres.js: https://github.com/porsager/postgres, `postgres/types/index.d.ts`. */
export const postgres = {
  id: 'postgres',
  name: 'postgres.js',
  packages: ['postgres'],
  types: [
    { name: 'ReservedSql', kind: 'reserved', says: 'a connection reserved from a postgres.js pool' },
    { name: 'TransactionSql', kind: 'transaction', says: 'a postgres.js transaction' },
    // `max: 1` does not show in the type, and a reserved connection is assignable to it.
    { name: 'Sql', kind: 'open', says: 'a postgres.js client' },
    { name: 'ISql', kind: 'open', says: 'a postgres.js client' },
  ],
  makers: [{ modules: ['postgres'], name: 'default', called: 'call', make: makeSql }],
  runs: [{ name: 'unsafe', takes: 'text', sql: 0, values: { argument: 1 }, result: rows }],
  tag: { result: rows },
  chained: { values: { arrayRows: true }, raw: { arrayRows: true }, execute: {}, simple: {}, describe: { unsent: true }, readable: {}, writable: {} },
  reserves: [
    { name: 'reserve', gives: 'reserved', says: 'a connection reserved from a postgres.js pool', returns: true, on: ['pooled', 'single', 'open'] },
    { name: 'begin', gives: 'transaction', says: 'a postgres.js transaction', callbackParameter: 0, returns: false, on: ['pooled', 'single', 'open'] },
    { name: 'savepoint', gives: 'transaction', says: 'a postgres.js transaction', callbackParameter: 0, returns: false, on: ['transaction'] },
  ],
  releases: [
    { name: 'release', session: 'keeps', on: ['reserved'] },
    { name: 'end', session: 'destroys', on: ['single', 'pooled', 'open'] },
    { name: 'close', session: 'destroys', on: ['single', 'pooled', 'open'] },
  ],
  takesNoBigint: true,
  isLazy: true,
  transactionAdvice: 'send the lock and the work to the handle of `{sql}.begin(async (tx) => ...)`',
  advice: 'take `const reserved = await {sql}.reserve()`, send lock and unlock by the tag `reserved`, and call `reserved.release()` in `finally`',
  standsFor: { sql: 'postgres.js client' },
  fragments: [],
  rowsType: '{row}[]',
  templates: {
    kind: 'reserve', name: 'reserved', reserve: '{handle}.reserve()', release: '{connection}.release()',
    tagged: '{connection}{type}{template}', text: '{connection}.unsafe{type}({text})', encoded: ['raw'],
  },
} as const satisfies Driver;
