import type { TSESTree } from '@typescript-eslint/utils';
import { isEndOfAllName } from '../../drivers/index.js';
import type { Origins } from '../values/origins.js';
import { is, isMember, memberName, uncast } from '../syntax.js';

/** Whether a call ends a pool with all others that were made with the same thing: `pgp.end()`, of `const db = pgp(url)`. */
export function endsWithOthers(call: TSESTree.CallExpression, made: TSESTree.Node, origins: Origins): boolean {
  const callee = uncast(call.callee);
  if (!isMember(callee) || !isEndOfAllName(memberName(callee) ?? '') || !is(made, 'CallExpression')) return false;
  const madesOf = (node: TSESTree.Node): TSESTree.Node[] => origins.of({ node, frame: undefined }).map((one) => one.node);
  const [ended, makes] = [madesOf(callee.object), madesOf(made.callee)];
  return ended.length === 1 && is(ended[0], 'CallExpression') && makes.length === 1 && makes[0] === ended[0];
}
