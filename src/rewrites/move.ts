import { overlaps } from '../analysis/values/makers.js';
import type { TSESTree } from '@typescript-eslint/utils';
import { isPinned } from '../analysis/connections/sessions.js';
import type { LockUse } from '../analysis/model.js';
import { driverOfType } from '../analysis/connections/handle-types.js';
import { driverOf, isGivenBackBetween, type LocalPair, meansSameAt, type Source, type Types } from '../analysis/regions.js';
import { driverById, type Driver, type Layer } from '../drivers/index.js';
import type { Way } from './answer.js';
import type { Draft } from './draft.js';
import { Earlier } from './earlier.js';
import { imported } from './imports.js';
import type { Rewrite } from './model.js';
import type { Parts } from './parts.js';
import { placedOf, wayOf } from './shaping.js';
import { carrierOf, clientUnder, isReserver, isStable, makeHandle, type Reserver, type Target } from './target.js';


/** A connection that the code has already: statements of the pair that go elsewhere are sent on it. */
export class Held implements Target {
  constructor(
    readonly driver: Reserver, readonly connection: string, readonly node: TSESTree.Node, private readonly own: Driver, private readonly handle: string,
    private readonly sourceCode: Source, private readonly draft: Draft,
  ) {}

  handleOf(driver: Driver, layer: Layer & { readonly kind: 'handle' }): string | undefined {
    if (driver.id === this.own.id) return this.handle;
    const maker = imported(layer.maker, layer.module, this.sourceCode, this.draft);
    return maker === undefined ? undefined : makeHandle(layer, maker, this.connection);
  }
}

/** Which statements of a pair have to move, and to the connection of which other. */
interface Move {
  readonly to: LockUse;
  readonly moved: readonly LockUse[];
}

/** The unlock goes where the lock is, or the lock to the connection of all unlocks; `undefined` where no connection is there for both. */
function moveOf({ acquire, unlocks }: LocalPair): Move | undefined {
  const strays = straysOf({ acquire, unlocks });
  if (isPinned(acquire.call.connection) && strays.every((one) => canReach(acquire, one))) return { to: acquire, moved: strays };
  const [first, ...more] = unlocks;
  if (!first || !isPinned(first.call.connection) || !more.every((one) => isSameHandle(one, first)) || !canReach(first, acquire)) return undefined;
  return { to: first, moved: [acquire] };
}

/** The use whose connection both go to: where that is reserved behind the lock, it is the unlock's. */
export const targetOf = (pair: LocalPair): LockUse | undefined => moveOf(pair)?.to ?? pair.unlocks.find((one) => isPinned(one.call.connection));

/** The unlocks that are not on the connection of the lock. */
export const straysOf = ({ acquire, unlocks }: Pick<LocalPair, 'acquire' | 'unlocks'>): LockUse[] => unlocks.filter((one) => !isSameHandle(one, acquire));

const isSameHandle = (one: LockUse, other: LockUse): boolean =>
  isPinned(one.call.connection) && overlaps(one.call.connection.makers, other.call.connection.makers);

/** Whether the connection of one use is there, and the same, at the place of another. */
function canReach(from: LockUse, to: LockUse): boolean {
  const handle = carrierOf(from.call);
  if (!isStable(handle) || !meansSameAt(handle, to.call.node, to.call.node.range[0])) return false;
  const [start, end] = from.call.node.range[0] < to.call.node.range[0] ? [from, to] : [to, from];
  return !isGivenBackBetween(handle, start.call.node.range[1], end.call.node.range[0]);
}

/** Puts a pair together on a connection that the code has: nothing else is changed. */
export class Moving {
  constructor(private readonly pair: LocalPair, private readonly parts: Parts) {}

  /** With the work in a `try` and the unlock in its `finally`, where they are not yet. */
  rewrite(): Rewrite | undefined {
    const placed = placedOf(this.pair);
    return placed && this.gather(wayOf(placed, this.pair)) && this.parts.settle(this.parts.shaping.of(this.pair, placed, false)) ? this.made() : undefined;
  }

  /** Where the way from lock to unlock is not known, the lock is safe only if the session ends. */
  plain(): Rewrite | undefined {
    return this.parts.facts.isDestroyedAfter(this.pair.acquire) && this.gather('stays') ? this.made() : undefined;
  }

  private gather(way: Way): boolean {
    const { parts, pair } = this;
    const move = moveOf(pair);
    const held = move && heldBy(move.to, parts.types, parts.sourceCode, parts.draft);
    if (!held) return false;
    const isMoved = move.moved.every((one) => (one === pair.acquire ? parts.moveAcquire(one, held) : parts.moveUnlock(one, held, way)));
    // An unlock that stays where it is now answers for the lock.
    const isRead = !move.moved.includes(pair.acquire) || pair.unlocks.every((one) => !parts.isDropped(one) || parts.reader.read(one, undefined, way));
    return isMoved && isRead;
  }

  private made(): Rewrite | undefined {
    return this.parts.draft.rewrite();
  }

  /** Takes the lock on a connection that is reserved right after it. */
  behind(): Rewrite | undefined {
    const { parts, pair: { acquire, unlocks: [unlock, ...more] } } = this;
    if (!unlock || more.length > 0 || !isPinned(unlock.call.connection) || isPinned(acquire.call.connection)) return undefined;
    const earlier = new Earlier(parts.sourceCode, parts.draft, parts.inner);
    const gap = earlier.placeFor(acquire, unlock);
    const held = gap && heldBy(unlock, parts.types, parts.sourceCode, parts.draft);
    if (!held || !parts.moveAcquire(acquire, held)) return undefined;
    if (parts.isDropped(unlock) && !parts.reader.read(unlock, undefined, 'moves')) return undefined;
    return earlier.move(gap, unlock) ? this.made() : undefined;
  }
}

function heldBy({ call }: LockUse, types: Types | undefined, sourceCode: Source, draft: Draft): Held | undefined {
  const own = driverOf(call);
  const text = draft.text.of(call.handle);
  if (isReserver(own) && own.templates.chained !== undefined) return call.through && call.connection.kind === 'reserved' ? new Held(own, draft.text.of(call.through), call.through, own, text, sourceCode, draft) : undefined;
  if (isReserver(own)) return new Held(own, text, call.handle, own, text, sourceCode, draft);
  if (own?.templates?.kind !== 'layer') return undefined;
  const { below } = own.templates;
  const driver = driverById(call.connection.over?.driver) ?? driverOfType(types?.typeOf(call.handle)?.property(below));
  const client = clientUnder(call.handle);
  if (!isReserver(driver)) return undefined;
  return new Held(driver, client ? draft.text.of(client) : `${text}.${below}`, call.handle, own, text, sourceCode, draft);
}
