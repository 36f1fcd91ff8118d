import type { TSESTree } from '@typescript-eslint/utils';
import { driverById, isGuise } from '../../drivers/index.js';
import { sourceOf, treeOf } from '../../types/index.js';
import type { Connections } from '../connections/connections.js';
import { isPinned, isWithoutSession } from '../connections/sessions.js';
import { idOf, idOfMakers, placesOf, type Makers } from '../values/makers.js';
import type { LockUse, SqlCall } from '../model.js';
import { variableOf } from '../values/names.js';
import { isAcquire, isUnlock, type Pairs } from '../pairs.js';
import { bodyAround, contains, functionAround, is, isFunction, isMember, memberName, uncast, walk, wrapped, type Body, type FunctionNode } from '../syntax.js';
import type { Interpreter } from './engine/interpreter.js';
import type { Lending } from './lending.js';
import { Budget, countBy, MIN_SHARING, NOWHERE, Overlay, Positions } from './shared-code.js';
import type { ConnectionWork, TransactionEvents } from './transaction-events.js';
import { waitsAfter, worksAfter } from './following.js';
import { TransactionFlow, type Followed, type TxEvent, type TxState } from './transaction-flow.js';

/** Why a transaction-level lock guards nothing. */
export type OutsideTransaction =
  /** Each statement may get another connection, and ends its own transaction. */
  | 'pooled'
  /** One connection, but no transaction is open there. */
  | 'autocommit'
  /** The root handle inside the callback of its own transaction. */
  | 'rootInside'
  /** The transaction has nothing in it but the lock, and the work comes after it. */
  | 'endsBeforeWork';

interface Together {
  readonly events: ReadonlyMap<TSESTree.Node, TxEvent>;
  readonly interpreter: Interpreter<TxState>;
}

/** Where transactions begin and end, and what that makes of the locks. */
export class Transactions {
  /** Unlocks that a failed statement makes fail, by their acquire. */
  readonly unlocksInAborted = new Map<LockUse, LockUse>();
  /** Session-level acquires inside a transaction that their session does not free after it. */
  readonly sessionInside = new Set<LockUse>();
  private readonly together = new Map<string, Together>();
  private readonly flows = new Map<SqlCall, Followed | undefined>();
  private readonly budget = new Budget();
  private taken: ReadonlyMap<TSESTree.Node, number> | undefined;
  private readonly openAt = new Map<LockUse, ReadonlySet<TxState['open']>>();

  constructor(private readonly uses: readonly LockUse[], private readonly pairs: Pairs, private readonly connections: Connections, private readonly events: TransactionEvents, private readonly lending: Lending) {
    for (const use of uses) if (isAcquire(use) && use.lock.function.level === 'session' && use.call.connection.kind === 'transaction') this.sessionInside.add(use);
    for (const use of uses) if (isAcquire(use) && isFollowed(use)) this.follow(use);
  }

  /** Proof that a transaction is open where a lock is taken: by its handle, or by text on the way to it. */
  isInside(use: LockUse): boolean {
    const { connection, statements } = use.call;
    const open = this.openAt.get(use);
    return connection.kind === 'transaction' || statements.some((one) => one.transaction === 'begin') || (open?.size === 1 && open.has('yes'));
  }

  /** Proof that a session-level lock is freed before the transaction is over in which it is taken. */
  isFreedInside(acquire: LockUse): boolean {
    const unlocks = this.pairs.unlocksOf(acquire);
    return this.isInside(acquire) && unlocks.length > 0 && [acquire, ...unlocks].every((one) => one.call.connection.kind === 'transaction' || [...this.flowTo(one)?.openAtLock ?? ['unknown']].every((open) => open === 'yes' || open === 'aborted'));
  }

  /** Proof that a transaction-level lock is not in a transaction that lasts for its work. */
  outsideOf(use: LockUse): OutsideTransaction | undefined {
    const { connection, statements } = use.call;
    if (statements.some((one) => one.transaction === 'begin') || statements.some((one) => one.locks.includes(use.lock) && one.doesWork) || followedByWork(use)) return undefined;
    if (this.isRootInside(use)) return 'rootInside';
    if (isWithoutSession(connection) && !connection.isOneClient) return connection.mayJoin ? undefined : 'pooled';
    if (connection.kind === 'transaction') return this.endsBeforeWork(use) ? 'endsBeforeWork' : undefined;
    if (!isPinned(connection) && !connection.isOneClient) return undefined;
    const open = this.openAt.get(use);
    if (open?.size === 1 && open.has('no')) return 'autocommit';
    return this.isAloneInside(use) || this.isAloneInLent(use) ? 'endsBeforeWork' : undefined;
  }

