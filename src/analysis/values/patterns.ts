import type { TSESTree } from '@typescript-eslint/utils';
import type { Step } from './origin.js';
import { contains, is, staticName } from '../syntax.js';

/** `{ a: [x] }` to `x` is `['a', 0]`. A rest element, or a name that is only known at run time, ends the path in an unknown part. */
export function pathTo(pattern: TSESTree.Node, name: TSESTree.Node): Step[] {
  if (pattern === name || !contains(pattern, name)) return [];
  switch (pattern.type as string) {
    case 'AssignmentPattern':
      return pathTo((pattern as TSESTree.AssignmentPattern).left, name);
    case 'TSParameterProperty':
      return pathTo((pattern as TSESTree.TSParameterProperty).parameter, name);
    case 'ObjectPattern':
      for (const property of (pattern as TSESTree.ObjectPattern).properties) {
        if (!contains(property, name)) continue;
        if (is(property, 'RestElement')) return ['...'];
        const { key, computed, value } = property as TSESTree.Property;
        return [staticName(key, computed) ?? '?', ...(key === name && (property as TSESTree.Property).shorthand ? [] : pathTo(value, name))];
      }
      return [];
    case 'ArrayPattern': {
      const { elements } = pattern as TSESTree.ArrayPattern;
      const index = elements.findIndex((one) => one && contains(one, name));
      const element = elements[index];
      if (!element) return [];
      return is(element, 'RestElement') ? ['...'] : [index, ...pathTo(element, name)];
    }
    default:
      return [];
  }
}
