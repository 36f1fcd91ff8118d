import type { Driver, Fragment, HandleKind, Maker, ReleaseMember, ReserveMember, RunMember } from './driver.js';
import { drizzle } from './drizzle.js';
import { fastifyPostgres } from './fastify-postgres.js';
import { noHouse, recordsOf, type House, type HouseRecord } from './house.js';
import { neon, neonHttp } from './neon.js';
import { knex } from './knex.js';
import { kysely } from './kysely.js';
import { otherRuns } from './other.js';
import { mikro } from './mikro-orm.js';
import { pg } from './pg.js';
import { pgPromise } from './pg-promise.js';
import { postgres } from './postgres.js';
import { prisma } from './prisma.js';
import { sequelize } from './sequelize.js';
import { slonik } from './slonik.js';
import { supabase } from './supabase.js';
import { typeorm } from './typeorm.js';
import { vercel } from './vercel.js';

export type * from './driver.js';
export type { HelperConnection, House, HouseCallee, HouseHandle, HouseHelper, HouseKind, HouseQuery, HouseRecord, ResultForm, Specifier } from './house.js';
export { kindOf, resultOf, saidOf } from './house.js';
export { contextReader } from './other.js';
export { transactionPooler } from './pooler.js';

/**
 * Every driver with a record. To add one, write its record and put it here: `CONTRIBUTING.md` shows how. Where the classes of one
 * extend those of another, it comes first.
 */
export const drivers: readonly Driver[] = [vercel, neon, neonHttp, pg, postgres, drizzle, prisma, knex, kysely, typeorm, sequelize, mikro, pgPromise, slonik, supabase, fastifyPostgres];

/** The drivers that are known, with those of a user's own handles, and what is asked of them by name. */
class Registry {
  readonly records: readonly HouseRecord[];
  readonly drivers: readonly Driver[];
  readonly byId: ReadonlyMap<string, Driver>;
  readonly runsByName = new Map<string, RunMember>();
  readonly runNames = new Set<string>();
  readonly reservesByName = new Map<string, ReserveMember[]>();
  readonly releaseNames: ReadonlySet<string>;

  constructor(readonly house: House) {
    this.records = recordsOf(house.handles);
    this.drivers = [...this.records.map(({ driver }) => driver), ...drivers];
    this.byId = new Map(this.drivers.map((driver) => [driver.id, driver]));
    // What is not known of a handle is not what the user's own are like: the libraries first.
    for (const run of [...otherRuns, ...[...drivers, ...this.records.map(({ driver }) => driver)].flatMap((driver): readonly RunMember[] => driver.runs)]) {
      this.runNames.add(run.name);
      if (!this.runsByName.has(run.name) && !run.isCommon) this.runsByName.set(run.name, this.hasOwnResult(run.name) ? { ...run, result: { rows: undefined, counts: [], holds: 'unknown' } } : run);
    }
    for (const one of drivers.flatMap((driver): readonly ReserveMember[] => driver.reserves)) {
      const name = one.completedBy ?? one.name;
      this.reservesByName.set(name, [...(this.reservesByName.get(name) ?? []), one]);
    }
    this.releaseNames = new Set(this.drivers.flatMap((driver) => driver.releases.map((one) => one.name)));
  }

  /** Whether what a method of this name gives is another thing with the user's own handles: of one that is not known it may be either. */
  private hasOwnResult(name: string): boolean {
    return this.records.some(({ handle, driver }) => handle.result !== undefined && driver.runs.some((one) => one.name === name));
  }
}

const registries = new Map<string, Registry>();
const keys = new WeakMap<House, string>();

/** The content of settings, by which what depends on them is kept. */
export function keyOf(house: House): string {
  const known = keys.get(house) ?? JSON.stringify(house);
  keys.set(house, known);
  return known;
}


function registryOf(house: House): Registry {
  const key = keyOf(house);
  const known = registries.get(key) ?? new Registry(house);
  registries.set(key, known);
  return known;
}

let current = registryOf(noHouse);

/**
 * Does some work with the handles of the user's own beside those of the libraries. Configs of one process may have different ones, and
 * all work is done at once: what it leaves for later has to come back through here.
 */
export function inHouse<T>(house: House, work: () => T): T {
  const before = current;
  current = registryOf(house);
  try {
    return work();
  } finally {
    current = before;
  }
}

/** What the settings of the file under judgement say. */
export const currentHouse = (): House => current.house;

/** The records of the user's own handles. */
export const houseRecords = (): readonly HouseRecord[] => current.records;

export const allDrivers = (): readonly Driver[] => current.drivers;

export const driverById = (id: string | undefined): Driver | undefined => (id === undefined ? undefined : current.byId.get(id));

const isModuleOf = (driver: Driver, { modules }: Pick<Maker, 'modules'>, module: string): boolean => modules.includes(module) || driver.generated?.test(module) === true;

/** What makes a piece of SQL, by the module that exports it and the path of its name; `isOfCall`: of what a call of the export gives. */
export function fragmentNamed(module: string, path: readonly string[], isOfCall = false): Fragment | undefined {
  for (const driver of current.drivers) {
    const found = driver.fragments.find((one) => isModuleOf(driver, one, module) && [one.name, ...one.path].join('.') === path.join('.') && (one.isOfCall === true || !isOfCall));
    if (found) return found;
  }
  return undefined;
}

