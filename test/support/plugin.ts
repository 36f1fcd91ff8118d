import type { ESLint, Rule } from 'eslint';
import plugin from '../../src/index.js';

/** The plugin as ESLint sees it. */
export const ourPlugin: ESLint.Plugin = plugin;

export const ourRules: ReadonlyMap<string, Rule.RuleModule> = new Map(Object.entries(ourPlugin.rules ?? {}) as [string, Rule.RuleModule][]);

/** The messages of a rule: text by `messageId`. */
export function messagesOf(rule: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(ourRules.get(rule)?.meta?.messages ?? {}));
}
