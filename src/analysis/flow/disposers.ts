import type { TSESTree } from '@typescript-eslint/utils';
import { functionOf, variableOf } from '../names.js';
import type { Origins } from '../origins.js';
import { is, isClass, isFunction, isMember, memberName, uncast, unwrap, type FunctionNode } from '../syntax.js';

/** The functions that `using` calls at the end of a block, where they are in view: that of a value, or those that a stack was given before the lock. */
export function disposersOf(declarator: TSESTree.VariableDeclarator, takenAt: TSESTree.Node | undefined, origins: Origins): FunctionNode[] | undefined {
  const { id, init } = declarator;
  if (!init) return undefined;
  const node = unwrap(init);
  if (isStack(node)) {
    const uses = (is(id, 'Identifier') ? variableOf(id)?.references ?? [] : []).map(({ identifier }) => identifier as TSESTree.Node);
    const given = uses.flatMap((use) => (isMember(use.parent!) && is(use.parent.parent, 'CallExpression') && isRunAtEndOfBlock(use.parent.parent, takenAt) ? [use.parent.parent.arguments[0]!] : []));
    return given.flatMap((one) => (isFunction(one) ? [one] : is(one, 'Identifier') ? functionOf(one) ?? [] : [])).reverse();
  }
  const found = origins.of({ node, frame: undefined }).flatMap((one) => (one.kind === 'value' ? [one.node] : []));
  for (const made of [node, ...found]) {
    const disposer = ownDisposer(made, origins);
    if (disposer) return [disposer];
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

const isStack = (node: TSESTree.Node): boolean => is(node, 'NewExpression') && is(node.callee, 'Identifier') && /^(?:Async)?DisposableStack$/.test(node.callee.name);

/**
 * `stack.defer(() => client.release())` in the block that begins with `await using stack = new AsyncDisposableStack()`: runs at the
 * end of that block. Not so where the lock is taken before, since the block may be left in between.
 */
export function isRunAtEndOfBlock(call: TSESTree.CallExpression, takenAt: TSESTree.Node | undefined): boolean {
  const stack = isMember(call.callee) && memberName(call.callee) === 'defer' ? uncast(call.callee.object) : undefined;
  const made = is(stack, 'Identifier') ? variableOf(stack)?.defs[0]?.node as TSESTree.Node | undefined : undefined;
  if (!is(made, 'VariableDeclarator') || !made.init || !isStack(unwrap(made.init)) || !/using/.test(made.parent.kind)) return false;
  return is(call.parent, 'ExpressionStatement') && call.parent.parent === made.parent.parent && takenAt !== undefined && call.range[0] < takenAt.range[0];
}
