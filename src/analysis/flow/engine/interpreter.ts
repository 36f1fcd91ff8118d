import type { TSESTree } from '@typescript-eslint/utils';
import { is, isFunction, type FunctionNode } from '../../syntax.js';
import { isEntered, isFloating } from '../conditions/constants.js';
import { Evaluator } from './evaluator.js';
import { addAll, addExits, addOutcome, merged, noStates, nothing, statesOf, type Outcome, type State, type States } from './outcome.js';
import type { Sharing } from '../shared-code.js';
import type { Transfer } from './transfer.js';

type Run<S extends State> = (state: S) => Outcome<S>;

const NO_LABELS: readonly string[] = [];

/**
 * Runs a function's code over states instead of values: each statement gives, for a state that enters it, every state that may leave
 * it and how. Exact about `try`, `finally`, `return`, `break` and the rest, since it follows the syntax. Each statement is run once
 * for each state, so that the work grows with the size of the function and not with its nesting.
 */
export class Interpreter<S extends State> extends Evaluator<S> {
  private readonly known = new Map<TSESTree.Node, Map<string, Outcome<S>>>();

  constructor(transfer: Transfer<S>, private readonly sharing: Sharing<S> = {}) {
    super(transfer);
  }

  /** What may hold at the end of a function. */
  run(callee: FunctionNode | TSESTree.Program, state: S): Outcome<S> {
    return is(callee, 'Program') ? this.block(callee.body, statesOf(state)) : this.callee(callee, state);
  }

  protected body({ body }: FunctionNode, state: S): Outcome<S> {
    return is(body, 'BlockStatement') ? this.statement(body, state) : this.value(body, state);
  }

  protected statements(nodes: readonly TSESTree.Statement[], states: States<S>, outcome: Outcome<S>): States<S> {
    const inner = this.block(nodes, states);
    addExits(outcome, inner);
    return inner.normal;
  }

  private statement(node: TSESTree.Node, state: S, labels = NO_LABELS): Outcome<S> {
    const shared = this.sharedFor(node, node);
    if (shared) return this.noted(shared.statement(node, state, labels));
    return this.found(node, state.key) ?? this.kept(node, state.key, this.execute(node, state, labels));
  }

  /** The outcome of code that was run already; else its notes begin here. */
  private found(node: TSESTree.Node, key: string): Outcome<S> | undefined {
    const found = this.known.get(node)?.get(key);
    const { journal, budget } = this.sharing;
    if (found) journal?.again(found);
    else journal?.begin();
    if (!found) budget?.spend();
    return found;
  }

  private kept(node: TSESTree.Node, key: string, outcome: Outcome<S>): Outcome<S> {
    let byState = this.known.get(node);
    if (!byState) this.known.set(node, byState = new Map<string, Outcome<S>>());
    byState.set(key, outcome);
    this.sharing.journal?.end(outcome);
    return outcome;
  }

  /** Who runs code that is the same for other locks. A function that is called may be called by itself, which only this run knows. */
  private sharedFor(first: TSESTree.Node, last: TSESTree.Node): Interpreter<S> | undefined {
    const { code } = this.sharing;
    return code && this.running.size === 0 && !code.isOwn(first.range[0], last.range[1]) ? code.interpreter : undefined;
  }

  private readonly noted = (outcome: Outcome<S>): Outcome<S> => (this.sharing.code?.skipped(outcome), outcome);

  private each(node: TSESTree.Node, states: States<S>, into: Outcome<S>, labels?: readonly string[]): void {
    for (const state of states.values()) addOutcome(into, this.statement(node, state, labels));
  }

