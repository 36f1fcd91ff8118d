import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { isReleaseName, type HouseHelper } from '../../drivers/index.js';
import { sourceOf } from '../../types/index.js';
import { isOfPromise, putsAway } from '../flow/call-kinds.js';
import type { Result } from '../flow/handles.js';
import { functionOf, variableOf } from '../values/names.js';
import { contains, functionAround, is, isFunction, isMember, memberName, staticName, unwrap, wrapped, type FunctionNode } from '../syntax.js';

/**
 * What a lock helper gives that frees its lock: a function (`const unlock = await lockUser(1)`), or an object with a method for it
 * (`const lease = await mutex.acquire(key)`). It is followed as a local variable, and no further.
 */
export interface Lease {
  /**
   * `followed`: each mention of it is a call that frees, or a test; `unused`: no mention can free the lock; `disposed`: `using` frees it;
   * `handed`: somebody else may.
   */
  readonly kind: 'followed' | 'unused' | 'disposed' | 'handed';
  /** Whether some condition asks for it. */
  readonly isAsked: boolean;
  /** Where what the helper gives tells whether the lock was taken: what it has then, and else. */
  readonly results?: readonly Result[];
}

/** What frees the lock, of what a function gives back with it. */
export interface LeaseForm {
  /** The method that does; `true` where what is given back is a function that does. */
  readonly unlock: true | string;
  /** Other members that free it, or may hand on what does; nobody knows, where its code is not in view. */
  readonly also: readonly string[] | undefined;
  /** The properties that have the connection, on which the caller may work, or which it may give back. */
  readonly shows: readonly string[];
}

/** A call that frees what a variable has. */
export interface Freeing {
  /** The calls of the helper whose locks it may free. */
  readonly taken: readonly TSESTree.CallExpression[];
  /** What is called, or has the method that is. */
  readonly holder: TSESTree.Identifier;
}

type Helping = (call: TSESTree.CallExpression) => Pick<HouseHelper, 'unlock'> | undefined;

/** The variable that has what a call gives. */
interface Held {
  readonly variable: Scope.Variable;
  /** The method that frees, where the variable has an object. */
  readonly method: string | undefined;
}

const HANDED: Lease = { kind: 'handed', isAsked: false };
const UNUSED: Lease = { kind: 'unused', isAsked: false };

export function leaseOf(call: TSESTree.CallExpression, form: LeaseForm): Lease {
  const { parent } = wrapped(call, true);
  if (is(parent, 'VariableDeclarator') && /using$/.test(parent.parent.kind)) return { kind: 'disposed', isAsked: false };
  const target = targetOf(call);
  if (target === 'nobody') return UNUSED;
  const uses = target === undefined ? ['other' as const] : usesOf(target, form);
  if (uses.includes('other') || heldIn(target).some((one) => functionAround(one) !== functionAround(call))) return HANDED;
  return { kind: uses.includes('frees') ? 'followed' : 'unused', isAsked: uses.includes('asked') };
}

/** What a call frees, where it is one of what a helper gave. */
export function freeingOf(call: TSESTree.CallExpression, helperOf: Helping): Freeing | undefined {
  const callee = unwrap(call.callee);
  const holder = isMember(callee) ? unwrap(callee.object) : callee;
  const variable = is(holder, 'Identifier') ? variableOf(holder) : undefined;
  const values = variable?.defs[0]?.type === 'Variable' as never ? variable.references.flatMap(({ writeExpr }) => writeExpr ?? []) : [];
  const taken = values.flatMap(givenIn).filter((made) => {
    const unlock = helperOf(made)?.unlock;
    const held = unlock === undefined ? undefined : heldBy(made, unlock);
    return held?.variable === variable && isFreeing(call, held?.method);
  });
  return taken.length > 0 ? { taken, holder: holder as TSESTree.Identifier } : undefined;
}

/** Whether a lease is the only one that its variable ever has. */
export const isOnlyLease = (call: TSESTree.CallExpression): boolean =>
  heldIn(targetOf(call)).every((one) => (variableOf(one)?.references.filter(({ writeExpr }) => writeExpr && !isNothing(writeExpr)).length ?? 0) <= 1);

const isNothing = (node: TSESTree.Node): boolean => (is(node, 'Literal') && node.value === null) || (is(node, 'Identifier') && node.name === 'undefined');

