import type { TSESTree } from '@typescript-eslint/utils';
import { commonBlock, indexIn, type Source } from '../analysis/regions.js';
import { contains, functionAround, is, isFunction, walk } from '../analysis/syntax.js';
import type { Edit } from './model.js';
import { Names } from './names.js';
import { scanOf } from './scan.js';

/**
 * A variable that is true where an unlock has failed: declared before the statement that has the unlock, set in the `catch` that keeps
 * its error. `undefined` where that stands on one line, leaves the function, or does not reach the place that asks for it.
 */
export function flagFailure(unlock: TSESTree.Node, asking: TSESTree.Node, sourceCode: Source): { readonly name: string; readonly edits: readonly Edit[] } | undefined {
  const owner = functionAround(unlock);
  const handler = handlerOf(unlock, owner);
  const block = handler && commonBlock([handler, asking]);
  if (!owner || !handler || !block || functionAround(asking) !== owner || asking.range[0] < handler.range[0]) return undefined;
  const { body } = handler;
  const isLong = body.loc.start.line !== body.loc.end.line;
  const isLeft = [...walk(body, isFunction)].some((one) => /^(?:Return|Break|Continue|Throw)Statement$/.test(one.type));
  const first = block.body[indexIn(block, handler)];
  if (!first || isLeft || (body.body.length > 0 && !isLong)) return undefined;
  const name = new Names(sourceCode, owner).local('isLockLeft', unlock);
  const { indent, end, newline } = scanOf(sourceCode).style;
  const outer = blanksBefore(first, sourceCode);
  const inner = `${blanksBefore(handler, sourceCode)}${indent}`;
  const open = body.range[0] + 1;
  return { name, edits: [
    { range: [first.range[0], first.range[0]], text: `let ${name} = false${end}${newline}${outer}` },
    { range: [open, open], text: `${newline}${inner}${name} = true${end}${isLong ? '' : `${newline}${inner.slice(indent.length)}`}` },
  ] };
}

/** The `catch` that takes the error of a node. */
function handlerOf(node: TSESTree.Node, owner: TSESTree.Node | undefined): TSESTree.CatchClause | undefined {
  for (let at = node.parent; at && at !== owner; at = at.parent) if (is(at, 'TryStatement') && at.handler && contains(at.block, node)) return at.handler;
  return undefined;
}

/** The white space at the beginning of the line that a node is on. */
function blanksBefore({ range: [start] }: TSESTree.Node, { text }: Source): string {
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return line.slice(0, line.length - line.trimStart().length);
}
