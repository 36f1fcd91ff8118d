import type { TSESTree } from '@typescript-eslint/utils';
import { is, isMember, memberName, unwrap } from '../syntax.js';

/** A function that is called by one of the functions that all functions have. */
export interface Applied {
  readonly method: TSESTree.Node;
  /** What is its `this`. */
  readonly self: TSESTree.CallExpressionArgument | undefined;
  readonly args: readonly TSESTree.CallExpressionArgument[];
  /** What stands for its arguments, where that is no list that is written there. */
  readonly list: TSESTree.Node | undefined;
}

/** `method.call(self, one)`, `method.apply(self, [one])` and `Reflect.apply(method, self, [one])`. */
export function appliedBy({ callee: called, arguments: given }: TSESTree.CallExpression): Applied | undefined {
  const callee = unwrap(called);
  const way = isMember(callee) ? memberName(callee) : undefined;
  if (!isMember(callee) || (way !== 'call' && way !== 'apply')) return undefined;
  const isReflect = is(callee.object, 'Identifier') && callee.object.name === 'Reflect';
  const [method, self, ...rest] = isReflect ? given : [callee.object, ...given];
  if (!method || is(method, 'SpreadElement') || is(self, 'SpreadElement')) return undefined;
  if (way === 'call') return { method: unwrap(method), self, args: rest, list: undefined };
  const list = rest[0] && unwrap(rest[0]);
  const written = is(list, 'ArrayExpression') ? list.elements : list ? undefined : [];
  return { method: unwrap(method), self, args: (written ?? []).filter((one) => one !== null), list: written ? undefined : list };
}
