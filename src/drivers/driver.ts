/**
 * The form of a driver's record: everything that the plugin knows of a library stands in one object of this type. Nothing here
 * knows a syntax tree; where a record needs to look at code, it is handed an `Argument`.
 */

import type { Attached, DeriveMember, HandleType, ReleaseMember, ReserveMember } from './handles.js';
import type { Maker } from './making.js';
import type { ChainedMember, ColumnTypes, Fragment, RunMember } from './sending.js';
import type { GuardTemplates, LayerTemplates, ReserveTemplates } from './templates.js';

export type * from './handles.js';
export type * from './making.js';
export type * from './sending.js';
export type * from './templates.js';

export interface Driver {
  readonly id: string;
  /** As its users call it. */
  readonly name: string;
  /** npm packages that declare its types. */
  readonly packages: readonly string[];
  /** Modules of the user's own that the library generates, by their specifiers: they count where nobody has read them. */
  readonly generated?: RegExp;
  /** Most derived first: the first that a type goes by is what the handle is. */
  readonly types: readonly HandleType[];
  readonly makers: readonly Maker[];
  /** Where nothing tells the type of the property: whose property it is. */
  readonly attached?: readonly Attached[];
  readonly runs: readonly RunMember[];
  /** The handle is itself a tag that sends its template. */
  readonly tag?: Pick<RunMember, 'result' | 'request'>;
  /** The handle is itself a function that begins a builder over a table: `knex('tasks')`. */
  readonly called?: RunMember;
  /** Methods that make a piece of SQL for builders: of text, or of the name of a database function and an array of its arguments. */
  readonly pieces?: Readonly<Record<string, 'raw' | 'function'>>;
  /** Methods chained on a statement that change the form of its rows or send it: `sql`...`.values()`. */
  readonly chained?: Readonly<Record<string, ChainedMember>>;
  readonly derives?: readonly DeriveMember[];
  readonly reserves: readonly ReserveMember[];
  readonly releases: readonly ReleaseMember[];
  /** Properties that are handles over the same connection. */
  readonly properties?: readonly string[];
  /**
   * Methods of a pinned handle that begin and end a transaction on it, where SQL text does not. Where a file calls one that begins on
   * a pooled handle, nothing is known of the pooled ones in it.
   */
  readonly transactions?: { readonly begins: readonly string[]; readonly ends: readonly string[]; /** Properties or methods that tell whether one is under way. */ readonly asks?: readonly string[] };
  /**
   * Functions that make every call of the library join the transaction that is under way around it, by asynchronous context. Where a
   * file that belongs to the same program names one of them, nothing is known of a root handle.
   */
  readonly ambient?: readonly string[];
  /**
   * Where files of the program name `by`, and none of them `unless`: each call of a root handle that is given no transaction joins that
   * of the callback around it, however far up, and of no other. Elsewhere it gets a connection of its own from the pool.
   */
  readonly joinsCallbacks?: { readonly by: string; readonly unless: string };
  /** Decorators that run a method in a transaction, which a root handle may have been made to join (typeorm-transactional, nestjs-cls). */
  readonly decorators?: readonly string[];
  /** Options that are functions which the library calls with handles of each kind, whatever type their parameter has: `extend(obj)`. */
  readonly hooks?: readonly string[];
  /** Connections are reset when they go back to their pool (`DISCARD ALL`): no lock is left on them. */
  readonly resets?: boolean;
  /** Its types, or its format, take no `bigint` as a value unless the user sees to it: a key goes as a string of its digits. */
  readonly takesNoBigint?: boolean;
  /** Whether a statement that nothing awaits is never sent. */
  readonly isLazy: boolean;
  /** How its users keep one connection for a lock: the end of a sentence that begins with "To fix it,". Where it names `pg_advisory_xact_lock`, a message names the function of the same mode that waits or not as the lock does. A handle before its method is written `{pool}.connect()`, by the name that it usually has: a message writes it as the file does. */
  readonly advice: string;
  /** It may send SQL by methods that it does not name. */
  readonly hasOtherRuns?: boolean;
  /** What these usual names stand for, to follow "your": said where the file has nothing in view to write in their place. */
  readonly standsFor?: Readonly<Record<string, string>>;
  /** How they open a transaction; the same form. */
  readonly transactionAdvice: string;
  /** How they close a session in place of giving it back, where they can; the same form. */
  readonly closeAdvice?: string;
  /** Tags and functions that build SQL without sending it. */
  readonly fragments: readonly Fragment[];
  /** The type argument of a statement, from `{row}`, the type of one row; absent where none can be written. */
  readonly rowsType?: string;
  /** Of all methods and tags that do not say otherwise. */
  readonly columnTypes?: ColumnTypes;
  /** The text of rewrites; absent where there is none. */
  readonly templates?: ReserveTemplates | LayerTemplates | GuardTemplates;
}
