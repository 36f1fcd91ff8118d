import type { TSESTree } from '@typescript-eslint/utils';
import { startsOfLines, treeOf, type Tree } from '../../types/index.js';
import { chunkAt, type Text } from './sql-text.js';
import { contains } from '../syntax.js';

/**
 * The range to report for a part of an SQL text: where the text stands at the call, that part of it; where it comes from elsewhere,
 * the argument that carries it.
 */
export function locate(text: Text, start: number, end: number, call: TSESTree.Node, argument: TSESTree.Node): TSESTree.SourceLocation {
  const from = chunkAt(text, start);
  if (from?.chunk.kind !== 'text' || treeOf(from.chunk.node) !== treeOf(call) || !contains(call, from.chunk.node)) return argument.loc;
  const length = Math.min(end - start, from.chunk.text.length - from.offset);
  const at = from.chunk.start === undefined ? searched(from.chunk.text, from.offset, length, from.chunk.node) : from.chunk.start + from.offset;
  return at === undefined ? argument.loc : between(call, at, at + length);
}

/** Escapes shift offsets: the name is found again in the source, as the same occurrence of the same letters. */
function searched(text: string, offset: number, length: number, node: TSESTree.Node): number | undefined {
  const name = text.slice(offset, offset + length);
  const source = treeOf(node).text.slice(...node.range);
  const count = text.slice(0, offset).split(name).length;
  let at = -1;
  for (let index = 0; index < count; index++) at = source.indexOf(name, at + 1);
  return at < 0 ? undefined : node.range[0] + at;
}

function between(node: TSESTree.Node, start: number, end: number): TSESTree.SourceLocation {
  const tree = treeOf(node);
  return { start: positionAt(tree, start), end: positionAt(tree, end) };
}

const lineStarts = new WeakMap<object, readonly number[]>();

function startsOf(tree: Tree): readonly number[] {
  let starts = lineStarts.get(tree);
  if (!starts) lineStarts.set(tree, starts = startsOfLines(tree.text));
  return starts;
}

function positionAt(tree: Tree, offset: number): TSESTree.Position {
  const starts = startsOf(tree);
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - starts[low]! };
}
