import type { TSESTree } from '@typescript-eslint/utils';
import { resultOf } from '../../drivers/index.js';
import { sourceOf, treeOf } from '../../types/index.js';
import { isDecorated } from '../values/members.js';
import { isKeptForLater, putsAway } from '../flow/call-kinds.js';
import { worksAfter } from '../flow/following.js';
import { runsFor } from '../values/decided.js';
import { isNullish, type Frame, type Place } from '../values/origin.js';
import { variableOf } from '../values/names.js';
import type { Origins } from '../values/origins.js';
import type { Sending } from '../statements/sendings.js';
import { literalText, type Text } from '../statements/sql-text.js';
import { callsIn, contains, functionAround, is, isFunction, isMember, memberName, walk, wrapped, type CallNode, type FunctionNode } from '../syntax.js';
import type { GivenBack } from './given-back.js';
import { GivenLeases } from './given-leases.js';
import { freeingOf, isOnlyLease, leaseOf } from './leases.js';
import { mayRunTransaction } from './transactional.js';
import { CONDITIONAL, mayTurnAway } from './turning-away.js';

/** How many functions, and files, are looked into that use one another. */
const MAX_FILES = 2;

type Send = (place: Place) => Sending | undefined;

/** What a call of a function that locks stands for, by the handle that it is passed. */
export interface Standing {
  /** The handle as the function itself writes it, and each function between. */
  readonly handles: readonly TSESTree.Node[];
  /** Where it is passed one connection, the call stands for all that the function does about locks. */
  readonly isForClients: boolean;
  /** Where it is passed a pool, no code of the function turns that away or makes a connection of it. */
  readonly isForPools: boolean;
}

interface Sent {
  readonly node: CallNode;
  /** The handle, as far as the function itself tells. */
  readonly handle: TSESTree.Node;
  /** There are lock statements beside it. */
  readonly isFirst: boolean;
  /** There are none but in functions within, which it may give back. */
  readonly isAlone: boolean;
  /** Conditions decide whether it is sent. */
  readonly isUnderCondition: boolean;
}

interface Called {
  readonly entered: { readonly callee: FunctionNode; readonly frame: Frame };
  readonly inner: Sent;
  readonly sending: Sending;
  readonly sent: CallNode;
  /** There are conditions, and the call says which way they go. */
  readonly isDecided: boolean;
}

/**
 * Functions of other files that do no more about locks than to send one statement, on a handle that they are passed or that their object
 * has: their calls stand for the statement. What is sent under a condition, in a loop, or beside another lock statement, and a function
 * that gives something back that may free the lock, stand for nothing; but of a pool, the first lock that is always taken tells enough.
 */
export class HelpersElsewhere {
  /** By whether functions of the linted file are looked into as well. */
  private readonly known = { alone: new WeakMap<FunctionNode, Sent | null>(), inFile: new WeakMap<FunctionNode, Sent | null>() };
  private readonly mentioning = new WeakMap<TSESTree.Node, boolean>();
  private readonly leases: GivenLeases;

  /** `leasing`: what a call sends that gives a lease. */
  constructor(private readonly origins: Origins, private readonly givenBack: GivenBack, private readonly send: Send, private readonly leasing: (node: TSESTree.CallExpression) => Sending | undefined) {
    this.leases = new GivenLeases(origins);
  }

  /** `isInFile`: also a function of the linted file. */
  at(node: TSESTree.CallExpression, frame: Frame | undefined, isInFile: boolean): Sending | undefined {
    const called = this.called(node, frame, isInFile);
    if (!called) return undefined;
    const { entered, inner, sending, sent, isDecided } = called;
    if (this.isMadeInside(sending, entered.callee)) return inner.isAlone ? this.given(node, entered, sending, sent, sending.handle) : undefined;
    const given = this.givenBack.by(entered, sending, sent, new Set([sent]));
    const isSilent = given.holds === 'unknown' || given.keepsAnswer === true;
    // What it gives may be what frees the lock.
    const isLent = isSilent && this.mayGiveHandle(entered, inner.node) && !isUnlocking(sending);
    const leased = isLent && inner.isAlone ? this.given(node, entered, sending, sent, this.asPassed(sending.handle)) : undefined;
    if (leased) return leased;
    const standing: Standing = {
      handles: [...(sending.elsewhere?.handles ?? []), inner.handle],
      isForClients: !isLent && !inner.isFirst && sending.elsewhere?.isForClients !== false,
      isForPools: sending.elsewhere?.isForPools !== false && !mayTurnAway(entered.callee, inner.node, sending.handle.node, isDecided ? undefined : entered.frame),
    };
    if (!standing.isForClients && !standing.isForPools) return undefined;
    return { ...sending, ...given, handle: this.asPassed(sending.handle), elsewhere: standing, argument: node.callee, helper: sourceOf(node.callee), ...(sending.worksUnderIt || worksBehind(inner.node, entered.callee) ? { worksUnderIt: true } : {}), isSilent: isSilent || inner.isFirst || sending.isSilent === true || this.origins.types.returnsVoid(entered.callee) || this.readsItself(entered.callee, inner.node, sending) };
  }