  // ---- BEGIN and COMMIT as text

  private follow(use: LockUse): void {
    const said = this.flowTo(use);
    if (!said) return;
    this.openAt.set(use, said.openAtLock);
    if (use.lock.function.level !== 'session') return;
    if (said.openAtLock.has('yes') && !said.isFreedAfter) this.sessionInside.add(use);
    for (const node of said.unlocksInAborted) {
      const unlock = this.uses.find((one) => one.call.node === node && isUnlock(one));
      if (unlock && !this.sessionInside.has(use)) this.unlocksInAborted.set(unlock, use);
    }
  }

  /** The locks of one call are taken together. */
  private flowTo(use: LockUse): Followed | undefined {
    if (!this.flows.has(use.call)) this.flows.set(use.call, this.findFlow(use));
    return this.flows.get(use.call);
  }

  private findFlow(use: LockUse): Followed | undefined {
    const body = bodyAround(use.call.node);
    const { makers, complete } = use.call.connection;
    const isMadeIn = (node: TSESTree.Node): boolean => complete && placesOf(makers).every((maker) => treeOf(maker) === treeOf(node) && contains(node, maker));
    const isOfModule = use.call.connection.kind === 'single' && isMadeIn(treeOf(body).ast) && placesOf(makers).every((maker) => !functionAround(maker));
    const start = isMadeIn(body) || (isOfModule && !this.beginsAnywhere(body, makers)) ? 'no' : isFunction(body) ? this.lending.openIn(body, makers) : 'unknown';
    const work = this.workOn(use);
    const together = this.takenIn(body) < MIN_SHARING ? undefined : this.togetherIn(body, work);
    const { budget } = this;
    if (!together) return new TransactionFlow(work.at, this.events.in(body, work), start).run(body, { budget });
    const own = new Map<TSESTree.Node, TxEvent>([...[...work.unlocks].map((one) => [one, 'unlock'] as const), [work.at, 'lock']]);
    const positions = new Positions(own.keys());
    const isOwn = (from: number, to: number): boolean => positions.areIn(from, to) || (work.at.range[0] <= from && to <= work.at.range[1]);
    const said = new TransactionFlow(work.at, new Overlay(together.events, own), start).run(body, { budget, code: { interpreter: together.interpreter, isOwn, skipped: () => undefined } });
    if (!said) this.together.clear(); // what was run half is not to be used
    return said;
  }

  /** What a function does on one connection, whichever lock is looked at. */
  private togetherIn(body: Body, work: ConnectionWork): Together {
    const names = [...work.carriers, work.sender].map((one) => one?.identifiers[0]?.range[0] ?? '').join();
    const key = `${idOf(body)} ${idOfMakers(work.makers)} ${names}`;
    let found = this.together.get(key);
    if (!found) {
      const events = this.events.in(body, { ...work, at: NOWHERE, unlocks: new Set() });
      this.together.set(key, found = { events, interpreter: TransactionFlow.interpreterOf(events, this.budget) });
    }
    return found;
  }

  /** How many locks a function takes itself. */
  private takenIn(body: Body): number {
    this.taken ??= countBy(this.uses.filter((use) => isAcquire(use)).map((use) => bodyAround(use.call.node)));
    return this.taken.get(body) ?? 0;
  }

  /** Whether any code of the file opens a transaction on a connection by text. */
  private beginsAnywhere(node: TSESTree.Node, makers: Makers): boolean {
    return [...walk(treeOf(node).ast)].some((one) => (is(one, 'CallExpression') || is(one, 'TaggedTemplateExpression')) && this.events.statementAt(one, makers) === 'begin');
  }

