import type { TSESTree } from '@typescript-eslint/utils';
import type { LockUse } from '../model.js';
import { isLiteralImport } from '../values/modules.js';
import { ancestor, contains, functionAround, is, isMember, memberName, unwrap, walk, isFunction, type ClassNode, type FunctionNode } from '../syntax.js';

/** Calls that do not throw in practice: reporting a path through one of them would help nobody. */
const SAFE_OBJECTS = /^(?:console|Promise|Math|Date|Object|Number|Boolean|performance|clearTimeout|clearInterval|Array|Symbol)$/;
const SAFE_FUNCTIONS = new Set(['clearTimeout', 'clearInterval', 'setTimeout', 'setInterval', 'setImmediate', 'Boolean', 'String', 'Number']);
const SAFE_METHODS = new Set(['on', 'once', 'off', 'removeListener', 'removeAllListeners', 'unref', 'ref', 'push', 'set', 'get', 'has', 'add', 'delete', 'clear', 'getTime', 'toString', 'bind', 'hrtime', 'cwd', 'emit', 'abort', 'addEventListener', 'removeEventListener', 'catch', 'allSettled',
  // of arrays and strings; where one is a method of something else that fails later, it fails where it is awaited
  'at', 'shift', 'pop', 'slice', 'splice', 'reverse', 'sort', 'flat', 'reduce', 'reduceRight', 'toReversed', 'toSorted', 'unshift', 'includes', 'indexOf', 'join', 'concat', 'map', 'filter', 'find', 'findLast', 'some', 'every', 'forEach', 'flatMap', 'keys', 'values', 'entries', 'split', 'trim', 'padStart', 'toUpperCase', 'toLowerCase', 'toISOString', 'toFixed', 'bigint', 'write']);
const SAFE_CLASSES = new Set(['Error', 'TypeError', 'RangeError', 'AggregateError', 'Map', 'Set', 'WeakMap', 'Date', 'AbortController', 'Array', 'Object', 'Promise']);
const LOGGER = /^(?:log|logger|debug)$/i;

/** `clients.push(client)`: it is kept for later. */
export const putsAway = ({ callee }: TSESTree.CallExpression): boolean => isMember(callee) && PUTS_AWAY.test(memberName(callee) ?? '');

const PUTS_AWAY = /^(?:set|push|add|unshift|enqueue|register)$/;

/** Functions that are kept for later, or for when something happens. */
const LATER = /^(?:on|once|addListener|addEventListener|prependListener|subscribe|setTimeout|setInterval|setImmediate|queueMicrotask|nextTick|defer|adopt|after|afterAll|afterEach|teardown|on[A-Z]\w*|(?:add|register|push)[A-Z]\w*|\w*(?:exit|shutdown|cleanup|grace|teardown|Exit|Shutdown|Cleanup|Grace|Teardown)\w*)$/;

export function isKeptForLater({ callee }: TSESTree.CallExpression): boolean {
  const name = isMember(callee) ? memberName(callee) : is(callee, 'Identifier') ? callee.name : undefined;
  return LATER.test(name ?? '');
}

/** Whether functions that a call gets run: those of `new Promise(...)` once and at once, those of other classes later. */
export function runsArguments(node: TSESTree.CallExpression | TSESTree.NewExpression): 'once' | 'maybe' | 'later' {
  if (is(node, 'NewExpression')) return is(node.callee, 'Identifier') && node.callee.name === 'Promise' ? 'once' : 'later';
  return isKeptForLater(node) ? 'later' : 'maybe';
}

const ASSERTION = /^(?:assert|invariant|ensure|must|require|expect|check|verify|demand|precondition|guard)/i;

/** Whether a function that is not in view is meant to throw where its argument is not as it should be, by its name: `assert(locked)`. */
export function isAssertion({ callee }: TSESTree.CallExpression): boolean {
  const name = isMember(callee) ? memberName(callee) ?? '' : '';
  const names = namesOf(callee);
  // The context of a test: `t.is(ok, true)`, `t.assert.equal(ok, true)`
  return names.some((one) => ASSERTION.test(one)) || (names[0] === 't' && names.length > 1 && TESTED.test(name));
}

const TESTED = /^(?:true|false|truthy|falsy|ok|notOk|is|not|equal|equals|same|strictSame|(?:not)?(?:deep|strict|loose)\w*)$/i;

