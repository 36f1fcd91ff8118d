import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { isCallbackName, isReleaseName } from '../../drivers/index.js';
import { sourceOf } from '../../types/index.js';
import { placesOf } from '../makers.js';
import { variableOf } from '../names.js';
import type { Origins } from '../origins.js';
import { isNullish, type Origin } from '../origin.js';
import { contains, is, isFunction, isMember, memberName, uncast, unwrap, walk } from '../syntax.js';
import { Interpreter } from './interpreter.js';
import type { LockEvent, Tracked } from './lock-events.js';
import { lockState, withChange, withFlag, type LockState } from './lock-state.js';
import { canThrow, runsArguments } from './throwing.js';
import type { Effect, Transfer } from './transfer.js';

/** A way on which a lock stays behind. */
export interface Leak {
  /** `released`: the connection goes back with it; `swallowed`: after an unlock whose error was caught; else the way out. */
  readonly kind: 'released' | 'swallowed' | 'returned' | 'thrown' | 'ended';
  /** The release, for the first two. */
  readonly at: TSESTree.Node | undefined;
}

export interface Held {
  readonly leaks: readonly Leak[];
  /** Unlocks that run on a path on which the try-lock was lost. */
  readonly lostUnlocks: ReadonlySet<TSESTree.Node>;
}

const MAX_FLAGS = 6;

/** Follows one lock through one function. */
export class HeldLock implements Transfer<LockState> {
  private readonly leaks = new Map<string, Leak>();
  private readonly lostUnlocks = new Set<TSESTree.Node>();
  private readonly flags: ReadonlySet<Scope.Variable>;
  /** Conditions without calls that are asked more than once: `mode === 'shared'`. */
  private readonly repeated: ReadonlySet<string>;
  private sawOpaqueTest = false;

  private constructor(private readonly tracked: Tracked, private readonly events: ReadonlyMap<TSESTree.Node, LockEvent>, private readonly origins: Origins, private readonly polarity: boolean) {
    this.flags = this.rememberingVariables();
    this.repeated = repeatedConditions(tracked.body);
  }

  static follow(tracked: Tracked, events: ReadonlyMap<TSESTree.Node, LockEvent>, origins: Origins): Held {
    const one = new HeldLock(tracked, events, origins, true);
    const first = one.run();
    if (!one.sawOpaqueTest) return first;
    // The answer goes into a test that is not understood: only what is wrong whichever way it reads it is wrong.
    const second = new HeldLock(tracked, events, origins, false).run();
    return {
      leaks: first.leaks.filter((leak) => second.leaks.some((other) => other.kind === leak.kind && other.at === leak.at)),
      lostUnlocks: new Set([...first.lostUnlocks].filter((node) => second.lostUnlocks.has(node))),
    };
  }

  private run(): Held {
    const start = lockState({ held: this.tracked.takenAt ? 'free' : 'held', answer: undefined, handedOn: false, flags: new Map() });
    const { normal, returned, thrown } = new Interpreter<LockState>(this).run(this.tracked.body, start);
    for (const [kind, states] of [['ended', normal], ['returned', returned], ['thrown', thrown]] as const) {
      if ([...states.values()].some((state) => state.held === 'held' && !state.handedOn)) this.leak(kind, undefined);
    }
    return { leaks: [...this.leaks.values()], lostUnlocks: this.lostUnlocks };
  }

  private leak(kind: Leak['kind'], at: TSESTree.Node | undefined): void {
    this.leaks.set(`${kind} ${at?.range[0] ?? ''}`, { kind, at });
  }

  // ---- what nodes do

  effect(node: TSESTree.Node, state: LockState): Effect<LockState> | undefined {
    if (is(node, 'ThrowStatement')) return state.held === 'swallowed' ? { normal: [withChange(state, { held: 'doubt' })], thrown: [] } : undefined;
    const event = this.events.get(node);
    if (event) return this.happen(event, node, state);
    const remembered = this.remember(node, state);
    if (remembered) return { normal: [remembered], thrown: [] };
    if (!canThrow(node) || this.isQuiet(node) || (is(node, 'AwaitExpression') && this.events.has(unwrap(node.argument))) || this.isPartOfStatement(node)) return undefined;
    return { normal: [state], thrown: [state] };
  }

  /** A call that gives a promise fails where that is awaited; a function of the user's own fails where something in it may. */
  private isQuiet(node: TSESTree.Node): boolean {
    if (!is(node, 'CallExpression') && !is(node, 'TaggedTemplateExpression')) return false;
    const facts = this.origins.types.typeOf(node);
    if (facts && !facts.isAny && facts.isAwaitable) return true;
    // Giving a connection back or closing it fails, if at all, where that is awaited.
    if (is(node, 'CallExpression') && isMember(node.callee) && isReleaseName(memberName(node.callee) ?? '')) return true;
    const entered = is(node, 'CallExpression') ? this.origins.calleeOf(node, undefined) : undefined;
    return entered !== undefined && !entered.callee.async && ![...walk(entered.callee.body, isFunction)].some((one) => canThrow(one) || is(one, 'ThrowStatement'));
  }

