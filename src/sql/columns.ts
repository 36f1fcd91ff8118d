import { HOLE } from './characters.js';
import type { Cte, Expr, Leaf, Query, Target } from './nodes.js';

/** The output columns of queries, and which tables of a query are its CTEs. */

export interface Slot {
  /** Undefined where the program makes the name. */
  readonly name: string | undefined;
  /** Its place, or -1 after a `*` or a hole of unknown width. */
  readonly index: number;
}

export interface Outputs {
  readonly slots: readonly Slot[];
  /** Whether the slots are all there are. */
  readonly exact: boolean;
}

/** CTEs in sight of a query. */
export interface Env {
  readonly parent: Env | undefined;
  readonly ctes: ReadonlyMap<string, CteInfo>;
  /** CTEs from this one on are not in sight. */
  readonly limit: number;
}

export interface CteInfo {
  readonly cte: Cte;
  readonly index: number;
  outputs: Outputs;
}

const unknown: Outputs = { slots: [], exact: false };

/** PostgreSQL takes no more columns than that; a chain of `SELECT *` could double them at every step. */
const MOST_COLUMNS = 1664;

/** Nor does a statement name as many in all of its queries; a hostile one may make every query as wide as allowed. */
const MOST_IN_ALL = 100_000;

export function findCte(env: Env | undefined, leaf: Leaf): CteInfo | undefined {
  if (leaf.kind !== 'table' || leaf.path.length !== 1) return undefined;
  for (let at = env; at !== undefined; at = at.parent) {
    const found = at.ctes.get(leaf.path[0]!);
    if (found !== undefined && found.index < at.limit) return found;
  }
  return undefined;
}

/** One for every statement: it remembers what it has worked out. */
export class Columns {
  private readonly envs = new Map<Query, Env | undefined>();
  private readonly outputs = new Map<Query, Outputs>();
  private seen = 0;

  /** The CTEs that the body of a query sees. */
  envOf(query: Query, parent: Env | undefined): Env | undefined {
    if (query.ctes.length === 0) return parent;
    const known = this.envs.get(query);
    if (known !== undefined) return known;
    const ctes = new Map<string, CteInfo>();
    const env: Env = { parent, ctes, limit: Infinity };
    this.envs.set(query, env);
    // In their order, so that a long chain of them needs no deep recursion.
    query.ctes.forEach((cte, index) => {
      const info: CteInfo = { cte, index, outputs: unknown };
      ctes.set(cte.name, info);
      const sight = this.envOfCte(query, env, index);
      info.outputs = rename(this.outputsOf(cte.query, sight), cte.columns);
    });
    return env;
  }

  /** The CTEs that a CTE sees: those before it, all of them after RECURSIVE. */
  envOfCte(query: Query, env: Env, index: number): Env {
    return query.recursive ? env : { ...env, limit: index };
  }

  outputsOf(query: Query, parent: Env | undefined): Outputs {
    const known = this.outputs.get(query);
    if (known !== undefined) return known;
    this.outputs.set(query, unknown);
    const found = this.compute(query, this.envOf(query, parent));
    this.outputs.set(query, found);
    return found;
  }

  /** What a table of FROM offers. */
  leafOutputs(leaf: Leaf, env: Env | undefined): Outputs {
    const outputs = this.outputsOfLeaf(leaf, env);
    this.seen += outputs.slots.length;
    return this.seen < MOST_IN_ALL ? outputs : unknown;
  }

  private outputsOfLeaf(leaf: Leaf, env: Env | undefined): Outputs {
    if (leaf.query) return rename(this.outputsOf(leaf.query, env), leaf.columns);
    if (leaf.kind === 'function') return functionOutputs(leaf);
    const cte = findCte(env, leaf);
    return cte ? rename(cte.outputs, leaf.columns) : unknown;
  }

  private compute(query: Query, env: Env | undefined): Outputs {
    const first = query.branches[0];
    if (first === undefined) return unknown;
    switch (first.kind) {
      case 'nested':
        return this.outputsOf(first.query, env);
      case 'values': {
        const width = first.rows[0]?.length ?? 0;
        return { slots: Array.from({ length: width }, (_, index) => ({ name: `column${index + 1}`, index })), exact: true };
      }
      case 'select':
        return this.targetOutputs(first.targets, first.from.leaves, first.from.merges, env);
      default:
        return this.targetOutputs(first.returning, first.from.leaves, false, env);
    }
  }

