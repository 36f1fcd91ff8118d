import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../analysis/facts.js';
import { transactionFunctionOf } from '../analysis/functions.js';
import { overlaps } from '../analysis/values/makers.js';
import type { LockUse } from '../analysis/model.js';
import { escapesOf, isBlock, type Source, variablesIn } from '../analysis/regions.js';
import { functionAround, is, isMember, memberName, unwrap, walk, wrapped } from '../analysis/syntax.js';
import { Draft } from './draft.js';
import type { Rewrite } from './model.js';
import { scanOf } from './scan.js';
import { Spans } from './spans.js';
import { linesOf, Text, type Range } from './text.js';
import { writtenAt } from './written.js';

/** Locks that end with their transaction, and need no unlock. */

/** The transaction-level function in place of the session-level one, and no unlock. */
export function lockForTransaction(acquire: LockUse, facts: FileFacts, sourceCode: Source): Rewrite | undefined {
  const { call } = acquire;
  const written = writtenAt(acquire, sourceCode);
  const wanted = transactionFunctionOf(acquire);
  // Where text opens the transaction, the lock may be meant to outlive it.
  const isMeant = call.connection.kind === 'transaction' || facts.transactions.isFreedInside(acquire);
  if (!written || !wanted || !isMeant || call.locks.length > 1) return undefined;
  if (isReadByName(acquire, facts)) return undefined;
  const unlocks = facts.pairs.unlocksOf(acquire);
  if (!unlocks.every((one) => overlaps(one.call.connection.makers, call.connection.makers) && functionAround(one.call.node) === functionAround(call.node))) return undefined;
  const draft = new Draft(new Text(sourceCode));
  draft.replace(written.name, linesOf(wanted.name));
  return unlocks.every((one) => new Removal(sourceCode, draft).of(one)) ? draft.rewrite() : undefined;
}

/** Whether the answer of a try-lock is read from a column that has the name of its function: another function, another column. */
export const isReadByName = (acquire: LockUse, facts: FileFacts): boolean =>
  acquire.lock.function.operation === 'try' && acquire.lock.answer.kind === 'column' && acquire.lock.answer.name === acquire.lock.function.name && facts.answerOf(acquire).state !== 'dropped';

/** Leaves out an unlock that can free nothing. */
export function removeUnlock(unlock: LockUse, sourceCode: Source): Rewrite | undefined {
  const draft = new Draft(new Text(sourceCode));
  return unlock.call.locks.length === 1 && new Removal(sourceCode, draft).of(unlock) ? draft.rewrite() : undefined;
}

/** Takes an unlock out, with what reads its answer; comments stay, and one says why there is no unlock. */
export class Removal {
  private readonly spans: Spans;

  constructor(private readonly sourceCode: Source, private readonly draft: Draft) {
    this.spans = new Spans(sourceCode);
  }

  of({ call, lock }: LockUse): boolean {
    const statement = statementOf(call.node);
    const block = statement?.parent;
    if (!statement || !block || !isBlock(block)) return false;
    const readers = this.readersOf(statement, block);
    if (!readers) return false;
    const gone = [statement, ...readers];
    const owner = block.parent;
    const note = `No ${lock.function.name}: a transaction-level lock ends with its transaction.`;
    if (is(owner, 'TryStatement') && owner.finalizer === block && gone.length === block.body.length) return this.withoutFinally(owner, note);
    this.leave(note, statement);
    for (const one of readers) this.take(one);
    return true;
  }

  /** Leaves word for the next reader in the place of a statement. */
  private leave(note: string, { range }: TSESTree.Statement): void {
    this.draft.replace(range, linesOf(this.asComment(note, range[1])));
  }

  /** On one line with code behind it, a comment has to end. */
  private asComment(note: string, end: number): string {
    return /^[^\S\n]*(?:$|\n)/.test(this.sourceCode.text.slice(end)) ? `// ${note}` : `/* ${note} */`;
  }

