import type { SourceCode } from '@typescript-eslint/utils/ts-eslint';
import type { FileFacts } from '../analysis/facts.js';
import type { LockUse } from '../analysis/model.js';
import type { Rewrite } from './model.js';

export type { Edit, Rewrite } from './model.js';

/**
 * Puts an acquire, its unlocks and the work between them on one reserved connection of the driver. `undefined` where no edit is
 * known to be safe: they stand in different functions, the pool has one connection, the driver cannot reserve, the shape of the
 * code is not one of those that the rewrite knows.
 */
export function reserveConnection(_use: LockUse, _facts: FileFacts, _sourceCode: Readonly<SourceCode>): Rewrite | undefined {
  return undefined;
}

/** Reads the answer of an unlock and throws, or warns, where it is false. */
export function readAnswer(_unlock: LockUse, _facts: FileFacts, _sourceCode: Readonly<SourceCode>, _whenFalse: 'throw' | 'warn'): Rewrite | undefined {
  return undefined;
}
