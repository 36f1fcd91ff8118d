import type { TSESTree } from '@typescript-eslint/utils';
import { isRelease } from '../analysis/regions.js';
import { is, isFunction, isMember, memberName, unwrap, walk } from '../analysis/syntax.js';

/**
 * The last of some statements that shall run even where a check behind the first of them throws. `undefined` where the code may
 * leave them before that.
 */
export function lastToRun(statements: readonly TSESTree.Statement[]): TSESTree.Statement | undefined {
  const block = statements[0]!.parent;
  const isFinal = is(block.parent, 'TryStatement') && block.parent.finalizer === block;
  const cleaning = statements.findLastIndex((one, index) => index > 0 && cleansUp(one));
  const leaving = statements.findIndex((one, index) => index > 0 && mayLeave(one));
  if (leaving > 0 && leaving <= cleaning) return undefined;
  const end = leaving < 0 ? statements.length : leaving;
  if (isFinal) return statements[end - 1];
  if (cleaning < 0) return statements[0];
  // What follows at once may be clean-up that does not look like it; what takes its time is work.
  const work = statements.findIndex((one, index) => index > cleaning && [...walk(one, isFunction)].some((node) => is(node, 'AwaitExpression')));
  return statements[(work < 0 ? end : Math.min(work, end)) - 1];
}

const mayLeave = (statement: TSESTree.Statement): boolean => [...walk(statement, isFunction)].some((one) => /^(?:Return|Break|Continue|Throw)Statement$/.test(one.type));

/** Whether a statement gives something back, stops it, or says that it is gone. */
const cleansUp = (statement: TSESTree.Statement): boolean => [...walk(statement, isFunction)].some((one) => is(one, 'ExpressionStatement') && isCleanUp(unwrap(one.expression)));

function isCleanUp(node: TSESTree.Node): boolean {
  if (is(node, 'AssignmentExpression')) return ![...walk(node.right)].some((one) => is(one, 'CallExpression') || is(one, 'AwaitExpression'));
  if (is(node, 'UnaryExpression')) return node.operator === 'delete';
  if (!is(node, 'CallExpression')) return false;
  if (is(node.callee, 'Identifier')) return /^clear[A-Z]/.test(node.callee.name);
  return isRelease(node) || (isMember(node.callee) && /^(?:release|end|close|destroy|dispose|stop|clear|delete)$/.test(memberName(node.callee) ?? ''));
}