  /** The statements that do nothing but read what a statement declares; `undefined` where others do. */
  private readersOf(statement: TSESTree.Statement, block: TSESTree.BlockStatement | TSESTree.Program): TSESTree.Statement[] | undefined {
    const escapes = escapesOf(this.sourceCode, statement.range);
    const own = new Set(escapes.map(({ variable }) => variable));
    const readers = block.body.filter((one): one is TSESTree.Statement => escapes.some(({ outside }) => outside.some((use) => one.range[0] <= use.range[0] && use.range[1] <= one.range[1])));
    const areForIt = readers.every((one) => isReport(one) && [...variablesIn(is(one, 'IfStatement') ? one.test : one)].every((variable) => own.has(variable) || variable.defs.length === 0));
    return areForIt ? readers : undefined;
  }

  /** `try { work } finally { unlock }` is `work`, and with a `catch` it keeps that. */
  private withoutFinally({ block, handler, finalizer, range }: TSESTree.TryStatement, note: string): boolean {
    const { sourceCode, draft, spans } = this;
    const comments = sourceCode.getCommentsInside(finalizer!);
    if (comments.length > 0) {
      // A block with comments alone keeps them.
      const [first, ...more] = finalizer!.body;
      this.leave(note, first!);
      for (const one of more) draft.replace(this.withSpaceBehind(one), []);
      return true;
    }
    if (handler) {
      draft.replace([handler.range[1], range[1]], linesOf(` ${this.asComment(note, range[1])}`));
      return true;
    }
    if (block.body.length === 0 || ![...sourceCode.scopeManager.acquire(block)?.set.keys() ?? []].every((name) => this.isOnlyIn(block, name))) return false;
    draft.replace(range, [...draft.cut(spans.in(block, 0, block.body.length - 1)), ...linesOf(this.asComment(note, range[1]))]);
    return true;
  }

  /** Whether the statements around a block can do without a name that it declares. */
  private isOnlyIn(block: TSESTree.BlockStatement, name: string): boolean {
    const around = functionAround(block)?.range ?? this.sourceCode.ast.range;
    return [...scanOf(this.sourceCode).tokensIn(around)].every(([{ value, range }]) => value !== name || (block.range[0] < range[0] && range[1] < block.range[1]));
  }

  private take(statement: TSESTree.Statement): void {
    const [start, end] = this.spans.of(statement);
    if (start === statement.range[0] && end === statement.range[1]) this.spans.remove(statement, this.draft);
    else this.draft.replace(this.withSpaceBehind(statement), []);
  }

  /** Up to a comment on the same line. */
  private withSpaceBehind({ range: [start, end], loc }: TSESTree.Statement): Range {
    const next = this.sourceCode.getTokenByRangeStart(end + /^[^\S\n]*/.exec(this.sourceCode.text.slice(end))![0].length, { includeComments: true });
    return [start, next && next.loc.start.line === loc.end.line ? next.range[0] : end];
  }
}

/** The statement that a call is all of: awaited, with its result dropped or declared. */
function statementOf(call: TSESTree.Node): TSESTree.Statement | undefined {
  const parent = wrapped(call, true).parent;
  if (is(parent, 'ExpressionStatement')) return parent;
  const isOnly = is(parent, 'VariableDeclarator') && is(parent.parent, 'VariableDeclaration') && parent.parent.declarations.length === 1;
  return isOnly ? parent.parent : undefined;
}

/** Says or throws that something is wrong, at most under a condition. */
function isReport(statement: TSESTree.Statement): boolean {
  if (is(statement, 'IfStatement')) return !statement.alternate && isReport(statement.consequent) && ![...walk(statement.test)].some((one) => is(one, 'AwaitExpression') || is(one, 'CallExpression'));
  if (is(statement, 'BlockStatement')) return statement.body.every(isReport);
  if (is(statement, 'ThrowStatement')) return true;
  if (!is(statement, 'ExpressionStatement')) return false;
  const call = unwrap(statement.expression);
  return is(call, 'CallExpression') && isMember(call.callee) && is(call.callee.object, 'Identifier') && call.callee.object.name === 'console' && memberName(call.callee) !== undefined;
}
