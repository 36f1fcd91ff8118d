/**
 * The form of a driver's record: everything that the plugin knows of a library stands in one object of this type. Nothing here
 * knows a syntax tree; where a record needs to look at code, it is handed an `Argument`.
 */

/** What a library's type or call says about the connection behind a handle; `open`: it may be either, its origin decides. */
export type HandleKind = 'pooled' | 'reserved' | 'transaction' | 'single' | 'stateless' | 'open';

export interface HandleType {
  /** Name of the class, interface or alias that the library declares. */
  readonly name: string;
  readonly kind: HandleKind;
  /** In words, to follow "is": `a pg Pool`. */
  readonly says: string;
  /** A property whose connection is this handle's connection: drizzle's `$client`. */
  readonly over?: string;
}

/** An argument as far as a record may look at it: constants are followed to where they stand. */
export interface Argument {
  readonly value: string | number | bigint | boolean | undefined;
  /** Whether it is an object whose properties are in view. */
  readonly isObject: boolean;
  /** Its text, where it is put together of parts that are not all known: those are `*`. */
  readonly text: string | undefined;
  property(name: string): Argument | undefined;
  /** Whether it is a handle of this or another driver. */
  readonly isHandle: boolean;
  /** Whether it is a string, known or not: a connection string from the environment, say. */
  readonly isText: boolean;
}

/** What a call that makes a handle tells. */
export interface Making {
  readonly kind: HandleKind;
  readonly says: string;
  /** The greatest number of connections, where the code shows it. */
  readonly size?: number | undefined;
  /** Whether a connection that nobody uses is closed after a while (and its locks with it). */
  readonly expires?: boolean;
  /** The connection string, where the code shows it. */
  readonly url?: string | undefined;
  /** Id of the driver of the client that it makes for itself. */
  readonly client?: string;
  /** The handle that the new one works through: its connection is the new one's. */
  readonly over?: Argument | undefined;
}

export interface Maker {
  /** Module specifiers that export it. */
  readonly modules: readonly string[];
  /** Exported name; `default` also stands for the module itself (`module.exports`, `import * as`). */
  readonly name: string;
  readonly called: 'new' | 'call';
  make(args: readonly (Argument | undefined)[]): Making;
}

/** How the rows of a result are reached; `typed`: the type of the call tells which of the two it is. */
export interface Result {
  readonly rows: string | undefined;
  readonly counts: readonly string[];
  readonly typed?: boolean;
}

/** A method that sends SQL. */
export interface RunMember {
  readonly name: string;
  /**
   * `text`: a string, or an object that has it; `fragment`: a value of the library's SQL tag, or a string; `selection`: an object
   * of output columns whose values are fragments, continued by a chain of builder methods.
   */
  readonly takes: 'text' | 'fragment' | 'selection';
  /** Index of the argument with the SQL. */
  readonly sql: number;
  /** Index of the argument with the array of bound values. */
  readonly values?: number;
  /** Where the text, the values and the row mode stand in an object argument. */
  readonly config?: { readonly text: string; readonly values: string; readonly arrayRows?: readonly [property: string, value: string] };
  /** Takes a Node-style callback as its last argument. */
  readonly callback?: boolean;
  readonly result: Result;
  /** Of a builder: a query, or a statement that changes rows and may return columns. */
  readonly builds?: 'query' | 'modification';
}

/** A method that gives a connection of its own, to the caller or to a callback. */
export interface ReserveMember {
  readonly name: string;
  readonly gives: 'reserved' | 'transaction';
  readonly says: string;
  /** Which parameter of a callback (the last function among the arguments) is the connection. */
  readonly callbackParameter?: number;
  /** Which parameter of that callback gives the connection back when it is called. */
  readonly releaseParameter?: number;
  /** Whether the call itself (awaited) is the connection. */
  readonly returns: boolean;
  /** Kinds of receivers that have it. */
  readonly on: readonly HandleKind[];
}