  /** A function of the linted file that reserves a connection itself, and gives that back with the lock, or what frees it. */
  ownAt(node: TSESTree.CallExpression): Sending | undefined {
    const called = this.called(node, undefined, true);
    return called?.inner.isAlone && this.isMadeInside(called.sending, called.entered.callee) ? this.given(node, called.entered, called.sending, called.sent, called.sending.handle) : undefined;
  }

  private called(node: TSESTree.CallExpression, frame: Frame | undefined, isInFile: boolean): Called | undefined {
    const entered = this.origins.calleeOf(node, frame);
    if (!entered || (!isInFile && treeOf(entered.callee) === this.origins.types.tree) || node.arguments.some((one) => is(one, 'SpreadElement'))) return undefined;
    // What a decorator makes of a method, and passes to it, is not in view.
    const found = isDecorated(entered.callee) ? undefined : this.sentIn(entered.callee, isInFile);
    const isSent = found?.isUnderCondition ? runsFor(found.node, entered.callee, entered.frame.args) : found !== undefined;
    const sending = found && isSent !== false ? this.send({ node: found.node, frame: entered.frame }) : undefined;
    if (!found || !sending || (isSent === undefined && isUnlocking(sending))) return undefined;
    // Under a condition that the call does not decide it says enough of a pool, and nothing of a connection.
    const inner = isSent === undefined ? { ...found, isFirst: true, isAlone: false } : found;
    return sending.says === undefined && !sending.lease && !sending.frees ? { entered, inner, sending, sent: sending.inner ?? inner.node, isDecided: found.isUnderCondition && isSent === true } : undefined;
  }

  /** A function that gives back what frees the lock, or the connection that it has reserved itself. */
  private given(node: TSESTree.CallExpression, entered: { readonly callee: FunctionNode; readonly frame: Frame }, sending: Sending, sent: CallNode, handle: Place): Sending | undefined {
    const gift = isUnlocking(sending) ? undefined : this.leases.of(entered, sending.handle, sent);
    const mayLack = gift?.kind === 'lease' && gift.mayLack;
    const isTry = sending.texts.some((one) => /pg_try_/i.test(literalText(one)));
    const mayThrow = [...walk(entered.callee.body, isFunction)].some((one) => is(one, 'ThrowStatement'));
    // Where a try-lock is lost, there is nothing to give: that is an error, or it gives nothing.
    const results = gift?.kind === 'lease' ? gift.results : [];
    if (!gift || (isTry ? !mayLack && !mayThrow && results.length === 0 : mayLack || results.length > 0)) return undefined;
    const lease = gift.kind === 'lease' ? { ...leaseOf(node, gift), ...(results.length > 0 ? { results } : {}) } : undefined;
    // On a connection that it was passed, the caller may free the lock itself.
    if (handle !== sending.handle && (lease === undefined || (lease.kind === 'unused' && (mayLack || results.length > 0)))) return undefined;
    const isLeased = lease !== undefined && !(handle !== sending.handle && lease.kind === 'unused');
    return {
      ...sending, handle, arrayRows: false, texts: mayLack ? sending.texts : sending.texts.map(withoutTrying), run: { result: resultOf(mayLack ? 'value' : 'nothing') }, elsewhere: { handles: [sending.handle.node], isForClients: true, isForPools: false },
      argument: node.callee, helper: sourceOf(node.callee), isSilent: !mayLack, ...(isLeased ? { lease: lease.kind === 'followed' && !isOnlyLease(node) ? { ...lease, kind: 'handed' } : lease } : {}),
    };
  }

  /** The call of what such a function gave. */
  freeingAt(node: TSESTree.CallExpression): Sending | undefined {
    if (treeOf(node) !== this.origins.types.tree) return undefined;
    const [taken, ...more] = freeingOf(node, (call) => this.unlockOf(call))?.taken ?? [];
    const sending = taken && more.length === 0 && isOnlyLease(taken) ? this.leasing(taken) : undefined;
    if (!sending?.lease) return undefined;
    const isShared = sending.texts.some((one) => /_shared/i.test(literalText(one)));
    return {
      handle: sending.handle, sent: { node, frame: undefined }, run: { result: resultOf('nothing') }, values: undefined, arrayRows: false, argument: node.callee, helper: sourceOf(node.callee), isSilent: true, frees: [taken!], elsewhere: sending.elsewhere!,
      texts: [{ chunks: [{ kind: 'text', text: `select pg_advisory_unlock${isShared ? '_shared' : ''}(key)`, node: node.callee, start: undefined }] }],
    };
  }

