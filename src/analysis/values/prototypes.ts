import type { TSESTree } from '@typescript-eslint/utils';
import { treeOf } from '../../types/index.js';
import { appliedBy } from './applied.js';
import { functionOf } from './names.js';
import { is, isFunction, isMember, memberName, staticName, walk, type FunctionNode } from '../syntax.js';

/** Constructors that are functions, with their methods on a prototype: classes as they were written before there were any. */

/** The constructor whose instance is `this` in a function; `undefined` where that is not in view. */
export function constructorOf(method: FunctionNode): FunctionNode | undefined {
  const { parent } = method;
  if (is(parent, 'AssignmentExpression') && parent.right === method && isMember(parent.left)) return ofTarget(parent.left.object);
  const object = is(parent, 'Property') && is(parent.parent, 'ObjectExpression') ? parent.parent : undefined;
  const holder = object?.parent;
  if (object && is(holder, 'AssignmentExpression') && holder.right === object) return ofTarget(holder.left);
  if (object && is(holder, 'CallExpression') && isAssign(holder) && holder.arguments[0]) return ofTarget(holder.arguments[0]);
  return object ? undefined : method;
}

/** `Locker` of `Locker.prototype`; the function around `this`. */
function ofTarget(target: TSESTree.Node): FunctionNode | undefined {
  if (is(target, 'ThisExpression')) return ownerOf(target);
  return isMember(target) && memberName(target) === 'prototype' && is(target.object, 'Identifier') ? functionOf(target.object) : undefined;
}

function ownerOf(node: TSESTree.Node): FunctionNode | undefined {
  for (let at = node.parent; at; at = at.parent) {
    if (is(at, 'ClassBody')) return undefined;
    if (is(at, 'FunctionDeclaration', 'FunctionExpression')) return constructorOf(at);
  }
  return undefined;
}

const isAssign = ({ callee }: TSESTree.CallExpression): boolean => isMember(callee) && is(callee.object, 'Identifier') && callee.object.name === 'Object' && memberName(callee) === 'assign';

/** What `Object.assign(this, { pool })` puts into `this`, by name; `undefined` for anything else, and where that is not all in view. */
export function assignedToThis(node: TSESTree.Node): { readonly name: string; readonly value: TSESTree.Expression }[] | undefined {
  if (!is(node, 'CallExpression') || !isAssign(node)) return undefined;
  const [target, ...sources] = node.arguments;
  const properties = is(target, 'ThisExpression') ? sources.flatMap((one): (TSESTree.ObjectLiteralElement | undefined)[] => (is(one, 'ObjectExpression') ? one.properties : [undefined])) : [undefined];
  const found = properties.map((one) => {
    const name = is(one, 'Property') && one.kind === 'init' ? staticName(one.key, one.computed) : undefined;
    return name === undefined ? undefined : { name, value: (one as TSESTree.Property).value as TSESTree.Expression };
  });
  return found.every((one) => one !== undefined) ? found : undefined;
}

export interface InstanceWrite {
  readonly value: TSESTree.Expression;
  readonly node: TSESTree.Node;
}

interface Instance {
  readonly writes: ReadonlyMap<string, readonly InstanceWrite[]>;
  readonly methods: ReadonlyMap<string, FunctionNode>;
  /** `Base.call(this, pool)`, where it inherits from that. */
  readonly base: { readonly call: TSESTree.CallExpression; readonly callee: FunctionNode; readonly args: readonly TSESTree.CallExpressionArgument[] } | undefined;
}

const instances = new WeakMap<FunctionNode, Instance>();

/** What the file says of the instances of a constructor. */
export function instanceOf(owner: FunctionNode): Instance {
  let found = instances.get(owner);
  if (!found) instances.set(owner, found = collect(owner));
  return found;
}

function collect(owner: FunctionNode): Instance {
  const writes = new Map<string, InstanceWrite[]>();
  const methods = new Map<string, FunctionNode>();
  let base: Instance['base'];
  const write = (name: string, value: TSESTree.Expression, node: TSESTree.Node): unknown => writes.set(name, [...writes.get(name) ?? [], { value, node }]);
  for (const node of walk(treeOf(owner).ast)) {
    if (is(node, 'AssignmentExpression') && isMember(node.left) && is(node.left.object, 'ThisExpression') && ownerOf(node) === owner) write(memberName(node.left) ?? '', node.right, node);
    else if (is(node, 'FunctionExpression') && constructorOf(node) === owner && node !== owner) methods.set(nameOf(node) ?? '', node);
    else if (is(node, 'CallExpression')) {
      if (assignedToThis(node) && ownerOf(node) === owner) for (const one of assignedToThis(node)!) write(one.name, one.value, node);
      const applied = appliedBy(node);
      const callee = applied && is(applied.self, 'ThisExpression') && is(applied.method, 'Identifier') && !applied.list && ownerOf(node) === owner ? functionOf(applied.method) : undefined;
      if (callee && callee !== owner) base ??= { call: node, callee, args: applied!.args };
    }
  }
  return { writes, methods, base };
}

function nameOf({ parent }: FunctionNode): string | undefined {
  if (is(parent, 'AssignmentExpression') && isMember(parent.left)) return memberName(parent.left);
  return is(parent, 'Property') ? staticName(parent.key, parent.computed) : undefined;
}

/** Whether a function is one that makes instances: something is written into its `this`. */
export const isConstructor = (callee: TSESTree.Node): callee is FunctionNode => isFunction(callee) && !is(callee, 'ArrowFunctionExpression') && (instanceOf(callee).writes.size > 0 || instanceOf(callee).base !== undefined);
