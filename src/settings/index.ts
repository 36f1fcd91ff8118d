import type { House } from '../drivers/index.js';
import { houseFrom, lacks } from './house.js';
import { faultOf, insteadOf } from './faults.js';
import { schemas, type Schemas } from './schema.js';
import type { PgAdvisoryLockSettings } from './types.js';

export type * from './types.js';

/** The settings as they hold: what was wrong in them is left out. */
export interface Settings {
  readonly fixSuggestions: boolean;
  readonly typesOnDemand: boolean;
  readonly house: House;
}

export interface ReadSettings {
  readonly settings: Settings;
  /** What is wrong with them, in words for the user. */
  readonly faults: readonly string[];
}

export const settingsKey = 'pg-advisory-lock';

const defaults: Settings = { fixSuggestions: false, typesOnDemand: true, house: houseFrom({}) };

const known = new WeakMap<object, ReadSettings>();

/** Reads the shared settings; a wrong entry counts as not set, and is said. */
export function readSettings(all: Readonly<Record<string, unknown>>): ReadSettings {
  const given = all[settingsKey];
  if (given === undefined) return { settings: defaults, faults: [] };
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return { settings: defaults, faults: [`\`settings['${settingsKey}']\` must be an object`] };
  let read = known.get(given);
  if (!read) known.set(given, read = parse(given as Record<string, unknown>));
  return read;
}

function parse(given: Readonly<Record<string, unknown>>): ReadSettings {
  const { v, lists, plain } = schemas();
  const faults: string[] = [];
  const kept: Record<string, unknown> = {};
  const names = [...Object.keys(plain), ...Object.keys(lists)].filter((name) => name !== '$schema');
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (Object.hasOwn(lists, name)) kept[name] = entriesOf(value, name as keyof Schemas['lists'], faults);
    else if (Object.hasOwn(plain, name)) {
      const { success, output, issues } = v.safeParse(plain[name as keyof Schemas['plain']], value);
      if (success) kept[name] = output;
      else faults.push(faultOf(name, issues[0], []));
    } else faults.push(`\`${name}\` is not known${insteadOf(name, names)}`);
  }
  const { fixSuggestions = defaults.fixSuggestions, typesOnDemand = defaults.typesOnDemand, ...rest } = kept as PgAdvisoryLockSettings;
  return { settings: { fixSuggestions, typesOnDemand, house: houseFrom(rest) }, faults };
}

/** The entries of a list that are right; the others are said. */
function entriesOf(value: unknown, name: keyof Schemas['lists'], faults: string[]): unknown[] {
  const { v, lists } = schemas();
  if (!Array.isArray(value)) {
    faults.push(`\`${name}\` must be an array`);
    return [];
  }
  return value.flatMap((entry: unknown, index): unknown[] => {
    const { success, output, issues } = v.safeParse(lists[name], entry);
    const at = `${name}[${index}]`;
    const found = success ? lacks(name, output, at) : issues.map((issue) => faultOf(at, issue, Object.keys(lists[name].entries)));
    faults.push(...found);
    return found.length > 0 ? [] : [output];
  });
}