  private unlockOf(call: TSESTree.CallExpression): { readonly unlock: true | string } | undefined {
    const { callee } = this.origins.calleeOf(call, undefined) ?? {};
    const isHere = callee !== undefined && treeOf(callee) === this.origins.types.tree;
    const called = this.called(call, undefined, isHere);
    if (!called?.inner.isAlone || (isHere && !this.isMadeInside(called.sending, called.entered.callee))) return undefined;
    const gift = this.leases.of(called.entered, called.sending.handle, called.sent);
    return gift?.kind === 'lease' ? { unlock: gift.unlock } : undefined;
  }

  /** The one call of a function that sends a lock statement, whenever the function comes back; or the first one, where that takes a lock. */
  private sentIn(callee: FunctionNode, isInFile: boolean): Sent | undefined {
    const all = isInFile ? this.known.inFile : this.known.alone;
    const known = all.get(callee);
    if (known !== undefined) return known ?? undefined;
    all.set(callee, null); // one that calls itself
    const found = this.isPlain(callee) ? this.find(callee) : undefined;
    all.set(callee, found ?? null);
    return found;
  }

  private isPlain(callee: FunctionNode): boolean {
    // What a lock is to a transaction is told where that begins or ends.
    return !callee.generator && !mayRunTransaction(callee) && this.isMentioned(treeOf(callee));
  }

  /** Whether a file mentions locks, or imports from one that does: a function of it may call one of that, and check what it answers. */
  private isMentioned({ ast, text }: ReturnType<typeof treeOf>, left = MAX_FILES): boolean {
    if (/advisory/i.test(text)) return true;
    const known = this.mentioning.get(ast);
    if (known !== undefined || left === 0) return known ?? false;
    this.mentioning.set(ast, false); // files that import each other
    const found = ast.body.some((one) => {
      const source = is(one, 'ImportDeclaration') && one.importKind !== 'type' ? this.origins.types.requiredTree(one.source) : undefined;
      return source !== undefined && this.isMentioned(source, left - 1);
    });
    this.mentioning.set(ast, found);
    return found;
  }

  private find(callee: FunctionNode): Sent | undefined {
    const calls = callsIn(callee);
    const [first, ...more] = calls.flatMap((node) => {
      const sending = this.send({ node, frame: undefined });
      return sending ? [{ node, sending }] : [];
    });
    if (!first || functionAround(first.node) !== callee || !isWaitedForIn(first.node, callee)) return undefined;
    const handle = first.sending.handle.node;
    const isUnderCondition = !isRunOnce(first.node, callee);
    if (isUnderCondition && isInCatch(first.node, callee)) return undefined;
    // What it calls else may take or free locks in ways of its own.
    const isOther = (one: CallNode): boolean => one !== first.node && !contains(first.node, one) && this.mentionsIn(one);
    const isFirst = more.length > 0 || calls.some(isOther);
    const isHere = (one: CallNode): boolean => functionAround(one) === callee;
    const isAlone = !more.some(({ node }) => isHere(node)) && !calls.some((one) => isHere(one) && isOther(one));
    return isFirst && isUnlocking(first.sending) ? undefined : { node: first.node, handle, isFirst, isAlone, isUnderCondition };
  }

  /** Whether a function that is called mentions locks, or calls one that does. */
  private mentionsIn(call: CallNode, left = MAX_FILES): boolean {
    const { callee } = this.origins.calleeOf(call, undefined) ?? {};
    return callee !== undefined && (/advisory/i.test(sourceOf(callee)) || (left > 0 && callsIn(callee).some((one) => this.mentionsIn(one, left - 1))));
  }

  /** A handle as the code that calls the function writes it, where it is passed. */
  private asPassed(handle: Place): Place {
    let at = handle;
    for (let { frame } = at; frame; { frame } = at) {
      const [only, ...more] = this.origins.of({ node: at.node, frame: undefined });
      const node = only?.kind === 'parameter' && more.length === 0 && only.path.length === 0 && only.callee === frame.callee ? frame.args[only.index] : undefined;
      if (!node) return at;
      at = { node, frame: frame.caller };
    }
    return at;
  }

  /** A handle that the function makes itself is nobody else's: what becomes of it is not known to the caller. */
  private isMadeInside({ handle: { node } }: Sending, callee: FunctionNode): boolean {
    return this.origins.of({ node, frame: undefined }).some((one) => one.kind === 'value' && !isNullish(one) && treeOf(one.node) === treeOf(callee) && contains(callee, one.node));
  }

