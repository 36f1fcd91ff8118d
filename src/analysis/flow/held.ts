import type { TSESTree } from '@typescript-eslint/utils';
import { isCallbackName, isLendName } from '../../drivers/index.js';
import { treeOf } from '../../types/index.js';
import { placesOf } from '../values/makers.js';
import type { LockUse } from '../model.js';
import { functionOf } from '../values/names.js';
import type { Place } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { contains, functionAround, is, isFunction, isMember, memberName, uncast, unwrap, walk, type FunctionNode } from '../syntax.js';
import { isNameOfList } from '../sessions/elements.js';
import { disposalOf, isGivenBehind } from './disposers.js';
import { Doubts, type Note, type Readings } from './conditions/doubts.js';
import { EntryGuards } from './conditions/entry-guards.js';
import { isExhaustive } from './conditions/exhaustive.js';
import { functionsCalled, isTaken, resultOf, type Result } from './handles.js';
import { Interpreter } from './engine/interpreter.js';
import { mayKeep, type LockEvent, type Tracked } from './lock-events.js';
import type { LocksTogether } from './locks-together.js';
import { callbackAt, settled } from './node-callbacks.js';
import { runsKeptIn } from './kept-functions.js';
import { Keeping } from './keeping.js';
import { inBoth, type Held, type Leak } from './leak.js';
import { ended, isHeld, isSwallowed, lockState, underWay, withChange, type LockState } from './lock-state.js';
import { caseText, textOf } from './conditions/remembered.js';
import { assertsFalse } from '../answers/assertions.js';
import { alwaysThrows, isAssertion, runsArguments, swallowsInside } from './call-kinds.js';
import { isCarriedOn, isOverElements, Rounds } from './conditions/rounds.js';
import { Overlay, type Budget, type Journal, type SharedCode, type Sharing } from './shared-code.js';
import { Throws } from './throws.js';
import type { Effect, Round, Transfer } from './engine/transfer.js';
import { Truths } from './conditions/truths.js';
import { TryAnswer } from './conditions/try-answer.js';

/** What nodes do to a lock. */
type Events = Pick<ReadonlyMap<TSESTree.Node, LockEvent>, 'get' | 'has'>;

/** Follows one lock through one function. */
export class HeldLock implements Transfer<LockState> {
  private readonly leaks = new Map<string, Leak>();
  private readonly lostUnlocks = new Map<TSESTree.Node, LockUse>();
  private readonly freedBy = new Set<LockUse>();
  private readonly events: Overlay<LockEvent>;
  private readonly doubts: Doubts;
  private readonly rounds: Rounds;
  private readonly guards: EntryGuards[] = [];
  private readonly throws: Throws;
  private readonly callees = new Map<TSESTree.Node, FunctionNode | undefined>();
  private readonly chosen = new Set<TSESTree.Node>();
  private readonly results: Result[] = [];
  private readonly outlives: boolean;
  private readonly keeping: Keeping;
  /** The lock stands for several: it is taken while it is held. */
  private isTakenAgain = false;
  /** Where the connection went back with the lock, to be judged by what comes next. */
  private releasedAt: TSESTree.Node | undefined;

  private constructor(private readonly tracked: Tracked, events: Events, private readonly origins: Origins, private readonly answer: TryAnswer, private readonly truths: Truths, private readonly readings: Readings, journal?: Journal<Note>) {
    this.events = new Overlay(events, new Map<TSESTree.Node, LockEvent>());
    this.doubts = new Doubts(tracked, answer, journal);
    this.rounds = new Rounds(tracked, (node) => this.unlocksAt(node), (node) => this.events.get(node)?.kind === 'destroy');
    if (!tracked.takenAt) this.guards.push(new EntryGuards(tracked.body, tracked.freedAt.keys(), origins));
    this.throws = new Throws(tracked, this.events, origins, answer);
    const { body } = tracked;
    const inner = is(body, 'Program') ? body : body.body;
    this.outlives = !tracked.lent && !tracked.acquire?.call.lease && !is(body, 'Program') && placesOf(tracked.makers).every((place) => treeOf(place) !== treeOf(body) || !contains(inner, place) || isNameOfList(place));
    this.keeping = new Keeping(body, this.outlives, truths);
  }

