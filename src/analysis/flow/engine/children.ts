import type { TSESTree } from '@typescript-eslint/utils';
import { isNode } from '../../syntax.js';

/** The parts of an expression or statement in the order in which they are evaluated. Types and names of properties are not. */
export function childrenInOrder(node: TSESTree.Node): TSESTree.Node[] {
  const keys = ORDER[node.type] ?? Object.keys(node).filter((key) => !SKIPPED.has(key));
  return keys.flatMap((key): TSESTree.Node[] => {
    const value = (node as unknown as Record<string, unknown>)[key];
    if (Array.isArray(value)) return value.filter(isNode);
    return isNode(value) && !(key === 'property' && !(node as TSESTree.MemberExpression).computed) && !(key === 'key' && !(node as TSESTree.Property).computed) ? [value] : [];
  });
}

const SKIPPED = new Set(['parent', 'loc', 'range', 'type', 'typeAnnotation', 'typeArguments', 'typeParameters', 'returnType', 'superTypeArguments', 'decorators', 'label']);

/** Where the order of a node's fields is not that of evaluation: a pattern is filled after its value is made. */
const ORDER: Record<string, readonly string[] | undefined> = {
  VariableDeclarator: ['init', 'id'],
  TaggedTemplateExpression: ['tag', 'quasi'],
  TemplateLiteral: ['expressions'],
};

export interface Operands<Node> {
  readonly first: TSESTree.Node;
  readonly steps: readonly { readonly operator: Node; readonly right: TSESTree.Node }[];
}

/** `a && b && c`, `a + b + c` from left to right: such chains may be longer than the stack is deep. */
export function operandsOf<Node extends TSESTree.LogicalExpression | TSESTree.BinaryExpression>(node: Node): Operands<Node> {
  const steps: { operator: Node; right: TSESTree.Node }[] = [];
  let at: TSESTree.Node = node;
  while (at.type === node.type && (at as Node).operator === node.operator) {
    steps.push({ operator: at as Node, right: (at as Node).right });
    at = (at as Node).left;
  }
  return { first: at, steps: steps.reverse() };
}
