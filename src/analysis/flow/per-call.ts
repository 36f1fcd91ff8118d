import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { sourceOf, treeOf } from '../../types/index.js';
import type { Connections } from '../connections/connections.js';
import { isWithoutSession } from '../connections/sessions.js';
import type { Reservation } from '../connections/reservations.js';
import type { Connection } from '../model.js';
import type { SessionEnds } from '../sessions/session-end.js';
import type { Sending } from '../statements/sendings.js';
import { frameAt } from '../values/frames.js';
import type { Makers } from '../values/makers.js';
import { variableOf } from '../values/names.js';
import type { Frame, Place } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { contains, functionAround, is, isFunction, uncast, walk, type FunctionNode } from '../syntax.js';
import { HeldLock } from './held.js';
import { FREES, type Lending } from './lending.js';
import { eventsOf, type Tracked } from './lock-events.js';
import { Budget } from './shared-code.js';
import type { TransactionEvents } from './transaction-events.js';

/** `keeps`: the connection goes back to its pool, with whatever locks it has; `ends`: it is closed. */
type Way = 'keeps' | 'ends' | 'unknown';

/** What a call really runs on, where a function of the user's own makes its connection for it alone. */
export interface PerCall {
  /** The handle that lends the connection; for a client that is made and closed, itself. */
  readonly handle: Place;
  readonly connection: Connection;
}

/** Functions of the user's own that reserve a connection, send what they are given, and give it back: each call of one may get another connection. */
export class ConnectionsPerCall {
  constructor(private readonly origins: Origins, private readonly connections: Connections, private readonly ends: SessionEnds, private readonly lending: Lending, private readonly events: TransactionEvents) {}

  of({ inner, others, handle, sent, says }: Sending, connection: Connection): PerCall | undefined {
    const [maker, ...more] = connection.makers;
    const { frame } = sent;
    if (!inner || !frame || others || says || !maker || more.length > 0 || (connection.kind !== 'reserved' && connection.kind !== 'single')) return undefined;
    const reservation = this.reservedAt(maker.node, frame);
    if (connection.kind === 'reserved' && !isWithoutSession(reservation?.from ?? connection)) return undefined;
    const way = this.wayBack(sent.node, frame, new Set([{ node: maker.node, call: undefined }]), connection);
    if (way === 'unknown') return undefined;
    if (way === 'keeps') return reservation && isWithoutSession(reservation.from) ? { handle: reservation.root, connection: reservation.from } : undefined;
    const text = `${connection.evidence.text}, made and closed by the call`;
    return { handle, connection: { ...connection, kind: 'stateless', makers: new Set(), complete: false, made: undefined, evidence: { ...connection.evidence, text }, over: connection } };
  }

  /** The call that a connection comes from: `pool.connect()`, or that of the callback which is lent it. */
  private reservedAt(node: TSESTree.Node, frame: Frame): Reservation | undefined {
    const { reservations } = this.connections;
    if (is(node, 'CallExpression')) return reservations.at(node, frameAt(node, frame), (member) => member.returns);
    const callback = functionAround(node);
    const call = callback?.parent;
    const index = callback?.params.findIndex((one) => contains(one, node));
    return is(call, 'CallExpression') ? reservations.at(call, frameAt(call, frame), (member) => member.callbackParameter === index) : undefined;
  }

  /** What becomes of the connection before the call of the file returns: the innermost function that does anything about it decides. */
  private wayBack(sent: TSESTree.Node, frame: Frame, makers: Makers, connection: Connection): Way {
    const callback = functionAround(sent);
    const lent = callback ? this.lending.lentTo(callback, connection.makers)?.returned : undefined;
    if (lent !== undefined) return this.mayFree(callback!, sent, makers, undefined) ? 'unknown' : lent;
    let at = sent;
    for (let entered: Frame | undefined = frame; entered; entered = entered.caller) {
      const { callee } = entered;
      if (treeOf(callee) !== treeOf(at) || !contains(callee, at)) continue;
      const way = this.wayIn(callee, at, makers);
      if (way) return way;
      at = entered.call;
    }
    return 'unknown';
  }

  /** `undefined` for a function that does nothing about it. */
  private wayIn(body: FunctionNode, at: TSESTree.Node, makers: Makers): Way | undefined {
    const carriers = new Set([...walk(body)].flatMap((one) => (is(one, 'Identifier') && variableOf(one) && this.ends.isOver(one, makers) ? [variableOf(one)!] : [])));
    const tracked: Tracked = { body, makers, acquire: undefined, takenAt: at, freedAt: new Map(), others: new Set(), lent: undefined, leftBy: 'return', eventsIn: () => new Map() };
    const events = eventsOf(tracked, this.ends, { carriers, isSummed: true });
    const kinds = new Set([...events.values()].map(({ kind }) => kind));
    if (kinds.has('handOn') || this.mayFree(body, at, makers, carriers)) return 'unknown';
    if (!kinds.has('release') && !kinds.has('destroy')) return undefined;
    try {
      const { leaks } = HeldLock.follow(tracked, events, this.origins, new Budget());
      if (leaks.some(({ kind }) => kind !== 'released' && kind !== 'thrown')) return 'unknown';
      return leaks.some(({ kind }) => kind === 'released') ? 'keeps' : leaks.length === 0 ? 'ends' : 'unknown';
    } catch (error) {
      if (error instanceof RangeError) return 'unknown';
      throw error;
    }
  }

  /** Whether code behind the statement may free the lock, or do the work that it is for: another statement that is not read, a function that is a parameter, or one that gets the connection. */
  private mayFree(body: FunctionNode, at: TSESTree.Node, makers: Makers, carriers: ReadonlySet<Scope.Variable> | undefined): boolean {
    return [...walk(body)].some((node) => {
      if (!is(node, 'CallExpression', 'TaggedTemplateExpression') || node.range[0] < at.range[1] || contains(node, at)) return false;
      if (FREES.test(sourceOf(node)) || this.events.statementAt(node, makers) === 'passed') return true;
      if (!is(node, 'CallExpression') || this.ends.releaseAt(node, makers)) return false;
      const callee = uncast(node.callee);
      const isParameter = is(callee, 'Identifier') && variableOf(callee)?.defs[0]?.type === 'Parameter' as never;
      return isParameter || node.arguments.some((one) => (is(one, 'Identifier') && carriers?.has(variableOf(one)!) === true) || (isFunction(one) && is(callee, 'Identifier')));
    });
  }
}
