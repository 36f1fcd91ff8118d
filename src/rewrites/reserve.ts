import type { TSESTree } from '@typescript-eslint/utils';
import type { SourceCode } from '@typescript-eslint/utils/ts-eslint';
import type { FileFacts } from '../analysis/facts.js';
import type { LockUse } from '../analysis/model.js';
import { isPinned } from '../analysis/connections.js';
import { commonBlock, escapesOf, indexIn, isBlock, typesAround, type Block, type LocalPair, type Types } from '../analysis/regions.js';
import { is } from '../analysis/syntax.js';
import { AnswerReader } from './answer.js';
import { Carrier } from './carrier.js';
import { Draft } from './draft.js';
import { Earlier } from './earlier.js';
import { InnerTry } from './inner.js';
import type { Rewrite } from './model.js';
import { heldBy, type Move } from './move.js';
import { Names } from './names.js';
import { Placements, type Placement } from './placement.js';
import { poolOf, Reservation } from './pool.js';
import { Spans } from './spans.js';
import type { Target } from './target.js';
import { Text, type Line, type Range } from './text.js';

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

/** Puts lock, work and unlock on a connection of their own. */
export class Reserving {
  private readonly draft: Draft;
  private readonly spans: Spans;
  private readonly names: Names;
  private readonly types: Types | undefined;
  private readonly carrier: Carrier;
  private readonly reader: AnswerReader;
  private readonly inner: InnerTry;

  constructor(private readonly pair: LocalPair, private readonly facts: FileFacts, private readonly sourceCode: Readonly<SourceCode>) {
    this.draft = new Draft(new Text(sourceCode));
    this.spans = new Spans(sourceCode);
    this.names = new Names(sourceCode, pair.within);
    this.types = typesAround(pair.acquire, sourceCode);
    this.carrier = new Carrier(sourceCode, this.draft, this.types);
    this.reader = new AnswerReader(sourceCode, this.draft, this.carrier, this.names, this.types, 'throw');
    this.inner = new InnerTry(sourceCode, this.draft, this.types);
  }

  rewrite(): Rewrite | undefined {
    const { acquire, unlocks, within } = this.pair;
    const calls = [acquire, ...unlocks].map((one) => one.call);
    const block = commonBlock(calls.map((one) => one.node));
    const placement = block && new Placements(acquire, within).of(block, unlocks);
    const pool = poolOf(calls, this.types, this.draft);
    if (!placement || !pool) return undefined;
    const reservation = new Reservation(pool, this.names, this.draft, this.sourceCode);
    // A check in a `finally` that stays where it is goes behind what else is done there.
    if (!this.moveAll(reservation, placement.kind === 'straight' || placement.kind === 'around')) return undefined;
    const narrow = this.restructure(block, placement);
    const region = narrow && this.widened(narrow);
    if (!region) return undefined;
    const range = this.spans.in(region.block, region.first, region.last);
    const start = region.instead ?? region.block.body[region.first]!;
    if (!reservation.isKnownBefore(start, start.range[0])) return undefined;
    this.draft.replace(region.instead?.range ?? range, [...region.before, ...reservation.around(this.draft.cut(range))]);
    return { edits: this.draft.edits(), title: 'Reserve one connection for the lock, the work and the unlock' };
  }

  /** Sends what goes elsewhere on a connection that is there already. */
  move({ to, moved }: Move): Rewrite | undefined {
    const held = heldBy(to, this.types, this.sourceCode, this.draft);
    if (!held) return undefined;
    const isDone = moved.every((one) => (one === this.pair.acquire ? isWaitedFor(one) && this.carrier.move(one.call, held, undefined) : this.moveUnlock(one, held)));
    // The answer of an unlock that stays where it is was not worth a look before.
    const isRead = moved.includes(this.pair.acquire) ? this.pair.unlocks.every((one) => !this.isDropped(one) || this.reader.read(one, undefined)) : true;
    return isDone && isRead ? { edits: this.draft.edits(), title: 'Use one connection for the lock and the unlock' } : undefined;
  }

