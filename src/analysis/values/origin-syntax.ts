import type { TSESTree } from '@typescript-eslint/utils';
import { sourceOf } from '../../types/index.js';
import { assignmentsToField, classMember } from './members.js';
import { variableOf } from './names.js';
import { givenToStack } from './stacks.js';
import { is, isClass, isFunction, isMember, memberName, staticName, type ClassNode, type FunctionNode } from '../syntax.js';

/** Questions about syntax that following values asks. */

export const parameterProperty = (definition: TSESTree.Node): boolean => classAroundParameter(definition) !== undefined;

export function classAroundParameter(definition: TSESTree.Node): ClassNode | undefined {
  let holder = definition.parent;
  if (is(holder, 'AssignmentPattern')) holder = holder.parent;
  if (!is(holder, 'TSParameterProperty')) return undefined;
  const owner = holder.parent.parent.parent?.parent;
  return isClass(owner) ? owner : undefined;
}

/** Whether a definition is the property of an object literal. */
export const isOfLiteral = (definition: TSESTree.Node): boolean => is(definition.parent, 'Property') && is(definition.parent.parent, 'ObjectExpression');

/** The same, where the property holds something else than a function that is written there. */
export const isDataOfLiteral = (definition: TSESTree.Node): boolean => isOfLiteral(definition) && !isFunction((definition.parent as TSESTree.Property).value);

/** The name that `{ key: name = fallback }` of a pattern binds. */
export const boundName = ({ value }: TSESTree.Property): TSESTree.Node => (is(value, 'AssignmentPattern') ? value.left : value);

/** The definitions of a name, without the overloads of a function that has a body, too. */
export function implementations<T extends { readonly node: unknown; readonly type?: unknown }>(all: readonly T[]): readonly T[] {
  // A type of the same name has no value: `const Key = { ... } as const; type Key = ...`.
  const defs = all.some(({ type }) => type === 'Type') && all.some(({ type }) => type === 'Variable') ? all.filter(({ type }) => type !== 'Type') : all;
  const hasBody = defs.some(({ node }) => is(node as TSESTree.Node, 'FunctionDeclaration'));
  return hasBody ? defs.filter(({ node }) => !is(node as TSESTree.Node, 'TSDeclareFunction')) : defs;
}

/** Whether a node stands in a static member of its class. */
export function isInStatic(node: TSESTree.Node): boolean {
  for (let at: TSESTree.Node | undefined = node; at && !isClass(at); at = at.parent) {
    if (is(at, 'StaticBlock')) return true;
    if (is(at, 'MethodDefinition') || is(at, 'PropertyDefinition')) return at.static;
  }
  return false;
}

/** The name that a parameter is declared by. */
export function parameterName(param: TSESTree.Node): TSESTree.Node {
  const inner = is(param, 'TSParameterProperty') ? param.parameter : param;
  return is(inner, 'AssignmentPattern') ? inner.left : inner;
}

export function declares(owner: ClassNode, name: string): boolean {
  const { member, parameter } = classMember(owner, name, false);
  return member !== undefined || parameter !== undefined || assignmentsToField(owner, name).length > 0;
}

export function requiredModule(node: TSESTree.CallExpression): TSESTree.StringLiteral | undefined {
  const [argument] = node.arguments;
  const isRequire = is(node.callee, 'Identifier') && (node.callee).name === 'require';
  return isRequire && is(argument, 'Literal') && typeof (argument).value === 'string' ? argument : undefined;
}

/** Calls that give back what they are given: `Promise.resolve(x)`, `Object.freeze(x)`, `await import('x')` is not one. */
export function passedThrough(node: TSESTree.CallExpression): TSESTree.Node | undefined {
  const kept = givenToStack(node);
  if (kept) return kept;
  if (!isMember(node.callee) || !is(node.callee.object, 'Identifier')) return undefined;
  const name = `${(node.callee.object).name}.${memberName(node.callee) ?? ''}`;
  return ['Promise.resolve', 'Promise.all', 'Object.freeze', 'Object.seal', 'Object.assign'].includes(name) ? node.arguments[0] : undefined;
}

/** `promise.then((value) => part of it)`, with what the handler is given. */
export function settledBy({ callee, arguments: [handler, ...more] }: TSESTree.CallExpression): { readonly promise: TSESTree.Expression; readonly handler: FunctionNode } | undefined {
  if (!isMember(callee) || memberName(callee) !== 'then' || more.length > 0 || !isFunction(handler) || handler.params.length !== 1) return undefined;
  return { promise: callee.object, handler };
}

/** `exports` or `module.exports` of a CommonJS file. */
export function isExports(node: TSESTree.Node): boolean {
  if (isMember(node)) return memberName(node) === 'exports' && is(node.object, 'Identifier') && node.object.name === 'module' && !isDeclared(node.object);
  return is(node, 'Identifier') && node.name === 'exports' && !isDeclared(node);
}

const isDeclared = (name: TSESTree.Identifier): boolean => (variableOf(name)?.defs.length ?? 0) > 0;

/** The name under which a CommonJS file exports a value: `exports.lock = async () => { ... }`. */
export function exportedAs(value: TSESTree.Node): TSESTree.Node | undefined {
  const { parent } = value;
  const isAssigned = is(parent, 'AssignmentExpression') && parent.operator === '=' && parent.right === value;
  return isAssigned && isMember(parent.left) && !parent.left.computed && isExports(parent.left.object) ? parent.left.property : undefined;
}

/** What a CommonJS file exports under a name: `module.exports = { x }`, of which it is a part, and `exports.x = ...`. */
export function commonExports(program: TSESTree.Program, name: string): { readonly value: TSESTree.Expression; readonly path: readonly string[] }[] {
  return program.body.flatMap((statement) => {
    const expression = is(statement, 'ExpressionStatement') ? statement.expression : undefined;
    if (!is(expression, 'AssignmentExpression')) return [];
    const target = sourceOf(expression.left);
    const path = target === 'module.exports' ? [name] : target === `exports.${name}` || target === `module.exports.${name}` ? [] : undefined;
    return path ? [{ value: expression.right, path }] : [];
  });
}

const asked = new WeakMap<TSESTree.Program, Map<string, TSESTree.Node>>();

/** Stands for an export of a CommonJS file while that is asked for: always the same for the same one. */
export function exportAsked(program: TSESTree.Program, name: string): TSESTree.Node {
  const names = asked.get(program) ?? new Map<string, TSESTree.Node>();
  if (!asked.has(program)) asked.set(program, names);
  const known = names.get(name) ?? { ...program };
  names.set(name, known);
  return known;
}

export const enumValue = ({ body }: TSESTree.TSEnumDeclaration, name: string): TSESTree.Expression | undefined =>
  body.members.find((one) => staticName(one.id, false) === name)?.initializer;
