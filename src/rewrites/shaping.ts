import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { isPinned } from '../analysis/connections/sessions.js';
import type { LockUse } from '../analysis/model.js';
import { type Block, commonBlock, indexIn, isBlock, type LocalPair, type Source, variablesIn } from '../analysis/regions.js';
import { is } from '../analysis/syntax.js';
import type { Way } from './answer.js';
import { mayFail, type InnerTry } from './inner.js';
import { Placements, type Placement } from './placement.js';
import { Straight, type Gone } from './straight.js';
import { carrierOf } from './target.js';
import type { Line } from './text.js';

/** A pair's place in the code. */
export interface Placed {
  readonly block: Block;
  readonly placement: Placement;
  /** The unlock, and what stands around it in its `finally`, go into a `try` there: another pair's unlock comes behind it. */
  readonly isWrapped?: boolean;
}

/** The statements of a pair, from its lock to its unlock. */
export interface Region {
  readonly block: Block;
  readonly first: number;
  readonly last: number;
  /** Declarations that belong before all of it. */
  readonly before: readonly Line[];
  /** Declarations that belong right behind it. */
  readonly behind: readonly Line[];
  /** Variables that are declared there now. */
  readonly hoisted: ReadonlySet<string>;
  /** A statement that the region takes the place of, where it is not only its own statements. */
  readonly instead?: TSESTree.TryStatement;
}

const NONE = { before: [], behind: [], hoisted: new Set<string>() };

export function placedOf({ acquire, unlocks, within }: LocalPair): Placed | undefined {
  const block = commonBlock([acquire, ...unlocks].map((one) => one.call.node));
  const placement = block && new Placements(acquire, within).of(block, unlocks);
  return placement && { block, placement };
}

/** Where the code for a pair's unlock goes. */
export function wayOf({ placement, isWrapped }: Placed, pair: LocalPair): Way {
  const { kind } = placement;
  if (kind === 'around' || kind === 'final' || (kind === 'straight' && placement.from < placement.unlock)) return 'intoFinally';
  return kind === 'straight' || kind === 'behind' || isWrapped === true || isBehindOthers(placement, pair) ? 'moves' : 'stays';
}

/** The `finally` with the unlock, where that stays in it. */
export function finalizerOf(placement: Placement): TSESTree.BlockStatement | undefined {
  const statement = placement.kind === 'covered' ? placement.block.body[placement.at] : placement.kind === 'kept' ? placement.statement : undefined;
  return is(statement, 'TryStatement') ? statement.finalizer ?? undefined : undefined;
}

/** Whether what stands before an unlock in its `finally` may fail: it has to run even then. */
export function isBehindOthers(placement: Placement, { unlocks }: LocalPair): boolean {
  const finalizer = finalizerOf(placement);
  return finalizer ? finalizer.body.slice(0, indexIn(finalizer, unlocks[0]!.call.node)).some(mayFail) : false;
}

/** Whether one pair's unlock stands before that of another in the same `finally`, which is to be wrapped around it. */
export function isWrappedBy(placement: Placement, { unlocks: [own] }: LocalPair, outer: Placement, outerPair: LocalPair): boolean {
  const finalizer = finalizerOf(outer);
  return finalizer !== undefined && finalizer === finalizerOf(placement) && isBehindOthers(outer, outerPair) && indexIn(finalizer, own!.call.node) < indexIn(finalizer, outerPair.unlocks[0]!.call.node);
}

/** Puts the work of a pair into a `try`, and its unlock into the `finally` of that. */
export class Shaping {
  constructor(private readonly inner: InnerTry, private readonly sourceCode: Source) {}

  /** `isOuter`: what has to be declared before the region is given back instead of being put there. */
  of(pair: LocalPair, placed: Placed, isOuter: boolean, statements: ReadonlySet<TSESTree.Node> = new Set()): Region | undefined {
    return this.guard(pair, placed) ? this.shaped(pair, placed, isOuter, { statements, handles: [pair.acquire, ...pair.unlocks].map((one) => one.call.handle), ...(isOuter ? {} : { connections: reservedIn(pair) }) }) : undefined;
  }

  /** The same for a pair that stays on its connection. */
  inPlace(pair: LocalPair, placed: Placed): Region | undefined {
    return this.guard(pair, placed) ? this.shaped(pair, placed, false, { statements: new Set(), handles: [], connections: reservedIn(pair) }) : undefined;
  }

  /** Lets an unlock run where the statements before it in its `finally` fail. */
  private guard(pair: LocalPair, { placement, isWrapped }: Placed): boolean {
    const finalizer = finalizerOf(placement);
    if (!finalizer || !isBehindOthers(placement, pair)) return true;
    const unlock = indexIn(finalizer, pair.unlocks[0]!.call.node);
    const made = new Straight(this.inner, this.sourceCode, { statements: new Set(), handles: [] }).make({ kind: 'straight', block: finalizer, from: 0, unlock }, false);
    // A check that throws must skip nothing.
    return made !== undefined && (isWrapped === true || made.last === finalizer.body.length - 1);
  }

  private shaped({ acquire, unlocks }: LocalPair, { block, placement }: Placed, isOuter: boolean, gone: Gone): Region | undefined {
    const first = indexIn(block, acquire.call.node);
    switch (placement.kind) {
      case 'straight': {
        const isSame = placement.block === block;
        const made = new Straight(this.inner, this.sourceCode, gone).make(placement, isSame && isOuter);
        return made && { block, first, last: isSame ? made.last : indexIn(block, placement.block), before: made.before, behind: made.behind, hoisted: made.hoisted };
      }
      case 'covered': {
        const statement = placement.block.body[placement.at] as TSESTree.TryStatement;
        this.awaitReturns(statement);
        return this.inner.drawInto(placement.block, placement.from, placement.at) ? { ...NONE, block, first, last: indexIn(block, statement) } : undefined;
      }
      case 'final':
        this.awaitReturns(placement.statement);
        return this.inner.final(placement.statement, unlocks[0]!.call.node) ? { ...NONE, block, first, last: indexIn(block, placement.statement) } : undefined;
      case 'behind': {
        const made = this.inner.behind(placement, unlocks[0]!.call.node);
        return made && { block, first, last: indexIn(block, placement.statement), ...made };
      }
      case 'around':
        return this.around(placement, acquire, unlocks[0]!);
      case 'kept':
        this.awaitReturns(placement.statement);
        return { ...NONE, block, first, last: indexIn(block, placement.statement) };
    }
  }

  private awaitReturns({ block, handler }: TSESTree.TryStatement): void {
    this.inner.awaitReturns(block.range);
    if (handler) this.inner.awaitReturns(handler.range);
  }

  private around(placement: Placement & { kind: 'around' }, acquire: LockUse, unlock: LockUse): Region | undefined {
    const { statement } = placement;
    const isEmptied = this.inner.around(placement, unlock.call.node);
    if (isEmptied === undefined || !isBlock(statement.parent)) return undefined;
    const last = statement.block.body.length - 1;
    if (isEmptied && !statement.handler) return { ...NONE, block: statement.block, first: 0, last, instead: statement };
    return { ...NONE, block: statement.block, first: indexIn(statement.block, acquire.call.node), last };
  }
}

/** The names of connections that a pair's statements are sent on, where those are not pools. A pair that gets a new connection leaves them. */
const reservedIn = ({ acquire, unlocks }: LocalPair): Set<Scope.Variable> =>
  new Set([acquire, ...unlocks].flatMap(({ call }) => (isPinned(call.connection) ? [...variablesIn(carrierOf(call))] : [])));
