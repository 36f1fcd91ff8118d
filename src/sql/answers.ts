import type { Columns} from './columns.js';
import { findCte, isPlain, leafName, starLeaves, type CteInfo, type Env, type Outputs } from './columns.js';
import type { LockAnswer } from './model.js';
import type { Branch, Call, Expr, Leaf, Modification, Query, Select, Subquery, Target } from './nodes.js';
import { isAggregated } from './walk.js';

/**
 * Where the answers of lock functions come out. From the top of a statement down, every expression and every query is told what
 * becomes of its value and of the presence of its rows; a table of FROM and a CTE learn it from the places that speak of them, which
 * are therefore visited first.
 */

/** Like an answer; `none` where nothing uses the value. */
type Flow = LockAnswer | { readonly kind: 'none' };

const none: Flow = { kind: 'none' };
const inside: Flow = { kind: 'inside' };
const row: Flow = { kind: 'row' };

/** A value that is used for two things is reported as the one that asks less of the program. */
function join(one: Flow, other: Flow): Flow {
  if (one.kind === 'none') return other;
  if (other.kind === 'none' || (one.kind === 'column' && other.kind === 'column' && one.index === other.index && one.name === other.name)) return one;
  return one.kind === 'row' && other.kind !== 'inside' ? row : other.kind === 'row' && one.kind !== 'inside' ? row : inside;
}

/** What becomes of a value that another value is made of. */
function used(flow: Flow): Flow {
  return flow.kind === 'none' ? none : inside;
}

/** What the outside does with the slots of a query. */
type Out = (slot: number) => Flow;

const toNothing: Out = () => none;

/** A table of FROM, with what is known to become of its columns. */
class LeafUse {
  readonly flows: Flow[] = [];
  constructor(
    readonly leaf: Leaf,
    readonly outputs: Outputs,
  ) {}

  add(slot: number, flow: Flow): void {
    this.flows[slot] = join(this.flows[slot] ?? none, flow);
  }

  addAll(flow: Flow): void {
    for (let slot = 0; slot < this.outputs.slots.length; slot += 1) this.add(slot, flow);
  }

  flow(slot: number): Flow {
    return this.flows[slot] ?? none;
  }
}

/** The tables that an expression may speak of, and those of the queries around. */
class Scope {
  readonly uses: readonly LeafUse[];
  private readonly aliases = new Map<string, LeafUse>();
  private readonly columns = new Map<string, { use: LeafUse; slot: number; shared: boolean }>();
  private readonly exact: boolean;

  constructor(
    leaves: readonly Leaf[],
    columns: Columns,
    env: Env | undefined,
    readonly parent: Scope | undefined,
  ) {
    this.uses = leaves.map((leaf) => new LeafUse(leaf, columns.leafOutputs(leaf, env)));
    this.exact = this.uses.every((use) => use.outputs.exact);
    for (const use of this.uses) {
      const name = leafName(use.leaf);
      if (name !== undefined && !this.aliases.has(name)) this.aliases.set(name, use);
      use.outputs.slots.forEach((slot, index) => {
        if (slot.name === undefined) return;
        const other = this.columns.get(slot.name);
        if (other) other.shared = true;
        else this.columns.set(slot.name, { use, slot: index, shared: false });
      });
    }
  }

  /** Notes that the column of this path is used so. */
  mark(path: readonly string[], flow: Flow): void {
    if (flow.kind === 'none' || path.length === 0) return;
    const name = path.at(-1)!;
    let certain = true;
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.parent) {
      if (path.length > 1) {
        const use = scope.aliases.get(path.at(-2)!);
        const slot = use?.outputs.slots.findIndex((column) => column.name === name) ?? -1;
        if (slot >= 0) use!.add(slot, flow);
        if (use) return;
      } else {
        const column = scope.columns.get(name);
        if (column) { column.use.add(column.slot, certain && !column.shared ? flow : inside); return; }
        // The name of a table is its whole row.
        const use = scope.aliases.get(name);
        if (use) { use.addAll(inside); return; }
        if (!scope.exact) certain = false;
      }
    }
  }
}

