import { parseArgs } from 'node:util';

/** What the command line asks for. */
export interface Options {
  readonly paths: readonly string[];
  readonly help: boolean;
  readonly version: boolean;
  readonly inventory: boolean;
  readonly fixSuggestions: boolean;
  readonly strict: boolean;
  /** Names of rules without the plugin's prefix; empty for all. */
  readonly rules: readonly string[];
  /** Name of a formatter; `undefined` for the form that people read. */
  readonly format: string | undefined;
  readonly outputFile: string | undefined;
  /** A file with `settings['pg-advisory-lock']`. */
  readonly settings: string | undefined;
  /** `undefined`: where the output is a terminal. */
  readonly color: boolean | undefined;
}

/** A fault of the call, in words for the user: the command says it, and ends with 2. */
export class UsageError extends Error {}

/** What is not installed, or not fit. */
export class InstallationError extends Error {}

export const inventoryFormats = ['table', 'json', 'markdown', 'mermaid', 'svg'] as const;
export type InventoryFormat = (typeof inventoryFormats)[number];

const prefix = /^pg-advisory-lock\//;

export function parseOptions(args: readonly string[], ruleNames: readonly string[]): Options {
  const { values, positionals } = parsed(args);
  const rules = (values.rule ?? []).flatMap((one) => one.split(',')).map((one) => one.trim().replace(prefix, ''));
  const stranger = rules.find((one) => !ruleNames.includes(one));
  if (stranger !== undefined) throw new UsageError(`There is no rule \`${stranger}\`. The rules are ${ruleNames.join(', ')}.`);
  const { inventory = false, format } = values;
  const fixSuggestions = values['fix-suggestions'] ?? false;
  if (inventory && fixSuggestions) throw new UsageError('--inventory changes nothing: it does not go with --fix-suggestions.');
  if (inventory && format !== undefined && !isInventoryFormat(format)) throw new UsageError(`The inventory has no format \`${format}\`. It has ${inventoryFormats.join(', ')}.`);
  return {
    paths: positionals, help: values.help ?? false, version: values.version ?? false, inventory, fixSuggestions, strict: values.strict ?? false,
    rules, format, outputFile: values['output-file'], settings: values.settings, color: values.color,
  };
}

export const isInventoryFormat = (name: string): name is InventoryFormat => (inventoryFormats as readonly string[]).includes(name);

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args], allowPositionals: true, allowNegative: true, strict: true,
      options: {
        inventory: { type: 'boolean' },
        'fix-suggestions': { type: 'boolean' },
        strict: { type: 'boolean' },
        rule: { type: 'string', multiple: true },
        format: { type: 'string', short: 'f' },
        'output-file': { type: 'string', short: 'o' },
        settings: { type: 'string' },
        color: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
