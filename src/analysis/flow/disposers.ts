import type { TSESTree } from '@typescript-eslint/utils';
import { functionOf, variableOf } from '../values/names.js';
import type { Place } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { isStack, keptByStack } from '../values/stacks.js';
import { is, isClass, isFunction, isMember, memberName, uncast, unwrap, wrapped, type FunctionNode } from '../syntax.js';

/** What `using` runs at the end of a block. */
export interface Disposal {
  readonly functions: readonly FunctionNode[];
  /** The object whose method it is. */
  readonly made?: Place;
}

/** The functions that `using` calls at the end of a block, where they are in view: that of a value, or those that a stack was given before the lock. */
export function disposalOf(declarator: TSESTree.VariableDeclarator, takenAt: TSESTree.Node | undefined, origins: Origins): Disposal | undefined {
  const { id, init } = declarator;
  if (!init) return undefined;
  const node = unwrap(init);
  if (isStack(node)) {
    const given = (deferredTo(id, takenAt) ?? []).map((call) => keptByStack(call));
    return { functions: given.flatMap((one) => (isFunction(one) ? [one] : is(one, 'Identifier') ? functionOf(one) ?? [] : [])).reverse() };
  }
  const place: Place = { node, frame: undefined };
  const found = origins.of(place).flatMap((one): Place[] => (one.kind === 'value' ? [one] : []));
  for (const made of [place, ...found]) {
    const disposer = ownDisposer(made.node, origins);
    if (disposer) return { functions: [disposer], made };
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

/** Whether a call is one of those that a stack keeps for the end of its block. */
export function isRunAtEndOfBlock(call: TSESTree.CallExpression, takenAt: TSESTree.Node | undefined): boolean {
  const stack = isMember(call.callee) ? uncast(call.callee.object) : undefined;
  const made = is(stack, 'Identifier') ? variableOf(stack)?.defs[0]?.node as TSESTree.Node | undefined : undefined;
  return is(made, 'VariableDeclarator') && made.init !== null && isStack(unwrap(made.init)) && deferredTo(made.id, takenAt)?.includes(call) === true;
}

/** Whether a stack is given something behind the lock: what that is may not be reached. */
export function isGivenBehind({ id, init }: TSESTree.VariableDeclarator, takenAt: TSESTree.Node | undefined): boolean {
  return init !== null && takenAt !== undefined && isStack(unwrap(init)) && usesOf(id).some((call) => isKeeping(call) && call.range[0] > takenAt.range[0]);
}

/** What a stack, which is declared by a name, is used for: the calls of its methods, or what else has it. */
function usesOf(id: TSESTree.Node): (TSESTree.Node | undefined)[] {
  const variable = is(id, 'Identifier') ? variableOf(id) : undefined;
  return variable?.references.filter(({ init }) => !init).map(({ identifier }) => (identifier as TSESTree.Node).parent?.parent) ?? [];
}

const isKeeping = (call: TSESTree.Node | undefined): call is TSESTree.CallExpression => is(call, 'CallExpression') && isMember(call.callee) && ['defer', 'adopt'].includes(memberName(call.callee) ?? '');

/** The statement that is such a call, or that declares what it gives. */
function statementOf(call: TSESTree.CallExpression): TSESTree.Node | undefined {
  const { parent } = wrapped(call, true);
  return is(parent, 'ExpressionStatement') ? parent : is(parent, 'VariableDeclarator') ? parent.parent : undefined;
}

/**
 * `stack.defer(() => client.release())` in the block that begins with `await using stack = new AsyncDisposableStack()`: runs at the
 * end of that block. What is kept after the lock is taken may not be reached, and what is done else with the stack is not followed.
 */
function deferredTo(id: TSESTree.Node, takenAt: TSESTree.Node | undefined): TSESTree.CallExpression[] | undefined {
  const declaration = id.parent?.parent;
  if (!is(id, 'Identifier') || !is(declaration, 'VariableDeclaration') || !/using/.test(declaration.kind) || !variableOf(id)) return undefined;
  const isBehind = (call: TSESTree.CallExpression): boolean => takenAt !== undefined && call.range[0] > takenAt.range[0];
  const isBefore = (call: TSESTree.CallExpression): boolean => statementOf(call)?.parent === declaration.parent && takenAt !== undefined && !isBehind(call);
  const calls = usesOf(id);
  return calls.every((call) => isKeeping(call) && (isBefore(call) || isBehind(call))) ? calls.filter(isKeeping).filter(isBefore) : undefined;
}
