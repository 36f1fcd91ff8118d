import type { TSESTree } from '@typescript-eslint/utils';
import { sourceOf, treeOf } from '../../types/index.js';
import { Callers } from '../values/callers.js';
import type { Connections } from '../connections/connections.js';
import { isPinned } from '../connections/sessions.js';
import { workerAround } from '../in-place.js';
import { hasNode, type Makers } from '../values/makers.js';
import type { Connection, LockUse } from '../model.js';
import { variableOf } from '../values/names.js';
import type { Frame } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import type { Done, SessionEnds } from '../sessions/session-end.js';
import { contains, functionAround, is, isFunction, isMember, memberName, uncast, walk, type FunctionNode } from '../syntax.js';
import { HeldLock } from './held.js';
import { eventsOf, type GivenBack, type Lent, type Tracked } from './lock-events.js';
import { Budget } from './shared-code.js';
import type { TransactionEvents } from './transaction-events.js';
import { TransactionFlow, type TxState } from './transaction-flow.js';

type Open = TxState['open'];

/** A call of a parameter, `fn(client)`, in a function of the user's own that lends a connection to it. */
interface Loan {
  readonly call: TSESTree.CallExpression | TSESTree.NewExpression;
  /** The function around the call. */
  readonly lender: FunctionNode;
  /** The connection, as the lender sees it. */
  readonly makers: Makers;
  /** Whether it is all known, and made by the lender. */
  readonly isMade: boolean;
}

const MAX_LENDERS = 5;

/** What can free a lock, or hide that something does. */
export const FREES = /advisory|discard\s+all/i;

/** What the user's own functions do to the connection that they lend to a callback: `withClient(fn)`, `inTransaction(fn)`. */
export class Lending {
  private readonly callers: Callers;
  private readonly opened = new Map<FunctionNode, Open>();
  private readonly lent = new Map<FunctionNode, Lent | undefined>();

  constructor(private readonly origins: Origins, private readonly connections: Connections, private readonly ends: SessionEnds, private readonly events: TransactionEvents) {
    this.callers = new Callers(origins);
  }

  /** Whether a transaction is open where a callback gets its connection. */
  openIn(callback: FunctionNode, makers: Makers, depth = 0): Open {
    let known = this.opened.get(callback);
    if (known === undefined) this.opened.set(callback, known = this.findOpen(callback, makers, depth));
    return known;
  }

  private findOpen(callback: FunctionNode, makers: Makers, depth: number): Open {
    const found = new Set<Open>();
    for (const loan of this.loansOf(callback, makers, depth) ?? []) {
      const start = loan.isMade ? 'no' : this.openIn(loan.lender, loan.makers, depth + 1);
      const flow = new TransactionFlow(loan.call, this.eventsOf(loan), start);
      for (const one of flow.run(loan.lender)?.openAtLock ?? ['unknown' as const]) found.add(one);
    }
    const [only = 'unknown', ...more] = found;
    return more.length === 0 ? only : 'unknown';
  }

  private eventsOf(loan: Loan): ReturnType<TransactionEvents['in']> {
    const { call: at, lender, makers } = loan;
    return this.events.in(lender, { at, makers, unlocks: new Set(), carriers: this.carriersOf(loan), sender: undefined });
  }

  /** Whether a callback is all that is done in its transaction, which is over when the function that was given it returns. */
  isWholeTransaction(callback: FunctionNode, makers: Makers): boolean {
    const { calls, handed, isAll } = this.callers.runsOf(callback);
    if (calls.length === 0) return handed.length > 0 && handed.every(({ call, frame, position }) => is(call, 'CallExpression') && this.opensAt(call, frame, position));
    return isAll && handed.length === 0 && calls.every(({ call }) => this.isWholeAt(call, makers));
  }

