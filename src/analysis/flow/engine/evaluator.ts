import type { TSESTree } from '@typescript-eslint/utils';
import { returnedBy } from '../../values/names.js';
import { is, isFunction, isMember, memberName, uncast, type ClassNode, type FunctionNode } from '../../syntax.js';
import { childrenInOrder, operandsOf } from './children.js';
import { constantTruth, immediateOf, isPromiseChain, isSettledUnread } from '../conditions/constants.js';
import { addAll, addExits, merged, noStates, nothing, statesOf, type Outcome, type State, type States } from './outcome.js';
import type { Round, Transfer } from './transfer.js';

export interface Branches<S extends State> {
  readonly yes: States<S>;
  readonly no: States<S>;
}

type Chain = TSESTree.CallExpression & { callee: TSESTree.MemberExpression };

/** The half of the interpreter that runs expressions: in their order, with their short circuits, calls and conditions. */
export abstract class Evaluator<S extends State> {
  /** States that have left the optional chain around the node that is evaluated. */
  private skipped: States<S> | undefined;
  protected readonly running = new Set<FunctionNode>();
  private readonly rejecting = new Map<FunctionNode, boolean>();

  constructor(protected readonly transfer: Transfer<S>) {}

  protected abstract body(callee: FunctionNode, state: S): Outcome<S>;
  protected abstract statements(nodes: readonly TSESTree.Statement[], states: States<S>, outcome: Outcome<S>): States<S>;

  /** What may hold when a function is done. Its parameters' defaults run first. */
  protected callee(callee: FunctionNode, state: S): Outcome<S> {
    if (callee.params.every((one) => is(one, 'Identifier'))) return this.body(callee, state);
    const outcome = nothing<S>();
    const started = this.inOrder(callee.params, statesOf(state), outcome);
    for (const one of started.values()) {
      const rest = this.body(callee, one);
      addExits(outcome, rest);
      addAll(outcome.normal, rest.normal);
    }
    return outcome;
  }

  protected value(node: TSESTree.Node, state: S): Outcome<S> {
    const outcome = nothing<S>();
    addAll(outcome.normal, this.evaluate(node, statesOf(state), outcome));
    return outcome;
  }

  protected evaluate(node: TSESTree.Node, states: States<S>, outcome: Outcome<S>): States<S> {
    if (states.size === 0 || isFunction(node)) return states;
    switch (node.type as string) {
      case 'LogicalExpression':
        return this.logical(node as TSESTree.LogicalExpression, states, outcome);
      case 'ConditionalExpression': {
        const { test, consequent, alternate } = node as TSESTree.ConditionalExpression;
        const { yes, no } = this.condition(test, states, outcome);
        return merged(this.evaluate(consequent, yes, outcome), this.evaluate(alternate, no, outcome));
      }
      case 'BinaryExpression': {
        const { first, steps } = operandsOf(node as TSESTree.BinaryExpression);
        let now = this.evaluate(first, states, outcome);
        for (const { operator, right } of steps) now = this.effects(operator, this.evaluate(right, now, outcome), outcome);
        return now;
      }
      case 'AssignmentExpression':
        return this.assignment(node as TSESTree.AssignmentExpression, states, outcome);
      case 'AssignmentPattern': {
        const { left, right } = node as TSESTree.AssignmentPattern;
        const filled = merged(states, this.evaluate(right, states, outcome)); // the default runs where the value is missing
        return this.evaluate(left, filled, outcome);
      }
      case 'ChainExpression': {
        const { reached, skipped } = this.chain(node as TSESTree.ChainExpression, states, outcome);
        return merged(reached, skipped);
      }
      case 'MemberExpression': {
        const { object, property, computed, optional } = node as TSESTree.MemberExpression;
        let now = this.reached(object, optional, this.evaluate(object, states, outcome));
        if (computed) now = this.evaluate(property, now, outcome);
        return this.effects(node, now, outcome);
      }
      case 'CallExpression':
        return this.call(node as TSESTree.CallExpression, states, outcome);
      case 'NewExpression':
        return this.construction(node as TSESTree.NewExpression, states, outcome);
      case 'AwaitExpression': {
        const { argument } = node as TSESTree.AwaitExpression;
        const now = this.evaluate(argument, states, outcome);
        return this.isFollowed(argument) ? now : this.effects(node, now, outcome);
      }
      case 'YieldExpression': {
        const { argument } = node as TSESTree.YieldExpression;
        const now = argument ? this.evaluate(argument, states, outcome) : states;
        // Whoever reads the generator may stop here; one that waits for a statement of the lock does not.
        if (!argument || !this.transfer.isOwn(argument)) addAll(outcome.returned, now);
        return this.effects(node, now, outcome);
      }
      case 'ClassDeclaration':
      case 'ClassExpression':
        return this.effects(node, this.classBody(node as ClassNode, states, outcome), outcome);
      case 'TSParameterProperty':
        return this.evaluate((node as TSESTree.TSParameterProperty).parameter, states, outcome);
    }
    if (node.type.startsWith('TS') && !('expression' in node)) return states;
    return this.effects(node, this.inOrder(childrenInOrder(node), states, outcome), outcome);
  }

