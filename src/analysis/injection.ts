import type { TSESTree } from '@typescript-eslint/utils';
import { Callers } from './callers.js';
import type { Origins } from './origins.js';
import { functionAround, is, isClass, isMember, unwrap } from './syntax.js';

/**
 * Whether a container of dependencies gives a value: a parameter of a constructor where the class or the parameter is decorated and
 * no `new` of it is in view, or a decorated property that nothing is assigned to.
 */
export function isInjected(node: TSESTree.Node, origins: Origins): boolean {
  const at = unwrap(node);
  if (isMember(at)) return origins.types.memberDefinitions(at).some(({ parent }) => is(parent, 'PropertyDefinition') && parent.decorators.length > 0 && !parent.value);
  const constructorFunction = functionAround(at);
  const method = constructorFunction?.parent;
  if (!is(at, 'Identifier') || !constructorFunction || !is(method, 'MethodDefinition') || method.kind !== 'constructor') return false;
  const parameter = is(at.parent, 'TSParameterProperty') ? at.parent : at;
  if (!constructorFunction.params.includes(parameter)) return false;
  const owner = method.parent.parent;
  const isAsked = parameter.decorators.length > 0 || (isClass(owner) && owner.decorators.length > 0);
  return isAsked && new Callers(origins).callsOf(constructorFunction).length === 0;
}
