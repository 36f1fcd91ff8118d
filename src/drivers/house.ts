import type { Driver, HandleKind, HandleType, Result, RunMember } from './driver.js';
import { otherRuns } from './other.js';

/**
 * A user's own names, as the settings of a config give them: plain data, so that it can go to another thread. What is said there of a
 * handle becomes a driver's record like any other.
 */

/** Names of types or values, and where they are declared: the form that typescript-eslint has for it (`TypeOrValueSpecifier`). */
export interface Specifier {
  readonly names: readonly string[];
  /** Absent: wherever it is declared. */
  readonly from?: 'file' | 'package' | 'lib';
  /** Of a file: the end of its path. */
  readonly path?: string;
  readonly package?: string;
}

/** What a call gives: `{ rows }`, the rows, the first of them, the value of its only column, or nothing that tells the answer. */
export type ResultForm = 'result' | 'rows' | 'row' | 'value' | 'nothing';

export type HouseKind = 'pooled' | 'pinned' | 'transaction' | 'stateless';

export interface HouseHandle {
  /** A type, a function whose calls give a handle, or a value that is one. */
  readonly by: 'type' | 'function' | 'value';
  readonly named: Specifier;
  /** Absent: what the code says of it. */
  readonly connection?: HouseKind;
  /** Its connections do not go through the pooler. */
  readonly isDirect: boolean;
  /** The methods that send SQL; absent for those that are known anyway. */
  readonly run?: readonly string[];
  readonly result?: ResultForm;
}

/** Functions, or methods of types. */
export interface HouseCallee {
  readonly named: Specifier;
  /** Names of methods, where `named` are types. */
  readonly members?: readonly string[];
}

/** The connection of a helper, or the index of the argument that is its handle. */
export type HelperConnection = HouseKind | { readonly argument: number };

/** A function that sends the SQL it is given. */
export interface HouseQuery extends HouseCallee {
  readonly connection?: HelperConnection;
  readonly sql: number;
  readonly values: number;
  readonly result?: ResultForm;
}

/** A function that takes a lock, or frees it. */
export interface HouseHelper extends HouseCallee {
  /** The function of PostgreSQL that its calls stand for. */
  readonly calls: string;
  /** Indices of the arguments that are the key; absent for the first that is no handle. */
  readonly key?: readonly number[];
  readonly connection?: HelperConnection;
  readonly result?: ResultForm;
  /** What its calls give frees the lock: called itself, or by a method of this name. */
  readonly unlock?: true | string;
}

export interface House {
  readonly handles: readonly HouseHandle[];
  readonly queries: readonly HouseQuery[];
  readonly helpers: readonly HouseHelper[];
  /** Connections go through a pooler in transaction mode. */
  readonly pooler?: 'transaction';
}

export const noHouse: House = { handles: [], queries: [], helpers: [] };

const results: Record<ResultForm, Result> = {
  result: { rows: 'rows', counts: ['rowCount', 'count'] },
  rows: { rows: undefined, counts: ['count'] },
  row: { rows: undefined, counts: [], holds: 'row' },
  value: { rows: undefined, counts: [], holds: 'boolean' },
  nothing: { rows: undefined, counts: [], holds: 'unknown' },
};

export const resultOf = (form: ResultForm): Result => results[form];

const kinds: Record<HouseKind, HandleKind> = { pooled: 'pooled', pinned: 'reserved', transaction: 'transaction', stateless: 'stateless' };

export const kindOf = (kind: HouseKind): HandleKind => kinds[kind];

const words: Record<HouseKind, string> = {
  pooled: 'a pool by the ESLint settings', pinned: 'one connection by the ESLint settings',
  transaction: 'a transaction by the ESLint settings', stateless: 'a client without a session by the ESLint settings',
};

/** What the settings say of a kind of connection, to follow "is". */
export const saidOf = (kind: HouseKind): string => words[kind];

/** The record of one handle of the settings. */
export interface HouseRecord {
  readonly handle: HouseHandle;
  readonly driver: Driver;
  readonly type: HandleType;
  /** Nothing is said of its methods: where a library declares its type, they are the library's. */
  readonly isPlain: boolean;
}

/** Methods with which a team's own handles usually send SQL. */
const usual: readonly RunMember[] = otherRuns;

function recordOf(handle: HouseHandle, index: number): HouseRecord {
  const { connection, run, result, named } = handle;
  const type: HandleType = { kind: connection === undefined ? 'open' : kindOf(connection), says: connection === undefined ? named.names[0] ?? '' : saidOf(connection) };
  const given = (name: string): RunMember => usual.find((one) => one.name === name) ?? { ...usual[0]!, name, callback: false, isCommon: true };
  const runs = (run?.map(given) ?? usual).map((one): RunMember => (result === undefined ? one : { ...one, result: resultOf(result) }));
  const driver: Driver = {
    id: `settings.handles[${index}]`, name: named.names[0] ?? '', packages: [], types: [], makers: [], runs,
    reserves: [],
    releases: [{ name: 'release', session: 'argument', on: ['reserved'] }, { name: 'end', session: 'destroys', on: ['reserved', 'single', 'pooled'] }],
    isLazy: false, fragments: [], ...(run === undefined ? { hasOtherRuns: true } : {}),
    advice: 'send lock, work and unlock to one connection that is kept for them, or use `pg_advisory_xact_lock` inside a transaction',
    transactionAdvice: 'open a transaction, and send the lock and the work to its handle',
  };
  return { handle, driver, type, isPlain: run === undefined && result === undefined };
}

/** The records of all entries: those that say the same of one handle, and name other methods or results, are one. */
export function recordsOf(handles: readonly HouseHandle[]): HouseRecord[] {
  const byHandle = new Map<string, HouseRecord>();
  for (const record of handles.map(recordOf)) {
    const { by, named, connection, isDirect } = record.handle;
    const key = JSON.stringify([by, named, connection, isDirect]);
    const first = byHandle.get(key);
    const more = first ? record.driver.runs.filter((run) => !first.driver.runs.some(({ name }) => name === run.name)) : [];
    byHandle.set(key, first ? { ...first, driver: { ...first.driver, runs: [...first.driver.runs, ...more] }, isPlain: first.isPlain && record.isPlain } : record);
  }
  return [...byHandle.values()];
}
