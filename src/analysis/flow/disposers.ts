import type { TSESTree } from '@typescript-eslint/utils';
import type { Origins } from '../origins.js';
import { is, isClass, isFunction, isMember, memberName, unwrap, type FunctionNode } from '../syntax.js';

/** The function that `using` calls at the end of a block for the value of an expression, where it is in view. */
export function disposerOf(init: TSESTree.Node, origins: Origins): FunctionNode | undefined {
  const node = unwrap(init);
  const found = origins.of({ node, frame: undefined }).flatMap((one) => (one.kind === 'value' ? [one.node] : []));
  for (const made of [node, ...found]) {
    const disposer = ownDisposer(made, origins);
    if (disposer) return disposer;
  }
  return undefined;
}

function ownDisposer(made: TSESTree.Node, origins: Origins): FunctionNode | undefined {
  if (is(made, 'ObjectExpression')) return made.properties.flatMap((one) => (is(one, 'Property') && isDisposal(one.key) && isFunction(one.value) ? [one.value] : []))[0];
  if (!is(made, 'NewExpression')) return undefined;
  const owner = origins.of({ node: made.callee, frame: undefined }).flatMap((one) => (one.kind === 'value' && isClass(one.node) ? [one.node] : []))[0];
  return owner?.body.body.flatMap((one) => (is(one, 'MethodDefinition') && isDisposal(one.key) && isFunction(one.value) ? [one.value] : []))[0];
}

/** `[Symbol.asyncDispose]`, `[Symbol.dispose]`. */
const isDisposal = (key: TSESTree.Node): boolean => isMember(key) && is(key.object, 'Identifier') && key.object.name === 'Symbol' && ['dispose', 'asyncDispose'].includes(memberName(key) ?? '');