/** The name or the pattern that gets what a call gives, also beside others: `const [one, other] = await Promise.all([take(1), take(2)])`. */
function targetOf(call: TSESTree.CallExpression): TSESTree.Node | 'nobody' | undefined {
  const outer = wrapped(call, true);
  const list = is(outer.parent, 'ArrayExpression') ? outer.parent : undefined;
  const all = list && wrapped(list, false).parent;
  const whole = list ? wrapped(isAll(all) ? all : list, true) : outer;
  const { parent } = whole;
  if (is(parent, 'ExpressionStatement')) return 'nobody';
  const isAssigned = is(parent, 'AssignmentExpression') && parent.right === whole && parent.operator === '=' && is(parent.parent, 'ExpressionStatement');
  const target = is(parent, 'VariableDeclarator') ? parent.id : isAssigned ? parent.left : undefined;
  if (!list) return target;
  const index = list.elements.indexOf(outer as never);
  if (is(target, 'ArrayPattern')) return target.elements.slice(0, index + 1).some((one) => is(one, 'RestElement')) ? undefined : target.elements[index] ?? 'nobody';
  return is(target, 'Identifier') && variableOf(target)?.references.every((one) => !one.isRead()) === true ? 'nobody' : undefined;
}

const isAll = (node: TSESTree.Node | undefined): node is TSESTree.CallExpression => is(node, 'CallExpression') && isOfPromise(node) && isMember(node.callee) && memberName(node.callee) === 'all';

/** The calls whose values an expression has, each by itself or in a list. */
function givenIn(value: TSESTree.Node): TSESTree.CallExpression[] {
  const node = unwrap(value);
  const list = isAll(node) ? node.arguments[0] : node;
  if (is(list, 'ArrayExpression')) return list.elements.flatMap((one) => { const made = one ? unwrap(one) : undefined; return is(made, 'CallExpression') ? [made] : []; });
  return is(node, 'CallExpression') ? [node] : [];
}

/** The names that get a value, or parts of it. */
const heldIn = (target: TSESTree.Node | 'nobody' | undefined): TSESTree.Identifier[] =>
  (target === undefined || target === 'nobody' ? [] : is(target, 'Identifier') ? [target] : partsOf(target)?.flatMap(({ value }) => (is(value, 'Identifier') ? [value] : [])) ?? []);

/** What a pattern takes out, by name; `undefined` where something keeps the rest. */
function partsOf(target: TSESTree.Node): { readonly name: string; readonly value: TSESTree.Node }[] | undefined {
  if (is(target, 'ArrayPattern')) return target.elements.some((one) => is(one, 'RestElement')) ? undefined : target.elements.flatMap((value, index) => (value ? [{ name: String(index), value }] : []));
  if (!is(target, 'ObjectPattern') || target.properties.some((one) => is(one, 'RestElement'))) return undefined;
  return (target.properties as TSESTree.Property[]).map(({ key, computed, value }) => ({ name: staticName(key, computed) ?? `[${sourceOf(key)}]`, value }));
}

function heldBy(call: TSESTree.CallExpression, unlock: true | string): Held | undefined {
  const target = targetOf(call);
  if (target === undefined || target === 'nobody') return undefined;
  const isMethod = unlock !== true;
  const name = isMethod && !is(target, 'Identifier') ? partsOf(target)?.find((one) => one.name === unlock)?.value : target;
  const variable = is(name, 'Identifier') ? variableOf(name) : undefined;
  return variable && { variable, method: isMethod && name === target ? unlock : undefined };
}

type Use = 'frees' | 'asked' | 'none' | 'other';

/** What is done with a lease, or with the parts of it. */
function usesOf(target: TSESTree.Node, { unlock, also, shows }: LeaseForm): Use[] {
  const readsOf = (name: TSESTree.Node): TSESTree.Identifier[] => (variableOf(name as TSESTree.Identifier)?.references.filter((one) => one.isRead()).map(({ identifier }) => identifier as TSESTree.Identifier) ?? []);
  if (is(target, 'Identifier')) {
    const variable = variableOf(target);
    return variable ? readsOf(target).map((name) => useOf(name, { variable, method: unlock === true ? undefined : unlock }, also ?? [], shows)) : ['other'];
  }
  const parts = unlock === true ? undefined : partsOf(target);
  if (!parts || (!also && !parts.some(({ name }) => name === unlock))) return ['other'];
  return ['asked', ...parts.flatMap(({ name, value }): Use[] => {
    if (name !== unlock && !shows.includes(name)) return also?.includes(name) || name.startsWith('[') ? ['other'] : [];
    const variable = is(value, 'Identifier') ? variableOf(value) : undefined;
    if (!variable) return ['other'];
    return readsOf(value).map((one) => (name === unlock ? useOf(one, { variable, method: undefined }, [], []) : workOf(one)));
  })];
}

/** Whether a call is of a variable itself, or of the method that its object has. */
function isFreeing(call: TSESTree.CallExpression, method: string | undefined): boolean {
  const callee = unwrap(call.callee);
  return method === undefined ? is(callee, 'Identifier') : isMember(callee) && is(unwrap(callee.object), 'Identifier') && methodName(callee) === method;
}

