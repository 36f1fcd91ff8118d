import type { TSESTree } from '@typescript-eslint/utils';
import { treeOf } from '../../types/index.js';
import { idOf, idOfMakers } from '../values/makers.js';
import { functionOf } from '../values/names.js';
import type { Origins } from '../values/origins.js';
import type { SessionEnds } from '../sessions/session-end.js';
import { is, walk, wrapped } from '../syntax.js';
import type { Note } from './conditions/doubts.js';
import { carriersOf, eventsOf, freesWhenRun, type LockEvent, type Tracked } from './lock-events.js';
import type { Interpreter } from './engine/interpreter.js';
import type { LockState } from './lock-state.js';
import { placeOf } from './conditions/remembered.js';
import { isOverElements } from './conditions/rounds.js';
import { Journal, NOWHERE, Overlay, Positions } from './shared-code.js';
import { isKeptForLater } from './call-kinds.js';
import { Truths } from './conditions/truths.js';
import { TryAnswer } from './conditions/try-answer.js';

/** Whether nothing but whether it is held tells of a lock: it is taken here, by a statement whose result nobody looks at. */
export function isPlain({ acquire, takenAt, leftBy }: Tracked): boolean {
  if (!acquire || takenAt !== acquire.call.node || leftBy || acquire.lock.function.operation !== 'acquire') return false;
  return !acquire.call.takesCallback && acquire.call.inner === undefined && is(wrapped(takenAt, true).parent, 'ExpressionStatement');
}

/** What the code of a function does to each lock that is plainly taken on one connection, but for the code that takes and frees it. */
export class LocksTogether {
  readonly events: ReadonlyMap<TSESTree.Node, LockEvent>;
  readonly truths: Truths;
  readonly journal = new Journal<Note>();
  /** As if for one more lock, that is taken and freed elsewhere. */
  readonly tracked: Tracked;
  /** Where each lock is looked at for itself, whatever it is. */
  private readonly own: Positions;
  private made: Interpreter<LockState> | undefined;
  private readonly keptForLater: readonly TSESTree.CallExpression[];

  constructor(first: Tracked, unlocks: ReadonlySet<TSESTree.Node>, origins: Origins, private readonly ends: SessionEnds) {
    this.tracked = { ...first, takenAt: NOWHERE, freedAt: new Map(), others: unlocks };
    this.events = eventsOf({ ...first, takenAt: undefined, freedAt: new Map(), others: unlocks }, ends, { carriers: carriersOf(first, ends) });
    this.truths = new Truths(this.tracked, origins, new TryAnswer(this.tracked, origins));
    const nodes = walk(first.body);
    const special = nodes.filter((node) => this.events.has(node) || isUsing(node) || (is(node, 'CallExpression') && !unlocks.has(node) && this.runsCode(node, origins)));
    this.own = new Positions(special);
    this.keptForLater = nodes.filter((node) => is(node, 'CallExpression')).filter((node) => !this.events.has(node) && isKeptForLater(node));
  }

  /** What may be different for locks of one function is in the key: the connection, as it is seen, and the variables that hold it. */
  static keyOf(tracked: Tracked, ends: SessionEnds): string {
    const carriers = [...carriersOf(tracked, ends)].map((one) => one.identifiers[0]?.range[0] ?? one.name).sort();
    return `${idOf(tracked.body)} ${idOfMakers(tracked.makers)} ${carriers.join()}`;
  }

  /** A function that a call runs may take and free, and a variable may hold one. */
  private runsCode(call: TSESTree.CallExpression, origins: Origins): boolean {
    const { callee } = origins.calleeOf(call, undefined) ?? {};
    if (callee && !callee.generator && callee !== this.tracked.body && treeOf(callee) === treeOf(this.tracked.body)) return true;
    if (this.truths.remembers(placeOf(call.callee))) return true;
    return isOverElements(call) && call.arguments.some((one) => is(one, 'Identifier') && functionOf(one) !== undefined);
  }

  /** The events of one of the locks. */
  eventsOf(tracked: Tracked): Overlay<LockEvent> {
    return new Overlay(this.events, this.differences(tracked));
  }

  private differences(tracked: Tracked): Map<TSESTree.Node, LockEvent> {
    const found = new Map<TSESTree.Node, LockEvent>();
    for (const node of this.keptForLater) if (freesWhenRun(node, tracked, this.ends)) found.set(node, { kind: 'handOn' });
    for (const [node, use] of tracked.freedAt) found.set(node, { kind: 'unlock', use });
    return found.set(tracked.takenAt!, { kind: 'acquire' });
  }

  /** Where code does something to one of the locks that it does not do to the others. */
  isOwn(tracked: Tracked): (from: number, to: number) => boolean {
    const { others } = this.tracked;
    const own = new Positions([...this.differences(tracked).keys(), ...[...tracked.others].filter((node) => !others.has(node))]);
    return (from, to) => this.own.areIn(from, to) || own.areIn(from, to);
  }

  interpreter(make: () => Interpreter<LockState>): Interpreter<LockState> {
    return (this.made ??= make());
  }
}

const isUsing = (node: TSESTree.Node): boolean => is(node, 'VariableDeclaration') && /using/.test(node.kind);
