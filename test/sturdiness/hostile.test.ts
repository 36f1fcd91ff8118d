import { describe, expect, test } from 'vitest';
import { ourPlugin } from '../support/plugin.js';
import { lintHostile } from './lint.mjs';
import { deep, odd, shapes } from './shapes.mjs';

/** A part of `growth.mjs`: small sizes, and no time is asserted. */
const small = (size: number): number => Math.max(4, Math.floor(size / 20));

const faultOf = (text: string): string | undefined => lintHostile(ourPlugin, text).fault;

describe('no fault', () => {
  test.each(Object.entries(odd))('%s', (_name, text) => {
    expect(faultOf(text)).toBeUndefined();
  });
  test.each(Object.entries(shapes))('%s', (_name, { size, make }) => {
    expect(faultOf(make(small(size)))).toBeUndefined();
  });
  test.each(Object.entries(deep))('deep %s', (_name, make) => {
    for (const size of [100, 250]) expect(faultOf(make(size))).toBeUndefined();
  });
});

test('classes that extend each other in a ring end the question', () => {
  const ring = "class A extends B { async run() { await this.pool.query('SELECT pg_advisory_lock(1)'); } }\nclass B extends C {}\nclass C extends A {}\n";
  expect(lintHostile(ourPlugin, ring)).toMatchObject({ refusal: undefined, fault: undefined });
});

test('most odd texts reach the rules', () => {
  const refused = Object.entries(odd).filter(([, text]) => lintHostile(ourPlugin, text).refusal !== undefined).map(([name]) => name);
  expect(refused).toEqual([]);
});