  private sequence(nodes: readonly TSESTree.Node[], start: States<S>): Outcome<S> {
    if (this.sharing.code && nodes.length > 1) return this.span(nodes, 0, nodes.length, start);
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

  /** Statements by halves, down to those that are not the same for other locks: a long function is not gone through for each lock. */
  private span(nodes: readonly TSESTree.Node[], from: number, to: number, states: States<S>): Outcome<S> {
    const outcome = nothing<S>();
    if (states.size === 0) return outcome;
    const shared = this.sharedFor(nodes[from]!, nodes[to - 1]!);
    if (shared) for (const state of states.values()) addOutcome(outcome, this.noted(shared.spanOf(nodes, from, to, state)));
    else if (to - from === 1) this.each(nodes[from]!, states, outcome);
    else {
      const middle = (from + to) >> 1;
      const first = this.span(nodes, from, middle, states);
      addExits(outcome, first);
      addOutcome(outcome, this.span(nodes, middle, to, first.normal));
    }
    return outcome;
  }

  private spanOf(nodes: readonly TSESTree.Node[], from: number, to: number, state: S): Outcome<S> {
    const node = nodes[from]!;
    if (to - from === 1) return this.statement(node, state);
    const key = `to ${nodes[to - 1]!.range[1]} ${state.key}`;
    const known = this.found(node, key);
    if (known) return known;
    const outcome = nothing<S>();
    const middle = (from + to) >> 1;
    const first = this.spanOf(nodes, from, middle, state);
    addExits(outcome, first);
    for (const one of first.normal.values()) addOutcome(outcome, this.spanOf(nodes, middle, to, one));
    return this.kept(node, key, outcome);
  }

  private execute(node: TSESTree.Node, state: S, labels: readonly string[]): Outcome<S> {
    if (isFunction(node)) return this.done(state);
    switch (node.type as string) {
      case 'BlockStatement':
        return this.block((node as TSESTree.BlockStatement).body, statesOf(state));
      case 'IfStatement':
        return this.choice(node as TSESTree.IfStatement, state);
      case 'TryStatement':
        return this.tryStatement(node as TSESTree.TryStatement, state);
      case 'LabeledStatement':
        return this.labeled(node as TSESTree.LabeledStatement, state, labels);
      case 'SwitchStatement':
        return this.switchStatement(node as TSESTree.SwitchStatement, state);
      case 'WhileStatement':
      case 'DoWhileStatement':
      case 'ForStatement':
      case 'ForOfStatement':
      case 'ForInStatement':
        return this.loop(node as Loop, state, labels);
      case 'BreakStatement':
      case 'ContinueStatement':
        return this.jump(node as TSESTree.BreakStatement | TSESTree.ContinueStatement, state);
      case 'ReturnStatement':
      case 'ThrowStatement':
        return this.leave(node as TSESTree.ReturnStatement | TSESTree.ThrowStatement, state);
      case 'ExpressionStatement': {
        const outcome = this.value(node, state);
        if (!isFloating(node as TSESTree.ExpressionStatement)) return outcome;
        return { ...outcome, normal: merged(outcome.normal, outcome.thrown), thrown: noStates() };
      }
      case 'WithStatement': {
        const { object, body } = node as TSESTree.WithStatement;
        const outcome = nothing<S>();
        this.each(body, this.evaluate(object, statesOf(state), outcome), outcome);
        return outcome;
      }
      case 'TSModuleDeclaration': {
        const { body } = node as TSESTree.TSModuleDeclaration;
        return is(body, 'TSModuleBlock') ? this.block(body.body, statesOf(state)) : this.done(state);
      }
    }
    return this.value(node, state);
  }

  private done(state: S): Outcome<S> {
    return { ...nothing<S>(), normal: statesOf(state) };
  }

  private jump(node: TSESTree.BreakStatement | TSESTree.ContinueStatement, state: S): Outcome<S> {
    const outcome = nothing<S>();
    (is(node, 'BreakStatement') ? outcome.broken : outcome.continued).set(node.label?.name ?? '', statesOf(state));
    return outcome;
  }

  private leave(node: TSESTree.ReturnStatement | TSESTree.ThrowStatement, state: S): Outcome<S> {
    const outcome = nothing<S>();
    const value = node.argument ? this.evaluate(node.argument, statesOf(state), outcome) : statesOf(state);
    addAll(is(node, 'ReturnStatement') ? outcome.returned : outcome.thrown, this.effects(node, value, outcome));
    return outcome;
  }

  // ---- blocks

  /** Statements up to the first `using`, then the rest, which is disposed of on every way out. */
  private block(body: readonly TSESTree.Node[], states: States<S>): Outcome<S> {
    const at = body.findIndex((one) => isUsing(one));
    const declaration = body[at];
    if (!isUsing(declaration)) return this.sequence(body, states);
    const outcome = this.sequence(body.slice(0, at), states);
    const before = new Map(outcome.normal);
    outcome.normal.clear();
    const rest = this.using(declaration.declarations, before, (inside) => this.block(body.slice(at + 1), inside));
    addExits(outcome, rest);
    addAll(outcome.normal, rest.normal);
    return outcome;
  }

  /** Each resource is disposed of if it was made, the last one first. */
  private using([first, ...others]: readonly TSESTree.VariableDeclarator[], states: States<S>, rest: (states: States<S>) => Outcome<S>): Outcome<S> {
    if (!first) return rest(states);
    const outcome = nothing<S>();
    const made = this.evaluate(first, states, outcome);
    const disposed = this.through(this.using(others, made, rest), (state) => this.disposal(first, state), true);
    addExits(outcome, disposed);
    addAll(outcome.normal, disposed.normal);
    return outcome;
  }

  private disposal(declarator: TSESTree.VariableDeclarator, state: S): Outcome<S> {
    const effect = this.transfer.dispose(declarator, state);
    if (!effect) return this.done(state);
    if ('normal' in effect) return { ...nothing<S>(), normal: statesOf(...effect.normal), thrown: statesOf(...effect.thrown) };
    const outcome = nothing<S>();
    let now = statesOf(state);
    for (const one of effect) now = this.callback(one, now, outcome);
    addAll(outcome.normal, now);
    return outcome;
  }

  /** Code that runs on every way out: each way goes on as it was, unless that code leaves in its own way. */
  private through(outcome: Outcome<S>, run: Run<S>, isFinally = false): Outcome<S> {
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
        else if (passed.size > 0) to.set(label, passed);
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
      const caught = nothing<S>();
      addExits(caught, { ...outcome, thrown: noStates<S>() });
      addAll(caught.normal, outcome.normal);
      const entering = this.caught(outcome.thrown);
      this.each(handler.body, handler.param ? this.evaluate(handler.param, entering, caught) : entering, caught);
      outcome = caught;
    }
    return finalizer ? this.through(outcome, (before) => this.statement(finalizer, before), true) : outcome;
  }