function useOf(name: TSESTree.Identifier, { variable, method }: Held, also: readonly string[], shows: readonly string[]): Use {
  const outer = wrapped(name, false);
  const { parent } = outer;
  const member = method !== undefined && parent && isMember(parent) && parent.object === outer ? wrapped(parent, false) : undefined;
  const callee = method === undefined ? outer : member;
  if (callee && is(callee.parent, 'CallExpression') && callee.parent.callee === callee && isFreeing(callee.parent, method)) return isRunInView(name, variable) ? 'frees' : 'other';
  // What else its object says: `lease.key`, `lease.acquired`.
  const value = member && !(is(member.parent, 'CallExpression') && member.parent.callee === member) ? member : outer;
  const called = member && memberName(parent as TSESTree.MemberExpression);
  // `lease[name]()`, or `lease[Symbol.asyncDispose]()` beside another method: it may be what frees.
  if (member && (called === undefined || also.includes(called))) return 'other';
  if (called !== undefined && shows.includes(called)) {
    const work = workOf(member!);
    return work === 'none' ? 'asked' : work;
  }
  return isTested(value) ? 'asked' : member && called !== method ? 'asked' : 'other';
}

const methodName = (member: TSESTree.MemberExpression): string => memberName(member) ?? `[${sourceOf(member.property)}]`;

/** What is done with the connection that a lease shows: it is worked on, or given back; else somebody may keep it, close it, or free locks on it. */
function workOf(node: TSESTree.Node): Use {
  if (isWorkedOn(node)) return 'none';
  const member = wrapped(node, false).parent;
  const isBack = member && isMember(member) && isReleaseName(memberName(member) ?? '') && unwrap(member.object) === unwrap(node) && is(member.parent, 'CallExpression') && member.parent.callee === member;
  return isBack ? 'frees' : 'other';
}

/** `client.query(...)`, `work(client)`. */
function isWorkedOn(node: TSESTree.Node): boolean {
  const outer = wrapped(node, false);
  const { parent } = outer;
  // A part of a condition.
  if (isTested(outer)) return true;
  const member = parent && isMember(parent) && parent.object === outer ? parent : undefined;
  const call = member ? wrapped(member, false).parent : parent;
  if (is(call, 'TaggedTemplateExpression')) return !FREES.test(sourceOf(call));
  if (!is(call, 'CallExpression') || (member !== undefined && unwrap(call.callee) !== member) || FREES.test(sourceOf(call)) || putsAway(call)) return false;
  const callee = unwrap(call.callee);
  const body = is(callee, 'Identifier') ? functionOf(callee)?.body : undefined;
  // Of a parameter the name leads to the function that has it.
  return !body || contains(body, node) || !FREES.test(sourceOf(body));
}

/** The text of a call that may give a connection back, close it, or free what is locked on it. */
const FREES = /unlock|release|advisory|\b(?:end|destroy|close|free|dispose|finish|done|discard)\w*\(/i;

/** Whether the functions around a mention of a variable, up to the one that has the variable, run where they are seen to. */
function isRunInView(name: TSESTree.Node, variable: Scope.Variable): boolean {
  const [declared] = variable.identifiers;
  for (let around = functionAround(name); around && declared && !contains(around, declared); around = functionAround(around)) if (!isCalledHere(around)) return false;
  return true;
}

/** A function of a name that is only called, or a callback of a promise. */
function isCalledHere(callee: FunctionNode): boolean {
  const { parent } = callee;
  if (is(parent, 'CallExpression')) return parent.callee === callee || (isMember(parent.callee) && /^(?:then|catch|finally)$/.test(memberName(parent.callee) ?? ''));
  const name = is(callee, 'FunctionDeclaration') ? callee.id : is(parent, 'VariableDeclarator') && is(parent.id, 'Identifier') ? parent.id : null;
  const variable = name ? variableOf(name) : undefined;
  return variable !== undefined && variable.references.every(({ identifier, init }) => init === true || (is(identifier.parent, 'CallExpression') && (identifier.parent).callee === identifier));
}

/** A condition, or a part of one. */
function isTested(node: TSESTree.Node): boolean {
  const { parent } = node;
  if (is(parent, 'UnaryExpression')) return parent.operator === '!' || parent.operator === 'typeof';
  if (is(parent, 'BinaryExpression')) return true;
  if (is(parent, 'LogicalExpression')) return parent.left === node ? parent.operator === '&&' : isTested(parent);
  if (is(parent, 'IfStatement', 'WhileStatement', 'DoWhileStatement', 'ForStatement', 'ConditionalExpression')) return parent.test === node;
  return isFunction(parent) ? false : is(parent, 'SwitchStatement');
}
