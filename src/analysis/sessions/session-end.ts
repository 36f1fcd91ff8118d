import type { TSESTree } from '@typescript-eslint/utils';
import { allDrivers, isReleaseName, releasesNamed, type ReserveMember } from '../../drivers/index.js';
import { sourceOf, treeOf } from '../../types/index.js';
import { appliedBy } from '../values/applied.js';
import { Callers } from '../values/callers.js';
import { Discards } from './discards.js';
import { Elements } from './elements.js';
import { canThrow } from '../flow/call-kinds.js';
import { ClosingFlow } from '../flow/closing.js';
import { workerAround } from '../in-place.js';
import type { Connections } from '../connections/connections.js';
import { isPinned, isWithoutSession } from '../connections/sessions.js';
import { hasNode, overlaps, type Makers } from '../values/makers.js';
import type { Connection, LockUse, SqlCall } from '../model.js';
import { classMember } from '../values/members.js';
import { variableOf } from '../values/names.js';
import type { Frame, Origin, Place } from '../values/origin.js';
import { parameterName } from '../values/origin-syntax.js';
import type { Origins } from '../values/origins.js';
import { methodCallAt } from '../statements/method-calls.js';
import { PoolEnds, type OwnPool } from './pool-end.js';
import { callbackOf, callsIn, functionAround, is, isClass, isFunction, isMember, memberName, unwrap, walk, wrapped, type CallNode, type FunctionNode } from '../syntax.js';

/** Whether a session is over soon after a statement, so that its locks are gone whatever an unlock has answered. */
export class SessionEnds {
  readonly pools: PoolEnds;
  readonly elements: Elements;
  private readonly discards: Discards;
  /** Functions that give a connection back somewhere; of the others, how many that call one another were looked into. */
  private readonly releasing = new WeakMap<FunctionNode, number | true>();

  constructor(private readonly origins: Origins, private readonly connections: Connections) {
    this.discards = new Discards(origins, connections);
    this.pools = new PoolEnds(origins, connections);
    this.elements = new Elements(connections);
  }

  /** Looks at the statements that run next, up to the end of the function: the first that gives the connection back decides. */
  doneAfter({ call }: LockUse): Done | undefined {
    if (isWithoutSession(call.connection) && !isOwnPool(call)) return undefined;
    let own: OwnPool | undefined;
    let isBack = false;
    for (const statement of statementsAfter(call.node)) {
      const said = isBack ? undefined : this.inStatement(statement, call.connection.makers);
      if (said === 'destroys') return said;
      if (said === 'keeps') [isBack, own] = [true, this.pools.ofFunction(functionAround(call.node) ?? treeOf(call.node).ast, call.connection.makers)];
      if (isBack && !own) return 'keeps';
      if (own && this.pools.isEndedIn(statement, own)) return 'destroys';
    }
    return isBack ? 'keeps' : undefined;
  }

  private inStatement(statement: TSESTree.Node, makers: Makers): Done | undefined {
    let said: Done | undefined;
    for (const node of walk(statement, isFunction)) {
      const one = is(node, 'CallExpression', 'TaggedTemplateExpression') ? this.doneAt(node, makers) : undefined;
      if (one === 'keeps') return one;
      said = one ?? said;
    }
    return said;
  }

  /** The same as `releaseAt`, decided; what frees all that the session holds, and functions of the user's own, count as well. */
  doneAt(node: CallNode, makers: Makers, depth = 0): Done | undefined {
    const release = is(node, 'CallExpression') ? this.releaseAt(node, makers) : undefined;
    if (release) return typeof release === 'object' ? this.byType(release.argument) : release;
    return this.isDiscarding(node, makers) || (is(node, 'CallExpression') && (this.mayClose(node, makers) || this.isEndedBy(node, makers, 'any', depth))) ? 'destroys' : undefined;
  }

  isDiscarding(node: CallNode, makers: Makers): boolean {
    return this.discards.at(node, makers);
  }

