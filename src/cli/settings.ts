import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readSettings, settingsKey, type Settings } from '../settings/index.js';
import { UsageError } from './options.js';

/** The settings of the command: as a file has them, and as they hold. */
export interface GivenSettings {
  readonly given: Readonly<Record<string, unknown>>;
  readonly read: Settings;
}

/**
 * Settings out of a JSON file, or of a module: its default export may be the settings, or an ESLint config that has them. Of a config
 * with several, the last of each name counts, whatever files it is for.
 */
export async function loadSettings(path: string | undefined, cwd: string): Promise<GivenSettings> {
  const given = path === undefined ? {} : settingsIn(await load(path, resolve(cwd, path)), path);
  const { settings, faults } = readSettings({ [settingsKey]: given });
  if (faults.length > 0) throw new UsageError(`The settings in \`${path ?? ''}\` are wrong: ${faults.join('; ')}.`);
  return { given, read: settings };
}

async function load(path: string, file: string): Promise<unknown> {
  try {
    if (/\.json$/i.test(file)) return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')) as unknown;
    const { default: found } = await import(pathToFileURL(file).href) as { default?: unknown };
    return await found;
  } catch (error) {
    throw new UsageError(`The settings in \`${path}\` cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function settingsIn(found: unknown, path: string): Record<string, unknown> {
  if (!isObject(found) && !Array.isArray(found)) throw new UsageError(`\`${path}\` has no settings: it must have an object, or an ESLint config.`);
  if (isObject(found) && !isObject(found['settings']) && !Object.hasOwn(found, settingsKey)) return found;
  return Object.assign({}, ...[found].flat(20).map((one) => (isObject(one) ? part(isObject(one['settings']) ? one['settings'] : one) : {}))) as Record<string, unknown>;
}

const part = (settings: Record<string, unknown>): Record<string, unknown> => (isObject(settings[settingsKey]) ? settings[settingsKey] : {});

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
