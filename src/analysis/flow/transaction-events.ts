import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { driverById, isRunName, isTransactionName, isTransactionQuestion } from '../../drivers/index.js';
import { objectAt, propertyPlace } from '../statements/bound-values.js';
import type { Connections } from '../connections/connections.js';
import { overlaps, type Makers } from '../values/makers.js';
import { variableOf } from '../values/names.js';
import type { Frame, Place } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { handleOfTag, methodCallAt } from '../statements/method-calls.js';
import { literalText, type SqlTexts, type Text } from '../statements/sql-text.js';
import { callsIn, is, isMember, memberName, uncast, walk, type CallNode } from '../syntax.js';
import type { TxEvent } from './transaction-flow.js';

const BEGINS = /^\s*(?:begin|start\s+transaction)\b(?![^]*\b(?:commit|rollback)\b)/i;
const ENDS = /^\s*(?:commit|end|rollback(?!\s+(?:work\s+|transaction\s+)?to\b)|abort)\b/i;

/** How far a transaction is followed into the functions that begin and end it. */
const MAX_HELPERS = 3;

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

/** Whether the first word of a statement is in the code. */
const isBegunInText = ({ chunks: [first] }: Text): boolean => first?.kind === 'text' && /\S/.test(first.text);

/** Finds what begins and ends transactions on a connection. */
export class TransactionEvents {
  constructor(private readonly origins: Origins, private readonly connections: Connections, private readonly texts: SqlTexts) {}

  in(body: TSESTree.Node, work: ConnectionWork): Map<TSESTree.Node, TxEvent> {
    const events = new Map<TSESTree.Node, TxEvent>();
    const { at, makers, unlocks, carriers } = work;
    const isCarrier = (one: TSESTree.Node): boolean => is(one, 'Identifier') && carriers.has(variableOf(one)!);
    for (const node of walk(body)) {
      if (node === at) events.set(node, 'lock');
      else if (unlocks.has(node)) events.set(node, 'unlock');
      else if (this.isAsking(node, makers)) events.set(node, 'asked');
      else if (is(node, 'CallExpression') || is(node, 'TaggedTemplateExpression')) {
        const event = this.statementAt(node, makers, work.sender) ?? this.helperAt(node, makers);
        if (event) events.set(node, event);
        else if (is(node, 'CallExpression') && node.arguments.some(isCarrier)) events.set(node, 'passed');
      }
    }
    return events;
  }

  /** A function of the user's own that begins or ends a transaction on the connection: one that it is passed, gives back, or shares. */
  private helperAt(node: CallNode, makers: Makers, from?: Frame, depth = 0): TxEvent | undefined {
    const entered = depth < MAX_HELPERS && is(node, 'CallExpression') ? this.origins.calleeOf(node, from) : undefined;
    if (!entered) return undefined;
    const inner = callsIn(entered.callee).map((one) => this.statementAt(one, makers, undefined, entered.frame) ?? this.helperAt(one, makers, entered.frame, depth + 1));
    const begins = inner.includes('begin');
    if (inner.includes('passed') || (begins && inner.includes('end'))) return 'passed';
    return begins ? 'begin' : inner.includes('end') ? 'end' : undefined;
  }

  statementAt(node: CallNode, makers: Makers, sender?: Scope.Variable, frame?: Frame): TxEvent | undefined {
    const target = uncast(is(node, 'CallExpression') ? node.callee : node.tag);
    const event = is(node, 'CallExpression') && isMember(target) ? this.methodAt(target, makers, frame) : undefined;
    if (event) return event;
    const sent = is(node, 'CallExpression') ? methodCallAt(node, frame, this.origins, isRunName) : undefined;
    const handle = sent?.receiver ?? (is(node, 'TaggedTemplateExpression') ? { node: handleOfTag(node), frame } : undefined);
    const first = is(node, 'CallExpression') ? node.arguments[0] : node;
    const argument = sent?.args[0] ?? (first && { node: first, frame });
    const isSent = sender !== undefined && is(target, 'Identifier') && variableOf(target) === sender;
    if (!argument || !(isSent || (handle && overlaps(this.connections.of(handle).makers, makers)))) return undefined;
    const texts = this.textsOf(argument);
    if (texts.some((text) => BEGINS.test(literalText(text)))) return 'begin';
    if (texts.some((text) => ENDS.test(literalText(text)))) return 'end';
    // What is sent, and not read, may begin or end one as well.
    return texts.length > 0 && texts.every(isBegunInText) ? 'sql' : 'passed';
  }

  /** The text, also of `query({ text: 'BEGIN' })`. */
  private textsOf(argument: Place): readonly Text[] {
    const config = objectAt(this.origins, argument);
    const text = config && (propertyPlace(this.origins, config, 'text') ?? propertyPlace(this.origins, config, 'sql'));
    return this.texts.of(text ?? argument);
  }

  /** `SET LOCAL lock_timeout = ...` */
  isSetting(node: TSESTree.CallExpression | TSESTree.TaggedTemplateExpression): boolean {
    const argument = is(node, 'CallExpression') ? node.arguments[0] : node;
    const texts = argument ? this.texts.of({ node: argument, frame: undefined }) : [];
    return texts.length > 0 && texts.every((text) => /^\s*set\b/i.test(literalText(text)));
  }

  /** `runner.startTransaction()`, `runner.commitTransaction()`. */
  methodAt(callee: TSESTree.MemberExpression, makers: Makers, frame?: Frame): TxEvent | undefined {
    const name = memberName(callee) ?? '';
    if (!isTransactionName(name)) return undefined;
    const { makers: own, driver } = this.connections.of({ node: callee.object, frame });
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
