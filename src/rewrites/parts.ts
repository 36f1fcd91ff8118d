import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../analysis/facts.js';
import type { LockUse } from '../analysis/model.js';
import { type LocalPair, type Source, type Types } from '../analysis/regions.js';
import { is } from '../analysis/syntax.js';
import { AnswerReader, type Way } from './answer.js';
import { Carrier } from './carrier.js';
import { Draft } from './draft.js';
import { InnerTry } from './inner.js';
import { Names } from './names.js';
import { Shaping, type Region } from './shaping.js';
import { Spans } from './spans.js';
import { Swallowing } from './swallowing.js';
import type { Target } from './target.js';
import { Text } from './text.js';

/** What a rewrite of a pair is put together with. */
export class Parts {
  readonly draft: Draft;
  readonly spans: Spans;
  readonly names: Names;
  readonly types: Types | undefined;
  readonly carrier: Carrier;
  readonly reader: AnswerReader;
  readonly shaping: Shaping;
  readonly inner: InnerTry;
  /** Whether the answer of the last unlock that was kept is read from now on. */
  isReadNow = false;
  private readonly swallowing: Swallowing;
  private readonly within: TSESTree.Node;

  constructor(pair: LocalPair, readonly facts: FileFacts, readonly sourceCode: Source) {
    this.draft = new Draft(new Text(sourceCode));
    this.spans = new Spans(sourceCode);
    this.names = new Names(sourceCode, pair.within);
    this.types = facts.types;
    this.carrier = new Carrier(sourceCode, this.draft, this.types);
    this.reader = new AnswerReader(sourceCode, this.draft, this.carrier, this.names, this.types, 'throw');
    this.inner = new InnerTry(sourceCode, this.draft, this.names, this.types);
    this.shaping = new Shaping(this.inner, sourceCode);
    this.swallowing = new Swallowing(sourceCode, this.draft, this.names);
    this.within = pair.within;
  }

  /** Sends a pair's statements on a connection; answers that nothing reads are read from now on. */
  movePair({ acquire, unlocks }: LocalPair, target: Target, way: Way): boolean {
    const moved = new Set([acquire.call]);
    return this.moveAcquire(acquire, target) && unlocks.every((one) => {
      if (moved.has(one.call)) return true;
      moved.add(one.call);
      return this.moveUnlock(one, target, way);
    });
  }

  moveAcquire(acquire: LockUse, target: Target): boolean {
    return isWaitedFor(acquire) && this.carrier.move(acquire.call, target, undefined);
  }

  moveUnlock(unlock: LockUse, target: Target, way: Way = 'stays'): boolean {
    if (!this.swallowing.endChain(unlock)) return false;
    const isMoved = this.isDropped(unlock) ? this.reader.read(unlock, target, way) : isWaitedFor(unlock) && this.carrier.move(unlock.call, target, undefined);
    return isMoved && this.swallowing.endTries(unlock, this.within, way);
  }

  /** An unlock that stays on its connection: its error is let through, and its answer read where nothing does and code for it can be written. */
  keepUnlock(unlock: LockUse, way: Way): boolean {
    if (!this.swallowing.endChain(unlock)) return false;
    const undo = [this.draft.save(), this.names.save()];
    const isToRead = this.isDropped(unlock) && !unlock.call.result.isGuess && !unlock.call.keepsAnswer && unlock.call.isSilent !== true && !this.facts.isDestroyedAfter(unlock);
    this.isReadNow = isToRead && this.reader.read(unlock, undefined, way);
    if (isToRead && !this.isReadNow) for (const one of undo) one();
    return this.swallowing.endTries(unlock, this.within, way);
  }

  /** Ends what keeps the error of an unlock to itself; `false` where nothing that is there for the unlock alone does. */
  letThrough(unlock: LockUse): boolean {
    const isCaught = this.swallowing.catches(unlock, this.within);
    return isCaught && this.keepUnlock(unlock, 'moves');
  }

  /** Puts what became of a pair's work and unlock where they stood, with nothing around them. */
  settle(region: Region | undefined): boolean {
    const { draft, spans, sourceCode } = this;
    if (!region?.instead) return region !== undefined;
    // The `try` has lost its `finally`: its statements take its place, where their names are free.
    const own = sourceCode.scopeManager.acquire(region.block)?.set;
    if (own && own.size > 0) return false;
    draft.replace(region.instead.range, draft.cut(spans.in(region.block, region.first, region.last)));
    return true;
  }

  readonly isDropped = (unlock: LockUse): boolean => unlock.lock.function.operation === 'unlock' && this.facts.answerOf(unlock).state === 'dropped';
}

/** Whether the code waits for a statement's result, in the statement itself. */
export function isWaitedFor({ call }: LockUse): boolean {
  if (call.callback) return false;
  for (let at = call.node.parent; ; at = at.parent!) {
    if (is(at, 'AwaitExpression')) return true;
    if (is(at, 'ArrayExpression') || is(at, 'Program') || /(?:Statement|Declaration|Function|FunctionExpression)$/.test(at.type)) return false;
  }
}