  /** Whether a call runs a function in view that has ended the session whenever it returns: one that it is passed, or shares; `elsewhere`: in another file. */
  isEndedBy(call: TSESTree.CallExpression, makers: Makers, from: 'any' | 'elsewhere', depth = 0): boolean {
    const callee = depth < MAX_CLOSERS ? this.origins.calleeOf(call, undefined)?.callee : undefined;
    return callee !== undefined && !(from === 'elsewhere' && treeOf(callee) === treeOf(call)) && !callee.generator && this.mayEnd(callee) && new ClosingFlow(callee, this.seenBy(call, callee, makers), this, depth + 1).outcome() === 'ended';
  }

  /** Whether a function, or one that it calls, has anything in it that gives a connection back. */
  private mayEnd(callee: FunctionNode, left = MAX_CLOSERS): boolean {
    const known = this.releasing.get(callee) ?? 0;
    if (known === true || known >= left) return known === true;
    this.releasing.set(callee, left); // one that calls itself
    const found = isReleasing(callee) || callsIn(callee).some((one) => {
      const next = is(one, 'CallExpression') ? this.origins.calleeOf(one, undefined)?.callee : undefined;
      return next !== undefined && this.mayEnd(next, left - 1);
    });
    if (found) this.releasing.set(callee, true);
    return found;
  }

  /** A connection as a function sees it that is called with it. */
  seenBy({ arguments: args }: TSESTree.CallExpression, { params }: FunctionNode, makers: Makers): Makers {
    const own = params.filter((_param, index) => args[index] && isPlain(args[index]) && (this.isOver(args[index], makers) || overlaps(this.elements.in(args[index]), makers)));
    return own.length > 0 ? new Set([...makers, ...own.map((node) => ({ node, call: undefined }))]) : makers;
  }

  /** A connection as the methods of an object see it that was made with it. */
  seenInside({ node, frame }: Place, makers: Makers): Makers {
    if (!is(node, 'NewExpression')) return makers;
    const [owner] = this.origins.of({ node: node.callee, frame }).flatMap((one) => (one.kind === 'value' && isClass(one.node) ? [one.node] : []));
    const params = (owner && classMember(owner, 'constructor').constructorFunction?.params) ?? [];
    const own = params.map(parameterName).filter((_name, index) => node.arguments[index] && overlaps(this.connections.of({ node: node.arguments[index], frame }).makers, makers));
    return own.length > 0 ? new Set([...makers, ...own.map((one) => ({ node: one, call: undefined }))]) : makers;
  }

  /** What a method does to the session of a connection that its object was made with: a plain way back to the pool only where it does nothing else. */
  doneByMethod(method: FunctionNode, made: Place, makers: Makers): Done | undefined {
    if (this.unlocksIn(method)) return 'destroys';
    if (method.generator || !this.mayEnd(method)) return undefined;
    const inside = this.seenInside(made, makers);
    const done = new ClosingFlow(method, inside, this, 1).outcome();
    if (done === 'ended') return 'destroys';
    return done === 'kept' && callsIn(method).every((one) => is(one, 'CallExpression') && (!canThrow(one) || this.releaseAt(one, inside) === 'keeps')) ? 'keeps' : undefined;
  }

  /** Whether a handle is over a connection that these make. */
  isOver(node: TSESTree.Node, makers: Makers): boolean {
    return overlaps(this.connections.of({ node, frame: undefined }).makers, makers);
  }

  /** The functions that an expression may be. */
  functionsAt(node: TSESTree.Node): readonly FunctionNode[] {
    return this.origins.of({ node, frame: undefined }).flatMap((one) => (one.kind === 'value' && isFunction(one.node) ? [one.node] : []));
  }

  /** Whether a handle is over a connection that these make, or one of the list that has such a one; in a function that is entered with a frame. */
  isAmong(handle: Place, makers: Makers): boolean {
    return overlaps(this.connections.of(handle).makers, makers) || overlaps(this.elements.of(handle.node), makers);
  }

  /** The connection that a call passes, of those that these make. */
  passedTo({ arguments: args }: TSESTree.CallExpression, makers: Makers): Connection | undefined {
    return args.filter(isPlain).map((node) => this.connections.of({ node, frame: undefined })).find((one) => overlaps(one.makers, makers));
  }

