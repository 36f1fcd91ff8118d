/**
 * What `settings['pg-advisory-lock']` of an ESLint config may say. These types are what users see in their editor; `schema.ts` checks
 * the same at run time, and a test holds the two against each other.
 */
export interface PgAdvisoryLockSettings {
  /** Makes the first suggestion of each report a fix, for a one-off clean-up with `eslint --fix`. The diff wants a review. */
  fixSuggestions?: boolean | undefined;
  /** Whether the plugin may make TypeScript programs of its own where the host gives no types. Without it each file is judged alone. */
  typesOnDemand?: boolean | undefined;
  /** Your own types, functions and values that stand for a connection or a pool. */
  handles?: HandleSetting[] | undefined;
  /** Your own functions and methods that send the SQL they are given. */
  queries?: QuerySetting[] | undefined;
  /** Your own functions and methods that take an advisory lock. */
  locks?: LockSetting[] | undefined;
  /** Your own functions and methods that free one. */
  unlocks?: UnlockSetting[] | undefined;
  /** Connections go through PgBouncer, or its like, in transaction mode. */
  pooler?: 'transaction' | undefined;
  /** For editors, in a JSON file. */
  $schema?: string | undefined;
}

/** Names a type or a value, as the options of typescript-eslint do (`TypeOrValueSpecifier`). */
export type SpecifierSetting =
  | string
  | { from: 'file'; name: string | string[]; path?: string | undefined }
  | { from: 'package'; name: string | string[]; package: string }
  | { from: 'lib'; name: string | string[] };

/** `pooled`: each call may get another connection; `pinned`: one session; `transaction`: one, inside a transaction; `stateless`: none. */
export type ConnectionSetting = 'pooled' | 'pinned' | 'transaction' | 'stateless';

/** What a call gives: `{ rows }`, the array of rows, its first row, or the value of its only column. */
export type ResultSetting = 'result' | 'rows' | 'row' | 'value';

/** Names one of `type`, `function` (whose calls give the handle) and `value`. */
export interface HandleSetting {
  type?: SpecifierSetting | undefined;
  function?: SpecifierSetting | undefined;
  value?: SpecifierSetting | undefined;
  /** May be left out beside `direct`: then it is what the code says. */
  connection?: ConnectionSetting | undefined;
  /** It does not go through the `pooler`. */
  direct?: boolean | undefined;
  /** Methods that send SQL, their first argument. Without it, those that handles usually have: `query`, `execute`. */
  run?: string[] | undefined;
  /** What these methods give. Without it, `{ rows }` or the rows, as their type says. */
  result?: ResultSetting | undefined;
}

/** A function, or with `type` the methods (`member`) of a type. */
export interface CalleeSetting {
  function?: SpecifierSetting | undefined;
  type?: SpecifierSetting | undefined;
  member?: string | string[] | undefined;
}

export interface QuerySetting extends CalleeSetting {
  /** Its connection, or the index of the argument that is the handle. */
  connection?: ConnectionSetting | { argument: number } | undefined;
  /** Index of the argument with the SQL; without it 0. */
  sql?: number | undefined;
  /** Index of the argument with the array of bound values; without it the one after the SQL. */
  values?: number | undefined;
  /** Without it, `{ rows }` or the rows, as its type says. */
  result?: ResultSetting | undefined;
}

interface HelperSetting extends CalleeSetting {
  /** Index of the argument that is the key, or of both that are. Without it, the first that is not the handle. */
  key?: number | [number, number] | undefined;
  /** A shared lock. */
  shared?: boolean | undefined;
  connection?: ConnectionSetting | { argument: number } | undefined;
  /** How it gives PostgreSQL's answer. Without it, its value, where the type of the call is no `void`. */
  result?: ResultSetting | 'nothing' | undefined;
}

export interface LockSetting extends HelperSetting {
  /** It does not wait: its result tells whether the lock was won. */
  try?: boolean | undefined;
  /** Until when the lock is held: an unlock, or the end of the transaction. Without it, `session`. */
  level?: 'session' | 'transaction' | undefined;
  /** What it gives frees the lock: `true`, a function that does; a name, the method of an object. Without `connection`, it is `pinned` then. */
  unlock?: true | string | undefined;
}

export interface UnlockSetting extends HelperSetting {
  /** It frees all locks of its connection. */
  all?: boolean | undefined;
}
