import type { TSESTree } from '@typescript-eslint/utils';
import { sourceOf, treeOf, variableOf } from '../analysis/regions.js';
import { contains, functionAround, is, isFunction, isMember, memberName, uncast, unwrap, walk } from '../analysis/syntax.js';
import { drivers, isPoolEndName, type ReserveMember } from '../drivers/index.js';
import { exits } from './placement.js';

/** What an error that is thrown behind an unlock would meet, and what it would undo. */

/**
 * Whether an error thrown at a node does no good: something swallows it, or it would take the place of another error; or what the
 * function was to do is done for good, so that whoever gets the error would take it for undone.
 */
export function isThrowAmiss(node: TSESTree.Node): boolean {
  return isSwallowed(node) || isInHandler(node) || finalIn(node).some((one) => isOnTheWay(one, node));
}

/**
 * Whether a node runs in a `finally`, where an error would take the place of that of the work: by its own place, as the callback of
 * `.finally()`, or in a function of the file that is called in such places alone.
 */
export function isInFinally(node: TSESTree.Node, depth = 0): boolean {
  if (isInFinalizer(node)) return true;
  const owner = functionAround(node);
  if (!owner || depth === MAX_HELPERS) return false;
  const { parent } = owner;
  if (is(parent, 'CallExpression') && parent.arguments[0] === owner) return isMember(parent.callee) && memberName(parent.callee) === 'finally';
  const uses = usesOf(owner);
  return uses.length > 0 && uses.every((one) => is(one.parent, 'CallExpression') && one.parent.callee === one && isInFinally(one, depth + 1));
}

/** Whether a node stands in the `finally` of a `try` of its own function. */
export function isInFinalizer(node: TSESTree.Node): boolean {
  for (let at = node; at.parent && !isFunction(at); at = at.parent) if (is(at.parent, 'TryStatement') && at.parent.finalizer === at) return true;
  return false;
}

/** How many helpers deep an unlock may stand. */
const MAX_HELPERS = 3;

/** Where the file speaks of a function: by its name, or as the method of `this` that it is. */
function usesOf(node: TSESTree.Node): TSESTree.Node[] {
  const { parent } = node;
  if (is(parent, 'MethodDefinition') || is(parent, 'PropertyDefinition')) {
    const name = sourceOf(parent.key);
    return [...walk(parent.parent)].filter((one) => isMember(one) && is(one.object, 'ThisExpression') && sourceOf(one.property) === name);
  }
  const id = is(node, 'FunctionDeclaration') ? node.id : is(parent, 'VariableDeclarator') ? parent.id : undefined;
  return (is(id, 'Identifier') ? variableOf(id)?.references : undefined)?.map((one): TSESTree.Node => one.identifier).filter((one) => one !== id) ?? [];
}

// ---- who gets the error

/** Whether a `catch` that neither throws nor looks at its error, or a `finally` that leaves, keeps an error from this place to itself. */
function isSwallowed(node: TSESTree.Node): boolean {
  let at = node;
  for (; at.parent && !isFunction(at); at = at.parent) {
    const statement: TSESTree.Node = at.parent;
    if (!is(statement, 'TryStatement')) continue;
    if (statement.handler && statement.block === at && isSilent(statement.handler.param, statement.handler.body)) return true;
    if (statement.finalizer && statement.finalizer !== at && leaves(statement.finalizer)) return true;
  }
  return isFunction(at) && isSilentChain(at);
}

/** In a `catch`, an error of another kind would hide the one that was caught. */
function isInHandler(node: TSESTree.Node): boolean {
  for (let at = node; at.parent && !isFunction(at); at = at.parent) if (is(at, 'CatchClause')) return true;
  return false;
}

const isSilent = (param: TSESTree.Node | null | undefined, body: TSESTree.Node): boolean =>
  ![...walk(body, isFunction)].some((one) => is(one, 'ThrowStatement')) && !(param && namesIn(param).some((name) => [...walk(body)].some((one) => is(one, 'Identifier') && one.name === name)));

const namesIn = (pattern: TSESTree.Node): string[] => [...walk(pattern)].flatMap((one) => (is(one, 'Identifier') ? [one.name] : []));

const leaves = (block: TSESTree.BlockStatement): boolean => [...walk(block, isFunction)].some((one) => is(one, 'ReturnStatement'));

/** `(async () => { ... })().catch(() => {})`, `work().finally(async () => { ... }).catch(() => {})` */
function isSilentChain(callback: TSESTree.Node): boolean {
  const { parent } = callback;
  let call: TSESTree.Node | undefined = parent;
  while (is(call, 'CallExpression')) {
    const member: TSESTree.Node = call.parent;
    if (!isMember(member) || member.object !== call) return false;
    const next: TSESTree.Node = member.parent;
    if (!is(next, 'CallExpression') || next.callee !== member) return false;
    const [handler] = next.arguments;
    if (memberName(member) === 'catch' && isFunction(handler)) return isSilent(handler.params[0], handler.body);
    call = next;
  }
  return false;
}

