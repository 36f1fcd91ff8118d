import type { TSESTree } from '@typescript-eslint/utils';
import { is, isFunction, isMember, memberName, uncast, type FunctionNode } from '../syntax.js';
import { childrenInOrder } from './children.js';
import { addAll, addExits, merged, noStates, nothing, statesOf, type Outcome, type State, type States } from './outcome.js';
import type { Transfer } from './transfer.js';

interface Branches<S extends State> {
  readonly yes: States<S>;
  readonly no: States<S>;
}

/**
 * Runs a function's code over states instead of values: each statement gives, for a state that enters it, every state that may leave
 * it and how. Exact about `try`, `finally`, `return`, `break` and the rest, since it follows the syntax. Each node is run once for
 * each state, so that the work grows with the size of the function and not with its nesting.
 */
export class Interpreter<S extends State> {
  private readonly known = new Map<TSESTree.Node, Map<string, Outcome<S>>>();

  constructor(private readonly transfer: Transfer<S>) {}

  /** What may hold at the end of a function. */
  run(callee: FunctionNode | TSESTree.Program, state: S): Outcome<S> {
    if (is(callee, 'Program')) return this.sequence(callee.body, statesOf(state));
    return is(callee.body, 'BlockStatement') ? this.statement(callee.body, state) : this.value(callee.body, state);
  }

  // ---- statements

  private statement(node: TSESTree.Node, state: S, label = ''): Outcome<S> {
    let byState = this.known.get(node);
    if (!byState) this.known.set(node, byState = new Map<string, Outcome<S>>());
    const known = byState.get(state.key);
    if (known) return known;
    byState.set(state.key, nothing<S>()); // a node that is reached again from within adds nothing new
    const found = this.execute(node, state, label);
    byState.set(state.key, found);
    return found;
  }

  private each(node: TSESTree.Node, states: States<S>, into: Outcome<S>, label?: string): void {
    for (const state of states.values()) {
      const one = this.statement(node, state, label);
      addExits(into, one);
      addAll(into.normal, one.normal);
    }
  }

  private sequence(nodes: readonly TSESTree.Node[], start: States<S>): Outcome<S> {
    const outcome = nothing<S>();
    let states = start;
    for (const node of nodes) {
      if (states.size === 0) break;
      const step = nothing<S>();
      this.each(node, states, step);
      addExits(outcome, step);
      states = step.normal;
    }
    addAll(outcome.normal, states);
    return outcome;
  }

  private execute(node: TSESTree.Node, state: S, label: string): Outcome<S> {
    if (is(node, 'BlockStatement') || is(node, 'StaticBlock')) return this.block(node.body, state);
    if (is(node, 'IfStatement')) return this.choice(node.test, node.consequent, node.alternate, state);
    if (is(node, 'TryStatement')) return this.tryStatement(node, state);
    if (is(node, 'LabeledStatement')) return this.labeled(node, state);
    if (is(node, 'SwitchStatement')) return this.switchStatement(node, state);
    if (is(node, 'WhileStatement')) return this.loop(state, label, { test: node.test, body: node.body });
    if (is(node, 'DoWhileStatement')) return this.loop(state, label, { test: node.test, body: node.body, isBodyFirst: true });
    if (is(node, 'ForStatement')) return this.loop(state, label, { init: node.init, test: node.test, update: node.update, body: node.body });
    if (is(node, 'ForOfStatement') || is(node, 'ForInStatement')) return this.loop(state, label, { init: node.right, body: node.body, isEach: true });
    return this.leaf(node, state);
  }

  private leaf(node: TSESTree.Node, state: S): Outcome<S> {
    const outcome = nothing<S>();
    if (isFunction(node)) {
      outcome.normal.set(state.key, state);
      return outcome;
    }
    if (is(node, 'BreakStatement') || is(node, 'ContinueStatement')) {
      (is(node, 'BreakStatement') ? outcome.broken : outcome.continued).set(node.label?.name ?? '', statesOf(state));
      return outcome;
    }
    const argument = is(node, 'ReturnStatement') || is(node, 'ThrowStatement') ? node.argument : undefined;
    const value = argument ? this.value(argument, state) : is(node, 'ReturnStatement') ? this.done(state) : this.value(node, state);
    addExits(outcome, value);
    if (is(node, 'ReturnStatement')) addAll(outcome.returned, this.effects(node, value.normal, outcome));
    else if (is(node, 'ThrowStatement')) addAll(outcome.thrown, this.effects(node, value.normal, outcome));
    else addAll(outcome.normal, value.normal);
    return outcome;
  }

