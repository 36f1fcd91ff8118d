import type { TSESTree } from '@typescript-eslint/utils';
import { variableOf } from '../values/names.js';
import { is, isFunction, uncast, type NodeOf } from '../syntax.js';

/** A value that says no more than whether another one is true, is there, or is more than none. */
export interface Conversion {
  readonly of: TSESTree.Node;
  /** It says the contrary: `!row`, `count === 0`. */
  readonly isTurned: boolean;
  /** Only whether it is neither null nor undefined: `row !== undefined`. */
  readonly isOfPresence: boolean;
}

/** What a value is made of: `ok === true`, `!!ok`, `Boolean(row)`, `(count ?? 0) > 0`, `ok ? true : false`, and the two values of `if (ok) return true; return false;`. */
export function conversionOf(node: TSESTree.Node): Conversion | undefined {
  let found = oneStep(node);
  for (let next = found && oneStep(found.of); found && next; next = oneStep(found.of)) {
    found = { of: next.of, isTurned: found.isTurned !== next.isTurned, isOfPresence: next.isOfPresence };
  }
  return found;
}

function oneStep(node: TSESTree.Node): Conversion | undefined {
  const at = uncast(node);
  if (is(at, 'UnaryExpression')) return at.operator === '!' ? made(at.argument, true) : undefined;
  if (is(at, 'CallExpression')) return ofCall(at);
  if (is(at, 'BinaryExpression')) return compared(at.operator, at.left, at.right) ?? compared(MIRRORED[at.operator] ?? at.operator, at.right, at.left);
  return is(at, 'Literal') && typeof at.value === 'boolean' ? chosen(at, at.value) : undefined;
}

/** Whether a value stands for the case only that there is none: the right side of `rows[0]?.ok ?? false`. */
export function isFallback(node: TSESTree.Node): boolean {
  const outer = node.parent;
  return is(node, 'Literal') && is(outer, 'LogicalExpression') && outer.operator !== '&&' && outer.right === node && !node.value;
}

const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** Comparisons with a constant that hold where there is something, and those that hold where there is nothing. */
const HOLDING = new Set(['=== true', '== true', '!== false', '!= false', '=== 1', '== 1', '> 0', '>= 1', '!== 0', '!= 0', '!== undefined', '!= undefined', '!== null', '!= null']);
const FAILING = new Set(['=== false', '== false', '!== true', '!= true', '=== 0', '== 0', '< 1', '<= 0', '!== 1', '!= 1', '=== undefined', '== undefined', '=== null', '== null']);

function compared(operator: string, value: TSESTree.Node, constant: TSESTree.Node): Conversion | undefined {
  const right = uncast(constant);
  const text = is(right, 'Literal') ? right.raw : is(right, 'Identifier') ? right.name : '';
  const written = `${operator} ${text}`;
  return HOLDING.has(written) || FAILING.has(written) ? made(value, FAILING.has(written), /^(?:null|undefined)$/.test(text)) : undefined;
}

function ofCall({ callee, arguments: [value] }: TSESTree.CallExpression): Conversion | undefined {
  return value && is(callee, 'Identifier') && callee.name === 'Boolean' && !variableOf(callee) ? made(value, false) : undefined;
}

/** The value is taken without what it is where there is none: `rowCount` of `rowCount ?? 0`. */
function made(value: TSESTree.Node, isTurned: boolean, isOfPresence = false): Conversion {
  const node = uncast(value);
  return { of: is(node, 'LogicalExpression') && isFallback(node.right) ? node.left : node, isTurned, isOfPresence };
}

/** The condition that chooses between `true` and `false`. */
function chosen(literal: TSESTree.Node, value: boolean): Conversion | undefined {
  const outer = literal.parent;
  if (is(outer, 'ConditionalExpression')) {
    const other = outer.consequent === literal ? outer.alternate : outer.consequent;
    return isBoolean(other, !value) && outer.test !== literal ? made(outer.test, (outer.consequent === literal) !== value) : undefined;
  }
  return is(outer, 'ReturnStatement') ? chosenByReturn(outer, value) : undefined;
}

/** `if (ok) return true;`, or what comes right behind it. */
function chosenByReturn(statement: NodeOf['ReturnStatement'], value: boolean): Conversion | undefined {
  const own = ifAround(statement);
  if (own) return made(own.test, !value);
  const block = statement.parent;
  const siblings = is(block, 'BlockStatement') && isFunction(block.parent) ? block.body : [];
  const before = siblings[siblings.indexOf(statement) - 1];
  const returned = is(before, 'IfStatement') ? onlyOf(before.consequent) : undefined;
  const isOther = is(before, 'IfStatement') && !before.alternate && is(returned, 'ReturnStatement') && returned.argument !== null && isBoolean(returned.argument, !value);
  return isOther ? made(before.test, value) : undefined;
}

function ifAround(statement: TSESTree.Node): TSESTree.IfStatement | undefined {
  const outer = is(statement.parent, 'BlockStatement') && statement.parent.body.length === 1 ? statement.parent : statement;
  return is(outer.parent, 'IfStatement') && outer.parent.consequent === outer && !outer.parent.alternate ? outer.parent : undefined;
}

function onlyOf(statement: TSESTree.Statement): TSESTree.Statement | undefined {
  if (!is(statement, 'BlockStatement')) return statement;
  return statement.body.length === 1 ? statement.body[0] : undefined;
}

const isBoolean = (node: TSESTree.Node, value: boolean): boolean => is(node, 'Literal') && node.value === value;
