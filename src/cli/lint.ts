import type { ESLint, Linter, Rule } from 'eslint';
import { factsOf, inHouse, type FileFacts } from '../analysis/facts.js';
import plugin from '../index.js';
import { stayHere } from '../worker/client.js';
import { loadEslint, loadParser } from './packages.js';
import { apply, type Applied } from './apply.js';
import { commonFolder } from './files.js';
import { InstallationError, type Options } from './options.js';
import type { GivenSettings } from './settings.js';

/** Runs ESLint with a config of its own: the user's config, if there is one, is not asked. */

export interface Linting {
  readonly eslint: ESLint;
  readonly results: readonly ESLint.LintResult[];
  /** The texts before anything was changed, of the files that were. */
  readonly before: ReadonlyMap<string, string>;
  readonly applied: Applied;
}

/** Sees the facts of each file that has locks, as the rules see them. */
export type Collector = (fileName: string, facts: FileFacts) => void;

const { namespace } = plugin.meta;
const inner = `${namespace}-facts`;
const isOurs = (ruleId: string | null): boolean => ruleId?.startsWith(`${namespace}/`) ?? false;

/** A suggestion that is applied may uncover the next; more rounds than this, and they do not end. */
const MAX_ROUNDS = 50;

export async function lint(files: readonly string[], options: Options, settings: GivenSettings, cwd: string, collect: Collector, progress: (done: number) => void): Promise<Linting> {
  const [Eslint, parser] = [await loadEslint(cwd), await loadParser(cwd)];
  if (parser instanceof InstallationError && files.some((file) => /\.[cm]?tsx?$/.test(file))) throw parser;
  stayHere(); // so that the facts are made once, for the rules and for the collector
  const seen = new Set<string>();
  const eslint = new Eslint({
    // ESLint looks at no file above the folder it is in.
    cwd: commonFolder([cwd, ...files]),
    overrideConfigFile: true,
    overrideConfig: configFor(options, settings, parser instanceof InstallationError ? undefined : parser, (fileName, facts) => {
      if (facts) collect(fileName, facts);
      progress(seen.add(fileName).size);
    }),
    errorOnUnmatchedPattern: false,
    warnIgnored: false,
  });
  const before = new Map<string, string>();
  const applied: Applied = new Map();
  for (let round = 0; ; round++) {
    seen.clear();
    const results = (files.length > 0 ? await eslint.lintFiles([...files]) : []).map(onlyOurs);
    const changed = options.fixSuggestions && round < MAX_ROUNDS ? results.filter((one) => apply(one, applied)) : [];
    if (changed.length === 0) return { eslint, results, before, applied };
    for (const { filePath, source } of changed) if (!before.has(filePath)) before.set(filePath, source ?? '');
  }
}

function configFor({ strict, rules, fixSuggestions }: Options, settings: GivenSettings, parser: Linter.Parser | undefined, seen: (fileName: string, facts: FileFacts | undefined) => void): Linter.Config[] {
  const config = plugin.configs[strict ? 'strict' : 'recommended'];
  const wanted = Object.entries(config.rules).filter(([name]) => rules.length === 0 || rules.includes(name.slice(namespace.length + 1)));
  return [{
    files: ['**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}'],
    plugins: { ...config.plugins, [inner]: { rules: { facts: factsRule(settings, seen) } } },
    languageOptions: { ...(parser ? { parser } : {}), parserOptions: { ecmaFeatures: { jsx: true }, warnOnUnsupportedTypeScriptVersion: false } },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    settings: { [namespace]: { ...settings.given, fixSuggestions } },
    rules: { ...Object.fromEntries(wanted), [`${inner}/facts`]: 'error' },
  }];
}

/** A rule of the command's own that reports nothing. */
function factsRule({ read: { house } }: GivenSettings, seen: (fileName: string, facts: FileFacts | undefined) => void): Rule.RuleModule {
  return {
    meta: { type: 'problem', schema: [] },
    create: (context) => ({ 'Program:exit': () => { inHouse(house, () => { seen(context.filename, factsOf(context.sourceCode as never, context.filename, { typesOnDemand: true })); }); } }),
  };
}

/** Comments in the code may turn on rules of other plugins, which are not asked here. A file that cannot be parsed is said. */
function onlyOurs(result: ESLint.LintResult): ESLint.LintResult {
  const messages = result.messages.filter((one) => one.fatal === true || isOurs(one.ruleId));
  const suppressedMessages = result.suppressedMessages.filter((one) => isOurs(one.ruleId));
  const count = (is: (message: Linter.LintMessage) => boolean): number => messages.filter(is).length;
  return {
    ...result, messages, suppressedMessages,
    errorCount: count((one) => one.severity === 2), warningCount: count((one) => one.severity === 1), fatalErrorCount: count((one) => one.fatal === true),
    fixableErrorCount: count((one) => one.severity === 2 && one.fix !== undefined), fixableWarningCount: count((one) => one.severity === 1 && one.fix !== undefined),
  };
}