  private done(state: S): Outcome<S> {
    return { ...nothing<S>(), normal: statesOf(state) };
  }

  private block(body: readonly TSESTree.Statement[], state: S): Outcome<S> {
    const inner = this.sequence(body, statesOf(state));
    const disposed = body.flatMap((one) => (is(one, 'VariableDeclaration') && /using/.test(one.kind) ? one.declarations : [])).toReversed();
    return disposed.reduce((outcome, one) => this.through(outcome, (before) => {
      const effect = this.transfer.dispose(one, before);
      return effect ? { ...nothing<S>(), normal: statesOf(...effect.normal), thrown: statesOf(...effect.thrown) } : this.done(before);
    }), inner);
  }

  /** Code that runs on every way out: each way goes on as it was, unless that code leaves in its own way. */
  private through(outcome: Outcome<S>, run: (state: S) => Outcome<S>, isFinally = false): Outcome<S> {
    const result = nothing<S>();
    const pass = (states: States<S>, isSuspended = false): States<S> => {
      const normal: States<S> = new Map();
      for (const state of states.values()) {
        const one = run(isSuspended ? this.transfer.suspend(state) : state);
        addExits(result, one);
        for (const after of one.normal.values()) {
          const resumed = isSuspended ? this.transfer.resume(after) : after;
          normal.set(resumed.key, resumed);
        }
      }
      return normal;
    };
    const passLabelled = (from: Map<string, States<S>>, to: Map<string, States<S>>): void => {
      for (const [label, states] of from) {
        const passed = pass(states);
        const known = to.get(label);
        if (known) addAll(known, passed);
        else to.set(label, passed);
      }
    };
    addAll(result.normal, pass(outcome.normal));
    addAll(result.thrown, pass(outcome.thrown, isFinally));
    addAll(result.returned, pass(outcome.returned));
    passLabelled(outcome.broken, result.broken);
    passLabelled(outcome.continued, result.continued);
    return result;
  }

  private tryStatement({ block, handler, finalizer }: TSESTree.TryStatement, state: S): Outcome<S> {
    let outcome = this.statement(block, state);
    if (handler) {
      const caught = { ...nothing<S>() };
      addExits(caught, { ...outcome, thrown: noStates<S>() });
      addAll(caught.normal, outcome.normal);
      this.each(handler.body, this.caught(outcome.thrown), caught);
      outcome = caught;
    }
    return finalizer ? this.through(outcome, (before) => this.statement(finalizer, before), true) : outcome;
  }

  private caught(thrown: States<S>): States<S> {
    return statesOf(...[...thrown.values()].map((state) => this.transfer.caught(state)));
  }

  private choice(test: TSESTree.Node, consequent: TSESTree.Node, alternate: TSESTree.Node | null, state: S): Outcome<S> {
    const outcome = nothing<S>();
    const { yes, no } = this.condition(test, statesOf(state), outcome);
    this.each(consequent, yes, outcome);
    if (alternate) this.each(alternate, no, outcome);
    else addAll(outcome.normal, no);
    return outcome;
  }

  private labeled(node: TSESTree.LabeledStatement, state: S): Outcome<S> {
    const inner = this.statement(node.body, state, node.label.name);
    const outcome = nothing<S>();
    const broken = new Map(inner.broken);
    addAll(outcome.normal, inner.normal);
    addAll(outcome.normal, broken.get(node.label.name) ?? noStates<S>());
    broken.delete(node.label.name);
    addExits(outcome, { ...inner, broken });
    return outcome;
  }

  private switchStatement(node: TSESTree.SwitchStatement, state: S): Outcome<S> {
    const outcome = nothing<S>();
    let entering = this.collect(this.value(node.discriminant, state), outcome);
    let falling: States<S> = new Map();
    for (const one of node.cases) {
      if (one.test) entering = this.collectEach(one.test, entering, outcome);
      const states: States<S> = new Map(falling);
      addAll(states, this.chosen(node, one, true, entering));
      entering = this.chosen(node, one, false, entering);
      const body = this.sequence(one.consequent, states);
      addExits(outcome, body);
      falling = body.normal;
    }
    addAll(outcome.normal, falling);
    addAll(outcome.normal, entering);
    return this.withoutBreaks(outcome);
  }

