import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { treeOf, type Source } from '../types/index.js';
import { driverById, isReleaseName, type Driver } from '../drivers/index.js';
import type { LockUse, SqlCall } from './model.js';
import { placesOf } from './values/makers.js';
import { variableOf } from './values/names.js';
import { isUnlock, type Pairs } from './pairs.js';
import { contains, functionAround, is, isFunction, isMember, memberName, walk, wrapped } from './syntax.js';

export { variableOf } from './values/names.js';
export { sourceOf, treeOf } from '../types/index.js';
export type { Source, TypeFacts, Types } from '../types/index.js';

/** What a rewrite asks of the code around a pair of lock and unlock. */

export type Block = TSESTree.BlockStatement | TSESTree.Program;
export const isBlock = (node: TSESTree.Node): node is Block => is(node, 'BlockStatement') || is(node, 'Program');

/** The pair of an acquire or unlock, where all of it stands in the body of one function (or at the top level of a file). */
export interface LocalPair {
  readonly acquire: LockUse;
  readonly unlocks: readonly LockUse[];
  /** The function, or the file. */
  readonly within: TSESTree.Node;
}

/** The innermost block that has both nodes. */
export function commonBlock(nodes: readonly TSESTree.Node[]): Block | undefined {
  for (let at = nodes[0]?.parent; at; at = at.parent) if (isBlock(at) && nodes.every((one) => contains(at, one))) return at;
  return undefined;
}

/** Index of the statement of a block that has a node. */
export const indexIn = (block: Block, node: TSESTree.Node): number => block.body.findIndex((one) => contains(one, node));

/** The nodes from a node's parent up to, and without, an outer node. */
export function* between(inner: TSESTree.Node, outer: TSESTree.Node): Generator<TSESTree.Node, void, undefined> {
  for (let at = inner.parent; at && at !== outer; at = at.parent) yield at;
}

/** A variable that is declared in a range, with its uses that stand outside of it. */
export interface Escape {
  readonly variable: Scope.Variable;
  readonly outside: readonly TSESTree.Identifier[];
}

/** What of a range's declarations is used outside of it. A `var` is seen in the whole function anyway. */
export function escapesOf({ scopeManager }: Source, range: readonly [number, number]): Escape[] {
  const isIn = (node: TSESTree.Node): boolean => range[0] <= node.range[0] && node.range[1] <= range[1];
  const found = declaredIn(scopeManager.scopes[0], range).filter(({ definition }) => isIn(definition.name) && !isVar(definition));
  return found.flatMap(({ variable }) => {
    const outside = variable.references.map((one) => one.identifier as TSESTree.Identifier).filter((one) => !isIn(one));
    return outside.length > 0 ? [{ variable, outside }] : [];
  });
}

interface Declared {
  readonly variable: Scope.Variable;
  /** The first one. */
  readonly definition: Scope.Definition;
}

/** The variables whose declaration begins in a range, in their order; only the scopes that have a part of the range are looked into. */
function declaredIn(outermost: Scope.Scope | undefined, [start, end]: readonly [number, number]): Declared[] {
  const found: Declared[] = [];
  const left = outermost ? [outermost] : [];
  for (let scope = left.pop(); scope; scope = left.pop()) {
    for (const variable of scope.variables) {
      const [definition] = variable.defs;
      if (definition && start <= definition.name.range[0] && definition.name.range[0] < end) found.push({ variable, definition });
    }
    for (const inner of scope.childScopes) if (inner.block.range[0] < end && start < inner.block.range[1]) left.push(inner);
  }
  return found.sort((one, other) => one.definition.name.range[0] - other.definition.name.range[0]);
}

const isVar = (definition: Scope.Definition): boolean => is(definition.parent as TSESTree.Node | null, 'VariableDeclaration') && (definition.parent as TSESTree.VariableDeclaration).kind === 'var';

/** The variables that an expression or statement reads or writes. */
export function variablesIn(node: TSESTree.Node): Set<Scope.Variable> {
  const found = new Set<Scope.Variable>();
  for (const one of walk(node)) {
    const variable = is(one, 'Identifier') ? variableOf(one) : undefined;
    if (variable?.references.some((reference) => reference.identifier === one) || variable?.identifiers.includes(one as never)) found.add(variable);
  }
  return found;
}

