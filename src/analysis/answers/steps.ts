import type { TSESTree } from '@typescript-eslint/utils';
import { stepIntoCall, stepIntoMember } from './calls.js';
import type { Flow } from './flow.js';
import { contains, dressed, enclosingFunction, is, isConstant, isNullish, keyOf, type FunctionNode, type NodeName, type NodeOf } from './syntax.js';
import { compared, elementOf, innermost, isWrapped, plain, promiseOf, settle, wrap, type Value } from './value.js';

type Step<K extends NodeName> = (flow: Flow, parent: NodeOf[K], node: TSESTree.Node, value: Value) => void;
type Steps = { readonly [K in NodeName]?: Step<K> };

/** What a parent does with the value of its child. A parent that is not here hands it out of view. */
const STEPS: Steps = {
  AwaitExpression: (flow, parent, _node, value) => flow.follow(parent, settle(value)),
  TSAsExpression: pass,
  TSSatisfiesExpression: pass,
  TSNonNullExpression: pass,
  TSTypeAssertion: pass,
  TSInstantiationExpression: pass,
  ChainExpression: pass,
  TSTypeQuery: drop,

  ExpressionStatement: drop,
  SequenceExpression: (flow, parent, node, value) => (parent.expressions.at(-1) === node ? pass(flow, parent, node, value) : undefined),
  ForStatement: (flow, parent, node, value) => (parent.test === node ? flow.test(value, node) : undefined),
  UnaryExpression: stepIntoUnary,
  UpdateExpression: drop,

  IfStatement: test,
  WhileStatement: test,
  DoWhileStatement: test,
  ConditionalExpression: (flow, parent, node, value) => (parent.test === node ? test : pass)(flow, parent, node, value),
  LogicalExpression: stepIntoLogical,
  BinaryExpression: stepIntoBinary,
  SwitchStatement: (flow, parent, node, value) => (value.kind === 'count' ? flow.test(value, node) : flow.read()),
  SwitchCase: (flow, parent, node, value) => stepIntoComparison(flow, parent.parent.discriminant, node, value),

  VariableDeclarator: (flow, parent, _node, value) => flow.bind(parent.id, value),
  AssignmentExpression: stepIntoAssignment,
  AssignmentPattern: stepIntoDefault,
  ArrayExpression: stepIntoArray,
  ForOfStatement: stepIntoForOf,
  // a pattern's own names, where the variable is written
  ArrayPattern: drop,
  RestElement: drop,

  MemberExpression: (flow, parent, node, value) => (parent.object === node ? stepIntoMember(flow, parent, value) : value.kind === 'count' ? undefined : flow.read()),
  CallExpression: (flow, parent, node, value) => (parent.callee === node ? flow.read() : stepIntoCall(flow, parent, node, value)),

  ReturnStatement: (flow, _parent, node, value) => stepOut(flow, enclosingFunction(node), value),
  ArrowFunctionExpression: (flow, parent, node, value) => (parent.body === node ? stepOut(flow, parent, value) : flow.read()),
};

export function step(flow: Flow, node: TSESTree.Node, value: Value): void {
  const parent = node.parent;
  const take = parent && (STEPS[parent.type] as Step<NodeName> | undefined);
  if (take) take(flow, parent, node, value);
  else flow.read();
}

function pass(flow: Flow, parent: TSESTree.Node, _node: TSESTree.Node, value: Value): void {
  flow.follow(parent, value);
}

function drop(): void {
  // nobody gets the value
}

function test(flow: Flow, _parent: TSESTree.Node, node: TSESTree.Node, value: Value): void {
  flow.test(value, node);
}

function stepIntoUnary(flow: Flow, parent: NodeOf['UnaryExpression'], node: TSESTree.Node, value: Value): void {
  if (parent.operator === 'void') ignore(flow, value);
  else if (parent.operator === '!' && value.kind !== 'boolean') flow.test(value, node);
  else if (['!', '+', '-', '~'].includes(parent.operator)) flow.follow(parent, compared(value, parent.operator === '+' ? true : parent.operator === '!' ? false : undefined));
  else flow.read();
}

/** `void` before an answer says that it does not matter; before a promise it is only dropped. */
function ignore(flow: Flow, value: Value): void {
  if (value.kind !== 'promise') flow.ignore();
}

function stepIntoLogical(flow: Flow, parent: NodeOf['LogicalExpression'], node: TSESTree.Node, value: Value): void {
  const isDefaulted = parent.operator === '??' || (parent.operator === '||' && isDefault(parent.right));
  const isPassedOn = parent.right === node ? !isTested(parent) : isDefaulted || isNarrowing(parent, value);
  if (isPassedOn) flow.follow(parent, value);
  else flow.test(value, node);
}

/** Whether it decides a branch, so that its operands do. */
function isTested(node: TSESTree.Node): boolean {
  const parent = node.parent;
  if (is(parent, 'LogicalExpression')) return isTested(parent);
  if (is(parent, 'UnaryExpression')) return parent.operator === '!';
  return is(parent, 'IfStatement', 'WhileStatement', 'DoWhileStatement', 'ForStatement', 'ConditionalExpression') && parent.test === node;
}

/** `row.ok && true`: as good as the boolean itself. */
const isNarrowing = (parent: NodeOf['LogicalExpression'], value: Value): boolean => value.kind === 'boolean' && isDefault(parent.right);

/** `rows[0] || {}` is no test but a value for the case that there is none. */
function isDefault(node: TSESTree.Node): boolean {
  return is(node, 'Literal', 'ObjectExpression', 'ArrayExpression') || isNullish(node);
}

