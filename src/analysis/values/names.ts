import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { variableOf } from '../../types/index.js';
import { is, isFunction, walk, type FunctionNode } from '../syntax.js';

export { variableOf };

/** The expressions that a function may return. */
export function returnedBy(callee: FunctionNode): readonly TSESTree.Expression[] {
  let found = returned.get(callee);
  if (!found) returned.set(callee, found = findReturned(callee));
  return found;
}

const returned = new WeakMap<FunctionNode, readonly TSESTree.Expression[]>();

function findReturned({ body }: FunctionNode): TSESTree.Expression[] {
  if (!is(body, 'BlockStatement')) return [body];
  return walk(body, isFunction).flatMap((node) => (is(node, 'ReturnStatement') ? node.argument ?? [] : []));
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

const values = new WeakMap<Scope.Variable, readonly TSESTree.Node[]>();

/** The expressions that are written to a variable: a pool has a use in every function, and is written once. */
export function valuesOf(variable: Scope.Variable): readonly TSESTree.Node[] {
  let found = values.get(variable);
  if (!found) values.set(variable, found = variable.references.flatMap(({ writeExpr }) => writeExpr ?? []));
  return found;
}
