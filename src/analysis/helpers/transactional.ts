import type { TSESTree } from '@typescript-eslint/utils';
import { sourceOf } from '../../types/index.js';
import { variableOf } from '../values/names.js';
import { contains, is, isMember, walk, type FunctionNode } from '../syntax.js';

const WORDS = /\b(?:begin|commit|rollback)\b|transaction/i;

/** What is no code that runs: the type of a parameter, of a variable, or of a call's argument. */
const TYPE = /^TS(?!AsExpression|NonNullExpression|SatisfiesExpression|TypeAssertion)/;

/**
 * Whether the code of a function may begin or end a transaction. A parameter `transaction?: Knex.Transaction` that it sends to does neither,
 * nor does `options.transaction`.
 */
export function mayRunTransaction(callee: FunctionNode): boolean {
  if (!WORDS.test(sourceOf(callee))) return false;
  return walk(callee.body, (one) => TYPE.test(one.type)).some((one) => {
    if (is(one, 'Literal')) return WORDS.test(one.raw);
    if (is(one, 'TemplateElement')) return WORDS.test(one.value.raw);
    return is(one, 'Identifier', 'PrivateIdentifier') && WORDS.test(one.name) && !isPassed(one, callee);
  });
}

/** A parameter, a property that is asked of one, or what such a property is called. */
function isPassed(name: TSESTree.Node & { readonly parent: TSESTree.Node }, callee: FunctionNode): boolean {
  const { parent } = name;
  if (isMember(parent) && parent.property === name && !parent.computed) return isParameter(parent.object, callee) && !(is(parent.parent, 'CallExpression') && parent.parent.callee === parent);
  const variable = is(name, 'Identifier') ? variableOf(name) : undefined;
  const pattern = variable?.identifiers[0]?.parent.parent;
  const taken = is(pattern, 'ObjectPattern') && is(pattern.parent, 'VariableDeclarator') ? pattern.parent.init : undefined;
  return taken ? isParameter(taken, callee) : isParameter(name, callee);
}

function isParameter(node: TSESTree.Node, callee: FunctionNode): boolean {
  const variable = is(node, 'Identifier') ? variableOf(node) : undefined;
  return variable !== undefined && variable.identifiers.length > 0 && variable.identifiers.every((one) => callee.params.some((param) => contains(param, one)));
}