  static follow(tracked: Tracked, events: Events, origins: Origins, budget: Budget, together?: LocksTogether): Held {
    const answer = new TryAnswer(tracked, origins);
    const read = (readings: Readings, truths: Truths): { held: Held; doubts: Doubts } => {
      const one = new HeldLock(tracked, events, origins, answer, truths, readings);
      const code = together && readings.size === 0 && truths === together.truths ? one.sharedWith(together, budget) : undefined;
      return { held: one.run({ code, budget }), doubts: one.doubts };
    };
    const truths = together?.truths ?? new Truths(tracked, origins, answer);
    // At first, what is not understood may go either way.
    const first = read(new Map(), truths);
    let { held } = first;
    for (const readings of first.doubts.readings()) {
      if (held.leaks.length === 0 && held.lostUnlocks.size === 0) break;
      held = inBoth(held, read(readings, truths).held);
    }
    if (held.lostUnlocks.size === 0 || truths.askedAgain.isEmpty) return held;
    // What a condition has answered may have changed by the time that it is asked again: a lost lock is only proven where that does not matter.
    const { lostUnlocks } = read(new Map(), new Truths(tracked, origins, answer, true)).held;
    return { ...held, lostUnlocks: new Map([...held.lostUnlocks].filter(([node]) => lostUnlocks.has(node))) };
  }

  /** Code that is run once for all locks which are plainly taken. */
  static interpreterOf({ tracked, events, truths, journal }: LocksTogether, origins: Origins, budget: Budget): Interpreter<LockState> {
    const any = new HeldLock(tracked, events, origins, new TryAnswer(tracked, origins), truths, new Map(), journal);
    return new Interpreter(any, { journal, budget });
  }

  private sharedWith(together: LocksTogether, budget: Budget): SharedCode<LockState> {
    const skipped = (outcome: object): void => { for (const note of together.journal.of(outcome)) this.doubts.note(note); };
    return { interpreter: together.interpreter(() => HeldLock.interpreterOf(together, this.origins, budget)), isOwn: together.isOwn(this.tracked), skipped };
  }

  private run(sharing: Sharing<LockState>): Held {
    const start = lockState({ held: this.tracked.takenAt ? 'free' : 'held', answer: undefined, handedOn: false, flags: new Map() });
    const { normal, returned, thrown } = new Interpreter<LockState>(this, sharing).run(this.tracked.body, start);
    const done = [...normal.values(), ...returned.values()];
    // Freed only where something fails: what ends well keeps it, and the connection with it, for those who come later.
    const isKept = this.outlives && done.some(isHeld) && !done.some(({ held }) => held === 'freed' || held === 'gone');
    for (const [kind, states] of [['ended', normal], ['returned', returned], ['thrown', thrown]] as const) {
      if ([...states.values()].some(({ held, handedOn }) => held === 'some' && !handedOn)) this.leak('others', undefined);
      const back = this.tracked.lent?.[kind === 'thrown' ? 'thrown' : 'returned'];
      const isBack = [...states.values()].some(({ held }) => held === 'back') && !(kind === 'thrown' && this.tracked.errorsExit);
      if (isBack) this.leak('released', this.releasedAt);
      if (isKept || back === 'ends') continue;
      if ([...states.values()].some(isHeld)) this.leak(back === 'keeps' ? 'released' : kind, undefined);
      if (back === 'keeps' && kind !== 'thrown' && [...states.values()].some(isSwallowed)) this.leak('swallowed', undefined);
    }
    const { body } = this.tracked;
    for (const state of normal.values()) this.noteResult(!is(body, 'Program') && !is(body.body, 'BlockStatement') ? body.body : undefined, state);
    return { leaks: [...this.leaks.values()], lostUnlocks: this.lostUnlocks, freedBy: this.freedBy, outlives: this.outlives, results: this.results };
  }

  private leak(kind: Leak['kind'], at: TSESTree.Node | undefined): void {
    this.leaks.set(`${kind} ${at?.range[0] ?? ''}`, { kind, at });
  }

  private noteResult(returned: TSESTree.Node | undefined, state: LockState): void {
    this.results.push(resultOf(returned && this.truths.chosenOf(returned, state), state, (node) => this.truths.valueOf(node, state), this.origins));
  }

  // ---- what nodes do

