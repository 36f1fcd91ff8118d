import type { Driver, Making } from './driver.js';

const LOCK = /^(?:(?:pg|app|my|custom|safe|rpc|fn|try|attempt|acquire|obtain|get|take|claim|grab|request|release|free|drop)_)*advisory_(?:(?:try|xact|session)_)*(?:un)?lock(?:_shared|_all)?(?:_(?:acquire|release|try|rpc|fn|wrapper|key|by_key|by_name|by_id|int|bigint|text))?$/;
const EXACT = /^pg_(?:try_)?advisory_(?:xact_)?(?:un)?lock(?:_shared|_all)?$/;
const RELEASES = /(?:^|_)(?:unlock|release|free|drop)(?:_|$)/;

/**
 * PostgREST calls only functions of exposed schemas, which `pg_catalog` is none of: so users wrap the lock functions under a name of
 * their own. A name that says nothing but such a function is taken for it: `try_advisory_lock`, `release_advisory_lock`.
 */
function wrapped(name: string): string | undefined {
  const own = name.toLowerCase();
  if (EXACT.test(own) || !LOCK.test(own)) return undefined;
  const shared = own.includes('_shared') ? '_shared' : '';
  if (RELEASES.test(own)) return own.includes('_all') ? 'pg_advisory_unlock_all' : `pg_advisory_unlock${shared}`;
  return `pg_${/(?:^|_)(?:try|attempt)(?:_|$)/.test(own) ? 'try_' : ''}advisory_${own.includes('xact') ? 'xact_' : ''}lock${shared}`;
}

const makeClient = (): Making => ({ kind: 'stateless', says: 'a Supabase client, which sends each call as an HTTP request' });

/**
 * supabase-js 2: each `rpc()` is a request to PostgREST, which runs it in a transaction of its own on a connection of its pool
 * (docs.postgrest.org, "Transactions" and "Connection Pool"). It is sent when it is awaited, and gives `{ data, error }`.
 */
export const supabase = {
  id: 'supabase',
  name: 'supabase-js',
  packages: ['@supabase/supabase-js', '@supabase/postgrest-js'],
  types: [
    { name: 'SupabaseClient', kind: 'stateless', says: 'a Supabase client, which sends each call as an HTTP request' },
    { name: 'PostgrestClient', kind: 'stateless', says: 'a PostgREST client, which sends each call as an HTTP request' },
  ],
  makers: [
    { modules: ['@supabase/supabase-js'], name: 'createClient', called: 'call', make: makeClient },
    ...['createServerClient', 'createBrowserClient'].map((name) => ({ modules: ['@supabase/ssr'], name, called: 'call' as const, make: makeClient })),
  ],
  runs: [{ name: 'rpc', takes: 'function', wraps: wrapped, sql: 0, values: { argument: 1 }, result: { rows: 'data', counts: ['count'], holds: 'boolean', silent: ['error', 'status', 'statusText'] } }],
  chained: { single: {}, maybeSingle: {}, throwOnError: {}, abortSignal: {}, returns: {}, overrideTypes: {} },
  reserves: [],
  releases: [],
  derives: [{ name: 'schema', on: ['stateless'] }],
  takesNoBigint: true,
  isLazy: true,
  transactionAdvice: 'do all that the lock guards inside one function of the database, and call that',
  advice: 'do the lock and the work inside one function of the database, with `pg_advisory_xact_lock`; or take the lock through a `pg` Client of its own on the direct connection',
  fragments: [],
} as const satisfies Driver;
