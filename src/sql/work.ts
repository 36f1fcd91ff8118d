import type { Columns} from './columns.js';
import { findCte, type Env } from './columns.js';
import { idle } from './keywords.js';
import type { Expr, Query } from './nodes.js';
import { childrenOf, expressionsOf } from './walk.js';

/**
 * Whether a query reads or writes something besides the locks. Unknown functions may; within the arguments of a lock function they
 * make its key.
 */
export function queryWorks(query: Query, columns: Columns, parent: Env | undefined): boolean {
  const env = columns.envOf(query, parent);
  if (query.ctes.some((cte, at) => queryWorks(cte.query, columns, columns.envOfCte(query, env!, at)))) return true;
  for (const branch of query.branches) {
    if (branch.kind === 'nested') {
      if (queryWorks(branch.query, columns, env)) return true;
    } else if (branch.kind === 'select') {
      for (const leaf of branch.from.leaves) {
        if (leaf.query ? queryWorks(leaf.query, columns, env) : leaf.kind !== 'function' && findCte(env, leaf) === undefined) return true;
      }
      if (branch.into) return true;
    } else if (branch.kind !== 'values') {
      return true;
    }
  }
  return expressionsOf(query).some((expr) => exprWorks(expr, columns, env));
}

export function exprWorks(expr: Expr, columns: Columns, env: Env | undefined): boolean {
  if (expr.kind === 'subquery') return queryWorks(expr.query, columns, env);
  if (expr.kind === 'call') {
    if (expr.lock) return false;
    if (!expr.builtin || !idle.has(expr.name)) return true;
  }
  return childrenOf(expr).some((child) => exprWorks(child, columns, env));
}
