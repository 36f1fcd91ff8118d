import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { sourceOf } from '../../../types/index.js';
import { variableOf } from '../../values/names.js';
import { is, isFunction, isMember, memberName, uncast, walk } from '../../syntax.js';
import { knownLiteral, type Known } from './known.js';
import { isWrittenOnce, type Steady } from './steady.js';

/** A place that remembers: a variable, a property of one or of `this`, an entry of a list or map. The same text for the same place. */
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
  if (is(node, 'CallExpression')) return entryOf(node);
  if (!isMember(node)) return undefined;
  const object = uncast(node.object);
  const owner = is(object, 'ThisExpression') ? 'this' : placeOf(object);
  const name = node.computed ? entryName(node.property) : memberName(node);
  return owner && name && `${owner}.${name === 'size' ? 'length' : name}`;
}

/** `held.has(key)`, `held.includes(key)`; `held.get(key)` is what is found there. */
function entryOf({ callee, arguments: [key, ...others] }: TSESTree.CallExpression): string | undefined {
  const method = isMember(callee) ? memberName(callee) ?? '' : '';
  if (!key || others.length > 0 || !isMember(callee) || !/^(?:has|includes|get)$/.test(method)) return undefined;
  const [owner, name] = [placeOf(callee.object), entryName(key)];
  return owner && name && (method === 'get' ? `${owner}.${name}` : hasEntry(owner, name));
}

export const hasEntry = (owner: string, name: string): string => `${owner}?${name}`;

/** How many entries there are where an entry is asked for. */
export const lengthOf = (entry: string): string => `${entry.slice(0, entry.indexOf('?'))}.length`;

/** The name of an entry, where it is the same whenever it is asked. */
export function entryName(value: TSESTree.Node): string | undefined {
  const node = uncast(value);
  if (is(node, 'Literal')) return String(node.value);
  if (is(node, 'TemplateLiteral') && node.expressions.length === 0) return node.quasis[0]?.value.cooked ?? undefined;
  return is(node, 'Identifier') && isWrittenOnce(node) ? placeOf(node) : undefined;
}

const keyOf = (variable: Scope.Variable): string => `at ${variable.identifiers[0]?.range[0] ?? variable.name}`;

/** Whether a place is a part of another. */
export const isPartOf = (place: string, owner: string): boolean => place.startsWith(owner) && (place[owner.length] === '.' || place[owner.length] === '?');

/** A place that a node writes. */
export interface Written {
  readonly target: TSESTree.Node;
  readonly place: string;
  /** `undefined` for `let x;`, `null` for a value that is not to be seen (`x += y`). */
  readonly value: TSESTree.Node | null | undefined;
  /** The value is what a pattern takes out of this expression. */
  readonly from?: { readonly pattern: TSESTree.Node; readonly source: TSESTree.Node | undefined };
  /** `x++`, `list.push(a, b)`: the number that is added. */
  readonly by?: number;
  /** What it is known to be from then on. */
  readonly known?: Known;
}

export function writtenBy(node: TSESTree.Node): Written[] {
  let known = writes.get(node);
  if (!known) writes.set(node, known = findWrites(node));
  return known;
}

const writes = new WeakMap<TSESTree.Node, Written[]>();

function findWrites(node: TSESTree.Node): Written[] {
  if (is(node, 'VariableDeclarator')) {
    // The variable of a `for ... of` gets its value elsewhere.
    const isOfEach = !node.init && /^For(?:Of|In)/.test(node.parent.parent.type);
    if (is(node.id, 'Identifier')) return write(node.id, isOfEach ? null : node.init ?? undefined);
    return writesOfPattern(node.id, node.init ?? undefined);
  }
  if (is(node, 'AssignmentExpression')) return writesOfAssignment(node);
  if (is(node, 'UpdateExpression')) return write(node.argument, null, node.operator === '++' ? 1 : -1);
  return is(node, 'CallExpression') ? writesOfCall(node) : [];
}

