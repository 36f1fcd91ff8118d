import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { treeOf, type Types } from '../../../types/index.js';
import { variableOf } from '../../values/names.js';
import { ancestor, is, isFunction, isMember, memberName, uncast, walk } from '../../syntax.js';

/** Whether an expression is the same whenever it is asked in a function: nothing in it can change, as far as the file shows. */
export type Steady = (node: TSESTree.Node) => boolean;

const steadyBy = new WeakMap<Types, Steady>();

/** A name that is written once, a property of one that nothing writes, a comparison of either with a constant. */
export function steadyIn(types: Types): Steady {
  const known = steadyBy.get(types) ?? remembering((node) => isSteady(node, types));
  steadyBy.set(types, known);
  return known;
}

function remembering(ask: Steady): Steady {
  const known = new WeakMap<TSESTree.Node, boolean>();
  return (node) => {
    let answer = known.get(node);
    if (answer === undefined) known.set(node, answer = ask(node));
    return answer;
  };
}

function isSteady(value: TSESTree.Node, types: Types): boolean {
  const node = uncast(value);
  if (is(node, 'BinaryExpression')) return isSteady(node.left, types) && (is(node.right, 'Literal') || isSteady(node.right, types));
  if (is(node, 'Identifier')) return node.name === 'undefined' || isWrittenOnce(node);
  return isMember(node) && !node.computed && isKept(node, types);
}

/** A property that is set where its object is made, and not again. */
function isKept(node: TSESTree.MemberExpression, types: Types): boolean {
  const object = uncast(node.object);
  const name = memberName(node);
  if (name === undefined || isSetIn(treeOf(node).ast, name)) return false;
  if (isEnvironment(object)) return true;
  if (!is(object, 'ThisExpression') && !isSteady(object, types)) return false;
  // What a library declares may be asked for because it changes: `signal.aborted` is `readonly`, too.
  const definitions = types.memberDefinitions(node);
  if (definitions.length === 0) return !types.isTyped && !CHANGING.test(name);
  return definitions.every((one) => isData(one) && !isSetIn(treeOf(one).ast, name));
}

/** Properties of objects of Node.js and the web that change by themselves: where no types tell, these count as theirs. */
const CHANGING = /^(?:aborted|closed|connected|destroyed|draining|ended|errored|exitCode|killed|length|locked|online|paused|pending|readable|readyState|size|state|status|visibilityState|writable)$|^(?:readable|writable|is)[A-Z]|Count$/;

/** `process.env`, `import.meta.env`: what nobody in the file sets was set before the process began. */
const isEnvironment = (node: TSESTree.Node): boolean => isMember(node) && !node.computed && memberName(node) === 'env' && (is(node.object, 'MetaProperty') || (is(node.object, 'Identifier') && node.object.name === 'process'));

/** A property, and not what a getter makes. */
function isData({ parent }: TSESTree.Node): boolean {
  if (is(parent, 'Property')) return parent.kind === 'init' && !parent.method;
  return parent !== undefined && /^(?:TSPropertySignature|PropertyDefinition|TSParameterProperty|Identifier|AssignmentPattern)$/.test(parent.type);
}

const setIn = new WeakMap<TSESTree.Program, ReadonlySet<string>>();

/** Whether something in a file sets a property of this name after its object was made. */
function isSetIn(program: TSESTree.Program, name: string): boolean {
  const known = setIn.get(program) ?? new Set([...walk(program)].flatMap(setBy));
  setIn.set(program, known);
  return known.has(name);
}

function setBy(node: TSESTree.Node): string[] {
  if (!isMember(node)) return [];
  const { parent } = node;
  const isSet = (is(parent, 'AssignmentExpression') && parent.left === node) || is(parent, 'UpdateExpression') || (is(parent, 'UnaryExpression') && parent.operator === 'delete');
  const name = memberName(node);
  return isSet && name !== undefined && !isInConstructor(node) ? [name] : [];
}

/** `this.alone = ...` as the object is made. */
function isInConstructor({ object }: TSESTree.MemberExpression): boolean {
  const around = is(object, 'ThisExpression') ? ancestor(object, isFunction) : undefined;
  return is(around?.parent, 'MethodDefinition') && around.parent.kind === 'constructor';
}

const writtenOnce = new WeakMap<Scope.Variable, boolean>();

/** Asked of each mention, and a variable may have thousands of them. */
export function isWrittenOnce(name: TSESTree.Identifier): boolean {
  const variable = variableOf(name);
  if (!variable) return false;
  let known = writtenOnce.get(variable);
  if (known === undefined) writtenOnce.set(variable, known = !variable.references.some((one) => one.isWrite() && !one.init));
  return known;
}