  /** Whether any code of a file ends the session of a connection. */
  isEndedIn(file: TSESTree.Program, makers: Makers): boolean {
    return callsIn(file).some((node) => this.doneAt(node, makers) === 'destroys');
  }

  /** What a call does to the session of a connection, where it gives the connection back or closes it; in a function that is entered with a frame. */
  releaseAt(node: TSESTree.CallExpression, makers: Makers, frame?: Frame): Release | undefined {
    return this.byMethod(node, makers, frame) ?? this.byCallback(node, makers);
  }

  /** Whether a call hands a connection to a function that may unlock: one of another file with an unlock in it, or one out of view that is called for it. */
  mayFree(call: TSESTree.CallExpression, makers: Makers, owners: ReadonlySet<string> = new Set()): boolean {
    if (this.mayFreeOf(call, owners)) return true;
    const { callee, args } = calledBy(call);
    const name = isMember(callee) ? memberName(callee) : is(callee, 'Identifier') ? callee.name : undefined;
    if (!args.some((one) => isPlain(one) && this.isOver(one, makers))) return false;
    const { callee: entered } = this.origins.calleeOf(call, undefined) ?? {};
    if (entered) return treeOf(entered) !== treeOf(call) && this.unlocksIn(entered);
    const found = this.origins.of({ node: callee, frame: undefined });
    // Of one function of the file, what it does is followed.
    const isFollowed = found.length === 1 && found[0]?.kind === 'value' && treeOf(found[0].node) === treeOf(call);
    if (!isFollowed && found.some((one) => this.passedFor(one).some((each) => this.isUnlocking(each)))) return true;
    return /unlock/i.test(name ?? '') || (found[0]?.kind !== 'parameter' && (UNLOCKS.test(name ?? '') || name === 'default'));
  }

  /** What a parameter is in the calls that are in view; any other value is itself. */
  private passedFor(value: Origin): readonly Origin[] {
    if (value.kind !== 'parameter') return [value];
    return new Callers(this.origins).ofNamed(value).flatMap((place) => this.origins.project(this.origins.of(place), value.path, place.frame, place.node));
  }

  /** A function that may unlock: by what it does, or by its name where it is not in view. */
  private isUnlocking(value: Origin): boolean {
    return value.kind === 'import' ? UNLOCKS.test(value.path.at(-1) ?? '') : value.kind === 'value' && isFunction(value.node) && this.unlocksIn(value.node);
  }

  /** Whether an object that has the connection is handed to a call, or a method of it may unlock: `owners` as the code writes them. */
  private mayFreeOf(call: TSESTree.CallExpression, owners: ReadonlySet<string>): boolean {
    const isOwner = (node: TSESTree.Node): boolean => isPlain(node) && owners.has(sourceOf(node));
    if (owners.size === 0) return false;
    const callee = unwrap(call.callee);
    if (call.arguments.some((one) => isOwner(unwrap(one)))) return true;
    const isOfOwner = isMember(callee) && isOwner(unwrap(callee.object));
    if (!isOfOwner && !owners.has(ANYBODY)) return false;
    const { callee: method } = this.origins.calleeOf(call, undefined) ?? {};
    if (method === undefined) return isOfOwner;
    return (isOfOwner && FREES.test(memberName(callee) ?? '')) || (treeOf(method) !== treeOf(call) && this.unlocksIn(method));
  }

  /** Whether a call hands a connection to a function out of view that is there to close it, by its name: `closeQuietly(client)`. */
  mayClose(call: TSESTree.CallExpression, makers: Makers): boolean {
    const { callee } = call;
    if (!is(callee, 'Identifier') || !CLOSES.test(callee.name) || !call.arguments.some((one) => isPlain(one) && this.isOver(one, makers))) return false;
    const found = this.origins.of({ node: callee, frame: undefined });
    return found.every(({ kind }) => kind === 'import' || kind === 'unknown');
  }

  /** Whether a function, or one that it calls, has an unlock in it. */
  unlocksIn(callee: FunctionNode, depth = 0): boolean {
    if (/unlock/i.test(sourceOf(callee))) return true;
    return depth < 2 && callsIn(callee).some((one) => {
      const { callee: next } = this.origins.calleeOf(one, undefined) ?? {};
      return next !== undefined && next !== callee && this.unlocksIn(next, depth + 1);
    });
  }

