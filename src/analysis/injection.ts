import type { TSESTree } from '@typescript-eslint/utils';
import { Callers } from './callers.js';
import type { Origins } from './origins.js';
import { is, isClass, isFunction, isMember, unwrap, type FunctionNode } from './syntax.js';

/**
 * Whether a container fills a parameter of a constructor, or a property: it is decorated, or its class is, and no code in view makes
 * an instance. A container gives what the application has made once: a root handle, never the transaction of a call.
 */
export function isInjected(node: TSESTree.Node, origins: Origins): boolean {
  const at = unwrap(node);
  const definitions = isMember(at) ? origins.types.memberDefinitions(at) : is(at, 'Identifier') ? [at] : [];
  return definitions.some((one) => isFilled(one, origins));
}

function isFilled(name: TSESTree.Node, origins: Origins): boolean {
  const { parent } = name;
  if (is(parent, 'PropertyDefinition')) return parent.key === name && !parent.value && parent.decorators.length > 0;
  const param = is(parent, 'TSParameterProperty') ? parent : name;
  const callee = param.parent;
  const method = isFunction(callee) ? callee.parent : undefined;
  if (!is(method, 'MethodDefinition') || method.kind !== 'constructor') return false;
  const owner = method.parent.parent;
  const isDecorated = ((param as Partial<TSESTree.Identifier>).decorators?.length ?? 0) > 0 || (isClass(owner) && owner.decorators.length > 0);
  return isDecorated && new Callers(origins).callsOf(callee as FunctionNode).length === 0;
}
