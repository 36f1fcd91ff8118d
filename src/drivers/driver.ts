/**
 * The form of a driver's record: everything that the plugin knows of a library stands in one object of this type. Nothing here
 * knows a syntax tree; where a record needs to look at code, it is handed an `Argument`.
 */

/** What a library's type or call says about the connection behind a handle; `open`: it may be either, its origin decides. */
export type HandleKind = 'pooled' | 'reserved' | 'transaction' | 'single' | 'stateless' | 'open';

export interface HandleType {
  /** Name of the class, interface or alias that the library declares; absent where `members` alone tell the type. */
  readonly name?: string;
  /** Members by which the type is known wherever it is declared, as of generated clients and mapped types: all of `has`, none of `lacks`. */
  readonly members?: { readonly has: readonly string[]; readonly lacks?: readonly string[] };
  readonly kind: HandleKind;
  /** In words, to follow "is": `a pg Pool`. */
  readonly says: string;
  /** A root handle is assignable to it: the type is what its author meant, and an origin in view that says otherwise is right. */
  readonly takesRoot?: boolean;
  /** A property whose connection is this handle's connection: drizzle's `$client`. */
  readonly over?: string;
  /** Of an open type: what it is where a container of dependencies gives it. */
  readonly injected?: Injection;
  /** Which transactions its calls join, whatever `ambient` says: none, or only one that is begun on the handle itself. */
  readonly joins?: 'none' | 'own';
}

/** What a container gives where a decorated class asks for a type. */
export interface Injection {
  readonly kind: HandleKind;
  /** The decorators that ask for it on a parameter or property, where only these tell what they give. */
  readonly by?: readonly string[];
}

/** An argument as far as a record may look at it: constants are followed to where they stand. */
export interface Argument {
  readonly value: string | number | bigint | boolean | undefined;
  /** Whether it is that constant on some path, and may be another: `single ? 1 : 10`. */
  mayBe(constant: string | number | boolean): boolean;
  /** Whether it is an object whose properties are in view. */
  readonly isObject: boolean;
  /** Its text, where it is put together of parts that are not all known: those are `*`. */
  readonly text: string | undefined;
  property(name: string): Argument | undefined;
  /** What a call or `new` that it stands for is given. */
  argument(index: number): Argument | undefined;
  /** Whether it is a handle of this or another driver. */
  readonly isHandle: boolean;
  /** Whether it is a string, known or not: a connection string from the environment, say. */
  readonly isText: boolean;
}

/** What a call that makes a handle tells. */
export interface Making {
  readonly kind: HandleKind;
  /** It is now of that kind, now of another, whatever its type says; of kind `pooled`: that, or a transaction's. */
  readonly varies?: boolean;
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
  /** A static method of the export that makes it: `MikroORM.init()`. */
  readonly method?: string;
  /** `twice`: what a first call gives is called (`pgPromise()(url)`); `itself`: the export is a handle (`sql` of `@vercel/postgres`). */
  readonly called: 'new' | 'call' | 'twice' | 'itself';
  /** `undefined` where the arguments name another database: not a handle of ours. */
  make(args: readonly (Argument | undefined)[]): Making | undefined;
}

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