  /** Making the key or the text of the lock statement itself is not the work that may fail. */
  private isPartOfStatement(node: TSESTree.Node): boolean {
    const { takenAt, freedAt } = this.tracked;
    return (takenAt !== undefined && contains(takenAt, node)) || [...freedAt.keys()].some((one) => contains(one, node));
  }

  private happen(event: LockEvent, node: TSESTree.Node, state: LockState): Effect<LockState> {
    switch (event.kind) {
      case 'acquire':
        return { normal: [withChange(state, { held: 'held', answer: undefined })], thrown: [state] };
      case 'try': {
        // Where the answer comes to a callback, the code there looks at it in its own ways.
        if (this.tracked.acquire?.call.takesCallback) return { normal: [withChange(state, { held: 'held' })], thrown: [state] };
        const lost = state.held === 'held' ? state : withChange(state, { answer: false });
        return { normal: [withChange(state, { held: 'held', answer: true }), lost], thrown: [state] };
      }
      case 'unlock':
        if (state.answer === false && state.held === 'free') this.lostUnlocks.add(node);
        return { normal: [state.held === 'gone' ? state : withChange(state, { held: 'free' })], thrown: [state.held === 'held' ? withChange(state, { held: 'doubt' }) : state] };
      case 'release':
        return { normal: this.release(event.argument, node, state), thrown: [] };
      case 'destroy':
        return { normal: [withChange(state, { held: 'gone' })], thrown: [withChange(state, { held: 'gone' })] };
      case 'handOn': {
        const handed = withChange(state, { handedOn: true });
        return { normal: [this.remember(node, handed) ?? handed], thrown: [] };
      }
      case 'exit':
        return { normal: [], thrown: [] };
    }
  }

  private release(argument: TSESTree.Node | undefined, node: TSESTree.Node, state: LockState): LockState[] {
    const truth = argument === undefined ? false : this.truthOf(argument, state);
    const keeps = truth === undefined ? this.mayKeep(argument!) : !truth;
    if (keeps && state.held === 'held') this.leak('released', node);
    if (keeps && state.held === 'swallowed') this.leak('swallowed', node);
    return [withChange(state, { held: 'gone' })];
  }

  /** `release(error)`: an error is always truthy; what may be `undefined` may keep the session. */
  private mayKeep(argument: TSESTree.Node): boolean {
    const facts = this.origins.types.typeOf(argument);
    if (!facts || facts.isAny) return false;
    return facts.nullable || facts.alternatives.some((one) => one.literal === false);
  }

  suspend(state: LockState): LockState {
    return state.held === 'doubt' ? withChange(state, { held: 'pending' }) : state;
  }

  resume(state: LockState): LockState {
    return state.held === 'pending' ? withChange(state, { held: 'doubt' }) : state;
  }

  runs(call: TSESTree.CallExpression | TSESTree.NewExpression): 'once' | 'maybe' | 'later' {
    const known = runsArguments(call);
    if (known !== 'maybe') return known;
    const name = isMember(call.callee) ? memberName(call.callee) : undefined;
    // The Node-style callback of a statement, or of a connection that is asked for.
    return isFunction(call.arguments.at(-1)) && isCallbackName(name ?? '') ? 'once' : 'maybe';
  }

  caught(state: LockState): LockState {
    return state.held === 'doubt' ? withChange(state, { held: 'swallowed' }) : state;
  }

  dispose(): Effect<LockState> | undefined {
    return undefined;
  }

  entered(): undefined {
    return undefined;
  }

  rejects(promise: TSESTree.Node): boolean {
    const node = unwrap(promise);
    return !this.events.has(node) && !this.isPartOfStatement(node);
  }

  /** Where a lock is held there is a connection: only what is known to be missing is missing. */
  present(node: TSESTree.Node, by: '?.' | '??', state: LockState): boolean | undefined {
    const truth = this.truthOf(node, state);
    return by === '?.' ? truth !== false : truth === true ? true : undefined;
  }

  // ---- variables that remember

  /** Variables that are tested and get a constant, or the answer, somewhere in the function. */
  private rememberingVariables(): Set<Scope.Variable> {
    const found = new Set<Scope.Variable>();
    for (const node of walk(this.tracked.body)) {
      const { target, value } = written(node);
      if (!target || found.size >= MAX_FLAGS) continue;
      const variable = variableOf(target);
      if (variable && (value === undefined || isConstant(value) || this.isAnswer(value))) found.add(variable);
    }
    return found;
  }