  private workOn({ call }: LockUse): ConnectionWork {
    const callee = is(call.node, 'CallExpression') ? uncast(call.node.callee) : undefined;
    const sender = callee && is(callee, 'Identifier') ? variableOf(callee) : undefined;
    const root = uncast(call.handle);
    const carrier = is(root, 'Identifier') ? variableOf(root) : undefined;
    const unlocks = new Set(this.uses.filter((one) => isUnlock(one) && this.pairs.of(one)?.acquire.call === call).map((one) => one.call.node));
    return { at: call.node, makers: call.connection.makers, unlocks, carriers: new Set([sender, carrier].filter((one) => one !== undefined)), sender };
  }

  // ---- transactions with a callback

  /** `db.transaction(async (tx) => { await db.execute(lock) })`: the root handle is on another connection than its transaction. */
  private isRootInside(use: LockUse): boolean {
    const { connection, handle, node } = use.call;
    if (connection.kind === 'transaction' || this.connections.isAmbient(driverById(connection.driver))) return false;
    for (let callback = functionAround(node); callback; callback = functionAround(callback)) {
      const opened = this.transactionOpenedBy(callback);
      if (!opened) continue;
      const isPinnedRoot = isPinned(opened.connection) && opened.connection.kind !== 'single';
      const [root, sent] = [underived(opened.root), underived(handle)];
      if (!isPinnedRoot && sourceOf(root) === sourceOf(sent) && (opened.connection.kind !== 'single')) return isSameVariable(root, sent);
    }
    return false;
  }

  /** The handle whose transaction a callback is the work of. */
  private transactionOpenedBy(callback: FunctionNode): { root: TSESTree.Expression; connection: ReturnType<Connections['of']>; call: TSESTree.CallExpression } | undefined {
    const call = callback.parent;
    if (!is(call, 'CallExpression') || !call.arguments.includes(callback as TSESTree.CallExpressionArgument)) return undefined;
    const opened = this.connections.reservations.at(call, undefined, (member) => member.gives === 'transaction' && member.callbackParameter !== undefined);
    return opened && { root: opened.root.node as TSESTree.Expression, connection: opened.from, call };
  }

  /** The callback has the lock in it and nothing else, and the function around goes on with other work. */
  private endsBeforeWork({ call }: LockUse): boolean {
    const callback = functionAround(call.node);
    if (this.isEndedNext(call) || this.isAloneInBatch(call)) return true;
    const opened = callback && this.transactionOpenedBy(callback);
    if (!opened) return this.isAloneInLent({ call });
    return opened.connection.kind !== 'transaction' && isAloneIn(callback, call) && worksAfter(opened.call);
  }

  /** The same for a function of the user's own that opens the transaction around its callback and ends it: `await inTransaction(async (client) => lock); await work();` */
  private isAloneInLent({ call }: Pick<LockUse, 'call'>): boolean {
    const callback = functionAround(call.node);
    const outer = callback?.parent;
    if (!callback || !is(outer, 'CallExpression') || !outer.arguments.includes(callback as TSESTree.CallExpressionArgument) || !isAloneIn(callback, call) || !waitsAfter(outer)) return false;
    return this.lending.isWholeTransaction(callback, call.connection.makers);
  }

  /** `await prisma.$transaction([lock]); await work();`: all that is in the batch are locks. */
  private isAloneInBatch({ node }: LockUse['call']): boolean {
    const list = wrapped(node, false).parent;
    const call = list?.parent;
    if (!is(list, 'ArrayExpression') || !is(call, 'CallExpression')) return false;
    const index = call.arguments.indexOf(list);
    const isLocking = (one: TSESTree.Node | null): boolean => one !== null && this.uses.some((use) => isAcquire(use) && use.call.node === uncast(one) && !use.call.statements.some(({ doesWork }) => doesWork));
    if (!list.elements.every(isLocking) || !worksAfter(call)) return false;
    const sent = this.connections.reservations.at(call, undefined, (member) => member.batch === index);
    return sent !== undefined && sent.from.kind !== 'transaction';
  }

  /** `await lock; await trx.commit(); await work();`, also where COMMIT is text. */
  private isEndedNext({ node, connection }: LockUse['call']): boolean {
    const end = this.eventNextTo(node, connection.makers, 'after');
    return end?.event === 'end' && worksAfter(end.node);
  }

