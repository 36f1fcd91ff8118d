import type { Columns} from './columns.js';
import { findCte, isPlain, leafName, starLeaves, type CteInfo, type Env, type Outputs } from './columns.js';
import type { LockAnswer } from './model.js';
import type { Branch, Call, Case, Expr, Leaf, Modification, Query, Select, Subquery, Target } from './nodes.js';
import { isAggregated } from './walk.js';
import { exprWorks } from './work.js';

/**
 * Where the answers of lock functions come out. From the top of a statement down, every expression and every query is told what
 * becomes of its value and of the presence of its rows; a table of FROM and a CTE learn it from the places that speak of them, which
 * are therefore visited first.
 */

/**
 * Like an answer. `none` where the value is never made; `unused` where it is made and nothing uses it; `effect` where it decides whether
 * the statement does its work, and so how many rows it counts.
 */
type Flow = LockAnswer | Use<'none'> | Use<'unused'> | Use<'effect'>;

interface Use<Kind> {
  readonly kind: Kind;
}

const none: Flow = { kind: 'none' };
const unused: Flow = { kind: 'unused' };
const inside: Flow = { kind: 'inside' };
const effect: Flow = { kind: 'effect' };
const row: Flow = { kind: 'row' };
/** The rows of the statement itself: of these alone it is asked what they are made by, so that no query is gone through twice. */
const rowsOfStatement: Flow = { kind: 'row' };

/** From what asks least of the program to what asks most, after the places that use nothing. */
const ORDER: readonly Flow['kind'][] = ['none', 'unused', 'inside', 'dropped', 'effect', 'row', 'column'];

const isUnused = ({ kind }: Flow): boolean => kind === 'none' || kind === 'unused';

/** A value that is used for two things is reported as the one that asks less of the program. */
function join(one: Flow, other: Flow): Flow {
  const [less, more] = ORDER.indexOf(one.kind) <= ORDER.indexOf(other.kind) ? [one, other] : [other, one];
  if (isUnused(less)) return more;
  const isSame = less.kind !== 'column' || more.kind !== 'column' || (less.index === more.index && less.name === more.name);
  return isSame ? less : inside;
}

/** What becomes of a value that another value is made of. */
function used(flow: Flow): Flow {
  return isUnused(flow) ? flow : inside;
}

/** The same in a condition, where every part has a say. */
function partOf(flow: Flow): Flow {
  return flow.kind === 'row' || flow.kind === 'effect' ? flow : used(flow);
}

/** What the outside does with the slots of a query. */
type Out = (slot: number) => Flow;

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

  /** `rows`: what becomes of the rows of the table. */
  flow(slot: number, rows: Flow): Flow {
    return this.flows[slot] ?? (rows.kind === 'none' ? none : unused);
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

  /** Notes that the column of this path is used so; in the tables around where it is none of these. */
  mark(path: readonly string[], flow: Flow, certain = true): void {
    if (isUnused(flow) || path.length === 0) return;
    if (path.length > 1) this.markQualified(path, flow);
    else this.markPlain(path, flow, certain);
  }

  private markQualified(path: readonly string[], flow: Flow): void {
    const use = this.aliases.get(path.at(-2)!);
    if (use === undefined) {
      this.parent?.mark(path, flow);
      return;
    }
    const slot = use.outputs.slots.findIndex((column) => column.name === path.at(-1));
    if (slot >= 0) use.add(slot, flow);
  }

  private markPlain(path: readonly string[], flow: Flow, certain: boolean): void {
    const column = this.columns.get(path[0]!);
    // The name of a table is its whole row.
    const use = this.aliases.get(path[0]!);
    if (column) column.use.add(column.slot, certain && !column.shared ? flow : inside);
    else if (use) use.addAll(inside);
    else this.parent?.mark(path, flow, certain && this.exact);
  }
}

/** Where an expression stands. */
interface Context {
  readonly env: Env | undefined;
  readonly scope: Scope | undefined;
}

const top: Context = { env: undefined, scope: undefined };

interface CteUse {
  readonly flows: Flow[];
  rows: Flow;
}

