import type { TSESTree } from '@typescript-eslint/utils';
import { isNullish, type Frame } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { is, uncast, type FunctionNode } from '../syntax.js';

/**
 * Whether a call inside a function may run when the function is entered by a frame: not on the branch of a handle that the caller has
 * left out, nor on the one for callers without a handle where there is one (`client ? client.query(text) : pool.query(text)`).
 */
export function mayRun(call: TSESTree.Node, callee: FunctionNode, frame: Frame, origins: Origins): boolean {
  for (let at = call; at !== callee && at.parent; at = at.parent) {
    const { parent } = at;
    if (is(parent, 'IfStatement') || is(parent, 'ConditionalExpression')) {
      if (at === parent.consequent && isGiven(parent.test, frame, origins) === false) return false;
      if (at === parent.alternate && isGiven(parent.test, frame, origins) === true) return false;
    } else if (is(parent, 'BlockStatement')) {
      const before = parent.body.slice(0, parent.body.indexOf(at as TSESTree.Statement));
      if (before.some((one) => is(one, 'IfStatement') && !one.alternate && returns(one.consequent) && isGiven(one.test, frame, origins) === true)) return false;
    }
  }
  return true;
}

/** Whether a condition asks for something that was passed, and it was, or was not; `undefined` where that cannot be told. */
function isGiven(test: TSESTree.Node, frame: Frame, origins: Origins): boolean | undefined {
  const node = uncast(test);
  if (is(node, 'UnaryExpression') && node.operator === '!') {
    const given = isGiven(node.argument, frame, origins);
    return given === undefined ? undefined : !given;
  }
  if (is(node, 'BinaryExpression') && /^[!=]==?$/.test(node.operator) && isNothing(node.right)) {
    const given = isGiven(node.left, frame, origins);
    return given === undefined ? undefined : given === node.operator.startsWith('!');
  }
  if (!is(node, 'Identifier') && !is(node, 'MemberExpression')) return undefined;
  const found = origins.of({ node, frame });
  if (found.length > 0 && found.every(isNullish)) return false;
  // What was passed is there where its own type says so; the parameter's says that it may be left out.
  const isThere = found.length > 0 && found.every((one) => one.kind === 'value' && !isNullish(one) && isObject(one.node, origins));
  return isThere ? true : undefined;
}

const isNothing = (node: TSESTree.Node): boolean => (is(node, 'Literal') && node.value === null) || (is(node, 'Identifier') && node.name === 'undefined');

function isObject(node: TSESTree.Node, origins: Origins): boolean {
  if (is(node, 'NewExpression') || is(node, 'ObjectExpression')) return true;
  const facts = origins.types.typeOf(node)?.awaited();
  return facts !== undefined && !facts.isAny && !facts.nullable && facts.alternatives.every((one) => one.literal === undefined && one.names.length > 0);
}

function returns(statement: TSESTree.Statement): boolean {
  const last = is(statement, 'BlockStatement') ? statement.body.at(-1) : statement;
  return is(last, 'ReturnStatement') || is(last, 'ThrowStatement');
}