  protected inOrder(nodes: readonly TSESTree.Node[], states: States<S>, outcome: Outcome<S>): States<S> {
    let now = states;
    for (const node of nodes) now = this.evaluate(node, now, outcome);
    return now;
  }

  protected effects(node: TSESTree.Node, states: States<S>, outcome: Outcome<S>): States<S> {
    const normal: States<S> = new Map();
    for (const state of states.values()) {
      const effect = this.transfer.effect(node, state);
      if (!effect) normal.set(state.key, state);
      for (const one of effect?.normal ?? []) normal.set(one.key, one);
      for (const one of effect?.thrown ?? []) outcome.thrown.set(one.key, one);
    }
    return normal;
  }

  // ---- short circuits

  private logical(node: TSESTree.LogicalExpression, states: States<S>, outcome: Outcome<S>): States<S> {
    const { first, steps } = operandsOf(node);
    const ends: States<S> = new Map();
    let left = first;
    let now = states;
    for (const { operator, right } of steps) {
      if (operator.operator === '??') {
        const { yes, no } = this.presence(left, '??', this.evaluate(left, now, outcome));
        addAll(ends, yes);
        now = no;
      } else {
        const { yes, no } = this.condition(left, now, outcome);
        addAll(ends, operator.operator === '&&' ? no : yes);
        now = operator.operator === '&&' ? yes : no;
      }
      left = right;
    }
    return merged(ends, this.evaluate(left, now, outcome));
  }

  private presence(node: TSESTree.Node, by: '?.' | '??', states: States<S>): Branches<S> {
    const yes: States<S> = new Map();
    const no: States<S> = new Map();
    for (const state of states.values()) {
      const known = this.transfer.present(node, by, state);
      if (known !== false) yes.set(state.key, state);
      if (known !== true) no.set(state.key, state);
    }
    return { yes, no };
  }

  /** `a?.b`: the states that go on along the chain; the others leave it as a whole. */
  private reached(node: TSESTree.Node, optional: boolean, states: States<S>): States<S> {
    if (!optional) return states;
    const { yes, no } = this.presence(node, '?.', states);
    if (this.skipped) addAll(this.skipped, no);
    return yes;
  }

  private chain({ expression }: TSESTree.ChainExpression, states: States<S>, outcome: Outcome<S>): { reached: States<S>; skipped: States<S> } {
    const outer = this.skipped;
    const skipped: States<S> = new Map();
    this.skipped = skipped;
    const reached = this.evaluate(expression, states, outcome);
    this.skipped = outer;
    return { reached, skipped };
  }

  private assignment(node: TSESTree.AssignmentExpression, states: States<S>, outcome: Outcome<S>): States<S> {
    const { left, right, operator } = node;
    if (operator === '&&=' || operator === '||=' || operator === '??=') {
      const { yes, no } = operator === '??=' ? this.presence(left, '??', this.evaluate(left, states, outcome)) : this.condition(left, states, outcome);
      const [goesOn, ends] = operator === '&&=' ? [yes, no] : [no, yes];
      return merged(ends, this.effects(node, this.evaluate(right, goesOn, outcome), outcome));
    }
    const target = uncast(left);
    const isPattern = is(target, 'ObjectPattern') || is(target, 'ArrayPattern');
    // The object of `a().b = c()` is made before the value; a pattern is filled after it.
    let now = isMember(target) ? this.inOrder([target.object, ...(target.computed ? [target.property] : [])], states, outcome) : states;
    now = this.evaluate(right, now, outcome);
    if (isPattern) now = this.evaluate(target, now, outcome);
    return this.effects(node, now, outcome);
  }

  // ---- calls

  /** Whether what awaiting an expression may throw was thrown already, as its parts were followed. */
  private isFollowed(node: TSESTree.Node): boolean {
    const at = uncast(node);
    return is(at, 'CallExpression') && (isPromiseChain(at) || immediateOf(at) !== undefined || this.transfer.entered(at) !== undefined);
  }

  private call(node: TSESTree.CallExpression, states: States<S>, outcome: Outcome<S>): States<S> {
    if (isPromiseChain(node)) return this.promiseChain(node, states, outcome);
    const immediate = immediateOf(node);
    if (immediate) {
      const now = this.inOrder(node.arguments, states, outcome);
      return immediate.generator ? now : this.awaited(immediate, now, outcome);
    }
    let now = this.reached(node.callee, node.optional, this.evaluate(node.callee, states, outcome));
    if (isSettledUnread(node)) return this.settledUnread(node, now, outcome);
    now = this.inOrder(node.arguments, now, outcome);
    return this.entered(node, now, outcome) ?? this.callbacks(node, this.effects(node, now, outcome), outcome);
  }