  effect(node: TSESTree.Node, before: LockState): Effect<LockState> | undefined {
    if (is(node, 'ReturnStatement') && functionAround(node) === this.tracked.body) this.noteResult(node.argument ?? undefined, before);
    const state = this.truths.askedAgain.after(node, before);
    return this.effectOn(node, state) ?? (state === before ? undefined : { normal: [state], thrown: [] });
  }

  private effectOn(node: TSESTree.Node, state: LockState): Effect<LockState> | undefined {
    this.doubts.noteChange(node, state);
    if (is(node, 'ThrowStatement')) return state.held === 'swallowed' ? { normal: [withChange(state, { held: 'doubt' })], thrown: [] } : undefined;
    const behind = state.held === 'back' ? this.behindRelease(node, state) : undefined;
    if (behind) return behind;
    const event = this.events.get(node);
    if (event) return this.withWrites(event, node, this.happen(event, node, state));
    const remembered = this.truths.remember(node, state);
    if (this.keeping.isTold(node, state)) return { normal: [withChange(remembered ?? state, { handedOn: true })], thrown: [] };
    if (remembered) return { normal: [remembered], thrown: [] };
    const asserted = is(node, 'CallExpression') ? this.assertion(node, state) : undefined;
    if (asserted) return { normal: asserted === 'fails' || asserted === 'refuted' ? [] : [state], thrown: asserted === 'holds' || asserted === 'refuted' ? [] : [underWay(state)] };
    if (!this.throws.at(node)) return undefined;
    // Where any unlock fails, the session is lost, most likely, and all that it holds.
    const isUnlock = this.tracked.others.has(is(node, 'AwaitExpression') ? unwrap(node.argument) : node);
    return { normal: [state], thrown: [isUnlock && state.held === 'held' ? withChange(state, { held: 'doubt' }) : underWay(state)] };
  }

  /** A call that never comes back, or that asserts something of the answer: on one of the two paths it does not come back. */
  private assertion(call: TSESTree.CallExpression, state: LockState): 'holds' | 'fails' | 'refuted' | 'either' | undefined {
    const { callee } = this.origins.calleeOf(call, undefined) ?? {};
    if (this.origins.types.typeOf(call)?.isNever || (callee && !callee.async && alwaysThrows(callee))) return 'fails';
    if (state.answer === undefined || !call.arguments.some((one) => this.answer.isAnswer(one) || this.answer.isOpaque(one))) return undefined;
    const isAsserting = callee ? !callee.async && [...walk(callee.body, isFunction)].some((one) => is(one, 'ThrowStatement')) : isAssertion(call);
    if (!isAsserting) return undefined;
    // A test that expects to be refused is wrong where it is not, and what it then leaves is no leak of the program.
    if (call.arguments.some((one, index) => this.answer.isAnswer(one) && assertsFalse(call, index, { kind: 'boolean', says: true, sure: true }))) return state.answer ? 'refuted' : 'holds';
    const holds = this.reading(textOf(call), call.arguments, state);
    return holds === undefined ? 'either' : holds ? 'holds' : 'fails';
  }

  /** A function of this one's own that takes the lock may write its variables: `held = rows[0].ok`. */
  private withWrites({ kind }: LockEvent, node: TSESTree.Node, effect: Effect<LockState>): Effect<LockState> {
    const { acquire, body } = this.tracked;
    const helper = (kind === 'try' || kind === 'acquire') && acquire && node !== acquire.call.node ? functionAround(acquire.call.node) : undefined;
    if (!helper || treeOf(helper) !== treeOf(body) || !contains(body, helper)) return effect;
    const normal = effect.normal.map((state) => this.truths.rememberCall(helper, state));
    for (const state of normal) if (this.doubts.takenIn(state)) for (const inner of walk(helper)) this.doubts.noteChange(inner, state);
    return { ...effect, normal };
  }

