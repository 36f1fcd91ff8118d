import type { TSESTree } from '@typescript-eslint/utils';
import { driverById, isRunName, isTransactionName, isTransactionQuestion } from '../../drivers/index.js';
import { sourceOf, treeOf } from '../../types/index.js';
import { isPinned, isWithoutSession, type Connections } from '../connections.js';
import { overlaps, placesOf, type Makers } from '../makers.js';
import type { LockUse } from '../model.js';
import { variableOf } from '../names.js';
import { isAcquire, isUnlock, type Pairs } from '../pairs.js';
import { literalText, type SqlTexts } from '../sql-text.js';
import { contains, functionAround, is, isFunction, isMember, memberName, uncast, unwrap, walk, type FunctionNode } from '../syntax.js';
import { Interpreter } from './interpreter.js';
import type { State } from './outcome.js';
import { canThrow, runsArguments } from './throwing.js';
import type { Effect, Round, Transfer } from './transfer.js';

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

interface TxState extends State {
  readonly open: 'no' | 'yes' | 'aborted' | 'unknown';
  /** Where the session-level lock was taken. */
  readonly taken: 'no' | 'before' | 'inside';
}

const txState = (open: TxState['open'], taken: TxState['taken']): TxState => ({ open, taken, key: `${open} ${taken}` });

const BEGINS = /^\s*(?:begin|start\s+transaction)\b(?![^]*\b(?:commit|rollback)\b)/i;
const ENDS = /^\s*(?:commit|end|rollback(?!\s+(?:work\s+|transaction\s+)?to\b)|abort)\b/i;

/** Where transactions begin and end, and what that makes of the locks. */
export class Transactions {
  /** Unlocks that a failed statement makes fail, by their acquire. */
  readonly unlocksInAborted = new Map<LockUse, LockUse>();
  /** Session-level acquires inside a transaction that their session does not free after it. */
  readonly sessionInside = new Set<LockUse>();
  private readonly openAt = new Map<LockUse, ReadonlySet<TxState['open']>>();

  constructor(private readonly uses: readonly LockUse[], private readonly pairs: Pairs, private readonly connections: Connections, private readonly texts: SqlTexts) {
    for (const use of uses) if (isAcquire(use) && use.lock.function.level === 'session' && use.call.connection.kind === 'transaction') this.sessionInside.add(use);
    for (const use of uses) if (isAcquire(use) && isFollowed(use)) this.follow(use);
  }

  /** Proof that a transaction is open where a lock is taken: by its handle, or by text on the way to it. */
  isInside(use: LockUse): boolean {
    const { connection, statements } = use.call;
    const open = this.openAt.get(use);
    return connection.kind === 'transaction' || statements.some((one) => one.transaction === 'begin') || (open?.size === 1 && open.has('yes'));
  }

  /** Proof that a transaction-level lock is not in a transaction that lasts for its work. */
  outsideOf(use: LockUse): OutsideTransaction | undefined {
    const { connection, statements } = use.call;
    if (statements.some((one) => one.transaction === 'begin') || statements.some((one) => one.locks.includes(use.lock) && one.doesWork) || followedByWork(use)) return undefined;
    if (this.isRootInside(use)) return 'rootInside';
    if (isWithoutSession(connection) && !connection.isOneClient) return 'pooled';
    if (connection.kind === 'transaction') return this.endsBeforeWork(use) ? 'endsBeforeWork' : undefined;
    const open = this.openAt.get(use);
    if (open?.size !== 1 || !(isPinned(connection) || connection.isOneClient)) return undefined;
    if (open.has('yes')) return this.isEndedNext(use.call) ? 'endsBeforeWork' : undefined;
    return open.has('no') ? 'autocommit' : undefined;
  }

  // ---- BEGIN and COMMIT as text

  private follow(use: LockUse): void {
    const body = functionAround(use.call.node) ?? treeOf(use.call.node).ast;
    const { makers, complete } = use.call.connection;
    const isMadeIn = (node: TSESTree.Node): boolean => complete && placesOf(makers).every((maker) => treeOf(maker) === treeOf(node) && contains(node, maker));
    const isOfModule = use.call.connection.kind === 'single' && isMadeIn(treeOf(body).ast) && placesOf(makers).every((maker) => !functionAround(maker));
    const flow = new TransactionFlow(use, this.eventsIn(body, use), isMadeIn(body) || (isOfModule && !this.beginsAnywhere(body, makers)) ? 'no' : 'unknown');
    const said = flow.run(body);
    if (!said) return;
    this.openAt.set(use, said.openAtLock);
    if (use.lock.function.level !== 'session') return;
    if (said.openAtLock.has('yes') && !said.isFreedAfter) this.sessionInside.add(use);
    for (const node of said.unlocksInAborted) {
      const unlock = this.uses.find((one) => one.call.node === node && isUnlock(one));
      if (unlock && !this.sessionInside.has(use)) this.unlocksInAborted.set(unlock, use);
    }
  }