function writesOfAssignment({ left, right, operator }: TSESTree.AssignmentExpression): Written[] {
  const target = uncast(left);
  if (is(target, 'ObjectPattern') || is(target, 'ArrayPattern')) return writesOfPattern(target, right);
  // A logical assignment is one where it is made at all.
  if (['=', '||=', '&&=', '??='].includes(operator)) return write(left, right);
  const amount = (operator === '+=' || operator === '-=') && is(right, 'Literal') && typeof right.value === 'number' ? right.value : undefined;
  return write(left, null, amount !== undefined && operator === '-=' ? -amount : amount);
}

function write(target: TSESTree.Node, value: TSESTree.Node | null | undefined, by?: number): Written[] {
  const place = placeOf(target);
  return place ? [{ target, place, value, ...(by === undefined ? {} : { by }) }] : [];
}

/** `({ rows: [{ ok }] } = await ...)` writes `ok`. */
function writesOfPattern(pattern: TSESTree.Node, source: TSESTree.Node | undefined): Written[] {
  return namesIn(pattern).flatMap((target) => {
    const place = placeOf(target);
    return place ? [{ target, place, value: null, from: { pattern, source } }] : [];
  });
}

function namesIn(pattern: TSESTree.Node | null): TSESTree.Node[] {
  if (is(pattern, 'ObjectPattern')) return pattern.properties.flatMap((one) => namesIn(is(one, 'Property') ? one.value : one.argument));
  if (is(pattern, 'ArrayPattern')) return pattern.elements.flatMap(namesIn);
  if (is(pattern, 'AssignmentPattern')) return namesIn(pattern.left);
  if (is(pattern, 'RestElement')) return namesIn(pattern.argument);
  return pattern ? [pattern] : [];
}

/** What lists, sets and maps are told to keep or to forget. */
function writesOfCall({ callee, arguments: args }: TSESTree.CallExpression): Written[] {
  if (!isMember(callee)) return [];
  if (is(callee.object, 'Identifier') && callee.object.name === 'Object' && memberName(callee) === 'assign') return writesOfAssign(args);
  const [owner, method] = [placeOf(callee.object), memberName(callee) ?? ''];
  const target = callee.object;
  if (!owner) return [];
  const [name] = args[0] ? [entryName(args[0])] : [];
  const length = (by?: number): Written => ({ target, place: `${owner}.length`, value: null, ...(by === undefined ? {} : { by }) });
  const has = (known: Known): Written[] => (name === undefined ? [] : [{ target, place: hasEntry(owner, name), value: null, known }]);
  const isCounted = !args.some((one) => is(one, 'SpreadElement'));
  if (method === 'push' || method === 'unshift') return [length(isCounted ? args.length : undefined), ...(args.length === 1 ? has('+t') : [])];
  if (method === 'pop' || method === 'shift') return [length(-1)];
  if (method === 'add' && args.length === 1) return [length(1), ...has('+t')];
  if (method === 'set' && args.length === 2) return [length(1), ...has('+t'), ...(name === undefined ? [] : [{ target, place: `${owner}.${name}`, value: args[1] }])];
  if (method === 'delete' && args.length === 1) return [length(-1), ...has('-f')];
  return method === 'clear' || method === 'splice' ? [length()] : [];
}

/** `Object.assign(state, { held: true })` */
function writesOfAssign([target, ...sources]: readonly TSESTree.Node[]): Written[] {
  const owner = target && placeOf(target);
  const properties = sources.flatMap((one) => (is(one, 'ObjectExpression') ? one.properties : []));
  return properties.flatMap((one) => (owner && is(one, 'Property') && !one.computed && is(one.key, 'Identifier') ? [{ target: one.key, place: `${owner}.${one.key.name}`, value: one.value }] : []));
}

