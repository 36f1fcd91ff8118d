import type { TSESTree } from '@typescript-eslint/utils';
import { isLendName, isReleaseName } from '../../drivers/index.js';
import type { Origins } from '../origins.js';
import { is, isClass, isFunction, isMember, isWaitedFor, memberName, unwrap, walk } from '../syntax.js';
import { failuresOf } from './failures.js';
import type { LockEvent, Tracked } from './lock-events.js';
import { canThrow, isAssertion, isMadeQuietly, isOfPromise, rootCall, waitedFor } from './throwing.js';
import type { TryAnswer } from './try-answer.js';

/** Which nodes of a function may throw, while it is followed for one lock. */
export class Throws {
  private readonly known = new Map<TSESTree.Node, boolean>();
  /** Nodes of the lock's own statements: what fails there, their events say. */
  private readonly own = new Set<TSESTree.Node>();

  constructor({ takenAt, freedAt }: Pick<Tracked, 'takenAt' | 'freedAt'>, private readonly events: ReadonlyMap<TSESTree.Node, LockEvent>, private readonly origins: Origins, private readonly answer: Pick<TryAnswer, 'isOpaque'>) {
    for (const one of [...(takenAt ? [takenAt] : []), ...freedAt.keys()]) for (const node of walk(one)) this.own.add(node);
  }

  at(node: TSESTree.Node): boolean {
    let known = this.known.get(node);
    if (known === undefined) {
      const isSaid = this.own.has(node) || (is(node, 'AwaitExpression', 'YieldExpression') && node.argument !== null && waitedFor(node.argument).every((one) => this.events.has(one)));
      this.known.set(node, known = canThrow(node) && !isSaid && !this.isQuiet(node));
    }
    return known;
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
    if (is(node, 'AwaitExpression')) return waitedFor(node.argument).every((one) => this.isKept(one));
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

  private isAwaitable(node: TSESTree.Node): boolean {
    const { types } = this.origins;
    const facts = types.declaredType(node);
    if (!facts && !types.isTyped) return isWaitedFor(node) || isOfPromise(node) || (is(node.parent, 'CallExpression') && node.parent.callee !== node && this.isKept(node.parent));
    return facts !== undefined && !facts.isAny && facts.isAwaitable;
  }
}
