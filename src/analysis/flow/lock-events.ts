import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { sourceOf, treeOf, type Types } from '../../types/index.js';
import type { Makers } from '../values/makers.js';
import type { LockUse } from '../model.js';
import { functionOf, variableOf } from '../values/names.js';
import type { Place } from '../values/origin.js';
import type { OwnPool } from '../sessions/pool-end.js';
import { isProcessExit } from '../sessions/process-end.js';
import { ANYBODY, type Done, type SessionEnds } from '../sessions/session-end.js';
import { isRunAtEndOfBlock } from './disposers.js';
import type { Handle } from './handles.js';
import { mayRunUnlock, type Running } from './kept-functions.js';
import { isKeptForLater, putsAway } from './call-kinds.js';
import { contains, is, isFunction, isMember, uncast, walk, type FunctionNode } from '../syntax.js';

/** What the nodes of a function do to one lock on one connection. */
export type LockEvent =
  | { readonly kind: 'acquire' | 'try' | 'left' | 'destroy' | 'handOn' }
  /** Takes the same lock another time: whoever lost the try-lock has it behind this. */
  | { readonly kind: 'takenBeside' }
  /** Frees all that the session holds: `DISCARD ALL`. */
  | { readonly kind: 'discard' }
  | { readonly kind: 'unlock'; readonly use: LockUse }
  /** Gives the connection back; `argument` decides whether the session ends with it, where there is one. */
  | { readonly kind: 'release'; readonly argument: TSESTree.Node | undefined }
  /** May run functions that free it, which were kept for that: what is kept behind the lock only where that is reached. */
  | { readonly kind: 'runsKept'; readonly what: Running }
  /** The process ends. */
  | { readonly kind: 'exit' };

/** Whether the session of a connection goes on with its locks in a pool, is over, or neither for certain. */
export type GivenBack = 'keeps' | 'ends' | 'unknown';

export interface Lent {
  readonly returned: GivenBack;
  readonly thrown: GivenBack;
  /** By a function of the user's own, which can be told to do otherwise. */
  readonly isOwn: boolean;
}

export interface Tracked {
  readonly body: FunctionNode | TSESTree.Program;
  readonly makers: Makers;
  /** The lock's acquire; `undefined` where it was taken before the function runs. */
  readonly acquire: LockUse | undefined;
  /** The node at which this function takes it: the SQL call, or the call of a helper that sends it. */
  readonly takenAt: TSESTree.Node | undefined;
  /** Where it was taken before: the call of a function that has given the connection with it. */
  readonly openedAt?: TSESTree.Node | undefined;
  /** The nodes at which this function frees it, in the order of the text. */
  readonly freedAt: ReadonlyMap<TSESTree.Node, LockUse>;
  /** Unlocks of other locks on the same connection, and calls of functions that free one. */
  readonly others: ReadonlySet<TSESTree.Node>;
  /** Of a try-lock: the nodes at which this function takes on the same connection what its unlocks may free as well. */
  readonly takenBeside?: ReadonlySet<TSESTree.Node>;
  /** What becomes of the connection when the function ends, where it is lent to it: the callback of `db.connection().execute()`. */
  readonly lent: Lent | undefined;
  /** The pool that the connection goes back to, where the function has made it and ends it. */
  readonly ownPool?: OwnPool | undefined;
  /** Whether an error that leaves the function ends the process. */
  readonly errorsExit?: boolean;
  /** Where a callback runs that may leave a lock on the connection: how it ends. */
  readonly leftBy?: 'return' | 'throw';
  /** Where a function of the file takes it: what that gives to this one. */
  readonly handle?: Handle;
  /** What another function of the file does to this lock, where it is called, or is a method of an object that was made there. */
  eventsIn(callee: FunctionNode, by?: TSESTree.CallExpression | Place): ReadonlyMap<TSESTree.Node, LockEvent>;
  /** What a method without parameters of an object does to the session, where another file has it. */
  doneIn?(method: FunctionNode, made: Place): Done | undefined;
}

