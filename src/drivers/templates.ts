/** The text of rewrites in a driver's record. */

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