// ---- what cannot be undone

const byFunction = new WeakMap<TSESTree.Node, readonly TSESTree.Node[]>();

/** Where the function around a node commits a transaction, or sends the response to a request. */
function finalIn(node: TSESTree.Node): readonly TSESTree.Node[] {
  const within = functionAround(node) ?? treeOf(node).ast;
  let found = byFunction.get(within);
  if (!found) byFunction.set(within, found = [...walk(within, isFunction)].filter((one) => one !== within && (isResponse(one) || isCommit(one) || isTransaction(one))));
  return found;
}

/** Whether a call has the name of a method that ends a pool in some library. */
export const isEndNamed = (node: TSESTree.Node): node is TSESTree.CallExpression & { callee: TSESTree.MemberExpression } =>
  is(node, 'CallExpression') && isMember(node.callee) && isPoolEndName(memberName(node.callee) ?? '');

/** `res.status(201).json(job)`: a second response would be an error by itself. */
export function isResponse(node: TSESTree.Node): boolean {
  if (!is(node, 'CallExpression') || !isMember(node.callee) || !/^(?:json|send|end|sendStatus|sendFile|redirect|render)$/.test(memberName(node.callee) ?? '')) return false;
  let root: TSESTree.Node = node.callee.object;
  while (is(root, 'CallExpression') && isMember(root.callee)) root = root.callee.object;
  const name = is(root, 'Identifier') ? root.name : isMember(root) ? memberName(root) : undefined;
  return name !== undefined && /^(?:res|response|reply)$/i.test(name);
}

/** Whether a statement may throw an error of its own. */
export const throws = (statement: TSESTree.Node): boolean => [...walk(statement, isFunction)].some((one) => is(one, 'ThrowStatement'));

/** Whether a statement only looks at an answer: it throws, writes a log, remembers. Any other call may tell somebody that the work is done. */
export const isCheck = (statement: TSESTree.Statement): boolean =>
  [...walk(statement, isFunction)].every((one) => !is(one, 'ExpressionStatement') || isRemark(uncast(one.expression)));

function isRemark(node: TSESTree.Node): boolean {
  if (is(node, 'AwaitExpression') || is(node, 'YieldExpression')) return false;
  if (is(node, 'UnaryExpression')) return isRemark(uncast(node.argument));
  if (is(node, 'LogicalExpression')) return isRemark(uncast(node.right));
  const call = unwrap(node);
  if (!is(call, 'CallExpression')) return true;
  const names = [...walk(call.callee)].flatMap((one) => (is(one, 'Identifier') ? [one.name] : []));
  return names.some((name) => /^(?:console|assert|expect|process|log|logger|debug|info|warn|warning|error|fatal|trace)$/i.test(name));
}

const COMMIT = /^['"`]\s*commit\b/i;
const commits = new Set<string>(drivers.flatMap(({ transactions }) => transactions?.ends ?? []).filter((name) => /^commit/.test(name)));

/** Whether a node commits a transaction: text that does, or a method of some library. */
export const isCommit = (node: TSESTree.Node): boolean =>
  ((is(node, 'Literal') || is(node, 'TemplateLiteral')) && COMMIT.test(sourceOf(node))) || (is(node, 'CallExpression') && isMember(node.callee) && commits.has(memberName(node.callee) ?? ''));

const opening = drivers.flatMap((driver): readonly ReserveMember[] => driver.reserves).filter(({ gives, callbackParameter }) => gives === 'transaction' && callbackParameter !== undefined);

/** A call that runs a callback in a transaction, which is over behind it. */
function isTransaction(node: TSESTree.Node): boolean {
  if (!is(node, 'CallExpression') || !isMember(node.callee) || !isFunction(node.arguments.at(-1)) && !isFunction(node.arguments[0])) return false;
  const { object } = node.callee;
  const name = memberName(node.callee);
  return opening.some((one) => (one.completedBy === undefined ? one.name === name : one.completedBy === name && is(object, 'CallExpression') && isMember(object.callee) && memberName(object.callee) === one.name));
}

/** Whether what stands before a node may have run when that is reached. */
function isOnTheWay(before: TSESTree.Node, node: TSESTree.Node): boolean {
  if (before.range[0] >= node.range[0] || contains(before, node)) return false;
  let isLeft = false;
  for (let at = before, parent = at.parent; parent; at = parent, parent = at.parent) {
    if (contains(parent, node)) {
      if (is(parent, 'TryStatement')) return true;
      return !isLeft && !(is(parent, 'IfStatement') && parent.test !== at) && !is(parent, 'SwitchStatement');
    }
    isLeft ||= /Statement$/.test(at.type) && exits(at as TSESTree.Statement);
  }
  return false;
}