/** `isSummed`: functions of the same file count as what they do whenever they return, and are not followed. */
export function eventsOf(tracked: Tracked, ends: SessionEnds, { carriers = carriersOf(tracked, ends), isSummed = false }: { readonly carriers?: ReadonlySet<Scope.Variable>; readonly isSummed?: boolean } = {}): Map<TSESTree.Node, LockEvent> {
  const events = new Map<TSESTree.Node, LockEvent>();
  const { body, makers, acquire, takenAt, freedAt, others } = tracked;
  const owners = new Set(ownersOf(tracked, ends).map((one) => (one === ANYBODY ? one : sourceOf(one))));
  const runsKept = (node: TSESTree.CallExpression): LockEvent | undefined => {
    const what = takenAt ? mayRunUnlock(node, tracked, ends) : undefined;
    return what && { kind: 'runsKept', what };
  };
  for (const node of walk(body)) {
    if (node === takenAt) events.set(node, { kind: tracked.leftBy ? 'left' : acquire?.lock.function.operation === 'try' ? 'try' : 'acquire' });
    else if (freedAt.has(node)) events.set(node, { kind: 'unlock', use: freedAt.get(node)! });
    else if (tracked.takenBeside?.has(node)) events.set(node, { kind: 'takenBeside' });
    else if (is(node, 'CallExpression')) {
      const release = ends.releaseAt(node, makers);
      if (release) events.set(node, release === 'destroys' ? { kind: 'destroy' } : { kind: 'release', argument: release === 'keeps' ? undefined : release.argument });
      else if (ends.isDiscarding(node, makers)) events.set(node, { kind: 'discard' });
      else if (isProcessExit(node)) events.set(node, { kind: 'exit' });
      else if ((!others.has(node) && ends.mayFree(node, makers, owners)) || ends.mayClose(node, makers) || ends.isEndedBy(node, makers, isSummed ? 'any' : 'elsewhere')) events.set(node, { kind: 'destroy' });
      else if (putsAway(node) && node.arguments.some((one) => carries(one, carriers, body))) events.set(node, { kind: 'handOn' });
      else if (isKeptForLater(node) && !isRunAtEndOfBlock(node, takenAt) && freesWhenRun(node, tracked, ends)) events.set(node, { kind: 'handOn' });
      else {
        const event = runsKept(node);
        if (event) events.set(node, event);
      }
    } else if (is(node, 'TaggedTemplateExpression') && ends.isDiscarding(node, makers)) events.set(node, { kind: 'discard' });
    else if (handsOn(node, carriers, body)) events.set(node, { kind: 'handOn' });
  }
  return events;
}

/** What has the connection where another file has the code that takes the lock, or frees it: the objects whose methods do, or that file's own variables. */
function ownersOf({ acquire, freedAt, makers }: Pick<Tracked, 'acquire' | 'freedAt' | 'makers'>, ends: SessionEnds): (TSESTree.Node | typeof ANYBODY)[] {
  return [acquire, ...freedAt.values()].flatMap((use): (TSESTree.Node | typeof ANYBODY)[] => {
    const call = use?.call.isElsewhere && is(use.call.node, 'CallExpression') ? use.call.node : undefined;
    if (!call || call.arguments.some((one) => ends.isOver(one, makers))) return [];
    const callee = uncast(call.callee);
    return isMember(callee) ? [uncast(callee.object)] : [ANYBODY];
  });
}

/** Whether a call that keeps functions for later is given one that frees the lock. */
export const freesWhenRun = (call: TSESTree.CallExpression, tracked: Tracked, ends: SessionEnds): boolean => call.arguments.some((one) => freesLater(one, tracked, ends));

