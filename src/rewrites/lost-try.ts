import type { TSESTree } from '@typescript-eslint/utils';
import { isPinned } from '../analysis/connections/sessions.js';
import type { FileFacts } from '../analysis/facts.js';
import type { LockUse } from '../analysis/model.js';
import { isUnlock } from '../analysis/pairs.js';
import { isBlock, isRelease, type Source, sourceOf } from '../analysis/regions.js';
import { contains, functionAround, is, isFunction, walk, type FunctionNode } from '../analysis/syntax.js';
import { isCommit, isEndNamed } from './aftermath.js';
import { AnswerReader } from './answer.js';
import { Carrier } from './carrier.js';
import { hasOneAnswer } from './columns.js';
import { Draft } from './draft.js';
import { formOf } from './forms.js';
import { nameOfLock } from './lock-name.js';
import type { Rewrite } from './model.js';
import { Names } from './names.js';
import { linesOf, surround, Text } from './text.js';

type Loop = TSESTree.ForStatement | TSESTree.ForOfStatement | TSESTree.ForInStatement | TSESTree.WhileStatement | TSESTree.DoWhileStatement;

/**
 * Leaves the work where a try-lock on one connection is not won: the round of a loop by `continue`, a function by `return` where it gives
 * nothing back, else by an error. Only where nothing is left out on that way that has to be done all the same.
 */
export function leaveWhenLost(use: LockUse, facts: FileFacts, sourceCode: Source): Rewrite | undefined {
  const { call } = use;
  const form = formOf(call);
  const isAnswer = call.isElsewhere === true ? call.holds === 'boolean' : isAlone(use);
  if (!isAnswer || !hasOneAnswer(use) || facts.answerOf(use).state !== 'dropped' || form?.kind !== 'statement' || !is(form.statement.parent, 'BlockStatement')) return undefined;
  if (!form.isAwaited && functionAround(call.node)?.async !== true) return undefined;
  const draft = new Draft(new Text(sourceCode));
  const { indent, end } = draft.text.style;
  const leaving = new Leaving(use, form.statement, facts).make(draft.text);
  if (leaving === undefined) return undefined;
  if (call.isElsewhere !== true) {
    const names = new Names(sourceCode, functionAround(call.node) ?? sourceCode.ast);
    const reader = new AnswerReader(sourceCode, draft, new Carrier(sourceCode, draft, facts.types), names, facts.types, 'throw');
    return reader.leave(use, `${leaving}${end}`) ? draft.rewrite() : undefined;
  }
  // `void tryLock()`
  if (is(form.statement.expression, 'UnaryExpression')) return undefined;
  const sent = draft.cut(form.statement.expression.range);
  draft.replace(form.statement.range, [...surround(form.isAwaited ? 'if (!(' : 'if (!(await ', sent, ')) {'), ...linesOf(`${indent}${leaving}${end}`), ...linesOf('}')]);
  return draft.rewrite();
}

/** Whether a statement on one connection asks for one lock, and for nothing else: it has one row. */
function isAlone({ call: { connection, helper, locks, result, statements } }: LockUse): boolean {
  const [only, ...more] = statements;
  return isPinned(connection) && helper === undefined && locks.length === 1 && result.isGuess !== true && only !== undefined && more.length === 0 && !only.doesWork;
}

/** How to leave the work behind a statement. */
class Leaving {
  private readonly owner: FunctionNode | undefined;
  private readonly loop: Loop | undefined;

  constructor(private readonly use: LockUse, private readonly statement: TSESTree.Statement, private readonly facts: FileFacts) {
    this.owner = functionAround(statement);
    this.loop = loopAround(statement);
  }

  make(text: Text): string | undefined {
    const { owner, loop } = this;
    const end = loop?.body ?? owner?.body;
    if (!end || this.isEndedOnTheWay(end)) return undefined;
    const skipped = this.skipped(end);
    if (skipped.length === 0 || skipped.some((one) => this.isNeeded(one))) return undefined;
    if (loop) return this.isWholeRound(loop) ? 'continue' : undefined;
    if (owner && givesNothing(owner)) return this.isAllForTheLock(owner) ? 'return' : undefined;
    return owner && `throw new Error(${nameOfLock(this.use, text, 'is held by another session')})`;
  }

