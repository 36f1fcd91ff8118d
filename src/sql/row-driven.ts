import type { Columns} from './columns.js';
import { findCte, leafName, type Env } from './columns.js';
import type { LockCall } from './model.js';
import type { Branch, Call, Expr, Leaf, Query, Select } from './nodes.js';
import { hasAggregate, isAggregated, walkExpr } from './walk.js';

/**
 * Lock functions that PostgreSQL may evaluate for rows that the statement does not return.
 * https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS
 */

export type RowDriven = LockCall['rowDriven'];

type Place = 'list' | 'filter' | 'orderBy' | 'distinct' | 'groupBy' | 'from' | 'other';

/** A query as a call in it sees it. */
interface Frame {
  readonly overTable: boolean;
  readonly leaves: readonly Leaf[];
  /** Names of the tables whose rows are few and all wanted. */
  readonly bounded: ReadonlySet<string>;
  /** Why not every evaluation of the select list is returned. */
  readonly list: RowDriven;
  /** The same for a sort key. */
  readonly sort: RowDriven;
  /** The same for a query in FROM. */
  readonly drops: RowDriven;
  readonly limited: boolean;
  readonly outer: { readonly frame: Frame; readonly place: Place } | undefined;
}

/** ORDER BY, LIMIT and OFFSET of a query and of those it is a branch of. */
interface Tail {
  readonly ordered: boolean;
  readonly limited: boolean;
  readonly offset: boolean;
}

const noTail: Tail = { ordered: false, limited: false, offset: false };

export class RowDrivenCalls {
  private readonly found = new Map<Call, RowDriven>();
  private readonly tables = new Map<Query, boolean>();

  constructor(private readonly columns: Columns) {}

  of(call: Call): RowDriven {
    return this.found.get(call);
  }

  read(query: Query): void {
    this.query(query, undefined, undefined, noTail);
  }

  private query(query: Query, parent: Env | undefined, outer: Frame['outer'], around: Tail): void {
    const env = this.columns.envOf(query, parent);
    query.ctes.forEach((cte, at) => this.query(cte.query, this.columns.envOfCte(query, env!, at), undefined, noTail));
    const tail: Tail = {
      ordered: around.ordered || query.orderBy.length > 0,
      limited: around.limited || query.limited,
      offset: around.offset || query.offset,
    };
    for (const branch of query.branches) this.branch(query, branch, env, outer, tail);
  }

  private branch(query: Query, branch: Branch, env: Env | undefined, outer: Frame['outer'], tail: Tail): void {
    if (branch.kind === 'nested') {
      this.query(branch.query, env, outer, tail);
      return;
    }
    if (branch.kind === 'values') {
      const frame = this.frame([], env, outer, undefined, noTail);
      for (const row of branch.rows) this.exprs(row, 'other', frame, env);
      return;
    }
    const { leaves, conditions } = branch.from;
    const frame = this.frame(leaves, env, outer, branch.kind === 'select' ? branch : undefined, tail);
    for (const { expr } of conditions) this.exprs([expr], 'filter', frame, env);
    for (const leaf of leaves) {
      this.exprs(leaf.calls, 'from', frame, env);
      if (leaf.query) this.query(leaf.query, env, { frame, place: 'from' }, noTail);
    }
    if (branch.kind === 'select') this.select(branch, frame, env);
    else {
      this.exprs(branch.conditions, 'filter', frame, env);
      this.exprs(branch.values, 'other', frame, env);
      for (const { expr } of branch.returning) this.exprs([expr], 'other', frame, env);
      if (branch.source) this.query(branch.source, env, undefined, noTail);
    }
    this.exprs(query.orderBy, 'orderBy', frame, env);
    this.exprs(query.counts, 'other', frame, env);
  }

  private select(select: Select, frame: Frame, env: Env | undefined): void {
    for (const { expr } of select.targets) this.exprs([expr], 'list', frame, env);
    this.exprs(select.distinctOn, 'distinct', frame, env);
    this.exprs(select.groupBy, 'groupBy', frame, env);
    this.exprs(select.windows, 'other', frame, env);
    for (const expr of [select.where, select.having]) if (expr) this.exprs([expr], 'filter', frame, env);
  }

