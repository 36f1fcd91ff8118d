import type { TSESTree } from '@typescript-eslint/utils';
import { functionAround, is, isFunction, isMember, memberName, uncast, wrapped, type FunctionNode } from './syntax.js';

/**
 * The function whose own work a node is: the innermost around it that is no handler of a promise (`work().finally(() => unlock())`) which
 * the function around that gives back or waits for. `undefined` at the top level of a file.
 */
export function workerAround(node: TSESTree.Node): FunctionNode | undefined {
  let around = functionAround(node);
  while (around && isHandler(around)) around = functionAround(around);
  return around;
}

function isHandler(callback: FunctionNode): boolean {
  const outer = wrapped(callback, false);
  const call = outer.parent;
  return is(call, 'CallExpression') && !callback.generator && call.arguments.includes(outer as never) && isChained(call.callee) && isWaitedFor(call);
}

const isChained = (callee: TSESTree.Node): boolean => isMember(callee) && ['then', 'catch', 'finally'].includes(memberName(callee) ?? '');

/** Whether a promise, with what is chained to it, is awaited or given back by the function around it. */
function isWaitedFor(promise: TSESTree.Node): boolean {
  const outer = wrapped(promise, false);
  const { parent } = outer;
  if (parent && isMember(parent) && parent.object === outer) return is(parent.parent, 'CallExpression') && parent.parent.callee === parent && isChained(parent) && isWaitedFor(parent.parent);
  if (is(parent, 'ConditionalExpression')) return isWaitedFor(parent);
  return is(parent, 'AwaitExpression') || is(parent, 'ReturnStatement') || (isFunction(parent) && uncast(parent.body) === uncast(outer));
}
