import type { House, HouseCallee, HouseHandle, HouseHelper, HouseQuery, Specifier } from '../drivers/index.js';
import type { CalleeSetting, HandleSetting, LockSetting, PgAdvisoryLockSettings, QuerySetting, SpecifierSetting, UnlockSetting } from './types.js';

/** Settings of the right form, as the drivers' room has them. */

export function houseFrom({ handles = [], queries = [], locks = [], unlocks = [], pooler }: PgAdvisoryLockSettings): House {
  return {
    handles: handles.map(handleFrom), queries: queries.map(queryFrom),
    helpers: [...locks.map(lockFrom), ...unlocks.map((one) => helperFrom(one, unlockFunction(one)))],
    ...(pooler === undefined ? {} : { pooler }),
  };
}

/** What an entry of the right form still lacks. */
export function lacks(list: string, entry: object, at: string): string[] {
  const has = (name: string): boolean => (entry as Record<string, unknown>)[name] !== undefined;
  if (list === 'handles') {
    const names = ['type', 'function', 'value'].filter(has);
    return [
      ...(names.length === 1 ? [] : [`\`${at}\` must have one of \`type\`, \`function\` and \`value\`${names.length > 1 ? ', not several' : ''}`]),
      ...(has('connection') || has('direct') ? [] : [`\`${at}.connection\` is missing, and must be \`'pooled'\`, \`'pinned'\`, \`'transaction'\` or \`'stateless'\``]),
    ];
  }
  if ((entry as LockSetting).level === 'transaction' && has('unlock')) return [`\`${at}.unlock\` cannot stand beside \`level: 'transaction'\`: such a lock is freed by the end of its transaction alone`];
  const isFunction = has('function') && !has('type') && !has('member');
  const isMember = !has('function') && has('type') && has('member');
  return isFunction || isMember ? [] : [`\`${at}\` must have either \`function\`, or \`type\` and \`member\``];
}

function specifierFrom(given: SpecifierSetting): Specifier {
  if (typeof given === 'string') return { names: [given] };
  const { name, ...where } = given;
  return { names: typeof name === 'string' ? [name] : name, ...where } as Specifier;
}

function handleFrom({ type, function: called, value, connection, direct = false, run, result }: HandleSetting): HouseHandle {
  const by = type !== undefined ? 'type' : called !== undefined ? 'function' : 'value';
  return {
    by, named: specifierFrom(type ?? called ?? value ?? ''), isDirect: direct,
    ...(connection === undefined ? {} : { connection }), ...(run === undefined ? {} : { run }), ...(result === undefined ? {} : { result }),
  };
}

function calleeFrom({ function: called, type, member }: CalleeSetting): HouseCallee {
  return { named: specifierFrom(called ?? type ?? ''), ...(member === undefined ? {} : { members: typeof member === 'string' ? [member] : member }) };
}

function queryFrom(given: QuerySetting): HouseQuery {
  const { connection, sql = 0, values, result } = given;
  return { ...calleeFrom(given), sql, values: values ?? sql + 1, ...(result === undefined ? {} : { result }), ...(connection === undefined ? {} : { connection }) };
}

function helperFrom(given: LockSetting | UnlockSetting, calls: string): HouseHelper {
  const { connection, key, result } = given;
  return {
    ...calleeFrom(given), calls, ...(connection === undefined ? {} : { connection }), ...(result === undefined ? {} : { result }),
    ...(key === undefined ? {} : { key: typeof key === 'number' ? [key] : key }),
  };
}

/** What frees its own lock keeps the connection for it. */
function lockFrom(given: LockSetting): HouseHelper {
  const helper = helperFrom(given, lockFunction(given));
  return given.unlock === undefined ? helper : { ...helper, connection: helper.connection ?? 'pinned', unlock: given.unlock };
}

const lockFunction = ({ try: isTry = false, shared = false, level = 'session' }: LockSetting): string =>
  `pg_${isTry ? 'try_' : ''}advisory_${level === 'transaction' ? 'xact_' : ''}lock${shared ? '_shared' : ''}`;

const unlockFunction = ({ all = false, shared = false }: UnlockSetting): string => `pg_advisory_unlock${all ? '_all' : shared ? '_shared' : ''}`;