  private remember(node: TSESTree.Node, state: LockState): LockState | undefined {
    const { target, value } = written(node);
    const variable = target && variableOf(target);
    if (!variable || !this.flags.has(variable)) return undefined;
    return withFlag(state, keyOf(variable), value === undefined ? false : this.truthOf(value, state));
  }

  // ---- conditions

  test(node: TSESTree.Node, state: LockState): boolean | undefined {
    const known = this.truthOf(node, state);
    if (known !== undefined || state.answer === undefined || !this.isOpaque(node)) return known;
    this.sawOpaqueTest = true;
    return state.answer === this.polarity;
  }

  assume(node: TSESTree.Node, outcome: boolean, state: LockState): LockState {
    const variable = is(node, 'Identifier') ? variableOf(node) : undefined;
    if (variable && this.flags.has(variable)) return withFlag(state, keyOf(variable), outcome);
    const asked = textOf(node);
    return this.repeated.has(asked) ? withFlag(state, asked, outcome) : state;
  }

  choose(discriminant: TSESTree.Node, value: TSESTree.Node, isChosen: boolean, state: LockState): LockState | undefined {
    const asked = caseText(discriminant, value);
    const known = state.flags.get(asked);
    if (known !== undefined && known !== isChosen) return undefined;
    return this.repeated.has(asked) ? withFlag(state, asked, isChosen) : state;
  }

  private truthOf(value: TSESTree.Node, state: LockState): boolean | undefined {
    const node = uncast(value);
    if (is(node, 'Literal')) return Boolean(node.value);
    if (is(node, 'Identifier') && node.name === 'undefined') return false;
    const asked = state.flags.get(textOf(node));
    if (asked !== undefined) return asked;
    if (is(node, 'UnaryExpression') && node.operator === '!') return negated(this.truthOf(node.argument, state));
    if (is(node, 'AssignmentExpression')) return this.truthOf(node.right, state);
    if (isFunction(node) || is(node, 'NewExpression') || is(node, 'ObjectExpression') || is(node, 'ArrayExpression')) return true;
    if (is(node, 'BinaryExpression')) return this.comparison(node, state);
    if (is(node, 'CallExpression') && is(node.callee, 'Identifier') && node.callee.name === 'Boolean' && node.arguments[0]) return this.truthOf(node.arguments[0], state);
    if (is(node, 'LogicalExpression')) return this.logical(node, state);
    const variable = is(node, 'Identifier') ? variableOf(node) : undefined;
    if (variable?.defs[0]?.type === 'CatchClause' as never) return true; // nobody throws `undefined`
    const flag = variable && state.flags.get(keyOf(variable));
    if (flag !== undefined) return flag;
    if (state.answer !== undefined && this.isAnswer(node)) return state.answer;
    return placesOf(this.tracked.makers).includes(unwrap(node)) ? true : undefined;
  }

  private logical({ operator, left, right }: TSESTree.LogicalExpression, state: LockState): boolean | undefined {
    const [one, other] = [this.truthOf(left, state), this.truthOf(right, state)];
    if (operator === '&&') return one === false || other === false ? false : one === true && other === true ? true : undefined;
    if (operator === '||') return one === true || other === true ? true : one === false && other === false ? false : undefined;
    return this.isAnswer(left) ? one : undefined;
  }

  /** `locked === true`, `locked !== false`, `client == null`, `rowCount === 1`, `rows.length > 0`. */
  private comparison({ operator, left, right }: TSESTree.BinaryExpression, state: LockState): boolean | undefined {
    const literal = uncast(right);
    const isEqual = operator === '===' || operator === '==';
    const isUnequal = operator === '!==' || operator === '!=';
    const truth = this.truthOf(left, state);
    if (truth === undefined) return undefined;
    if (is(literal, 'Literal') && typeof literal.value === 'number') {
      const asksForOne = (isEqual || operator === '>=') && literal.value === 1 || ((operator === '>' || isUnequal) && literal.value === 0);
      const asksForNone = (isEqual && literal.value === 0) || (operator === '<' && literal.value === 1);
      return asksForOne ? truth : asksForNone ? !truth : undefined;
    }
    const isNone = (is(literal, 'Literal') && literal.value === null) || (is(literal, 'Identifier') && literal.name === 'undefined');
    if (!isEqual && !isUnequal) return undefined;
    const expected = isNone ? false : is(literal, 'Literal') && typeof literal.value === 'boolean' ? literal.value : undefined;
    return expected === undefined ? undefined : (truth === expected) === isEqual;
  }

  // ---- the answer