  /** Whether a function gives back anything but nothing, a literal, or what the helper gives that it calls. */
  private mayGiveHandle({ callee, frame }: Called['entered'], inner: CallNode): boolean {
    return this.origins.returnsOf(callee, frame).some((one) => !isNullish(one) && one.node !== inner && !(one.kind === 'value' && is(one.node, 'Literal')));
  }

  /** Whether a function does something about the answer beside giving it back: of an unlock, that is enough; a lost try-lock has to be an error. */
  private readsItself(callee: FunctionNode, inner: CallNode, sending: Sending): boolean {
    // What it does behind the statement, it does with the answer in hand.
    if (worksBehind(inner, callee)) return true;
    const isHandler = (one: TSESTree.Node): boolean => isFunction(one) || is(one, 'CatchClause');
    const after = [...walk(callee.body, isHandler)].filter((one) => one.range[1] > inner.range[1]);
    return after.some((one) => (one.range[0] > inner.range[1] && (is(one, 'ThrowStatement') || (isUnlocking(sending) && is(one, 'IfStatement', 'ExpressionStatement')))) || isKeptOutside(one, callee));
  }
}

/** Whether a function does the work that the lock is for itself, or has it done later. */
const worksBehind = (inner: CallNode, callee: FunctionNode): boolean =>
  worksAfter(inner) || callsIn(callee).some((one) => one.range[0] > inner.range[1] && is(one, 'CallExpression') && isKeptForLater(one));

/** What a function leaves to code that does not call it: a field, a variable around it, a list of what is held. */
function isKeptOutside(node: TSESTree.Node, callee: FunctionNode): boolean {
  const at = is(node, 'AssignmentExpression') ? node.left : is(node, 'CallExpression') && putsAway(node) ? node.callee : undefined;
  if (!at) return false;
  return isMember(at) || (is(at, 'Identifier') && variableOf(at)?.identifiers.every((one) => !contains(callee, one)) === true);
}

/** A helper that comes back with the lock alone has waited for it, or thrown. */
const withoutTrying = (text: Text): Text => ({ ...text, chunks: text.chunks.map((one) => (one.kind === 'text' ? { ...one, text: one.text.replace(/pg_try_/gi, 'pg_'), start: undefined } : one)) });

const isUnlocking = ({ texts }: Sending): boolean => texts.some((one) => /unlock/i.test(literalText(one)));

/** Whether a call of a function runs, and once, whenever the function comes back, which waits for it or gives it back. */
function isRunOnce(call: CallNode, callee: FunctionNode): boolean {
  if (functionAround(call) !== callee || !isWaitedForIn(call, callee)) return false;
  for (let at: TSESTree.Node | undefined = call.parent; at && at !== callee; at = at.parent) {
    if ((CONDITIONAL.test(at.type) && !isAsked(at, call)) || (is(at, 'TryStatement') && at.handler && contains(at.block, call) && !is(at.handler.body.body.at(-1), 'ThrowStatement'))) return false;
  }
  // A condition before it that only throws lets nobody past without the statement.
  return [...walk(callee.body, isFunction)].every((one) => one.range[1] > call.range[0] || !(is(one, 'ReturnStatement') || (CONDITIONAL.test(one.type) && /^(?:For|While|DoWhile)/.test(one.type))));
}

/** What is done where something else has failed is no way that is meant to be gone. */
function isInCatch(call: CallNode, callee: FunctionNode): boolean {
  for (let at: TSESTree.Node | undefined = call.parent; at && at !== callee; at = at.parent) if (is(at, 'CatchClause')) return true;
  return false;
}

/** Whether a condition asks for what a call gives, before anything else: `if (!(await unlock(client, key)))`. */
function isAsked(condition: TSESTree.Node, call: CallNode): boolean {
  if (is(condition, 'LogicalExpression')) return contains(condition.left, call);
  return is(condition, 'IfStatement', 'ConditionalExpression') ? contains(condition.test, call) : is(condition, 'SwitchStatement') && contains(condition.discriminant, call);
}

/** `await client.query(...)`, `return client.query(...).then(...)`. */
function isWaitedForIn(call: CallNode, callee: FunctionNode): boolean {
  let outer = wrapped(call, false);
  while (outer.parent && isMember(outer.parent) && outer.parent.object === outer && is(outer.parent.parent, 'CallExpression') && memberName(outer.parent) === 'then') outer = wrapped(outer.parent.parent, false);
  return is(outer.parent, 'AwaitExpression', 'ReturnStatement') || outer.parent === callee;
}