  /** What becomes of the connection that a function is lent as a library's callback, when it ends. */
  lentTo(body: TSESTree.Node, makers: Makers): 'keeps' | 'ends' | undefined {
    if (!isFunction(body)) return undefined;
    const isMade = ({ gives, callbackParameter, releaseParameter }: ReserveMember): boolean =>
      gives === 'reserved' && releaseParameter === undefined && callbackParameter !== undefined && hasNode(makers, body.params[callbackParameter]);
    const { calls, handed } = new Callers(this.origins).runsOf(body);
    const found = calls.length > 0 ? [] : handed.map(({ call, frame }) => (is(call, 'CallExpression') ? this.connections.reservations.at(call, frame, isMade) : undefined));
    if (found.length === 0 || found.includes(undefined)) return undefined;
    return found.every((one) => one?.member.ends) ? 'ends' : 'keeps';
  }

  /** The calls that pass a connection for the parameter behind these makers, with what they pass. */
  callsPassing(makers: Makers, inside: TSESTree.Node): { node: TSESTree.Node; makers: Makers }[] {
    const callee = workerAround(inside);
    const index = callee?.params.findIndex((param) => hasNode(makers, param)) ?? -1;
    if (!callee || index < 0) return [];
    return new Callers(this.origins).callsOf(callee).flatMap((call) => {
      const argument = call.arguments[index];
      const connection = argument && treeOf(call) === treeOf(inside) ? this.connections.of({ node: argument, frame: undefined }) : undefined;
      return connection && isPinned(connection) && connection.kind !== 'transaction' ? [{ node: call, makers: connection.makers }] : [];
    });
  }

  private byMethod(node: TSESTree.CallExpression, makers: Makers, frame?: Frame): Release | undefined {
    const sent = methodCallAt(node, frame, this.origins, isReleaseName);
    for (const { driver, release } of sent ? releasesNamed(sent.name) : []) {
      const given = release.connection === undefined ? sent?.receiver : sent?.args[release.connection];
      const handle = given && this.connections.of(given);
      if (!handle || !this.isAmong(given, makers)) continue;
      // Without types a handle may be of any driver: they all give back by the same names. A pool may give out another driver's handle.
      if (release.connection === undefined && handle.driver !== undefined && handle.driver !== driver.id) continue;
      if (handle.driver === driver.id && isPinned(handle) && !release.on.some((kind) => kind === handle.kind)) continue;
      const done = release.session === 'argument' ? byArgument(sent?.args[0]?.node) : release.session;
      // Of a list, those that come back may be those that have no lock.
      return overlaps(handle.makers, makers) ? done : done === 'keeps' ? undefined : 'destroys';
    }
    return undefined;
  }

  /** `pool.connect((err, client, done) => ...)`: `done()` is the client's `release()`. */
  private byCallback(node: TSESTree.CallExpression, makers: Makers): Release | undefined {
    const definition = is(node.callee, 'Identifier') ? variableOf(node.callee)?.defs[0] : undefined;
    const owner = definition?.type === 'Parameter' as never ? definition.node as TSESTree.Node : undefined;
    const call = owner?.parent;
    if (!isFunction(owner) || !is(call, 'CallExpression') || callbackOf(call) !== owner || !isMember(call.callee)) return undefined;
    const name = memberName(call.callee);
    const reserve = allDrivers().flatMap((driver) => driver.reserves).find((one) => one.name === name && one.releaseParameter !== undefined);
    const isRelease = reserve && owner.params[reserve.releaseParameter!] === definition?.name && hasNode(makers, owner.params[reserve.callbackParameter!]);
    return isRelease ? byArgument(node.arguments[0]) : undefined;
  }

  /** What may be `false` or `undefined` may keep the connection. */
  private byType(argument: TSESTree.Node): Done {
    const facts = this.origins.types.typeOf(argument);
    if (!facts || facts.isAny) return 'destroys';
    return facts.nullable || facts.alternatives.some((one) => one.literal === false) ? 'keeps' : 'destroys';
  }
}

