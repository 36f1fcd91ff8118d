import type { TSESTree } from '@typescript-eslint/utils';
import { is, isConstant, keyOf } from './syntax.js';
import { isWrapped, type Value } from './value.js';

/** Assertions that only ask whether something is there, by the names of `node:assert`, chai, Jest and Vitest. */
const PRESENCE: ReadonlySet<string> = new Set([
  'assert', 'invariant', 'ok', 'isOk', 'exists', 'isDefined', 'isNotNull', 'isNotEmpty', 'lengthOf', 'exist', 'length', 'empty', 'null', 'undefined',
  'toBeTruthy', 'toBeFalsy', 'toBeDefined', 'toBeUndefined', 'toBeNull', 'toHaveLength',
]);
const EQUALITY: ReadonlySet<string> = new Set(['equal', 'equals', 'strictEqual', 'notEqual', 'notStrictEqual', 'eq', 'eql', 'toBe', 'toEqual', 'toStrictEqual']);
const ASSERTS: ReadonlySet<string> = new Set(['assert', 'invariant']);

/**
 * Whether a call asserts something about its argument that does not depend on the answer: a number of rows, or that there is a
 * row. Any other assertion may well compare the boolean in it.
 */
export function assertsPresence(call: TSESTree.CallExpression, index: number, value: Value): boolean {
  const callee = namesOf(call.callee);
  const last = callee.at(-1) ?? '';
  if (callee.some((name) => ASSERTS.has(name))) return index < (EQUALITY.has(last) ? 2 : 1) && saysNothing(last, call.arguments[1 - index], value);
  return last === 'expect' && index === 0 && expectations(call).some(({ name, to }) => saysNothing(name, to, value));
}

function saysNothing(name: string, to: TSESTree.Node | undefined, value: Value): boolean {
  return value.kind === 'count' || PRESENCE.has(name) || (EQUALITY.has(name) && to !== undefined && isConstant(to));
}

/** `chai.assert.ok` as its names. */
function namesOf(callee: TSESTree.Node): readonly string[] {
  if (is(callee, 'Identifier')) return [callee.name];
  return is(callee, 'MemberExpression') ? [...namesOf(callee.object), String(keyOf(callee, callee.property))] : [];
}

/** What follows `expect(...)`: `.not.toBe(0)` as its names, with the first argument of those that are called. */
function expectations(expect: TSESTree.CallExpression): readonly { name: string; to: TSESTree.Node | undefined }[] {
  const found: { name: string; to: TSESTree.Node | undefined }[] = [];
  let node: TSESTree.Node = expect;
  while (is(node.parent, 'MemberExpression') && node.parent.object === node) {
    const member: TSESTree.MemberExpression = node.parent;
    const call: TSESTree.CallExpression | undefined = is(member.parent, 'CallExpression') && member.parent.callee === member ? member.parent : undefined;
    found.push({ name: String(keyOf(member, member.property)), to: call?.arguments[0] });
    node = call ?? member;
  }
  return found;
}

const HOLDS: ReadonlySet<string> = new Set(['assert', 'invariant', 'ok', 'isOk', 'isTrue', 'true', 'toBeTruthy']);
const FAILS: ReadonlySet<string> = new Set(['notOk', 'isNotOk', 'isFalse', 'false', 'toBeFalsy']);
const SAME: ReadonlySet<string> = new Set([...EQUALITY, 'is', 'deepEqual', 'deepStrictEqual', 'toMatchObject']);
const TURNED: ReadonlySet<string> = new Set(['notEqual', 'notStrictEqual', 'not']);

/** Whether a call asserts that PostgreSQL answers `false`: its author knows that nothing is freed there. */
export function assertsFalse(call: TSESTree.CallExpression, index: number, value: Value): boolean {
  const callee = namesOf(call.callee);
  const told = callee.at(-1) === 'expect' && index === 0 ? expectations(call) : [{ name: callee.at(-1) ?? '', to: call.arguments[1 - index] }];
  const isTurned = told.some(({ name }) => TURNED.has(name));
  return told.some(({ name, to }) => {
    const truth = HOLDS.has(name) ? true : FAILS.has(name) ? false : undefined;
    if (truth !== undefined) return index === 0 && value.kind === 'boolean' && value.says === (truth === isTurned);
    return to !== undefined && (SAME.has(name) || TURNED.has(name)) && (isTurned ? value.kind === 'boolean' && isAnswer(to, value, true) : isAnswer(to, value, false));
  });
}

/** Whether what a value is compared with is this answer of PostgreSQL, or has no other in it. */
function isAnswer(to: TSESTree.Node, value: Value, answer: boolean): boolean {
  if (is(to, 'ArrayExpression')) {
    const at = value.kind === 'tuple' && isWrapped(value) ? value.at : undefined;
    const elements = to.elements.filter((one, index) => one !== null && (at === undefined || at === index)) as TSESTree.Node[];
    const inner = isWrapped(value) ? value.of : value;
    return elements.length > 0 && elements.every((one) => isAnswer(one, inner, answer));
  }
  if (is(to, 'ObjectExpression')) return to.properties.some((one) => is(one, 'Property') && isAnswer(one.value, value, answer));
  return is(to, 'Literal') && typeof to.value === 'boolean' && (value.kind === 'boolean' ? value.says !== undefined && (to.value === value.says) === answer : to.value === answer);
}

/** `expect(unlock()).resolves`: what is asserted is what the promise gives. */
export const isSettledBy = (call: TSESTree.CallExpression): boolean => namesOf(call.callee).at(-1) === 'expect' && expectations(call).some(({ name }) => name === 'resolves' || name === 'eventually');
