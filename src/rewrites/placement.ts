import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import type { LockUse } from '../analysis/model.js';
import { indexIn, isBlock, sourceOf, variablesIn, type Block } from '../analysis/regions.js';
import { contains, is, isFunction, memberName, isMember, unwrap, walk } from '../analysis/syntax.js';
import { meaningOf } from './guards.js';

/** How an unlock stands to the acquire before it. */

export type Placement =
  /** Statements of a block: work from `from` to before `unlock`, which is to go into a `finally` behind it. */
  | { readonly kind: 'straight'; readonly block: Block; readonly from: number; readonly unlock: number }
  /** In the `finally` of the statement at `at`; the statements from `from` to it stand between lock and `try`. */
  | { readonly kind: 'covered'; readonly block: Block; readonly from: number; readonly at: number }
  /** In the `finally` of a `try` that has the acquire in its block: work from `from` on is to get a `try` of its own. */
  | { readonly kind: 'around'; readonly statement: TSESTree.TryStatement; readonly from: number }
  /** At the end of a `try` with a `catch` that lets the function go on: it is to go into a `finally` of the same statement. */
  | { readonly kind: 'final'; readonly statement: TSESTree.TryStatement }
  /** At the end of a `try` whose `catch` unlocks too, and leaves (or, with `isLast`, may leave): it is to go behind the statement. */
  | { readonly kind: 'behind'; readonly statement: TSESTree.TryStatement; readonly isLast: boolean }
  /** The author has seen to it that each way out of this statement has its unlock: it stays as it is. */
  | { readonly kind: 'kept'; readonly statement: TSESTree.TryStatement };

export class Placements {
  /** Variables that hold the answer of a try-lock, or something that is made of it. */
  private readonly answers = new Set<Scope.Variable>();
  private readonly isTry: boolean;

  constructor(private readonly acquire: LockUse, within: TSESTree.Node) {
    this.isTry = acquire.lock.function.operation === 'try';
    this.collectAnswers(within);
  }

  /** Where the unlocks stand in the innermost block that has them and the acquire. */
  of(block: Block, [first, second, ...more]: readonly LockUse[]): Placement | undefined {
    if (!first || more.length > 0) return undefined;
    return second ? this.ofBoth(block, first, second) : this.ofOne(block, first);
  }

  /** The first statement of a block behind the acquire in it that runs only where the lock is held. */
  behind(block: Block): number | undefined {
    const { node } = this.acquire.call;
    const at = indexIn(block, node);
    if (!this.isStraight(node, block)) return undefined;
    const from = this.afterGuards(block, at, block.body.length);
    const guard = from === undefined ? undefined : block.body[from - 1];
    // No unlock shows which of the ways is the one with the lock.
    return !this.isTry || (is(guard, 'IfStatement') && meaningOf(guard.test) === 'lost') || is(guard, 'WhileStatement') ? from : undefined;
  }

  /** `try { work; unlock } catch { unlock }` */
  private ofBoth(block: Block, first: LockUse, second: LockUse): Placement | undefined {
    const [at, goal] = [indexIn(block, this.acquire.call.node), indexIn(block, first.call.node)];
    const statement = block.body[goal];
    if (at < 0 || at >= goal || !is(statement, 'TryStatement') || !statement.handler || !contains(statement.handler.body, second.call.node) || !contains(statement.block, first.call.node)) return undefined;
    if (!this.isStraight(this.acquire.call.node, block) || this.afterGuards(block, at, goal) !== goal) return undefined;
    const own = statement.block.body[indexIn(statement.block, first.call.node)]!;
    const other = statement.handler.body.body[indexIn(statement.handler.body, second.call.node)]!;
    if (!isOnly(own, first) || !isOnly(other, second) || is(own, 'IfStatement') || is(other, 'IfStatement')) return undefined;
    const leaves = [...walk(statement.block, isFunction)].some((one) => one.range[0] < own.range[0] && /^(?:Return|Break|Continue)Statement$/.test(one.type));
    const isExit = exits(statement.handler.body);
    const isLast = isFunction(block.parent) && block.body.at(-1) === statement;
    return leaves || statement.finalizer || !(isExit || isLast) ? undefined : { kind: 'behind', statement, isLast: !isExit };
  }

  private ofOne(block: Block, unlock: LockUse): Placement | undefined {
    const [at, goal] = [indexIn(block, this.acquire.call.node), indexIn(block, unlock.call.node)];
    const statement = block.body[at];
    if (!statement || goal < at) return undefined;
    if (at === goal) return this.together(statement, unlock);
    const isMirrored = this.isMirrored(block, unlock);
    if (!isMirrored && !this.isStraight(this.acquire.call.node, block)) return undefined;
    const from = isMirrored ? at + 1 : this.afterGuards(block, at, goal);
    return from === undefined ? undefined : this.inBlock(block, from, goal, unlock);
  }

