import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { ancestor, contains, functionAround, is } from '../syntax.js';

/** One write of a variable. */
export interface Write {
  /** What is written; `undefined` where that is no expression (the element of a `for ... of`). */
  readonly value: TSESTree.Expression | undefined;
  /** The pattern that is written to. */
  readonly target: TSESTree.Node;
  /** The name inside the pattern. */
  readonly node: TSESTree.Node;
}

/**
 * The writes of a variable that may be the last before a use. Exact enough to tell a connection from the next one in the same
 * variable: a write that surely runs before the use takes the place of all before it. Writes in other functions always count.
 */
export function reachingWrites(variable: Scope.Variable, use: TSESTree.Node): Write[] {
  const writes = variable.references.filter((one) => one.isWrite());
  const home = functionAround(use);
  const isDeclaration = variable.identifiers.includes(use as TSESTree.Identifier);
  // Asked of the declaration (from another file), or of a variable that outlives the call: any write may be the last.
  const outlives = variable.identifiers.every((one) => functionAround(one) !== home);
  const local = writes.filter((one) => functionAround(one.identifier) === home);
  const foreign = writes.filter((one) => functionAround(one.identifier) !== home);
  const isBefore = (one: Scope.Reference): boolean => !isDeclaration && one.identifier.range[0] < use.range[0] && !isInitializerOf(one, use);
  const sure = local.filter((one) => isBefore(one) && surelyPrecedes(one.identifier, use)).at(-1);
  const reaching = local.filter((one) => {
    if (one === sure) return true;
    if (isDeclaration || (outlives && !sure)) return true;
    if (isBefore(one)) return !sure || one.identifier.range[0] > sure.identifier.range[0];
    return inSameLoop(one.identifier, use) && (!sure || !inSameLoop(sure.identifier, use));
  });
  return [...reaching, ...foreign].map(toWrite);
}

const isInitializerOf = (reference: Scope.Reference, use: TSESTree.Node): boolean => {
  const value = reference.writeExpr;
  return !!value && contains(value, use);
};

/** Whether the statement of a write stands in a block around the use, so that it runs whenever the use does. */
function surelyPrecedes(write: TSESTree.Node, use: TSESTree.Node): boolean {
  const conditional = ancestor(write, (node) => CONDITIONAL.has(node.type) || STATEMENT.test(node.type));
  if (!conditional || CONDITIONAL.has(conditional.type)) return false;
  const block = conditional.parent;
  return block !== undefined && contains(block, use) && (is(block, 'BlockStatement') || is(block, 'Program') || is(block, 'SwitchCase') || is(block, 'ExportNamedDeclaration'));
}

const CONDITIONAL = new Set<string>(['LogicalExpression', 'ConditionalExpression']);
const STATEMENT = /(?:Statement|Declaration)$/;
const LOOP = /^(?:For|While|DoWhile)\w*Statement$/;

function inSameLoop(one: TSESTree.Node, other: TSESTree.Node): boolean {
  for (let at = one.parent; at; at = at.parent) if (LOOP.test(at.type) && contains(at, other)) return true;
  return false;
}

function toWrite(reference: Scope.Reference): Write {
  const node = reference.identifier as TSESTree.Node;
  const value = reference.writeExpr as TSESTree.Expression | null | undefined;
  const holder = ancestor(node, (one) => is(one, 'VariableDeclarator') || is(one, 'AssignmentExpression') || /^For(?:Of|In)Statement$/.test(one.type) || is(one, 'AssignmentPattern'));
  switch (holder?.type as string | undefined) {
    case 'VariableDeclarator': {
      const { id, init, parent } = holder as TSESTree.VariableDeclarator;
      const isLoop = /^For(?:Of|In)Statement$/.test(parent.parent.type);
      return { value: isLoop || !init ? undefined : init, target: id, node };
    }
    case 'AssignmentExpression': {
      const { left, right, operator } = holder as TSESTree.AssignmentExpression;
      return { value: operator === '=' || operator === '??=' || operator === '||=' ? right : undefined, target: left, node };
    }
    case 'AssignmentPattern': {
      // A default inside a pattern is a write of its own; the pattern's value is another.
      const isDefault = value === (holder as TSESTree.AssignmentPattern).right;
      if (isDefault) return { value, target: node, node };
      const outer = ancestor(holder!, (one) => is(one, 'VariableDeclarator') || is(one, 'AssignmentExpression'));
      if (is(outer, 'VariableDeclarator')) return { value: (outer).init ?? undefined, target: (outer).id, node };
      if (outer) return { value: (outer as TSESTree.AssignmentExpression).right, target: (outer as TSESTree.AssignmentExpression).left, node };
      return { value: undefined, target: node, node };
    }
    default:
      return { value: undefined, target: node, node };
  }
}
