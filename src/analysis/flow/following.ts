import type { TSESTree } from '@typescript-eslint/utils';
import { isReleaseName } from '../../drivers/index.js';
import { contains, is, isFunction, isMember, memberName, uncast, walk } from '../syntax.js';
import { isProcessExit } from '../sessions/process-end.js';
import { canThrow } from './call-kinds.js';

/** What stands behind a call in its function, block by block. */

export const worksAfter = (call: TSESTree.Node): boolean => followedBy(call, (node) => (is(node, 'CallExpression') && !isClearingUp(node)) || is(node, 'TaggedTemplateExpression'));

/** Something is waited for, or given back to be waited for, that is work. */
export const waitsAfter = (call: TSESTree.Node): boolean => followedBy(call, isWaitingForWork);

/** Whether a connection goes back right behind its lock, and what the lock is for comes after that. */
export function isReleasedBeforeWork(taken: TSESTree.Node, released: TSESTree.Node, body: TSESTree.Node): boolean {
  const isBetween = ({ range }: TSESTree.Node): boolean => taken.range[1] <= range[0] && range[1] <= released.range[0];
  const isWork = (node: TSESTree.Node): boolean => (is(node, 'CallExpression') && !isClearingUp(node)) || is(node, 'TaggedTemplateExpression');
  if (!contains(body, taken) || !contains(body, released) || [...walk(body)].some((node) => isBetween(node) && isWork(node))) return false;
  for (let at: TSESTree.Node = released; at.parent && !isFunction(at); at = at.parent) {
    const statements = is(at.parent, 'BlockStatement') || is(at.parent, 'Program') ? at.parent.body : [];
    for (const next of statements.slice(statements.indexOf(at as TSESTree.Statement) + 1)) {
      if ([...walk(next, isFunction)].some(isWaitingForWork)) return true;
      if (/^(?:Return|Throw|Break|Continue)Statement$/.test(next.type)) return false;
    }
  }
  return false;
}

function isWaitingForWork(node: TSESTree.Node): boolean {
  const given = is(node, 'AwaitExpression') || is(node, 'ReturnStatement') ? node.argument : undefined;
  const awaited = given ? uncast(given) : undefined;
  return is(awaited, 'CallExpression') ? !isClearingUp(awaited) : awaited !== undefined && (is(node, 'AwaitExpression') || is(awaited, 'TaggedTemplateExpression'));
}

function followedBy(call: TSESTree.Node, isWork: (node: TSESTree.Node) => boolean): boolean {
  for (let at: TSESTree.Node = call; at.parent && !isFunction(at); at = at.parent) {
    const { parent } = at;
    const body = is(parent, 'BlockStatement') || is(parent, 'Program') ? parent.body : undefined;
    const after = body?.slice(body.indexOf(at as TSESTree.Statement) + 1) ?? [];
    if (after.some((one) => [...walk(one, isFunction)].some(isWork))) return true;
  }
  return false;
}

/** Logging, and what gives a connection back, is no work that a lock would be for. */
export function isClearingUp(call: TSESTree.CallExpression): boolean {
  return !canThrow(call) || isProcessExit(call) || (isMember(call.callee) && (isReleaseName(memberName(call.callee) ?? '') || memberName(call.callee) === 'disconnect'));
}