/** The variables that hold the connection. */
export function carriersOf({ acquire, takenAt, freedAt, makers }: Tracked, ends: SessionEnds): Set<Scope.Variable> {
  const found = new Set(ownersOf({ acquire, freedAt, makers }, ends).flatMap((one) => (one !== ANYBODY && is(one, 'Identifier') ? variableOf(one) ?? [] : [])));
  // A helper gets it as an argument.
  for (const call of [takenAt, ...freedAt.keys()]) {
    for (const one of is(call, 'CallExpression') ? call.arguments : []) {
      const variable = is(one, 'Identifier') && ends.isOver(one, makers) ? variableOf(one) : undefined;
      if (variable) found.add(variable);
    }
  }
  for (const use of [acquire, ...freedAt.values()]) {
    // `drizzle(client)` works through `client`: both carry it.
    for (const node of use ? walk(use.call.handle) : []) {
      const variable = is(node, 'Identifier') ? variableOf(node) : undefined;
      if (variable && (node === uncast(use!.call.handle) || ends.isOver(node, makers))) found.add(variable);
    }
  }
  return found;
}

/** `return client`, `return { release }`, `this.client = client`, `yield client`: whoever gets it now has to free the lock. */
function handsOn(node: TSESTree.Node, carriers: ReadonlySet<Scope.Variable>, body: TSESTree.Node): boolean {
  const given = is(node, 'ReturnStatement') || is(node, 'YieldExpression') ? node.argument : undefined;
  if (given) return carries(given, carriers, body);
  if (!is(node, 'AssignmentExpression')) return false;
  const target = uncast(node.left);
  const isOutside = isMember(target) || (is(target, 'Identifier') && variableOf(target)?.identifiers.every((one) => !contains(body, one)) === true);
  return isOutside && carries(node.right, carriers, body);
}

/** Whether a value is, or has in it, the connection or a function that uses it. Passing it to a call is only work on it. */
function carries(value: TSESTree.Node, carriers: ReadonlySet<Scope.Variable>, body: TSESTree.Node, depth = 0): boolean {
  const node = uncast(value);
  const inner = (one: TSESTree.Node | null): boolean => one !== null && depth < 8 && carries(one, carriers, body, depth + 1);
  if (is(node, 'Identifier')) {
    const variable = variableOf(node);
    if (!variable) return false;
    if (carriers.has(variable)) return true;
    const made = variable.defs[0]?.node as TSESTree.Node | undefined;
    const init = is(made, 'VariableDeclarator') ? made.init : made;
    return !!init && contains(body, init) && (isFunction(init) || is(init, 'ObjectExpression') || is(init, 'NewExpression')) && inner(init);
  }
  if (isFunction(node)) return [...walk(node.body)].some((one) => is(one, 'Identifier') && carriers.has(variableOf(one)!));
  if (is(node, 'ObjectExpression')) return node.properties.some((one) => inner(is(one, 'Property') ? one.value : one.argument));
  if (is(node, 'ArrayExpression')) return node.elements.some((one) => inner(one));
  if (is(node, 'NewExpression')) return node.arguments.some((one) => inner(one));
  if (is(node, 'ConditionalExpression')) return inner(node.consequent) || inner(node.alternate);
  if (is(node, 'LogicalExpression')) return inner(node.left) || inner(node.right);
  return is(node, 'AssignmentExpression') && inner(node.right);
}

/** Whether a function, or one of the file that it calls, frees the lock or gives the connection back. */
function freesLater(value: TSESTree.Node, tracked: Tracked, ends: SessionEnds, depth = 0): boolean {
  const node = uncast(value);
  const callback = is(node, 'Identifier') ? functionOf(node) : isFunction(node) ? node : undefined;
  if (!callback || depth > 4) return false;
  const { body, freedAt, makers } = tracked;
  const isOwn = treeOf(callback) === treeOf(body) && contains(body, callback);
  if (!isOwn) return depth < 2 && callback !== body && tracked.eventsIn(callback).size > 0;
  return [...walk(callback.body)].some((one) => freedAt.has(one) || (is(one, 'CallExpression') && (ends.releaseAt(one, makers) !== undefined || freesLater(one.callee, tracked, ends, depth + 1))));
}

/** `release(error)`: an error is always truthy; what may be `undefined` may keep the session. */
export function mayKeep(argument: TSESTree.Node, types: Types): boolean {
  const facts = types.typeOf(argument);
  if (!facts || facts.isAny) return false;
  return facts.nullable || facts.alternatives.some((one) => one.literal === false);
}
