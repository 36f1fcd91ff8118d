import type { TSESTree } from '@typescript-eslint/utils';
import { objectMember } from '../values/members.js';
import { variableOf } from '../values/names.js';
import { isNullish, type Frame, type Origin } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { contains, is, walk } from '../syntax.js';

const MAX_VARIABLES = 4;

/** The template behind a property of what a tag of the user's own gives, where that is made of the template's texts: `.text` of `{ text: strings.join('?'), values }`. */
export function templateOfPart(origin: Origin, origins: Origins): { readonly quasi: TSESTree.TemplateLiteral; readonly frame: Frame | undefined } | undefined {
  const made = origin.kind === 'member' && origin.object.kind === 'value' ? origin.object : undefined;
  if (origin.kind !== 'member' || !made || !is(made.node, 'TaggedTemplateExpression')) return undefined;
  const entered = origins.calleeOf(made.node, made.frame);
  const strings = entered?.callee.params[0];
  if (!entered || !is(strings, 'Identifier')) return undefined;
  const [given, ...more] = origins.returnsOf(entered.callee, entered.frame).filter((one) => !isNullish(one));
  const value = more.length === 0 && given?.kind === 'value' && is(given.node, 'ObjectExpression') ? objectMember(given.node, String(origin.name))?.value : undefined;
  return value && isMadeOf(value, strings, entered.callee) ? { quasi: made.node.quasi, frame: made.frame } : undefined;
}

/** Whether an expression has a parameter in it, or a variable of the same function that is made of it. */
function isMadeOf(value: TSESTree.Node, parameter: TSESTree.Identifier, callee: TSESTree.Node, depth = 0): boolean {
  const sought = variableOf(parameter);
  return [...walk(value)].some((node) => {
    const variable = is(node, 'Identifier') ? variableOf(node) : undefined;
    if (!variable || variable === sought || depth > MAX_VARIABLES) return variable !== undefined && variable === sought;
    return variable.references.some(({ identifier, writeExpr }) => writeExpr !== undefined && writeExpr !== null && contains(callee, identifier) && !contains(writeExpr, value) && isMadeOf(writeExpr, parameter, callee, depth + 1));
  });
}
