import type { TSESTree } from '@typescript-eslint/utils';
import type { SqlCall } from '../analysis/model.js';
import { driverOf } from '../analysis/regions.js';
import { is, isFunction, isMember, memberName, wrapped } from '../analysis/syntax.js';

/** How an unlock stands in the code that drops its answer. */
export type Form =
  /** `await call;`, or the same without `await`. */
  | { readonly kind: 'statement'; readonly statement: TSESTree.ExpressionStatement; readonly isAwaited: boolean }
  /** `await call.catch(handler);` */
  | { readonly kind: 'caught'; readonly statement: TSESTree.ExpressionStatement; readonly isAwaited: boolean }
  /** `const result = await call;` */
  | { readonly kind: 'declared'; readonly statement: TSESTree.VariableDeclaration; readonly id: TSESTree.BindingName }
  /** `result = await call;` */
  | { readonly kind: 'assigned'; readonly statement: TSESTree.ExpressionStatement; readonly id: TSESTree.Identifier }
  /** `() => call` */
  | { readonly kind: 'body'; readonly arrow: TSESTree.ArrowFunctionExpression; readonly isAwaited: boolean }
  /** An expression of a promise that something else waits for: `call.finally(...)`, an element of `Promise.all([...])`. */
  | { readonly kind: 'promise' };

/** The form of a call whose answer nothing reads; `undefined` for one that is not known. */
export function formOf(call: SqlCall): Form | undefined {
  const { node, callback, isHandedOn } = call;
  if (callback || isHandedOn || ('arguments' in node && isFunction(node.arguments.at(-1)))) return undefined;
  const sent = wrapped(builtBy(call), false);
  const awaited = is(sent.parent, 'AwaitExpression') ? sent.parent : undefined;
  const isAwaited = awaited !== undefined;
  const value = awaited ? wrapped(awaited, false) : sent;
  const parent = value.parent;
  if (is(parent, 'ExpressionStatement')) return { kind: 'statement', statement: parent, isAwaited };
  if (is(parent, 'UnaryExpression') && parent.operator === 'void') return !isAwaited && is(parent.parent, 'ExpressionStatement') ? { kind: 'statement', statement: parent.parent, isAwaited } : undefined;
  if (is(parent, 'ArrowFunctionExpression') && parent.body === value) return { kind: 'body', arrow: parent, isAwaited };
  if (isAwaited) return boundForm(parent, value);
  if (parent && isMember(parent)) return memberName(parent) === 'catch' ? caughtForm(parent) : isWaitingOnly(parent) ? { kind: 'promise' } : undefined;
  return is(parent, 'ArrayExpression') && isGathered(parent) ? { kind: 'promise' } : undefined;
}

/** With the methods of a library's builder behind the call: `db.select({ ... }).from(table)`. */
export function builtBy(call: SqlCall): TSESTree.Node {
  let at: TSESTree.Node = call.node;
  if (driverOf(call)?.templates?.kind !== 'layer') return at;
  for (;;) {
    const member: TSESTree.Node | undefined = at.parent;
    if (!is(member, 'MemberExpression') || ['then', 'catch', 'finally'].includes(memberName(member) ?? '')) return at;
    const next: TSESTree.Node = member.parent;
    if (!is(next, 'CallExpression') || next.callee !== member) return at;
    at = next;
  }
}

function boundForm(parent: TSESTree.Node | undefined, value: TSESTree.Node): Form | undefined {
  if (is(parent, 'VariableDeclarator') && is(parent.parent, 'VariableDeclaration') && parent.parent.declarations.length === 1) return { kind: 'declared', statement: parent.parent, id: parent.id };
  const isPlain = is(parent, 'AssignmentExpression') && parent.operator === '=' && parent.right === value && is(parent.left, 'Identifier');
  return isPlain && is(parent.parent, 'ExpressionStatement') ? { kind: 'assigned', statement: parent.parent, id: parent.left as TSESTree.Identifier } : undefined;
}

function caughtForm(caught: TSESTree.MemberExpression): Form | undefined {
  const call = caught.parent;
  if (!is(call, 'CallExpression') || call.callee !== caught) return undefined;
  const isAwaited = is(call.parent, 'AwaitExpression');
  const value = isAwaited ? call.parent : call;
  const statement = is(value.parent, 'UnaryExpression') && value.parent.operator === 'void' ? value.parent.parent : value.parent;
  return is(statement, 'ExpressionStatement') ? { kind: 'caught', statement, isAwaited } : undefined;
}

/** `.finally(...)`, and a `.then(...)` that takes no result. */
function isWaitingOnly(member: TSESTree.MemberExpression): boolean {
  const call = member.parent;
  if (!is(call, 'CallExpression') || call.callee !== member || !isSettled(call)) return false;
  const [first] = call.arguments;
  return memberName(member) === 'finally' || (memberName(member) === 'then' && isFunction(first) && first.params.length === 0);
}

/** `await Promise.all([...]);` The promises of `allSettled` keep their errors to themselves. */
function isGathered(list: TSESTree.ArrayExpression): boolean {
  const call = list.parent;
  return is(call, 'CallExpression') && isMember(call.callee) && is(call.callee.object, 'Identifier') && call.callee.object.name === 'Promise' && memberName(call.callee) === 'all' && isSettled(call);
}

/** Awaited, with the result dropped. */
function isSettled(call: TSESTree.Node): boolean {
  return is(call.parent, 'AwaitExpression') && is(call.parent.parent, 'ExpressionStatement');
}
