import { describe, expect, it } from 'vitest';
import { leaves } from './probe.js';

/** Small programs with the ways they may be left. */
export type Table = readonly (readonly [code: string, outcome: string])[];

export function check(title: string, table: Table, head?: string): void {
  describe(title, () => {
    it.each(table)('%s → %s', (code, outcome) => {
      expect(leaves(code, head)).toBe(outcome);
    });
  });
}
