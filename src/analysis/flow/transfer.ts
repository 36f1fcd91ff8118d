import type { TSESTree } from '@typescript-eslint/utils';
import type { State } from './outcome.js';

/** What an analysis says of nodes, for the interpreter that follows the syntax. */
export interface Transfer<S extends State> {
  /** What an expression does once its parts are evaluated; `undefined` for one that does nothing and cannot throw. */
  effect(node: TSESTree.Node, state: S): Effect<S> | undefined;
  /** Which of the two ways a condition may go; `undefined` where nothing is known of it. */
  test(node: TSESTree.Node, state: S): boolean | undefined;
  /** The states in which a condition turned out true or false, where that tells something. */
  assume(node: TSESTree.Node, outcome: boolean, state: S): S;
  /** The state in which a `case` is chosen or passed over; `undefined` where it cannot be. */
  choose(discriminant: TSESTree.Node, value: TSESTree.Node, isChosen: boolean, state: S): S | undefined;
  /** An exception is caught. */
  caught(state: S): S;
  /** A `finally` begins while an exception (or a return) is under way, and ends. */
  suspend(state: S): S;
  resume(state: S): S;
  /** Whether a function that a call gets runs: once, perhaps, or later. */
  runs(call: TSESTree.CallExpression): 'once' | 'maybe' | 'later';
  /** The end of a block that declares with `using` or `await using`. */
  dispose(declarator: TSESTree.VariableDeclarator, state: S): Effect<S> | undefined;
}

export interface Effect<S extends State> {
  readonly normal: readonly S[];
  readonly thrown: readonly S[];
}