  /** `if (wanted) lock; work; if (wanted) unlock;` */
  private isMirrored(block: Block, unlock: LockUse): boolean {
    const own = conditionsOf(this.acquire.call.node, block);
    const other = conditionsOf(unlock.call.node, block);
    return own.length > 0 && own.length === other.length && own.every((one, index) => one.test !== undefined && one.test === other[index]!.test && one.isMet === other[index]!.isMet);
  }

  private together(statement: TSESTree.Statement, unlock: LockUse): Placement | undefined {
    if (is(statement, 'IfStatement') && contains(statement.test, this.acquire.call.node)) {
      const branch = [statement.consequent, statement.alternate].find((one) => one && contains(one, unlock.call.node));
      const isHeld = !this.isTry || meaningOf(statement.test) === (branch === statement.consequent ? 'held' : 'lost');
      return branch && isHeld && isBlock(branch) ? this.inBlock(branch, 0, indexIn(branch, unlock.call.node), unlock) : undefined;
    }
    if (!is(statement, 'TryStatement') || !contains(statement.block, this.acquire.call.node)) return undefined;
    if (!statement.finalizer || !contains(statement.finalizer, unlock.call.node)) return undefined;
    const own = indexIn(statement.finalizer, unlock.call.node);
    const isFree = isOnly(statement.finalizer.body[own]!, unlock) && !is(statement.finalizer.body[own], 'IfStatement');
    if (!isFree) return this.isFlagged(statement.finalizer, unlock) ? { kind: 'kept', statement } : undefined;
    const at = indexIn(statement.block, this.acquire.call.node);
    if (!this.isStraight(this.acquire.call.node, statement.block)) return undefined;
    const from = this.afterGuards(statement.block, at, statement.block.body.length);
    return from === undefined || from >= statement.block.body.length ? undefined : { kind: 'around', statement, from };
  }

  private inBlock(block: Block, from: number, goal: number, unlock: LockUse): Placement | undefined {
    const statement = block.body[goal]!;
    if (isOnly(statement, unlock)) return { kind: 'straight', block, from, unlock: goal };
    if (is(statement, 'TryStatement')) {
      if (statement.finalizer && contains(statement.finalizer, unlock.call.node)) return isNested(unlock, statement.finalizer) ? { kind: 'covered', block, from, at: goal } : undefined;
      if (!contains(statement.block, unlock.call.node) || from !== goal) return undefined;
      const own = indexIn(statement.block, unlock.call.node);
      if (!statement.handler || is(statement.handler.body.body.at(-1), 'ThrowStatement')) return this.inBlock(statement.block, 0, own, unlock);
      return own > 0 && isOnly(statement.block.body[own]!, unlock) ? { kind: 'final', statement } : undefined;
    }
    if (is(statement, 'IfStatement')) {
      const branch = [statement.consequent, statement.alternate].find((one) => one && contains(one, unlock.call.node));
      const isHeld = this.isOfAnswer(statement.test) && meaningOf(statement.test) === (branch === statement.consequent ? 'held' : 'lost');
      if (from !== goal || !branch || !isBlock(branch) || !isHeld) return undefined;
      return this.inBlock(branch, 0, indexIn(branch, unlock.call.node), unlock);
    }
    return isBlock(statement) && from === goal ? this.inBlock(statement, 0, indexIn(statement, unlock.call.node), unlock) : undefined;
  }

  /** The first statement behind an acquire that runs only where the lock is held; `undefined` where that is not certain. */
  private afterGuards(block: Block, at: number, goal: number): number | undefined {
    if (!this.isTry) return at + 1;
    for (let index = at; index < goal; index++) {
      const statement = block.body[index]!;
      if (is(statement, 'WhileStatement') && index === at) return index + 1;
      if (is(statement, 'IfStatement') && !statement.alternate && exits(statement.consequent) && this.isOfAnswer(statement.test)) return meaningOf(statement.test) === 'lost' ? index + 1 : undefined;
    }
    const last = block.body[goal];
    if (!last) return undefined;
    // No guard before it: the unlock itself must be guarded.
    const isGuarded = is(last, 'IfStatement') ? this.isOfAnswer(last.test) : is(last, 'TryStatement') && last.finalizer !== null && this.isGuardedIn(last.finalizer);
    if (!isGuarded) return undefined;
    // What only reads the answer stays before the work.
    let from = at + 1;
    while (from < goal && is(block.body[from], 'VariableDeclaration') && this.isOfAnswer(block.body[from]!)) from++;
    return from;
  }

  private isGuardedIn(finalizer: TSESTree.BlockStatement): boolean {
    return finalizer.body.some((one) => is(one, 'IfStatement') && this.isOfAnswer(one.test) && meaningOf(one.test) === 'held');
  }

