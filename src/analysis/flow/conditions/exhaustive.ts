import type { TSESTree } from '@typescript-eslint/utils';
import type { TypeFacts, Types } from '../../../types/index.js';
import { is, uncast } from '../../syntax.js';

/**
 * Whether a `switch` has a `case` for each value that the type of what it asks allows. Without types, one that asks for several values
 * is taken to ask for all.
 */
export function isExhaustive({ discriminant, cases }: TSESTree.SwitchStatement, types: Types): boolean {
  const facts = types.declaredType(uncast(discriminant));
  if (!facts || facts.isAny) return !types.isTyped && cases.length > 1;
  const asked = new Set(cases.map(({ test }) => (test ? valueOf(test, types) : undefined)));
  return !facts.nullable && facts.alternatives.length > 0 && facts.alternatives.every(({ literal }) => literal !== undefined && asked.has(literal));
}

function valueOf(test: TSESTree.Node, types: Types): TypeFacts['literal'] {
  const node = uncast(test);
  if (!is(node, 'Literal')) return types.typeOf(node)?.literal;
  const { value } = node;
  return typeof value === 'object' ? undefined : value;
}
