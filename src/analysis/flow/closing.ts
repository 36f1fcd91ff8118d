import type { TSESTree } from '@typescript-eslint/utils';
import { sourceOf } from '../../types/index.js';
import type { Makers } from '../values/makers.js';
import { variableOf } from '../values/names.js';
import type { SessionEnds } from '../sessions/session-end.js';
import { contains, is, isMember, uncast, walk, type FunctionNode } from '../syntax.js';
import { constantTruth } from './conditions/constants.js';
import { Interpreter } from './engine/interpreter.js';
import { isProcessExit } from '../sessions/process-end.js';
import type { State } from './engine/outcome.js';
import { PlainTransfer } from './engine/plain.js';
import { canThrow } from './call-kinds.js';
import type { Effect } from './engine/transfer.js';

/** What has become of a session: `kept` goes on in its pool. */
interface Session extends State {
  readonly key: 'open' | 'ended' | 'kept';
}

const [OPEN, ENDED, KEPT]: readonly [Session, Session, Session] = [{ key: 'open' }, { key: 'ended' }, { key: 'kept' }];

/** Follows a function for what it does to the session of one connection. */
export class ClosingFlow extends PlainTransfer<Session> {
  constructor(private readonly callee: FunctionNode, private readonly makers: Makers, private readonly ends: SessionEnds, private readonly depth: number) {
    super();
  }

  /** Whether it comes back, and has ended the session, or given it back as it is, whenever it does. */
  outcome(): 'ended' | 'kept' | undefined {
    try {
      const { normal, returned } = new Interpreter<Session>(this).run(this.callee, OPEN);
      const [first, ...after] = [...normal.values(), ...returned.values()];
      return first && first.key !== 'open' && after.every(({ key }) => key === first.key) ? first.key : undefined;
    } catch (error) {
      if (error instanceof RangeError) return undefined; // nested too deep to be followed
      throw error;
    }
  }

  effect(node: TSESTree.Node, state: Session): Effect<Session> | undefined {
    const said = is(node, 'CallExpression', 'TaggedTemplateExpression') ? this.ends.doneAt(node, this.makers, this.depth) : undefined;
    if (said && state.key === 'open') return said === 'destroys' ? { normal: [ENDED], thrown: [ENDED] } : { normal: [KEPT], thrown: [] };
    if (is(node, 'CallExpression') && isProcessExit(node)) return { normal: [], thrown: [] };
    return canThrow(node) ? { normal: [state], thrown: [state] } : undefined;
  }

  rejects(): boolean {
    return true;
  }

  override present(_node: TSESTree.Node, by: '?.' | '??'): true | undefined {
    return by === '?.' ? true : undefined; // a session that holds a lock is there
  }

  override test(node: TSESTree.Node, { key }: Session): boolean | undefined {
    if (key !== 'open') return undefined;
    const condition = uncast(node);
    if (is(condition, 'BinaryExpression')) return this.isThere(condition);
    return this.isConnection(condition) || this.notSetYet(condition);
  }

  /** `this.client !== null` */
  private isThere({ left, operator, right }: TSESTree.BinaryExpression): boolean | undefined {
    const isNullish = (one: TSESTree.Node): boolean => (is(one, 'Literal') && one.value === null) || (is(one, 'Identifier') && one.name === 'undefined');
    const isAsked = (isNullish(right) && this.isConnection(left)) || (isNullish(left) && this.isConnection(right));
    return isAsked && /^[!=]==?$/.test(operator) ? operator.startsWith('!') : undefined;
  }

  private isConnection(node: TSESTree.Node): true | undefined {
    return is(node, 'Identifier', 'MemberExpression') && this.ends.isOver(node, this.makers) ? true : undefined;
  }

  /** `if (this.closed) return; this.closed = true`: what the function itself notes down, it asks for whether it has run before. */
  private notSetYet(place: TSESTree.Node): boolean | undefined {
    const isOutside = isMember(place) || (is(place, 'Identifier') && variableOf(place)?.identifiers.every((one) => !contains(this.callee, one)));
    if (!isOutside) return undefined;
    const text = sourceOf(place);
    const set = [...walk(this.callee.body)].flatMap((one) => (is(one, 'AssignmentExpression') && sourceOf(one.left) === text ? [constantTruth(one.right)] : []));
    const [truth] = set;
    return truth === undefined || set.some((one) => one !== truth) ? undefined : !truth;
  }
}