  private targetOutputs(targets: readonly Target[], leaves: readonly Leaf[], merges: boolean, env: Env | undefined): Outputs {
    const slots: Slot[] = [];
    let exact = true;
    const push = (name: string | undefined): void => {
      slots.push({ name, index: exact ? slots.length : -1 });
    };
    for (const { expr, alias } of targets) {
      if (slots.length >= MOST_COLUMNS) return { slots, exact: false };
      if (expr.kind === 'column' && expr.star) {
        const starred = starLeaves(expr.path, leaves);
        for (const leaf of starred) {
          const outputs = this.leafOutputs(leaf, env);
          if (!outputs.exact || merges) exact = false;
          for (const { name } of outputs.slots) push(name);
        }
        if (starred.length === 0) exact = false;
      } else if ((expr.kind === 'literal' && expr.anyText) || (expr.kind === 'operation' && expr.skeleton === '{}.*')) {
        push(alias);
        exact = false;
      } else {
        push(alias ?? this.nameOf(expr, env));
      }
    }
    return { slots, exact };
  }

  /**
   * What PostgreSQL calls an output column that has no alias: `FigureColname` in
   * https://github.com/postgres/postgres/blob/master/src/backend/parser/parse_target.c
   */
  private nameOf(expr: Expr, env: Env | undefined): string {
    return this.strongName(expr, env)?.name ?? '?column?';
  }

  private strongName(expr: Expr, env: Env | undefined): Name | undefined {
    switch (expr.kind) {
      case 'column':
        return strong(expr.path.at(-1));
      case 'call':
        return strong(expr.name);
      case 'constant':
        return strong(['true', 'false', 'default', 'one'].includes(expr.word) ? undefined : expr.word);
      case 'cast': {
        const inner = this.strongName(expr.of, env);
        return inner && !inner.weak ? inner : { name: expr.type.replace(/\[\]$/, '').split('.').at(-1)!, weak: true };
      }
      case 'case': {
        const otherwise = expr.otherwise && this.strongName(expr.otherwise, env);
        return otherwise && !otherwise.weak ? otherwise : { name: 'case', weak: true };
      }
      case 'subquery':
        if (expr.use === 'member') return undefined;
        return strong(expr.use === 'scalar' ? this.outputsOf(expr.query, env).slots[0]?.name : expr.use);
      case 'items':
        return strong(expr.of);
      case 'operation':
        if (expr.columnName !== undefined) return strong(expr.columnName);
        return expr.skeleton.startsWith('{}[') ? this.strongName(expr.parts[0]!, env) : undefined;
      default:
        return undefined;
    }
  }
}

/** A weak name gives way to a stronger one outside of it. */
interface Name {
  readonly name: string;
  readonly weak: boolean;
}

function strong(name: string | undefined): Name | undefined {
  return name === undefined ? undefined : { name, weak: false };
}

/** The tables that `*` or `t.*` stands for. */
export function starLeaves(path: readonly string[], leaves: readonly Leaf[]): readonly Leaf[] {
  return path.length === 0 ? leaves : leaves.filter((leaf) => leafName(leaf) === path.at(-1));
}

/** The name by which other clauses speak of a table. */
export function leafName(leaf: Leaf): string | undefined {
  if (leaf.alias !== undefined) return leaf.alias;
  const call = leaf.calls[0];
  return leaf.kind === 'function' && call?.kind === 'call' ? call.name : leaf.path.at(-1);
}

/** Names after a table's alias replace its own, from the first on. */
function rename(outputs: Outputs, names: readonly string[]): Outputs {
  if (names.length === 0) return outputs;
  const slots = outputs.slots.map((slot, at) => ({ ...slot, name: names[at] ?? slot.name }));
  for (let at = slots.length; at < names.length; at += 1) slots.push({ name: names[at], index: outputs.exact ? at : -1 });
  return { slots, exact: outputs.exact };
}

/**
 * A function that gives one value is a table of one column with the name of its alias, or its own. Lock functions do; what other
 * functions give, nothing here knows.
 */
function functionOutputs(leaf: Leaf): Outputs {
  const scalar = leaf.calls.every((call) => call.kind === 'call' && call.lock !== undefined);
  const names = leaf.calls.map((call, at) => leaf.columns[at] ?? (leaf.calls.length === 1 ? leaf.alias : undefined) ?? (call.kind === 'call' ? call.name : undefined));
  if (!scalar) return { slots: leaf.columns.map((name) => ({ name, index: -1 })), exact: false };
  if (leaf.ordinality) names.push(leaf.columns[names.length] ?? 'ordinality');
  return { slots: names.map((name, index) => ({ name, index })), exact: true };
}

/** Whether a name is in the text, and not made by the program. */
export function isPlain(name: string | undefined): name is string {
  return name !== undefined && !name.includes(HOLE);
}