  private exprs(exprs: readonly Expr[], place: Place, frame: Frame, env: Env | undefined): void {
    for (const expr of exprs) {
      walkExpr(
        expr,
        (part) => {
          if (part.kind === 'call' && part.lock) this.found.set(part, this.judge(part, place, frame));
        },
        (subquery) => this.query(subquery.query, env, { frame, place }, noTail),
      );
    }
  }

  private judge(call: Call, place: Place, frame: Frame): RowDriven {
    const references = columnsIn(call.args);
    const here = frame.overTable ? this.judgeHere(references, place, frame) : undefined;
    if (here !== undefined || frame.outer === undefined) return here;
    const { outer } = frame;
    const speaksOfOuter = references.some((path) => !speaksOf(path, frame));
    // A query in FROM gives its rows to the query around it, which may drop them.
    if (outer.place === 'from') {
      const manyRows = frame.overTable || (speaksOfOuter && outer.frame.overTable);
      return place === 'list' && manyRows && !frame.limited ? outer.frame.drops : undefined;
    }
    // A query in an expression that does not speak of the rows around it is evaluated once.
    return speaksOfOuter ? this.judge(call, outer.place, outer.frame) : undefined;
  }

  private judgeHere(references: readonly (readonly string[])[], place: Place, frame: Frame): RowDriven {
    switch (place) {
      case 'filter':
        return references.length > 0 && references.every((path) => path.length > 1 && frame.bounded.has(path.at(-2)!)) ? undefined : 'filter';
      case 'list':
        return frame.list;
      case 'orderBy':
        return frame.sort;
      case 'distinct':
        return 'distinct';
      case 'groupBy':
        return 'aggregate';
      default:
        return undefined;
    }
  }

  private frame(leaves: readonly Leaf[], env: Env | undefined, outer: Frame['outer'], select: Select | undefined, tail: Tail): Frame {
    const bounded = new Set<string>();
    let overTable = false;
    for (const leaf of leaves) {
      const name = leafName(leaf);
      if (this.isOverTable(leaf, env)) overTable = true;
      else if (name !== undefined) bounded.add(name);
    }
    const drops = tail.offset ? 'offset' : tail.limited && tail.ordered ? 'limit' : undefined;
    return { overTable, leaves, bounded, list: select && listReason(select, tail), sort: cutReason(tail), drops, limited: tail.limited, outer };
  }

  /** Whether a table of FROM may have more rows than the statement is about. */
  private isOverTable(leaf: Leaf, env: Env | undefined): boolean {
    if (leaf.kind === 'function') return false;
    if (leaf.query) return this.readsTable(leaf.query, env);
    const cte = findCte(env, leaf);
    return cte === undefined || (this.tables.get(cte.cte.query) ?? this.readsTable(cte.cte.query, env));
  }

  /** Whether the rows of a query are those of a table: not after LIMIT, not one row of an aggregate, not changed rows. */
  private readsTable(query: Query, parent: Env | undefined): boolean {
    const known = this.tables.get(query);
    if (known !== undefined) return known;
    this.tables.set(query, false);
    const env = this.columns.envOf(query, parent);
    const reads =
      !query.limited &&
      query.branches.some((branch) => {
        if (branch.kind === 'nested') return this.readsTable(branch.query, env);
        return branch.kind === 'select' && !isAggregated(branch) && branch.from.leaves.some((leaf) => this.isOverTable(leaf, env));
      });
    this.tables.set(query, reads);
    return reads;
  }
}

function listReason(select: Select, tail: Tail): RowDriven {
  if (select.grouped || select.targets.some(({ expr }) => hasAggregate(expr)) || select.having !== undefined) return 'aggregate';
  if (select.distinct) return 'distinct';
  return cutReason(tail);
}

function cutReason(tail: Tail): RowDriven {
  if (tail.offset) return 'offset';
  if (tail.limited) return 'limit';
  return tail.ordered ? 'orderBy' : undefined;
}

function columnsIn(exprs: readonly Expr[]): (readonly string[])[] {
  const paths: (readonly string[])[] = [];
  for (const expr of exprs) {
    walkExpr(
      expr,
      (part) => {
        if (part.kind === 'column' && !part.star) paths.push(part.path);
      },
      () => {},
    );
  }
  return paths;
}

/** Whether a column may be one of this query's own tables. */
function speaksOf(path: readonly string[], frame: Frame): boolean {
  return path.length > 1 ? frame.leaves.some((leaf) => leafName(leaf) === path.at(-2)) : frame.leaves.length > 0;
}
