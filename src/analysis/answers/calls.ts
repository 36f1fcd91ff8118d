import type { TSESTree } from '@typescript-eslint/utils';
import { assertsFalse, assertsPresence, isSettledBy } from './assertions.js';
import type { Flow } from './flow.js';
import { bare, callOf, is, isFunction, isNullish, keyOf, type NodeOf } from './syntax.js';
import { access, elementOf, innermost, isWrapped, plain, promiseOf, settle, unsure, wrap, type Access, type Value, type Wrapped } from './value.js';

/** A member of the value is read or called. */
export function stepIntoMember(flow: Flow, member: NodeOf['MemberExpression'], value: Value): void {
  const key = keyOf(member, member.property);
  const call = callOf(member);
  if (call && typeof key === 'string') callMember(flow, call, key, value);
  else take(flow, member, access(value, key, flow.layout));
}

function take(flow: Flow, member: TSESTree.Expression, found: Access): void {
  if (found === 'read') flow.read();
  else if (found === 'absent') takeAbsent(flow, member);
  else if (found !== 'nothing') flow.follow(member, found);
}

function takeAbsent(flow: Flow, member: TSESTree.Expression): void {
  // what has members of its own, or is called, is no column of ours
  if (callOf(member) || is(member.parent, 'MemberExpression')) flow.read();
  else flow.mistake('column', member);
}

function callMember(flow: Flow, call: TSESTree.CallExpression, name: string, value: Value): void {
  const element = elementOf(value, flow.layout);
  // a callback that runs for each row tells that there is a row
  const tellsRow = flow.layout.column.kind === 'row' && call.arguments.some(isFunction);
  if (value.kind === 'promise') callPromise(flow, call, name, value);
  else if (!element || tellsRow || value.kind === 'unknown' || value.kind === 'row') flow.read();
  else callArray(flow, call, name, value, element);
}

/** Members that hand the answer to a function or a stream. */
const HANDERS: ReadonlySet<string> = new Set(['on', 'once', 'addListener', 'pipe', 'subscribe', 'stream', 'cursor', 'forEach', 'each', 'tap', 'spread', 'asCallback', 'nodeify']);

function callPromise(flow: Flow, call: TSESTree.CallExpression, name: string, promise: Value): void {
  if (name === 'then') callThen(flow, call, promise);
  else if (name === 'catch' || name === 'finally') flow.follow(call, promise);
  else if (HANDERS.has(name) || call.arguments.some((argument) => isFunction(argument))) flow.read();
  // a member of a query that is not sent yet (`.connection(conn)`, `.values()`, `.timeout(1000)`), or of an answer given at once
  else flow.follow(call, unsure(promise));
}

function callThen(flow: Flow, call: TSESTree.CallExpression, promise: Value): void {
  const [callback] = call.arguments;
  if (!callback || isNullish(callback)) flow.follow(call, promise);
  else callBack(flow, callback, [settle(promise)], (value) => flow.follow(call, promiseOf(value)));
}

/** A function is given to someone who calls it with these values. */
function callBack(flow: Flow, callback: TSESTree.Node | undefined, values: readonly (Value | undefined)[], onReturn: (value: Value) => void): void {
  const [value] = values;
  if (callback && value && isGlobal(flow, callback, 'Boolean')) convertBy(flow, callback, value, onReturn);
  else if (!callback || !flow.enter(callback, values, onReturn)) flow.read();
}

function convertBy(flow: Flow, callback: TSESTree.Node, value: Value, onReturn: (value: Value) => void): void {
  if (value.kind === 'boolean') onReturn(value);
  else flow.test(value, callback);
}

const PICKS: ReadonlySet<string> = new Set(['at', 'shift', 'pop']);
const KEEPS: ReadonlySet<string> = new Set(['slice', 'concat', 'reverse', 'toReversed', 'sort', 'toSorted', 'flat', 'values']);
const SEARCHES: ReadonlySet<string> = new Set(['find', 'findLast', 'filter', 'some', 'every', 'findIndex', 'findLastIndex']);

function callArray(flow: Flow, call: TSESTree.CallExpression, name: string, array: Value, element: Value): void {
  const [callback] = call.arguments;
  if (PICKS.has(name)) take(flow, call, pick(array, name, callback, element));
  else if (KEEPS.has(name)) flow.follow(call, shuffled(array));
  else if (SEARCHES.has(name)) search(flow, call, name, array, element);
  else if (name === 'forEach') callBack(flow, callback, [element], () => undefined);
  else if (name === 'map' || name === 'flatMap') callBack(flow, callback, [element], (value) => flow.follow(call, wrap('list', value)));
  else if (name === 'reduce' || name === 'reduceRight') callBack(flow, callback, [call.arguments.length > 1 ? undefined : element, element], (value) => flow.follow(call, value));
  else flow.read();
}

