import type { TSESTree } from '@typescript-eslint/utils';
import { treeOf } from '../../types/index.js';

interface Standing<Thing> {
  readonly node: TSESTree.Node;
  readonly thing: Thing;
  /** Which one it is of all that were given. */
  readonly rank: number;
}

/** Things that stand at nodes: what is in a function is found without asking all of a file, which each lock of it would do. */
export class ByPlace<Thing> {
  private readonly byTree = new Map<TSESTree.Node, Standing<Thing>[]>();

  constructor(things: Iterable<readonly [node: TSESTree.Node, thing: Thing]>) {
    let rank = 0;
    for (const [node, thing] of things) {
      const { ast } = treeOf(node);
      const known = this.byTree.get(ast) ?? [];
      if (known.length === 0) this.byTree.set(ast, known);
      known.push({ node, thing, rank: rank++ });
    }
    for (const all of this.byTree.values()) all.sort((one, other) => one.node.range[0] - other.node.range[0]);
  }

  /** What stands in a node, in the order in which it was given. */
  in(outer: TSESTree.Node): Thing[] {
    const all = this.byTree.get(treeOf(outer).ast) ?? [];
    const [start, end] = outer.range;
    const found: Standing<Thing>[] = [];
    for (let at = firstFrom(start, all); at < all.length && all[at]!.node.range[0] < end; at++) if (all[at]!.node.range[1] <= end) found.push(all[at]!);
    return found.sort((one, other) => one.rank - other.rank).map(({ thing }) => thing);
  }
}

function firstFrom(offset: number, all: readonly Standing<unknown>[]): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (all[middle]!.node.range[0] < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function groupsBy<One, Key>(all: readonly One[], keyOf: (one: One) => Key): ReadonlyMap<Key, readonly One[]> {
  const groups = new Map<Key, One[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}