  // ---- choices

  /** A chain of `else if` may be longer than the stack is deep, so it is followed here. */
  private choice(node: TSESTree.IfStatement, state: S): Outcome<S> {
    const outcome = nothing<S>();
    let states = statesOf(state);
    let at: TSESTree.Statement | null = node;
    for (; is(at, 'IfStatement'); at = at.alternate) {
      const { yes, no }: { yes: States<S>; no: States<S> } = this.condition(at.test, states, outcome);
      this.each(at.consequent, yes, outcome);
      states = no;
    }
    if (at) this.each(at, states, outcome);
    else addAll(outcome.normal, states);
    return outcome;
  }

  private labeled(node: TSESTree.LabeledStatement, state: S, labels: readonly string[]): Outcome<S> {
    const outcome = nothing<S>();
    this.each(node.body, statesOf(state), outcome, [...labels, node.label.name]);
    return this.withoutBreaks(outcome, node.label.name);
  }

  private withoutBreaks(outcome: Outcome<S>, label = ''): Outcome<S> {
    addAll(outcome.normal, outcome.broken.get(label) ?? noStates<S>());
    outcome.broken.delete(label);
    return outcome;
  }

  /** All values are compared in order; the default, wherever it stands, is for what none of them has taken. */
  private switchStatement(node: TSESTree.SwitchStatement, state: S): Outcome<S> {
    const outcome = nothing<S>();
    let entering = this.evaluate(node.discriminant, statesOf(state), outcome);
    const chosen = new Map<TSESTree.SwitchCase, States<S>>();
    for (const one of node.cases) {
      if (!one.test) continue;
      entering = this.evaluate(one.test, entering, outcome);
      chosen.set(one, this.chosen(node.discriminant, one.test, true, entering));
      entering = this.chosen(node.discriminant, one.test, false, entering);
    }
    const byDefault = node.cases.find((one) => !one.test);
    if (byDefault) chosen.set(byDefault, entering);
    else if (!this.transfer.isExhaustive(node)) addAll(outcome.normal, entering);
    let falling: States<S> = new Map();
    for (const one of node.cases) {
      const body = this.block(one.consequent, merged(falling, chosen.get(one)!));
      addExits(outcome, body);
      falling = body.normal;
    }
    addAll(outcome.normal, falling);
    return this.withoutBreaks(outcome);
  }