/** A connection that something is by its place in the code. */
export interface Gives {
  readonly kind: 'reserved' | 'transaction';
  readonly says: string;
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

/** A method that gives a connection of its own, to the caller or to a callback. */
export interface ReserveMember {
  readonly name: string;
  /** Properties between the handle and the method: `['client']` for `knex.client.acquireConnection()`. */
  readonly path?: readonly string[];
  /** It only begins a builder, and this method of that ends it: `execute` for `db.connection().execute(callback)`. */
  readonly completedBy?: string;
  /** Only where an option of the call asks for it: `connect({ direct: true })`. */
  readonly when?: { readonly argument: number; readonly option: string; readonly value: string | boolean };
  readonly gives: 'reserved' | 'transaction' | 'single';
  readonly says: string;
  /** Which parameter of a callback (the last function among the arguments) is the connection. */
  readonly callbackParameter?: number;
  /** The session ends with the callback, and does not go back to the pool. */
  readonly ends?: boolean;
  /** Which parameter of that callback gives the connection back when it is called. */
  readonly releaseParameter?: number;
  /** Index of an argument that is an array of statements: they are sent one after the other on the connection it gives. */
  readonly batch?: number;
  /** Whether the call itself (awaited) is the connection. */
  readonly returns: boolean;
  /** What it gives sends no SQL of its own: calls of the root handle are given it (`RunMember.through`). */
  readonly isGiven?: boolean;
  /** Id of the driver whose handle it gives, where that is another one: Knex gives out a client of pg. */
  readonly driver?: string;
  /** Kinds of receivers that have it. */
  readonly on: readonly HandleKind[];
}

/** A method that gives a connection back or closes it. */
export interface ReleaseMember {
  readonly name: string;
  /** Index of the argument that is the connection, where the receiver is not: `client.releaseConnection(connection)`. */
  readonly connection?: number;
  /** `keeps`: the session goes on in the pool; `destroys`: it ends; `argument`: it ends when the first argument is truthy. */
  readonly session: 'keeps' | 'destroys' | 'argument';
  readonly on: readonly HandleKind[];
}

/** A method that gives a handle over the same connection: `$extends()`, `await client.connect()` of a lone client. */
export interface DeriveMember {
  readonly name: string; /** The index of an argument that it works through in place of the receiver, where there is one. */ readonly through?: number;
  readonly on: readonly HandleKind[];
  /** What it gives where that is not the receiver's connection, even if nothing is known of that: `em.fork()`. */
  readonly gives?: Pick<HandleType, 'kind' | 'says' | 'joins'> & {
    /** Id of the driver whose handle it is, where that is another one. */
    readonly driver?: string;
    /** An option of the call with which nothing is known of it. */
    readonly unless?: string;
  };
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

/** A property by which a value of another library is a handle: `fastify.pg`. */
export interface Attached {
  readonly property: string;
  /** The package whose default export makes such a value, and the type of it. */
  readonly package: string;
  readonly type: string;
  readonly kind: HandleKind;
  readonly says: string;
}

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
  /** Whether a statement that nothing awaits is never sent. */
  readonly isLazy: boolean;
  /** How its users keep one connection for a lock: the end of a sentence that begins with "To fix it,". Where it names `pg_advisory_xact_lock`, a message names the function of the same mode that waits or not as the lock does. */
  readonly advice: string;
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

/**
 * How code of the library reserves a connection and works on it. `{handle}` is the expression of the pool, `{connection}` what was
 * reserved, `{type}` the type argument of a statement, with its brackets, or nothing.
 */
export interface ReserveTemplates {
  readonly kind: 'reserve';
  /** What a reserved connection is called. */
  readonly name: string;
  /** Gives a promise of one: `{handle}.connect()`; with `isLent`, takes a callback that is lent one: `{handle}.connection().execute`. */
  readonly reserve: string;
  readonly isLent?: boolean;
  /** `reserve` gives it at once, and the connection is taken by its first statement. */
  readonly isAtOnce?: boolean;
  /** The statement that gives it back, where that is to be done: `{connection}.release()`, with `await` where there is something to wait for. */
  readonly release?: string;
  /** Chained on a statement to send it on the connection, where that does not take the handle's place: `.connection({connection})`. */
  readonly chained?: string;
  /** The handle over it that a statement with a type argument is sent to, where the connection's own method takes none. */
  readonly typed?: string;
  /** Sends `{template}`, a template literal whose holes are bound values; absent where the library has no tag. */
  readonly tagged?: string;
  /** The property of a reserved connection that is its tag, where only the pool is itself one. */
  readonly tag?: string;
  /** Sends `{text}`, an expression of a string; absent where no other library works over this one. */
  readonly text?: string;
  /** Chained methods whose rows hold bytes: no boolean can be read from them. */
  readonly encoded?: readonly string[];
}

/** The same of a library that works through a handle of another one. */
export interface LayerTemplates {
  readonly kind: 'layer';
  /** The property that is the handle below. */
  readonly below: string;
  /** What carries statements on a reserved connection, by the id of the driver below. */
  readonly over: Readonly<Record<string, Layer>>;
}

/** The same of a library that cannot keep a connection: a transaction around the work holds the lock. */
export interface GuardTemplates {
  readonly kind: 'guard';
  /** What the handle of the transaction is called. */
  readonly name: string;
  /** Takes a callback that is given it, and then `options`: `{handle}.$transaction`. */
  readonly open: string;
  readonly options: string;
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
  readonly path: readonly string[]; /** A call of the export gives the same: `pgp.PreparedStatement`. */ readonly isOfCall?: true;
  /** `tag`: holes are bound; `raw`: its argument is SQL text; `join`: an array of fragments and a separator; `value`: one bound value; `name`: an identifier; `nothing`. */
  readonly makes: 'tag' | 'raw' | 'join' | 'value' | 'name' | 'nothing';
  /** Index of the argument with the bound values of `raw` text. */
  readonly values?: number;
}
