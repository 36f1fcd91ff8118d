import type { TSESTree } from '@typescript-eslint/utils';
import { canThrow } from '../analysis/flow/call-kinds.js';
import { type Block, type Escape, escapesOf, indexIn, type Source, type Types, variablesIn } from '../analysis/regions.js';
import { contains, functionAround, is, isFunction, uncast, walk } from '../analysis/syntax.js';
import type { Draft } from './draft.js';
import { isCheck, throws } from './aftermath.js';
import { Hoist, type Hoisted } from './hoist.js';
import type { Names } from './names.js';
import type { Placement } from './placement.js';
import { Spans } from './spans.js';
import type { Straightened } from './straight.js';
import { deeper, linesOf, surround, type Line, type Range } from './text.js';

/** The `try` around the work under a lock, with the unlock in its `finally`. */
export class InnerTry {
  readonly spans: Spans;

  /** Whether what is taken out of a value and used behind the work alone may be taken out there. */
  isUnpacked = true;

  constructor(private readonly sourceCode: Source, readonly draft: Draft, private readonly names: Names, readonly types: Types | undefined) {
    this.spans = new Spans(sourceCode);
  }

  /**
   * The work at the end of a `try` gets one of its own, and the unlock goes there from the `finally`. Gives whether nothing is left
   * in that; `undefined` where a name would change its meaning.
   */
  around({ statement, from }: Placement & { kind: 'around' }, unlock: TSESTree.Node): boolean | undefined {
    const { block, finalizer } = statement;
    const moved = this.readers(finalizer!, indexIn(finalizer!, unlock), finalizer!.body);
    if (!moved || this.isShadowed(moved, block)) return undefined;
    const work = this.spans.in(block, from, block.body.length - 1);
    this.awaitReturns(work);
    this.draft.replace(work, this.tryFinally(this.draft.cut(work), moved.flatMap((one) => this.draft.cut(this.spanIn(finalizer!, one)))));
    const isEmptied = moved.length === finalizer!.body.length;
    if (isEmptied) this.draft.replace([(statement.handler ?? block).range[1], statement.range[1]], []);
    else for (const one of moved) this.removeLines(this.spanIn(finalizer!, one), finalizer!, one);
    return isEmptied;
  }

  /** The unlock at the end of a `try` goes into the `finally`, behind the `catch`. */
  final(statement: TSESTree.TryStatement, unlock: TSESTree.Node): boolean {
    const { block, finalizer } = statement;
    const first = indexIn(block, unlock);
    const last = block.body.length - 1;
    if (this.endOfReading(block, first) !== last || first === 0 || !block.body.slice(first + 1).every((one) => isCheck(one) && !throws(one))) return false;
    const unlocking = this.draft.cut(this.spans.in(block, first, last));
    const lines = deeper(unlocking, this.draft.text.style);
    this.draft.replace([this.spans.of(block.body[first - 1]!)[1], this.spans.in(block, first, last)[1]], []);
    if (finalizer && finalizer.body.length > 0) {
      // What was there has to run even where the unlock fails.
      const rest = this.spans.in(finalizer, 0, finalizer.body.length - 1);
      this.draft.replace(rest, this.tryFinally(unlocking, this.draft.cut(rest)));
    } else if (finalizer) this.draft.insert(finalizer.range[0] + 1, [{ text: '', isRaw: false }, ...lines]);
    else this.draft.insert(statement.range[1], [...linesOf(' finally {'), ...lines, ...linesOf('}')]);
    return true;
  }

  /** The unlock at the end of a `try`, and what follows there, go behind the statement; a `catch` that unlocks too leaves the function. */
  behind({ statement, isLast }: Placement & { kind: 'behind' }, unlock: TSESTree.Node): Pick<Straightened, 'before' | 'behind' | 'hoisted'> | undefined {
    const { block, handler } = statement;
    const first = indexIn(block, unlock);
    const isQuick = block.body.slice(first + 1).every((one) => this.isReading(one));
    if (first === 0 || !isQuick) return undefined;
    const work = this.spans.in(block, 0, first - 1);
    const needed = escapesOf(this.sourceCode, work);
    const declarations = this.hoist(needed);
    if (!declarations) return undefined;
    const moved = this.spans.in(block, first, block.body.length - 1);
    const lines = this.draft.cut(moved);
    this.draft.replace([work[1], moved[1]], []);
    if (isLast) {
      const last = handler!.body.body.at(-1)!;
      this.draft.insert(this.spans.of(last)[1], linesOf(`\nreturn${this.draft.text.style.end}`));
    }
    this.draft.insert(statement.range[1], [...linesOf(''), ...declarations.behind, ...lines]);
    return { before: declarations.before, behind: [], hoisted: new Set(needed.map(({ variable }) => variable.name)) };
  }

  /** Takes the names of declarations out of the work. */
  hoist(escapes: readonly Escape[]): Hoisted | undefined {
    return new Hoist(this.draft, this.names, this.sourceCode, this.types, this.isUnpacked).of(escapes);
  }

  /** Reads answers, or returns what is there already. */
  private isReading(statement: TSESTree.Statement): boolean {
    return ![...walk(statement, isFunction)].some((one) => is(one, 'AwaitExpression') || (is(one, 'ReturnStatement') && one.argument && this.isPromise(one.argument)));
  }

