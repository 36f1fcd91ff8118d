import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { treeOf } from '../../types/index.js';
import { variableOf } from '../values/names.js';
import type { SessionEnds } from '../sessions/session-end.js';
import { contains, functionAround, is, isFunction, isMember, memberName, uncast, walk, type FunctionNode } from '../syntax.js';
import type { LockEvent, Tracked } from './lock-events.js';
import type { LockState } from './lock-state.js';

/** A function that a value may be or have in it: by its own text or by its name, with what it is bound to. */
interface Kept {
  readonly node: TSESTree.Node;
  readonly bound: readonly TSESTree.Node[];
  /** Where it was put into a list. */
  readonly at?: TSESTree.Node | undefined;
}

/** `late`: only what was put in behind the lock would free it. */
export type Running = 'any' | 'late';

const PUTS_IN = new Set(['push', 'unshift', 'add', 'set', 'enqueue', 'defer', 'adopt']);
const TAKES_OUT = new Set(['get', 'pop', 'shift', 'at', 'find']);
const MAX_STEPS = 8;

/**
 * Whether a call may run a function that frees the lock, where nobody can say which function it runs: one out of a list or a table
 * that has such functions, a bound one, the one of `unlock.call(...)`, one of two.
 */
export function mayRunUnlock(call: TSESTree.CallExpression, tracked: Tracked, ends: SessionEnds): Running | undefined {
  const callee = uncast(call.callee);
  const isDisposing = isMember(callee) && /^(?:dispose|disposeAsync|asyncDispose)$/.test(memberName(callee) ?? '');
  const kept = isDisposing ? contentsOf(callee.object) : calledBy(call, callee);
  const found = kept.filter((one) => frees(one, call, tracked, ends));
  if (found.length === 0) return undefined;
  return found.every(({ at }) => at && tracked.takenAt && at.range[0] > tracked.takenAt.range[0]) ? 'late' : 'any';
}

/** Whether a node has a call in it that runs what was kept, as it is by then. */
export function runsKeptIn(node: TSESTree.Node, events: Pick<ReadonlyMap<TSESTree.Node, LockEvent>, 'get'>, { handedOn }: LockState): boolean {
  return [...walk(node)].some((one) => {
    const event = events.get(one);
    return event?.kind === 'runsKept' && (event.what === 'any' || handedOn);
  });
}

function calledBy(call: TSESTree.CallExpression, callee: TSESTree.Node): Kept[] {
  const name = isMember(callee) ? memberName(callee) : undefined;
  // What its name alone does not tell, `{ unlock } = this` or a default of a parameter, the origin may.
  if (isMember(callee) && (name === 'call' || name === 'apply')) return isReflect(callee) ? call.arguments.slice(0, 1).flatMap((one) => [...functionsIn(one), { node: one, bound: [] }]) : [...functionsIn(callee.object), { node: callee.object, bound: [] }];
  return is(callee, 'Identifier', 'CallExpression', 'MemberExpression') ? functionsIn(callee).filter(({ node }) => node !== callee && !isFunctionOf(node, callee)) : [];
}

/** `Reflect.apply(unlock, undefined, [client])` */
const isReflect = ({ object }: TSESTree.MemberExpression): boolean => is(object, 'Identifier') && object.name === 'Reflect';

/** A plain name of a function is followed elsewhere. */
const isFunctionOf = (node: TSESTree.Node, callee: TSESTree.Node): boolean => is(callee, 'Identifier') && variableOf(callee)?.defs.some((one) => one.node === node || (is(one.node as TSESTree.Node, 'VariableDeclarator') && (one.node as TSESTree.VariableDeclarator).init === node)) === true;

function frees({ node, bound }: Kept, call: TSESTree.CallExpression, tracked: Tracked, ends: SessionEnds): boolean {
  const { body, freedAt, makers } = tracked;
  const given = [...bound, ...call.arguments].flatMap((one): (TSESTree.Node | null)[] => (is(one, 'ArrayExpression') ? one.elements : [one]));
  const isGiven = (): boolean => given.some((one) => one !== null && is(one, 'Identifier', 'MemberExpression') && ends.isOver(one, makers));
  return ends.functionsAt(node).some((one) => {
    if (treeOf(one) === treeOf(body) && contains(body, one)) return [...walk(one.body)].some((inner) => freedAt.has(inner));
    return isGiven() && ends.unlocksIn(one);
  });
}

