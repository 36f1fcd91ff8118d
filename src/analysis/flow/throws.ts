import type { TSESTree } from '@typescript-eslint/utils';
import { isLendName, isReleaseName } from '../../drivers/index.js';
import { functionOf, variableOf } from '../values/names.js';
import { isLoading } from '../values/modules.js';
import type { Origins } from '../values/origins.js';
import { is, isClass, isFunction, isMember, isWaitedFor, memberName, uncast, unwrap, walk } from '../syntax.js';
import { failuresOf } from './failures.js';
import type { LockEvent, Tracked } from './lock-events.js';
import { isWrittenOnce } from './conditions/steady.js';
import { canThrow, isAssertion, isMadeQuietly, isOfPromise, isSafeCall, rootCall, swallows, waitedFor } from './call-kinds.js';
import type { TryAnswer } from './conditions/try-answer.js';

/** Which nodes of a function may throw, while it is followed for one lock. */
export class Throws {
  private readonly known = new Map<TSESTree.Node, boolean>();
  /** Nodes of the lock's own statements: what fails there, their events say. */
  private readonly own = new Set<TSESTree.Node>();

  /** The call that gives the connection with the lock. */
  private readonly opening: TSESTree.Node | undefined;

  constructor({ takenAt, freedAt, makers }: Pick<Tracked, 'takenAt' | 'freedAt' | 'makers'>, private readonly events: Pick<ReadonlyMap<TSESTree.Node, LockEvent>, 'has'>, private readonly origins: Origins, private readonly answer: Pick<TryAnswer, 'isOpaque'>) {
    for (const one of [...(takenAt ? [takenAt] : []), ...freedAt.keys()]) for (const node of walk(one)) this.own.add(node);
    this.opening = [...makers].some(({ call }) => call !== undefined && call === takenAt) ? takenAt : undefined;
  }

  at(node: TSESTree.Node): boolean {
    let known = this.known.get(node);
    if (known === undefined) {
      const isSaid = this.own.has(node) || (is(node, 'AwaitExpression', 'YieldExpression') && node.argument !== null && this.isSaid(waitedFor(node.argument)));
      this.known.set(node, known = canThrow(node) && !isSaid && !this.isQuiet(node));
    }
    return known;
  }

  /** Whether what is waited for fails, if at all, as a statement of the lock: what events say of it. */
  private isSaid(promises: readonly TSESTree.Node[]): boolean {
    // Whoever opens several connections at once has none of them where one fails: that is no path on which this one could be freed.
    if (promises.some((one) => this.isOpening(one))) return true;
    return promises.some((one) => this.isOfEvent(one)) && promises.every((one) => this.isOfEvent(one) || swallows(one) || !this.mayBePromise(one));
  }

  private isOpening(promise: TSESTree.Node): boolean {
    return this.opening !== undefined && (promise === this.opening || initOf(promise) === this.opening);
  }

  /** The statement, a name that its promise is kept by, or what a function makes of its promise: `timed('lock', client.query(...))`. */
  private isOfEvent(promise: TSESTree.Node): boolean {
    if (this.events.has(promise)) return true;
    if (is(promise, 'CallExpression')) return promise.arguments.some((one) => !isFunction(one) && this.events.has(unwrap(one)));
    const init = initOf(promise);
    return init !== undefined && this.isOfEvent(init);
  }

  /** Whether a function fails that is given by its name; what settles a promise, does not. */
  mayFail(handler: TSESTree.Node): boolean {
    const node = uncast(handler);
    if (isSafeCall({ callee: node }) || (is(node, 'Identifier') && isOfExecutor(node))) return false;
    const callee = is(node, 'Identifier') ? functionOf(node) : undefined;
    return !callee || [...walk(callee.body, isFunction)].some((one) => canThrow(one) || is(one, 'ThrowStatement'));
  }

