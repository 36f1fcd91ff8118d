import type { TSESTree } from '@typescript-eslint/utils';
import { Callers } from './callers.js';
import type { Origins } from './origins.js';
import type { Injection } from '../../drivers/index.js';
import { decoratorsOf } from './members.js';
import { is, isClass, isFunction, isMember, unwrap, type FunctionNode } from '../syntax.js';

/**
 * Whether a container of dependencies fills a parameter of a constructor, or a property: it is decorated, or its class is, and no code
 * in view makes an instance. A container gives what the application has made once: a root handle, never the transaction of a call.
 */
export function isInjected(node: TSESTree.Node, injection: Injection, origins: Origins): boolean {
  const at = unwrap(node);
  const definitions = isMember(at) ? origins.types.memberDefinitions(at) : is(at, 'Identifier') ? [at] : [];
  return definitions.some((one) => isFilled(one, injection, origins));
}

function isFilled(name: TSESTree.Node, injection: Injection, origins: Origins): boolean {
  const { parent } = name;
  if (is(parent, 'PropertyDefinition')) return parent.key === name && !parent.value && isAskedBy(decoratorsOf(parent), injection);
  const param = is(parent, 'TSParameterProperty') ? parent : name;
  const callee = param.parent;
  const method = isFunction(callee) ? callee.parent : undefined;
  if (!is(method, 'MethodDefinition') || method.kind !== 'constructor') return false;
  const owner = method.parent.parent;
  const decorators = decoratorsOf(param as Partial<TSESTree.Identifier>);
  const isAsked = decorators.length > 0 ? isAskedBy(decorators, injection) : isClass(owner) && decoratorsOf(owner).length > 0;
  return isAsked && new Callers(origins).callsOf(callee as FunctionNode).length === 0;
}

/** What is behind a token of the user's own is known only where the type is nothing else than what a container gives. */
const isAskedBy = (decorators: readonly TSESTree.Decorator[], { by }: Injection): boolean => decorators.some(({ expression }) => {
  const callee = is(expression, 'CallExpression') ? expression.callee : expression;
  return by === undefined || (is(callee, 'Identifier') && by.includes(callee.name));
});
