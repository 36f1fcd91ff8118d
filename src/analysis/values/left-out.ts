import type { TSESTree } from '@typescript-eslint/utils';
import { isWrittenTo } from './members.js';
import { variableOf } from './names.js';
import { UNDEFINED, type Origin } from './origin.js';
import { is, isMember } from '../syntax.js';

/** What a caller has not given. */

export const isUndefined = (origin: Origin): boolean => origin.kind === 'value' && is(origin.node, 'Identifier') && origin.node.name === 'undefined';

export const nothing: Origin = { kind: 'value', node: UNDEFINED, frame: undefined };

/**
 * Whether a property that options do not have is `undefined` where it is asked of them: a call writes them down, or they stand for
 * those that it leaves out, and nobody puts anything into them.
 */
export function isLeftOut(options: TSESTree.ObjectExpression, use: TSESTree.Node): boolean {
  const { parent } = options;
  const isGiven = (is(parent, 'AssignmentPattern') && parent.right === options) || (is(parent, 'CallExpression') && parent.callee !== options);
  if (!isGiven || !options.properties.every((one) => is(one, 'Property') && !one.computed)) return false;
  // A parameter that is taken apart where it stands.
  if (is(use, 'Identifier')) return true;
  const holder = isMember(use) ? use.object : is(use, 'VariableDeclarator') ? use.init : undefined;
  const variable = is(holder, 'Identifier') ? variableOf(holder) : undefined;
  return variable?.defs[0]?.type === 'Parameter' as never && variable.references.every(({ identifier }) => isOnlyAsked(identifier));
}

/** `options.tx`, `const { tx } = options`, `{ ...options }`: whatever else is done with them may put something into them. */
function isOnlyAsked(identifier: TSESTree.Node): boolean {
  const { parent } = identifier;
  if (parent && isMember(parent)) return parent.object === identifier && !isWrittenTo(parent) && !(is(parent.parent, 'CallExpression') && parent.parent.callee === parent);
  return is(parent, 'SpreadElement') || is(parent, 'AssignmentPattern') || (is(parent, 'VariableDeclarator') && is(parent.id, 'ObjectPattern'));
}
