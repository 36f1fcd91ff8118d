import type { TSESTree } from '@typescript-eslint/utils';
import type { FunctionNode } from '../../syntax.js';
import type { State } from './outcome.js';

/** What runs code again and again: a loop, or a call that is given a function. */
export type Round = TSESTree.WhileStatement | TSESTree.DoWhileStatement | TSESTree.ForStatement | TSESTree.ForOfStatement | TSESTree.ForInStatement | TSESTree.CallExpression | TSESTree.NewExpression;

/** What an analysis says of nodes, for the interpreter that follows the syntax. */
export interface Transfer<S extends State> {
  /** What an expression does once its parts are evaluated; `undefined` for one that does nothing and cannot throw. */
  effect(node: TSESTree.Node, state: S): Effect<S> | undefined;
  /** Which of the two ways a condition may go; `undefined` where nothing is known of it. */
  test(node: TSESTree.Node, state: S): boolean | undefined;
  /** The states in which a condition turned out true or false, where that tells something. */
  assume(node: TSESTree.Node, outcome: boolean, state: S): S;
  /** Whether the value before `?.` or `??` is neither null nor undefined; `undefined` where it may be either. */
  present(node: TSESTree.Node, by: '?.' | '??', state: S): boolean | undefined;
  /** The state in which a `case` is chosen or passed over; `undefined` where it cannot be. */
  choose(discriminant: TSESTree.Node, value: TSESTree.Node, isChosen: boolean, state: S): S | undefined;
  /** Whether a `switch` without `default` has a `case` for whatever may come. */
  isExhaustive(node: TSESTree.SwitchStatement): boolean;
  /** An exception is caught. */
  caught(state: S): S;
  /** A `finally` begins while an exception is under way, and ends. */
  suspend(state: S): S;
  resume(state: S): S;
  /** A loop, or a call that runs a function for each element of a list, has come to its end. */
  passed(node: Round, state: S): S;
  /** Whether a value is a promise that may reject, though making it did not throw: one that has handlers, or that a handler returns. */
  rejects(promise: TSESTree.Node): boolean;
  /** Whether a promise is that of a statement which is followed. */
  isOwn(promise: TSESTree.Node): boolean;
  /** Whether a function that a call gets runs: once, any number of times, or later. */
  runs(call: TSESTree.CallExpression | TSESTree.NewExpression, body: FunctionNode): 'once' | 'maybe' | 'later';
  /** The state in which a call goes on though a function that it gets has thrown: it keeps all errors to itself. `undefined` where it does not. */
  kept(call: TSESTree.CallExpression | TSESTree.NewExpression, thrown: S): S | undefined;
  /** The function that an argument of a call names, where it runs there for each element of a list. */
  handed(argument: TSESTree.Node, call: TSESTree.CallExpression | TSESTree.NewExpression): FunctionNode | undefined;
  /** The function that the name of a handler stands for, where its own statements count: `.then(unlock)`. */
  named(handler: TSESTree.Node): FunctionNode | undefined;
  /** Whether a handler that is given by its name may fail: `.then(work)`. */
  mayFail(handler: TSESTree.Node): boolean;
  /** The function in view that a call runs, where its own statements count; without a state, one that it may run. */
  entered(call: TSESTree.CallExpression, state?: S): FunctionNode | undefined;
  /** The state in which such a function begins. */
  bind(call: TSESTree.CallExpression, callee: FunctionNode, state: S): S;
  /** Whether a loop goes through a list of one. */
  isOnce(loop: TSESTree.ForOfStatement): boolean;
  /** The end of a block that declares with `using` or `await using`: an effect, or the functions that run then, in their order. */
  dispose(declarator: TSESTree.VariableDeclarator, state: S): Effect<S> | readonly FunctionNode[] | undefined;
}

export interface Effect<S extends State> {
  readonly normal: readonly S[];
  readonly thrown: readonly S[];
}
