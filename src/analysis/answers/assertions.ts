import type { TSESTree } from '@typescript-eslint/utils';
import { is, isConstant, keyOf } from './syntax.js';
import type { Value } from './value.js';

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