/** The functions that an expression may stand for. */
function functionsIn(node: TSESTree.Node, depth = 0): Kept[] {
  const at = uncast(node);
  if (depth > MAX_STEPS) return [];
  if (is(at, 'ConditionalExpression')) return [...functionsIn(at.consequent, depth + 1), ...functionsIn(at.alternate, depth + 1)];
  if (is(at, 'LogicalExpression')) return [...functionsIn(at.left, depth + 1), ...functionsIn(at.right, depth + 1)];
  if (is(at, 'CallExpression')) {
    const callee = uncast(at.callee);
    const name = isMember(callee) ? memberName(callee) ?? '' : '';
    if (!isMember(callee)) return [];
    if (name === 'bind') return functionsIn(callee.object, depth + 1).map((one) => ({ ...one, bound: [...one.bound, ...at.arguments] }));
    return TAKES_OUT.has(name) ? contentsOf(callee.object, depth + 1) : [];
  }
  if (isMember(at) && memberName(at) === undefined) return contentsOf(at.object, depth + 1);
  const variable = is(at, 'Identifier') ? variableOf(at) : undefined;
  const [definition] = variable?.defs ?? [];
  const made = definition?.node as TSESTree.Node | undefined;
  if (variable && is(made, 'VariableDeclarator')) {
    const loop = made.parent.parent;
    if (is(loop, 'ForOfStatement') && loop.left === made.parent) return contentsOf(loop.right, depth + 1);
    return variable.references.flatMap((one) => (one.writeExpr ? functionsIn(one.writeExpr, depth + 1) : []));
  }
  // `list.map((f) => f())`
  const outer = isFunction(made) ? made.parent : undefined;
  if (definition?.type === 'Parameter' as never) return is(outer, 'CallExpression') && isMember(outer.callee) && outer.arguments.includes(made as never) ? contentsOf(outer.callee.object, depth + 1) : [];
  return [{ node: at, bound: [] }];
}

/** The functions that a list, a table or a stack has in it. */
function contentsOf(node: TSESTree.Node, depth = 0): Kept[] {
  const at = uncast(node);
  const inner = (one: TSESTree.Node | null): Kept[] => (one ? contentsOf(one, depth + 1) : []);
  if (depth > MAX_STEPS) return [];
  if (is(at, 'ArrayExpression')) return at.elements.flatMap(inner);
  if (is(at, 'SpreadElement')) return inner(at.argument);
  if (is(at, 'ObjectExpression')) return at.properties.flatMap((one) => inner(is(one, 'Property') ? one.value : one.argument));
  if (is(at, 'NewExpression')) return at.arguments.flatMap(inner);
  // `[...list].reverse()`, `table.values()`, `Object.values(table)`
  if (is(at, 'CallExpression')) return isMember(at.callee) ? [...(memberName(at.callee) === 'bind' ? functionsIn(at, depth + 1) : inner(at.callee.object)), ...at.arguments.flatMap(inner)] : [];
  const variable = is(at, 'Identifier') ? variableOf(at) : undefined;
  const made = variable?.defs[0]?.node as TSESTree.Node | undefined;
  if (!variable || !is(made, 'VariableDeclarator')) return functionsIn(at, depth + 1);
  if (isFunction(made.init)) return [{ node: made.init, bound: [] }];
  return [...inner(made.init), ...putInto(variable).flatMap((one) => fromCallers(one) ?? inner(one).map((put) => ({ ...put, at: one })))];
}

/** What is put into a list or onto a stack. */
function putInto(variable: Scope.Variable): TSESTree.Node[] {
  return variable.references.flatMap(({ identifier }) => {
    const member = (identifier as TSESTree.Node).parent;
    const call = member && isMember(member) && member.object === identifier && PUTS_IN.has(memberName(member) ?? '') ? member.parent : undefined;
    return is(call, 'CallExpression') ? call.arguments : [];
  });
}

/** `const defer = (f) => { list.push(f); }`: what that function is called with. */
function fromCallers(node: TSESTree.Node): Kept[] | undefined {
  const definition = is(node, 'Identifier') ? variableOf(node)?.defs[0] : undefined;
  const owner = definition?.type === 'Parameter' as never ? definition.node as FunctionNode : undefined;
  const index = owner?.params.indexOf(definition?.name as never) ?? -1;
  if (!owner || index < 0 || owner !== functionAround(node)) return undefined;
  const name = is(owner, 'FunctionDeclaration') ? owner.id : is(owner.parent, 'VariableDeclarator') ? owner.parent.id : undefined;
  const uses = is(name, 'Identifier') ? variableOf(name)?.references ?? [] : [];
  return uses.flatMap(({ identifier }) => {
    const call = (identifier as TSESTree.Node).parent;
    const given = is(call, 'CallExpression') && call.callee === identifier ? call.arguments[index] : undefined;
    return given ? functionsIn(given) : [];
  });
}
