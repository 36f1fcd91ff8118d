import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { sourceOf } from '../../types/index.js';
import { variableOf } from '../names.js';
import { is, isFunction, isMember, memberName, uncast, walk } from '../syntax.js';

/**
 * What is known of a value: `+` that it counts as true, `-` that it counts as false, else a literal (`="held"`, `=0`).
 */
export type Known = string;

export const truthOfKnown = (known: Known): boolean => (known.startsWith('=') ? Boolean(JSON.parse(known.slice(1))) : known === '+');

export const knownTruth = (truth: boolean | undefined): Known | undefined => (truth === undefined ? undefined : truth ? '+' : '-');

/** A literal as it is remembered; booleans, `null` and `undefined` by their truth alone. */
export function knownLiteral(value: TSESTree.Node): Known | undefined {
  const node = uncast(value);
  if (is(node, 'Identifier')) return node.name === 'undefined' ? '-' : undefined;
  if (!is(node, 'Literal') || 'regex' in node || 'bigint' in node) return undefined;
  if (typeof node.value === 'string' || typeof node.value === 'number') return `=${JSON.stringify(node.value)}`;
  return node.value === true ? '+' : '-';
}

/** A place that remembers: a variable, or a property of one or of `this`. The same text for the same place. */
export function placeOf(node: TSESTree.Node): string | undefined {
  if (!places.has(node)) places.set(node, findPlace(node));
  return places.get(node);
}

const places = new WeakMap<TSESTree.Node, string | undefined>();

function findPlace(value: TSESTree.Node): string | undefined {
  const node = uncast(value);
  if (is(node, 'Identifier')) {
    const variable = variableOf(node);
    return variable && keyOf(variable);
  }
  if (!isMember(node) || node.computed) return undefined;
  const object = uncast(node.object);
  const owner = is(object, 'ThisExpression') ? 'this' : is(object, 'Identifier') ? findPlace(object) : undefined;
  return owner && `${owner}.${memberName(node)}`;
}

const keyOf = (variable: Scope.Variable): string => `at ${variable.identifiers[0]?.range[0] ?? variable.name}`;

/** A place that a node writes, and the value: `undefined` for `let x;`, `null` for one that is not to be seen (`x += 1`). */
export interface Written {
  readonly target: TSESTree.Node;
  readonly place: string;
  readonly value: TSESTree.Node | null | undefined;
}

export function writtenBy(node: TSESTree.Node): Written[] {
  if (is(node, 'VariableDeclarator') && is(node.id, 'Identifier')) {
    // The variable of a `for ... of` gets its value elsewhere.
    const isOfEach = !node.init && /^For(?:Of|In)/.test(node.parent.parent.type);
    return [...write(node.id, isOfEach ? null : node.init ?? undefined), ...propertiesOf(node.id, node.init)];
  }
  if (is(node, 'AssignmentExpression')) return write(node.left, node.operator === '=' ? node.right : null);
  return is(node, 'UpdateExpression') ? write(node.argument, null) : [];
}

function write(target: TSESTree.Node, value: TSESTree.Node | null | undefined): Written[] {
  const place = placeOf(target);
  return place ? [{ target, place, value }] : [];
}

/** `const state = { locked: false }` writes `state.locked`. */
function propertiesOf(owner: TSESTree.Identifier, init: TSESTree.Node | null): Written[] {
  const place = placeOf(owner);
  const made = init ? uncast(init) : undefined;
  if (!place || !is(made, 'ObjectExpression')) return [];
  return made.properties.flatMap((one) => (is(one, 'Property') && !one.computed && is(one.key, 'Identifier') ? [{ target: one.key, place: `${place}.${one.key.name}`, value: one.value }] : []));
}

/** The places that some condition of a function asks, and the arguments that decide what is done. */
export function askedPlaces(body: TSESTree.Node): Set<string> {
  const found = new Set<string>();
  for (const node of walk(body)) {
    for (const test of testsOf(node)) {
      for (const part of walk(test, isFunction)) {
        const place = is(part, 'Identifier') || isMember(part) ? placeOf(part) : undefined;
        if (place) found.add(place);
      }
    }
  }
  return found;
}

/** Whether a condition has a name in it. */
export function isAsked(name: TSESTree.Node): boolean {
  let at = name;
  while (at.parent && /^(?:Unary|Binary|Logical|TSNonNull|Chain|Member|Update)Expression$/.test(at.parent.type)) at = at.parent;
  return at.parent !== undefined && testsOf(at.parent).includes(at) && !is(at.parent, 'CallExpression');
}

function testsOf(node: TSESTree.Node): TSESTree.Node[] {
  // Of a chain each operand once: it may be long.
  if (is(node, 'LogicalExpression')) return [is(node.left, 'LogicalExpression') ? node.left.right : node.left];
  if (is(node, 'SwitchStatement')) return [node.discriminant];
  // `release(broken)`
  if (is(node, 'CallExpression')) return node.arguments.length === 1 ? node.arguments.filter((one) => !is(one, 'CallExpression') && !is(one, 'ObjectExpression')) : [];
  if (is(node, 'ChainExpression')) return isMember(node.expression) ? [node.expression.object] : is(node.expression, 'CallExpression') && isMember(node.expression.callee) ? [node.expression.callee.object] : [];
  return 'test' in node && node.test ? [node.test] : [];
}

const MAX_REPEATED = 6;

export const textOf = (node: TSESTree.Node): string => `asked ${sourceOf(node)}`;

/** `case 'read'` of `switch (mode)` asks `mode === 'read'`. */
export const caseText = (discriminant: TSESTree.Node, value: TSESTree.Node): string => `asked ${sourceOf(discriminant)} === ${sourceOf(value)}`;

/** The conditions without calls that a function asks again, as far as nothing in them can change between: `mode === 'shared'`. */
export function repeatedConditions(body: TSESTree.Node): Set<string> {
  const seen = new Set<string>();
  const again = new Set<string>();
  const add = (text: string): void => {
    if (seen.has(text) && again.size < MAX_REPEATED) again.add(text);
    seen.add(text);
  };
  for (const node of walk(body)) {
    if (is(node, 'SwitchStatement') && isSteady(node.discriminant)) for (const { test } of node.cases) if (test) add(caseText(node.discriminant, test));
    const test = is(node, 'IfStatement') || is(node, 'ConditionalExpression') ? node.test : undefined;
    for (const part of test ? walk(test, isFunction) : []) if (isSteady(part)) add(textOf(uncast(part)));
  }
  return again;
}

/** A name that is written once, a comparison of it with a constant. */
export function isSteady(node: TSESTree.Node): boolean {
  if (is(node, 'BinaryExpression')) return isSteady(node.left) && (is(node.right, 'Literal') || isSteady(node.right));
  if (!is(node, 'Identifier')) return false;
  const variable = variableOf(node);
  return variable !== undefined && isWrittenOnce(variable);
}

const writtenOnce = new WeakMap<Scope.Variable, boolean>();

/** Asked of each mention, and a variable may have thousands of them. */
function isWrittenOnce(variable: Scope.Variable): boolean {
  let known = writtenOnce.get(variable);
  if (known === undefined) writtenOnce.set(variable, known = !variable.references.some((one) => one.isWrite() && !one.init));
  return known;
}