export class Answers {
  private readonly found = new Map<Call, Flow>();
  private readonly cteUses = new Map<CteInfo, CteUse>();

  /** @param isOpen whether parts of the statement are unknown */
  constructor(private readonly columns: Columns, private readonly isOpen: boolean) {}

  /** Follows the answers through a whole statement; what is not read of it may use any of them. */
  readStatement(query: Query, into: 'client' | 'nothing'): void {
    const { slots } = this.columns.outputsOf(query, undefined);
    const toClient: Out = (at) => {
      const slot = slots[at];
      return isPlain(slot?.name) ? { kind: 'column', name: slot.name, index: slot.index } : inside;
    };
    if (into === 'client') this.query(query, toClient, rowsOfStatement, top);
    else this.query(query, () => inside, inside, top);
  }

  /** A loose list of targets; only an alias tells what becomes of a value. */
  readFragment(targets: readonly Target[]): void {
    for (const { expr, alias } of targets) this.expr(expr, isPlain(alias) ? { kind: 'column', name: alias, index: -1 } : inside, top);
  }

  of(call: Call): LockAnswer {
    const flow = this.found.get(call) ?? none;
    if (flow.kind === 'unused') return { kind: this.isOpen || call.lock?.operation === 'acquire' ? 'inside' : 'dropped' };
    // Who has lost a lock of the transaction, and with it the work, need not know; one of the session has to be freed.
    if (flow.kind === 'effect') return { kind: call.lock?.level === 'transaction' ? 'inside' : 'row' };
    return flow.kind === 'none' ? { kind: 'inside' } : flow;
  }

  private query(query: Query, out: Out, rows: Flow, around: Context): void {
    const env = this.columns.envOf(query, around.env);
    const context = { ...around, env };
    for (const branch of query.branches) {
      // Which branch a row comes from, it does not say; and other set operations than UNION compare values.
      if (query.branches.length === 1) this.branch(branch, out, rows, context);
      else this.branch(branch, query.unions ? out : (slot) => used(out(slot)), used(rows), context);
    }
    this.exprs(query.orderBy, none, context);
    this.exprs(query.counts, used(rows), context);
    for (let at = query.ctes.length - 1; at >= 0; at -= 1) {
      const info = env!.ctes.get(query.ctes[at]!.name)!;
      if (info.index !== at) continue;
      const use = this.cteUse(info);
      this.query(info.cte.query, (slot) => use.flows[slot] ?? (use.rows.kind === 'none' ? none : unused), use.rows, { ...around, env: this.columns.envOfCte(query, env!, at) });
    }
  }

  private cteUse(info: CteInfo): CteUse {
    let use = this.cteUses.get(info);
    if (use === undefined) this.cteUses.set(info, (use = { flows: [], rows: none }));
    return use;
  }

  private branch(branch: Branch, out: Out, rows: Flow, context: Context): void {
    if (branch.kind === 'nested') this.query(branch.query, out, rows, context);
    else if (branch.kind === 'select') this.select(branch, out, rows, context);
    else if (branch.kind !== 'values') this.modification(branch, out, rows, context);
    else for (const items of branch.rows) items.forEach((expr, slot) => this.expr(expr, out(slot), context));
  }

  private select(select: Select, out: Out, outer: Flow, { env, scope: parent }: Context): void {
    const works = outer === rowsOfStatement && select.targets.some(({ expr }) => exprWorks(expr, this.columns, env));
    const rows = outer === rowsOfStatement ? row : outer;
    const scope = new Scope(select.from.leaves, this.columns, env, parent);
    const context = { env, scope };
    // An aggregate gives its one row whatever it finds.
    const inner = isAggregated(select) ? used(rows) : works ? effect : rows;
    this.targets(select.targets, select.into ? (slot) => used(out(slot)) : out, scope, env);
    for (const list of [select.distinctOn, select.groupBy, select.windows]) this.exprs(list, none, context);
    if (select.where) this.expr(select.where, inner, context);
    if (select.having) this.expr(select.having, rows, context);
    for (const { expr, filters } of select.from.conditions) this.expr(expr, filters ? inner : used(inner), context);
    this.leaves(scope, inner, env);
  }

