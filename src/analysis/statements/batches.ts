import type { TSESTree } from '@typescript-eslint/utils';
import { Callers } from '../values/callers.js';
import { returnedBy, variableOf } from '../values/names.js';
import type { Origins } from '../values/origins.js';
import type { Reservation, Reservations } from '../connections/reservations.js';
import { functionAround, is, isFunction, isMember, memberName, wrapped, type FunctionNode } from '../syntax.js';

const MAX_DEPTH = 6;

/** Statements that are put into an array, which one call sends in a transaction: `prisma.$transaction([lock, write])`. */
export class Batches {
  constructor(private readonly origins: Origins, private readonly reservations: Reservations) {}

  /** The call that sends a statement as part of its batch; `elsewhere`: a function gives it to callers who are not in view. */
  of(statement: TSESTree.Node): Reservation | 'elsewhere' | undefined {
    return this.ofValue(statement, 0);
  }

  private ofValue(node: TSESTree.Node, depth: number): Reservation | 'elsewhere' | undefined {
    const outer = wrapped(node, false);
    const { parent } = outer;
    if (!parent || depth > MAX_DEPTH) return undefined;
    if (is(parent, 'ArrayExpression') || is(parent, 'SpreadElement')) return this.ofValue(parent, depth + 1);
    if (is(parent, 'ConditionalExpression') || is(parent, 'LogicalExpression')) return this.ofValue(parent, depth + 1);
    if (is(parent, 'VariableDeclarator') && parent.init === outer && is(parent.id, 'Identifier')) return this.ofVariable(parent.id, depth + 1);
    if (is(parent, 'CallExpression')) return this.ofArgument(parent, outer, depth + 1);
    if (is(parent, 'ReturnStatement') || (isFunction(parent) && parent.body === outer)) return this.ofReturned(outer, depth + 1);
    return undefined;
  }

  private ofArgument(call: TSESTree.CallExpression, argument: TSESTree.Node, depth: number): Reservation | 'elsewhere' | undefined {
    const index = call.arguments.indexOf(argument as TSESTree.CallExpressionArgument);
    const isPush = isMember(call.callee) && ['push', 'unshift'].includes(memberName(call.callee) ?? '') && is(call.callee.object, 'Identifier');
    if (isPush) return this.ofVariable((call.callee as TSESTree.MemberExpression).object as TSESTree.Identifier, depth);
    return this.reservations.at(call, undefined, (member) => member.batch === index);
  }

  /** All that is done with it (the calls that fill it apart) is to send it. */
  private ofVariable(name: TSESTree.Identifier, depth: number): Reservation | 'elsewhere' | undefined {
    const reads = variableOf(name)?.references.filter((one) => one.isRead() && one.identifier !== name && !isMember(one.identifier.parent)) ?? [];
    return agreed(reads.map((one) => this.ofValue(one.identifier, depth)));
  }

  /** `$transaction((tx) => tx.$executeRaw`...`)`: what lends the handle waits for the statement. */
  private isOfTransaction(callee: FunctionNode): boolean {
    const outer = wrapped(callee, false);
    const { parent } = outer;
    return is(parent, 'CallExpression') && this.reservations.at(parent, undefined, (member) => member.callbackParameter === parent.arguments.indexOf(outer as TSESTree.CallExpressionArgument)) !== undefined;
  }

  /** A function that does not wait for its statement leaves that to its callers. */
  private ofReturned(node: TSESTree.Node, depth: number): Reservation | 'elsewhere' | undefined {
    const callee = functionAround(node);
    if (!callee || callee.async || returnedBy(callee).length === 0 || this.isOfTransaction(callee)) return undefined;
    const calls = new Callers(this.origins).callsOf(callee);
    return calls.length === 0 ? 'elsewhere' : agreed(calls.map((call) => this.ofValue(call, depth)));
  }
}

function agreed(found: readonly (Reservation | 'elsewhere' | undefined)[]): Reservation | 'elsewhere' | undefined {
  if (found.length === 0 || found.includes(undefined)) return undefined;
  return found.find((one) => one !== 'elsewhere') ?? 'elsewhere';
}