/** What makes a handle: an export, or a static method of one, that is called in this way. */
export function makerNamed(module: string, path: readonly string[], called: Maker['called']): { driver: Driver; maker: Maker } | undefined {
  const names = path.filter((one) => one !== 'default');
  const isNamed = ({ name, method }: Maker): boolean => (method === undefined ? (names.at(-1) ?? 'default') === name : names.at(-1) === method && (names.at(-2) ?? 'default') === name);
  for (const driver of current.drivers) {
    const maker = driver.makers.find((one) => isModuleOf(driver, one, module) && (one.called === called || (one.called === 'call' && called === 'new')) && isNamed(one));
    if (maker) return { driver, maker };
  }
  return undefined;
}

/** Whether some driver sends SQL by a method of this name: asked of every call, before anything costs more. */
export const isRunName = (name: string): boolean => current.runNames.has(name);

/** Whether some driver's methods of this name begin a chain that builds a statement. */
export const builderOf = (name: string): RunMember | undefined => (current.runsByName.get(name)?.takes === 'selection' ? current.runsByName.get(name) : undefined);

/** What a method of this name makes a piece of SQL of, in some driver. */
export const pieceOf = (name: string): 'raw' | 'function' | undefined => current.drivers.find(({ pieces }) => pieces && Object.hasOwn(pieces, name))?.pieces?.[name];

/** The methods of this name that SQL has, and that get their handle as an argument. */
export const runsOfReceiver = (name: string): readonly { run: RunMember; driver: Driver }[] =>
  current.drivers.flatMap((driver) => driver.runs.filter((one: RunMember) => one.name === name && one.handle !== undefined).map((run) => ({ run, driver })));

/** Whether a method of this name may take a Node-style callback: `client.query(text, done)`, `pool.connect(done)`. */
export const isCallbackName = (name: string): boolean => current.drivers.some((driver) => driver.runs.some((one: RunMember) => one.name === name && one.callback === true) || driver.reserves.some((one) => one.name === name && one.callbackParameter !== undefined && one.releaseParameter !== undefined));

/** The ways to ask for a connection whose last method has this name: asked of every call, before anything costs more. */
export const reservesEndingIn = (name: string): readonly ReserveMember[] => current.reservesByName.get(name) ?? [];

/** Whether a method of this name lends a connection to a callback, in some driver. */
export const isLendName = (name: string): boolean => reservesEndingIn(name).some(({ callbackParameter }) => callbackParameter !== undefined);

/** Whether a handle has the method. Where its kind is not known, it has what a pool has. */
export const mayReserve = ({ on }: ReserveMember, kind: HandleKind | 'unknown'): boolean => (kind === 'unknown' ? on.includes('open') || on.includes('pooled') : on.includes(kind));

/** Whether statements on such a handle of a driver may be sent in arrays. */
export const hasBatches = ({ reserves }: Driver, kind: HandleKind | 'unknown'): boolean => reserves.some((one) => one.batch !== undefined && mayReserve(one, kind));

/** Whether a method gives the same handle in another guise, `db.withSchema('app')`: of the same library, and in the same transactions. */
export const isGuise = (name: string): boolean => current.drivers.some((driver) => driver.derives?.some((one) => one.name === name && one.gives === undefined && one.driver === undefined));

/** Whether a method of this name gives, in some driver, a handle over the same connection. */
export const isDeriveName = (name: string): boolean => current.drivers.some((driver) => driver.derives?.some((one) => one.name === name));

/** Whether a property of this name is, in some driver, a handle over the same connection. */
export const isPropertyName = (name: string): boolean => current.drivers.some(({ properties }) => properties?.includes(name));

/** Whether a method of this name begins or ends a transaction on its own handle, in some driver. */
export const isTransactionName = (name: string): boolean => current.drivers.some(({ transactions }) => transactions !== undefined && (transactions.begins.includes(name) || transactions.ends.includes(name)));

/** Whether something of this name tells, in some driver, whether a transaction is under way. */
export const isTransactionQuestion = (name: string): boolean => current.drivers.some(({ transactions }) => transactions?.asks?.includes(name) ?? false);

/** The methods of this name that give a connection back, or close it. */
export const releasesNamed = (name: string): readonly { driver: Driver; release: ReleaseMember }[] =>
  current.drivers.flatMap((driver) => driver.releases.filter((one) => one.name === name).map((release) => ({ driver, release })));

/** Whether a method of this name ends a session, or all of a pool, in some driver. */
export const isCloseName = (name: string): boolean => releasesNamed(name).some(({ release }) => release.session === 'destroys');

/** Whether a method of this name ends, in some driver, all pools that were made with its receiver. */
export const isEndOfAllName = (name: string): boolean => current.drivers.some(({ makers }) => makers.some((one: Maker) => one.endedBy === name));

/** Whether a method of this name ends a whole pool in some driver. */
export const isPoolEndName = (name: string): boolean => name === 'close' || releasesNamed(name).some(({ release: { session, on } }) => session === 'destroys' && on.includes('pooled'));

export const isReleaseName = (name: string): boolean => current.releaseNames.has(name);

/** How a method sends SQL: as its driver does, or, where the driver or its methods are not known, as any driver does that has one of this name. */
export function runOf(driver: Driver | undefined, name: string): RunMember | undefined {
  const own = driver?.runs.find((run) => run.name === name);
  return own ?? (!driver || driver.hasOtherRuns ? current.runsByName.get(name) : undefined);
}