/** Whether every name in an expression means the same at another place, and has its value there already. */
export function meansSameAt(expression: TSESTree.Node, place: TSESTree.Node, start: number): boolean {
  for (const node of walk(expression)) {
    if (is(node, 'ThisExpression')) {
      if (thisOwner(node) !== thisOwner(place)) return false;
    } else if (is(node, 'Identifier')) {
      const variable = variableOf(node);
      if (!variable?.references.some((one) => one.identifier === node)) continue;
      if (!isVisible(variable, place)) return false;
      const isOuter = functionAround(variable.identifiers[0] ?? place) !== functionAround(place);
      if (!isOuter && variable.defs[0]?.type !== 'Parameter' as never && (variable.identifiers[0]?.range[0] ?? 0) > start) return false;
    }
  }
  return true;
}

function thisOwner(node: TSESTree.Node): TSESTree.Node | undefined {
  for (let at = node.parent; at; at = at.parent) if (isFunction(at) && !is(at, 'ArrowFunctionExpression')) return at;
  return undefined;
}

/** Whether a name at a place means this variable. */
function isVisible(variable: Scope.Variable, place: TSESTree.Node): boolean {
  const { scopes } = treeOf(place);
  for (let at: TSESTree.Node | undefined = place; at; at = at.parent) {
    const scope = scopes.acquire(at, true);
    if (!scope) continue;
    for (let one: Scope.Scope | null = scope; one; one = one.upper) {
      const found = one.set.get(variable.name);
      if (found) return found === variable;
    }
    return false;
  }
  return false;
}

export const driverOf = ({ driver, connection }: SqlCall): Driver | undefined => driverById(driver ?? connection.driver);

/** The name of a constant that holds what an expression makes, where it can be seen from a place. */
export function variableMadeBy(made: TSESTree.Node, place: TSESTree.Node): TSESTree.Identifier | undefined {
  const outer = wrapped(made, true);
  const declarator = outer.parent;
  if (!is(declarator, 'VariableDeclarator') || declarator.init !== outer || !is(declarator.id, 'Identifier') || treeOf(made) !== treeOf(place)) return undefined;
  const variable = variableOf(declarator.id);
  return variable && isVisible(variable, place) ? declarator.id : undefined;
}

/** All of a pair, where it stands in the body of one function, or at the top level of a file, that can wait. */
export function localPairOf(use: LockUse, pairs: Pairs, isOfHelpers = false): LocalPair | undefined {
  const acquire = isUnlock(use) ? pairs.of(use)?.acquire : use;
  const unlocks = acquire ? pairs.unlocksOf(acquire) : [];
  if (!acquire || unlocks.length === 0 || !unlocks.every((one) => treeOf(one.call.node) === treeOf(acquire.call.node))) return undefined;
  const owner = functionAround(acquire.call.node);
  if (unlocks.some((one) => functionAround(one.call.node) !== owner || one.call === acquire.call)) return undefined;
  if (owner && (!owner.async || owner.generator)) return undefined;
  // What the functions do that the settings name is not in view; those that are send one statement each, which stays where it is.
  if ([acquire, ...unlocks].some(({ call }) => call.helper !== undefined && !(isOfHelpers && call.isElsewhere))) return undefined;
  return { acquire, unlocks, within: owner ?? treeOf(acquire.call.node).ast };
}


/** Whether a call gives some connection back: `client.release()`. */
export function isRelease(node: TSESTree.Node | undefined): node is TSESTree.CallExpression & { callee: TSESTree.MemberExpression } {
  return is(node, 'CallExpression') && isMember(node.callee) && isReleaseName(memberName(node.callee) ?? '');
}

/** Whether the code between two offsets gives a handle's connection back, or puts another one under its name; `isApart`: what is on another path. */
export function isGivenBackBetween(handle: TSESTree.Node, start: number, end: number, isApart?: (node: TSESTree.Node) => boolean): boolean {
  for (const variable of variablesIn(handle)) {
    for (const reference of variable.references) {
      const { range, parent } = reference.identifier as TSESTree.Node;
      if (range[0] < start || range[1] > end || isApart?.(reference.identifier)) continue;
      if (reference.isWrite() || (parent && isMember(parent) && isRelease(parent.parent))) return true;
    }
  }
  return false;
}

/** Whether the function that locks has asked for the connection itself. */
export function isMadeHere({ call: { node, connection } }: LockUse): boolean {
  const around = functionAround(node);
  const places = placesOf(connection.makers);
  return connection.complete && around !== undefined && places.length > 0 && places.every((one) => treeOf(one) === treeOf(node) && contains(around.body, one));
}
