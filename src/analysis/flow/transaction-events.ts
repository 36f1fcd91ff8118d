import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { driverById, isRunName, isTransactionName, isTransactionQuestion } from '../../drivers/index.js';
import type { Connections } from '../connections.js';
import { overlaps, type Makers } from '../makers.js';
import { variableOf } from '../names.js';
import { literalText, type SqlTexts } from '../sql-text.js';
import { is, isMember, memberName, uncast, walk } from '../syntax.js';
import type { TxEvent } from './transaction-flow.js';

const BEGINS = /^\s*(?:begin|start\s+transaction)\b(?![^]*\b(?:commit|rollback)\b)/i;
const ENDS = /^\s*(?:commit|end|rollback(?!\s+(?:work\s+|transaction\s+)?to\b)|abort)\b/i;

/** What a function does on one connection, as far as it is known before its code is looked at. */
export interface ConnectionWork {
  readonly makers: Makers;
  /** The call that takes the lock, or that lends the connection to a callback. */
  readonly at: TSESTree.Node;
  readonly unlocks: ReadonlySet<TSESTree.Node>;
  /** Variables that hold the connection. */
  readonly carriers: ReadonlySet<Scope.Variable>;
  /** A function that is called to send SQL on it: `query('BEGIN')`. */
  readonly sender: Scope.Variable | undefined;
}

/** Finds what begins and ends transactions on a connection. */
export class TransactionEvents {
  constructor(private readonly connections: Connections, private readonly texts: SqlTexts) {}

  in(body: TSESTree.Node, work: ConnectionWork): Map<TSESTree.Node, TxEvent> {
    const events = new Map<TSESTree.Node, TxEvent>();
    const { at, makers, unlocks, carriers } = work;
    const isCarrier = (one: TSESTree.Node): boolean => is(one, 'Identifier') && carriers.has(variableOf(one)!);
    for (const node of walk(body)) {
      if (node === at) events.set(node, 'lock');
      else if (unlocks.has(node)) events.set(node, 'unlock');
      else if (this.isAsking(node, makers)) events.set(node, 'asked');
      else if (is(node, 'CallExpression') || is(node, 'TaggedTemplateExpression')) {
        const event = this.statementAt(node, makers, work.sender);
        if (event) events.set(node, event);
        else if (is(node, 'CallExpression') && node.arguments.some(isCarrier)) events.set(node, 'passed');
      }
    }
    return events;
  }

  statementAt(node: TSESTree.CallExpression | TSESTree.TaggedTemplateExpression, makers: Makers, sender?: Scope.Variable): TxEvent | undefined {
    const target = uncast(is(node, 'CallExpression') ? node.callee : node.tag);
    const event = is(node, 'CallExpression') && isMember(target) ? this.methodAt(target, makers) : undefined;
    if (event) return event;
    const argument = is(node, 'CallExpression') ? node.arguments[0] : node;
    const name = isMember(target) ? memberName(target) ?? '' : '';
    const handle = isMember(target) && isRunName(name) ? target.object : is(node, 'TaggedTemplateExpression') ? node.tag : undefined;
    const isSent = sender !== undefined && is(target, 'Identifier') && variableOf(target) === sender;
    if (!argument || !(isSent || (handle && overlaps(this.connections.of({ node: handle, frame: undefined }).makers, makers)))) return undefined;
    const texts = this.texts.of({ node: argument, frame: undefined });
    if (texts.some((text) => BEGINS.test(literalText(text)))) return 'begin';
    return texts.some((text) => ENDS.test(literalText(text))) ? 'end' : 'sql';
  }

  /** `SET LOCAL lock_timeout = ...` */
  isSetting(node: TSESTree.CallExpression | TSESTree.TaggedTemplateExpression): boolean {
    const argument = is(node, 'CallExpression') ? node.arguments[0] : node;
    const texts = argument ? this.texts.of({ node: argument, frame: undefined }) : [];
    return texts.length > 0 && texts.every((text) => /^\s*set\b/i.test(literalText(text)));
  }

  /** `runner.startTransaction()`, `runner.commitTransaction()`. */
  methodAt(callee: TSESTree.MemberExpression, makers: Makers): TxEvent | undefined {
    const name = memberName(callee) ?? '';
    if (!isTransactionName(name)) return undefined;
    const { makers: own, driver } = this.connections.of({ node: callee.object, frame: undefined });
    const members = driverById(driver)?.transactions;
    if (!members || !overlaps(own, makers)) return undefined;
    return members.begins.includes(name) ? 'begin' : members.ends.includes(name) ? 'end' : undefined;
  }

  /** `runner.isTransactionActive`, `em.isInTransaction()` */
  private isAsking(node: TSESTree.Node, makers: Makers): boolean {
    const member = is(node, 'CallExpression') ? uncast(node.callee) : node;
    if (!isMember(member) || (is(node.parent, 'CallExpression') && node.parent.callee === node)) return false;
    const name = memberName(member) ?? '';
    if (!isTransactionQuestion(name)) return false;
    const own = this.connections.of({ node: member.object, frame: undefined });
    return overlaps(own.makers, makers) && (driverById(own.driver)?.transactions?.asks?.includes(name) ?? false);
  }
}
