import type { TSESTree } from '@typescript-eslint/utils';
import { contains, functionAround, is, isFunction, walk } from '../analysis/syntax.js';
import { variableOf } from '../analysis/names.js';
import type { Region } from './shaping.js';

/**
 * What is done with the promise of a callback that statements are moved into: awaited, or returned where they return. `undefined` where
 * they cannot be moved: they jump out, they write to variables around (of which the compiler loses track), or code behind them goes on
 * where they return.
 */
export function lendingOf({ block, first, last, instead, before, hoisted }: Region): 'await' | 'return' | undefined {
  const statements: readonly TSESTree.Node[] = block.body.slice(first, last + 1);
  const nodes = statements.flatMap((one) => [...walk(one, isFunction)]);
  if (before.length > 0 || hoisted.size > 0 || nodes.some((one) => isJump(one, statements) || writesAround(one, statements))) return undefined;
  if (!nodes.some((one) => is(one, 'ReturnStatement'))) return 'await';
  const end = instead ?? statements.at(-1)!;
  const owner = functionAround(end);
  return owner?.async && !owner.generator && is(owner.body, 'BlockStatement') && owner.body.body.at(-1) === end ? 'return' : undefined;
}

function isJump(node: TSESTree.Node, statements: readonly TSESTree.Node[]): boolean {
  if (is(node, 'YieldExpression') || (is(node, 'Identifier') && node.name === 'arguments')) return true;
  if (!is(node, 'BreakStatement') && !is(node, 'ContinueStatement')) return false;
  if (node.label) return true;
  for (let at: TSESTree.Node | undefined = node.parent; at; at = at.parent) {
    const inner = at;
    if (!statements.some((one) => contains(one, inner))) break;
    if (/^(?:For|While|DoWhile)\w*Statement$/.test(at.type) || (is(node, 'BreakStatement') && is(at, 'SwitchStatement'))) return false;
  }
  return true;
}

function writesAround(node: TSESTree.Node, statements: readonly TSESTree.Node[]): boolean {
  const targets = is(node, 'AssignmentExpression') ? [...walk(node.left)] : is(node, 'UpdateExpression') ? [node.argument] : [];
  return targets.some((one) => {
    const definition = is(one, 'Identifier') ? variableOf(one)?.defs[0]?.name as TSESTree.Node | undefined : undefined;
    return definition !== undefined && functionAround(definition) !== undefined && !statements.some((own) => contains(own, definition));
  });
}
