import type { TSESTree } from '@typescript-eslint/utils';
import { isReleaseName } from '../../drivers/index.js';
import { sourceOf } from '../../types/index.js';
import { isKeptForLater, putsAway } from '../flow/call-kinds.js';
import type { LeaseForm } from './leases.js';
import { isNullish, type Frame, type Origin, type Place } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { callsIn, contains, functionAround, is, isClass, isFunction, isMember, memberName, staticName, walk, type CallNode, type FunctionNode } from '../syntax.js';

/** What a function gives back with the lock that it has taken. */
export type Gift =
  /** The connection itself: the caller has to free the lock, and to give the connection back. */
  | { readonly kind: 'connection' }
  /** What frees the lock when it is called, or has the method that does. */
  | (LeaseForm & { readonly kind: 'lease'; /** Nothing, where a try-lock was lost. */ readonly mayLack: boolean });

/** The method of an object that `await using` calls. */
const BY_SYMBOL = '[Symbol.asyncDispose]';

/** How many functions are looked into that call one another. */
const MAX_CALLS = 2;

/** Functions of other files that reserve a connection, take a lock on it, and give back the connection or what frees the lock. */
export class GivenLeases {
  constructor(private readonly origins: Origins) {}

  /** `undefined` where what they give is neither, or somebody else may free the lock as well. */
  of({ callee, frame }: { readonly callee: FunctionNode; readonly frame: Frame }, handle: Place, sent: CallNode): Gift | undefined {
    const held = this.nodesOf(handle.node);
    const given = this.origins.returnsOf(callee, frame);
    const [first, ...more] = given.filter((one) => !isNullish(one));
    if (!first || held.size === 0 || this.isKeptInside(callee, held, sent)) return undefined;
    const mayLack = given.length > more.length + 1;
    if ([first, ...more].every((one) => held.has(one.node))) return mayLack ? undefined : { kind: 'connection' };
    const form = this.leaseIn(first, held);
    return form === undefined || more.some((one) => !isSameForm(this.leaseIn(one, held), form)) ? undefined : { kind: 'lease', ...form, mayLack };
  }

  /** What a connection is to the function itself: what it has made, or a parameter. */
  private nodesOf(node: TSESTree.Node): ReadonlySet<TSESTree.Node> {
    return new Set(this.origins.of({ node, frame: undefined }).filter((one) => (one.kind === 'value' && !isNullish(one)) || one.kind === 'parameter').map((one) => one.node));
  }

  private isHeld(node: TSESTree.Node, held: ReadonlySet<TSESTree.Node>): boolean {
    return is(node, 'Identifier', 'MemberExpression') && [...this.nodesOf(node)].some((one) => held.has(one));
  }

  /** The name of the one method that frees the lock; `true` for a function that does so itself. */
  private leaseIn(value: Origin, held: ReadonlySet<TSESTree.Node>): LeaseForm | undefined {
    if (value.kind !== 'value') return undefined;
    if (isFunction(value.node)) return this.frees(value.node, held) ? { unlock: true, shows: [] } : undefined;
    const made = is(value.node, 'NewExpression') ? this.methodsOf(value.node, value.frame, held) : is(value.node, 'ObjectExpression') ? this.propertiesOf(value.node, value.frame, held) : undefined;
    const freeing = made?.members.filter(({ does }) => does.some((one) => this.frees(one, held))).map(({ name }) => name);
    const [name, ...others] = freeing?.filter((one) => one !== BY_SYMBOL) ?? [];
    const unlock = others.length > 0 ? undefined : name ?? freeing?.[0];
    return made && unlock !== undefined ? { unlock, shows: made.shows } : undefined;
  }

  private propertiesOf({ properties }: TSESTree.ObjectExpression, frame: Frame | undefined, held: ReadonlySet<TSESTree.Node>): Made | undefined {
    if (properties.some((one) => is(one, 'SpreadElement'))) return undefined;
    const named = (properties as TSESTree.Property[]).map((one) => ({ name: nameOf(one), value: one.value }));
    const shows = named.flatMap(({ name, value }) => (this.isHeld(value, held) ? [name] : []));
    return { members: named.flatMap(({ name, value }) => (shows.includes(name) ? [] : [{ name, does: this.functionsAt({ node: value, frame }) }])), shows };
  }