  private isWholeAt(call: Loan['call'], makers: Makers): boolean {
    const around = functionAround(call);
    const opening = around?.parent;
    const isOnly = (node: TSESTree.Node): boolean => (is(node, 'CallExpression') || is(node, 'TaggedTemplateExpression')) && node !== call && !contains(call, node);
    if (around && is(opening, 'CallExpression') && this.opensAt(opening, undefined, opening.arguments.indexOf(around as never))) return ![...walk(around.body)].some(isOnly);
    const loan = this.loanAt(call, makers);
    if (!loan?.isMade) return false;
    const events = this.eventsOf(loan);
    const isPlain = (node: TSESTree.Node): boolean => {
      const event = events.get(node);
      return node === call || event === 'begin' || event === 'end' || (is(node, 'CallExpression') && ((event === 'sql' && this.events.isSetting(node)) || [...loan.makers].some((maker) => contains(node, maker.node)) || this.ends.releaseAt(node, loan.makers) !== undefined));
    };
    const waits = [...walk(loan.lender)].flatMap((node) => (is(node, 'AwaitExpression') ? heard(node.argument) : events.has(node) ? node : []));
    const ends = waits.every(isPlain) ? new TransactionFlow(call, events, 'no').run(loan.lender)?.openAtEnd : undefined;
    return ends?.size === 1 && ends.has('no');
  }

  private opensAt(call: TSESTree.CallExpression, frame: Frame | undefined, position: number): boolean {
    const opened = this.connections.reservations.at(call, frame, (member) => member.gives === 'transaction' && member.callbackParameter !== undefined);
    return opened !== undefined && opened.from.kind !== 'transaction' && position >= 0;
  }

  /** What whoever has lent a connection does to its session once the function around a statement has returned. */
  doneBehind({ call: { node, connection } }: LockUse): Done | undefined {
    const callback = isPinned(connection) ? workerAround(node) : undefined;
    return callback && this.lentTo(callback, connection.makers)?.returned === 'ends' ? 'destroys' : undefined;
  }

  /** What becomes of the session of a connection that is lent to a callback, when that returns or throws; `undefined` where it is not lent, or nothing is known of it. */
  lentTo(callback: TSESTree.Node, makers: Makers, depth = 0): Lent | undefined {
    if (!isFunction(callback)) return undefined;
    const said = this.ends.lentTo(callback, makers);
    if (said) return { returned: said, thrown: said, isOwn: false };
    if (!this.lent.has(callback)) this.lent.set(callback, this.findLent(callback, makers, depth));
    return this.lent.get(callback);
  }

  private findLent(callback: FunctionNode, makers: Makers, depth: number): Lent | undefined {
    const loans = this.loansOf(callback, makers, depth);
    if (!loans || loans.length === 0) return undefined;
    const all = loans.map((loan): Omit<Lent, 'isOwn'> => (this.mayFree(loan) ? { returned: 'unknown', thrown: 'unknown' } : { returned: this.givenBack(loan, false, depth), thrown: this.givenBack(loan, true, depth) }));
    return { returned: agreed(all.map(({ returned }) => returned)), thrown: agreed(all.map(({ thrown }) => thrown)), isOwn: true };
  }

  /** What the lender does with the connection once the callback is done. */
  private givenBack(loan: Loan, hasThrown: boolean, depth: number): GivenBack {
    const { lender, makers, call } = loan;
    const lent = this.lentTo(lender, makers, depth + 1);
    const base = { makers, acquire: undefined, freedAt: new Map(), others: new Set<TSESTree.Node>() } as const;
    const eventsIn = (callee: FunctionNode, at?: TSESTree.CallExpression): ReturnType<typeof eventsOf> => {
      const seen = at ? this.ends.seenBy(at, callee, makers) : makers;
      const events = eventsOf({ ...base, makers: seen, body: callee, takenAt: undefined, lent: undefined, eventsIn: () => new Map() }, this.ends, { isSummed: true });
      return new Map([...events].filter(([, { kind }]) => kind !== 'handOn'));
    };
    const tracked: Tracked = { ...base, body: lender, takenAt: call, lent, leftBy: hasThrown ? 'throw' : 'return', eventsIn };
    try {
      const events = eventsOf(tracked, this.ends, { isSummed: true });
      const { leaks } = HeldLock.follow(tracked, events, this.origins, new Budget());
      if (leaks.length > 0) return leaks.every(({ kind }) => kind === 'released') ? 'keeps' : 'unknown';
      // A connection that is neither given back nor closed here is somebody else's to see to.
      const way = lent?.[hasThrown ? 'thrown' : 'returned'];
      return way === 'ends' || (way === undefined && [...events.values()].some(({ kind }) => kind === 'destroy' || kind === 'release')) ? 'ends' : 'unknown';
    } catch (error) {
      if (error instanceof RangeError) return 'unknown';
      throw error;
    }
  }

