import type { TSESTree } from '@typescript-eslint/utils';
import type { Types } from '../../types/index.js';
import { type ClassNode, type FunctionNode, is, isClass, isFunction, isMember, memberName, staticName, walk } from '../syntax.js';
import type { Step } from './origin.js';
import { variableOf } from './names.js';
import { pathTo } from './patterns.js';
import { assignedToThis } from './prototypes.js';

/** Members of classes and object literals. */

export function objectMember(object: TSESTree.ObjectExpression, name: string): TSESTree.Property | undefined {
  const found = object.properties.findLast((one) => is(one, 'Property') && staticName(one.key, one.computed) === name);
  return found as TSESTree.Property | undefined;
}

/** What `db.sequelize = sequelize` puts into an object after it was made, under the name of its variable. */
export function assignedLater(object: TSESTree.ObjectExpression, name: string): TSESTree.Expression[] {
  const holder = object.parent;
  const variable = is(holder, 'VariableDeclarator') && is(holder.id, 'Identifier') ? variableOf(holder.id) : undefined;
  return (variable?.references ?? []).flatMap(({ identifier }) => {
    const member = identifier.parent;
    return isMember(member) && member.object === identifier && memberName(member) === name && isWrittenTo(member) ? [member.parent.right] : [];
  });
}

export interface ClassMember {
  readonly member: TSESTree.PropertyDefinition | TSESTree.MethodDefinition | undefined;
  /** `constructor(private readonly pool: Pool)`. */
  readonly parameter: { readonly callee: FunctionNode; readonly index: number; readonly name: TSESTree.Identifier } | undefined;
  readonly constructorFunction: FunctionNode | undefined;
}

/** Whether a decorator stands between a method and its callers. */
export const isDecorated = (callee: FunctionNode): boolean => is(callee.parent, 'MethodDefinition') && decoratorsOf(callee.parent).length > 0;

/** Parsers that know no decorators, as ESLint's own, give none. */
export const decoratorsOf = (node: { readonly decorators?: readonly TSESTree.Decorator[] }): readonly TSESTree.Decorator[] => node.decorators ?? [];

export function classMember(owner: ClassNode, name: string, isStatic = false): ClassMember {
  let member: ClassMember['member'];
  let parameter: ClassMember['parameter'];
  let constructorFunction: FunctionNode | undefined;
  for (const one of owner.body.body) {
    if (is(one, 'MethodDefinition') && one.kind === 'constructor' && isFunction(one.value)) {
      const callee = one.value as FunctionNode;
      constructorFunction = callee;
      callee.params.forEach((param, index) => {
        const inner = is(param, 'TSParameterProperty') ? param.parameter : undefined;
        const id = is(inner, 'AssignmentPattern') ? (inner as TSESTree.AssignmentPattern).left : inner;
        if (is(id, 'Identifier') && (id).name === name) parameter = { callee, index, name: id };
      });
    }
    const keyed = one as TSESTree.PropertyDefinition;
    if ('key' in one && keyed.static === isStatic && staticName(keyed.key, keyed.computed) === name) {
      // An overload has no body, and a setter tells nothing of what a getter gives.
      const isSetter = is(one, 'MethodDefinition') && one.kind === 'set';
      if (!isSetter) member = one as ClassMember['member'];
    }
  }
  return { member, parameter, constructorFunction };
}

export interface FieldWrite {
  readonly value: TSESTree.Expression;
  readonly path: readonly Step[];
  readonly node: TSESTree.Node;
}

/** The classes of the user's own that extend a class. */
export function subclassesOf(owner: ClassNode, types: Types, depth = 0): ClassNode[] {
  if (!owner.id || depth > 4) return [];
  const found = types.usesOf(owner.id).flatMap((use) => (isClass(use.parent) && use.parent.superClass === use ? [use.parent] : []));
  return found.flatMap((one) => [one, ...subclassesOf(one, types, depth + 1)]);
}

const writes = new WeakMap<ClassNode, Map<string, FieldWrite[]>>();

/** Every `this.name = value` of a class's own code, also by destructuring. Made once per class. */
export function assignmentsToField(owner: ClassNode, name: string): readonly FieldWrite[] {
  let all = writes.get(owner);
  if (!all) writes.set(owner, all = collectWrites(owner));
  return all.get(name) ?? [];
}

function collectWrites(owner: ClassNode): Map<string, FieldWrite[]> {
  const found = new Map<string, FieldWrite[]>();
  for (const node of walk(owner.body)) {
    for (const { name, value } of assignedToThis(node) ?? []) found.set(name, [...(found.get(name) ?? []), { value, path: [], node }]);
    if (!is(node, 'AssignmentExpression')) continue;
    const { left, right, operator } = node;
    if (!['=', '??=', '||='].includes(operator)) continue;
    for (const target of walk(left)) {
      const name = isMember(target) && is(target.object, 'ThisExpression') ? memberName(target) : undefined;
      if (name === undefined) continue;
      found.set(name, [...(found.get(name) ?? []), { value: right, path: pathTo(left, target), node }]);
    }
  }
  return found;
}

const propertyWrites = new WeakMap<TSESTree.Node, ReadonlyMap<string, readonly TSESTree.Node[]>>();

/** The names of `x.name = ...` of a file, by name. Made once per file. */
export function writtenProperties(ast: TSESTree.Program): ReadonlyMap<string, readonly TSESTree.Node[]> {
  const known = propertyWrites.get(ast);
  if (known) return known;
  const found = new Map<string, TSESTree.Node[]>();
  for (const node of walk(ast)) {
    if (!is(node, 'AssignmentExpression') || !isMember(node.left)) continue;
    const name = memberName(node.left) ?? '';
    found.set(name, [...(found.get(name) ?? []), node.left.property]);
  }
  propertyWrites.set(ast, found);
  return found;
}

/** Whether a member expression is the target of a plain assignment. */
export const isWrittenTo = (member: TSESTree.MemberExpression): member is TSESTree.MemberExpression & { readonly parent: TSESTree.AssignmentExpression } =>
  is(member.parent, 'AssignmentExpression') && member.parent.left === member;

const filled = new WeakMap<ClassNode, boolean>();

/** Whether a class's own code sets properties whose names are not in view: `Object.assign(this, parts)`, `Object.create(this)`. */
export function isFilledAtOnce(owner: ClassNode): boolean {
  let known = filled.get(owner);
  if (known === undefined) filled.set(owner, known = [...walk(owner.body)].some(isFilling));
  return known;
}

function isFilling(node: TSESTree.Node): boolean {
  if (!is(node, 'CallExpression') || !isMember(node.callee) || !is(node.callee.object, 'Identifier') || node.callee.object.name !== 'Object') return false;
  if (!['assign', 'create', 'defineProperties', 'setPrototypeOf'].includes(memberName(node.callee) ?? '')) return false;
  const [target] = node.arguments;
  return target !== undefined && !assignedToThis(node) && (is(target, 'ThisExpression') || (isMember(target) && memberName(target) === 'prototype'));
}
