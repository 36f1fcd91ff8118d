import type { TSESTree } from '@typescript-eslint/utils';
import type { HandleType, Rejection } from '../drivers/index.js';
import type { LockCall, SqlStatement } from '../sql/model.js';
import type { Choice } from './values/choices.js';
import type { Lease } from './helpers/leases.js';
import type { Makers } from './values/makers.js';

/** A place that a message can name. `line` counts from 1. */
export interface Where {
  readonly file: string;
  readonly line: number;
}

/** Why a connection has its verdict, in words that a message can show: "`db` is drizzle over a postgres.js pool (db.ts:5)". */
export interface Evidence {
  readonly text: string;
  readonly where: Where | undefined;
  /** Of a parameter: the call that passes it in. */
  readonly passed?: Passed;
}

/** A call that passes a handle to a function. */
export interface Passed {
  /** The call, as the code writes it. */
  readonly text: string;
  readonly where: Where;
  /** How many other calls pass one to the same parameter. */
  readonly more: number;
  /** What it passes, in words. */
  readonly says: string;
}

/** How many sessions stand behind a handle. */
export type ConnectionKind =
  /** Each call may get another connection. */
  | 'pooled'
  /** One session: until it is given back (`reserved`), for a transaction, or for the client's life (`single`). */
  | 'reserved'
  | 'transaction'
  | 'single'
  /** No session at all between calls. */
  | 'stateless'
  /** Not proven. Never a ground for a verdict about the connection. */
  | 'unknown';

export interface Connection {
  readonly kind: ConnectionKind;
  /** Id of the driver's record, where known. */
  readonly driver: string | undefined;
  readonly evidence: Evidence;
  /**
   * What tells this connection from another. Two pinned connections differ for certain when both are `complete` and share no maker.
   */
  readonly makers: Makers;
  readonly complete: boolean;
  /** The expression that makes the pool or client, where it is in view. */
  readonly made: TSESTree.Node | undefined;
  /** A literal connection string that names a transaction-mode pooler: then even one client is no session. */
  readonly pooler: Evidence | undefined;
  /** One client, though no session of its own: behind a transaction-mode pooler. */
  readonly isOneClient: boolean;
  /** It does not go through the pooler that all others go through. */
  readonly isDirect?: boolean;
  /** Now of one kind, now of another: whatever its type says, nothing is known of it. */
  readonly isOneOfSeveral?: boolean;
  /** Calls that pass a pool and one connection to the same parameter: of neither kind, therefore. */
  readonly disagreeing?: { readonly pooled: Passed; readonly pinned: Passed };
  /** The settings say what it is. */
  readonly isNamed?: boolean;
  /** The literal size of the pool, where the code shows it. */
  readonly size: number | undefined;
  /** Whether an unused connection of the pool is closed after a while, and its locks with it. */
  readonly expires: boolean;
  /** Pooled, but for a transaction that some caller may have opened: a call there would join it. */
  readonly mayJoin?: boolean;
  /** Which transactions its calls join, where those of other handles of its library join the one around them. */
  readonly joins?: HandleType['joins'] | undefined;
  /** Id of the driver whose transactions these are, where the handle is that of another one. */
  readonly joinsOf?: string | undefined;
  /** In words, to follow "is": `a pg Pool`. */
  readonly says: string;
  /** The handle that this one works through: the client under drizzle. */
  readonly over: Connection | undefined;
}

/** What a driver gives back for a statement, as a path to the rows. */
export interface ResultShape {
  /** Property that holds the array of rows; `undefined` where the result is that array. */
  readonly rows: string | undefined;
  /** Properties that hold a row count. */
  readonly counts: readonly string[];
  /** Rows are arrays of column values, not objects (`rowMode: 'array'`, `.values()`). */
  readonly arrayRows: boolean;
  /** The type of the call proves the shape: what another driver's result would have is not there. */
  readonly isCertain?: boolean;
  /** Without types it is not known which of its drivers a library works through: the shape may be another. */
  readonly isGuess?: boolean;
  /** Properties beside the rows that say nothing of them: `error`. */
  readonly silent?: readonly string[];
}

