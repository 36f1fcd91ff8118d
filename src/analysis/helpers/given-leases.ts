import type { TSESTree } from '@typescript-eslint/utils';
import { isReleaseName } from '../../drivers/index.js';
import { sourceOf } from '../../types/index.js';
import { isKeptForLater, isSafeCall, putsAway } from '../flow/call-kinds.js';
import { knownLiteral } from '../flow/conditions/known.js';
import { propertiesOf, type Result } from '../flow/handles.js';
import type { LeaseForm } from './leases.js';
import { assignmentsToField } from '../values/members.js';
import { returnedBy, variableOf } from '../values/names.js';
import { parameterName } from '../values/origin-syntax.js';
import { isNullish, type Frame, type Origin, type Place } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { callsIn, contains, functionAround, is, isClass, isFunction, isMember, memberName, staticName, unwrap, walk, type CallNode, type ClassNode, type FunctionNode, type NodeOf } from '../syntax.js';

/** What a function gives back with the lock that it has taken. */
export type Gift =
  /** The connection itself: the caller has to free the lock, and to give the connection back. */
  | { readonly kind: 'connection' }
  /** What frees the lock when it is called, or has the method that does. */
  | (LeaseForm & { readonly kind: 'lease'; /** Nothing, where a try-lock was lost. */ readonly mayLack: boolean; /** Where an object tells whether it was: what it has then, and else. */ readonly results: readonly Result[] });

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
    const all = this.origins.returnsOf(callee, frame);
    const given = all.filter((one) => !isNullish(one) && !isFalse(one));
    const [first, ...more] = given;
    if (!first || held.size === 0 || this.isKeptInside(callee, held, new Set([...held, ...given.map(({ node }) => node)]), sent)) return undefined;
    const mayLack = all.length > given.length;
    if (given.every((one) => held.has(one.node))) return mayLack ? undefined : { kind: 'connection' };
    const forms = given.flatMap((one) => this.leaseIn(one, held) ?? []);
    const [form] = forms;
    if (!form || forms.some((one) => !isSameForm(one, form))) return undefined;
    if (forms.length === given.length) return { kind: 'lease', ...form, mayLack, results: [] };
    const results = mayLack ? [] : [first, ...more].flatMap((one) => this.resultOf(one, held) ?? []);
    return results.length === given.length ? { kind: 'lease', ...form, mayLack, results } : undefined;
  }

  /** An object that is given with the lock or without it, `{ acquired: true, release }`, as its properties tell. */
  private resultOf(value: Origin, held: ReadonlySet<TSESTree.Node>): Result | undefined {
    const made = value.kind === 'value' && is(value.node, 'ObjectExpression') ? this.madeAt(value.node, value.frame, held) : undefined;
    const parts = made && value.kind === 'value' ? propertiesOf(value.node as TSESTree.ObjectExpression, knownLiteral) : undefined;
    const isTaken = this.leaseIn(value, held) !== undefined;
    return made && parts && (isTaken || made.shows.length === 0) ? { isTaken, value: '+', parts } : undefined;
  }

  /** What a connection is to the function itself: what it has made, or a parameter. */
  private nodesOf(node: TSESTree.Node): ReadonlySet<TSESTree.Node> {
    return new Set(this.origins.of({ node, frame: undefined }).filter((one) => (one.kind === 'value' && !isNullish(one)) || one.kind === 'parameter').map((one) => one.node));
  }

  private isHeld(node: TSESTree.Node, held: ReadonlySet<TSESTree.Node>): boolean {
    return is(node, 'Identifier', 'MemberExpression') && [...this.nodesOf(node)].some((one) => held.has(one));
  }

  /** The method that frees the lock, and others that may; `true` for a function that does so itself. */
  private leaseIn(value: Origin, held: ReadonlySet<TSESTree.Node>): LeaseForm | undefined {
    if (value.kind !== 'value') return undefined;
    if (isFunction(value.node)) return this.frees(value.node, held) ? { unlock: true, also: [], shows: [] } : undefined;
    const made = this.madeAt(value.node, value.frame, held);
    const freeing = made?.members.filter(({ does }) => does.some((one) => this.frees(one, held))).map(({ name }) => name) ?? [];
    const unlock = freeing.find((one) => one !== BY_SYMBOL) ?? freeing[0];
    if (!made || unlock === undefined) return undefined;
    // What speaks of it, or gives the connection, may hand it to others.
    const speaks = ({ name, does, gives }: Member): boolean => freeing.includes(name) || gives || (!/^\d/.test(unlock) && does.some((one) => sourceOf(one).includes(unlock.replace(/[[\]]/g, ''))));
    return { unlock, also: made.members.flatMap((one) => (one.name !== unlock && one.name !== BY_SYMBOL && speaks(one) ? [one.name] : [])), shows: made.shows };
  }

  private madeAt(node: TSESTree.Node, frame: Frame | undefined, held: ReadonlySet<TSESTree.Node>): Made | undefined {
    if (is(node, 'NewExpression')) return this.methodsOf(node, frame, held);
    if (is(node, 'ObjectExpression')) return node.properties.every((one) => is(one, 'Property')) ? this.made(node.properties.map((one) => ({ name: nameOf(one), value: this.readBy(one.kind === 'get', one.value) })), frame, held) : undefined;
    if (!is(node, 'ArrayExpression') || node.elements.some((one) => !one || is(one, 'SpreadElement'))) return undefined;
    return this.made((node.elements as TSESTree.Expression[]).map((value, index) => ({ name: String(index), value })), frame, held);
  }

  /** What a getter gives, where it gives one thing. */
  private readBy(isGetter: boolean, value: TSESTree.Node): TSESTree.Node {
    const [only, ...others] = isGetter && isFunction(value) ? returnedBy(value) : [];
    return only && others.length === 0 ? only : value;
  }

  private made(named: readonly { readonly name: string; readonly value: TSESTree.Node }[], frame: Frame | undefined, held: ReadonlySet<TSESTree.Node>): Made {
    const shows = named.flatMap(({ name, value }) => (this.isHeld(value, held) ? [name] : []));
    const isGiving = (one: FunctionNode): boolean => returnedBy(one).some((each) => this.isHeld(unwrap(each), held));
    const memberOf = (name: string, does: readonly FunctionNode[]): Member => ({ name, does, gives: does.some(isGiving) });
    return { members: named.flatMap(({ name, value }) => (shows.includes(name) ? [] : [memberOf(name, this.functionsAt({ node: value, frame }))])), shows };
  }

  private methodsOf(made: TSESTree.NewExpression, frame: Frame | undefined, held: ReadonlySet<TSESTree.Node>): Made | undefined {
    const [owner, ...others] = this.origins.of({ node: made.callee, frame });
    if (owner?.kind !== 'value' || others.length > 0 || !isClass(owner.node) || owner.node.superClass || made.arguments.some((one) => is(one, 'SpreadElement'))) return undefined;
    const { body } = owner.node.body;
    const constructing = body.flatMap((one) => (is(one, 'MethodDefinition') && one.kind === 'constructor' && isFunction(one.value) ? [one.value] : []))[0];
    if (constructing && tellsOthers(constructing)) return undefined;
    const given = new Map(constructing?.params.flatMap((param, index) => (made.arguments[index] ? [[nameIn(param), made.arguments[index]] as const] : [])));
    // A property has what the constructor puts into it: what that is given, or what it makes of it.
    const put = [
      ...constructing?.params.flatMap((param) => (is(param, 'TSParameterProperty') && param.accessibility !== 'private' && param.accessibility !== 'protected' ? [{ name: nameIn(param), value: parameterName(param) }] : [])) ?? [],
      ...body.flatMap((one) => (isOpenTo(one, 'PropertyDefinition') && !isFunction(one.value) ? [...(one.value ? [one.value] : []), ...assignmentsToField(owner.node as ClassNode, nameOf(one)).map(({ value }) => value)].map((value) => ({ name: nameOf(one), value })) : [])),
    ];
    const fieldAt = (one: TSESTree.MemberExpression): TSESTree.Node[] => assignmentsToField(owner.node as ClassNode, memberName(one) ?? '').map(({ value }) => value);
    const partsOf = (value: TSESTree.Node, depth = 0): TSESTree.Node[] => [...walk(value)].flatMap((one) => {
      if (is(one, 'Identifier')) return [given.get(one.name) ?? one];
      return isMember(one) && is(one.object, 'ThisExpression') && depth === 0 ? [one, ...fieldAt(one).flatMap((each) => partsOf(each, 1))] : [];
    });
    const isOver = (value: TSESTree.Node): boolean => partsOf(value).some((one) => this.isHeld(one, held));
    const read = body.flatMap((one) => (isOpenTo(one, 'MethodDefinition') && one.kind === 'get' ? [{ name: nameOf(one), value: this.readBy(true, one.value) }] : []));
    const shows = [...put, ...read].flatMap(({ name, value }) => (isOver(value) ? [name] : []));
    const members: Member[] = [
      ...body.flatMap((one) => ((isOpenTo(one, 'MethodDefinition') || isOpenTo(one, 'PropertyDefinition')) && isFunction(one.value) ? [{ name: nameOf(one), does: [one.value], gives: returnedBy(one.value).some((each) => !is(unwrap(each), 'CallExpression') && isOver(each)) }] : [])),
      ...put.map(({ name, value }) => ({ name, does: partsOf(value).flatMap((one) => this.functionsAt({ node: one, frame })), gives: false })),
    ];
    return { members: members.filter(({ name }) => name !== 'constructor' && !shows.includes(name)), shows };
  }

  private functionsAt(place: Place): FunctionNode[] {
    return this.origins.of(place).flatMap((one) => (one.kind === 'value' && isFunction(one.node) ? [one.node] : []));
  }

  /** Whether a function, or one that it calls, unlocks, or gives a connection back. */
  private frees(callee: FunctionNode, held: ReadonlySet<TSESTree.Node>, left = MAX_CALLS): boolean {
    if (/unlock/i.test(sourceOf(callee))) return true;
    return callsIn(callee).some((one) => {
      if (is(one, 'CallExpression') && one.arguments.some((each) => this.isUnlock(each))) return true;
      if (is(one, 'CallExpression') && isMember(one.callee) && isReleaseName(memberName(one.callee) ?? '') && this.isHeld(one.callee.object, held)) return true;
      const inner = left > 0 ? this.origins.calleeOf(one, undefined)?.callee : undefined;
      return inner !== undefined && inner !== callee && this.frees(inner, held, left - 1);
    });
  }

  /** Whether a text that has a name is an unlock: `client.query(FREE, [key])`. */
  private isUnlock(node: TSESTree.Node): boolean {
    return is(node, 'Identifier', 'MemberExpression') && this.origins.of({ node, frame: undefined }).some((one) => one.kind === 'value' && is(one.node, 'Literal', 'TemplateLiteral') && /unlock/i.test(sourceOf(one.node)));
  }

  /** Whether somebody else may free the lock: the connection, or what is given for it, is put away or handed on, or a timer, an event or a signal frees it. */
  private isKeptInside(callee: FunctionNode, held: ReadonlySet<TSESTree.Node>, given: ReadonlySet<TSESTree.Node>, sent: CallNode): boolean {
    return [...walk(callee.body)].some((node) => {
      if (is(node, 'AssignmentExpression')) return isKeeping(node, callee) && !this.isInFreeing(node, callee, held);
      if (!is(node, 'CallExpression', 'NewExpression') || contains(node, sent)) return false;
      const isLater = is(node, 'CallExpression') && (isKeptForLater(node) || putsAway(node));
      if (isLater) return node.arguments.some((one) => this.isHeld(one, given) || this.functionsAt({ node: one, frame: undefined }).some((each) => this.frees(each, held)));
      return is(node, 'CallExpression') && node.arguments.some((one) => this.isHeld(one, given)) && !isSafeCall(node) && !this.isInFreeing(node, callee, held);
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
  /** It gives the connection to whoever calls it. */
  readonly gives: boolean;
}

/** A name that is only known at run time is told by its text, as calls write it: `[Symbol.asyncDispose]`. */
const nameOf = ({ key, computed }: { readonly key: TSESTree.Node; readonly computed: boolean }): string => staticName(key, computed) ?? `[${sourceOf(key)}]`;

const isSameForm = (one: LeaseForm, other: LeaseForm): boolean => textOf(one) === textOf(other);

const textOf = ({ unlock, also = [], shows }: LeaseForm): string => [unlock, also.join(), shows.join()].join(' ');

/** What a function writes to a property, or to a variable around it, others may get; what it only counts or marks there, is no connection. */
function isKeeping({ left, operator, right }: TSESTree.AssignmentExpression, callee: FunctionNode): boolean {
  if (operator !== '=' && !/^(?:\?\?|\|\||&&)=$/.test(operator)) return false;
  if (is(right, 'Literal')) return false;
  return isMember(left) || (is(left, 'Identifier') && variableOf(left)?.identifiers.every((one) => !contains(callee, one)) === true);
}

const isFalse = (origin: Origin): boolean => origin.kind === 'value' && is(origin.node, 'Literal') && origin.node.value === false;

/** Whether whoever has an instance may use a member of its class. */
const isOpenTo = <Type extends 'MethodDefinition' | 'PropertyDefinition'>(one: TSESTree.ClassElement, type: Type): one is NodeOf[Type] & TSESTree.ClassElement =>
  is(one, type) && !(one).static && (one).accessibility !== 'private' && (one).accessibility !== 'protected' && !is((one).key, 'PrivateIdentifier');

/** A constructor that tells others of its object, or has something done later, may leave the lock to them. */
const tellsOthers = (constructing: FunctionNode): boolean =>
  callsIn(constructing).some((one) => is(one, 'CallExpression') && one.arguments.some((each) => [...walk(each)].some((node) => is(node, 'ThisExpression'))));

function nameIn(param: TSESTree.Node): string {
  const name = parameterName(param);
  return is(name, 'Identifier') ? name.name : '';
}
