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

test('a ring of fields that are each the next one is silent, and costs no other finding of the file', () => {
  const { fault, reports } = lintHostile(ourPlugin, `${shapes['this.x = this.x']!.make(400)}\nexport const other = () => pool.query('SELECT pg_advisory_lock(1)');\n`);
  expect(fault).toBeUndefined();
  expect(reports.map(({ ruleId }) => ruleId)).toContain('pg-advisory-lock/no-pooled-session-lock');
});

// Work that doubled with each function would not come to an end.
test.each(['helpers that call the next two', 'callers of callers', 'locking helpers'])('%s: each is followed once', (name) => {
  const { size, make } = shapes[name]!;
  expect(faultOf(make(size))).toBeUndefined();
});

describe('what is run once for many locks of a function says of each what it says of one alone', () => {
  const taking = (key: number): string => `  await client.query('SELECT pg_advisory_lock(${key})');\n`;
  const freeing = (key: number): string => `  if (!(await client.query('SELECT pg_advisory_unlock(${key}) AS freed')).rows[0].freed) throw new Error('Lost.');\n`;
  const within = (body: string): string => `import { Pool } from 'pg';\nconst pool = new Pool();\nexport async function main(work, isLast) {\n  const client = await pool.connect();\n${body}  client.release();\n}\n`;
  const kinds: Record<string, (key: number) => string> = {
    'freed in finally': (key) => `${taking(key)}  try {\n    await work();\n    if (isLast(${key})) return;\n  } finally {\n  ${freeing(key)}  }\n`,
    'not freed where the work fails': (key) => `${taking(key)}  await work();\n${freeing(key)}`,
    'not freed on an early return': (key) => `${taking(key)}  let done = false;\n  if (isLast(${key})) done = true;\n  if (done) return;\n${freeing(key)}`,
    'in a loop': (key) => `  for (const one of work) {\n  ${taking(key)}    if (isLast(one)) continue;\n  ${freeing(key)}  }\n`,
  };
  test.each(Object.entries(kinds))('%s', (_name, make) => {
    const saidOf = (count: number): string[] => {
      const bodies = Array.from({ length: count }, (_, index) => make(100 + index));
      const { fault, reports } = lintHostile(ourPlugin, within(bodies.join('')));
      expect(fault).toBeUndefined();
      const lines = bodies[0]!.split('\n').length - 1;
      return reports.map(({ ruleId, line }) => `${ruleId} ${String((line - 5) % lines)}`);
    };
    const alone = new Set(saidOf(1));
    const all = saidOf(8);
    for (const one of alone) expect(all.filter((said) => said === one)).toHaveLength(8);
    expect(new Set(all)).toEqual(alone);
  });
});

test('most odd texts reach the rules', () => {
  const refused = Object.entries(odd).filter(([, text]) => lintHostile(ourPlugin, text).refusal !== undefined).map(([name]) => name);
  expect(refused).toEqual([]);
});
