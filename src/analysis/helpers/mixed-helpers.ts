import type { TSESTree } from '@typescript-eslint/utils';
import { treeOf } from '../../types/index.js';
import { Callers } from '../values/callers.js';
import type { SqlCall } from '../model.js';
import type { Origins } from '../values/origins.js';
import type { Calls } from '../statements/calls.js';
import { contains, functionAround, is, type FunctionNode } from '../syntax.js';

/** How many helpers stand between a call and the lock statement. */
const MAX_BETWEEN = 3;

/**
 * Helpers of the file that lock on the handle they are passed, a connection here and a pool there: in the helper nobody knows what the
 * handle is. A call that passes a pool stands for the statement, as one of a helper of another file does.
 */
export function mixedCalls(found: readonly SqlCall[], origins: Origins, reader: Calls): SqlCall[] {
  const callers = new Callers(origins);
  // Where the caller names the lock function, its call stands for the statement already.
  const asked = new Set<TSESTree.Node>(found.map(({ node }) => node));
  const helpers = new Set<FunctionNode>();
  const standing: SqlCall[] = [];
  let within = found.filter(({ connection }) => connection.kind === 'unknown').map(({ node }): TSESTree.Node => node);
  for (let depth = 0; depth < MAX_BETWEEN && within.length > 0; depth++) {
    const next = within.map((node) => functionAround(node)).filter((one) => one !== undefined && !helpers.has(one));
    within = [];
    for (const helper of new Set(next as FunctionNode[])) {
      helpers.add(helper);
      for (const node of callers.callsOf(helper)) {
        if (!is(node, 'CallExpression') || treeOf(node) !== treeOf(helper) || asked.has(node) || contains(helper, node)) continue;
        asked.add(node);
        const call = reader.ofHelper(node);
        if (call) standing.push(call);
        else within.push(node);
      }
    }
  }
  return standing;
}