  private modification(change: Modification, out: Out, rows: Flow, { env, scope: parent }: Context): void {
    const scope = new Scope(change.from.leaves, this.columns, env, parent);
    const context = { env, scope };
    // It is done even where nobody looks at its rows.
    const done = rows.kind === 'row' ? effect : inside;
    this.targets(change.returning, out, scope, env);
    this.exprs(change.values, inside, context);
    this.exprs(change.conditions, done, context);
    for (const { expr, filters } of change.from.conditions) this.expr(expr, filters ? done : inside, context);
    if (change.source) this.query(change.source, () => inside, done, context);
    this.leaves(scope, done, env);
  }

  private targets(targets: readonly Target[], out: Out, scope: Scope, env: Env | undefined): void {
    let slot = 0;
    for (const { expr } of targets) {
      if (expr.kind !== 'column' || !expr.star) {
        this.expr(expr, out(slot), { env, scope });
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
      // Of several functions, one may have several columns.
      leaf.calls.forEach((call, slot) => this.expr(call, use.outputs.exact ? use.flow(slot, inner) : inside, { env, scope }));
      if (leaf.query) this.query(leaf.query, (slot) => use.flow(slot, inner), inner, { env, scope });
      const cte = findCte(env, leaf);
      if (cte === undefined) continue;
      const cteUse = this.cteUse(cte);
      use.flows.forEach((flow, slot) => (cteUse.flows[slot] = join(cteUse.flows[slot] ?? none, flow)));
      cteUse.rows = join(cteUse.rows, inner);
    }
  }

  private exprs(exprs: readonly Expr[], flow: Flow, context: Context): void {
    for (const expr of exprs) this.expr(expr, flow, context);
  }

  private expr(expr: Expr, flow: Flow, context: Context): void {
    switch (expr.kind) {
      case 'column':
        context.scope?.mark(expr.path, expr.star ? used(flow) : flow);
        break;
      case 'call':
        if (expr.lock) this.found.set(expr, join(this.found.get(expr) ?? none, flow));
        this.exprs(expr.args, expr.builtin && expr.name === 'coalesce' ? flow : used(flow), context);
        this.exprs(expr.extras, used(flow), context);
        break;
      case 'cast':
        this.expr(expr.of, flow.kind === 'column' ? { ...flow, isCast: true } : flow, context);
        break;
      case 'test':
        this.expr(expr.of, flow, context);
        break;
      case 'logic':
        this.exprs(expr.parts, flow, context);
        break;
      case 'operation':
        this.exprs(expr.parts, partOf(flow), context);
        break;
      case 'items':
        this.exprs(expr.items, partOf(flow), context);
        break;
      case 'case':
        this.choice(expr, flow, context);
        break;
      case 'subquery':
        this.subquery(expr, flow, context);
        break;
      case 'literal':
      case 'constant':
      case 'opaque':
        break;
    }
  }

  /** CASE gives on its results; its conditions only where it makes booleans of them. */
  private choice({ subject, conditions, results, otherwise }: Case, flow: Flow, context: Context): void {
    const outcomes = otherwise ? [...results, otherwise] : results;
    const keeps = subject === undefined && outcomes.every(isBoolean);
    this.exprs(subject ? [subject, ...conditions] : conditions, keeps ? flow : partOf(flow), context);
    this.exprs(outcomes, flow, context);
  }

  private subquery({ use, query }: Subquery, flow: Flow, context: Context): void {
    switch (use) {
      case 'scalar':
        this.query(query, (slot) => (slot === 0 ? flow : none), partOf(flow), context);
        break;
      case 'exists':
        // Its select list is never evaluated.
        this.query(query, () => none, flow, context);
        break;
      case 'member':
        this.query(query, () => partOf(flow), partOf(flow), context);
        break;
      case 'array':
        this.query(query, () => used(flow), used(flow), context);
        break;
    }
  }
}

function isBoolean(expr: Expr): boolean {
  return expr.kind === 'constant' && (expr.word === 'true' || expr.word === 'false');
}
