import type { ESLint, Linter } from 'eslint';
import { rules } from '../rules/index.js';
import { name, version } from './meta.js';

export type * from './settings/types.js';

const namespace = 'pg-advisory-lock';

type RuleName = keyof typeof rules;
type RuleConfig = Record<`${typeof namespace}/${RuleName}`, Linter.RuleEntry>;

/** What TypeScript users get: each config is one object, for `extends` and for the array of a flat config. */
interface Plugin extends ESLint.Plugin {
  readonly meta: { readonly name: string; readonly version: string; readonly namespace: typeof namespace };
  readonly rules: Record<RuleName, NonNullable<ESLint.Plugin['rules']>[string]>;
  readonly configs: Record<'recommended' | 'strict', Linter.Config & { readonly rules: RuleConfig }>;
}

const plugin = {
  meta: { name, version, namespace },
  rules: rules as unknown as Plugin['rules'],
  configs: {} as Plugin['configs'],
} satisfies Plugin;

/** The options of `strict`: everything that a rule can be told to look at more closely. */
const strictest: Partial<Record<RuleName, object>> = {
  'no-pooled-session-lock': { unknown: 'report' },
};

function config(title: string, entry: (rule: RuleName) => Linter.RuleEntry): Linter.Config & { readonly rules: RuleConfig } {
  const names = Object.keys(rules) as RuleName[];
  return {
    name: `${namespace}/${title}`,
    plugins: { [namespace]: plugin },
    rules: Object.fromEntries(names.map((rule) => [`${namespace}/${rule}`, entry(rule)])) as RuleConfig,
  };
}

Object.assign(plugin.configs, {
  recommended: config('recommended', () => 'error'),
  strict: config('strict', (rule) => (strictest[rule] ? ['error', strictest[rule]] : 'error')),
});

export default plugin;
// `require()` of an ES module gives this instead of the namespace: a CommonJS config gets the plugin itself.
export { plugin as 'module.exports' };
