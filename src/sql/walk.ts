import type { Expr, Query, Select, Subquery } from './nodes.js';

/** The expressions right within an expression; queries in it are no expressions. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'call':
      return expr.extras.length === 0 ? expr.args : [...expr.args, ...expr.extras];
    case 'cast':
      return [expr.of];
    case 'logic':
    case 'operation':
      return expr.parts;
    case 'test':
      return [expr.of, ...expr.with];
    case 'case':
      return [expr.subject, ...expr.conditions, ...expr.results, expr.otherwise].filter((part) => part !== undefined);
    case 'items':
      return expr.items;
    default:
      return [];
  }
}

/** Whether a select makes one row of all its rows: an aggregate without GROUP BY. */
export function isAggregated(select: Select): boolean {
  return !select.grouped && (select.targets.some(({ expr }) => hasAggregate(expr)) || (select.having !== undefined && hasAggregate(select.having)));
}

/** Whether an aggregate stands in an expression, not counting queries in it. */
export function hasAggregate(expr: Expr): boolean {
  return (expr.kind === 'call' && expr.aggregate) || childrenOf(expr).some(hasAggregate);
}

/** Visits an expression and all within; `enter` gets the queries. */
export function walkExpr(expr: Expr, visit: (expr: Expr) => void, enter: (subquery: Subquery) => void): void {
  visit(expr);
  if (expr.kind === 'subquery') enter(expr);
  for (const child of childrenOf(expr)) walkExpr(child, visit, enter);
}

/** Every expression of a query that is not in a query within. */
export function expressionsOf(query: Query): Expr[] {
  const exprs: Expr[] = [...query.orderBy, ...query.counts];
  const add = (expr: Expr | undefined): void => {
    if (expr) exprs.push(expr);
  };
  for (const branch of query.branches) {
    if (branch.kind === 'nested') continue;
    if (branch.kind === 'values') {
      for (const row of branch.rows) for (const expr of row) add(expr);
      continue;
    }
    for (const leaf of branch.from.leaves) for (const call of leaf.calls) add(call);
    for (const { expr } of branch.from.conditions) add(expr);
    const targets = branch.kind === 'select' ? branch.targets : branch.returning;
    for (const { expr } of targets) add(expr);
    if (branch.kind === 'select') {
      for (const list of [branch.distinctOn, branch.groupBy, branch.windows]) for (const expr of list) add(expr);
      add(branch.where);
      add(branch.having);
    } else {
      for (const list of [branch.values, branch.conditions]) for (const expr of list) add(expr);
    }
  }
  return exprs;
}

/** The queries right within a query, those in its expressions left out. */
function queriesOf(query: Query): Query[] {
  const queries = query.ctes.map((cte) => cte.query);
  for (const branch of query.branches) {
    if (branch.kind === 'nested') queries.push(branch.query);
    else if (branch.kind !== 'values') {
      for (const leaf of branch.from.leaves) if (leaf.query) queries.push(leaf.query);
      if (branch.kind !== 'select' && branch.source) queries.push(branch.source);
    }
  }
  return queries;
}

/** Visits every expression of a query and of all queries in it. */
export function walkQuery(query: Query, visit: (expr: Expr) => void, visitQuery: (query: Query) => void = () => {}): void {
  visitQuery(query);
  const enter = (subquery: Subquery): void => walkQuery(subquery.query, visit, visitQuery);
  for (const expr of expressionsOf(query)) walkExpr(expr, visit, enter);
  for (const inner of queriesOf(query)) walkQuery(inner, visit, visitQuery);
}
