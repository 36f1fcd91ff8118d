import { overlaps } from '../analysis/values/makers.js';
import type { TSESTree } from '@typescript-eslint/utils';
import { isPinned, isWithoutSession } from '../analysis/connections/sessions.js';
import type { LockUse } from '../analysis/model.js';
import { escapesOf, indexIn, isMadeHere, localPairOf, meansSameAt, sourceOf, type Block, type LocalPair } from '../analysis/regions.js';
import { contains } from '../analysis/syntax.js';
import { Endings } from './endings.js';
import { leftoversOf } from './leftovers.js';
import type { Rewrite } from './model.js';
import type { Parts } from './parts.js';
import { poolOf, Reservation } from './pool.js';
import { lendingOf } from './lending.js';
import { isWrappedBy, placedOf, type Placed, type Region, wayOf } from './shaping.js';
import type { Target } from './target.js';
import type { Range } from './text.js';

/** Puts lock, work and unlock on a connection of their own, and pairs inside of the work with them. */
export class Reserving {
  constructor(private readonly pair: LocalPair, private readonly parts: Parts) {}

  rewrite(): Rewrite | undefined {
    const { draft, names, types, sourceCode, spans } = this.parts;
    const placed = placedOf(this.pair);
    const pool = poolOf(callsOf(this.pair), types, draft);
    if (!placed || !pool) return undefined;
    // A lock stays on the connection that others have given for it.
    if (isPinned(this.pair.acquire.call.connection) && !isMadeHere(this.pair.acquire) && leftoversOf([this.pair.acquire], placed.block).size === 0) return undefined;
    const reservation = new Reservation(pool, names, draft, sourceCode);
    for (const inner of this.innerPairs(placed.block)) this.tryInner(inner, reservation, placed);
    const endings = new Endings(this.pair, this.parts);
    const ending = endings.takeOut(placed);
    if (!ending || !this.parts.movePair(this.pair, reservation, wayOf(placed, this.pair))) return undefined;
    const leftovers = leftoversOf(usesOf(this.pair), placed.block);
    const narrow = this.parts.shaping.of(this.pair, placed, true, leftovers);
    if (!narrow) return undefined;
    // The others went with the work.
    for (const one of leftovers) if (isOutside(indexIn(placed.block, one), narrow)) spans.remove(one, draft);
    const region = this.widened(narrow, leftovers);
    if (!region || endings.areLeft(region) || (region.behind.length > 0 && region.last !== narrow.last)) return undefined;
    const range = spans.in(region.block, region.first, region.last);
    const start = region.instead ?? region.block.body[region.first]!;
    if (!reservation.isKnownBefore(start, start.range[0])) return undefined;
    const lending = reservation.driver.templates.isLent ? lendingOf(region, sourceCode) : 'await';
    if (lending === undefined) return undefined;
    const lines = reservation.around(draft.cut(range), lending === 'return' && ending.length > 0 ? 'return await' : lending);
    draft.replace(region.instead?.range ?? range, [...region.before, ...(ending.length > 0 ? this.parts.inner.tryFinally(lines, ending) : lines), ...region.behind]);
    return draft.rewrite();
  }

  // ---- locks under the lock

  /** Pairs through the same pool between lock and unlock, the innermost first. */
  private innerPairs(block: Block): LocalPair[] {
    const { acquire, within } = this.pair;
    const own = callsOf(this.pair);
    const end = Math.max(...own.map((one) => one.node.range[1]));
    const found = this.parts.facts.uses.flatMap((use) => {
      const { range: [start] } = use.call.node;
      if (start <= acquire.call.node.range[1] || start >= end) return [];
      const pair = localPairOf(use, this.parts.facts.pairs);
      if (pair?.acquire !== use || pair.within !== within || !isOfPool(use, acquire)) return [];
      const isInside = callsOf(pair).every((one) => contains(block, one.node) && one.node.range[1] <= end && !own.includes(one) && isWithoutSession(one.connection));
      return isInside ? [pair] : [];
    });
    return found.reverse();
  }

  private tryInner(pair: LocalPair, target: Target, outer: Placed): void {
    const { draft, names } = this.parts;
    const undo = [draft.save(), names.save()];
    const own = placedOf(pair);
    const placed = own && { ...own, isWrapped: isWrappedBy(own.placement, pair, outer.placement, this.pair) };
    const isMoved = placed && placed.placement.kind !== 'around' && this.parts.movePair(pair, target, wayOf(placed, pair));
    const region = isMoved ? this.parts.shaping.of(pair, placed, false) : undefined;
    // What has to be declared apart from its value may be needed by the outer pair too.
    if (!region || region.hoisted.size > 0) for (const one of undo) one();
  }

  /** With the statements behind it that use its variables. */
  private widened(region: Region, leftovers: ReadonlySet<TSESTree.Node>): Region | undefined {
    const { block, first } = region;
    const { sourceCode, spans } = this.parts;
    let { last } = region;
    for (let reach = -1; reach !== last;) {
      reach = last;
      const range: Range = spans.in(block, first, reach);
      const escapes = escapesOf(sourceCode, range).filter(({ variable }) => !region.hoisted.has(variable.name));
      for (const use of escapes.flatMap(({ outside }) => outside)) {
        if ([...leftovers].some((one) => contains(one, use))) continue;
        const index = indexIn(block, use);
        if (index < first) return undefined;
        last = Math.max(last, index);
      }
    }
    const isModuleLevel = block.body.slice(first, last + 1).some((one) => /^(?:Import|Export|TSModule|TSImport|TSExport)/.test(one.type));
    return isModuleLevel ? undefined : { ...region, last };
  }
}

const isOutside = (index: number, { first, last }: Region): boolean => index < first || index > last;

const usesOf = ({ acquire, unlocks }: LocalPair): LockUse[] => [acquire, ...unlocks];

const callsOf = (pair: LocalPair): LockUse['call'][] => usesOf(pair).map((one) => one.call);

function isOfPool({ call: one }: LockUse, { call: other }: LockUse): boolean {
  if (overlaps(one.connection.makers, other.connection.makers)) return true;
  return sourceOf(one.handle) === sourceOf(other.handle) && meansSameAt(one.handle, other.node, other.node.range[0]);
}
