import type { TSESTree } from '@typescript-eslint/utils';
import { is, isMember, memberName } from '../analysis/syntax.js';
import { drivers } from '../drivers/index.js';

const names = new Set<string>(['close', ...drivers.flatMap(({ releases = [] }) => releases).filter(({ session, on }) => session === 'destroys' && on.includes('pooled')).map(({ name }) => name)]);

/** Whether a call has the name of a method that ends a pool in some library. */
export const isEndNamed = (node: TSESTree.Node): node is TSESTree.CallExpression & { callee: TSESTree.MemberExpression } =>
  is(node, 'CallExpression') && isMember(node.callee) && names.has(memberName(node.callee) ?? '');