  private happen(event: LockEvent, node: TSESTree.Node, state: LockState): Effect<LockState> {
    switch (event.kind) {
      case 'acquire':
        if (state.held === 'held') this.isTakenAgain = true;
        return settled(node, this.tracked, [withChange(state, { held: 'held', answer: undefined, handedOn: false }), ...(this.tracked.handle?.mayBeRefused ? [state] : [])], state);
      case 'takenBeside':
        return settled(node, this.tracked, [state.answer === false && state.held === 'free' ? withChange(state, { held: 'gone' }) : state], state);
      case 'left': {
        const left = [withChange(state, { held: 'held' })];
        return this.tracked.leftBy === 'throw' ? { normal: [], thrown: left } : { normal: left, thrown: [] };
      }
      case 'try': {
        // A callback that is not in view looks at the answer in its own ways.
        if (this.tracked.acquire?.call.takesCallback && !callbackAt(node, this.tracked)) return { normal: [withChange(state, { held: 'held' })], thrown: [state] };
        const lost = state.held === 'held' ? state : withChange(state, { answer: false });
        return settled(node, this.tracked, [withChange(state, { held: 'held', answer: true, handedOn: false }), ...(this.tracked.handle?.mayBeRefused === false ? [] : [lost])], state);
      }
      case 'unlock':
        // `pg_advisory_unlock_all()` asks for no lock: it has no answer, and warns of nothing that is not there.
        if (state.answer === false && state.held === 'free' && event.use.lock.function.operation !== 'unlockAll' && !this.rounds.isOneOfMany(node, event.use)) this.lostUnlocks.set(node, event.use);
        if (state.held === 'held') this.freedBy.add(event.use);
        if (state.held === 'free' || state.held === 'gone' || state.held === 'back') return settled(node, this.tracked, [state], state);
        if (state.held === 'held' && this.rounds.isOneElement(node, this.isTakenAgain)) return settled(node, this.tracked, [withChange(state, { held: 'some' })], withChange(state, { held: 'doubt' }));
        return settled(node, this.tracked, [withChange(state, { held: 'freed' }), ...(state.held === 'held' && swallowsInside(event.use, node) ? [withChange(state, { held: 'swallowed' })] : [])], state.held === 'held' ? withChange(state, { held: 'doubt' }) : underWay(state));
      case 'release':
        return { normal: this.release(event.argument, node, state), thrown: [] };
      case 'discard':
        return state.held === 'free' || state.held === 'gone' || state.held === 'back' ? { normal: [state], thrown: [state] } : { normal: [withChange(state, { held: 'freed' })], thrown: [state.held === 'held' ? withChange(state, { held: 'doubt' }) : underWay(state)] };
      case 'runsKept':
        return event.what === 'late' && !state.handedOn ? { normal: [state], thrown: [underWay(state)] } : ended(state);
      case 'destroy':
        return ended(state);
      case 'handOn':
        return { normal: [this.truths.remember(node, withChange(state, { handedOn: true })) ?? withChange(state, { handedOn: true })], thrown: [] };
      case 'exit':
        return { normal: [], thrown: [] };
    }
  }

  /** The lock ends with the function's own pool, unless that gives the connection out again before. */
  private behindRelease(node: TSESTree.Node, state: LockState): Effect<LockState> | undefined {
    const { ownPool } = this.tracked;
    if (ownPool?.ends.has(node)) return ended(state);
    if (!ownPool?.uses.has(node)) return undefined;
    this.leak('released', this.releasedAt);
    return ended(state);
  }

  private release(argument: TSESTree.Node | undefined, node: TSESTree.Node, state: LockState): LockState[] {
    if (state.held === 'back') return [state];
    const truth = argument === undefined ? false : this.truths.truthOf(argument, state);
    if (state.held === 'held' && (truth === undefined ? mayKeep(argument!, this.origins.types) : !truth)) {
      if (!this.tracked.ownPool && !this.tracked.errorsExit) this.leak('released', node);
      else {
        this.releasedAt ??= node;
        return [withChange(state, { held: 'back' })];
      }
    }
    if (state.held === 'some' && truth === false) this.leak('others', node);
    // What an argument says of an unlock that failed, its author has thought of.
    if (state.held === 'swallowed' && truth === false) this.leak('swallowed', node);
    return [withChange(state, { held: 'gone' })];
  }

  suspend(state: LockState): LockState {
    return state.held === 'doubt' ? withChange(state, { held: 'pending' }) : state;
  }

  resume(state: LockState): LockState {
    return state.held === 'pending' ? withChange(state, { held: 'doubt' }) : state;
  }

  caught(state: LockState): LockState {
    return state.held === 'doubt' ? withChange(state, { held: 'swallowed' }) : state;
  }

