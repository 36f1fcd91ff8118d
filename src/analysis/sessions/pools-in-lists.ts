import type { TSESTree } from '@typescript-eslint/utils';
import { variableOf } from '../values/names.js';
import type { Origins } from '../values/origins.js';
import { is, isFunction, isMember, memberName, uncast } from '../syntax.js';

/** Pools that are ended together, as the elements of a list: `for (const pool of pools) await pool.end()`, `pools.map((pool) => pool.end())`. */
export interface Round {
  /** The loop, or the call that runs a function for each element. */
  readonly node: TSESTree.ForOfStatement | TSESTree.CallExpression;
  readonly elements: readonly TSESTree.Node[];
}

/** The round that a name is the element of, where the whole list is in view. */
export function roundOf(handle: TSESTree.Node, origins: Origins): Round | undefined {
  const name = uncast(handle);
  const [definition] = (is(name, 'Identifier') ? variableOf(name)?.defs : undefined) ?? [];
  const made = definition?.node as TSESTree.Node | undefined;
  const loop = is(made, 'VariableDeclarator') && made.id === definition?.name ? made.parent.parent : undefined;
  if (is(loop, 'ForOfStatement')) return roundThrough(loop, loop.right, origins);
  const call = isFunction(made) && made.params[0] === definition?.name ? made.parent : undefined;
  if (!is(call, 'CallExpression') || call.arguments[0] !== made || !isMember(call.callee) || !/^(?:map|forEach)$/.test(memberName(call.callee) ?? '')) return undefined;
  return roundThrough(call, call.callee.object, origins);
}

function roundThrough(node: Round['node'], list: TSESTree.Node, origins: Origins): Round | undefined {
  const [only, ...others] = origins.of({ node: list, frame: undefined });
  if (only?.kind !== 'value' || others.length > 0 || !is(only.node, 'ArrayExpression')) return undefined;
  return { node, elements: only.node.elements.filter((one) => one !== null) };
}
