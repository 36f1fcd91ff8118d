import type { TSESTree } from '@typescript-eslint/utils';
import type { LockUse } from '../model.js';
import type { Result } from './handles.js';

/** A way on which a lock stays behind. */
export interface Leak {
  /** `released`: the connection goes back with it; `swallowed`: after an unlock whose error was caught; `others`: with all keys of a list but one; `unused`: nothing is done with what would free it; else the way out. */
  readonly kind: 'released' | 'swallowed' | 'others' | 'unused' | 'returned' | 'thrown' | 'ended';
  /** The release, for the first two, where there is a call of it. */
  readonly at: TSESTree.Node | undefined;
}

export interface Held {
  readonly leaks: readonly Leak[];
  /** Unlocks that run on a path on which the try-lock was lost, by the call that sends them. */
  readonly lostUnlocks: ReadonlyMap<TSESTree.Node, LockUse>;
  /** Unlocks that run while it is held. */
  readonly freedBy: ReadonlySet<LockUse>;
  /** Whether the connection was there before the function, and stays when it ends. */
  readonly outlives: boolean;
  /** What the function gives back, on each way. */
  readonly results: readonly Result[];
}

/** What two readings of the same code agree on. */
export const inBoth = (one: Held, other: Held): Held => ({
  leaks: one.leaks.filter((leak) => other.leaks.some(({ kind, at }) => kind === leak.kind && at === leak.at)),
  lostUnlocks: new Map([...one.lostUnlocks].filter(([node]) => other.lostUnlocks.has(node))),
  freedBy: new Set([...one.freedBy, ...other.freedBy]),
  outlives: one.outlives,
  results: one.results,
});
