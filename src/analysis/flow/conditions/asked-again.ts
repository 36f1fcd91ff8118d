import type { TSESTree } from '@typescript-eslint/utils';
import { is, isMember, uncast, walk } from '../../syntax.js';
import type { Known } from './known.js';
import { withFlag, type LockState } from '../lock-state.js';
import { identityOf } from './remembered.js';
import type { Steady } from './steady.js';
import { canThrow } from '../call-kinds.js';

const MAX_ASKED = 6;
const ASKING = /^(?:If|While|DoWhile|For)Statement$|^ConditionalExpression$/;

/**
 * Conditions that a function asks again and that may have changed by then: `signal.aborted`, `isStopped()`. Only until something else
 * runs are they known to be what they were; with `isUnchanged`, for as long as nothing writes them.
 */
export class AskedAgain {
  private readonly texts: ReadonlySet<string>;

  constructor(body: TSESTree.Node, isRemembered: (node: TSESTree.Node) => boolean, isSteady: Steady, private readonly isUnchanged: boolean) {
    const seen = new Set<string>();
    const again = new Set<string>();
    for (const node of walk(body)) {
      const test = ASKING.test(node.type) ? (node as TSESTree.IfStatement).test as TSESTree.Expression | null : null;
      for (const operand of test ? operandsOf(test) : []) {
        const asked = isRemembered(operand) || isSteady(operand) ? undefined : textOf(operand);
        if (asked !== undefined && seen.has(asked) && again.size < MAX_ASKED) again.add(asked);
        if (asked !== undefined) seen.add(asked);
      }
    }
    this.texts = again;
  }

  get isEmpty(): boolean {
    return this.texts.size === 0;
  }

  known(node: TSESTree.Node, state: LockState): Known | undefined {
    return this.isEmpty || state.flags.size === 0 ? undefined : state.flags.get(textOf(node) ?? '');
  }

  assume(node: TSESTree.Node, outcome: boolean, state: LockState): LockState {
    const asked = this.isEmpty ? undefined : textOf(node);
    return asked !== undefined && this.texts.has(asked) ? withFlag(state, asked, outcome ? '+' : '-') : state;
  }

  /** What is still known once a node has run. */
  after(node: TSESTree.Node, state: LockState): LockState {
    if (this.isEmpty || state.flags.size === 0) return state;
    const written = is(node, 'AssignmentExpression') ? node.left : is(node, 'UpdateExpression') ? node.argument : is(node, 'VariableDeclarator') ? node.id : undefined;
    if (this.isUnchanged) return written ? withFlag(state, textOf(written) ?? '', undefined) : state;
    return written ?? canThrow(node) ? [...this.texts].reduce((one, asked) => withFlag(one, asked, undefined), state) : state;
  }
}

/** The conditions that a test is put together from. */
function operandsOf(test: TSESTree.Node): TSESTree.Node[] {
  const parts: TSESTree.Node[] = [];
  for (const queue = [test]; queue.length > 0;) {
    const node = uncast(queue.pop()!);
    if (is(node, 'UnaryExpression') && node.operator === '!') queue.push(node.argument);
    else if (is(node, 'LogicalExpression')) queue.push(node.right, node.left);
    else parts.push(node);
  }
  return parts;
}

/** The same text for the same question: a name, a property, or a call of one without arguments. */
function textOf(node: TSESTree.Node): string | undefined {
  const at = uncast(node);
  const asked = is(at, 'CallExpression') && at.arguments.length === 0 ? at.callee : at;
  return isPath(asked) ? `now ${identityOf(at)}` : undefined;
}

function isPath(node: TSESTree.Node): boolean {
  const at = uncast(node);
  return is(at, 'ThisExpression') || is(at, 'Identifier') || (isMember(at) && !at.computed && isPath(at.object));
}
