import type { TSESTree } from '@typescript-eslint/utils';
import { is, isClass, isFunction, isMember, memberName, uncast, wrapped, type FunctionNode } from '../../syntax.js';

/** What the shape of an expression alone tells. */

/** Whether an expression is always true or always false in a condition: `while (true)`, `if (0)`. */
export function constantTruth(value: TSESTree.Node): boolean | undefined {
  const node = uncast(value);
  if (is(node, 'Literal')) return 'regex' in node || Boolean(node.value);
  if (is(node, 'TemplateLiteral') && node.expressions.length === 0) return node.quasis[0]?.value.raw !== '';
  if (is(node, 'Identifier')) return node.name === 'undefined' || node.name === 'NaN' ? false : undefined;
  if (is(node, 'UnaryExpression')) return node.operator === 'void' ? false : node.operator === 'typeof' ? true : undefined;
  return isFunction(node) || isClass(node) || is(node, 'NewExpression') || is(node, 'ObjectExpression') || is(node, 'ArrayExpression') ? true : undefined;
}

/** Whether a loop's first round runs for certain: `for (let attempt = 0; attempt < 3; attempt += 1)`. */
export function isEntered(loop: TSESTree.Node): boolean {
  if (!is(loop, 'ForStatement') || !is(loop.init, 'VariableDeclaration') || !is(loop.test, 'BinaryExpression')) return false;
  const { left, operator, right } = loop.test;
  const counter = loop.init.declarations.find(({ id }) => is(id, 'Identifier') && is(left, 'Identifier') && id.name === left.name);
  const [from, to] = [counter?.init, right].map((one) => (is(one, 'Literal') && typeof one.value === 'number' ? one.value : NaN)) as [number, number];
  return operator === '<' ? from < to : operator === '<=' ? from <= to : operator === '>' ? from > to : operator === '>=' && from >= to;
}

/** `p.then(f)`, `p.catch(f)`, `p.finally(f)`. */
export function isPromiseChain(node: TSESTree.CallExpression): node is TSESTree.CallExpression & { callee: TSESTree.MemberExpression } {
  return isMember(node.callee) && ['then', 'catch', 'finally'].includes(memberName(node.callee) ?? '');
}

/** The function that a call has in place of a name: `(async () => { ... })()`, `(function () { ... }).call(this)`. */
export function immediateOf(node: TSESTree.CallExpression): FunctionNode | undefined {
  const callee = uncast(node.callee);
  if (isFunction(callee)) return callee;
  const object = isMember(callee) && ['call', 'apply'].includes(memberName(callee) ?? '') ? uncast(callee.object) : undefined;
  return isFunction(object) ? object : undefined;
}

/** `await Promise.allSettled([one(), other()])` as a statement of its own. */
export function isSettledUnread(node: TSESTree.CallExpression): boolean {
  const isSettling = isMember(node.callee) && memberName(node.callee) === 'allSettled' && is(node.callee.object, 'Identifier') && node.callee.object.name === 'Promise';
  return isSettling && is(node.arguments[0], 'ArrayExpression') && is(wrapped(node, true).parent, 'ExpressionStatement');
}

/** Whether a statement starts something that nothing waits for: its rejection ends nothing here. */
export function isFloating({ expression }: TSESTree.ExpressionStatement): boolean {
  const node = uncast(is(expression, 'UnaryExpression') && expression.operator === 'void' ? expression.argument : expression);
  return is(node, 'CallExpression') && (isPromiseChain(node) || immediateOf(node)?.async === true);
}