  // ---- functions

  isOnce({ right }: TSESTree.ForOfStatement): boolean {
    return this.answer.isRows(right);
  }

  runs(call: TSESTree.CallExpression | TSESTree.NewExpression, body: FunctionNode): 'once' | 'maybe' | 'later' {
    if (isMember(call.callee) && memberName(call.callee) === 'forEach' && this.answer.isRows(call.callee.object)) return 'once';
    const known = runsArguments(call);
    if (known !== 'maybe') return known;
    if (this.rounds.isRun(call, body)) return 'once';
    const name = isMember(call.callee) ? memberName(call.callee) : undefined;
    // The Node-style callback of a statement, or of a connection that is asked for or lent.
    return isFunction(call.arguments.at(-1)) && (isCallbackName(name ?? '') || isLendName(name ?? '')) ? 'once' : 'maybe';
  }

  /** What has become of an unlock that failed is told by what the call gives. */
  kept(call: TSESTree.CallExpression | TSESTree.NewExpression, thrown: LockState): LockState | undefined {
    if (!this.throws.isKept(call)) return undefined;
    return thrown.held === 'doubt' ? withChange(thrown, { held: 'freed' }) : thrown;
  }

  handed(argument: TSESTree.Node, call: TSESTree.CallExpression | TSESTree.NewExpression): FunctionNode | undefined {
    return is(call, 'CallExpression') && isOverElements(call) && is(argument, 'Identifier') ? this.followed(functionOf(argument)) : undefined;
  }

  named(handler: TSESTree.Node): FunctionNode | undefined {
    const node = uncast(handler);
    return is(node, 'Identifier') ? this.followed(functionOf(node)) : undefined;
  }

  mayFail(handler: TSESTree.Node): boolean {
    return this.throws.mayFail(handler);
  }

  isExhaustive(node: TSESTree.SwitchStatement): boolean {
    return isExhaustive(node, this.origins.types);
  }

  passed(node: Round, state: LockState): LockState {
    if (state.held === 'back' && this.tracked.ownPool?.ends.has(node)) return withChange(state, { held: 'gone' });
    // A list that something was put into is not empty.
    if (state.held === 'held' && runsKeptIn(node, this.events, state)) return withChange(state, { held: 'gone' });
    return (state.held === 'held' || state.held === 'some') && this.rounds.isOverKeys(node) ? withChange(state, { held: 'freed' }) : state;
  }

  /** A function of the same file is followed where it frees this lock, gives its connection back, ends the process, or writes what is remembered. */
  entered(call: TSESTree.CallExpression, state?: LockState): FunctionNode | undefined {
    const held = state && this.truths.functionIn(call.callee, state);
    if (held) return this.followed(held as FunctionNode, call);
    if (!this.callees.has(call)) this.callees.set(call, this.events.has(call) || this.tracked.others.has(call) ? undefined : this.callee(call));
    return state && !isTaken(state) && this.chosen.has(call) ? undefined : this.callees.get(call);
  }

  /** Of the functions that a handle may have under one name, `{ release: unlock }` and `{ release: nothing }`, it has the one that frees where there is something to free. */
  private callee(call: TSESTree.CallExpression): FunctionNode | undefined {
    const called = functionsCalled(call, this.origins);
    if (called.length > 1) this.chosen.add(call);
    return called.find((one) => this.followed(one, call));
  }

  bind(call: TSESTree.CallExpression, callee: FunctionNode, state: LockState): LockState {
    return this.truths.bind(call, callee, state);
  }

  /** The unlocks that a node is, or that the function has which it calls. */
  private unlocksAt(node: TSESTree.Node): TSESTree.Node[] {
    if (this.events.get(node)?.kind === 'unlock') return [node];
    const callee = is(node, 'CallExpression') ? this.entered(node) : undefined;
    return callee ? [...walk(callee)].filter((one) => this.events.get(one)?.kind === 'unlock') : [];
  }