  private answerPaths(node: TSESTree.Node): (readonly string[])[] {
    const call = this.tracked.acquire?.call;
    if (!call) return [];
    const at = unwrap(node);
    if (!is(at, 'Identifier') && !isMember(at) && !is(at, 'CallExpression')) return [];
    return this.origins.of({ node: at, frame: undefined }).filter((one) => !isNullish(one)).flatMap((one) => {
      const path = pathFrom(one, new Set<TSESTree.Node>([call.node, ...(call.inner ? [call.inner] : [])]));
      return path ? [path] : [];
    });
  }

  /** Whether an expression is the boolean that the try-lock answered, or the presence of the row that says so. */
  private isAnswer(node: TSESTree.Node): boolean {
    const { lock, call } = this.tracked.acquire ?? {};
    if (!lock || !call) return false;
    return this.answerPaths(node).some((path) => {
      const last = path.at(-1);
      if (lock.answer.kind === 'row') return last === '0' || last === 'length' || call.result.counts.includes(last ?? '');
      return last !== undefined && (lock.answer.kind !== 'column' || last === lock.answer.name || (call.result.arrayRows && path.length > 1) || (call.holds === 'boolean' && path.length === 0));
    });
  }

  /** The call of a helper that takes the lock, or a variable that has what it gave. */
  private isTaking(node: TSESTree.Node): boolean {
    const { takenAt, acquire } = this.tracked;
    if (!takenAt || takenAt === acquire?.call.node) return false;
    if (unwrap(node) === takenAt) return true;
    const init = is(node, 'Identifier') ? variableOf(node)?.defs[0]?.node as TSESTree.Node | undefined : undefined;
    return is(init, 'VariableDeclarator') && !!init.init && unwrap(init.init) === takenAt;
  }

  private isOpaque(test: TSESTree.Node): boolean {
    return [...walk(test)].some((node) => this.isTaking(node) || ((is(node, 'Identifier') || isMember(node) || is(node, 'CallExpression')) && this.answerPaths(node).length > 0));
  }
}

function pathFrom(origin: Origin, calls: ReadonlySet<TSESTree.Node>): string[] | undefined {
  if (origin.kind === 'value') return calls.has(origin.node) ? [] : undefined;
  const path = origin.kind === 'member' ? pathFrom(origin.object, calls) : undefined;
  return path && [...path, String((origin as { name: string | number }).name)];
}

/** The variable that a node writes as a whole, and what it writes: `undefined` for `let x;`. */
function written(node: TSESTree.Node): { target?: TSESTree.Identifier; value?: TSESTree.Node } {
  if (is(node, 'VariableDeclarator') && is(node.id, 'Identifier')) return node.init ? { target: node.id, value: node.init } : { target: node.id };
  if (is(node, 'AssignmentExpression') && is(node.left, 'Identifier') && node.operator === '=') return { target: node.left, value: node.right };
  return {};
}

const isConstant = (value: TSESTree.Node): boolean => {
  const node = uncast(value);
  return (is(node, 'Literal') && (typeof node.value === 'boolean' || node.value === null)) || (is(node, 'Identifier') && node.name === 'undefined');
};

const keyOf = (variable: Scope.Variable): string => `at ${variable.identifiers[0]?.range[0] ?? variable.name}`;

const textOf = (node: TSESTree.Node): string => `asked ${sourceOf(node)}`;

/** `case 'read'` of `switch (mode)` asks `mode === 'read'`. */
const caseText = (discriminant: TSESTree.Node, value: TSESTree.Node): string => `asked ${sourceOf(discriminant)} === ${sourceOf(value)}`;

/** The conditions of a function that are asked again, as far as nothing in them can change between. */
function repeatedConditions(body: TSESTree.Node): Set<string> {
  const seen = new Set<string>();
  const again = new Set<string>();
  const add = (text: string): void => {
    if (seen.has(text) && again.size < MAX_FLAGS) again.add(text);
    seen.add(text);
  };
  for (const node of walk(body)) {
    if (is(node, 'SwitchStatement') && isSteady(node.discriminant)) for (const { test } of node.cases) if (test) add(caseText(node.discriminant, test));
    const test = is(node, 'IfStatement') || is(node, 'ConditionalExpression') ? node.test : undefined;
    for (const part of test ? walk(test, isFunction) : []) {
      if (isSteady(part)) add(textOf(uncast(part)));
    }
  }
  return again;
}

/** A name that is written once, a comparison of it with a constant. */
function isSteady(node: TSESTree.Node): boolean {
  if (is(node, 'BinaryExpression')) return isSteady(node.left) && (is(node.right, 'Literal') || isSteady(node.right));
  if (!is(node, 'Identifier')) return false;
  const variable = variableOf(node);
  return variable !== undefined && variable.references.filter((one) => one.isWrite() && !one.init).length === 0;
}

const negated = (value: boolean | undefined): boolean | undefined => (value === undefined ? undefined : !value);