  /** Whether any code of the file opens a transaction on a connection by text. */
  private beginsAnywhere(node: TSESTree.Node, makers: Makers): boolean {
    return [...walk(treeOf(node).ast)].some((one) => (is(one, 'CallExpression') || is(one, 'TaggedTemplateExpression')) && this.statementAt(one, makers) === 'begin');
  }

  private eventsIn(body: TSESTree.Node, use: LockUse): Map<TSESTree.Node, TxEvent> {
    const events = new Map<TSESTree.Node, TxEvent>();
    const { makers } = use.call.connection;
    const unlocks = new Set(this.pairs.unlocksOf(use).map((one) => one.call.node));
    const root = uncast(use.call.handle);
    const carrier = is(root, 'Identifier') ? variableOf(root) : undefined;
    for (const node of walk(body)) {
      if (node === use.call.node) events.set(node, 'lock');
      else if (unlocks.has(node as never)) events.set(node, 'unlock');
      else if (this.isAsking(node, makers)) events.set(node, 'asked');
      else if (is(node, 'CallExpression') || is(node, 'TaggedTemplateExpression')) {
        const event = this.statementAt(node, makers);
        if (event) events.set(node, event);
        else if (is(node, 'CallExpression') && carrier && node.arguments.some((one) => is(one, 'Identifier') && variableOf(one) === carrier)) events.set(node, 'passed');
      }
    }
    return events;
  }

  private statementAt(node: TSESTree.CallExpression | TSESTree.TaggedTemplateExpression, makers: Makers): TxEvent | undefined {
    const target = uncast(is(node, 'CallExpression') ? node.callee : node.tag);
    const event = is(node, 'CallExpression') && isMember(target) ? this.methodAt(target, makers) : undefined;
    if (event) return event;
    const name = isMember(target) ? memberName(target) ?? '' : '';
    const handle = isMember(target) && isRunName(name) ? target.object : is(node, 'TaggedTemplateExpression') ? node.tag : undefined;
    const argument = is(node, 'CallExpression') ? node.arguments[0] : node;
    if (!handle || !argument) return undefined;
    const connection = this.connections.of({ node: handle, frame: undefined });
    if (!overlaps(connection.makers, makers)) return undefined;
    const texts = this.texts.of({ node: argument, frame: undefined });
    if (texts.some((text) => BEGINS.test(literalText(text)))) return 'begin';
    return texts.some((text) => ENDS.test(literalText(text))) ? 'end' : 'sql';
  }

  /** `runner.startTransaction()`, `runner.commitTransaction()`. */
  private methodAt(callee: TSESTree.MemberExpression, makers: Makers): TxEvent | undefined {
    const name = memberName(callee) ?? '';
    if (!isTransactionName(name)) return undefined;
    const { makers: own, driver } = this.connections.of({ node: callee.object, frame: undefined });
    const members = driverById(driver)?.transactions;
    if (!members || !overlaps(own, makers)) return undefined;
    return members.begins.includes(name) ? 'begin' : members.ends.includes(name) ? 'end' : undefined;
  }

  /** `runner.isTransactionActive`, `em.isInTransaction()` */
  private isAsking(node: TSESTree.Node, makers: Makers): boolean {
    const member = is(node, 'CallExpression') ? uncast(node.callee) : node;
    if (!isMember(member) || (is(node.parent, 'CallExpression') && node.parent.callee === node)) return false;
    const name = memberName(member) ?? '';
    if (!isTransactionQuestion(name)) return false;
    const own = this.connections.of({ node: member.object, frame: undefined });
    return overlaps(own.makers, makers) && (driverById(own.driver)?.transactions?.asks?.includes(name) ?? false);
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
      if (!isPinnedRoot && sourceOf(uncast(opened.root)) === sourceOf(uncast(handle)) && (opened.connection.kind !== 'single')) return isSameVariable(opened.root, handle);
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
    if (this.isEndedNext(call)) return true;
    const opened = callback && this.transactionOpenedBy(callback);
    if (!callback || !opened || opened.connection.kind === 'transaction') return false;
    const calls = [...walk(callback.body)].filter((node) => (is(node, 'CallExpression') || (is(node, 'TaggedTemplateExpression') && !is(node.parent, 'TemplateLiteral'))) && !contains(call.node, node) && !contains(node, call.node));
    return calls.length === 0 && !Array.isArray(callback.body) && worksAfter(opened.call);
  }