  /** Whether a `finally` or `catch` around the statement unlocks, or the statement stands in a `finally`. */
  private isEndedOnTheWay(end: TSESTree.Node): boolean {
    for (let at: TSESTree.Node = this.statement; at !== end && at.parent; at = at.parent) {
      const parent: TSESTree.Node = at.parent;
      if (!is(parent, 'TryStatement')) continue;
      if (parent.finalizer === at) return true;
      if (parent.block === at && [parent.handler, parent.finalizer].some((one) => one && [...walk(one)].some((node) => this.isUnlocking(node)))) return true;
    }
    return false;
  }

  /** The statements behind the lock, up to the end of a block. */
  private skipped(end: TSESTree.Node): TSESTree.Node[] {
    const found: TSESTree.Node[] = [];
    for (let at: TSESTree.Node = this.statement; at !== end && at.parent; at = at.parent) found.push(...behind(at));
    return found;
  }

  /** Whether a statement gives something back, or ends a transaction that was begun before. */
  private isNeeded(statement: TSESTree.Node): boolean {
    return [...walk(statement, isFunction)].some((one) => ((isRelease(one) || isEndNamed(one)) && !this.isUnlocking(one)) || isCommit(one));
  }

  /** Whether all that is left of a round of a loop is for the lock: nothing stands behind its unlock. */
  private isWholeRound({ body }: Loop): boolean {
    const { use, statement, facts } = this;
    if (use.lock.function.level === 'transaction') return true;
    const unlocks = facts.pairs.unlocksOf(use);
    return unlocks.length > 0 && unlocks.every(({ call: { node } }) => contains(body, node) && node.range[0] > statement.range[1] && isLast(node, body));
  }

  /** Whether a function does nothing behind its unlock that has to be done all the same: an error would tell the caller of it, a `return` would not. */
  private isAllForTheLock(owner: FunctionNode): boolean {
    if (this.use.lock.function.level === 'transaction') return true;
    return this.facts.pairs.unlocksOf(this.use).every(({ call: { node } }) => functionAround(node) !== owner || isLast(node, owner.body));
  }

  private isUnlocking(node: TSESTree.Node): boolean {
    const use = this.facts.uses.find((one) => one.call.node === node) ?? (is(node, 'CallExpression') ? this.facts.useOfHelper(node) : undefined);
    return use !== undefined && isUnlock(use);
  }
}

/** The loop whose rounds have a node; not one around the function that it is in. */
function loopAround(node: TSESTree.Node): Loop | undefined {
  for (let at = node; at.parent && !isFunction(at); at = at.parent) {
    if (is(at.parent, 'ForStatement', 'ForOfStatement', 'ForInStatement', 'WhileStatement', 'DoWhileStatement') && at.parent.body === at) return at.parent;
  }
  return undefined;
}

/** What follows a node in its block, or in its case of a `switch`. */
function behind(node: TSESTree.Node): readonly TSESTree.Node[] {
  const { parent } = node;
  const all: readonly TSESTree.Node[] = !parent ? [] : isBlock(parent) ? parent.body : is(parent, 'SwitchCase') && parent.test !== node ? parent.consequent : [];
  return all.slice(all.indexOf(node) + 1).filter((one) => !is(one, 'BreakStatement') || !is(parent, 'SwitchCase'));
}

/** Whether nothing stands behind an unlock but what reads its answer. */
function isLast(unlock: TSESTree.Node, body: TSESTree.Node): boolean {
  for (let at = unlock; at !== body && at.parent; at = at.parent) {
    if (isFunction(at)) return false;
    if (behind(at).some((one) => [...walk(one, isFunction)].some((node) => is(node, 'AwaitExpression', 'AssignmentExpression', 'UpdateExpression')))) return false;
  }
  return true;
}

function givesNothing(owner: FunctionNode): boolean {
  const type = owner.returnType ? sourceOf(owner.returnType.typeAnnotation) : undefined;
  const isVoid = type === undefined || /^Promise<void>$/.test(type.replace(/\s/g, ''));
  return isVoid && ![...walk(owner.body, isFunction)].some((one) => is(one, 'ReturnStatement') && one.argument !== null);
}
