import type { TSESTree } from '@typescript-eslint/utils';
import { isPinned } from '../analysis/connections/sessions.js';
import type { LockUse } from '../analysis/model.js';
import { isRelease, variableOf, type Block } from '../analysis/regions.js';
import { contains, is, unwrap } from '../analysis/syntax.js';

/** Statements of a block that only reserve connections for moved uses, and give them back. */
export function leftoversOf(moved: readonly LockUse[], block: Block): Set<TSESTree.Statement> {
  return new Set(moved.flatMap(({ call }) => (is(call.handle, 'Identifier') && isPinned(call.connection) ? leftoversOfName(call.handle, moved, block) : [])));
}

function leftoversOfName(handle: TSESTree.Identifier, moved: readonly LockUse[], block: Block): TSESTree.Statement[] {
  const variable = variableOf(handle);
  const declarator = variable?.defs[0]?.node as TSESTree.Node | undefined;
  if (!variable || !is(declarator, 'VariableDeclarator') || !is(declarator.init, 'AwaitExpression') || declarator.parent.declarations.length > 1) return [];
  const found = new Set<TSESTree.Statement>([declarator.parent]);
  for (const { identifier } of variable.references) {
    const at = identifier as TSESTree.Node;
    if (contains(declarator, at) || moved.some(({ call }) => contains(call.handle, at))) continue;
    const statement = block.body.find((one) => contains(one, at));
    const call = is(statement, 'ExpressionStatement') ? unwrap(statement.expression) : undefined;
    // Any other use needs the connection.
    if (!statement || !isRelease(call) || call.callee.object !== at) return [];
    found.add(statement);
  }
  return block.body.includes(declarator.parent) ? [...found] : [];
}