  /** `await lock; await trx.commit(); await work();`, also where COMMIT is text. */
  private isEndedNext({ node, connection }: LockUse['call']): boolean {
    const statement = statementOf(node);
    const block = statement?.parent;
    const next = is(block, 'BlockStatement') ? block.body[block.body.indexOf(statement as TSESTree.Statement) + 1] : undefined;
    if (!next || !is(next, 'ExpressionStatement')) return false;
    const calls = [...walk(next, isFunction)].filter((one) => is(one, 'CallExpression') || is(one, 'TaggedTemplateExpression'));
    const end = calls.find((one) => this.statementAt(one, connection.makers) === 'end');
    if (!end) return false;
    const isMethod = is(end, 'CallExpression') && isMember(uncast(end.callee)) && this.methodAt(uncast(end.callee) as TSESTree.MemberExpression, connection.makers) === 'end';
    return isMethod ? worksAfter(end) : waitsAfter(end) && this.isBegunBefore(statement!, block as TSESTree.BlockStatement, connection);
  }

  /** Between BEGIN as text and a statement there are settings only: a lock behind other work may put the COMMITs in order. */
  private isBegunBefore(statement: TSESTree.Node, block: TSESTree.BlockStatement, { makers }: LockUse['call']['connection']): boolean {
    for (const one of block.body.slice(0, block.body.indexOf(statement as TSESTree.Statement)).reverse()) {
      const call = [...walk(one, isFunction)].find((node) => is(node, 'CallExpression') || is(node, 'TaggedTemplateExpression'));
      if (!call) continue;
      const event = this.statementAt(call, makers);
      if (event !== 'sql' || !this.texts.of({ node: is(call, 'CallExpression') ? call.arguments[0]! : call, frame: undefined }).every((text) => /^\s*set\b/i.test(literalText(text)))) return event === 'begin';
    }
    return false;
  }
}

function statementOf(node: TSESTree.Node): TSESTree.Node | undefined {
  let at: TSESTree.Node | undefined = node;
  while (at && !/Statement$|^VariableDeclaration$/.test(at.type)) at = at.parent;
  return at;
}

type TxEvent = 'begin' | 'end' | 'sql' | 'passed' | 'lock' | 'unlock' | 'asked';

interface Followed {
  readonly openAtLock: ReadonlySet<TxState['open']>;
  readonly isFreedAfter: boolean;
  readonly unlocksInAborted: ReadonlySet<TSESTree.Node>;
}

class TransactionFlow implements Transfer<TxState> {
  private readonly openAtLock = new Set<TxState['open']>();
  private readonly unlocksInAborted = new Set<TSESTree.Node>();
  private readonly unlocksInOpen = new Set<TSESTree.Node>();
  private readonly unlocksAfter = new Set<TSESTree.Node>();

  constructor(private readonly use: LockUse, private readonly events: ReadonlyMap<TSESTree.Node, TxEvent>, private readonly start: TxState['open']) {}

  run(body: FunctionNode | TSESTree.Program): Followed | undefined {
    try {
      new Interpreter<TxState>(this).run(body, txState(this.start, 'no'));
    } catch (error) {
      if (error instanceof RangeError) return undefined; // nested too deep to be followed
      throw error;
    }
    return { openAtLock: this.openAtLock, isFreedAfter: this.unlocksAfter.size > 0 && this.unlocksInOpen.size === 0, unlocksInAborted: this.unlocksInAborted };
  }

  effect(node: TSESTree.Node, state: TxState): Effect<TxState> | undefined {
    const event = this.events.get(node);
    if (event) return this.happen(event, node, state);
    if (!canThrow(node) || contains(this.use.call.node, node)) return undefined;
    return { normal: [state], thrown: [state] };
  }