/** Ending a pool that others share does not count; one that the same function makes, and hands to nobody, has no others. */
function isOwnPool({ connection: { made }, node }: SqlCall): boolean {
  if (!made || treeOf(made) !== treeOf(node) || functionAround(made) !== functionAround(node) || !functionAround(made)) return false;
  const declarator = wrapped(made, true).parent;
  const variable = is(declarator, 'VariableDeclarator') && is(declarator.id, 'Identifier') ? variableOf(declarator.id) : undefined;
  return !variable?.references.some(({ identifier }) => is(identifier.parent, 'CallExpression') && identifier.parent.arguments.includes(identifier as never));
}

/** Stands for all code of other files. */
export const ANYBODY = '*';

const FREES = /unlock|release|free|leave|exit|end|close|dispose|stop/i;

const UNLOCKS = /unlock|free|release/i;

const CLOSES = /^(?:end|close|destroy|disconnect|dispose|discard|terminate|shut)(?![a-z])/;

/** How many functions are looked into that call one another. */
const MAX_CLOSERS = 3;

const isReleasing = (callee: FunctionNode): boolean => /\bdiscard\b/i.test(sourceOf(callee))
  || callsIn(callee).some((one) => is(one, 'CallExpression') && isMember(one.callee) && isReleaseName(memberName(one.callee) ?? ''));

/** What has become of a session: ended, or at least free of all locks, or back in its pool as it was. */
export type Done = 'destroys' | 'keeps';

/** Back to the pool with its session, closed, or either: the argument decides. */
export type Release = 'destroys' | 'keeps' | { readonly argument: TSESTree.Node };

/** `release(true)` and `release(error)` close the connection. */
function byArgument(argument: TSESTree.Node | undefined): Release {
  if (!argument) return 'keeps';
  return is(argument, 'Literal') ? (argument.value ? 'destroys' : 'keeps') : { argument };
}

const callbackBodies = (call: TSESTree.CallExpression): TSESTree.Node[] => call.arguments.flatMap((one) => (isFunction(one) ? [one.body] : []));

/** `a.then(f)` of `a`. */
function nextInChain(node: TSESTree.Node): TSESTree.CallExpression | undefined {
  const member = node.parent;
  const call = member && isMember(member) && member.object === node && ['then', 'finally'].includes(memberName(member) ?? '') ? member.parent : undefined;
  return is(call, 'CallExpression') && call.callee === member ? call : undefined;
}

/** The statements that run after a node when nothing throws, in order, to the end of its function or file. */
function* statementsAfter(node: TSESTree.Node): Generator<TSESTree.Node, void, undefined> {
  // What runs when the call is done: its Node-style callback, and the callbacks of `.then()` and `.finally()` on it.
  if (is(node, 'CallExpression')) yield* callbackBodies(node);
  for (let at: TSESTree.Node | undefined = node; at; at = nextInChain(at)) {
    if (at !== node && is(at, 'CallExpression')) yield* callbackBodies(at);
  }
  for (let at: TSESTree.Node = node, parent = at.parent; parent; at = parent, parent = at.parent) {
    if (isFunction(parent)) return;
    if (is(parent, 'BlockStatement') || is(parent, 'Program')) yield* parent.body.slice(parent.body.indexOf(at as never) + 1);
    if (is(parent, 'SwitchCase')) yield* parent.consequent.slice(parent.consequent.indexOf(at as never) + 1);
    if (is(parent, 'TryStatement') && at !== parent.finalizer && parent.finalizer) yield* parent.finalizer.body;
  }
}

/** What a call runs, and what that is given: also by `unlock.call(this, client)`, `unlock.apply(this, [client])` and `Reflect.apply(unlock, this, [client])`. */
function calledBy(call: TSESTree.CallExpression): { readonly callee: TSESTree.Node; readonly args: readonly TSESTree.Node[] } {
  const applied = appliedBy(call);
  if (!applied) return { callee: unwrap(call.callee), args: call.arguments };
  return { callee: applied.method, args: [applied.self, ...applied.args, applied.list].filter((one) => one !== undefined) };
}

const isPlain = (argument: TSESTree.Node): boolean => is(argument, 'Identifier', 'MemberExpression');
