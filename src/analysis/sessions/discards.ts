import type { TSESTree } from '@typescript-eslint/utils';
import { isRunName } from '../../drivers/index.js';
import { readSql } from '../../sql/index.js';
import { objectAt, propertyPlace } from '../statements/bound-values.js';
import type { Connections } from '../connections/connections.js';
import { overlaps, type Makers } from '../values/makers.js';
import type { Origins } from '../values/origins.js';
import { literalText, SqlTexts, toSqlText } from '../statements/sql-text.js';
import { is, isMember, memberName, uncast, type CallNode } from '../syntax.js';

/** Statements that free all that a session holds: `DISCARD ALL`, https://www.postgresql.org/docs/current/sql-discard.html */
export class Discards {
  private readonly texts: SqlTexts;
  /** What a call sends has nothing to do with who asks. */
  private readonly known = new WeakMap<TSESTree.Node, boolean>();

  constructor(private readonly origins: Origins, private readonly connections: Connections) {
    this.texts = new SqlTexts(origins);
  }

  /** Whether a call sends one on a connection. */
  at(node: CallNode, makers: Makers): boolean {
    const handle = handleOf(node);
    return handle !== undefined && this.isSent(node) && overlaps(this.connections.of({ node: handle, frame: undefined }).makers, makers);
  }

  private isSent(node: CallNode): boolean {
    let known = this.known.get(node);
    if (known === undefined) this.known.set(node, known = this.isDiscarding(node));
    return known;
  }

  private isDiscarding(node: CallNode): boolean {
    const argument = is(node, 'CallExpression') ? node.arguments[0] : node;
    if (!argument) return false;
    const config = objectAt(this.origins, { node: argument, frame: undefined });
    const text = config && (propertyPlace(this.origins, config, 'text') ?? propertyPlace(this.origins, config, 'sql'));
    const texts = this.texts.of(text ?? { node: argument, frame: undefined });
    return texts.length > 0 && texts.every((one) => /\bdiscard\b/i.test(literalText(one)) && readSql(toSqlText(one)).statements.some(({ discardsAll }) => discardsAll));
  }
}

function handleOf(node: CallNode): TSESTree.Node | undefined {
  const target = uncast(is(node, 'CallExpression') ? node.callee : node.tag);
  if (isMember(target) && isRunName(memberName(target) ?? '')) return target.object;
  return is(node, 'TaggedTemplateExpression') ? target : undefined;
}