const COMPARISONS: ReadonlySet<string> = new Set(['==', '===', '!=', '!==', '<', '<=', '>', '>=']);
const WORDS: ReadonlySet<string> = new Set(['in', 'instanceof']);

function stepIntoBinary(flow: Flow, parent: NodeOf['BinaryExpression'], node: TSESTree.Node, value: Value): void {
  const other = parent.left === node ? parent.right : parent.left;
  if (COMPARISONS.has(parent.operator)) {
    if (value.kind === 'boolean') flow.follow(parent, compared(value, isSameIf(parent.operator, other)));
    else stepIntoComparison(flow, other, node, value);
  } else if (!WORDS.has(parent.operator) && (value.kind === 'boolean' || value.kind === 'count')) {
    flow.follow(parent, value);
  } else {
    flow.read();
  }
}

function stepIntoComparison(flow: Flow, other: TSESTree.Node, node: TSESTree.Node, value: Value): void {
  const isWhole = value.kind === 'result' && flow.layout.shape.rows === undefined;
  if (isWhole && isNumber(other)) flow.test(plain('count'), node);
  // an author who compares with `true` may know of a call that gives the boolean itself
  else if (value.kind === 'count' || (isConstant(other) && !(isWhole && isTruth(other)))) flow.test(value, node);
  else flow.read();
}

/** Whether a comparison is `true` where the boolean is. */
function isSameIf(operator: string, other: TSESTree.Node): boolean | undefined {
  const truth = is(other, 'Literal') && typeof other.value === 'boolean' && /^[=!]==?$/.test(operator) ? other.value : undefined;
  return truth === undefined ? undefined : truth === operator.startsWith('=');
}

const isNumber = (node: TSESTree.Node): boolean => is(node, 'Literal') && ['number', 'bigint'].includes(typeof node.value);
const isTruth = (node: TSESTree.Node): boolean => is(node, 'Literal') && typeof node.value === 'boolean';

function stepIntoAssignment(flow: Flow, parent: NodeOf['AssignmentExpression'], node: TSESTree.Node, value: Value): void {
  if (parent.left === node) return;
  if (['=', '??=', '||=', '&&='].includes(parent.operator)) {
    flow.bind(parent.left, value);
    flow.follow(parent, value);
  } else {
    flow.read();
  }
}

/** The value is the default of a parameter, or of a name in a pattern. */
function stepIntoDefault(flow: Flow, parent: NodeOf['AssignmentPattern'], node: TSESTree.Node, value: Value): void {
  if (is(parent.parent, 'TSParameterProperty')) flow.read();
  else if (parent.right === node) flow.bind(parent.left, value);
}

function stepIntoArray(flow: Flow, parent: NodeOf['ArrayExpression'], node: TSESTree.Node, value: Value): void {
  const index = parent.elements.indexOf(node as TSESTree.Expression);
  const isShifted = parent.elements.slice(0, index).some((element) => is(element, 'SpreadElement'));
  flow.follow(parent, wrap('tuple', value, isShifted ? undefined : index));
}

function stepIntoForOf(flow: Flow, parent: NodeOf['ForOfStatement'], node: TSESTree.Node, value: Value): void {
  if (parent.right !== node) return;
  const element = elementOf(settle(value), flow.layout);
  const target = is(parent.left, 'VariableDeclaration') ? parent.left.declarations[0].id : parent.left;
  // a loop runs once for a row that is the answer
  if (element && flow.layout.column.kind === 'column') flow.bind(target, parent.await ? settle(element) : element);
  else flow.read();
}

/** The value is what a function gives back. */
function stepOut(flow: Flow, from: FunctionNode | undefined, value: Value): void {
  const given = from?.async ? promiseOf(value) : value;
  // a function that sends the statement itself has other callers than the one through which the answer got into it
  if (from && flow.giveBack(from, given) && !contains(from, flow.question.call)) return;
  if (from && flow.giveToCalls(from, given)) return;
  if (!from || from.generator) flow.read();
  // What gives a number of rows never gives the answer, whoever gets it.
  else if (innermost(value).kind === 'count' && flow.question.holds === 'count') flow.test(innermost(value), flow.question.call);
  else if (!flow.question.returnsVoid(from)) stepOutOfExpression(flow, dressed(from), given);
}

/** The function may be called right where it stands, or be an argument. */
function stepOutOfExpression(flow: Flow, from: TSESTree.Node, given: Value): void {
  const call = from.parent;
  if (!is(call, 'CallExpression')) flow.read();
  else if (call.callee === from) flow.follow(call, given);
  else stepOutOfCallback(flow, call, from, given);
}

/** A function that stands as an argument may be called by anyone; two members of the language are certain. */
function stepOutOfCallback(flow: Flow, call: TSESTree.CallExpression, callback: TSESTree.Node, given: Value): void {
  const member = is(call.callee, 'MemberExpression') ? keyOf(call.callee, call.callee.property) : undefined;
  const isFirst = call.arguments[0] === callback;
  if (isFirst && member === 'finally') return; // its value goes nowhere
  if (isFirst && member === 'map' && isWrapped(given) && isGathered(call)) flow.follow(call, wrap('list', given));
  else flow.read();
}

/** `Promise.all(keys.map((key) => ...))` */
function isGathered(call: TSESTree.CallExpression): boolean {
  const outer = call.parent;
  return is(outer, 'CallExpression') && is(outer.callee, 'MemberExpression') && is(outer.callee.object, 'Identifier') && outer.callee.object.name === 'Promise';
}