  private followed(callee: FunctionNode | undefined, call?: TSESTree.CallExpression | Place): FunctionNode | undefined {
    const { body } = this.tracked;
    if (!callee || callee === body || callee.generator || treeOf(callee) !== treeOf(body)) return undefined;
    if (contains(body, callee)) return [...walk(callee.body)].some((node) => this.events.has(node) || this.tracked.ownPool?.ends.has(node) || this.truths.isRemembering(node)) ? callee : undefined;
    if (contains(callee, body)) return undefined;
    const events = this.tracked.eventsIn(callee, call);
    for (const [node, event] of events) this.events.set(node, event);
    this.guards.push(new EntryGuards(callee, [...events].flatMap(([node, { kind }]) => (kind === 'unlock' ? [node] : [])), this.origins));
    return events.size > 0 ? callee : undefined;
  }

  dispose(declarator: TSESTree.VariableDeclarator, state: LockState): Effect<LockState> | readonly FunctionNode[] | undefined {
    const { init } = declarator;
    if (!init) return undefined;
    if (state.held === 'held' && state.handedOn && isGivenBehind(declarator, this.tracked.takenAt)) return ended(state);
    const { functions, made } = disposalOf(declarator, this.tracked.takenAt, this.origins) ?? {};
    const done = made && functions?.[0] && this.tracked.doneIn?.(functions[0], made);
    if (done) return { normal: done === 'keeps' ? this.release(undefined, declarator, state) : [withChange(state, { held: 'gone' })], thrown: [] };
    if (functions) return functions.flatMap((one) => this.followed(one, made) ?? []);
    // What was given for the lock frees it, in code that is not in view.
    const isLease = this.tracked.takenAt !== undefined && unwrap(init) === this.tracked.takenAt;
    return isLease && state.held === 'held' ? { normal: [withChange(state, { held: 'freed' })], thrown: [] } : undefined;
  }

  isOwn(promise: TSESTree.Node): boolean {
    return this.events.has(unwrap(promise));
  }

  rejects(promise: TSESTree.Node): boolean {
    const node = uncast(promise);
    if (is(node, 'Identifier') && isCarriedOn(node)) return false;
    if (!this.throws.mayReject(node)) return false;
    return is(node, 'CallExpression') || is(node, 'TaggedTemplateExpression') || is(node, 'Identifier') || isMember(node);
  }

  // ---- conditions

  /** Where a lock is held there is a connection: only what is known to be missing is missing. */
  present(node: TSESTree.Node, by: '?.' | '??', state: LockState): boolean | undefined {
    return by === '?.' ? this.truths.truthOf(node, state) !== false : this.truths.presenceOf(node, state);
  }

  test(node: TSESTree.Node, state: LockState): boolean | undefined {
    const known = this.truths.truthOf(node, state);
    const read = this.reading(textOf(node), [node], state);
    return known ?? read;
  }

  /** Which way a condition that is not understood goes, as it is read this time. */
  private reading(text: string, parts: readonly TSESTree.Node[], state: LockState): boolean | undefined {
    if (this.readings.size === 0) this.doubts.noteTest(text, parts, state);
    const reading = this.readings.get(text);
    const taken = this.doubts.takenIn(state);
    return reading === undefined || taken === undefined ? undefined : taken === reading;
  }

  assume(node: TSESTree.Node, outcome: boolean, state: LockState): LockState {
    return this.guarded(node, outcome, this.truths.truthOf(node, state) === undefined, this.truths.assume(node, outcome, state));
  }

  /** Where an unlock depends on what others have left for it, the way past it is that of a lock which was not taken, and the other one proves nothing of a lost one. */
  private guarded(condition: TSESTree.Node, outcome: boolean, isOpen: boolean, state: LockState): LockState {
    if (!isOpen) return state;
    if (state.held === 'held' && this.guards.some((one) => one.passesBy(condition, outcome))) return withChange(state, { held: 'free' });
    return state.answer === false && this.guards.some((one) => one.passesBy(condition, !outcome)) ? withChange(state, { answer: undefined }) : state;
  }

  choose(discriminant: TSESTree.Node, value: TSESTree.Node, isChosen: boolean, state: LockState): LockState | undefined {
    const known = this.truths.choice(discriminant, value, state);
    const read = this.reading(caseText(discriminant, value), [discriminant, value], state);
    const choice = known ?? read;
    if (choice !== undefined && choice !== isChosen) return undefined;
    return this.guarded(discriminant, isChosen, choice === undefined, this.truths.choose(discriminant, value, isChosen, state));
  }
}