function namesOf(callee: TSESTree.Node): string[] {
  if (is(callee, 'Identifier')) return [callee.name];
  return isMember(callee) ? [...namesOf(callee.object), memberName(callee) ?? ''] : [];
}

/** Whether a node itself, its parts apart, may throw or reject. */
export function canThrow(node: TSESTree.Node): boolean {
  if (is(node, 'NewExpression')) return !(is(node.callee, 'Identifier') && (SAFE_CLASSES.has(node.callee.name) || node.callee.name.endsWith('Error')));
  if (is(node, 'CallExpression')) return !isSafeCall(node);
  // A file that is loaded late fails as one does that is loaded at once.
  if (is(node, 'AwaitExpression')) return !swallows(node.argument) && !isLiteralImport(unwrap(node.argument));
  if (is(node, 'ForOfStatement')) return node.await;
  return is(node, 'YieldExpression') || (is(node, 'TaggedTemplateExpression') && !is(node.parent, 'TemplateLiteral'));
}

export function isSafeCall({ callee }: { readonly callee: TSESTree.Node }): boolean {
  if (is(callee, 'Identifier')) return SAFE_FUNCTIONS.has(callee.name);
  if (!isMember(callee)) return false;
  if (SAFE_METHODS.has(memberName(callee) ?? '')) return true;
  const { object } = callee;
  const name = is(object, 'Identifier') ? object.name : isMember(object) ? memberName(object) : undefined;
  return name !== undefined && (SAFE_OBJECTS.test(name) || LOGGER.test(name));
}

/** `await work().catch(() => {})`, `await Promise.allSettled([work()])`. */
export function swallows(argument: TSESTree.Node): boolean {
  return is(argument, 'CallExpression') && isMember(argument.callee) && ['catch', 'allSettled'].includes(memberName(argument.callee) ?? '');
}

export const alwaysThrows = ({ body }: FunctionNode): boolean => is(body, 'BlockStatement') && body.body.length === 1 && is(body.body[0], 'ThrowStatement');

/** `expect(ok)` of `expect(ok).not.to` */
export function rootCall(node: TSESTree.Node): TSESTree.CallExpression | undefined {
  let at = node;
  while (isMember(at)) at = at.object;
  return is(at, 'CallExpression') ? at : undefined;
}

/** What an `await` waits for: `Promise.all([one, other])` for both. */
export function waitedFor(argument: TSESTree.Node): TSESTree.Node[] {
  const node = unwrap(argument);
  const [given] = is(node, 'CallExpression') && isMember(node.callee) && is(node.callee.object, 'Identifier') && node.callee.object.name === 'Promise' ? node.arguments : [];
  const all = is(given, 'ArrayExpression') ? given.elements : [given];
  return given ? all.flatMap((one) => (one ? [unwrap(one)] : [])) : [node];
}

/** `Promise.resolve()` and its like. */
export const isOfPromise = (node: TSESTree.Node): boolean => is(node, 'CallExpression') && isMember(node.callee) && is(node.callee.object, 'Identifier') && node.callee.object.name === 'Promise';

/** Whether a helper that frees a lock keeps the error of its unlock to itself, and does nothing about it but to log. */
export function swallowsInside({ call }: LockUse, helper: TSESTree.Node): boolean {
  if (call.node === helper) return false;
  const callee = functionAround(call.node);
  const around = callee && ancestor(call.node, (one) => is(one, 'TryStatement') && contains(one.block, call.node) && contains(callee, one));
  const handler = is(around, 'TryStatement') ? around.handler : null;
  return handler !== null && ![...walk(handler.body)].some((one) => is(one, 'ThrowStatement') || is(one, 'ReturnStatement') || (canThrow(one) && !is(one, 'AwaitExpression')));
}

/** Whether making an instance of a class runs nothing that can throw: its constructor, and the fields that have a value. */
export function isMadeQuietly({ superClass, body: { body } }: ClassNode): boolean {
  const run = body.flatMap((one): TSESTree.Node[] => {
    if (is(one, 'MethodDefinition')) return one.kind === 'constructor' ? [one.value] : [];
    return is(one, 'PropertyDefinition') && !one.static && one.value ? [one.value] : [];
  });
  return !superClass && run.every((one) => ![...walk(one, isFunction)].some((node) => canThrow(node) || is(node, 'ThrowStatement')));
}
