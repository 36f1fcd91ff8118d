import type { TSESTree } from '@typescript-eslint/utils';
import { sourceOf, treeOf } from '../../types/index.js';
import { isDecorated } from '../values/members.js';
import { isNullish, type Frame, type Place } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import type { Sending } from '../statements/sendings.js';
import { literalText } from '../statements/sql-text.js';
import { callsIn, classAround, contains, functionAround, is, isFunction, isMember, memberName, walk, wrapped, type CallNode, type FunctionNode } from '../syntax.js';
import type { GivenBack } from './given-back.js';

/** Syntax under which a statement may not run, or more than once. */
const CONDITIONAL = /^(?:If|Switch|For|ForOf|ForIn|While|DoWhile)Statement$|^(?:Conditional|Logical)Expression$|^CatchClause$/;

/** What a lock is to a transaction is told where that begins or ends. */
const TRANSACTIONAL = /\b(?:begin|commit|rollback)\b|transaction/i;

/** How many functions, and files, are looked into that use one another. */
const MAX_FILES = 2;

type Send = (place: Place) => Sending | undefined;

/** What a call of a function that locks stands for, by the handle that it is passed. */
export interface Standing {
  /** The handle as the function itself writes it. */
  readonly handle: TSESTree.Node;
  /** Where it is passed one connection, the call stands for all that the function does about locks. */
  readonly isForClients: boolean;
  /** Where it is passed a pool, no code of the function turns that away or makes a connection of it. */
  readonly isForPools: boolean;
}

interface Sent {
  readonly node: CallNode;
  /** There are lock statements beside it. */
  readonly isFirst: boolean;
}

/**
 * Functions of other files that do no more about locks than to send one statement, on a handle that they are passed or that their object
 * has: their calls stand for the statement. What is sent under a condition, in a loop, or beside another lock statement, and a function
 * that gives something back that may free the lock, stand for nothing; but of a pool, the first lock that is always taken tells enough.
 */
export class HelpersElsewhere {
  private readonly known = new WeakMap<FunctionNode, Sent | null>();
  private readonly mentioning = new WeakMap<TSESTree.Node, boolean>();

  constructor(private readonly origins: Origins, private readonly givenBack: GivenBack, private readonly send: Send) {}

  /** `isInFile`: also a function of the linted file. */
  at(node: TSESTree.CallExpression, frame: Frame | undefined, isInFile: boolean): Sending | undefined {
    const entered = this.origins.calleeOf(node, frame);
    if (!entered || (!isInFile && treeOf(entered.callee) === this.origins.types.tree) || node.arguments.some((one) => is(one, 'SpreadElement'))) return undefined;
    // What a decorator makes of a method, and passes to it, is not in view.
    const inner = isDecorated(entered.callee) ? undefined : this.sentIn(entered.callee);
    const sending = inner && this.send({ node: inner.node, frame: entered.frame });
    if (!sending || sending.says !== undefined || sending.lease || sending.frees || this.isMadeInside(sending, entered.callee)) return undefined;
    const sent = sending.inner ?? inner.node;
    const given = this.givenBack.by(entered, sending, sent, new Set([sent]));
    const isSilent = given.holds === 'unknown' || given.keepsAnswer === true;
    // What it gives may be what frees the lock.
    const isLent = isSilent && this.mayGiveHandle(entered) && !isUnlocking(sending);
    const standing: Standing = {
      handle: sending.elsewhere?.handle ?? sending.handle.node,
      isForClients: !isLent && !inner.isFirst && sending.elsewhere?.isForClients !== false,
      isForPools: sending.elsewhere?.isForPools !== false && !mayTurnAway(entered.callee, inner.node, sending.handle.node),
    };
    if (!standing.isForClients && !standing.isForPools) return undefined;
    return { ...sending, ...given, handle: this.asPassed(sending.handle), elsewhere: standing, argument: node.callee, helper: sourceOf(node.callee), isSilent: isSilent || inner.isFirst || sending.isSilent === true || this.readsItself(entered.callee, inner.node, sending) };
  }

  /** The one call of a function that sends a lock statement, whenever the function comes back; or the first one, where that takes a lock. */
  private sentIn(callee: FunctionNode): Sent | undefined {
    const known = this.known.get(callee);
    if (known !== undefined) return known ?? undefined;
    this.known.set(callee, null); // one that calls itself
    const found = this.isPlain(callee) ? this.find(callee) : undefined;
    this.known.set(callee, found ?? null);
    return found;
  }

  private isPlain(callee: FunctionNode): boolean {
    return !callee.generator && !TRANSACTIONAL.test(sourceOf(callee)) && this.isMentioned(treeOf(callee));
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
    if (!first || !isRunOnce(first.node, callee)) return undefined;
    // What it calls else may take or free locks in ways of its own.
    const isOther = (one: CallNode): boolean => one !== first.node && !contains(first.node, one) && this.mentionsIn(one);
    const isFirst = more.length > 0 || calls.some(isOther);
    return isFirst && isUnlocking(first.sending) ? undefined : { node: first.node, isFirst };
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

  /** Whether a function gives back anything but nothing, or a literal. */
  private mayGiveHandle({ callee, frame }: { readonly callee: FunctionNode; readonly frame: Frame }): boolean {
    return this.origins.returnsOf(callee, frame).some((one) => !isNullish(one) && !(one.kind === 'value' && is(one.node, 'Literal')));
  }

  /** Whether a function does something about the answer beside giving it back: of an unlock, that is enough; a lost try-lock has to be an error. */
  private readsItself(callee: FunctionNode, inner: CallNode, sending: Sending): boolean {
    const isHandler = (one: TSESTree.Node): boolean => isFunction(one) || is(one, 'CatchClause');
    const after = [...walk(callee.body, isHandler)].filter((one) => one.range[0] > inner.range[1]);
    return after.some((one) => is(one, 'ThrowStatement') || (isUnlocking(sending) && is(one, 'IfStatement', 'ExpressionStatement')));
  }
}

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

/** Whether code before a statement asks what its handle is: a condition, or a function that is given it. */
function mayTurnAway(callee: FunctionNode, call: CallNode, handle: TSESTree.Node): boolean {
  const isName = (one: TSESTree.Node): boolean => is(one, 'Identifier', 'ThisExpression');
  // Of what another function hands on, the handle is one of the arguments.
  const sender = contains(call, handle) ? [handle] : is(call, 'CallExpression') ? [call] : [];
  const names = new Set(sender.flatMap((one) => [...walk(one)].filter(isName).map((name) => sourceOf(name))));
  const isAsking = (one: TSESTree.Node): boolean => CONDITIONAL.test(one.type) || (is(one, 'CallExpression') && one.arguments.some((argument) => names.has(sourceOf(argument))));
  const owner = names.has('this') ? classAround(callee) : undefined;
  const constructing = owner?.body.body.find((one) => is(one, 'MethodDefinition') && one.kind === 'constructor');
  return [...walk(callee.body, isFunction)].some((one) => one.range[1] <= call.range[0] && isAsking(one)) || (constructing !== undefined && [...walk(constructing)].some((one) => CONDITIONAL.test(one.type)));
}
