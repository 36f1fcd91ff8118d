import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { sourceOf } from '../../types/index.js';
import type { Makers } from '../values/makers.js';
import { variableOf } from '../values/names.js';
import type { SessionEnds } from '../sessions/session-end.js';
import { classAround, contains, functionAround, is, isClass, isFunction, isMember, memberName, walk, wrapped, type ClassNode, type FunctionNode } from '../syntax.js';

/** Clients that a function hands to one class, or to closures of its own, and to nobody else: all code that reaches them is in view. */

const HARMLESS = /^(?:connect|on|once|off|removeListener|removeAllListeners)$/;

/** The class that a function makes an object of with its client, and the constructor's parameter that a private field keeps. */
export function ownerMadeBy(taker: FunctionNode, acquired: TSESTree.Node, makers: Makers, ends: SessionEnds, isPrivate: (target: TSESTree.Node) => boolean): { readonly owner: ClassNode; readonly parameter: TSESTree.Identifier } | undefined {
  const client = clientOf(taker, makers, ends);
  const made = client && mentionsOf(client).map((one) => one.parent).filter((one) => is(one, 'NewExpression'));
  const [only, ...others] = made ?? [];
  if (!client || !only || others.length > 0 || !isReachedBy(client, (one) => one.parent === only || isWorkOn(one, acquired, makers, ends))) return undefined;
  const owner = is(only.callee, 'ThisExpression') ? classAround(taker) : classOf(only.callee);
  const parameter = owner && keptParameter(owner, only.arguments.findIndex((one) => is(one, 'Identifier') && variableOf(one) === client), isPrivate);
  return parameter && { owner: owner, parameter };
}

/** The release in a closure that a function gives back, where its client is reached by its own code only and none of that closes the session. */
export function releaseByClosure(taker: FunctionNode, acquired: TSESTree.Node, makers: Makers, ends: SessionEnds): TSESTree.CallExpression | undefined {
  const client = clientOf(taker, makers, ends);
  if (!client || !isReachedBy(client, (one) => isWorkOn(one, acquired, makers, ends))) return undefined;
  const releases = [...walk(taker.body)].filter((node) => is(node, 'CallExpression') && functionAround(node) !== taker && ends.releaseAt(node, makers) !== undefined) as TSESTree.CallExpression[];
  if (releases.some((one) => ends.releaseAt(one, makers) !== 'keeps')) return undefined;
  return releases.find((one) => returnOf(functionAround(one)!, taker, acquired));
}

const mentionsOf = ({ references }: Scope.Variable): TSESTree.Node[] => references.filter((one) => !one.init).map(({ identifier }) => identifier);

const isReachedBy = (client: Scope.Variable, isKnown: (mention: TSESTree.Node) => boolean): boolean => mentionsOf(client).every(isKnown);

/** The variable that a function makes for its connection, and writes once. */
function clientOf(taker: FunctionNode, makers: Makers, ends: SessionEnds): Scope.Variable | undefined {
  const [only, ...others] = [...walk(taker.body, isFunction)].filter((node) => is(node, 'VariableDeclarator') && is(node.id, 'Identifier') && node.init !== null && ends.isOver(node.id, makers)) as TSESTree.VariableDeclarator[];
  const variable = only && is(only.id, 'Identifier') && others.length === 0 ? variableOf(only.id) : undefined;
  return variable?.references.every((one) => !one.isWrite() || one.init) ? variable : undefined;
}

/** A call of the client's own: it is given back, listened to, or sent a text that stands there and frees nothing. */
function isWorkOn(mention: TSESTree.Node, acquired: TSESTree.Node, makers: Makers, ends: SessionEnds): boolean {
  const member = mention.parent;
  const call = member && isMember(member) && member.object === mention ? wrapped(member, false).parent : undefined;
  if (!member || !isMember(member) || !is(call, 'CallExpression') || wrapped(call.callee, false) !== wrapped(member, false)) return false;
  const [text] = call.arguments;
  const isPlain = call === acquired || (text !== undefined && (is(text, 'Literal') || (is(text, 'TemplateLiteral') && text.expressions.length === 0)) && !/unlock|discard|terminate/i.test(sourceOf(text)));
  return ends.releaseAt(call, makers) !== undefined || HARMLESS.test(memberName(member) ?? '') || isPlain;
}

function classOf(callee: TSESTree.Node): ClassNode | undefined {
  const made = is(callee, 'Identifier') ? variableOf(callee)?.defs[0]?.node as TSESTree.Node | undefined : undefined;
  return isClass(made) ? made : undefined;
}

/** The parameter of a constructor that goes into a private field, and nowhere else. */
function keptParameter(owner: ClassNode, index: number, isPrivate: (target: TSESTree.Node) => boolean): TSESTree.Identifier | undefined {
  const made = owner.body.body.flatMap((one) => (is(one, 'MethodDefinition') && one.kind === 'constructor' && isFunction(one.value) ? [one.value] : []))[0];
  const param = made?.params[index];
  const name = is(param, 'TSParameterProperty') && param.accessibility === 'private' ? param.parameter : param;
  if (!is(name, 'Identifier') || owner.superClass) return undefined;
  const mentions = mentionsOf(variableOf(name)!);
  const isKept = (one: TSESTree.Node): boolean => is(one.parent, 'AssignmentExpression') && one.parent.right === one && isPrivate(one.parent.left);
  return mentions.every(isKept) && (mentions.length > 0 || name !== param) ? name : undefined;
}

/** The return, behind a lock and under no condition, that gives a closure back: itself, in an object, or by its name. */
function returnOf(closure: FunctionNode, taker: FunctionNode, acquired: TSESTree.Node): TSESTree.Node | undefined {
  const named = is(closure, 'FunctionDeclaration') ? closure.id : is(closure.parent, 'VariableDeclarator') ? closure.parent.id : undefined;
  const mentions = is(named, 'Identifier') ? mentionsOf(variableOf(named)!) : [];
  if (mentions.some((one) => is(one.parent, 'CallExpression'))) return undefined;
  const isGiven = (value: TSESTree.Node): boolean => contains(value, closure) || mentions.some((one) => contains(value, one));
  return [...walk(taker.body, isFunction)].find((node) => is(node, 'ReturnStatement') && node.argument && node.range[0] > acquired.range[1] && is(node.parent, 'BlockStatement') && node.parent.parent === taker && isHandle(node.argument) && isGiven(node.argument));
}

/** A function, or an object of some: what is called with one may run it at once. */
const isHandle = (value: TSESTree.Node): boolean => isFunction(value) || is(value, 'Identifier') || is(value, 'ObjectExpression');
