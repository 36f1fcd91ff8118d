import { describe, expect, test } from 'vitest';
import { isSentence } from '../fixtures/message-form.js';
import { messagesOf, ourPlugin, ourRules } from '../support/plugin.js';

interface Schema {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
  readonly additionalProperties?: boolean;
}

test('the recommended and the strict config have every rule as an error', () => {
  const all = [...ourRules.keys()].map((rule) => `pg-advisory-lock/${rule}`).sort();
  for (const name of ['recommended', 'strict']) {
    const { rules = {} } = ourPlugin.configs?.[name] as { rules?: Record<string, unknown> };
    expect(Object.keys(rules).sort()).toEqual(all);
    expect(Object.values(rules).map((entry) => [entry].flat()[0])).toEqual(all.map(() => 'error'));
  }
});

describe.each([...ourRules])('%s', (name, { meta }) => {
  const [schema] = [meta?.schema ?? []].flat() as Schema[];
  const options = Object.entries(schema?.properties ?? {});

  test('is named after a ban, a duty or a preference', () => {
    expect(name).toMatch(/^(?:no|require|prefer)(?:-[a-z]+)+$/);
  });

  test('has a description without a full stop', () => {
    expect(meta?.docs?.description).toMatch(/^[A-Z`].*[^.]$/);
  });

  test('has message ids in camelCase, and messages that are sentences', () => {
    const messages = [...messagesOf(name)];
    expect(messages.filter(([id]) => !/^[a-z]+(?:[A-Z][a-z]*|\d+)*$/.test(id))).toEqual([]);
    expect(messages.filter(([, text]) => !isSentence(text))).toEqual([]);
  });

  test('has options that are described and have defaults, and takes no others', () => {
    const [defaults = {}] = (meta?.defaultOptions ?? []) as object[];
    expect(options.filter(([, { description = '' }]) => !isSentence(description))).toEqual([]);
    expect(Object.keys(defaults).sort()).toEqual(options.map(([option]) => option).sort());
    if (schema) expect(schema.additionalProperties).toBe(false);
  });
});