  /** The default case is taken to stand last, as it nearly always does. */
  private chosen({ discriminant }: TSESTree.SwitchStatement, { test }: TSESTree.SwitchCase, isChosen: boolean, states: States<S>): States<S> {
    if (!test) return isChosen ? states : noStates<S>();
    return statesOf(...[...states.values()].flatMap((state) => this.transfer.choose(discriminant, test, isChosen, state) ?? []));
  }

  private withoutBreaks(outcome: Outcome<S>): Outcome<S> {
    addAll(outcome.normal, outcome.broken.get('') ?? noStates<S>());
    outcome.broken.delete('');
    return outcome;
  }

  private loop(state: S, label: string, parts: LoopParts): Outcome<S> {
    const outcome = nothing<S>();
    const start = parts.init ? this.collect(this.value(parts.init, state), outcome) : statesOf(state);
    const seen: States<S> = new Map();
    const queue = [...start.values()];
    for (let entered = queue.pop(); entered; entered = queue.pop()) {
      if (seen.has(entered.key)) continue;
      seen.set(entered.key, entered);
      const inside = nothing<S>();
      const into = parts.isBodyFirst ? statesOf(entered) : this.entering(parts, statesOf(entered), outcome);
      this.each(parts.body, into, inside);
      let again: States<S> = inside.normal;
      for (const one of new Set(['', label])) {
        addAll(again, inside.continued.get(one) ?? noStates<S>());
        addAll(outcome.normal, inside.broken.get(one) ?? noStates<S>());
        inside.continued.delete(one);
        inside.broken.delete(one);
      }
      addExits(outcome, inside);
      if (parts.update) again = this.collectEach(parts.update, again, outcome);
      if (parts.isBodyFirst) again = this.entering(parts, again, outcome);
      queue.push(...again.values());
    }
    return outcome;
  }

  /** The states that go on into a loop's body; those that leave it are added to the outcome. */
  private entering({ test, isEach }: LoopParts, states: States<S>, outcome: Outcome<S>): States<S> {
    if (isEach) {
      addAll(outcome.normal, states);
      return states;
    }
    if (!test) return states;
    const { yes, no } = this.condition(test, states, outcome);
    addAll(outcome.normal, no);
    return yes;
  }

  // ---- expressions

  private collect(value: Outcome<S>, into: Outcome<S>): States<S> {
    addExits(into, value);
    return value.normal;
  }

  private collectEach(node: TSESTree.Node, states: States<S>, into: Outcome<S>): States<S> {
    const normal: States<S> = new Map();
    for (const state of states.values()) addAll(normal, this.collect(this.value(node, state), into));
    return normal;
  }

  private value(node: TSESTree.Node, state: S): Outcome<S> {
    const outcome = nothing<S>();
    const normal = this.evaluate(node, statesOf(state), outcome);
    addAll(outcome.normal, normal);
    return outcome;
  }

  private evaluate(node: TSESTree.Node, states: States<S>, outcome: Outcome<S>): States<S> {
    if (states.size === 0 || isFunction(node) || node.type.startsWith('TS') && !('expression' in node)) return states;
    if (is(node, 'LogicalExpression')) {
      const { yes, no } = this.condition(node.left, states, outcome);
      const [goesOn, ends] = node.operator === '&&' ? [yes, no] : node.operator === '||' ? [no, yes] : [merged(yes, no), merged(yes, no)];
      return merged(ends, this.evaluate(node.right, goesOn, outcome));
    }
    if (is(node, 'ConditionalExpression')) {
      const { yes, no } = this.condition(node.test, states, outcome);
      return merged(this.evaluate(node.consequent, yes, outcome), this.evaluate(node.alternate, no, outcome));
    }
    if (is(node, 'CallExpression')) return this.call(node, states, outcome);
    let now = states;
    for (const child of childrenInOrder(node)) now = this.evaluate(child, now, outcome);
    return this.effects(node, now, outcome);
  }

