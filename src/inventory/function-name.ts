import type { TSESTree } from '@typescript-eslint/utils';
import { shortSource } from '../analysis/quoting.js';
import { functionAround, is, isClass, isMember, memberName, staticName, type FunctionNode } from '../analysis/syntax.js';

export const TOP_LEVEL = '(top level)';

/** The nearest function around a node that has a name, as people call it; else the call that gets it: `app.get('/run')`. */
export function functionName(node: TSESTree.Node): string {
  let handedTo: string | undefined;
  for (let at = functionAround(node); at; at = functionAround(at)) {
    const name = nameOf(at);
    if (name !== undefined) return name;
    if (is(at.parent, 'CallExpression') && at.parent.callee !== at) handedTo = callName(at.parent);
  }
  return handedTo ?? TOP_LEVEL;
}

function callName({ callee, arguments: [first] }: TSESTree.CallExpression): string {
  return `${shortSource(callee)}(${is(first, 'Literal') ? shortSource(first) : ''})`;
}

function nameOf(callee: FunctionNode): string | undefined {
  if ('id' in callee && callee.id) return callee.id.name;
  const holder = callee.parent;
  if (is(holder, 'VariableDeclarator') && is(holder.id, 'Identifier')) return holder.id.name;
  if (is(holder, 'AssignmentExpression')) return isMember(holder.left) ? memberName(holder.left) : is(holder.left, 'Identifier') ? holder.left.name : undefined;
  if (is(holder, 'MethodDefinition') || is(holder, 'PropertyDefinition')) return inOwner(holder.parent.parent, staticName(holder.key, holder.computed) ?? `[${shortSource(holder.key)}]`);
  if (is(holder, 'Property') && holder.value === callee) return staticName(holder.key, holder.computed);
  if (is(holder, 'ExportDefaultDeclaration')) return 'default';
  return undefined;
}

function inOwner(owner: TSESTree.Node, name: string | undefined): string | undefined {
  if (name === undefined || !isClass(owner)) return name;
  const ownName = owner.id?.name ?? (is(owner.parent, 'VariableDeclarator') && is(owner.parent.id, 'Identifier') ? owner.parent.id.name : undefined);
  return ownName === undefined ? name : `${ownName}${name.startsWith('[') ? '' : '.'}${name}`;
}