interface CteUse {
  readonly flows: Flow[];
  rows: Flow;
}

export class Answers {
  private readonly found = new Map<Call, Flow>();
  private readonly cteUses = new Map<CteInfo, CteUse>();

  constructor(private readonly columns: Columns) {}

  /** Follows the answers through a whole statement. */
  readStatement(query: Query, into: 'client' | 'nothing'): void {
    if (into === 'nothing') { this.query(query, () => inside, inside, undefined, undefined); return; }
    const { slots } = this.columns.outputsOf(query, undefined);
    const out: Out = (at) => {
      const slot = slots[at];
      return isPlain(slot?.name) ? { kind: 'column', name: slot.name, index: slot.index } : inside;
    };
    this.query(query, out, row, undefined, undefined);
  }

  of(call: Call): LockAnswer {
    const flow = this.found.get(call) ?? none;
    return flow.kind === 'none' ? { kind: 'inside' } : flow;
  }

  /** A loose list of targets; only an alias tells what becomes of a value. */
  readFragment(targets: readonly Target[]): void {
    for (const { expr, alias } of targets) this.expr(expr, isPlain(alias) ? { kind: 'column', name: alias, index: -1 } : inside, undefined, undefined);
  }

  private query(query: Query, out: Out, rows: Flow, parent: Env | undefined, scope: Scope | undefined): void {
    const env = this.columns.envOf(query, parent);
    const several = query.branches.length > 1;
    for (const branch of query.branches) {
      // Which branch a row comes from, it does not say; and other set operations than UNION compare values.
      if (several) this.branch(branch, query.unions ? out : (slot) => used(out(slot)), used(rows), env, scope);
      else this.branch(branch, out, rows, env, scope);
    }
    for (const expr of query.orderBy) this.expr(expr, none, env, scope);
    for (const expr of query.counts) this.expr(expr, used(rows), env, scope);
    for (let at = query.ctes.length - 1; at >= 0; at -= 1) {
      const info = env!.ctes.get(query.ctes[at]!.name)!;
      if (info.index !== at) continue;
      const use = this.cteUse(info);
      this.query(info.cte.query, (slot) => use.flows[slot] ?? none, use.rows, this.columns.envOfCte(query, env!, at), scope);
    }
  }

  private cteUse(info: CteInfo): CteUse {
    let use = this.cteUses.get(info);
    if (use === undefined) this.cteUses.set(info, (use = { flows: [], rows: none }));
    return use;
  }

  private branch(branch: Branch, out: Out, rows: Flow, env: Env | undefined, scope: Scope | undefined): void {
    switch (branch.kind) {
      case 'nested':
        { this.query(branch.query, out, rows, env, scope); return; }
      case 'values':
        for (const items of branch.rows) items.forEach((expr, slot) => this.expr(expr, out(slot), env, scope));
        return;
      case 'select':
        { this.select(branch, out, rows, env, scope); return; }
      default:
        { this.modification(branch, out, rows, env, scope); return; }
    }
  }

  private select(select: Select, out: Out, rows: Flow, env: Env | undefined, parent: Scope | undefined): void {
    const scope = new Scope(select.from.leaves, this.columns, env, parent);
    // An aggregate gives its one row whatever it finds.
    const inner = isAggregated(select) ? used(rows) : rows;
    this.targets(select.targets, select.into ? (slot) => used(out(slot)) : out, env, scope);
    for (const list of [select.distinctOn, select.groupBy, select.windows]) for (const expr of list) this.expr(expr, none, env, scope);
    if (select.where) this.expr(select.where, inner, env, scope);
    if (select.having) this.expr(select.having, rows, env, scope);
    for (const { expr, filters } of select.from.conditions) this.expr(expr, filters ? inner : used(inner), env, scope);
    this.leaves(scope, inner, env);
  }

