import type { Key, LockUse } from '../analysis/model.js';

/** The advisory locks of a repository as data. */

export interface Place {
  /** From the folder that was asked about, with slashes. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** The function around it: `tick`, `LockService.acquire`, `(top level)`. */
  readonly within: string;
}

/**
 * What sees to it that the lock is freed: the unlock stands in `finally`, or every path leads to it or to the end of the session; the
 * transaction, the statement or the session ends; another function unlocks; an unlock that some path skips; or nothing in view.
 */
export type Guard = 'finally' | 'every path' | 'transaction' | 'statement' | 'session' | 'another function' | 'unlock only' | 'nothing' | 'unknown';

export type ConnectionWord = 'pooled' | 'pinned' | 'transaction' | 'single' | 'stateless' | 'unknown';

export interface LockStatement extends Place {
  readonly column: number;
  /** The function of PostgreSQL. */
  readonly function: string;
  readonly level: LockUse['lock']['function']['level'];
  /** `undefined` for `pg_advisory_unlock_all`, which frees both. */
  readonly mode: LockUse['lock']['function']['mode'];
  readonly operation: LockUse['lock']['function']['operation'];
  readonly key: Key;
  /** What calls in view pass for it, where it is made of parameters. */
  readonly passed: readonly string[];
  /** The handle, as the code writes it. */
  readonly handle: string;
  readonly connection: ConnectionWord;
  /** Why, in words. */
  readonly evidence: string;
  /** Of an acquire: the unlocks that belong to it. */
  readonly unlockedBy: readonly Place[];
  /** Of an unlock: what it frees, if that is in view. */
  readonly unlocks: Place | undefined;
  /** Where the function around it is called, in the files in view. */
  readonly callers: readonly Place[];
  /** Of an acquire. */
  readonly guard: Guard | undefined;
  /** The rules that report something of this statement, here or where its connection is given back. */
  readonly findings: readonly string[];
}

/** Both counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Where in a file something is, by offsets. */
export interface Span {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** A lock statement with what it takes to see which lock is taken while another one is held. */
export interface Collected {
  readonly statement: Omit<LockStatement, 'findings'>;
  /** Of an acquire: the code that may run while the lock is held, within its own function. */
  readonly held: Span | undefined;
  /** Places beside its own where a rule reports something of it. */
  readonly reportedAt: readonly Position[];
  /** Where the statement is sent: at the call itself, and at the calls in view of the functions around it. */
  readonly sentAt: readonly Span[];
  /** The calls in view that pass the key, where it is made of parameters. */
  readonly passedAt: readonly PassedKey[];
  /** Whether the code waits for it: what is not awaited guards nothing, and what is never sent frees nothing. */
  readonly isWaitedFor: boolean;
  /** Whether the settings say that the calls of its function are judged in its place. */
  readonly isJudgedAtCalls: boolean;
  /** The branches that its call stands in, so that the other branch is not taken to follow: `if` and `else` of one test. */
  readonly branches: readonly string[];
}

/** A key that a call gives to the function that takes or frees it. */
export interface PassedKey {
  readonly key: Key;
  readonly place: Place & Pick<LockStatement, 'column'>;
  readonly call: Span;
}

/** A place that takes a key: the lock statement, or a call that passes the key to it. */
export type Taking = Place & Pick<LockStatement, 'column' | 'mode'>;

/** A key that two places take that do not belong together. */
export interface SharedKey {
  readonly key: string;
  readonly places: readonly Taking[];
}

/** Two locks that one place takes in one order, and another place in the other: each may come to wait for the other. */
export interface OpposedOrder {
  readonly keys: readonly [string, string];
  /** Those that take the first key, then the second: the places of both. */
  readonly forth: readonly (readonly [LockStatement, LockStatement])[];
  readonly back: readonly (readonly [LockStatement, LockStatement])[];
}

export interface Inventory {
  readonly statements: readonly LockStatement[];
  /** What calls in view pass for the keys of statements that are made of parameters. */
  readonly passedKeys: ReadonlyMap<LockStatement, readonly Key[]>;
  readonly sharedKeys: readonly SharedKey[];
  readonly opposedOrders: readonly OpposedOrder[];
}

export const isIn = (inner: Span, outer: Span): boolean => inner.file === outer.file && inner.start >= outer.start && inner.end <= outer.end;
