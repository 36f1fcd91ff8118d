import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { type Block, isRelease, variableOf } from '../analysis/regions.js';
import { contains, is, unwrap } from '../analysis/syntax.js';
import { exits } from './placement.js';

/**
 * The statements right behind one of a block that give connections back as nothing else does that may run then: they can go into a
 * `finally`, where they run whatever happens before.
 */
export function releasesBehind(block: Block, last: number, connections: ReadonlySet<Scope.Variable>): TSESTree.Statement[] {
  const found: TSESTree.Statement[] = [];
  for (const statement of block.body.slice(last + 1)) {
    const call = is(statement, 'ExpressionStatement') ? unwrap(statement.expression) : undefined;
    const variable = isRelease(call) && is(call.callee.object, 'Identifier') ? variableOf(call.callee.object) : undefined;
    if (!variable || !connections.has(variable)) break;
    const uses = variable.references.map((one) => one.identifier as TSESTree.Node);
    if (uses.some((one) => isReleased(one) && !contains(statement, one) && !isLeft(one, statement))) break;
    found.push(statement);
  }
  return found;
}

export const isReleased = (handle: TSESTree.Node): boolean => is(handle.parent, 'MemberExpression') && handle.parent.object === handle && isRelease(handle.parent.parent);

/** Whether a branch has a node that leaves before another is reached: `if (!held) { client.release(); return; }` */
export function isLeft(node: TSESTree.Node, before: TSESTree.Node): boolean {
  for (let at: TSESTree.Node | undefined = node.parent; at && !contains(at, before); at = at.parent) if (is(at, 'IfStatement') && contains(at.consequent, node) && exits(at.consequent)) return true;
  return false;
}
