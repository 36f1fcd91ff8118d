import type { TSESTree } from '@typescript-eslint/utils';
import { sourceOf } from '../../types/index.js';
import { returnedBy } from '../values/names.js';
import type { Origins } from '../values/origins.js';
import { callsIn, is, uncast, wrapped, type FunctionNode } from '../syntax.js';
import { isPromiseChain } from './conditions/constants.js';
import { Interpreter } from './engine/interpreter.js';
import type { State } from './engine/outcome.js';
import { PlainTransfer } from './engine/plain.js';
import { Throws } from './throws.js';
import type { Effect } from './engine/transfer.js';

/** How many functions are looked into that call one another. */
const MAX_DEPTH = 4;
/** How many calls a function has that does little more than to call another one. */
const MAX_CALLS = 6;

/** What keeps errors to itself says so, or calls what does. */
const CATCHES = /\bcatch\b|\.then\s*\(/;

const byOrigins = new WeakMap<Origins, Failures>();

export function failuresOf(origins: Origins): Failures {
  const known = byOrigins.get(origins) ?? new Failures(origins);
  byOrigins.set(origins, known);
  return known;
}

/** Which functions of the user's own keep every error to themselves: `const [error, value] = await to(work())`. */
export class Failures {
  private readonly known = new Map<FunctionNode, boolean>();
  private depth = 0;

  constructor(private readonly origins: Origins) {}

  /** Whether a call neither throws nor gives a promise that rejects, whatever it is given; one out of view tells by what is made of its result. */
  areKept(call: TSESTree.Node): boolean {
    const callee = is(call, 'CallExpression') ? this.origins.calleeOf(call, undefined)?.callee : undefined;
    if (!callee) return givesError(call);
    if (callee.generator) return false;
    let known = this.known.get(callee);
    if (known === undefined) {
      this.known.set(callee, false); // one that calls itself
      this.known.set(callee, known = this.keeps(callee));
    }
    return known;
  }

  /** Whether a small function leaves it to another one. */
  private hands(callee: FunctionNode): boolean {
    const calls = callsIn(callee);
    return calls.length <= MAX_CALLS && calls.some((one) => this.areKept(one));
  }

  private keeps(callee: FunctionNode): boolean {
    if (this.depth >= MAX_DEPTH) return false;
    this.depth += 1;
    try {
      return (CATCHES.test(sourceOf(callee.body)) || this.hands(callee)) && new FailureFlow(this.origins).neverFails(callee);
    } finally {
      this.depth -= 1;
    }
  }
}

/** `const [error, value] = await to(work())`, `const { error } = await attempt(work)`: the error is given, and not thrown. */
function givesError(call: TSESTree.Node): boolean {
  const declarator = is(call, 'CallExpression') ? wrapped(call, true).parent : undefined;
  const pattern = is(declarator, 'VariableDeclarator') ? declarator.id : undefined;
  const first = is(pattern, 'ArrayPattern') ? pattern.elements.slice(0, 1) : is(pattern, 'ObjectPattern') ? pattern.properties.map((one) => (is(one, 'Property') ? one.key : undefined)) : [];
  return first.some((one) => is(one, 'Identifier') && /^(?:err|error|failure|reason)(?![a-z])/.test(one.name));
}

const ONLY: State = { key: '' };

/** Follows a function for nothing but its errors. */
class FailureFlow extends PlainTransfer<State> {
  private readonly throws: Throws;

  constructor(private readonly origins: Origins) {
    super();
    this.throws = new Throws({ takenAt: undefined, freedAt: new Map(), makers: new Set() }, new Map(), origins, { isOpaque: () => false });
  }

  neverFails(callee: FunctionNode): boolean {
    try {
      // No `try` of the function is around a promise that it gives back.
      return new Interpreter<State>(this).run(callee, ONLY).thrown.size === 0 && !returnedBy(callee).some((one) => this.mayReject(one));
    } catch (error) {
      if (error instanceof RangeError) return false; // nested too deep to be followed
      throw error;
    }
  }

  effect(node: TSESTree.Node, state: State): Effect<State> | undefined {
    return this.throws.at(node) ? { normal: [state], thrown: [state] } : undefined;
  }

  override mayFail(handler: TSESTree.Node): boolean {
    return this.throws.mayFail(handler);
  }

  rejects(promise: TSESTree.Node): boolean {
    const node = uncast(promise);
    // Without types, a name or a property says nothing of its value.
    const mayBe = is(node, 'CallExpression', 'TaggedTemplateExpression') || (is(node, 'Identifier', 'MemberExpression') && this.origins.types.isTyped);
    return mayBe && this.throws.mayReject(node);
  }

  /** What is awaited, and what a chain has handlers for, was followed as it was made. */
  private mayReject(value: TSESTree.Node): boolean {
    const node = uncast(value);
    if (is(node, 'ConditionalExpression')) return this.mayReject(node.consequent) || this.mayReject(node.alternate);
    return !is(node, 'AwaitExpression') && !(is(node, 'CallExpression') && isPromiseChain(node)) && this.rejects(node);
  }
}