  /** What fails there is caught, and nobody looks at it. */
  private settledUnread(node: TSESTree.CallExpression, states: States<S>, outcome: Outcome<S>): States<S> {
    const inner = { ...outcome, thrown: noStates<S>() };
    const now = this.inOrder(node.arguments, states, inner);
    return this.callbacks(node, merged(now, this.caught(inner.thrown)), outcome);
  }

  /** Runs the function that is called, where it is in view: a variable may hold another one in each state. */
  private entered(node: TSESTree.CallExpression, states: States<S>, outcome: Outcome<S>): States<S> | undefined {
    const groups = new Map<FunctionNode | undefined, States<S>>();
    for (const state of states.values()) {
      const entered = this.transfer.entered(node, state);
      const begun = entered ? this.transfer.bind(node, entered, state) : state;
      groups.set(entered, (groups.get(entered) ?? new Map<string, S>()).set(begun.key, begun));
    }
    if (![...groups.keys()].some((one) => one !== undefined)) return undefined;
    const after: States<S> = new Map();
    for (const [entered, group] of groups) addAll(after, entered ? this.awaited(entered, group, outcome) : this.effects(node, group, outcome));
    return after;
  }

  private construction(node: TSESTree.NewExpression, states: States<S>, outcome: Outcome<S>): States<S> {
    const now = this.inOrder([node.callee, ...node.arguments], states, outcome);
    return this.callbacks(node, this.effects(node, now, outcome), outcome);
  }

  /** The functions that a call gets. What may run any number of times is run until nothing new comes of it. */
  private callbacks(node: TSESTree.CallExpression | TSESTree.NewExpression, states: States<S>, outcome: Outcome<S>): States<S> {
    let now = states;
    for (const argument of node.arguments) {
      const body = isFunction(argument) ? argument : this.transfer.handed(argument, node);
      if (!body || now.size === 0) continue;
      const runs = this.transfer.runs(node, body);
      if (runs === 'later' || body.generator) continue;
      if (runs === 'once') now = this.handedOver(node, body, now, outcome);
      else for (let size = -1; size !== now.size;) {
        size = now.size;
        now = merged(now, this.handedOver(node, body, now, outcome));
      }
      now = this.passed(node, now);
    }
    return now;
  }

  /** Runs a function that a call gets. The call may keep its errors to itself. */
  private handedOver(node: TSESTree.CallExpression | TSESTree.NewExpression, body: FunctionNode, states: States<S>, outcome: Outcome<S>): States<S> {
    const inner = nothing<S>();
    const normal = this.callback(body, states, inner);
    for (const state of inner.thrown.values()) {
      const kept = this.transfer.kept(node, state);
      addAll(kept ? normal : outcome.thrown, statesOf(kept ?? state));
    }
    return normal;
  }

  protected passed(node: Round, states: States<S>): States<S> {
    return statesOf(...[...states.values()].map((state) => this.transfer.passed(node, state)));
  }

  /** A function that is called here: what it returns normally goes on. A function that calls itself is not followed again. */
  protected callback(body: FunctionNode, states: States<S>, outcome: Outcome<S>): States<S> {
    if (this.running.has(body)) return states;
    this.running.add(body);
    const normal: States<S> = new Map();
    for (const state of states.values()) {
      const one = this.callee(body, state);
      addAll(outcome.thrown, one.thrown);
      addAll(normal, one.normal);
      addAll(normal, one.returned);
    }
    this.running.delete(body);
    return normal;
  }

  /** The same, and what it returns is waited for: that may reject, when no `try` of the function is around it any more. */
  private awaited(body: FunctionNode, states: States<S>, outcome: Outcome<S>): States<S> {
    const normal = this.callback(body, states, outcome);
    if (this.returnsRejecting(body)) addAll(outcome.thrown, normal);
    return normal;
  }

  private returnsRejecting(body: FunctionNode): boolean {
    let known = this.rejecting.get(body);
    if (known === undefined) this.rejecting.set(body, known = returnedBy(body).some((one) => !is(one, 'AwaitExpression') && !this.isFollowed(one) && this.transfer.rejects(one)));
    return known;
  }

