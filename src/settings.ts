/** What `settings['pg-advisory-lock']` of an ESLint config may say. */
export interface Settings {
  /** Makes the first suggestion of each report a fix, for a one-off clean-up with `eslint --fix`. The diff wants a review. */
  readonly fixSuggestions: boolean;
  /** Whether the plugin may make TypeScript programs of its own where the host gives no types. Without it each file is judged alone. */
  readonly typesOnDemand: boolean;
}

export interface ReadSettings {
  readonly settings: Settings;
  /** What is wrong with them, in words for the user. */
  readonly faults: readonly string[];
}

export const settingsKey = 'pg-advisory-lock';

const defaults: Settings = { fixSuggestions: false, typesOnDemand: true };

const known = new WeakMap<object, ReadSettings>();

/** Reads the shared settings; a wrong one counts as not set, and is said. */
export function readSettings(all: Readonly<Record<string, unknown>>): ReadSettings {
  const given = all[settingsKey];
  if (given === undefined) return { settings: defaults, faults: [] };
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return { settings: defaults, faults: [`settings['${settingsKey}'] must be an object`] };
  let read = known.get(given);
  if (!read) known.set(given, read = parse(given as Record<string, unknown>));
  return read;
}

function parse(given: Record<string, unknown>): ReadSettings {
  const faults: string[] = [];
  for (const name of Object.keys(given)) if (!(name in defaults)) faults.push(`settings['${settingsKey}'] has no '${name}': it knows ${Object.keys(defaults).map((one) => `'${one}'`).join(', ')}`);
  const read = (name: keyof Settings): boolean => {
    const value = given[name];
    if (value !== undefined && typeof value !== 'boolean') faults.push(`settings['${settingsKey}'].${name} must be true or false`);
    return typeof value === 'boolean' ? value : defaults[name];
  };
  return { settings: { fixSuggestions: read('fixSuggestions'), typesOnDemand: read('typesOnDemand') }, faults };
}
