/** What a library's handles are, and how a connection is reserved, handed on and given back: parts of a driver's record. */

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

/** A connection that something is by its place in the code. */
export interface Gives {
  readonly kind: 'reserved' | 'transaction';
  readonly says: string;
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
  readonly name: string;
  /** The index of an argument that it works through in place of the receiver, where there is one. */
  readonly through?: number;
  readonly on: readonly HandleKind[];
  /** Id of the driver whose handle it gives, where that is another one: over the same connection, and in the same transactions. */
  readonly driver?: string;
  /** What it gives where that is not the receiver's connection, even if nothing is known of that: `em.fork()`. */
  readonly gives?: Pick<HandleType, 'kind' | 'says' | 'joins'> & {
    /** Id of the driver whose handle it is, where that is another one. */
    readonly driver?: string;
    /** An option of the call with which nothing is known of it. */
    readonly unless?: string;
  };
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
