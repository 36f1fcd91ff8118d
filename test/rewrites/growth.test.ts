import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { fileOf, functions } from '../benchmark/shapes.mjs';
import { lint } from '../support/lint.js';
import { ourPlugin } from '../support/plugin.js';

/** Seconds would be no measure on a busy machine: what counts is what more functions cost than fewer of them. */
function time(text: string, functionCount: number): number {
  const start = performance.now();
  const { reports, failures } = lint(ourPlugin, 'main.ts', text);
  expect(failures).toEqual([]);
  // Without an edit there is nothing to measure.
  expect(reports.filter(({ suggestions }) => suggestions.length > 0).length).toBeGreaterThanOrEqual(functionCount);
  return performance.now() - start;
}

describe('eight times the functions are eight times the work, rewrites included', () => {
  it.each(Object.keys(functions))('%s', (shape) => {
    const [few, many] = [fileOf(shape, 40), fileOf(shape, 320)];
    time(few, 40);
    let ratio = Infinity;
    for (let attempt = 0; attempt < 6 && ratio >= 16; attempt += 1) ratio = Math.min(ratio, time(many, 320) / time(few, 40));
    expect(ratio).toBeLessThan(16);
  });
});