  /** `await client.query('BEGIN'); await lock; await client.query('COMMIT'); await work();` */
  private isAloneInside({ call }: LockUse): boolean {
    const { node, connection: { makers } } = call;
    const end = this.eventNextTo(node, makers, 'before')?.event === 'begin' ? this.eventNextTo(node, makers, 'after') : undefined;
    return end?.event === 'end' && waitsAfter(end.node);
  }

  /** What the statement next to a node's own does to a transaction, where it does nothing else. Statements without calls, and settings before it, do not count. */
  private eventNextTo(node: TSESTree.Node, makers: Makers, side: 'before' | 'after'): { readonly event: TxEvent | undefined; readonly node: TSESTree.Node } | undefined {
    for (let at = statementOf(node), next = at && besides(at, side); at && next; at = next, next = besides(at, side)) {
      const calls = [...walk(next)].filter((one) => is(one, 'CallExpression') || is(one, 'TaggedTemplateExpression') || is(one, 'NewExpression'));
      const [only, ...more] = calls.filter((one) => !calls.some((other) => other !== one && contains(other, one)));
      if (!only && /^(?:Variable|Expression)/.test(next.type)) continue;
      if (!only || more.length > 0 || is(only, 'NewExpression') || !/^(?:Variable|Expression)/.test(next.type)) return undefined;
      // `trx.commit().execute()`
      const events = calls.flatMap((one) => (is(one, 'NewExpression') ? [] : this.events.statementAt(one, makers) ?? []));
      const event = events.find((one) => one !== 'sql') ?? events[0];
      if (event !== 'sql' || side === 'after' || !this.events.isSetting(only)) return { event, node: only };
    }
    return undefined;
  }
}

/** Whether a function calls nothing but what takes the lock. */
function isAloneIn({ body }: FunctionNode, { node: taking }: SqlCall): boolean {
  const isCall = (node: TSESTree.Node): boolean => is(node, 'CallExpression') || (is(node, 'TaggedTemplateExpression') && !is(node.parent, 'TemplateLiteral'));
  return ![...walk(body)].some((node) => isCall(node) && !contains(taking, node) && !contains(node, taking));
}

/** The statement before or after another one in its block; before the first one of a `try`, the one before that. */
function besides(statement: TSESTree.Node, side: 'before' | 'after'): TSESTree.Node | undefined {
  const block = statement.parent;
  if (!is(block, 'BlockStatement') && !is(block, 'Program')) return undefined;
  const found = block.body[block.body.indexOf(statement as TSESTree.Statement) + (side === 'after' ? 1 : -1)];
  const isFirstOfTry = side === 'before' && !found && is(block.parent, 'TryStatement') && block.parent.block === block;
  return found ?? (isFirstOfTry ? besides(block.parent, side) : undefined);
}

function statementOf(node: TSESTree.Node): TSESTree.Node | undefined {
  let at: TSESTree.Node | undefined = node;
  while (at && !/Statement$|^VariableDeclaration$/.test(at.type)) at = at.parent;
  return at;
}

const isFollowed = ({ call: { connection } }: LockUse): boolean => connection.kind === 'reserved' || connection.kind === 'single' || connection.isOneClient;

/** Work in the same string of several statements is one implicit transaction with the lock. */
function followedByWork({ call, lock }: LockUse): boolean {
  const at = call.statements.findIndex((one) => one.locks.includes(lock));
  return call.statements.slice(at + 1).some((one) => one.doesWork);
}

function isSameVariable(one: TSESTree.Node, other: TSESTree.Node): boolean {
  const [root, same] = [rootOf(one), rootOf(other)];
  if (is(root, 'ThisExpression')) return is(same, 'ThisExpression');
  return is(root, 'Identifier') && is(same, 'Identifier') && variableOf(root) === variableOf(same);
}

/** The handle that another one is made of, which sends to the same connections: `db` of `db.withSchema('app')`. */
function underived(node: TSESTree.Node): TSESTree.Node {
  const at = uncast(node);
  if (!is(at, 'CallExpression') || !isMember(at.callee)) return at;
  const name = memberName(at.callee);
  return name !== undefined && isGuise(name) ? underived(at.callee.object) : at;
}

function rootOf(node: TSESTree.Node): TSESTree.Node {
  const at = uncast(node);
  return isMember(at) ? rootOf(at.object) : at;
}
