import type { TSESTree } from '@typescript-eslint/utils';
import { isNode } from '../syntax.js';

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

/** Where the order of a node's fields is not that of evaluation: an assignment's target counts after its value. */
const ORDER: Record<string, readonly string[] | undefined> = {
  AssignmentExpression: ['right', 'left'],
  VariableDeclarator: ['init', 'id'],
  TaggedTemplateExpression: ['tag', 'quasi'],
  TemplateLiteral: ['expressions'],
  ClassDeclaration: ['superClass'],
  ClassExpression: ['superClass'],
};
