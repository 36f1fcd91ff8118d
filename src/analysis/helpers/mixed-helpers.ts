import type { TSESTree } from '@typescript-eslint/utils';
import { sourceOf, treeOf } from '../../types/index.js';
import { Callers } from '../values/callers.js';
import { isPinned, isWithoutSession, type Connections } from '../connections/connections.js';
import type { Connection, LockUse, SqlCall } from '../model.js';
import type { Origins } from '../values/origins.js';
import { isSessionAcquire, isUnlock } from '../pairs.js';
import { contains, functionAround, is, isFunction, walk, type FunctionNode } from '../syntax.js';

/** Syntax under which a statement may not run, or not for each caller. */
const CONDITIONAL = /^(?:If|Switch|For|ForOf|ForIn|While|DoWhile)Statement$|^(?:Conditional|Logical)Expression$|^CatchClause$/;

/**
 * A helper that locks on the handle it is passed, and is passed a connection here and a pool there: in the helper nobody knows what the
 * handle is. A call that passes a pool stands for the statement, as one of a helper of the settings does.
 */
export function mixedCalls(found: readonly SqlCall[], origins: Origins, connections: Connections): SqlCall[] {
  const callers = new Callers(origins);
  // Where the caller names the lock function, its call stands for the statement already.
  const standing = new Set<TSESTree.Node>(found.map(({ node }) => node));
  const taking = new Set(found.flatMap((call) => (call.locks.some(isSessionAcquire) ? [functionAround(call.node)] : [])));
  return found.flatMap((call) => {
    const passed = passedHandle(call, origins);
    // Of a helper that takes the lock and frees it, the first is the fault.
    const locks = call.locks.filter((use) => use.lock.function.level === 'session' && !(isUnlock(use) && taking.has(passed?.callee)));
    const outer = locks.length > 0 && passed ? callers.callsOf(passed.callee) : [];
    const given = outer.flatMap((node) => {
      const argument = is(node, 'CallExpression') && treeOf(node) === treeOf(call.node) && !standing.has(node) && !contains(passed!.callee, node) && !node.arguments.some((one) => is(one, 'SpreadElement')) ? node.arguments[passed!.index] : undefined;
      return argument ? [{ node: node as TSESTree.CallExpression, argument, connection: connections.of({ node: argument, frame: undefined }) }] : [];
    });
    if (!given.some(({ connection }) => isPinned(connection))) return [];
    return given.flatMap(({ node, argument, connection }) => (isSurelyPooled(connection, connections) ? [standingFor(call, locks, node, argument as TSESTree.Expression, connection)] : []));
  });
}

/** The parameter that a statement runs on, where it always runs and nothing before it turns callers away. */
function passedHandle({ node, handle, connection, inner, helper }: SqlCall, origins: Origins): { readonly callee: FunctionNode; readonly index: number } | undefined {
  const callee = functionAround(node);
  if (!callee || connection.kind !== 'unknown' || inner !== undefined || helper !== undefined || !is(handle, 'Identifier')) return undefined;
  const [only, ...more] = origins.of({ node: handle, frame: undefined });
  if (only?.kind !== 'parameter' || more.length > 0 || only.path.length > 0 || only.callee !== callee) return undefined;
  for (let at: TSESTree.Node | undefined = node.parent; at && at !== callee; at = at.parent) if (CONDITIONAL.test(at.type)) return undefined;
  const isGuarded = [...walk(callee.body, isFunction)].some((one) => CONDITIONAL.test(one.type) && one.range[1] <= node.range[0]);
  return isGuarded ? undefined : { callee, index: only.index };
}

function isSurelyPooled(connection: Connection, connections: Connections): boolean {
  const driver = connections.joinedBy(connection);
  return driver !== undefined && isWithoutSession(connection) && connection.size !== 1 && connection.joins === undefined && connection.mayJoin !== true && !connections.isAmbient(driver) && !connections.joinsCallbacks(driver);
}

function standingFor(call: SqlCall, locks: readonly LockUse[], node: TSESTree.CallExpression, handle: TSESTree.Expression, connection: Connection): SqlCall {
  const own: LockUse[] = [];
  const one: SqlCall = { ...call, node, handle, connection, through: undefined, locks: own, helper: sourceOf(node.callee), isSilent: true, argument: node.callee };
  for (const use of locks) own.push({ ...use, call: one, keyFault: undefined, loc: node.callee.loc });
  return one;
}
