import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';

/** One file as a syntax tree, whether it is the linted one or another file of its program. */
export interface Tree {
  readonly ast: TSESTree.Program;
  readonly fileName: string;
  readonly text: string;
  readonly scopes: Scope.ScopeManager;
}

/** The trees of their roots, and of the nodes that were asked for: a node does not move. */
const trees = new WeakMap<TSESTree.Node, Tree>();

export function rememberTree(tree: Tree): Tree {
  trees.set(tree.ast, tree);
  return tree;
}

/** The file that a node stands in. */
export function treeOf(node: TSESTree.Node): Tree {
  let tree = trees.get(node);
  if (!tree) trees.set(node, tree = treeAround(node));
  return tree;
}

/** Whether two nodes stand in one file, whoever has parsed it. */
export const isOfOneTree = (one: TSESTree.Node, other: TSESTree.Node): boolean => {
  const [known, same] = [trees.get(one), trees.get(other)];
  return known && same ? known === same : rootOf(one) === rootOf(other);
};

function rootOf(node: TSESTree.Node): TSESTree.Node {
  let root = node;
  while (root.parent) root = root.parent;
  return root;
}

function treeAround(node: TSESTree.Node): Tree {
  const root = rootOf(node);
  const tree = trees.get(root);
  if (!tree) throw new Error(`No tree is known for a ${root.type}`);
  return tree;
}

export const sourceOf = (node: TSESTree.Node): string => treeOf(node).text.slice(node.range[0], node.range[1]);

type NodeNamed<Name> = Extract<TSESTree.Node, { type: Name }>;
type NodeName = `${TSESTree.Node['type']}`;

/** Whether a node is of a type, by its name: the enum of the names belongs to a package that loads ESLint. */
export const nodeIs = <Name extends NodeName>(node: TSESTree.Node | null | undefined, name: Name): node is { [Type in TSESTree.Node['type'] as `${Type}`]: NodeNamed<Type> }[Name] => node?.type === (name as never);

/** The name by which a member is declared or asked for, `#name` for a private one. */
export function nameOfKey(key: TSESTree.Node): string | undefined {
  if (nodeIs(key, 'PrivateIdentifier')) return `#${key.name}`;
  return nodeIs(key, 'Identifier') ? key.name : nodeIs(key, 'Literal') ? String(key.value) : undefined;
}

/** What a name in scope stands for; `undefined` for a global that no file declares. */
export function variableOf(node: TSESTree.Identifier): Scope.Variable | undefined {
  let known = variables.get(node);
  if (known === undefined) variables.set(node, known = findVariable(node) ?? null);
  return known ?? undefined;
}

const variables = new WeakMap<TSESTree.Identifier, Scope.Variable | null>();

function findVariable(node: TSESTree.Identifier): Scope.Variable | undefined {
  const { scopes } = treeOf(node);
  for (let at = node as TSESTree.Node | undefined; at; at = at.parent) {
    let scope = scopes.acquire(at, true);
    if (!scope) continue;
    if (scope.type === 'function-expression-name' as never && scope.childScopes[0]) scope = scope.childScopes[0];
    for (let one: Scope.Scope | null = scope; one; one = one.upper) {
      const variable = one.set.get(node.name);
      if (variable) return variable;
    }
    return undefined;
  }
  return undefined;
}
