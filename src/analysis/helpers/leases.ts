import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import type { HouseHelper } from '../../drivers/index.js';
import { sourceOf } from '../../types/index.js';
import { putsAway } from '../flow/call-kinds.js';
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
}

/** What frees the lock, of what a function gives back with it. */
export interface LeaseForm {
  /** The method that does; `true` where what is given back is a function that does. */
  readonly unlock: true | string;
  /** The properties that have the connection, on which the caller may work. */
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

export function leaseOf(call: TSESTree.CallExpression, { unlock, shows }: LeaseForm): Lease {
  const outer = wrapped(call, true);
  const { parent } = outer;
  if (is(parent, 'ExpressionStatement')) return { kind: 'unused', isAsked: false };
  if (is(parent, 'VariableDeclarator') && /using$/.test(parent.parent.kind)) return { kind: 'disposed', isAsked: false };
  const held = heldBy(outer, unlock);
  if (shows.length > 0 && !areWorkedOn(outer, shows)) return HANDED;
  if (!held || held.variable.identifiers.some((one) => functionAround(one) !== functionAround(call))) return HANDED;
  const uses = held.variable.references.filter((one) => one.isRead()).map(({ identifier }) => useOf(identifier as TSESTree.Identifier, held));
  if (uses.includes('other')) return HANDED;
  // To take something out of nothing is an error.
  const isAsked = uses.includes('asked') || (is(parent, 'VariableDeclarator') && is(parent.id, 'ObjectPattern'));
  return { kind: uses.includes('frees') ? 'followed' : 'unused', isAsked };
}

/** What a call frees, where it is one of what a helper gave. */
export function freeingOf(call: TSESTree.CallExpression, helperOf: Helping): Freeing | undefined {
  const callee = unwrap(call.callee);
  const holder = isMember(callee) ? unwrap(callee.object) : callee;
  const variable = is(holder, 'Identifier') ? variableOf(holder) : undefined;
  const values = variable?.defs[0]?.type === 'Variable' as never ? variable.references.flatMap(({ writeExpr }) => writeExpr ?? []) : [];
  const taken = values.flatMap((value) => {
    const made = unwrap(value);
    const unlock = is(made, 'CallExpression') ? helperOf(made)?.unlock : undefined;
    const held = unlock === undefined ? undefined : heldBy(wrapped(made, true), unlock);
    return held?.variable === variable && isFreeing(call, held?.method) ? [made as TSESTree.CallExpression] : [];
  });
  return taken.length > 0 ? { taken, holder: holder as TSESTree.Identifier } : undefined;
}

/** Whether a lease is the only one that its variable ever has. */
export function isOnlyLease(call: TSESTree.CallExpression): boolean {
  const { parent } = wrapped(call, true);
  const target = is(parent, 'VariableDeclarator') ? parent.id : is(parent, 'AssignmentExpression') ? parent.left : undefined;
  const names = is(target, 'ObjectPattern') ? target.properties.map((one) => (is(one, 'Property') ? one.value : one.argument)) : [target];
  return names.every((one) => !is(one, 'Identifier') || (variableOf(one)?.references.filter(({ writeExpr }) => writeExpr && !isNothing(writeExpr)).length ?? 0) <= 1);
}

const isNothing = (node: TSESTree.Node): boolean => (is(node, 'Literal') && node.value === null) || (is(node, 'Identifier') && node.name === 'undefined');

function heldBy(outer: TSESTree.Node, unlock: true | string): Held | undefined {
  const { parent } = outer;
  const target = is(parent, 'VariableDeclarator') ? parent.id : is(parent, 'AssignmentExpression') && parent.right === outer && parent.operator === '=' && is(parent.parent, 'ExpressionStatement') ? parent.left : undefined;
  const isMethod = unlock !== true;
  const name = is(target, 'ObjectPattern') && isMethod ? takenOut(target, unlock) : target;
  const variable = is(name, 'Identifier') ? variableOf(name) : undefined;
  return variable && { variable, method: isMethod && name === target ? unlock : undefined };
}

/** `{ release }`, `{ release: free }`, where nothing else keeps the rest. */
function takenOut({ properties }: TSESTree.ObjectPattern, method: string): TSESTree.Node | undefined {
  if (properties.some((one) => is(one, 'RestElement'))) return undefined;
  return properties.flatMap((one) => (is(one, 'Property') && staticName(one.key, one.computed) === method ? [one.value] : []))[0];
}

/** Whether a call is of a variable itself, or of the method that its object has. */
function isFreeing(call: TSESTree.CallExpression, method: string | undefined): boolean {
  const callee = unwrap(call.callee);
  return method === undefined ? is(callee, 'Identifier') : isMember(callee) && is(unwrap(callee.object), 'Identifier') && methodName(callee) === method;
}

function useOf(name: TSESTree.Identifier, { variable, method }: Held): 'frees' | 'asked' | 'other' {
  const outer = wrapped(name, false);
  const { parent } = outer;
  const member = method !== undefined && parent && isMember(parent) && parent.object === outer ? wrapped(parent, false) : undefined;
  const callee = method === undefined ? outer : member;
  if (callee && is(callee.parent, 'CallExpression') && callee.parent.callee === callee && isFreeing(callee.parent, method)) return isRunInView(name, variable) ? 'frees' : 'other';
  // What else its object says: `lease.key`, `lease.acquired`.
  const value = member && !(is(member.parent, 'CallExpression') && member.parent.callee === member) ? member : outer;
  // `lease[name]()`, or `lease[Symbol.asyncDispose]()` beside another method: it may be what frees.
  if (member && memberName(parent as TSESTree.MemberExpression) === undefined) return 'other';
  return isTested(value) ? 'asked' : member && memberName(parent as TSESTree.MemberExpression) !== method ? 'asked' : 'other';
}

const methodName = (member: TSESTree.MemberExpression): string => memberName(member) ?? `[${sourceOf(member.property)}]`;

/** Whether the connection that a lease shows is worked on only: nobody gives it back, closes it, keeps it, or frees locks on it. */
function areWorkedOn(outer: TSESTree.Node, shows: readonly string[]): boolean {
  const { parent } = outer;
  const target = is(parent, 'VariableDeclarator') ? parent.id : is(parent, 'AssignmentExpression') ? parent.left : undefined;
  const uses = (name: TSESTree.Node): TSESTree.Node[] => (is(name, 'Identifier') ? variableOf(name)?.references.filter((one) => one.isRead()).map(({ identifier }) => identifier) : undefined) ?? [];
  if (is(target, 'ObjectPattern')) {
    const taken = target.properties.flatMap((one) => (is(one, 'Property') && shows.includes(staticName(one.key, one.computed) ?? '') ? [one.value] : []));
    return taken.every((one) => is(one, 'Identifier') && uses(one).every(isWorkedOn));
  }
  return !is(target, 'Identifier') || uses(target).every((name) => {
    const member = wrapped(name, false).parent;
    return !member || !isMember(member) || !shows.includes(methodName(member)) || isWorkedOn(member);
  });
}

/** `client.query(...)`, `work(client)`. */
function isWorkedOn(node: TSESTree.Node): boolean {
  const outer = wrapped(node, false);
  const { parent } = outer;
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