  private methodsOf(made: TSESTree.NewExpression, frame: Frame | undefined, held: ReadonlySet<TSESTree.Node>): Made | undefined {
    const [owner, ...others] = this.origins.of({ node: made.callee, frame });
    if (owner?.kind !== 'value' || others.length > 0 || !isClass(owner.node) || owner.node.superClass) return undefined;
    const { body } = owner.node.body;
    const isPrivate = body.every((one) => !is(one, 'PropertyDefinition') || one.accessibility === 'private' || is(one.key, 'PrivateIdentifier') || isFunction(one.value));
    const constructing = body.find((one) => is(one, 'MethodDefinition') && one.kind === 'constructor');
    const params = is(constructing, 'MethodDefinition') ? constructing.value.params : [];
    const isShown = made.arguments.some((one, index) => this.isHeld(one, held) && is(params[index], 'TSParameterProperty') && params[index].accessibility !== 'private');
    const isToldOthers = constructing !== undefined && [...walk(constructing)].some((node) => is(node, 'CallExpression') && node.arguments.some((one) => is(one, 'ThisExpression')));
    if (!isPrivate || isShown || isToldOthers) return undefined;
    const members = body.flatMap((one) => (is(one, 'MethodDefinition', 'PropertyDefinition') && isFunction(one.value) && !(is(one, 'MethodDefinition') && one.kind === 'constructor') ? [{ name: nameOf(one), does: [one.value] }] : []));
    return { members, shows: [] };
  }

  private functionsAt(place: Place): FunctionNode[] {
    return this.origins.of(place).flatMap((one) => (one.kind === 'value' && isFunction(one.node) ? [one.node] : []));
  }

  /** Whether a function, or one that it calls, unlocks, or gives a connection back. */
  private frees(callee: FunctionNode, held: ReadonlySet<TSESTree.Node>, left = MAX_CALLS): boolean {
    if (/unlock/i.test(sourceOf(callee))) return true;
    return callsIn(callee).some((one) => {
      if (is(one, 'CallExpression') && isMember(one.callee) && isReleaseName(memberName(one.callee) ?? '') && this.isHeld(one.callee.object, held)) return true;
      const inner = left > 0 ? this.origins.calleeOf(one, undefined)?.callee : undefined;
      return inner !== undefined && inner !== callee && this.frees(inner, held, left - 1);
    });
  }

  /** Whether somebody else may free the lock: the connection is put away or handed on, or a timer, an event or a signal frees it. */
  private isKeptInside(callee: FunctionNode, held: ReadonlySet<TSESTree.Node>, sent: CallNode): boolean {
    return [...walk(callee.body)].some((node) => {
      if (is(node, 'AssignmentExpression')) return isMember(node.left);
      if (!is(node, 'CallExpression', 'NewExpression') || contains(node, sent)) return false;
      const isLater = is(node, 'CallExpression') && (isKeptForLater(node) || putsAway(node));
      if (isLater) return node.arguments.some((one) => this.isHeld(one, held) || this.functionsAt({ node: one, frame: undefined }).some((each) => this.frees(each, held)));
      return is(node, 'CallExpression') && node.arguments.some((one) => this.isHeld(one, held)) && !this.isInFreeing(node, callee, held);
    });
  }

  /** A call within the function that frees the lock has the connection for no longer than that. */
  private isInFreeing(node: TSESTree.Node, callee: FunctionNode, held: ReadonlySet<TSESTree.Node>): boolean {
    const around = functionAround(node);
    return around !== undefined && around !== callee && this.frees(around, held);
  }
}

/** What an object has that is given back. */
interface Made {
  readonly members: readonly Member[];
  /** Properties that have the connection. */
  readonly shows: readonly string[];
}

interface Member {
  readonly name: string;
  readonly does: readonly FunctionNode[];
}

/** A name that is only known at run time is told by its text, as calls write it: `[Symbol.asyncDispose]`. */
const nameOf = ({ key, computed }: { readonly key: TSESTree.Node; readonly computed: boolean }): string => staticName(key, computed) ?? `[${sourceOf(key)}]`;

const isSameForm = (one: LeaseForm | undefined, other: LeaseForm): boolean => one?.unlock === other.unlock && one.shows.join() === other.shows.join();
