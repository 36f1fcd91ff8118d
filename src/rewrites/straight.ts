import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { type Block, type Escape, escapesOf, indexIn, isRelease, type Source } from '../analysis/regions.js';
import { contains, is, isFunction, walk } from '../analysis/syntax.js';
import { isCheck, isEndNamed, isResponse, throws } from './aftermath.js';
import type { InnerTry } from './inner.js';
import type { Placement } from './placement.js';
import { releasesBehind } from './releasing.js';
import type { Line, Range } from './text.js';

/** What the work and the unlock behind it became. */
export interface Straightened {
  /** Index of the last statement that was drawn in. */
  readonly last: number;
  /** Declarations that belong before it. */
  readonly before: readonly Line[];
  /** Declarations that belong right behind it. */
  readonly behind: readonly Line[];
  /** What is declared there now. */
  readonly hoisted: ReadonlySet<string>;
}

/** Code that has no place in what is made. */
export interface Gone {
  /** Statements that are of no more use. */
  readonly statements: ReadonlySet<TSESTree.Node>;
  /** Expressions of the connections that statements were sent on before. */
  readonly handles: readonly TSESTree.Node[];
  /** Connections of the pair that the code has reserved itself: it may give them back behind the unlock. */
  readonly connections?: ReadonlySet<Scope.Variable>;
}

/** The statements behind an unlock, by where they go. */
interface Groups {
  /** The unlock and what reads its answer: into the `finally`. */
  readonly moved: readonly TSESTree.Statement[];
  /** What uses variables of the work: behind it, into the `try`. */
  readonly drawn: readonly TSESTree.Statement[];
  /** What gives the connection back right behind the unlock: into the `finally`, too, and there whatever becomes of the unlock. */
  readonly releasing: readonly TSESTree.Statement[];
  /** What stood between those and stays behind. */
  readonly left: readonly TSESTree.Statement[];
  readonly last: number;
  /** What has to be declared before the `try`. */
  readonly hoisted: readonly Escape[];
}

/** `work; unlock;` becomes `try { work } finally { unlock }`. */
export class Straight {
  constructor(
    private readonly inner: InnerTry, private readonly sourceCode: Source,
    private readonly gone: Gone,
  ) {}

  /** `undefined` where variables would get out of reach. With `isOuter`, declarations are given back instead of put there. */
  make({ block, from, unlock }: Placement & { kind: 'straight' }, isOuter: boolean): Straightened | undefined {
    const { draft, spans } = this.inner;
    const work = block.body.slice(from, unlock);
    const span: Range | undefined = work.length > 0 ? spans.in(block, from, unlock - 1) : undefined;
    const needed = span ? escapesOf(this.sourceCode, span) : [];
    if (span && needed.some(({ outside }) => outside.some((one) => one.range[0] < span[0]))) return undefined;
    const groups = this.groups(block, unlock, needed, span !== undefined);
    if (!groups) return undefined;
    if (!span) return groups.hoisted.length > 0 ? undefined : { last: groups.last, before: [], behind: [], hoisted: new Set() };
    const declarations = this.inner.hoist(groups.hoisted);
    if (!declarations) return undefined;
    this.inner.awaitReturns(span);
    const unlocking = this.cut(block, groups.moved);
    const ending = groups.releasing.length > 0 ? this.inner.tryFinally(unlocking, this.cut(block, groups.releasing)) : unlocking;
    const lines = this.inner.tryFinally([...this.cut(block, work), ...this.cut(block, groups.drawn)], ending);
    const left = this.cut(block, groups.left);
    const made = [...lines, ...left];
    draft.replace([span[0], spans.in(block, from, groups.last)[1]], isOuter ? made : [...declarations.before, ...lines, ...declarations.behind, ...left]);
    return { last: groups.last, before: isOuter ? declarations.before : [], behind: isOuter ? declarations.behind : [], hoisted: new Set(groups.hoisted.map(({ variable }) => variable.name)) };
  }

  private groups(block: Block, unlock: number, needed: readonly Escape[], hasWork: boolean): Groups | undefined {
    const found = this.inner.readers(block, unlock, block.body.slice(unlock + 1));
    // What acts on the answer must not run where the work fails, and an error must not hide that of the work.
    const readers = found?.slice(1).every((one) => isCheck(one) && !(hasWork && throws(one))) ? found : undefined;
    const moved = readers ?? [block.body[unlock]!];
    // Where the reading leaves the function, it stays behind, and the answer has to reach it.
    const answers = readers ? [] : escapesOf(this.sourceCode, block.body[unlock]!.range);
    const uses = needed.flatMap(({ outside }) => outside).filter((one) => !this.isGone(one));
    // In the `finally`, what the work declares may not be there yet.
    if (uses.some((one) => moved.includes(block.body[indexIn(block, one)]!))) return undefined;
    const releasing = releasesBehind(block, block.body.indexOf(moved.at(-1)!), this.gone.connections ?? new Set()).filter((one) => !this.gone.statements.has(one));
    const lastMoved = block.body.indexOf((releasing.at(-1) ?? moved.at(-1))!);
    const lastUse = Math.max(-1, ...uses.map((one) => indexIn(block, one)));
    const rest = block.body.slice(unlock + 1, Math.max(lastMoved, lastUse) + 1).filter((one) => !moved.includes(one) && !releasing.includes(one) && !this.gone.statements.has(one));
    const drawn = rest.filter((one) => block.body.indexOf(one) <= lastUse);
    if (answers.length === 0 && this.mayRunBefore(drawn)) return { moved, releasing, drawn, left: rest.filter((one) => !drawn.includes(one)), last: Math.max(lastMoved, lastUse), hoisted: [] };
    const kept = needed.filter(({ outside }) => outside.some((one) => !this.isGone(one)));
    return { moved, releasing, drawn: [], left: rest.filter((one) => block.body.indexOf(one) <= lastMoved), last: lastMoved, hoisted: [...kept, ...answers] };
  }

  private isGone(node: TSESTree.Node): boolean {
    return [...this.gone.handles, ...this.gone.statements].some((one) => contains(one, node));
  }

  /**
   * Whether statements may as well run before the unlock as behind it: they wait for nothing, declare nothing for others, give no
   * connection back, end no pool and tell nobody that all went well.
   */
  private mayRunBefore(statements: readonly TSESTree.Statement[]): boolean {
    return statements.every((one) => {
      if ([...walk(one)].some((node) => isRelease(node) || isResponse(node) || isEndNamed(node))) return false;
      const isQuick = ![...walk(one, isFunction)].some((node) => is(node, 'AwaitExpression') || is(node, 'YieldExpression') || (is(node, 'ReturnStatement') && node.argument && this.inner.isPromise(node.argument)));
      const isOwn = escapesOf(this.sourceCode, one.range).every(({ outside }) => outside.every((use) => statements.some((other) => other.range[0] <= use.range[0] && use.range[1] <= other.range[1])));
      return isQuick && isOwn;
    });
  }

  /** Statements of a block with their comments; what stands together stays together. */
  private cut(block: Block, statements: readonly TSESTree.Statement[]): Line[] {
    const runs: [first: number, last: number][] = [];
    for (const statement of statements.filter((one) => !this.gone.statements.has(one))) {
      const index = block.body.indexOf(statement);
      const run = runs.at(-1);
      if (run && run[1] === index - 1) run[1] = index;
      else runs.push([index, index]);
    }
    return runs.flatMap(([first, last]) => this.inner.draft.cut(this.inner.spans.in(block, first, last)));
  }
}