/** The places that some condition of a function asks, and the arguments that decide what is done. */
export function askedPlaces(body: TSESTree.Node): Set<string> {
  const found = new Set<string>();
  for (const node of walk(body)) {
    for (const test of testsOf(node)) {
      for (const part of walk(test, isFunction)) {
        const place = is(part, 'Identifier') || isMember(part) || is(part, 'CallExpression') ? placeOf(part) : undefined;
        if (!place) continue;
        found.add(place);
        // Nothing is in a list that is empty.
        if (place.includes('?')) found.add(lengthOf(place));
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
  if (is(node, 'SwitchStatement')) return [node.discriminant, ...node.cases.flatMap(({ test }) => test ?? [])];
  // `release(broken)`, and the function itself, which may be one of several
  if (is(node, 'CallExpression')) return [...(is(node.callee, 'Identifier') ? [node.callee] : []), ...(node.arguments.length === 1 ? node.arguments.filter((one) => !is(one, 'CallExpression') && !is(one, 'ObjectExpression')) : [])];
  if (is(node, 'ChainExpression')) return isMember(node.expression) ? [node.expression.object] : is(node.expression, 'CallExpression') ? [isMember(node.expression.callee) ? node.expression.callee.object : node.expression.callee] : [];
  if (is(node, 'AssignmentExpression')) return /^(?:\|\||&&|\?\?)=$/.test(node.operator) ? [node.left] : [];
  return 'test' in node && node.test ? [node.test] : [];
}

const MAX_REPEATED = 6;

export const textOf = (node: TSESTree.Node): string => `asked ${identityOf(node)}`;

/** `case 'read'` of `switch (mode)` asks `mode === 'read'`. */
export const caseText = (discriminant: TSESTree.Node, value: TSESTree.Node): string => `asked ${sourceOf(discriminant)} === ${sourceOf(value)}${variablesOf(discriminant)}${variablesOf(value)}`;

const identities = new WeakMap<TSESTree.Node, string>();

/** Whether a question is about a variable that is declared here: in the next round of a loop, it is another one. */
export const isAbout = (asked: string, name: TSESTree.Node): boolean => asked.startsWith('asked ') && `${asked} `.includes(` @${name.range[0]} `);

/** What an expression says, with the places of its variables: two blocks may each have a `row`. */
export function identityOf(node: TSESTree.Node): string {
  const known = identities.get(node) ?? `${sourceOf(node)}${variablesOf(node)}`;
  identities.set(node, known);
  return known;
}

const variablesOf = (node: TSESTree.Node): string => [...walk(node, isFunction)].flatMap((one) => (is(one, 'Identifier') ? variableOf(one)?.identifiers[0]?.range[0] ?? [] : [])).map((at) => ` @${at}`).join('');

/** The conditions without calls that a function asks again, as far as nothing in them can change between: `mode === 'shared'`. */
export function repeatedConditions(body: TSESTree.Node, isSteady: Steady): Set<string> {
  const seen = new Set<string>();
  const again = new Set<string>();
  const add = (text: string): void => {
    if (seen.has(text) && again.size < MAX_REPEATED) again.add(text);
    seen.add(text);
  };
  for (const node of walk(body)) {
    if (is(node, 'SwitchStatement') && isSteady(node.discriminant)) for (const { test } of node.cases) if (test) add(caseText(node.discriminant, test));
    const test = is(node, 'IfStatement') || is(node, 'ConditionalExpression') ? node.test : undefined;
    const parts = new Set((test ? [...walk(test, isFunction)] : []).filter((one) => !isOwner(one)).map((one) => uncast(one)));
    for (const part of parts) if (isSteady(part)) add(textOf(part));
  }
  return again;
}

/** `plan` of `plan.exclusive`. */
const isOwner = (node: TSESTree.Node): boolean => node.parent !== undefined && isMember(node.parent) && node.parent.object === node;

/** What is compared with something that is no constant: `i < list.length`. */
export function measuredPlaces(body: TSESTree.Node): Set<string> {
  const found = new Set<string>();
  for (const node of walk(body)) {
    if (!is(node, 'BinaryExpression') || !/^[<>]=?$/.test(node.operator)) continue;
    for (const [side, other] of [[node.left, node.right], [node.right, node.left]] as const) {
      const place = knownLiteral(other) === undefined ? placeOf(is(side, 'UpdateExpression') ? side.argument : side) : undefined;
      if (place) found.add(place);
    }
  }
  return found;
}
