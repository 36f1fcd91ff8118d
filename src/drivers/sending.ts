/** How SQL is sent, given its values and built, and how its rows come back: parts of a driver's record. */

import type { Gives } from './handles.js';

/** How the rows of a result are reached. */
export interface Result {
  /** The property with the array of rows; `undefined` where the result is that array. */
  readonly rows: string | undefined;
  readonly counts: readonly string[];
  /** The type of the call tells whether there is a property `rows`. */
  readonly typed?: boolean;
  /** Rows are arrays of values. */
  readonly arrayRows?: boolean;
  /** What stands there in place of an array of rows: one row (`one()`), its only value (`oneFirst()`), an array of such values (`anyFirst()`), a number of rows, or what is not known. */
  readonly holds?: 'row' | 'boolean' | 'values' | 'count' | 'unknown';
  /** Properties beside the rows that say nothing of them: `error`. */
  readonly silent?: readonly string[];
}

/** Another result, where an option of the call asks for it: `{ plain: true }`. */
export interface ResultByOption {
  /** Index of the argument with the options. */
  readonly argument: number;
  /** Absent where the argument itself is the option: `execute(sql, [], 'get')`. */
  readonly option?: string;
  /** The value that asks for it, as a constant or as the literal type of an expression; absent where any does. */
  readonly value?: string | boolean;
  readonly result: Result;
}

/** Where the bound values of a statement stand. */
export interface Values {
  /** Index of the argument: an array, or an object of values by name. */
  readonly argument: number;
  /** The arguments from there on are the values themselves: `$queryRawUnsafe(text, one, two)`. */
  readonly isRest?: boolean;
  /** The values are a property of that argument; the first that is there counts. */
  readonly options?: readonly string[];
  /** The argument may also be the only value itself: `one('SELECT ... $1', key)`. */
  readonly mayBeOne?: boolean;
}

/**
 * Where the types of columns come from: a type argument, without which they are `unknown`, or the statement itself; `none` where a row has
 * no columns to its type. Not said where any column can be read as long as no type argument says otherwise.
 */
export type ColumnTypes = 'argument' | 'statement' | 'none';

/** Something that a call is given and that runs it in place of its own handle: `{ transaction }`, `.transacting(trx)`, `query(sql, [], runner)`. */
export interface Through {
  readonly argument: number;
  /** A property of that argument. */
  readonly option?: string;
  /** What it is where nothing else is known of it; absent where it may be left out unseen. */
  readonly gives?: Gives;
}

/** A method whose promise rejects after the server has run the statement. */
export interface Rejection {
  /** Where an output column is void, or where there is any row. */
  readonly where: 'void' | 'row';
  /** The end of a sentence that begins with "To fix it,". */
  readonly advice: string;
  /** A method that takes the same arguments and does not reject; its result is another. */
  readonly instead: string;
}

/** A method that sends SQL. */
export interface RunMember {
  readonly name: string;
  /** Other things have a method of this name, too: it sends SQL only where its handle is known to be of this driver. */
  readonly isCommon?: boolean;
  /**
   * `text`: a string, or an object that has it; `fragment`: a value of the library's SQL tag, or a string; `selection`: an object of output columns, continued
   * by a chain of builder methods; `function`: the name of a database function, whose arguments are the bound values (`rpc('pg_advisory_lock', { key: 1 })`).
   */
  readonly takes: 'text' | 'fragment' | 'selection' | 'function';
  /** Index of the argument with the SQL; `receiver`: the SQL has the method, and an argument is the handle (`sql`...`.execute(db)`). */
  readonly sql: number | 'receiver';
  /** Index of the argument that is the handle, where the receiver is none. */
  readonly handle?: number;
  readonly values?: Values;
  /** What may take the handle's place, the first that is there. */
  readonly through?: readonly Through[];
  /** Where the text, the values and the row mode stand in an object argument. */
  readonly config?: { readonly text: string; readonly values: string; readonly arrayRows?: readonly [property: string, value: string] };
  /** Takes a Node-style callback as its last argument. */
  readonly callback?: boolean;
  readonly result: Result;
  readonly results?: readonly ResultByOption[];
  readonly rejects?: Rejection;
  readonly columnTypes?: ColumnTypes;
  /** Through a pool it takes no connection of it: what it does in its place, to follow "is a pool". */
  readonly request?: string;
  /** Its type argument, where it is another one than that of the driver's other methods. */
  readonly rowsType?: string;
  /** Of `function`: the function of PostgreSQL that a name stands for, where users have to wrap it under a name of their own. */
  readonly wraps?: (name: string) => string | undefined;
  /** Where the result has no rows: the method that gives them for the same statement. */
  readonly answeredBy?: string;
  /** Of a builder: a query, or a statement that changes rows and may return columns. */
  readonly builds?: 'query' | 'modification';
  /**
   * How a builder's method is given output columns: as the properties of an object (where it says nothing), as arguments that name
   * themselves (`sql`...`.as('locked')`), or not at all: its arguments are a table, and `select` behind it has the columns. `texts`: these are
   * text, with the name as a second argument.
   */
  readonly selects?: 'arguments' | 'later' | 'texts';
  /** Methods that send what a builder has built; absent where waiting for it does. */
  readonly sentBy?: readonly string[];
}

/** A method chained on a statement. */
export interface ChainedMember {
  readonly arrayRows?: boolean;
  /** The statement is not sent at all. */
  readonly unsent?: boolean;
  /** What it gives in place of an array of rows. */
  readonly holds?: 'row' | 'unknown';
  /** An argument that runs it in place of its own handle. */
  readonly through?: Through;
}

/** A function or tag that makes a piece of SQL: `sql`, `sql.raw`, `sql.join` of drizzle-orm. */
export interface Fragment {
  readonly modules: readonly string[];
  readonly name: string;
  /** Members after the exported name: `['raw']`. */
  readonly path: readonly string[];
  /** A call of the export gives the same: `pgp.PreparedStatement`. */
  readonly isOfCall?: true;
  /** `tag`: holes are bound; `raw`: its argument is SQL text; `join`: an array of fragments and a separator; `value`: one bound value; `name`: an identifier; `nothing`. */
  readonly makes: 'tag' | 'raw' | 'join' | 'value' | 'name' | 'nothing';
  /** Index of the argument with the bound values of `raw` text. */
  readonly values?: number;
}
