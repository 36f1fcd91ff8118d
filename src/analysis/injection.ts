import type { TSESTree } from '@typescript-eslint/utils';
import { Callers } from './callers.js';
import type { Origins } from './origins.js';
import { functionAround, is, isClass, isMember, unwrap } from './syntax.js';

/**
 * Whether a container of dependencies gives a value for its type: a parameter of a decorated class's constructor, of which no `new` is
 * in view, or a property that nothing is assigned to. Where it is decorated itself, the decorator is one of `by`.
 */
export function isInjected(node: TSESTree.Node, by: readonly string[], origins: Origins): boolean {
  const at = unwrap(node);
  if (isMember(at)) return origins.types.memberDefinitions(at).some(({ parent }) => is(parent, 'PropertyDefinition') && !parent.value && isAskedBy(parent.decorators, by));
  const constructorFunction = functionAround(at);
  const method = constructorFunction?.parent;
  if (!is(at, 'Identifier') || !constructorFunction || !is(method, 'MethodDefinition') || method.kind !== 'constructor') return false;
  const parameter = is(at.parent, 'TSParameterProperty') ? at.parent : at;
  if (!constructorFunction.params.includes(parameter)) return false;
  const owner = method.parent.parent;
  const isAsked = parameter.decorators.length > 0 ? isAskedBy(parameter.decorators, by) : isClass(owner) && owner.decorators.length > 0;
  return isAsked && new Callers(origins).callsOf(constructorFunction).length === 0;
}

const isAskedBy = (decorators: readonly TSESTree.Decorator[], by: readonly string[]): boolean => decorators.some(({ expression }) => {
  const callee = is(expression, 'CallExpression') ? expression.callee : expression;
  return is(callee, 'Identifier') && by.includes(callee.name);
});
