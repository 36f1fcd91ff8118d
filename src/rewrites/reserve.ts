import type { TSESTree } from '@typescript-eslint/utils';
import { isWithoutSession } from '../analysis/connections.js';
import type { LockUse } from '../analysis/model.js';
import { commonBlock, escapesOf, indexIn, isBlock, localPairOf, meansSameAt, sourceOf, type Block, type LocalPair } from '../analysis/regions.js';
import { contains } from '../analysis/syntax.js';
import type { Rewrite } from './model.js';
import type { Parts } from './parts.js';
import { Placements, type Placement } from './placement.js';
import { poolOf, Reservation } from './pool.js';
import type { Target } from './target.js';
import type { Line, Range } from './text.js';

/** The statements that the reserved connection is kept for. */
interface Region {
  readonly block: Block;
  readonly first: number;
  readonly last: number;
  /** Lines that belong before the reserving. */
  readonly before: readonly Line[];
  /** Variables that are declared there now. */
  readonly hoisted: ReadonlySet<string>;
  /** A statement that the region takes the place of, where it is not only its own statements. */
  readonly instead?: TSESTree.Statement;
}

const NONE = { before: [], hoisted: new Set<string>() };

/** Puts lock, work and unlock on a connection of their own, and pairs inside of the work with them. */
export class Reserving {
  constructor(private readonly pair: LocalPair, private readonly parts: Parts) {}

  rewrite(): Rewrite | undefined {
    const { draft, names, types, sourceCode, spans } = this.parts;
    const placed = placementOf(this.pair);
    const pool = poolOf(callsOf(this.pair), types, draft);
    if (!placed || !pool) return undefined;
    const reservation = new Reservation(pool, names, draft, sourceCode);
    for (const inner of this.innerPairs(placed.block)) this.tryInner(inner, reservation);
    if (!this.parts.movePair(this.pair, reservation, isMovedOn(placed.placement))) return undefined;
    const narrow = this.restructure(this.pair, placed.block, placed.placement);
    const region = narrow && this.widened(narrow);
    if (!region) return undefined;
    const range = spans.in(region.block, region.first, region.last);
    const start = region.instead ?? region.block.body[region.first]!;
    if (!reservation.isKnownBefore(start, start.range[0])) return undefined;
    draft.replace(region.instead?.range ?? range, [...region.before, ...reservation.around(draft.cut(range))]);
    return { edits: draft.edits(), title: 'Reserve one connection for the lock, the work and the unlock' };
  }

  // ---- locks under the lock

  /** Pairs through the same pool between lock and unlock, the innermost first. */
  private innerPairs(block: Block): LocalPair[] {
    const { acquire, within } = this.pair;
    const own = callsOf(this.pair);
    const end = Math.max(...own.map((one) => one.node.range[1]));
    const found = this.parts.facts.uses.filter((use) => use.call.node.range[0] > acquire.call.node.range[1]).flatMap((use) => {
      const pair = localPairOf(use, this.parts.facts.pairs);
      if (pair?.acquire !== use || pair.within !== within || !isOfPool(use, acquire)) return [];
      const isInside = callsOf(pair).every((one) => contains(block, one.node) && one.node.range[1] <= end && !own.includes(one) && isWithoutSession(one.connection));
      return isInside ? [pair] : [];
    });
    return found.reverse();
  }

  private tryInner(pair: LocalPair, target: Target): void {
    const saved = this.parts.draft.save();
    const placed = placementOf(pair);
    const isDone = placed && placed.placement.kind !== 'around' && this.parts.movePair(pair, target, isMovedOn(placed.placement)) && this.restructure(pair, placed.block, placed.placement, true);
    if (!isDone) this.parts.draft.restore(saved);
  }

  // ---- the shape of the code

  private restructure({ acquire, unlocks }: LocalPair, block: Block, placement: Placement, isInner = false): Region | undefined {
    const { inner } = this.parts;
    const first = indexIn(block, acquire.call.node);
    switch (placement.kind) {
      case 'straight': {
        const isSame = placement.block === block;
        const made = inner.straight(placement, isSame && !isInner);
        return made && { block, first, last: isSame ? made.last : indexIn(block, placement.block), before: made.before, hoisted: made.hoisted };
      }
      case 'covered':
        this.awaitReturns(placement.block.body[placement.at] as TSESTree.TryStatement);
        return inner.drawInto(placement.block, placement.from, placement.at) ? { ...NONE, block, first, last: indexIn(block, placement.block.body[placement.at]!) } : undefined;
      case 'around':
        return this.around(placement, acquire, unlocks[0]!);
      case 'kept':
        this.awaitReturns(placement.statement);
        return { ...NONE, block, first, last: indexIn(block, placement.statement) };
    }
  }

  private awaitReturns({ block, handler }: TSESTree.TryStatement): void {
    this.parts.inner.awaitReturns(block.range);
    if (handler) this.parts.inner.awaitReturns(handler.range);
  }

  private around(placement: Placement & { kind: 'around' }, acquire: LockUse, unlock: LockUse): Region | undefined {
    const { statement } = placement;
    const isEmptied = this.parts.inner.around(placement, unlock.call.node);
    if (isEmptied === undefined || !isBlock(statement.parent)) return undefined;
    const last = statement.block.body.length - 1;
    if (isEmptied && !statement.handler) return { ...NONE, block: statement.block, first: 0, last, instead: statement };
    return { ...NONE, block: statement.block, first: indexIn(statement.block, acquire.call.node), last };
  }

  /** With the statements behind it that use its variables. */
  private widened(region: Region): Region | undefined {
    const { block, first } = region;
    const { sourceCode, spans } = this.parts;
    let { last } = region;
    for (let reach = -1; reach !== last;) {
      reach = last;
      const range: Range = spans.in(block, first, reach);
      const escapes = escapesOf(sourceCode, range).filter(({ variable }) => !region.hoisted.has(variable.name));
      for (const use of escapes.flatMap(({ outside }) => outside)) {
        const index = indexIn(block, use);
        if (index < first) return undefined;
        last = Math.max(last, index);
      }
    }
    const isModuleLevel = block.body.slice(first, last + 1).some((one) => /^(?:Import|Export|TSModule|TSImport|TSExport)/.test(one.type));
    return isModuleLevel ? undefined : { ...region, last };
  }
}

const callsOf = ({ acquire, unlocks }: LocalPair): LockUse['call'][] => [acquire, ...unlocks].map((one) => one.call);

function placementOf({ acquire, unlocks, within }: LocalPair): { block: Block; placement: Placement } | undefined {
  const block = commonBlock([acquire, ...unlocks].map((one) => one.call.node));
  const placement = block && new Placements(acquire, within).of(block, unlocks);
  return placement && { block, placement };
}

/** A check in a `finally` that stays where it is goes behind what else is done there. */
const isMovedOn = ({ kind }: Placement): boolean => kind === 'straight' || kind === 'around';

function isOfPool({ call: one }: LockUse, { call: other }: LockUse): boolean {
  if ([...one.connection.makers].some((maker) => other.connection.makers.has(maker))) return true;
  return sourceOf(one.handle) === sourceOf(other.handle) && meansSameAt(one.handle, other.node, other.node.range[0]);
}
