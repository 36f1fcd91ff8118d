import type { TSESTree } from '@typescript-eslint/utils';
import { objectMember } from './members.js';
import { variableOf } from './names.js';
import { contains, is, isFunction, isMember, memberName, staticName, uncast, type FunctionNode } from '../syntax.js';

type Args = readonly (TSESTree.Node | undefined)[];

/**
 * Whether a call of a function runs some code of it, as far as the conditions around that code ask for what the call passes, or leaves to a
 * default: `lock(client, false)`, `lock(client)` of `(client, isOn = true)`. `undefined` where something else decides.
 */
export function runsFor(node: TSESTree.Node, callee: FunctionNode, args: Args): boolean | undefined {
  let isOpen = false;
  for (let at = node; at !== callee && at.parent; at = at.parent) {
    const found = conditionsOf(at, at.parent);
    if (found === 'other') isOpen = true;
    else for (const [test, wanted] of found) {
      const truth = truthOf(test, callee, args);
      if (truth === !wanted) return false;
      if (truth === undefined) isOpen = true;
    }
  }
  return isOpen ? undefined : true;
}

/** What has to be true, or false, for a node to be reached within its parent. */
function conditionsOf(at: TSESTree.Node, parent: TSESTree.Node): readonly (readonly [test: TSESTree.Node, wanted: boolean])[] | 'other' {
  if (is(parent, 'IfStatement', 'ConditionalExpression')) return at === parent.test ? [] : [[parent.test, at === parent.consequent]];
  if (is(parent, 'LogicalExpression')) return at === parent.left ? [] : parent.operator === '??' ? 'other' : [[parent.left, parent.operator === '&&']];
  if (is(parent, 'BlockStatement')) return leavingBefore(parent.body.slice(0, parent.body.indexOf(at as TSESTree.Statement)));
  return /^(?:SwitchCase|For|ForOf|ForIn|While|DoWhile|CatchClause)/.test(parent.type) || (isFunction(at) && !isFunction(parent)) ? 'other' : [];
}

/** `if (!isOn) return;`: all that comes behind it runs where that is not so. Whoever throws has no lock, and goes no further. */
function leavingBefore(before: readonly TSESTree.Statement[]): [TSESTree.Node, boolean][] | 'other' {
  const found: [TSESTree.Node, boolean][] = [];
  for (const one of before) {
    if (is(one, 'IfStatement') && !one.alternate && is(lastOf(one.consequent), 'ReturnStatement')) found.push([one.test, false]);
    else if (is(one, 'ReturnStatement', 'SwitchStatement', 'TryStatement') || /^(?:For|While|Do)/.test(one.type)) return 'other';
    else if (is(one, 'IfStatement') && [one.consequent, one.alternate].some((each) => each && is(lastOf(each), 'ReturnStatement'))) return 'other';
  }
  return found;
}

const lastOf = (statement: TSESTree.Statement): TSESTree.Node | undefined => (is(statement, 'BlockStatement') ? statement.body.at(-1) : statement);

function truthOf(test: TSESTree.Node, callee: FunctionNode, args: Args): boolean | undefined {
  const node = uncast(test);
  if (is(node, 'UnaryExpression') && node.operator === '!') {
    const truth = truthOf(node.argument, callee, args);
    return truth === undefined ? undefined : !truth;
  }
  if (is(node, 'LogicalExpression') && node.operator !== '??') {
    const [left, right] = [truthOf(node.left, callee, args), truthOf(node.right, callee, args)];
    const deciding = node.operator === '||';
    return left === deciding || right === deciding ? deciding : left === undefined || right === undefined ? undefined : !deciding;
  }
  const value = valueOf(node, callee, args);
  return value === undefined ? undefined : value === 'nothing' ? false : truthIn(value);
}

/** What an expression of a function stands for in a call of it; `nothing` where that is `undefined`. */
function valueOf(node: TSESTree.Node, callee: FunctionNode, args: Args): TSESTree.Node | 'nothing' | undefined {
  if (isMember(node)) {
    const object = valueOf(uncast(node.object), callee, args);
    const name = memberName(node);
    return object === undefined || name === undefined ? undefined : object === 'nothing' ? (node.optional ? 'nothing' : undefined) : partOf(object, name);
  }
  const variable = is(node, 'Identifier') ? variableOf(node) : undefined;
  const [name] = variable?.identifiers ?? [];
  const index = name ? callee.params.findIndex((param) => contains(param, name)) : -1;
  if (!variable || !name || index < 0 || variable.references.some((one) => one.isWrite() && one.init !== true)) return undefined;
  return taken(callee.params[index]!, given(args[index]), name);
}

const given = (argument: TSESTree.Node | undefined): TSESTree.Node | 'nothing' => (!argument || (is(argument, 'Identifier') && argument.name === 'undefined') ? 'nothing' : uncast(argument));

/** The part of a value that a name in a pattern gets, with the pattern's defaults. */
function taken(pattern: TSESTree.Node, value: TSESTree.Node | 'nothing', name: TSESTree.Node): TSESTree.Node | 'nothing' | undefined {
  if (is(pattern, 'AssignmentPattern')) {
    // Of a name it is not known whether there is something behind it.
    if (value !== 'nothing' && is(value, 'Identifier', 'MemberExpression', 'CallExpression', 'ConditionalExpression') && constantOf(value) === undefined) return undefined;
    return taken(pattern.left, value === 'nothing' ? uncast(pattern.right) : value, name);
  }
  if (pattern === name) return value;
  if (!is(pattern, 'ObjectPattern') || value === 'nothing') return undefined;
  const property = pattern.properties.find((one) => contains(one, name));
  const key = is(property, 'Property') ? staticName(property.key, property.computed) : undefined;
  const part = key === undefined ? undefined : partOf(value, key);
  return part === undefined || !is(property, 'Property') ? undefined : taken(property.value, part, name);
}

function partOf(object: TSESTree.Node, name: string): TSESTree.Node | 'nothing' | undefined {
  if (!is(object, 'ObjectExpression') || object.properties.some((one) => !is(one, 'Property') || staticName(one.key, one.computed) === undefined)) return undefined;
  return given(objectMember(object, name)?.value);
}

/** The literal that a name of a constant stands for, or the literal itself. */
function constantOf(value: TSESTree.Node): TSESTree.Node | undefined {
  if (is(value, 'Literal')) return value;
  const made = is(value, 'Identifier') ? variableOf(value)?.defs[0]?.node as TSESTree.Node | undefined : undefined;
  return is(made, 'VariableDeclarator') && is(made.parent, 'VariableDeclaration') && made.parent.kind === 'const' && is(made.id, 'Identifier') && is(made.init, 'Literal') ? made.init : undefined;
}

function truthIn(value: TSESTree.Node): boolean | undefined {
  const constant = constantOf(value);
  if (is(constant, 'Literal')) return 'bigint' in constant ? undefined : Boolean(constant.value);
  return is(value, 'ObjectExpression', 'ArrayExpression') || isFunction(value) ? true : undefined;
}
