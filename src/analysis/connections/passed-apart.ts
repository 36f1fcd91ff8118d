import type { TSESTree } from '@typescript-eslint/utils';
import type { Connection, LockUse } from '../model.js';
import { workerAround } from '../in-place.js';
import { Callers } from '../values/callers.js';
import { hasNode, overlaps } from '../values/makers.js';
import type { Origins } from '../values/origins.js';
import { is, type FunctionNode } from '../syntax.js';
import type { Connections } from './connections.js';
import { isPinned } from './sessions.js';

/** Functions that are passed one connection for each of two parameters. */
export class PassedApart {
  constructor(private readonly origins: Origins, private readonly connections: Connections) {}

  /** Whether a lock is on one parameter of a function, its unlock on another one, and every call in view passes two connections for them. */
  areApart({ call: taken }: LockUse, { call: freed }: LockUse): boolean {
    const callee = workerAround(taken.node);
    if (!callee || callee !== workerAround(freed.node)) return false;
    const [one, other] = [parameterOf(callee, taken.connection), parameterOf(callee, freed.connection)];
    if (one === undefined || other === undefined || one === other) return false;
    const callers = new Callers(this.origins);
    const calls = callers.callsOf(callee);
    const isHandedOn = callers.isHandedOn({ kind: 'parameter', callee, index: one, path: [], node: callee.params[one]! });
    return calls.length > 0 && !isHandedOn && calls.every((call) => this.arePassedApart(call.arguments, one, other));
  }

  private arePassedApart(args: readonly TSESTree.CallExpressionArgument[], one: number, other: number): boolean {
    if (args.some((each) => is(each, 'SpreadElement'))) return false;
    const found = [args[one], args[other]].flatMap((node) => (node ? [this.connections.of({ node, frame: undefined })] : []));
    const [mine, theirs] = found;
    return mine !== undefined && theirs !== undefined && found.every((each) => isPinned(each) && each.complete && each.makers.size > 0) && !overlaps(mine.makers, theirs.makers);
  }
}

/** The one parameter that a connection is. */
function parameterOf({ params }: FunctionNode, { makers }: Connection): number | undefined {
  const index = makers.size === 1 ? params.findIndex((param) => hasNode(makers, param)) : -1;
  return index < 0 ? undefined : index;
}