  /** Whether the lender itself may free what the callback has left, by `pg_advisory_unlock_all` or the like. */
  private mayFree({ lender, makers }: Loan): boolean {
    if (FREES.test(sourceOf(lender))) return true;
    return [...walk(lender)].some((node) => {
      const isGiven = is(node, 'CallExpression') && node.arguments.some((one) => is(one, 'Identifier') && this.ends.isOver(one, makers));
      const callee = isGiven ? this.origins.calleeOf(node, undefined)?.callee : undefined;
      return callee !== undefined && FREES.test(sourceOf(callee));
    });
  }

  /** The calls that lend a connection to a callback; `undefined` where they are not all in view. */
  private loansOf(callback: FunctionNode, makers: Makers, depth: number): Loan[] | undefined {
    const { calls, isAll } = this.callers.runsOf(callback);
    if (!isAll || depth > MAX_LENDERS) return undefined;
    const loans = calls.map(({ call }) => this.loanAt(call, makers));
    return loans.every((one) => one !== undefined) ? loans : undefined;
  }

  private loanAt(call: Loan['call'], seen: Makers): Loan | undefined {
    const lender = functionAround(call);
    if (!lender) return undefined;
    const isIn = (node: TSESTree.Node): boolean => treeOf(node) === treeOf(lender) && contains(lender, node);
    // What the callback sees may be a function over the connection, and no argument that is one.
    const own = [...seen].filter(({ node }) => isIn(node) && !lender.params.includes(node as never));
    if (own.length > 0 && own.length === seen.size) return { call, lender, makers: seen, isMade: true };
    const inPlay = (one: TSESTree.Node): Connection[] => {
      const connection = is(one, 'Identifier') ? this.connections.of({ node: one, frame: undefined }) : undefined;
      return connection && connection.makers.size > 0 ? [connection] : [];
    };
    const [given] = [...call.arguments.flatMap(inPlay), ...lender.params.flatMap((one) => (is(one, 'Identifier') ? variableOf(one)?.references.slice(0, 1).flatMap(({ identifier }) => inPlay(identifier)) ?? [] : [])).filter((one) => [...one.makers].some(({ node }) => hasNode(seen, node)))];
    if (!given) return undefined;
    return { call, lender, makers: given.makers, isMade: given.complete && [...given.makers].every(({ node }) => isIn(node) && !lender.params.includes(node as never)) };
  }

  private carriersOf({ call }: Loan): Set<NonNullable<ReturnType<typeof variableOf>>> {
    return new Set(call.arguments.flatMap((one) => (is(one, 'Identifier') ? variableOf(one) ?? [] : [])));
  }
}

/** What is waited for, without who hears of its failure: `client.query('ROLLBACK').catch(() => undefined)`. */
function heard(node: TSESTree.Node): TSESTree.Node {
  const at = uncast(node);
  return is(at, 'CallExpression') && isMember(at.callee) && memberName(at.callee) === 'catch' ? heard(at.callee.object) : at;
}

function agreed(all: readonly GivenBack[]): GivenBack {
  const [first = 'unknown'] = all;
  return all.every((one) => one === first) ? first : 'unknown';
}
