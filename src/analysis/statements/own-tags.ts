import type { TSESTree } from '@typescript-eslint/utils';
import { driverById, isRunName, runOf } from '../../drivers/index.js';
import type { Connections } from '../connections/connections.js';
import type { GivenBack } from '../helpers/given-back.js';
import { variableOf } from '../values/names.js';
import type { Frame, Place } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import type { Sending } from './sendings.js';
import { callsIn, is, isMember, memberName, unwrap, type CallNode } from '../syntax.js';

/** The call inside a tag of the user's own that sends its template. */
interface SentByTag extends Pick<Sending, 'handle' | 'run'> {
  readonly inner: TSESTree.CallExpression;
}

/** How many calls are looked at for one use of a tag, and how many functions that call one another stand between it and what sends its template. */
const [MAX_CALLS, MAX_TAG_CALLS] = [500, 2];

/** Template tags of the user's own, functions and methods, that send their template by a handle. */
export class OwnTags {
  private budget = 0;

  constructor(private readonly origins: Origins, private readonly connections: Connections, private readonly givenBack: GivenBack) {}

  /** A tag of the user's own that hands its template on to one, `(strings, ...values) => sql(strings, ...values)`, or sends what it makes of it: `pool.query(strings.join('?'), values)`. */
  at(node: TSESTree.TaggedTemplateExpression, frame: Frame | undefined): Partial<Sending> & Pick<Sending, 'handle' | 'run'> | undefined {
    const entered = this.origins.calleeOf(node, frame);
    const [strings, values] = entered?.callee.params ?? [];
    if (!entered || !is(strings, 'Identifier') || !(values === undefined || is(values, 'RestElement'))) return undefined;
    this.budget = MAX_CALLS;
    const given = variableOf(strings);
    const calls = callsIn(entered.callee).filter((one) => is(one, 'CallExpression'));
    const handing = calls.find(({ arguments: [first, second, ...more] }) => is(first, 'Identifier') && variableOf(first) === given && is(second, 'SpreadElement') && more.length === 0);
    const sent = (handing && this.sentByTag(handing, entered.frame)) ?? this.onlySent(calls, entered.frame);
    if (!sent) return undefined;
    const { inner, ...to } = sent;
    const sending: Sending = { ...to, sent: { node: inner, frame: entered.frame }, texts: [], values: undefined, arrayRows: false, argument: undefined };
    return { ...to, ...this.givenBack.by(entered, sending, inner, new Set([inner])) };
  }

  /** By a method of a handle, or by a handle that is a tag itself: a field may be called as a method of some library is, `this.sql(strings, ...values)`. */
  private sentByTag(inner: TSESTree.CallExpression, frame: Frame): SentByTag | undefined {
    const callee = unwrap(inner.callee);
    const name = isMember(callee) ? memberName(callee) : undefined;
    const object: Place | undefined = isMember(callee) && name !== undefined && isRunName(name) ? { node: callee.object, frame } : undefined;
    const run = object && runOf(driverById(this.connections.of(object).driver), name!);
    if (run) return { handle: object, run, inner };
    const handle: Place = { node: callee, frame };
    const tag = driverById(this.connections.of(handle).driver)?.tag;
    return tag && { handle, run: tag, inner };
  }

  /** The one call of a tag, or of a function that it calls, that sends anything, and whose text does not stand there: a tag that only builds SQL has none. */
  private onlySent(calls: readonly TSESTree.CallExpression[], frame: Frame): SentByTag | undefined {
    const [only, ...more] = this.allSent(calls, frame, MAX_TAG_CALLS);
    const text = only && typeof only.run.sql === 'number' ? only.inner.arguments[only.run.sql] : undefined;
    return text && more.length === 0 && !is(unwrap(text), 'Literal') ? only : undefined;
  }

  private allSent(calls: readonly CallNode[], frame: Frame, depth: number): SentByTag[] {
    return calls.flatMap((one): SentByTag[] => {
      const sent = is(one, 'CallExpression') && isRunMember(one) ? this.sentByTag(one, frame) : undefined;
      const entered = sent || depth === 0 || --this.budget < 0 ? undefined : this.origins.calleeOf(one, frame);
      return sent ? [sent] : entered ? this.allSent(callsIn(entered.callee), entered.frame, depth - 1) : [];
    });
  }
}

const isRunMember = ({ callee }: TSESTree.CallExpression): boolean => isMember(callee) && isRunName(memberName(callee) ?? '');
