import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import type { LockUse } from '../analysis/model.js';
import { type Block, commonBlock, escapesOf, indexIn, type Source, variablesIn } from '../analysis/regions.js';
import { contains, is, isFunction, walk } from '../analysis/syntax.js';
import type { Draft } from './draft.js';
import type { InnerTry } from './inner.js';
import { isOnly } from './placement.js';
import { Spans } from './spans.js';
import { Straight } from './straight.js';
import type { Range } from './text.js';

/**
 * A lock that is taken through the pool right before a connection is reserved, on which it is unlocked: the lock goes behind the
 * reserving, into the `try` whose `finally` gives the connection back.
 */
export class Earlier {
  private readonly spans: Spans;

  constructor(private readonly sourceCode: Source, private readonly draft: Draft, private readonly inner: InnerTry) {
    this.spans = new Spans(sourceCode);
  }

  /** The place for the lock; `undefined` where the code is not of that form. */
  placeFor(acquire: LockUse, unlock: LockUse): Gap | undefined {
    const block = commonBlock([acquire.call.node, unlock.call.node]);
    if (!block) return undefined;
    const [first, at] = [indexIn(block, acquire.call.node), indexIn(block, unlock.call.node)];
    const declaration = at - 1;
    const statement = block.body[at];
    if (first >= declaration || !is(statement, 'TryStatement') || statement.handler || !statement.finalizer || statement.block.body.length === 0) return undefined;
    // Between the lock and the reserving, only what its answer decides.
    if (block.body.slice(first + 1, declaration).some((one) => [...walk(one, isFunction)].some((node) => is(node, 'AwaitExpression')))) return undefined;
    if (!this.declares(block.body[declaration]!, unlock.call.handle)) return undefined;
    const escapes = escapesOf(this.sourceCode, this.spans.in(block, first, declaration - 1));
    const isUsedInBlock = escapes.every(({ outside }) => outside.every((one) => contains(statement.block, one)));
    return isUsedInBlock ? { block, first, declaration, statement } : undefined;
  }

  move({ block, first, declaration, statement }: Gap, unlock: LockUse): boolean {
    const content: Range = this.spans.in(statement.block, 0, statement.block.body.length - 1);
    if (!this.guard(statement, unlock)) return false;
    this.draft.replace(content, [...this.draft.cut(this.spans.in(block, first, declaration - 1)), ...this.draft.cut(content)]);
    const rest = this.spans.of(block.body[declaration]!, statement);
    this.draft.replace([this.spans.of(block.body[first]!)[0], rest[1]], this.draft.cut(rest));
    return true;
  }

  /** The unlock is to run only where the lock was taken: in a `finally` around the work alone. */
  private guard(statement: TSESTree.TryStatement, unlock: LockUse): boolean {
    if (contains(statement.finalizer!, unlock.call.node)) return this.inner.around({ kind: 'around', statement, from: 0 }, unlock.call.node) === false;
    const index = indexIn(statement.block, unlock.call.node);
    const own = statement.block.body[index]!;
    if (isOnly(own, unlock)) return new Straight(this.inner, this.sourceCode, { statements: new Set(), handles: [] }).make({ kind: 'straight', block: statement.block, from: 0, unlock: index }, false) !== undefined;
    return is(own, 'TryStatement') && own.finalizer !== null && contains(own.finalizer, unlock.call.node);
  }

  private declares(statement: TSESTree.Statement, handle: TSESTree.Node): boolean {
    if (!is(statement, 'VariableDeclaration') || statement.kind !== 'const') return false;
    const own = new Set<Scope.Variable>(this.sourceCode.scopeManager.getDeclaredVariables(statement));
    return [...variablesIn(handle)].some((one) => own.has(one));
  }
}

interface Gap {
  readonly block: Block;
  /** Index of the statement with the lock. */
  readonly first: number;
  /** Index of the statement that reserves. */
  readonly declaration: number;
  readonly statement: TSESTree.TryStatement;
}
