import type { TSESTree } from '@typescript-eslint/utils';
import { isPoolEndName } from '../drivers/index.js';
import { isWithoutSession } from './connections/sessions.js';
import type { FileFacts } from './facts.js';
import type { LockUse } from './model.js';
import { commonBlock, localPairOf, sourceOf, variableOf } from './regions.js';
import { contains, is, isMember, memberName, walk } from './syntax.js';

/** Whether something between a lock and its unlock in one function goes through the same pool: on a connection of its own, the lock would leave it there. */
export function isWorkOnPool(use: LockUse, { pairs, uses }: FileFacts): boolean {
  const pair = localPairOf(use, pairs);
  const own = pair ? [pair.acquire, ...pair.unlocks].map(({ call }) => call) : [];
  if (!pair || !own.every(({ connection }) => isWithoutSession(connection))) return false;
  const [start, end] = [pair.acquire.call.node.range[1], Math.max(...own.map(({ node }) => node.range[0]))];
  const between = commonBlock(own.map(({ node }) => node))?.body.filter((one) => one.range[1] > start && one.range[0] < end) ?? [];
  const isWork = (node: TSESTree.Node): boolean => start <= node.range[0] && node.range[1] <= end && isSame(node, pair.acquire.call.handle) && !isEnded(node) && !uses.some(({ call }) => contains(call.node, node));
  return between.some((statement) => [...walk(statement)].some(isWork));
}

function isSame(node: TSESTree.Node, handle: TSESTree.Node): boolean {
  if (node.type !== handle.type) return false;
  if (is(node, 'Identifier')) return variableOf(node) !== undefined && variableOf(node) === variableOf(handle as TSESTree.Identifier);
  return sourceOf(node) === sourceOf(handle);
}

const isEnded = ({ parent }: TSESTree.Node): boolean => parent !== undefined && isMember(parent) && isPoolEndName(memberName(parent) ?? '');
