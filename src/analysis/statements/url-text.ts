import type { TSESTree } from '@typescript-eslint/utils';
import { variableOf } from '../values/names.js';
import type { Origin } from '../values/origin.js';
import { is, isMember, memberName, unwrap } from '../syntax.js';

/** A connection string that is put together by `new URL(text)` and what is set in its `searchParams`. */
export interface UrlText {
  readonly base: TSESTree.Node;
  readonly parameters: readonly { readonly name: TSESTree.Node; readonly value: TSESTree.Node }[];
}

/** `url.toString()`, `url.href`, `String(url)`: the object whose text an expression is. */
export function urlBehind(origin: Origin): TSESTree.Node | undefined {
  if (origin.kind === 'member') return origin.name === 'href' && isMember(unwrap(origin.node)) ? (unwrap(origin.node) as TSESTree.MemberExpression).object : undefined;
  const node = origin.kind === 'value' ? origin.node : undefined;
  if (!is(node, 'CallExpression')) return undefined;
  if (isMember(node.callee)) return ['toString', 'toJSON'].includes(memberName(node.callee) ?? '') ? node.callee.object : undefined;
  return is(node.callee, 'Identifier') && node.callee.name === 'String' ? node.arguments[0] : undefined;
}

/** How a constant is made, as long as nothing is done to it but to set parameters beside its declaration, each once. */
export function urlTextOf(object: TSESTree.Node): UrlText | undefined {
  const variable = is(object, 'Identifier') ? variableOf(object) : undefined;
  const declarator = variable?.defs[0]?.node as TSESTree.Node | undefined;
  const made = is(declarator, 'VariableDeclarator') && variable?.defs.length === 1 ? declarator.init : undefined;
  if (!variable || !is(made, 'NewExpression') || !is(made.callee, 'Identifier') || made.callee.name !== 'URL' || made.arguments.length !== 1) return undefined;
  const parameters: { name: TSESTree.Node; value: TSESTree.Node }[] = [];
  for (const { identifier } of variable.references) {
    const member = identifier.parent;
    if (!isMember(member) || memberName(member) !== 'searchParams') continue;
    const call = isMember(member.parent) ? member.parent.parent : undefined;
    const [name, value] = is(call, 'CallExpression') ? call.arguments : [];
    const isSet = isMember(member.parent) && ['set', 'append'].includes(memberName(member.parent) ?? '');
    if (isMember(member.parent) && memberName(member.parent) === 'get') continue;
    // One that is set under a condition may not be there.
    if (!isSet || !name || !value || !is(call?.parent, 'ExpressionStatement') || call.parent.parent !== declarator?.parent?.parent) return undefined;
    parameters.push({ name, value });
  }
  return { base: made.arguments[0]!, parameters };
}