/** A call that sends SQL with at least one advisory-lock function, or with a statement that begins or ends something. */
export interface SqlCall {
  /** The call or tagged template itself. */
  readonly node: TSESTree.CallExpression | TSESTree.TaggedTemplateExpression;
  /** The expression whose connection runs it. */
  readonly handle: TSESTree.Expression;
  /** What a method chained on it is given to run it: `.connection(connection)`. */
  readonly through: TSESTree.Expression | undefined;
  readonly connection: Connection;
  readonly driver: string | undefined;
  readonly statements: readonly SqlStatement[];
  readonly locks: readonly LockUse[];
  readonly result: ResultShape;
  /** The promise rejects after the server has run the statement. */
  readonly rejects: Rejection | undefined;
  /** The method that gives the rows, where this one does not. */
  readonly answeredBy: string | undefined;
  /** What the driver, or a function of the user's own, gives in place of an array of rows; `undefined` for the result as it is. */
  readonly holds: 'row' | 'boolean' | 'values' | 'count' | 'unknown' | undefined;
  /** The call inside such a function. */
  readonly inner: SqlCall['node'] | undefined;
  /** What the result has a row count under that such a function gets. */
  readonly innerCounts?: readonly string[];
  /** The function gives nothing of the result back: what it does with the answer itself is all there is. */
  readonly keepsAnswer: boolean;
  /** The function of the user's own that the settings name, and that stands for the statement. */
  readonly helper?: string;
  /** It is a function of another file, which sends the statement there. */
  readonly isElsewhere?: boolean;
  /** It reads the answer itself. */
  readonly isSilent?: boolean;
  /** What such a function gives frees its lock. */
  readonly lease?: Lease;
  /** The calls that gave what is called here to free their locks. */
  readonly frees?: readonly TSESTree.Node[];
  /** Names of all output columns; `undefined` where they are not all known. */
  readonly columns: readonly string[] | undefined;
  /** A Node-style callback receives the result: there is no promise to wait for. */
  readonly takesCallback: boolean;
  /** A callback that is not in view receives the result. */
  readonly isHandedOn: boolean;
  /** Nothing waits for it; on a lazy driver it is then never sent. */
  readonly floats?: 'neverSent' | 'notAwaited';
  /** The parameter of a Node-style callback that receives the result, instead of a promise. */
  readonly callback: TSESTree.Parameter | undefined;
  /** Where SQL is an argument (not the template of a tag): that argument. */
  readonly argument: TSESTree.Node | undefined;
}

/** What becomes of the answer of an unlock or a try-lock. */
export type Answer =
  /** The boolean reaches a test, an assertion, a log, the caller, or code that is not in view. */
  | { readonly state: 'read' }
  /** Nothing reads it. */
  | { readonly state: 'dropped' }
  /** Something that is always there is tested in its place: `at` is the tested expression. */
  | { readonly state: 'mistaken'; readonly tested: 'result' | 'rows' | 'row' | 'count' | 'column'; readonly at: TSESTree.Node }
  /** The author says that it does not matter: `void (await ...)`, a name that begins with `_`. */
  | { readonly state: 'ignored' };

/** A value that a lock's key is made of, compared as PostgreSQL would. */
export interface Key {
  /** One per argument of the function. */
  readonly parts: readonly KeyPart[];
  /** Its only part is text that may have several arguments in it. */
  readonly isOpen?: true;
}
export type KeyPart =
  /** A number in digits, or a text as it is. */
  | { readonly kind: 'constant'; readonly type: 'number' | 'text' | 'null'; readonly text: string }
  /** The same function (`hashtext`) over parts; the arguments of a `template` are its texts and its holes in turn. `text` is what the code calls it. */
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly KeyPart[]; readonly text?: string }
  | { readonly kind: 'cast'; readonly type: string; readonly of: KeyPart }
  /** An expression of the program; `identity` is equal for expressions that have the same value, `text` is what the code calls it. */
  | { readonly kind: 'expression'; readonly identity: string; readonly text: string; readonly fromParameter: boolean }
  /** `text` where the statement has something to show: a column, which has another value in each row. */
  | { readonly kind: 'unknown'; readonly text?: string };

/**
 * `unsafeNumber`: a JavaScript number past 2^53 - 1, which has lost its last digits; `roundedBigint`: a bigint that loses them past it; `wideHalf`: a 64-bit value as one of the two int4
 * keys; `nullable`: null or undefined, for which nothing is locked and no error raised.
 */
export type KeyFaultKind = 'unsafeNumber' | 'roundedBigint' | 'wideHalf' | 'nullable';

export interface KeyFault {
  readonly kind: KeyFaultKind;
  /** The value, as the code writes it. */
  readonly value: string;
}

/** One use of an advisory-lock function: the unit that every rule judges. */
export interface LockUse {
  readonly call: SqlCall;
  readonly lock: LockCall;
  readonly key: Key;
  /** What is wrong with a part of the key, where something is for certain. */
  readonly keyFault: KeyFault | undefined;
  /** Of an unlock or a try-lock: assertions say that the answer is `false`, so that it is meant to free nothing, or to be refused. */
  readonly expectsFalse?: boolean;
  /** A lazy driver's statement that nothing waits for: PostgreSQL never sees it. */
  readonly isNeverSent: boolean;
  /** Where the call sends one of several statements, and it is not known which: this is the use in the first of them, and these are those in the others. */
  readonly variants?: readonly LockUse[];
  /** How many statements the call may send, where that is more than one: some of them may have no lock. */
  readonly alternatives?: number;
  readonly choice?: Choice;
  /** The range to report: the function's name where the text stands at the call, else the argument that carries it. */
  readonly loc: TSESTree.SourceLocation;
}
