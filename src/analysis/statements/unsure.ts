import type { TSESTree } from '@typescript-eslint/utils';
import { driverById } from '../../drivers/index.js';
import { argumentsAt } from '../values/collected.js';
import { valuesOf } from './bound-values.js';
import type { Calls } from './calls.js';
import type { Connections } from '../connections/connections.js';
import type { SqlCall } from '../model.js';
import type { Frame } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { mentionsLock, type SqlTexts, type Text } from './sql-text.js';
import { callsIn, is, isFunction, isMember, isWaitedFor, memberName, unwrap, walk, type CallNode } from '../syntax.js';

/**
 * Calls that are waited for and given a lock statement, but of which it is not known whether they send it: no rule judges them as
 * statements. What is in view, what a library is known to do, and what only writes, tests or compares are none of them.
 */
export class Unsure {
  constructor(private readonly origins: Origins, private readonly connections: Connections, private readonly texts: SqlTexts, private readonly calls: Calls) {}

  /** `known`: the calls of which it is known that they send one. */
  in(root: TSESTree.Node, known: readonly SqlCall[]): SqlCall[] {
    const sent = new Set<TSESTree.Node>(known.map(({ node }) => node));
    const isSent = (one: TSESTree.Node): boolean => sent.has(one);
    return [...walk(root, isSent)].flatMap((node) => (is(node, 'CallExpression', 'TaggedTemplateExpression') && !isSent(node) && isWaitedFor(node) ? this.at(node) ?? [] : []));
  }

  private at(node: CallNode): SqlCall | undefined {
    const given = this.given({ node, frame: undefined });
    const argument = given?.argument;
    if (!given || !argument || !this.mayBeSent({ node, frame: undefined }, given, 0)) return undefined;
    const handle = handleOf(node);
    const values = is(node, 'CallExpression') ? valuesOf(this.origins, argumentsAt(node.arguments, undefined), { argument: node.arguments.indexOf(argument as TSESTree.CallExpressionArgument) + 1 }) : undefined;
    return this.calls.read(node, { handle, sent: { node, frame: undefined }, run: { result: { rows: undefined, counts: [] } }, texts: given.texts, values, arrayRows: false, argument }, this.connections.unknown(handle.node), undefined);
  }

  /** The lock statement that a call gets. */
  private given({ node, frame }: Sent): Given | undefined {
    const isCall = is(node, 'CallExpression');
    for (const argument of isCall ? node.arguments.filter(mayBeText) : [node.quasi]) {
      const texts = this.texts.of({ node: isCall ? argument : node, frame }).filter(mentionsLock);
      if (texts.length > 0) return { argument, texts };
    }
    return undefined;
  }

  /** Whether a call goes to something that is not in view, or to a function of the user's own that has such a call for the text. */
  private mayBeSent(sent: Sent, given: Given | undefined, depth: number): boolean {
    const { node, frame } = sent;
    const callee = calleeOf(node);
    const name = isMember(callee) ? memberName(callee) : is(callee, 'Identifier') ? callee.name : undefined;
    const facts = this.origins.types.typeOf(node);
    if (!given || name === undefined || NO_SENDER.test(name) || (facts && !facts.isAny && !facts.isAwaitable)) return false;
    const entered = this.origins.calleeOf(node, frame);
    if (entered) return depth < MAX_DEPTH && callsIn(entered.callee).some((inner) => isWaitedFor(inner) && this.mayBeSent({ node: inner, frame: entered.frame }, this.given({ node: inner, frame: entered.frame }), depth + 1));
    const { kind, driver } = this.connections.of({ node: handleOf(node).node, frame });
    const isOpen = driverById(driver)?.hasOtherRuns ?? (kind === 'unknown' && driver === undefined);
    return isOpen && !this.isElsewhere(callee, frame);
  }

  /** Whether what is called is a method that is in view, or a part of Node.js. */
  private isElsewhere(callee: TSESTree.Node, frame: Frame | undefined): boolean {
    if (isMember(callee) && this.origins.types.memberDefinitions(callee).some((one) => isFunction((one.parent as Partial<TSESTree.MethodDefinition> | undefined)?.value))) return true;
    const places = isMember(callee) ? [callee, callee.object] : [callee];
    return places.some((one) => this.origins.of({ node: one, frame }).some((origin) => origin.kind === 'import' && OF_NODE.test(origin.module)));
  }
}

interface Sent {
  readonly node: CallNode;
  readonly frame: Frame | undefined;
}

interface Given {
  readonly argument: TSESTree.Node;
  readonly texts: readonly Text[];
}

/** Modules of Node.js. */
const OF_NODE = /^(?:node:|(?:fs|path|util|stream|child_process|timers)(?:\/|$))/;

/** How many functions of the user's own a text is followed through. */
const MAX_DEPTH = 3;

const calleeOf = (node: CallNode): TSESTree.Node => unwrap(is(node, 'CallExpression') ? node.callee : node.tag);

function handleOf(node: CallNode): { node: TSESTree.Node; frame: undefined } {
  const callee = calleeOf(node);
  return { node: isMember(callee) ? callee.object : callee, frame: undefined };
}

/** Names of what gets texts for other ends: logs, tests, streams, waits. */
const NO_SENDER = /^(?:log|trace|debug|info|warn|error|print|write|end|send(?:Mail|Message)|expect|assert|equal|it|test|describe|then|catch|finally|all|resolve|format|includes|match|replace|split)/i;

/** The text may stand there, or behind the name that does. */
function mayBeText(node: TSESTree.Node): boolean {
  const at = unwrap(node);
  if (is(at, 'Literal')) return typeof at.value === 'string' && /advisory/i.test(at.value);
  return is(at, 'TemplateLiteral', 'Identifier', 'MemberExpression', 'TaggedTemplateExpression', 'BinaryExpression', 'ObjectExpression');
}