  /** Takes the lock on a connection that is reserved right after it. */
  moveBehind(): Rewrite | undefined {
    const { acquire, unlocks: [unlock, ...more] } = this.pair;
    if (!unlock || more.length > 0 || !isPinned(unlock.call.connection)) return undefined;
    const earlier = new Earlier(this.sourceCode, this.draft, this.inner);
    const gap = earlier.placeFor(acquire, unlock);
    const held = gap && heldBy(unlock, this.types, this.sourceCode, this.draft);
    if (!held || !isWaitedFor(acquire) || !this.carrier.move(acquire.call, held, undefined)) return undefined;
    if (this.isDropped(unlock) && !this.reader.read(unlock, undefined, true)) return undefined;
    return earlier.move(gap, unlock) ? { edits: this.draft.edits(), title: 'Use one connection for the lock and the unlock' } : undefined;
  }

  private moveAll(target: Target, isMovedOn: boolean): boolean {
    const { acquire, unlocks } = this.pair;
    if (!isWaitedFor(acquire) || !this.carrier.move(acquire.call, target, undefined)) return false;
    const moved = new Set([acquire.call]);
    return unlocks.every((one) => {
      if (moved.has(one.call)) return true;
      moved.add(one.call);
      return this.moveUnlock(one, target, isMovedOn);
    });
  }

  private moveUnlock(unlock: LockUse, target: Target, isMovedOn = false): boolean {
    if (this.isDropped(unlock)) return this.reader.read(unlock, target, isMovedOn);
    return isWaitedFor(unlock) && this.carrier.move(unlock.call, target, undefined);
  }

  private isDropped(unlock: LockUse): boolean {
    return unlock.lock.function.operation === 'unlock' && this.facts.answerOf(unlock).state === 'dropped';
  }

  // ---- the shape of the code

  private restructure(block: Block, placement: Placement): Region | undefined {
    const first = indexIn(block, this.pair.acquire.call.node);
    switch (placement.kind) {
      case 'straight': {
        const isSame = placement.block === block;
        const made = this.inner.straight(placement, isSame);
        return made && { block, first, last: isSame ? made.last : indexIn(block, placement.block), before: made.before, hoisted: made.hoisted };
      }
      case 'covered':
        this.awaitReturns(placement.block.body[placement.at] as TSESTree.TryStatement);
        return this.inner.drawInto(placement.block, placement.from, placement.at) ? { ...NONE, block, first, last: indexIn(block, placement.block.body[placement.at]!) } : undefined;
      case 'around':
        return this.around(placement);
      case 'kept':
        this.awaitReturns(placement.statement);
        return { ...NONE, block, first, last: indexIn(block, placement.statement) };
    }
  }

  private awaitReturns({ block, handler }: TSESTree.TryStatement): void {
    this.inner.awaitReturns(block.range);
    if (handler) this.inner.awaitReturns(handler.range);
  }

  private around(placement: Placement & { kind: 'around' }): Region | undefined {
    const { statement } = placement;
    const isEmptied = this.inner.around(placement, this.pair.unlocks[0]!.call.node);
    if (isEmptied === undefined || !isBlock(statement.parent)) return undefined;
    const last = statement.block.body.length - 1;
    if (isEmptied && !statement.handler) return { ...NONE, block: statement.block, first: 0, last, instead: statement };
    return { ...NONE, block: statement.block, first: indexIn(statement.block, this.pair.acquire.call.node), last };
  }

  /** With the statements behind it that use its variables. */
  private widened(region: Region): Region | undefined {
    const { block, first } = region;
    let { last } = region;
    for (let reach = last; ; reach = last) {
      const range: Range = this.spans.in(block, first, reach);
      for (const { variable, outside } of escapesOf(this.sourceCode, range)) {
        if (region.hoisted.has(variable.name)) continue;
        for (const one of outside) {
          const index = indexIn(block, one);
          if (index < first) return undefined;
          last = Math.max(last, index);
        }
      }
      if (last === reach) break;
    }
    const isModuleLevel = block.body.slice(first, last + 1).some((one) => /^(?:Import|Export|TSModule|TSImport|TSExport)/.test(one.type));
    return isModuleLevel ? undefined : { ...region, last };
  }
}

/** Whether the code waits for a statement's result, in the statement itself. */
export function isWaitedFor({ call }: LockUse): boolean {
  if (call.callback) return false;
  for (let at: TSESTree.Node | undefined = call.node.parent; at; at = at.parent) {
    if (is(at, 'AwaitExpression')) return true;
    if (is(at, 'ArrayExpression') || /(?:Statement|Declaration|Function|ArrowFunctionExpression)$/.test(at.type)) return false;
  }
  return false;
}