/** A method that gives a connection back or closes it. */
export interface ReleaseMember {
  readonly name: string;
  /** `keeps`: the session goes on in the pool; `destroys`: it ends; `argument`: it ends when the first argument is truthy. */
  readonly session: 'keeps' | 'destroys' | 'argument';
  readonly on: readonly HandleKind[];
}

export interface Driver {
  readonly id: string;
  /** As its users call it. */
  readonly name: string;
  /** npm packages that declare its types. */
  readonly packages: readonly string[];
  /** Most derived first: the first that a type goes by is what the handle is. */
  readonly types: readonly HandleType[];
  readonly makers: readonly Maker[];
  readonly runs: readonly RunMember[];
  /** The handle is itself a tag that sends its template. */
  readonly tag?: { readonly result: Result };
  /** Methods chained on a statement that change the form of its rows or send it: `sql`...`.values()`. */
  readonly chained?: Readonly<Record<string, { readonly arrayRows?: boolean; /** The statement is not sent at all. */ readonly unsent?: boolean }>>;
  /** Methods that return their own handle: `await new Client().connect()`. */
  readonly fluent?: readonly string[];
  readonly reserves: readonly ReserveMember[];
  readonly releases: readonly ReleaseMember[];
  /** Properties that are handles over the same connection. */
  readonly properties?: readonly string[];
  /** Whether a statement that nothing awaits is never sent. */
  readonly isLazy: boolean;
  /** How its users keep one connection for a lock: the end of a sentence that begins with "To fix it,". */
  readonly advice: string;
  /** How they open a transaction; the same form. */
  readonly transactionAdvice: string;
  /** How they close a session in place of giving it back, where they can; the same form. */
  readonly closeAdvice?: string;
  /** Tags and functions that build SQL without sending it. */
  readonly fragments: readonly Fragment[];
  /** The text of rewrites; absent where there is none. */
  readonly templates?: ReserveTemplates | LayerTemplates;
}

/**
 * How code of the library reserves a connection and works on it. `{handle}` is the expression of the pool, `{connection}` what was
 * reserved, `{type}` the type argument of a statement, with its brackets, or nothing.
 */
export interface ReserveTemplates {
  readonly kind: 'reserve';
  /** What a reserved connection is called. */
  readonly name: string;
  /** Gives a promise of one: `{handle}.connect()`. */
  readonly reserve: string;
  /** Gives it back, at once: `{connection}.release()`. */
  readonly release: string;
  /** The type argument of a statement, from `{row}`, the type of one row. */
  readonly rows: string;
  /** Sends `{template}`, a template literal whose holes are bound values; absent where the library has no tag. */
  readonly tagged?: string;
  /** Sends `{text}`, an expression of a string. */
  readonly text: string;
  /** Chained methods whose rows hold bytes: no boolean can be read from them. */
  readonly encoded?: readonly string[];
}

/** The same of a library that works through a handle of another one. */
export interface LayerTemplates {
  readonly kind: 'layer';
  /** The property that is the handle below. */
  readonly below: string;
  readonly rows: string;
  /** What carries statements on a reserved connection, by the id of the driver below. */
  readonly over: Readonly<Record<string, Layer>>;
}

export type Layer =
  /** Another handle of this library: `maker`, imported from `module`, makes it over `{connection}`. */
  | { readonly kind: 'handle'; readonly name: string; readonly make: string; readonly maker: string; readonly module: string }
  /** The reserved connection itself: no handle of this library works over it. */
  | { readonly kind: 'connection' };

/** A function or tag that makes a piece of SQL: `sql`, `sql.raw`, `sql.join` of drizzle-orm. */
export interface Fragment {
  readonly modules: readonly string[];
  readonly name: string;
  /** Members after the exported name: `['raw']`. */
  readonly path: readonly string[];
  /** `tag`: holes are bound; `raw`: its argument is SQL text; `join`: an array of fragments and a separator; `value`: one bound value; `name`: an identifier; `nothing`. */
  readonly makes: 'tag' | 'raw' | 'join' | 'value' | 'name' | 'nothing';
}