  /** `p.then(f, g)`, `p.catch(g)`, `p.finally(f)`: as `try` would have it. */
  private promiseChain(node: Chain, states: States<S>, outcome: Outcome<S>): States<S> {
    const { object, optional } = node.callee;
    const settled = nothing<S>();
    const resolved = this.reached(object, optional, this.evaluate(object, states, settled));
    addAll(outcome.returned, settled.returned);
    if (!this.isFollowed(object) && this.transfer.rejects(object)) addAll(settled.thrown, resolved);
    const run = (handler: TSESTree.Node | undefined, from: States<S>): States<S> => {
      const body = isFunction(handler) ? handler : handler && this.transfer.named(handler);
      return body ? this.awaited(body, from, outcome) : this.effects(node, from, outcome);
    };
    const [first, second] = node.arguments.map((one) => (constantTruth(one) === false ? undefined : one));
    const name = memberName(node.callee);
    if (name === 'finally') {
      const suspended = statesOf(...[...settled.thrown.values()].map((state) => this.transfer.suspend(state)));
      for (const state of run(first, suspended).values()) addAll(outcome.thrown, statesOf(this.transfer.resume(state)));
      return run(first, resolved);
    }
    const [onResolved, onRejected] = name === 'then' ? [first, second] : [undefined, first];
    const after = onResolved ? run(onResolved, resolved) : resolved;
    if (onResolved && !isFunction(onResolved) && this.transfer.mayFail(onResolved)) addAll(outcome.thrown, after);
    if (onRejected) return merged(after, run(onRejected, this.caught(settled.thrown)));
    addAll(outcome.thrown, settled.thrown);
    return after;
  }

  protected caught(thrown: States<S>): States<S> {
    return statesOf(...[...thrown.values()].map((state) => this.transfer.caught(state)));
  }

  /** What runs as a class is made: its heritage, computed names, static fields and static blocks. */
  private classBody({ superClass, body }: ClassNode, states: States<S>, outcome: Outcome<S>): States<S> {
    let now = superClass ? this.evaluate(superClass, states, outcome) : states;
    for (const one of body.body) if ('computed' in one && one.computed) now = this.evaluate(one.key, now, outcome);
    for (const one of body.body) {
      if (is(one, 'StaticBlock')) now = this.statements(one.body, now, outcome);
      else if ((is(one, 'PropertyDefinition') || is(one, 'AccessorProperty')) && one.static && one.value) now = this.evaluate(one.value, now, outcome);
    }
    return now;
  }

  // ---- conditions

  protected condition(test: TSESTree.Node, states: States<S>, outcome: Outcome<S>): Branches<S> {
    const node = uncast(test);
    if (states.size === 0) return { yes: states, no: states };
    if (is(node, 'UnaryExpression') && node.operator === '!') {
      const { yes, no } = this.condition(node.argument, states, outcome);
      return { yes: no, no: yes };
    }
    if (is(node, 'LogicalExpression') && node.operator !== '??') return this.logicalCondition(node, states, outcome);
    if (is(node, 'ConditionalExpression')) {
      const { yes, no } = this.condition(node.test, states, outcome);
      const [one, other] = [this.condition(node.consequent, yes, outcome), this.condition(node.alternate, no, outcome)];
      return { yes: merged(one.yes, other.yes), no: merged(one.no, other.no) };
    }
    if (is(node, 'SequenceExpression')) {
      return this.condition(node.expressions.at(-1)!, this.inOrder(node.expressions.slice(0, -1), states, outcome), outcome);
    }
    const { reached, skipped } = is(node.parent, 'ChainExpression')
      ? this.chain(node.parent, states, outcome)
      : { reached: this.evaluate(node, states, outcome), skipped: noStates<S>() };
    const decided = this.decided(node, reached);
    for (const state of skipped.values()) addAll(decided.no, statesOf(this.transfer.assume(node, false, state)));
    return decided;
  }

  private decided(node: TSESTree.Node, states: States<S>): Branches<S> {
    const yes: States<S> = new Map();
    const no: States<S> = new Map();
    const constant = constantTruth(node);
    for (const state of states.values()) {
      const known = constant ?? this.transfer.test(node, state);
      for (const [way, into] of [[true, yes], [false, no]] as const) {
        if (known !== undefined && known !== way) continue;
        const assumed = this.transfer.assume(node, way, state);
        into.set(assumed.key, assumed);
      }
    }
    return { yes, no };
  }

  private logicalCondition(node: TSESTree.LogicalExpression, states: States<S>, outcome: Outcome<S>): Branches<S> {
    const isAnd = node.operator === '&&';
    const { first, steps } = operandsOf(node);
    const ends: States<S> = new Map();
    let now = states;
    for (const operand of [first, ...steps.map(({ right }) => right)]) {
      const { yes, no } = this.condition(operand, now, outcome);
      addAll(ends, isAnd ? no : yes);
      now = isAnd ? yes : no;
    }
    return isAnd ? { yes: now, no: ends } : { yes: ends, no: now };
  }
}
