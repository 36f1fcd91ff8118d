import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../analysis/facts.js';
import type { LockUse } from '../analysis/model.js';
import { isUnlock } from '../analysis/pairs.js';
import { type Source, sourceOf } from '../analysis/regions.js';
import { contains, functionAround, is, isFunction, walk, type FunctionNode } from '../analysis/syntax.js';
import { Draft } from './draft.js';
import { formOf } from './forms.js';
import { nameOfLock } from './lock-name.js';
import type { Rewrite } from './model.js';
import { linesOf, surround, Text } from './text.js';

/**
 * Leaves the function where a lock helper answers that the lock is not won: by `return` where the function gives nothing back, else by an
 * error. Only where nothing unlocks on that way, and the helper gives the boolean itself.
 */
export function leaveWhenLost(use: LockUse, facts: FileFacts, sourceCode: Source): Rewrite | undefined {
  const { call } = use;
  const form = formOf(call);
  const owner = functionAround(call.node);
  const isAnswer = call.isElsewhere === true && call.holds === 'boolean' && facts.answerOf(use).state === 'dropped';
  if (!isAnswer || !owner || form?.kind !== 'statement' || !form.isAwaited || !is(form.statement.parent, 'BlockStatement') || isUnlockedOnTheWay(form.statement, owner, facts)) return undefined;
  const draft = new Draft(new Text(sourceCode));
  const { indent, end } = draft.text.style;
  const awaited = draft.cut(form.statement.expression.range);
  const leaving = givesNothing(owner) ? `return${end}` : `throw new Error(${nameOfLock(use, draft.text, 'is held by another session')})${end}`;
  draft.replace(form.statement.range, [...surround('if (!(', awaited, ')) {'), ...linesOf(`${indent}${leaving}`), ...linesOf('}')]);
  return draft.rewrite();
}

function givesNothing(owner: FunctionNode): boolean {
  const type = owner.returnType ? sourceOf(owner.returnType.typeAnnotation) : undefined;
  const isVoid = type === undefined || /^Promise<void>$/.test(type.replace(/\s/g, ''));
  return isVoid && ![...walk(owner.body, isFunction)].some((one) => is(one, 'ReturnStatement') && one.argument !== null);
}

/** Whether a `finally` or `catch` around a statement unlocks. */
function isUnlockedOnTheWay(statement: TSESTree.Node, owner: FunctionNode, facts: FileFacts): boolean {
  const isUnlocking = (node: TSESTree.Node): boolean => {
    const use = facts.uses.find((one) => one.call.node === node) ?? (is(node, 'CallExpression') ? facts.useOfHelper(node) : undefined);
    return use !== undefined && isUnlock(use);
  };
  for (let at = statement.parent; at && at !== owner; at = at.parent) {
    if (is(at, 'TryStatement') && contains(at.block, statement) && [at.handler, at.finalizer].some((one) => one && [...walk(one)].some(isUnlocking))) return true;
  }
  return false;
}