  private modification(change: Modification, out: Out, rows: Flow, env: Env | undefined, parent: Scope | undefined): void {
    const scope = new Scope(change.from.leaves, this.columns, env, parent);
    // It is done even where nobody looks at its rows.
    const effect = rows.kind === 'none' ? inside : rows;
    this.targets(change.returning, out, env, scope);
    for (const expr of change.values) this.expr(expr, inside, env, scope);
    for (const expr of change.conditions) this.expr(expr, effect, env, scope);
    for (const { expr, filters } of change.from.conditions) this.expr(expr, filters ? effect : inside, env, scope);
    if (change.source) this.query(change.source, () => inside, effect, env, scope);
    this.leaves(scope, effect, env);
  }

  private targets(targets: readonly Target[], out: Out, env: Env | undefined, scope: Scope): void {
    let slot = 0;
    for (const { expr } of targets) {
      if (expr.kind !== 'column' || !expr.star) {
        this.expr(expr, out(slot), env, scope);
        slot += 1;
        continue;
      }
      const leaves = new Set(starLeaves(expr.path, scope.uses.map((use) => use.leaf)));
      for (const use of scope.uses) {
        if (!leaves.has(use.leaf)) continue;
        for (let at = 0; at < use.outputs.slots.length; at += 1) use.add(at, out(slot++));
      }
    }
  }

  /** The tables, last first: one may speak of those before it. */
  private leaves(scope: Scope, rows: Flow, env: Env | undefined): void {
    for (let at = scope.uses.length - 1; at >= 0; at -= 1) {
      const use = scope.uses[at]!;
      const { leaf } = use;
      const inner = leaf.optional ? used(rows) : rows;
      leaf.calls.forEach((call, slot) => this.expr(call, use.flow(slot), env, scope));
      if (leaf.query) this.query(leaf.query, (slot) => use.flow(slot), inner, env, scope);
      const cte = findCte(env, leaf);
      if (cte === undefined) continue;
      const cteUse = this.cteUse(cte);
      use.flows.forEach((flow, slot) => (cteUse.flows[slot] = join(cteUse.flows[slot] ?? none, flow)));
      cteUse.rows = join(cteUse.rows, inner);
    }
  }

  private expr(expr: Expr, flow: Flow, env: Env | undefined, scope: Scope | undefined): void {
    const each = (exprs: readonly Expr[], to: Flow): void => {
      for (const part of exprs) this.expr(part, to, env, scope);
    };
    // In a condition every part has a say; a value that is made of others hides them.
    const part = flow.kind === 'row' ? flow : used(flow);
    switch (expr.kind) {
      case 'column':
        return expr.star ? scope?.mark(expr.path, used(flow)) : scope?.mark(expr.path, flow);
      case 'call':
        if (expr.lock) this.found.set(expr, join(this.found.get(expr) ?? none, flow));
        each(expr.args, expr.builtin && expr.name === 'coalesce' ? flow : used(flow));
        { each(expr.extras, used(flow)); return; }
      case 'cast':
        { this.expr(expr.of, flow, env, scope); return; }
      case 'logic':
        { each(expr.parts, flow); return; }
      case 'test':
        { this.expr(expr.of, flow, env, scope); return; }
      case 'operation':
        { each(expr.parts, part); return; }
      case 'case':
        each([...(expr.subject ? [expr.subject] : []), ...expr.conditions], part);
        { each([...expr.results, ...(expr.otherwise ? [expr.otherwise] : [])], flow); return; }
      case 'items':
        { each(expr.items, used(flow)); return; }
      case 'subquery':
        { this.subquery(expr, flow, env, scope); return; }
    }
  }

  private subquery({ use, query }: Subquery, flow: Flow, env: Env | undefined, scope: Scope | undefined): void {
    const part = flow.kind === 'row' ? flow : used(flow);
    switch (use) {
      case 'scalar':
        { this.query(query, (slot) => (slot === 0 ? flow : none), part, env, scope); return; }
      case 'exists':
        { this.query(query, toNothing, flow, env, scope); return; }
      case 'member':
        { this.query(query, () => part, part, env, scope); return; }
      case 'array':
        { this.query(query, () => used(flow), used(flow), env, scope); return; }
    }
  }
}
