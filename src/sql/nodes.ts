import type { LockFunction, SqlExpression } from './model.js';

/** What the parser of this room makes of a statement: as much of its tree as the questions of the room need. */

export type Expr = Literal | Constant | Column | Call | Cast | Logic | Test | Operation | Case | Subquery | Items | Opaque;

/** A number, string, null, placeholder or hole. */
export interface Literal {
  readonly kind: 'literal';
  readonly value: SqlExpression;
  /** A hole that may be any text, and so several expressions. */
  readonly anyText: boolean;
}

/** TRUE, FALSE, and values that are spelled as words (`CURRENT_USER`). */
export interface Constant {
  readonly kind: 'constant';
  readonly word: string;
}

export interface Column {
  readonly kind: 'column';
  readonly path: readonly string[];
  /** `*`, `t.*`: the path is what stands before the star. */
  readonly star: boolean;
}

export interface Call {
  readonly kind: 'call';
  /** Without its schema. */
  readonly name: string;
  readonly path: readonly string[];
  /** With no schema, or `pg_catalog`. */
  readonly builtin: boolean;
  readonly args: readonly Expr[];
  /** Of FILTER, OVER, WITHIN GROUP, ORDER BY. */
  readonly extras: readonly Expr[];
  readonly aggregate: boolean;
  readonly lock: LockFunction | undefined;
  /** The name in the text. */
  readonly start: number;
  readonly end: number;
}

export interface Cast {
  readonly kind: 'cast';
  readonly type: string;
  readonly of: Expr;
}

export interface Logic {
  readonly kind: 'logic';
  readonly operator: 'and' | 'or' | 'not';
  readonly parts: readonly Expr[];
}

/** A boolean compared with a constant: still that boolean, or its opposite. */
export interface Test {
  readonly kind: 'test';
  readonly of: Expr;
  readonly skeleton: string;
  readonly with: readonly Expr[];
}

/** Any other operator or construct. In the skeleton `{}` stands for a part. */
export interface Operation {
  readonly kind: 'operation';
  readonly skeleton: string;
  readonly parts: readonly Expr[];
  /** What PostgreSQL calls such a column. */
  readonly columnName: string | undefined;
}

export interface Case {
  readonly kind: 'case';
  readonly subject: Expr | undefined;
  readonly conditions: readonly Expr[];
  readonly results: readonly Expr[];
  readonly otherwise: Expr | undefined;
}

export interface Subquery {
  readonly kind: 'subquery';
  readonly use: 'scalar' | 'exists' | 'array' | 'member';
  readonly query: Query;
  /** Its tokens. */
  readonly first: number;
  readonly last: number;
}

export interface Items {
  readonly kind: 'items';
  readonly of: 'row' | 'array';
  readonly items: readonly Expr[];
}

/** Nested deeper than the parser goes. */
export interface Opaque {
  readonly kind: 'opaque';
}

export interface Query {
  readonly ctes: readonly Cte[];
  readonly recursive: boolean;
  /** Several where set operations join them. */
  readonly branches: readonly Branch[];
  /** All of them UNION [ALL]. */
  readonly unions: boolean;
  readonly orderBy: readonly Expr[];
  /** LIMIT and FETCH FIRST, but not LIMIT ALL. */
  readonly limited: boolean;
  readonly offset: boolean;
  /** Of LIMIT, OFFSET and FETCH. */
  readonly counts: readonly Expr[];
}

export type Branch = Select | Values | Modification | Nested;

export interface Nested {
  readonly kind: 'nested';
  readonly query: Query;
}

export interface Cte {
  readonly name: string;
  readonly columns: readonly string[];
  readonly query: Query;
}

export interface Target {
  readonly expr: Expr;
  readonly alias: string | undefined;
}

export interface Select {
  readonly kind: 'select';
  readonly distinct: boolean;
  readonly distinctOn: readonly Expr[];
  readonly targets: readonly Target[];
  /** SELECT INTO makes a table of its rows. */
  readonly into: boolean;
  readonly from: From;
  readonly where: Expr | undefined;
  readonly grouped: boolean;
  readonly groupBy: readonly Expr[];
  readonly having: Expr | undefined;
  readonly windows: readonly Expr[];
}

export interface Values {
  readonly kind: 'values';
  readonly rows: readonly (readonly Expr[])[];
}

export interface Modification {
  readonly kind: 'insert' | 'update' | 'delete' | 'merge';
  readonly source: Query | undefined;
  /** New values: they go into the table. */
  readonly values: readonly Expr[];
  /** The target table first. */
  readonly from: From;
  /** WHERE, and the conditions of MERGE and ON CONFLICT. */
  readonly conditions: readonly Expr[];
  readonly returning: readonly Target[];
}

/** A FROM clause, its joins laid flat. */
export interface From {
  readonly leaves: readonly Leaf[];
  readonly conditions: readonly JoinCondition[];
  /** A NATURAL or USING join merges columns. */
  readonly merges: boolean;
}

export interface JoinCondition {
  readonly expr: Expr;
  /** Whether rows that fail it are dropped: not so in an outer join. */
  readonly filters: boolean;
}

export interface Leaf {
  readonly kind: 'table' | 'query' | 'function' | 'hole';
  /** Of a table. */
  readonly path: readonly string[];
  readonly alias: string | undefined;
  readonly columns: readonly string[];
  readonly query: Query | undefined;
  /** Of a function in FROM; of a table, the numbers of TABLESAMPLE. */
  readonly calls: readonly Expr[];
  readonly ordinality: boolean;
  /** On the side of an outer join that may be missing. */
  readonly optional: boolean;
}