  /** Whether a promise may reject by something else than a statement of the lock. */
  mayReject(promise: TSESTree.Node): boolean {
    return !this.events.has(unwrap(promise)) && !this.own.has(promise) && this.isAwaitable(promise) && !this.isKept(promise);
  }

  /** Whether a call is one of a function in view that keeps all errors to itself: `to(work())`. */
  isKept(call: TSESTree.Node): boolean {
    return failuresOf(this.origins).areKept(call);
  }

  /** A call that gives a promise fails where that is awaited; a function of the user's own fails where something in it may. */
  private isQuiet(node: TSESTree.Node): boolean {
    if (is(node, 'AwaitExpression')) return waitedFor(node.argument).every((one) => this.isKept(one) || isLoading(one, this.origins));
    if (is(node, 'NewExpression')) {
      const classes = this.origins.of({ node: node.callee, frame: undefined });
      return classes.length > 0 && classes.every((one) => one.kind === 'value' && isClass(one.node) && isMadeQuietly(one.node));
    }
    if (!is(node, 'CallExpression') && !is(node, 'TaggedTemplateExpression')) return false;
    if (this.isAwaitable(node) || (is(node, 'CallExpression') && this.isOfAnswer(node))) return true;
    // Giving a connection back, closing or lending it fails, if at all, where that is awaited.
    const name = is(node, 'CallExpression') && isMember(node.callee) ? memberName(node.callee) ?? '' : '';
    if (isReleaseName(name) || (isLendName(name) && isFunction((node as TSESTree.CallExpression).arguments.at(-1)))) return true;
    const entered = is(node, 'CallExpression') ? this.origins.calleeOf(node, undefined) : undefined;
    if (entered && this.isKept(node)) return true;
    return entered !== undefined && !entered.callee.async && ![...walk(entered.callee.body, isFunction)].some((one) => canThrow(one) || is(one, 'ThrowStatement'));
  }

  /** What is told the answer at once, a parser of the row, a metric, an event, or the rest of an assertion: `expect(ok).toBe(true)`. */
  private isOfAnswer({ callee, arguments: args }: TSESTree.CallExpression): boolean {
    if (args.some((one) => !isFunction(one) && this.answer.isOpaque(one))) return true;
    const object = isMember(callee) ? rootCall(callee.object) : undefined;
    return object !== undefined && isAssertion(object) && this.isOfAnswer(object);
  }

  /** Whether a value may be one that is waited for: literals are not, nor is what has a type that says so. */
  private mayBePromise(node: TSESTree.Node): boolean {
    if (is(node, 'Literal', 'TemplateLiteral', 'ObjectExpression', 'ArrayExpression') || isFunction(node)) return false;
    const facts = this.origins.types.declaredType(node);
    return !facts || facts.isAny || facts.isAwaitable;
  }

  private isAwaitable(node: TSESTree.Node): boolean {
    const { types } = this.origins;
    const facts = types.declaredType(node);
    if (!facts && !types.isTyped) return isWaitedFor(node) || isOfPromise(node) || (is(node.parent, 'CallExpression') && node.parent.callee !== node && this.isKept(node.parent));
    return facts !== undefined && !facts.isAny && facts.isAwaitable;
  }
}

/** What a name stands for that is written once. */
function initOf(name: TSESTree.Node): TSESTree.Node | undefined {
  const made = is(name, 'Identifier') && isWrittenOnce(name) ? variableOf(name)?.defs[0]?.node as TSESTree.Node | undefined : undefined;
  return is(made, 'VariableDeclarator') && made.init !== null ? unwrap(made.init) : undefined;
}

/** `resolve` of `new Promise((resolve) => ...)`. */
function isOfExecutor(name: TSESTree.Identifier): boolean {
  const made = variableOf(name)?.defs[0]?.node as TSESTree.Node | undefined;
  return isFunction(made) && is(made.parent, 'NewExpression') && is(made.parent.callee, 'Identifier') && made.parent.callee.name === 'Promise';
}
