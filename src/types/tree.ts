import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';

/** One file as a syntax tree, whether it is the linted one or another file of its program. */
export interface Tree {
  readonly ast: TSESTree.Program;
  readonly fileName: string;
  readonly text: string;
  readonly scopes: Scope.ScopeManager;
}

const trees = new WeakMap<TSESTree.Node, Tree>();

export function rememberTree(tree: Tree): Tree {
  trees.set(tree.ast, tree);
  return tree;
}

/** The file that a node stands in. */
export function treeOf(node: TSESTree.Node): Tree {
  let root: TSESTree.Node = node;
  while (root.parent) root = root.parent;
  const tree = trees.get(root);
  if (!tree) throw new Error(`No tree is known for a ${root.type}`);
  return tree;
}

export const sourceOf = (node: TSESTree.Node): string => treeOf(node).text.slice(node.range[0], node.range[1]);