  /** Statements between an acquire and the `try` behind it may throw: they go into the `try`. */
  drawInto(block: Block, from: number, at: number): boolean {
    const statements = block.body.slice(from, at);
    if (!statements.some((one) => mayFail(one))) return true;
    const statement = block.body[at] as TSESTree.TryStatement;
    const span = this.spans.in(block, from, at - 1);
    const isUsedElsewhere = escapesOf(this.sourceCode, span).some(({ outside }) => outside.some((one) => indexIn(statement.block, one) < 0));
    if (isUsedElsewhere || statement.handler || statement.block.body.length === 0) return false;
    const inner = this.spans.in(statement.block, 0, statement.block.body.length - 1);
    const whole: Range = [span[0], this.spans.of(statement)[1]];
    this.draft.replace(inner, [...this.draft.cut(span), ...this.draft.cut(inner)]);
    this.draft.replace(whole, this.draft.cut([this.spans.of(statement)[0], whole[1]]));
    return true;
  }

  /** A promise that is returned as it is settles behind the `finally`: the work would go on without the lock. */
  awaitReturns(range: Range): void {
    const isOutside = (node: TSESTree.Node): boolean => node.range[1] <= range[0] || range[1] <= node.range[0];
    const { ast } = this.sourceCode;
    const root = ast.body.find((one) => one.range[0] <= range[0] && range[1] <= one.range[1]) ?? ast;
    for (const node of walk(root, isOutside)) {
      if (!is(node, 'ReturnStatement') || !node.argument || node.range[0] < range[0] || node.range[1] > range[1]) continue;
      if (!functionAround(node)?.async || !this.isOfWork(node, range) || !this.isPromise(node.argument)) continue;
      const text = this.draft.cut(this.spans.withParentheses(node.argument));
      // A pair inside of this one's work has seen to it.
      if (text[0]!.text.startsWith('await ')) continue;
      const isSimple = /^(?:Call|Member|New|TaggedTemplate|Import)Expression$|^Identifier$|^ChainExpression$/.test(node.argument.type);
      this.draft.replace(this.spans.withParentheses(node.argument), isSimple || text[0]!.text.startsWith('(') ? surround('await ', text, '') : surround('await (', text, ')'));
    }
  }

  /** Whether a `return` leaves the function that has the range, not one inside of it. */
  private isOfWork(node: TSESTree.Node, range: Range): boolean {
    const owner = functionAround(node);
    return owner === undefined || owner.range[0] < range[0] || owner.range[1] > range[1];
  }

  isPromise(argument: TSESTree.Expression): boolean {
    const node = uncast(argument);
    if (is(node, 'AwaitExpression')) return false;
    const facts = this.types?.typeOf(node);
    return facts && !facts.isAny ? facts.isAwaitable : is(node, 'CallExpression') || is(node, 'TaggedTemplateExpression');
  }

  // ---- what goes where

  /** An unlock and the statements behind it that need what it declares; `undefined` where they need more of what is to stay. */
  readers(block: Block, unlock: number, staying: readonly TSESTree.ProgramStatement[]): TSESTree.Statement[] | undefined {
    const last = this.endOfReading(block, unlock);
    if (last === undefined) return undefined;
    const found = [block.body[unlock]!];
    for (const statement of block.body.slice(unlock + 1, last + 1)) {
      const isReader = found.some((one) => escapesOf(this.sourceCode, one.range).some(({ outside }) => outside.some((use) => contains(statement, use))));
      if (isReader) found.push(statement);
    }
    const isNeeded = staying.some((one) => !found.includes(one) && escapesOf(this.sourceCode, one.range).some(({ outside }) => outside.some((use) => found.some((moved) => contains(moved, use)))));
    return isNeeded ? undefined : found;
  }

  private spanIn(block: Block, statement: TSESTree.Statement): Range {
    const index = block.body.indexOf(statement);
    return this.spans.in(block, index, index);
  }

  /** The last of the statements behind an unlock that read what it declares. */
  private endOfReading(block: Block, unlock: number): number | undefined {
    let end = unlock;
    for (let index = unlock; index <= end; index++) {
      for (const { outside } of escapesOf(this.sourceCode, block.body[index]!.range)) for (const one of outside) end = Math.max(end, indexIn(block, one));
      // In a `finally`, leaving the function would swallow the error of the work.
      const leaves = [...walk(block.body[index]!, isFunction)].some((one) => /^(?:Return|Break|Continue)Statement$/.test(one.type));
      if (leaves) return undefined;
    }
    return end;
  }

  private isShadowed(statements: readonly TSESTree.Statement[], block: Block): boolean {
    const names = new Set(statements.flatMap((one) => [...variablesIn(one)].map(({ name }) => name)));
    const scope = this.sourceCode.scopeManager.acquire(block);
    return [...scope?.set.keys() ?? []].some((name) => names.has(name));
  }

  tryFinally(work: readonly Line[], unlock: readonly Line[]): Line[] {
    const { style } = this.draft.text;
    return [...linesOf('try {'), ...deeper(work, style), ...linesOf('} finally {'), ...deeper(unlock, style), ...linesOf('}')];
  }

  private removeLines([start, end]: Range, block: TSESTree.BlockStatement, statement: TSESTree.Statement): void {
    const next = block.body[block.body.indexOf(statement) + 1];
    if (next) this.draft.replace([start, this.spans.of(next)[0]], []);
    else this.draft.replace([this.draft.text.breakBefore(start), end], []);
  }
}

export const mayFail = (statement: TSESTree.Node): boolean => [...walk(statement, isFunction)].some((one) => canThrow(one) || is(one, 'ThrowStatement'));
