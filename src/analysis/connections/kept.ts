import type { TSESTree } from '@typescript-eslint/utils';
import { currentHouse, keyOf } from '../../drivers/index.js';
import type { Types } from '../../types/index.js';
import { isLocalTo } from '../values/frames.js';
import type { Connection } from '../model.js';
import { variableOf } from '../values/names.js';
import type { Place } from '../values/origin.js';
import { is, isMember, unwrap } from '../syntax.js';

type Cache = WeakMap<TSESTree.Node, Connection>;

const kept = new WeakMap<object, Map<string, Cache>>();

/** Shared by the files of a program that have the same settings: a wrapper's handle is followed once, however many calls of it there are. */
export function connectionsKept({ keptBy }: Types): Cache {
  const byHouse = kept.get(keptBy) ?? new Map<string, Cache>();
  kept.set(keptBy, byHouse);
  const house = keyOf(currentHouse());
  const cache = byHouse.get(house) ?? new WeakMap<TSESTree.Node, Connection>();
  byHouse.set(house, cache);
  return cache;
}

/** Whether an expression has one value, whichever calls it is looked at through: an outer variable, or a property of one. */
export function isSteady({ node, frame }: Place): boolean {
  if (!frame) return false;
  let at = unwrap(node);
  while (isMember(at) && !at.computed) at = unwrap(at.object);
  const variable = is(at, 'Identifier') ? variableOf(at) : undefined;
  return variable !== undefined && !isLocalTo(variable, frame);
}
