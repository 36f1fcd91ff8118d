import type { TSESTree } from '@typescript-eslint/utils';
import type { FunctionNode } from '../../syntax.js';
import type { State } from './outcome.js';
import { runsArguments } from '../call-kinds.js';
import type { Effect, Round, Transfer } from './transfer.js';

/** A transfer that knows nothing but what its heirs add. */
export abstract class PlainTransfer<S extends State> implements Transfer<S> {
  abstract effect(node: TSESTree.Node, state: S): Effect<S> | undefined;
  abstract rejects(promise: TSESTree.Node): boolean;

  test(_node: TSESTree.Node, _state: S): boolean | undefined {
    return undefined;
  }

  present(_node: TSESTree.Node, _by: '?.' | '??', _state: S): boolean | undefined {
    return undefined;
  }

  assume(_node: TSESTree.Node, _outcome: boolean, state: S): S {
    return state;
  }

  choose(_discriminant: TSESTree.Node, _value: TSESTree.Node, _isChosen: boolean, state: S): S | undefined {
    return state;
  }

  isExhaustive(): boolean {
    return false;
  }

  named(): FunctionNode | undefined {
    return undefined;
  }

  mayFail(_handler: TSESTree.Node): boolean {
    return false;
  }

  caught(state: S): S {
    return state;
  }

  suspend(state: S): S {
    return state;
  }

  resume(state: S): S {
    return state;
  }

  passed(_node: Round, state: S): S {
    return state;
  }

  isOwn(_promise: TSESTree.Node): boolean {
    return false;
  }

  runs(call: TSESTree.CallExpression | TSESTree.NewExpression, _body?: FunctionNode): 'once' | 'maybe' | 'later' {
    return runsArguments(call);
  }

  kept(_call: TSESTree.CallExpression | TSESTree.NewExpression, _thrown: S): S | undefined {
    return undefined;
  }

  handed(): FunctionNode | undefined {
    return undefined;
  }

  entered(_call: TSESTree.CallExpression): FunctionNode | undefined {
    return undefined;
  }

  bind(_call: TSESTree.CallExpression, _callee: FunctionNode, state: S): S {
    return state;
  }

  isOnce(): boolean {
    return false;
  }

  dispose(_declarator: TSESTree.VariableDeclarator, _state: S): Effect<S> | readonly FunctionNode[] | undefined {
    return undefined;
  }
}