  private chosen(discriminant: TSESTree.Node, value: TSESTree.Node, isChosen: boolean, states: States<S>): States<S> {
    return statesOf(...[...states.values()].flatMap((state) => this.transfer.choose(discriminant, value, isChosen, state) ?? []));
  }

  // ---- loops

  private loop(node: Loop, state: S, labels: readonly string[]): Outcome<S> {
    if (is(node, 'ForStatement') && isUsing(node.init)) return this.using(node.init.declarations, statesOf(state), (inside) => this.rounds(node, inside, labels));
    const outcome = nothing<S>();
    const init = is(node, 'ForStatement') ? node.init : isEach(node) ? node.right : undefined;
    const started = init ? this.evaluate(init, statesOf(state), outcome) : statesOf(state);
    const rounds = this.rounds(node, started, labels);
    addExits(outcome, rounds);
    addAll(outcome.normal, rounds.normal);
    return outcome;
  }

  /** The rounds of a loop, until none gives a state that is new. */
  private rounds(node: Loop, start: States<S>, labels: readonly string[]): Outcome<S> {
    const outcome = nothing<S>();
    const isBodyFirst = is(node, 'DoWhileStatement');
    const isOnce = is(node, 'ForOfStatement') && this.transfer.isOnce(node);
    const seen: States<S> = new Map();
    let entering = start;
    let isBegun = isBodyFirst || !isEntered(node);
    while (entering.size > 0) {
      // What comes back to a loop that could not be left at first may leave it then.
      if (isBegun) addAll(seen, entering);
      const inside = nothing<S>();
      if (isBodyFirst) this.each(node.body, entering, inside);
      else this.round(node, isOnce ? entering : this.entering(node, entering, outcome, isBegun), inside);
      isBegun = true;
      const again = inside.normal;
      for (const label of ['', ...labels]) addAll(again, inside.continued.get(label) ?? noStates<S>());
      for (const label of ['', ...labels]) inside.continued.delete(label);
      addExits(outcome, this.withoutBreaks({ ...inside, normal: outcome.normal }));
      if (isOnce) {
        addAll(outcome.normal, again);
        break;
      }
      const updated = is(node, 'ForStatement') && node.update ? this.evaluate(node.update, again, outcome) : again;
      const next = isBodyFirst ? this.entering(node, updated, outcome) : updated;
      entering = new Map([...next].filter(([key]) => !seen.has(key)));
    }
    return outcome;
  }

  private round(node: Loop, states: States<S>, into: Outcome<S>): void {
    const left = isEach(node) ? node.left : undefined;
    if (!isUsing(left)) {
      this.each(node.body, left ? this.evaluate(left, states, into) : states, into);
      return;
    }
    const run = (inside: States<S>): Outcome<S> => {
      const body = nothing<S>();
      this.each(node.body, inside, body);
      return body;
    };
    const disposed = this.using(left.declarations, states, run);
    addExits(into, disposed);
    addAll(into.normal, disposed.normal);
  }

  /** The states that go on into a loop's body; those that leave it are added to the outcome. */
  private entering(node: Loop, states: States<S>, outcome: Outcome<S>, mayLeave = true): States<S> {
    if (isEach(node)) {
      // The next value of `for await` is waited for, which may fail.
      const reached = is(node, 'ForOfStatement') && node.await ? this.effects(node, states, outcome) : states;
      addAll(outcome.normal, this.passed(node, reached));
      return reached;
    }
    if (!node.test) return states;
    const { yes, no } = this.condition(node.test, states, outcome);
    if (!mayLeave) return merged(yes, no);
    addAll(outcome.normal, this.passed(node, no));
    return yes;
  }
}

type Loop = TSESTree.WhileStatement | TSESTree.DoWhileStatement | TSESTree.ForStatement | TSESTree.ForOfStatement | TSESTree.ForInStatement;

const isEach = (node: TSESTree.Node): node is TSESTree.ForOfStatement | TSESTree.ForInStatement => is(node, 'ForOfStatement') || is(node, 'ForInStatement');

const isUsing = (node: TSESTree.Node | null | undefined): node is TSESTree.VariableDeclaration => is(node, 'VariableDeclaration') && /using/.test(node.kind);
