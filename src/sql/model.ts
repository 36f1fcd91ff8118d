/**
 * What the SQL room takes and gives. It knows PostgreSQL's lexical rules and the advisory-lock functions, and nothing of
 * TypeScript or ESLint.
 */

/**
 * SQL text as a program holds it: literal pieces and holes between them. All offsets of this room count UTF-16 code units in
 * the flattened text, where every hole is one unit long.
 */
export interface SqlText {
  readonly parts: readonly SqlPart[];
}

export type SqlPart = string | SqlHole;

/** A place in SQL text that the program fills at run time. */
export interface SqlHole {
  /** Number of the hole, counted from 0 in the order of the text. */
  readonly hole: number;
  /** `value`: one value (a bound parameter, or an interpolated literal); `text`: any text at all, of unknown meaning. */
  readonly kind: 'value' | 'text';
}

export type LockLevel = 'session' | 'transaction';
export type LockMode = 'exclusive' | 'shared';
/** `acquire` waits, `try` answers with a boolean, `unlock` answers with a boolean, `unlockAll` answers with nothing. */
export type LockOperation = 'acquire' | 'try' | 'unlock' | 'unlockAll';

/** A row of the catalogue: https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-ADVISORY-LOCKS */
export interface LockFunction {
  readonly name: string;
  readonly operation: LockOperation;
  readonly level: LockLevel;
  /** `undefined` for `pg_advisory_unlock_all`, which frees both. */
  readonly mode: LockMode | undefined;
}

/** An expression of SQL, as far as keys of locks need it. */
export type SqlExpression =
  /** An integer of any spelling (`-5`, `0x1F`, `1_000`) in decimal; a fraction as it is written, without underscores. */
  | { readonly kind: 'number'; readonly text: string }
  /** Its value, escapes resolved. A string that is nothing but a hole (`'${key}'`) is that hole. */
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'null' }
  /** `$1` has the name `1`; `?` the number of its occurrence, counted from 1; `:key` and `@key` the name `key`. */
  | { readonly kind: 'placeholder'; readonly style: '$' | '?' | ':' | '@'; readonly name: string }
  | { readonly kind: 'hole'; readonly hole: number }
  /** A function's name is folded to lower case and has no `pg_catalog.` before it. */
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly SqlExpression[] }
  /** The type by PostgreSQL's own name: `int8` for `bigint`, `varchar` for `character varying(9)`, `int4[]` for `integer array`. */
  | { readonly kind: 'cast'; readonly type: string; readonly of: SqlExpression }
  | { readonly kind: 'column'; readonly path: readonly string[] }
  /**
   * Anything else. `text` is what stands around the parts, each of which is `{}` in it: `'job:' || $1` is `{} || {}`, and `'job:${id}'`
   * is `'{}{}'`. Two of them are the same expression where their texts are equal and their parts are. An empty text is an expression
   * that was left unread, and is the same as nothing.
   */
  | { readonly kind: 'other'; readonly text: string; readonly parts: readonly SqlExpression[] };

/** Where the answer of a lock function comes out of its statement. */
export type LockAnswer =
  /**
   * As the value of an output column: `SELECT pg_try_advisory_lock(1) AS ok`, also out of a CTE or sub-select. The index is -1 where
   * the place is unknown: after a `*` or a hole of unknown width, or in a fragment. A cast may give it another type: `::text`.
   */
  | { readonly kind: 'column'; readonly name: string; readonly index: number; readonly isCast?: true }
  /** As the presence (or absence) of a row: `SELECT 1 WHERE pg_try_advisory_lock(1)`. */
  | { readonly kind: 'row' }
  /** Used up by the statement itself (it guards an UPDATE, say), or turned into another value: nothing to read, nothing to say. */
  | { readonly kind: 'inside' }
  /** Thrown away: the PERFORM of a `DO` block. */
  | { readonly kind: 'dropped' };

/** One call of an advisory-lock function in SQL text. */
export interface LockCall {
  readonly function: LockFunction;
  /** The function's name in the text, without its schema. */
  readonly start: number;
  readonly end: number;
  readonly args: readonly SqlExpression[];
  readonly answer: LockAnswer;
  /**
   * Why PostgreSQL may evaluate the call for rows that the statement does not return; `undefined` where it cannot: over no table, for a
   * function in FROM, in a list that WHERE alone restricts, over a sub-select with a LIMIT. `filter` is WHERE, ON or HAVING, and goes
   * before the rest; of the others the one that leaves out most: `aggregate` (also GROUP BY), `distinct`, `offset`, `limit`. `orderBy`
   * stands alone: the rows are sorted, but all of them are returned.
   * https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS
   */
  readonly rowDriven: 'filter' | 'orderBy' | 'limit' | 'offset' | 'distinct' | 'aggregate' | undefined;
}

export type StatementKind = 'select' | 'insert' | 'update' | 'delete' | 'merge' | 'values' | 'call' | 'do' | 'definition' | 'transaction' | 'other' | 'fragment';

export interface SqlStatement {
  readonly kind: StatementKind;
  readonly start: number;
  readonly end: number;
  /** `BEGIN`, `COMMIT`, ... sent as text; `undefined` for any other statement. */
  readonly transaction: 'begin' | 'commit' | 'rollback' | 'savepoint' | 'rollbackTo' | 'release' | undefined;
  /** Frees every session-level lock: `DISCARD ALL`. `RESET ALL` does not. */
  readonly discardsAll: boolean;
  /** Whether it reads or writes something besides the locks (so that a transaction-level lock in it guards real work). */
  readonly doesWork: boolean;
  readonly locks: readonly LockCall[];
}

/**
 * What a text says. A text that is no SQL has no statements with locks; nothing throws. A text that has neither a lock function nor a
 * word that begins or ends a transaction has no statements at all.
 */
export interface SqlReading {
  readonly statements: readonly SqlStatement[];
}
