import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { UNDEFINED, type Frame } from './origin.js';
import { functionAround, is, type FunctionNode } from '../syntax.js';

/** Entering functions of the user's own, and finding one's way back. */

export const isEntered = (callee: FunctionNode, frame: Frame | undefined): boolean => frame !== undefined && (frame.callee === callee || isEntered(callee, frame.caller));

export function enter(callee: FunctionNode, args: readonly TSESTree.CallExpressionArgument[], call: TSESTree.Node, caller: Frame | undefined, closure?: Frame): Frame {
  // A closure sees the arguments of the call that made it: those frames stay reachable below the caller's.
  const below = closure && !isEntered(closure.callee, caller) ? graft(caller, closure) : caller;
  return { callee, args: hasThis(callee) ? [UNDEFINED, ...args] : args, call, caller: below, depth: (caller?.depth ?? 0) + 1 };
}

/** `function q(this: void, text)`: a parameter that no argument is for. */
export function hasThis({ params: [first] }: FunctionNode): boolean {
  return is(first, 'Identifier') && first.name === 'this';
}

const graft = (caller: Frame | undefined, closure: Frame): Frame => (caller ? { ...caller, caller: graft(caller.caller, closure) } : closure);

/** The frame of a function among the frames; `undefined` where it was not entered. */
export function frameOf(callee: FunctionNode, frame: Frame | undefined): Frame | undefined {
  for (let at = frame; at; at = at.caller) if (at.callee === callee) return at;
  return undefined;
}

/** The frame in which a node is to be seen: that of the innermost entered function around it, none at a file's top level. */
export function frameAt(node: TSESTree.Node, frame: Frame | undefined): Frame | undefined {
  for (let around = functionAround(node); around; around = functionAround(around)) {
    const found = frameOf(around, frame);
    if (found) return found;
  }
  return undefined;
}

/** Whether a variable lives and dies with one of the entered calls. */
export function isLocalTo(variable: Scope.Variable, frame: Frame): boolean {
  const home = variable.identifiers[0] && functionAround(variable.identifiers[0]);
  for (let at: FunctionNode | undefined = home; at; at = functionAround(at)) if (frameOf(at, frame)) return true;
  return false;
}
