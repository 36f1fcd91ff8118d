/** How handles are made, and what of a call that makes one a driver's record may look at. */

import type { HandleKind } from './handles.js';

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
  /** Of `twice`: the method of what the first call gives that ends all that was made with it, `pgp.end()`. */
  readonly endedBy?: string;
  /** `undefined` where the arguments name another database: not a handle of ours. */
  make(args: readonly (Argument | undefined)[]): Making | undefined;
}