  /** `if (held) await unlock` in a `finally`. */
  private isFlagged(finalizer: TSESTree.BlockStatement, unlock: LockUse): boolean {
    const statement = finalizer.body[indexIn(finalizer, unlock.call.node)];
    return is(statement, 'IfStatement') && isNested(unlock, finalizer) && this.isOfAnswer(statement.test) && meaningOf(statement.test) === 'held';
  }

  private isOfAnswer(node: TSESTree.Node): boolean {
    return contains(node, this.acquire.call.node) || [...variablesIn(node)].some((one) => this.answers.has(one));
  }

  private collectAnswers(within: TSESTree.Node): void {
    for (const node of walk(within)) {
      const [target, value] = is(node, 'VariableDeclarator') ? [node.id, node.init] : is(node, 'AssignmentExpression') ? [node.left, node.right] : [];
      if (!target || !value || node.range[1] < this.acquire.call.node.range[0]) continue;
      // A flag that is set behind the acquire: `held = true`.
      const isFlag = is(node, 'AssignmentExpression') && is(value, 'Literal') && value.value === true;
      if (isFlag || this.isOfAnswer(value)) for (const one of variablesIn(target)) this.answers.add(one);
    }
  }

  /** Nothing but plain statements between a node and its block: no loop, branch or `try` that may skip or repeat it. */
  private isStraight(node: TSESTree.Node, block: Block): boolean {
    const statement = block.body[indexIn(block, node)]!;
    if (is(statement, 'IfStatement')) return contains(statement.test, node);
    // `while (!(await lock)) ...` ends when the lock is held.
    if (is(statement, 'WhileStatement')) return contains(statement.test, node) && is(statement.test, 'UnaryExpression') && statement.test.operator === '!';
    return is(statement, 'ExpressionStatement') || is(statement, 'VariableDeclaration');
  }
}

/** Whether control never goes on behind a statement. */
export function exits(node: TSESTree.Statement): boolean {
  const last = is(node, 'BlockStatement') ? node.body.at(-1) : node;
  if (!last) return false;
  if (is(last, 'ReturnStatement') || is(last, 'ThrowStatement') || is(last, 'ContinueStatement') || is(last, 'BreakStatement')) return true;
  if (!is(last, 'ExpressionStatement')) return false;
  const call = unwrap(last.expression);
  return is(call, 'CallExpression') && isMember(call.callee) && is(call.callee.object, 'Identifier') && call.callee.object.name === 'process' && memberName(call.callee) === 'exit';
}

/** Whether a statement is there for the unlock alone: the call itself, behind a condition, in a `try` of its own. */
export function isOnly(statement: TSESTree.Statement, unlock: LockUse): boolean {
  const { node } = unlock.call;
  if (is(statement, 'IfStatement')) return !statement.alternate && !contains(statement.test, node) && isOnlyIn(statement.consequent, unlock);
  if (is(statement, 'TryStatement')) return contains(statement.block, node) && isOnlyIn(statement.block, unlock);
  return is(statement, 'ExpressionStatement') || is(statement, 'VariableDeclaration') || is(statement, 'ReturnStatement');
}

export function isOnlyIn(statement: TSESTree.Statement, unlock: LockUse): boolean {
  if (!is(statement, 'BlockStatement')) return isOnly(statement, unlock);
  const [first] = statement.body;
  return first !== undefined && contains(first, unlock.call.node) && isOnly(first, unlock) && ![...walk(statement, isFunction)].some((one) => is(one, 'AwaitExpression') && !contains(one, unlock.call.node));
}

/** Only conditions, blocks and `try` between an unlock and its `finally`. */
function isNested(unlock: LockUse, finalizer: TSESTree.BlockStatement): boolean {
  for (let at: TSESTree.Node = unlock.call.node; at !== finalizer; at = at.parent!) {
    if (isFunction(at) || /^(?:For|While|DoWhile|Switch|Labeled)/.test(at.type)) return false;
  }
  return true;
}

interface Condition {
  /** As it is written; `undefined` for one whose value may change, and for anything else that decides. */
  readonly test: string | undefined;
  readonly isMet: boolean;
}

/** What decides, between a block and a node in it, whether the node is reached; a `try` does not. */
function conditionsOf(node: TSESTree.Node, block: Block): Condition[] {
  const found: Condition[] = [];
  for (let at: TSESTree.Node = node, parent = at.parent; parent && parent !== block; at = parent, parent = at.parent) {
    if ((is(parent, 'IfStatement') || is(parent, 'ConditionalExpression')) && parent.test !== at) {
      const isConstant = ![...walk(parent.test)].some((one) => is(one, 'CallExpression') || is(one, 'AwaitExpression'));
      found.unshift({ test: isConstant ? sourceOf(parent.test) : undefined, isMet: parent.consequent === at });
    } else if (/^(?:For|While|DoWhile|Switch|Labeled|Logical|Catch)/.test(parent.type)) {
      found.unshift({ test: undefined, isMet: true });
    }
  }
  return found;
}
