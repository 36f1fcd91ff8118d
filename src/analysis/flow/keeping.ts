import type { TSESTree } from '@typescript-eslint/utils';
import { returnedBy, variableOf } from '../values/names.js';
import { contains, is, isFunction, isMember, memberName, uncast, type Body } from '../syntax.js';
import { constantTruth } from './conditions/constants.js';
import type { LockState } from './lock-state.js';
import { isAsked } from './conditions/remembered.js';
import type { Truths } from './conditions/truths.js';

/** How a function tells others that it keeps a lock, on a connection that outlives it. */
export class Keeping {
  private readonly saysFalse: boolean;

  constructor(private readonly body: Body, private readonly outlives: boolean, private readonly truths: Truths) {
    this.saysFalse = !is(body, 'Program') && returnedBy(body).some((one) => constantTruth(one) === false);
  }

  /** `return true` where another way returns false, `this.leading = true`. */
  isTold(node: TSESTree.Node, state: LockState): boolean {
    if (!this.outlives || state.held !== 'held' || state.handedOn) return false;
    if (is(node, 'ReturnStatement')) return this.saysFalse && node.argument !== null && this.truths.truthOf(node.argument, state) === true;
    if (is(node, 'CallExpression')) return isCounting(node);
    if (is(node, 'UpdateExpression')) return node.operator === '++' && this.isAskedOutside(node.argument);
    if (!is(node, 'AssignmentExpression') || !(this.isAskedOutside(node.left) || (isMember(node.left) && is(uncast(node.left.object), 'ThisExpression')))) return false;
    return this.truths.truthOf(node.right, state) === true && !isFunction(node.right);
  }

  /** A variable that outlives the function, and that some condition asks. */
  private isAskedOutside(target: TSESTree.Node): boolean {
    const variable = is(target, 'Identifier') ? variableOf(target) : undefined;
    return variable !== undefined && variable.identifiers.every((one) => !contains(this.body, one)) && variable.references.some(({ identifier }) => isAsked(identifier));
  }
}

/** `this.counts.set(key, count + 1)`: how often it is held. */
const isCounting = ({ callee, arguments: [, count] }: TSESTree.CallExpression): boolean =>
  isMember(callee) && memberName(callee) === 'set' && isMember(callee.object) && is(callee.object.object, 'ThisExpression') && is(count, 'BinaryExpression') && count.operator === '+';
