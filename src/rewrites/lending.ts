import type { TSESTree } from '@typescript-eslint/utils';
import type { Source } from '../analysis/regions.js';
import { functionAround, is, isFunction, walk } from '../analysis/syntax.js';
import type { Region } from './shaping.js';

/**
 * What is done with the promise of a callback that statements are moved into: it is awaited, or returned where they return. `undefined`
 * where they cannot be moved: they leave by `break`, `continue` or `yield`, may return or go on, or write variables from outside, of
 * which the compiler then knows less.
 */
export function lendingOf({ block, first, last, before, hoisted, instead }: Region, sourceCode: Source): 'await' | 'return' | undefined {
  if (before.length > 0 || hoisted.size > 0) return undefined;
  const statements: readonly TSESTree.Node[] = instead ? [instead] : block.body.slice(first, last + 1);
  const nodes = statements.flatMap((one) => [...walk(one, isFunction)]);
  if (nodes.some((one) => is(one, 'YieldExpression') || (is(one, 'Identifier') && one.name === 'arguments') || isLeavingLoop(one, statements))) return undefined;
  const [start, end] = [statements[0]!.range[0], statements.at(-1)!.range[1]];
  const isInside = (node: TSESTree.Node): boolean => start <= node.range[0] && node.range[1] <= end;
  for (const scope of sourceCode.scopeManager.scopes) {
    const writes = scope.references.filter((one) => one.isWrite() && isInside(one.identifier));
    if (writes.some(({ resolved }) => !resolved?.defs.every((def) => isInside(def.name)))) return undefined;
  }
  const returns = nodes.filter((one) => is(one, 'ReturnStatement'));
  if (returns.length === 0) return 'await';
  const parent = instead ? instead.parent : block;
  const isAtEnd = is(parent, 'BlockStatement') && isFunction(parent.parent) && parent.body.at(-1) === statements.at(-1) && functionAround(statements[0]!) === parent.parent;
  return isAtEnd ? 'return' : undefined;
}

/** `break` and `continue` of a loop that is not itself among the statements. */
function isLeavingLoop(node: TSESTree.Node, statements: readonly TSESTree.Node[]): boolean {
  if (!is(node, 'BreakStatement') && !is(node, 'ContinueStatement')) return false;
  for (let at: TSESTree.Node | undefined = node.parent; at && !isFunction(at); at = at.parent) {
    if (node.label ? is(at, 'LabeledStatement') && at.label.name === node.label.name : /^(?:For|While|DoWhile)/.test(at.type) || (is(node, 'BreakStatement') && is(at, 'SwitchStatement'))) return false;
    if (statements.includes(at)) return true;
  }
  return true;
}
