import type { Driver, RunMember } from './driver.js';
import { drizzle } from './drizzle.js';
import { otherRuns } from './other.js';
import { pg } from './pg.js';
import { postgres } from './postgres.js';

export type * from './driver.js';
export { transactionPooler } from './pooler.js';

/** Every driver with a record. To add one, write its record and put it here: `docs/contributing.md` shows how. */
export const drivers: readonly Driver[] = [pg, postgres, drizzle];

const byId = new Map(drivers.map((driver) => [driver.id, driver]));

export const driverById = (id: string | undefined): Driver | undefined => (id === undefined ? undefined : byId.get(id));

const runsByName = new Map<string, RunMember>();
for (const run of [...otherRuns, ...drivers.flatMap((driver): readonly RunMember[] => driver.runs)]) if (!runsByName.has(run.name)) runsByName.set(run.name, run);

/** Whether some driver sends SQL by a method of this name: asked of every call, before anything costs more. */
export const isRunName = (name: string): boolean => runsByName.has(name);

/** Whether some driver's methods of this name begin a chain that builds a statement. */
export const builderOf = (name: string): RunMember | undefined => (runsByName.get(name)?.takes === 'selection' ? runsByName.get(name) : undefined);

/** Whether a method of this name may take a Node-style callback: `client.query(text, done)`, `pool.connect(done)`. */
export const isCallbackName = (name: string): boolean => drivers.some((driver) => driver.runs.some((one: RunMember) => one.name === name && one.callback === true) || driver.reserves.some((one) => one.name === name && one.callbackParameter !== undefined && one.releaseParameter !== undefined));

/** Whether a method of this name gives a connection back, or closes it, in some driver. */
export const isReleaseName = (name: string): boolean => drivers.some((driver) => driver.releases.some((one) => one.name === name));

/** How a method sends SQL: as its driver does, or, where the driver is not known, as any driver does that has one of this name. */
export function runOf(driver: Driver | undefined, name: string): RunMember | undefined {
  return driver ? driver.runs.find((run) => run.name === name) : runsByName.get(name);
}