/** `at(1)` of a tuple is one place, as `[1]` is. */
function pick(array: Value, name: string, index: TSESTree.Node | undefined, element: Value): Access {
  if (array.kind !== 'tuple' || !isWrapped(array) || name !== 'at' || !is(index, 'Literal')) return element;
  return array.at === undefined || array.at === index.value ? element : 'nothing';
}

/** The same array with its elements in other places. */
const shuffled = (array: Value): Value => (isWrapped(array) ? wrap(array.kind, array.of) : array);

function search(flow: Flow, call: TSESTree.CallExpression, name: string, array: Value, element: Value): void {
  const [callback] = call.arguments;
  callBack(flow, callback, [element], (value) => flow.test(value, callback ?? call));
  if (name === 'filter') flow.follow(call, shuffled(array));
  else if (name.startsWith('find') && !name.endsWith('Index')) flow.follow(call, element);
}

/** The value is an argument. */
export function stepIntoCall(flow: Flow, call: TSESTree.CallExpression, argument: TSESTree.Node, value: Value): void {
  const index = call.arguments.indexOf(argument as TSESTree.CallExpressionArgument);
  const callee = bare(call.callee);
  const isFirst = index === 0;
  if (isFirst && is(callee, 'Identifier') && isGlobal(flow, callee)) convert(flow, call, callee.name, argument, value);
  else if (isFirst && is(callee, 'MemberExpression') && is(callee.object, 'Identifier') && isGlobal(flow, callee.object)) callStatic(flow, call, callee.object.name, keyOf(callee, callee.property), value);
  else handOver(flow, call, index, value);
}

function isGlobal(flow: Flow, node: TSESTree.Node, name?: string): boolean {
  return is(node, 'Identifier') && (name === undefined || node.name === name) && !flow.question.scopes.variableOf(node);
}

function convert(flow: Flow, call: TSESTree.CallExpression, name: string, argument: TSESTree.Node, value: Value): void {
  const isPlain = value.kind === 'boolean' || value.kind === 'count';
  if (name === 'Boolean' && value.kind !== 'boolean') flow.test(value, argument);
  else if (name === 'Boolean' || ((name === 'Number' || name === 'String') && isPlain)) flow.follow(call, value);
  else handOver(flow, call, 0, value);
}

function callStatic(flow: Flow, call: TSESTree.CallExpression, object: string, member: unknown, value: Value): void {
  if (object === 'Promise') callPromiseStatic(flow, call, member, value);
  else if (object === 'Array' && member === 'isArray') return; // says what form it has, not what is in it
  else if (object === 'Object' && member === 'freeze') flow.follow(call, value);
  else if (object === 'Array' && member === 'from' && call.arguments.length === 1 && elementOf(value, flow.layout)) flow.follow(call, value);
  else if (object === 'Object' && member === 'values' && value.kind === 'row' && flow.layout.column.kind === 'column') flow.follow(call, plain('values'));
  else handOver(flow, call, 0, value);
}

function callPromiseStatic(flow: Flow, call: TSESTree.CallExpression, member: unknown, value: Value): void {
  if (member === 'resolve') flow.follow(call, promiseOf(value));
  else if (isWrapped(value) && (value.kind === 'tuple' || value.kind === 'list')) gather(flow, call, member, value);
  else flow.read();
}

function gather(flow: Flow, call: TSESTree.CallExpression, member: unknown, value: Wrapped): void {
  const element = settle(value.of);
  if (member === 'all') flow.follow(call, promiseOf(wrap(value.kind, element, value.at)));
  else if (member === 'allSettled') flow.follow(call, promiseOf(wrap(value.kind, wrap('settled', element), value.at)));
  else if (member === 'race' || member === 'any') flow.follow(call, promiseOf(element));
  else flow.read();
}

/** Where the called function is in view, it may well not look at its parameter; else it counts as a reader. */
function handOver(flow: Flow, call: TSESTree.CallExpression, index: number, value: Value): void {
  const isCounted = !call.arguments.slice(0, index).some((argument) => is(argument, 'SpreadElement'));
  const values = Array.from({ length: index + 1 }, (_, at) => (at === index ? value : undefined));
  const isEntered = isCounted && innermost(value).kind !== 'unknown' && flow.enter(call.callee, values, (given) => flow.follow(call, given));
  const argument = call.arguments[index];
  if (isEntered) return;
  const asserted = isSettledBy(call) ? settle(value) : value;
  if (assertsFalse(call, index, asserted)) flow.readAsFalse();
  else if (argument && assertsPresence(call, index, asserted)) flow.test(asserted, argument);
  else flow.read();
}
