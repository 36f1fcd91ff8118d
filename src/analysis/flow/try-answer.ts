import type { TSESTree } from '@typescript-eslint/utils';
import { variableOf } from '../names.js';
import type { Origins } from '../origins.js';
import { isNullish, stepsFrom, type Origin } from '../origin.js';
import { is, isFunction, isMember, memberName, unwrap, walk } from '../syntax.js';
import { isPromiseChain } from './constants.js';
import type { Tracked } from './lock-events.js';

/** Which expressions are the answer of the try-lock that is followed. Asked for each node once: what it says depends on no state. */
export class TryAnswer {
  private readonly answers = new Map<TSESTree.Node, boolean>();
  private readonly opaque = new Map<TSESTree.Node, boolean>();

  constructor(private readonly tracked: Tracked, private readonly origins: Origins) {}

  /** Whether an expression is the boolean that was answered, or the presence of the row that says so. */
  isAnswer(node: TSESTree.Node): boolean {
    let known = this.answers.get(node);
    if (known === undefined) this.answers.set(node, known = this.findAnswer(node));
    return known;
  }

  /** Whether something of the answer goes into a test that is not understood. */
  isOpaque(test: TSESTree.Node): boolean {
    let known = this.opaque.get(test);
    if (known === undefined) this.opaque.set(test, known = this.findOpaque(test));
    return known;
  }

  private findAnswer(node: TSESTree.Node): boolean {
    const { lock, call } = this.tracked.acquire ?? {};
    if (lock?.function.operation !== 'try' || !call) return false;
    return this.paths(node).some((path) => {
      const last = path.at(-1);
      if (lock.answer.kind === 'row') return last === '0' || last === 'length' || call.result.counts.includes(last ?? '');
      return last !== undefined && (lock.answer.kind !== 'column' || last === lock.answer.name || (call.result.arrayRows && path.length > 1) || (call.holds === 'boolean' && path.length === 0));
    });
  }

  private findOpaque(test: TSESTree.Node): boolean {
    return [...walk(test)].some((node) => this.isTaking(node) || ((is(node, 'Identifier') || isMember(node) || is(node, 'CallExpression')) && this.paths(node).length > 0));
  }

  /** The call of a helper that takes the lock, or a variable that has what it gave. */
  private isTaking(node: TSESTree.Node): boolean {
    const { takenAt, acquire } = this.tracked;
    if (!takenAt) return false;
    const isStatement = takenAt === acquire?.call.node;
    const isTaking = (value: TSESTree.Node): boolean => chainStart(value) === takenAt && (!isStatement || isTransformed(value));
    if (isTaking(node)) return true;
    const variable = is(node, 'Identifier') ? variableOf(node) : undefined;
    if (!variable) return false;
    const isGiven = !isStatement && variable.defs.some(({ node: owner }) => given(owner as TSESTree.Node) === takenAt);
    return isGiven || variable.references.some(({ writeExpr }) => !!writeExpr && (isTaking(writeExpr as TSESTree.Node) || isAmong(takenAt, writeExpr as TSESTree.Node)));
  }

  private paths(node: TSESTree.Node): (readonly string[])[] {
    const call = this.tracked.acquire?.call;
    if (!call) return [];
    const at = unwrap(node);
    if (!is(at, 'Identifier') && !isMember(at) && !is(at, 'CallExpression')) return [];
    const calls = new Set<TSESTree.Node>([...withCatches(call.node), ...(call.inner ? withCatches(call.inner) : [])]);
    return this.origins.of({ node: at, frame: undefined }).filter((one) => !isNullish(one)).flatMap((one) => this.path(one, calls) ?? []);
  }

  /** The steps from the call to a part of its result; `rows.at(0)` is `rows[0]`. */
  private path(origin: Origin, calls: ReadonlySet<TSESTree.Node>): (readonly string[])[] | undefined {
    const direct = stepsFrom(origin, calls);
    if (direct) return [direct];
    if (origin.kind === 'member') return this.path(origin.object, calls)?.map((steps) => [...steps, String(origin.name)]);
    const taken = origin.kind === 'value' && is(origin.node, 'CallExpression') ? elementOf(origin.node) : undefined;
    if (!taken || origin.kind !== 'value') return undefined;
    const paths = this.origins.of({ node: taken.array, frame: origin.frame }).flatMap((one) => this.path(one, calls) ?? []);
    return paths.map((steps) => [...steps, taken.index]);
  }
}

/** What a chain of `then()`, `catch()` and `finally()` begins with. */
function chainStart(node: TSESTree.Node): TSESTree.Node {
  const at = unwrap(node);
  return is(at, 'CallExpression') && isPromiseChain(at) ? chainStart(at.callee.object) : at;
}

/** Whether a `then()` of the chain makes something else of the value. */
function isTransformed(node: TSESTree.Node): boolean {
  const at = unwrap(node);
  return is(at, 'CallExpression') && isPromiseChain(at) && ((memberName(at.callee) === 'then' && at.arguments.length > 0) || isTransformed(at.callee.object));
}

/** Whether a call waits for others, and one among them: `Promise.all([tryLock(), ...])`. */
const isAmong = (call: TSESTree.Node, value: TSESTree.Node): boolean => {
  const at = chainStart(value);
  return at !== call && is(at, 'CallExpression', 'UnaryExpression', 'LogicalExpression', 'BinaryExpression', 'ConditionalExpression') && [...walk(at, isFunction)].includes(call);
};

/** Where the value of a parameter comes from: the promise whose `then()` has the function. */
function given(owner: TSESTree.Node): TSESTree.Node | undefined {
  const call = isFunction(owner) ? owner.parent : undefined;
  return is(call, 'CallExpression') && isPromiseChain(call) && memberName(call.callee) === 'then' && call.arguments[0] === owner ? chainStart(call) : undefined;
}

/** A call and the calls of `catch()` and `finally()` chained on it: where it does not fail, all give the same. */
function withCatches(call: TSESTree.Node): TSESTree.Node[] {
  const member = call.parent;
  const outer = member && isMember(member) && member.object === call && /^(?:catch|finally)$/.test(memberName(member) ?? '') ? member.parent : undefined;
  return is(outer, 'CallExpression') && outer.callee === member ? [call, ...withCatches(outer)] : [call];
}

/** `rows.at(0)`, `rows.shift()` */
function elementOf({ callee, arguments: [first] }: TSESTree.CallExpression): { readonly array: TSESTree.Node; readonly index: string } | undefined {
  if (!isMember(callee)) return undefined;
  const name = memberName(callee);
  if (name === 'shift' || name === 'pop') return { array: callee.object, index: '0' };
  return name === 'at' && is(first, 'Literal') && typeof first.value === 'number' ? { array: callee.object, index: String(first.value) } : undefined;
}