  private effects(node: TSESTree.Node, states: States<S>, outcome: Outcome<S>): States<S> {
    const normal: States<S> = new Map();
    for (const state of states.values()) {
      const effect = this.transfer.effect(node, state);
      if (!effect) normal.set(state.key, state);
      for (const one of effect?.normal ?? []) normal.set(one.key, one);
      for (const one of effect?.thrown ?? []) outcome.thrown.set(one.key, one);
    }
    return normal;
  }

  private call(node: TSESTree.CallExpression, states: States<S>, outcome: Outcome<S>): States<S> {
    const chained = this.promiseMethod(node, states, outcome);
    if (chained) return chained;
    let now = this.evaluate(node.callee, states, outcome);
    for (const argument of node.arguments) now = this.evaluate(argument, now, outcome);
    now = this.effects(node, now, outcome);
    const callee = uncast(node.callee);
    if (isFunction(callee)) return this.callback(callee, now, outcome);
    const runs = this.transfer.runs(node);
    const bodies = runs === 'later' ? [] : node.arguments.filter((one): one is TSESTree.CallExpressionArgument & FunctionNode => isFunction(one));
    for (const body of bodies) {
      const after = this.callback(body, now, outcome);
      now = runs === 'once' ? after : merged(now, after);
    }
    return now;
  }

  /** A function that is called here: what it returns normally goes on. */
  private callback(body: FunctionNode, states: States<S>, outcome: Outcome<S>): States<S> {
    const normal: States<S> = new Map();
    for (const state of states.values()) {
      const one = this.run(body, state);
      addAll(outcome.thrown, one.thrown);
      addAll(normal, one.normal);
      addAll(normal, one.returned);
    }
    return normal;
  }

  /** `p.then(f, g)`, `p.catch(g)`, `p.finally(f)`: as `try` would have it. */
  private promiseMethod(node: TSESTree.CallExpression, states: States<S>, outcome: Outcome<S>): States<S> | undefined {
    const name = isMember(node.callee) ? memberName(node.callee) : undefined;
    if (!isMember(node.callee) || !['then', 'catch', 'finally'].includes(name ?? '')) return undefined;
    const settled = nothing<S>();
    const resolved = this.evaluate(node.callee.object, states, settled);
    const [first, second] = node.arguments;
    const run = (handler: TSESTree.Node | undefined, from: States<S>, into: Outcome<S>): States<S> => (isFunction(handler) ? this.callback(handler, from, into) : handler ? this.effects(node, from, into) : from);
    if (name === 'finally') {
      addAll(outcome.thrown, run(first, settled.thrown, outcome));
      return run(first, resolved, outcome);
    }
    const [onResolved, onRejected] = name === 'then' ? [first, second] : [undefined, first];
    const after = run(onResolved, resolved, outcome);
    if (!onRejected) {
      addAll(outcome.thrown, settled.thrown);
      return after;
    }
    return merged(after, run(onRejected, this.caught(settled.thrown), outcome));
  }

  // ---- conditions

  private condition(test: TSESTree.Node, states: States<S>, outcome: Outcome<S>): Branches<S> {
    const node = uncast(test);
    if (is(node, 'UnaryExpression') && node.operator === '!') {
      const { yes, no } = this.condition(node.argument, states, outcome);
      return { yes: no, no: yes };
    }
    if (is(node, 'LogicalExpression') && node.operator !== '??') {
      const left = this.condition(node.left, states, outcome);
      const isAnd = node.operator === '&&';
      const right = this.condition(node.right, isAnd ? left.yes : left.no, outcome);
      return isAnd ? { yes: right.yes, no: merged(left.no, right.no) } : { yes: merged(left.yes, right.yes), no: right.no };
    }
    const yes: States<S> = new Map();
    const no: States<S> = new Map();
    for (const state of this.evaluate(node, states, outcome).values()) {
      const known = this.transfer.test(node, state);
      for (const [way, into] of [[true, yes], [false, no]] as const) {
        if (known !== undefined && known !== way) continue;
        const assumed = this.transfer.assume(node, way, state);
        into.set(assumed.key, assumed);
      }
    }
    return { yes, no };
  }
}

interface LoopParts {
  readonly init?: TSESTree.Node | null;
  readonly test?: TSESTree.Node | null;
  readonly update?: TSESTree.Node | null;
  readonly body: TSESTree.Node;
  readonly isBodyFirst?: boolean;
  readonly isEach?: boolean;
}
