import type { TSESTree } from '@typescript-eslint/utils';
import { contextReader } from '../../drivers/index.js';
import { sourceOf } from '../../types/index.js';
import { objectAt, propertyPlace } from '../statements/bound-values.js';
import type { Place } from './origin.js';
import type { Origins } from './origins.js';
import { callsIn, is, isFunction } from '../syntax.js';

/** `new Proxy(root, { get: (target, name) => Reflect.get(context.getStore() ?? target, name) })`: now the one handle, now another. */
export function isSwitching({ node, frame }: Place, origins: Origins): boolean {
  if (!is(node, 'NewExpression') || !is(node.callee, 'Identifier') || node.callee.name !== 'Proxy') return false;
  const [, handler] = node.arguments;
  const traps = handler && objectAt(origins, { node: handler, frame });
  const get = traps && propertyPlace(origins, traps, 'get');
  return get !== undefined && origins.of(get).some((one) => one.kind === 'value' && asksContext(one.node, origins));
}

function asksContext(trap: TSESTree.Node, origins: Origins, depth = 0): boolean {
  if (!isFunction(trap)) return false;
  return contextReader.test(sourceOf(trap)) || (depth < 2 && callsIn(trap).some((one) => {
    const { callee } = origins.calleeOf(one, undefined) ?? {};
    return callee !== undefined && callee !== trap && asksContext(callee, origins, depth + 1);
  }));
}
