import type { TSESTree } from '@typescript-eslint/utils';
import { byType } from '../connections/handle-types.js';
import type { LockUse } from '../model.js';
import { functionAround, is, isMember, staticName, unwrap, walk, type FunctionNode } from '../syntax.js';
import { variableOf } from '../values/names.js';
import type { Types } from '../../types/index.js';

/** The entry of the settings for a function that locks on whatever it is passed: then its calls are judged, each by what it passes. */
export function helperSetting(use: LockUse, types: Types): string | undefined {
  const { call: { node, handle, connection }, lock } = use;
  const owner = functionAround(node);
  const index = owner ? parameterOf(unwrap(handle), owner) : undefined;
  const named = owner && namedBy(owner);
  if (use.call.helper !== undefined || !owner || index === undefined || named === undefined || !(connection.disagreeing ?? mayBeEither(handle, types))) return undefined;
  const { operation, level, mode } = lock.function;
  const more = [operation === 'try' ? 'try: true' : '', mode === 'shared' ? 'shared: true' : '', level === 'transaction' ? "level: 'transaction'" : ''].filter((one) => one !== '');
  return `${operation === 'unlock' ? 'unlocks' : 'locks'}: [{ ${[named, ...keyIn(node, owner, index), `connection: { argument: ${index} }`, ...more].join(', ')} }]`;
}

function parameterOf(node: TSESTree.Node, owner: FunctionNode): number | undefined {
  const place = is(node, 'Identifier') ? variableOf(node)?.defs[0]?.name : undefined;
  const index = owner.params.findIndex((one) => one === place);
  return index < 0 ? undefined : index;
}

function namedBy(owner: FunctionNode): string | undefined {
  if ('id' in owner && owner.id) return `function: '${owner.id.name}'`;
  const { parent } = owner;
  if (is(parent, 'VariableDeclarator') && is(parent.id, 'Identifier')) return `function: '${parent.id.name}'`;
  const name = is(parent, 'MethodDefinition') ? staticName(parent.key, parent.computed) : undefined;
  const type = is(parent, 'MethodDefinition') && parent.kind !== 'constructor' ? parent.parent.parent.id?.name : undefined;
  return name === undefined || type === undefined ? undefined : `type: '${type}', member: '${name}'`;
}

/** Which arguments are the key, where that is not the first one that is no handle. */
function keyIn(node: TSESTree.Node, owner: FunctionNode, handle: number): string[] {
  const names = [...walk(node)].filter((one): one is TSESTree.Identifier => is(one, 'Identifier') && !(isMember(one.parent) && one.parent.property === one));
  const indices = [...new Set(names.flatMap((one) => parameterOf(one, owner) ?? []))].filter((one) => one !== handle);
  const usual = handle === 0 ? 1 : 0;
  return indices.length === 0 || (indices.length === 1 && indices[0] === usual) ? [] : [`key: ${indices.length === 1 ? indices[0]! : `[${indices.join(', ')}]`}`];
}

/** Whether a type is that of a pool and that of one connection, as the code says it: `Pool | PoolClient`. */
function mayBeEither(handle: TSESTree.Node, types: Types): boolean {
  const kinds = types.typeOf(handle)?.alternatives.map((one) => byType(one)?.kind) ?? [];
  return kinds.includes('pooled') && kinds.some((one) => one === 'reserved' || one === 'transaction' || one === 'single');
}