  private happen(event: TxEvent, node: TSESTree.Node, state: TxState): Effect<TxState> {
    const { open, taken } = state;
    const failed = open === 'yes' ? txState('aborted', taken) : state;
    switch (event) {
      case 'begin':
        return { normal: [txState('yes', taken)], thrown: [state] };
      case 'end':
        return { normal: [txState('no', taken)], thrown: [txState('no', taken)] };
      case 'lock':
        this.openAtLock.add(open);
        return { normal: [txState(open, open === 'yes' ? 'inside' : 'before')], thrown: [failed] };
      case 'unlock':
        if (taken === 'before' && open === 'aborted') this.unlocksInAborted.add(node);
        if (open === 'yes' || open === 'aborted') this.unlocksInOpen.add(node);
        if (open === 'no') this.unlocksAfter.add(node);
        return { normal: [txState(open, 'no')], thrown: [failed] };
      case 'sql':
        return { normal: [state], thrown: [failed] };
      case 'asked':
        return { normal: [state], thrown: [] };
      case 'passed': // a function that gets the client may begin or end a transaction on it
        return { normal: [state, txState('unknown', taken)], thrown: [failed] };
    }
  }

  test(node: TSESTree.Node, { open }: TxState): boolean | undefined {
    return this.events.get(uncast(node)) !== 'asked' || open === 'unknown' ? undefined : open !== 'no';
  }

  present(_node: TSESTree.Node, by: '?.' | '??'): true | undefined {
    return by === '?.' ? true : undefined; // a connection that holds a lock is there
  }

  rejects(promise: TSESTree.Node): boolean {
    const node = uncast(promise);
    return (is(node, 'CallExpression') || is(node, 'TaggedTemplateExpression')) && !this.events.has(unwrap(node));
  }

  isOnce(): boolean {
    return false;
  }

  entered(): undefined {
    return undefined;
  }

  assume(node: TSESTree.Node, outcome: boolean, state: TxState): TxState {
    return this.events.get(uncast(node)) === 'asked' && state.open === 'unknown' ? txState(outcome ? 'yes' : 'no', state.taken) : state;
  }

  caught(state: TxState): TxState {
    return state;
  }

  choose(_discriminant: TSESTree.Node, _value: TSESTree.Node, _isChosen: boolean, state: TxState): TxState {
    return state;
  }

  suspend(state: TxState): TxState {
    return state;
  }

  resume(state: TxState): TxState {
    return state;
  }

  runs(call: TSESTree.CallExpression | TSESTree.NewExpression): 'once' | 'maybe' | 'later' {
    return runsArguments(call);
  }

  handed(): undefined {
    return undefined;
  }

  passed(_node: Round, state: TxState): TxState {
    return state;
  }

  dispose(): undefined {
    return undefined;
  }
}

const isFollowed = ({ call: { connection } }: LockUse): boolean => connection.kind === 'reserved' || connection.kind === 'single' || connection.isOneClient;

/** Work in the same string of several statements is one implicit transaction with the lock. */
function followedByWork({ call, lock }: LockUse): boolean {
  const at = call.statements.findIndex((one) => one.locks.includes(lock));
  return call.statements.slice(at + 1).some((one) => one.doesWork);
}

const worksAfter = (call: TSESTree.Node): boolean => followedBy(call, (node) => is(node, 'AwaitExpression') || is(node, 'CallExpression'));

/** Something is waited for that does not only close or give back. */
const waitsAfter = (call: TSESTree.Node): boolean => followedBy(call, (node) => {
  const awaited = is(node, 'AwaitExpression') ? uncast(node.argument) : undefined;
  const callee = is(awaited, 'CallExpression') ? uncast(awaited.callee) : undefined;
  return awaited !== undefined && !(callee && isMember(callee) && /^(?:release|end|close|destroy|disconnect)/i.test(memberName(callee) ?? ''));
});

function followedBy(call: TSESTree.Node, isWork: (node: TSESTree.Node) => boolean): boolean {
  for (let at: TSESTree.Node = call; at.parent && !isFunction(at); at = at.parent) {
    const { parent } = at;
    const body = is(parent, 'BlockStatement') || is(parent, 'Program') ? parent.body : undefined;
    const after = body?.slice(body.indexOf(at as TSESTree.Statement) + 1) ?? [];
    if (after.some((one) => [...walk(one, isFunction)].some(isWork))) return true;
  }
  return false;
}

function isSameVariable(one: TSESTree.Node, other: TSESTree.Node): boolean {
  const [root, same] = [rootOf(one), rootOf(other)];
  if (is(root, 'ThisExpression')) return is(same, 'ThisExpression');
  return is(root, 'Identifier') && is(same, 'Identifier') && variableOf(root) === variableOf(same);
}

function rootOf(node: TSESTree.Node): TSESTree.Node {
  const at = uncast(node);
  return isMember(at) ? rootOf(at.object) : at;
}
