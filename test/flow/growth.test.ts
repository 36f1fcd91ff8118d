import { describe, expect, it } from 'vitest';
import { shapes } from '../benchmark/shapes.mjs';
import { probe } from './probe.js';

/** How often the interpreter asks what a node does: work that no busy machine changes. */
function workFor(shape: string, size: number): number {
  const { outcome, asked } = probe(`async function main(a, b) { lock(); ${shapes[shape]!.make(size)} unlock() }`);
  expect(outcome.normal.size + outcome.thrown.size).toBeGreaterThan(0);
  return asked;
}

describe('twice the size is twice the work', () => {
  it.each(Object.entries(shapes).map(([shape, { sizes }]) => [shape, sizes] as const))('%s', (shape, sizes) => {
    // Longer runs are for the benchmark; a hundred levels and a thousand statements show the growth as well.
    const [, small, large] = sizes;
    const [before, after] = [workFor(shape, small!), workFor(shape, large!)];
    expect(before).toBeGreaterThan(0);
    expect(after / before).toBeLessThan(2.3);
  });
});

it('each statement is run once for each state, however often it is reached', () => {
  const nested = (depth: number): string => 'try { work() } finally { '.repeat(depth) + 'work()' + ' }'.repeat(depth);
  const { asked } = probe(`async function main() { lock(); ${nested(100)} unlock() }`);
  // Eight parts a level, and two states: held, and free where the lock itself failed.
  expect(asked).toBeLessThan(100 * 8 * 2);
});
