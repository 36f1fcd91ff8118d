import type { TSESTree } from '@typescript-eslint/utils';
import { contains, is, isFunction, type FunctionNode, type NodeOf } from '../syntax.js';

export { contains, is, isFunction, type FunctionNode, type NodeName, type NodeOf } from '../syntax.js';

/** A static property name (array indexes as numbers); `undefined` where it is computed at run time. */
export type Key = string | number | undefined;

export function isNullish(node: TSESTree.Node): boolean {
  return (is(node, 'Identifier') && node.name === 'undefined') || (is(node, 'Literal') && node.raw === 'null');
}

export const isConstant = (node: TSESTree.Node): boolean => is(node, 'Literal') || isNullish(node);

/** Syntax that changes the type of an expression, or nothing at all, but never its value. */
function isTransparent(node: TSESTree.Node | undefined): node is NodeOf['TSAsExpression' | 'TSSatisfiesExpression' | 'TSNonNullExpression' | 'TSTypeAssertion' | 'ChainExpression' | 'TSInstantiationExpression'] {
  return is(node, 'TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TSTypeAssertion', 'ChainExpression', 'TSInstantiationExpression');
}

/** The expression without casts around it. */
export function bare(node: TSESTree.Node): TSESTree.Node {
  let inner = node;
  while (isTransparent(inner)) inner = inner.expression;
  return inner;
}

/** The expression with the casts around it. */
export function dressed(node: TSESTree.Node): TSESTree.Node {
  let outer = node;
  while (isTransparent(outer.parent)) outer = outer.parent;
  return outer;
}

/** The call whose callee this expression is. */
export function callOf(node: TSESTree.Node): TSESTree.CallExpression | undefined {
  const outer = dressed(node);
  return is(outer.parent, 'CallExpression') && outer.parent.callee === outer ? outer.parent : undefined;
}

export function keyOf(node: { readonly computed: boolean }, key: TSESTree.Node): Key {
  if (!node.computed && is(key, 'Identifier')) return key.name;
  const inner = bare(key);
  if (is(inner, 'TemplateLiteral') && inner.quasis.length === 1) return asIndex(inner.quasis[0]?.value.cooked ?? '');
  return is(inner, 'Literal') && inner.value !== null ? asIndex(String(inner.value)) : undefined;
}

const asIndex = (text: string): Key => (/^\d+$/.test(text) ? Number(text) : text);

export function enclosingFunction(node: TSESTree.Node): FunctionNode | undefined {
  let outer = node.parent;
  while (outer && !isFunction(outer)) outer = outer.parent;
  return outer;
}

const LOOPS = ['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement'] as const;

/** Whether a loop of the node's own function goes round both. */
function shareLoop(node: TSESTree.Node, other: TSESTree.Node): boolean {
  for (let outer = node.parent; outer && !isFunction(outer); outer = outer.parent) {
    if (is(outer, ...LOOPS) && contains(outer, other)) return true;
  }
  return false;
}

/** The innermost assignment or declaration that gives this name its value: it has happened only at its end. */
function assignmentOf(name: TSESTree.Node): TSESTree.Node {
  let outer = name;
  while (is(outer.parent, 'ObjectPattern', 'ArrayPattern', 'Property', 'AssignmentPattern', 'RestElement')) outer = outer.parent;
  return is(outer.parent, 'AssignmentExpression', 'VariableDeclarator') ? outer.parent : outer;
}

/**
 * Whether the code of a use can run after the value was put under the name. It cannot if it stands before it, outside of loops,
 * in the function that declares the variable: the next call of that function has a new one.
 */
export function canSee(name: TSESTree.Node, declaration: TSESTree.Node | undefined, use: TSESTree.Node): boolean {
  if (!declaration || use.range[0] >= assignmentOf(name).range[1]) return true;
  const owner = enclosingFunction(name);
  return owner !== enclosingFunction(use) || owner !== enclosingFunction(declaration) || shareLoop(name, use);
}

/** The statement that does nothing but assign this name, if it stands right in a block. */
function assigningStatement(name: TSESTree.Node): TSESTree.Node | undefined {
  const assignment = assignmentOf(name);
  const statement = assignment.parent;
  const whole = (is(assignment, 'AssignmentExpression') && assignment.operator === '=' && is(statement, 'ExpressionStatement')) || (is(assignment, 'VariableDeclarator') && is(statement, 'VariableDeclaration'));
  return whole && is(statement.parent, 'BlockStatement', 'Program') ? statement : undefined;
}

/**
 * Whether a use comes after another assignment, in the same block as this one, that has surely replaced the value. Made once
 * for all uses.
 */
export function replacement(name: TSESTree.Node, others: readonly TSESTree.Node[]): (use: TSESTree.Node) => boolean {
  const first = assigningStatement(name);
  const block = first?.parent;
  if (!first || !block) return () => false;
  const ends = others.map(assigningStatement).filter((second) => second?.parent === block && second.range[0] >= first.range[1]).map((second) => second?.range[1] ?? Infinity);
  const end = Math.min(...ends);
  return (use) => use.range[0] >= end && contains(block, use) && enclosingFunction(name) === enclosingFunction(use);
}
