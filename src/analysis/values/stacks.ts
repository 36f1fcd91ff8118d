import type { TSESTree } from '@typescript-eslint/utils';
import { variableOf } from './names.js';
import { is, isMember, memberName, uncast, unwrap, type FunctionNode } from '../syntax.js';

/** What `DisposableStack` and `AsyncDisposableStack` are given. https://tc39.es/proposal-explicit-resource-management/ */

export const isStack = (node: TSESTree.Node): boolean => is(node, 'NewExpression') && is(node.callee, 'Identifier') && /^(?:Async)?DisposableStack$/.test(node.callee.name);

/** The name of the method of a stack that a call is of. */
function methodOfStack({ callee }: TSESTree.CallExpression): string | undefined {
  const member = unwrap(callee);
  const stack = isMember(member) ? uncast(member.object) : undefined;
  const made = is(stack, 'Identifier') ? variableOf(stack)?.defs[0]?.node as TSESTree.Node | undefined : undefined;
  return is(made, 'VariableDeclarator') && made.init && isStack(unwrap(made.init)) ? memberName(member as TSESTree.MemberExpression) : undefined;
}

/** `stack.adopt(value, dispose)` and `stack.use(value)` give back the value. */
export function givenToStack(call: TSESTree.CallExpression): TSESTree.Node | undefined {
  const [value] = call.arguments;
  return value && ['adopt', 'use'].includes(methodOfStack(call) ?? '') ? value : undefined;
}

/** The value with which a stack calls a function in the end: the first argument of `stack.adopt(value, dispose)`. */
export function adoptedWith(dispose: FunctionNode): TSESTree.Node | undefined {
  const call = dispose.parent;
  return is(call, 'CallExpression') && call.arguments[1] === dispose && methodOfStack(call) === 'adopt' ? call.arguments[0] : undefined;
}

/** The function that a call gives to a stack for the end of its block. */
export function keptByStack(call: TSESTree.CallExpression): TSESTree.Node | undefined {
  const name = isMember(call.callee) ? memberName(call.callee) : undefined;
  return name === 'defer' ? call.arguments[0] : name === 'adopt' ? call.arguments[1] : undefined;
}
