import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { treeOf } from '../types/index.js';
import { is, isFunction, walk, type FunctionNode } from './syntax.js';

/** What a name in scope stands for; `undefined` for a global that no file declares. */
export function variableOf(node: TSESTree.Identifier): Scope.Variable | undefined {
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

/** The expressions that a function may return. */
export function returnedBy(callee: FunctionNode): TSESTree.Expression[] {
  if (!is(callee.body, 'BlockStatement')) return [callee.body];
  const found: TSESTree.Expression[] = [];
  for (const node of walk(callee.body, isFunction)) {
    if (is(node, 'ReturnStatement') && node.argument) found.push(node.argument);
  }
  return found;
}

/** The function of the same file that a name stands for. */
export function functionOf(name: TSESTree.Identifier): FunctionNode | undefined {
  const definition = variableOf(name)?.defs[0]?.node as TSESTree.Node | undefined;
  const made = is(definition, 'VariableDeclarator') ? definition.init : definition;
  return isFunction(made) ? made : undefined;
}

/** The module of `import ... from 'm'` and of `import m = require('m')`. */
export function importedModule(specifier: TSESTree.Node): string | undefined {
  if (is(specifier, 'TSImportEqualsDeclaration')) {
    const { moduleReference } = specifier;
    return is(moduleReference, 'TSExternalModuleReference') && is(moduleReference.expression, 'Literal') ? moduleReference.expression.value : undefined;
  }
  return is(specifier.parent, 'ImportDeclaration') ? specifier.parent.source.value : undefined;
}
