import type { TSESTree } from '@typescript-eslint/utils';
import { isRunName } from '../../drivers/index.js';
import { readSql } from '../../sql/index.js';
import { objectAt, propertyPlace } from '../statements/bound-values.js';
import type { Connections } from '../connections/connections.js';
import { overlaps, type Makers } from '../values/makers.js';
import type { Origins } from '../values/origins.js';
import { handleOfTag, methodCallAt, type MethodCall } from '../statements/method-calls.js';
import { literalText, SqlTexts, toSqlText } from '../statements/sql-text.js';
import { is, type CallNode } from '../syntax.js';

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
    const handle = this.sentBy(node)?.receiver;
    return handle !== undefined && this.isSent(node) && overlaps(this.connections.of(handle).makers, makers);
  }

  private isSent(node: CallNode): boolean {
    let known = this.known.get(node);
    if (known === undefined) this.known.set(node, known = this.isDiscarding(node));
    return known;
  }

  private isDiscarding(node: CallNode): boolean {
    const argument = this.sentBy(node)?.args[0];
    if (!argument) return false;
    const config = objectAt(this.origins, argument);
    const text = config && (propertyPlace(this.origins, config, 'text') ?? propertyPlace(this.origins, config, 'sql'));
    const texts = this.texts.of(text ?? argument);
    return texts.length > 0 && texts.every((one) => /\bdiscard\b/i.test(literalText(one)) && readSql(toSqlText(one)).statements.some(({ discardsAll }) => discardsAll));
  }

  private sentBy(node: CallNode): Pick<MethodCall, 'receiver' | 'args'> | undefined {
    if (is(node, 'CallExpression')) return methodCallAt(node, undefined, this.origins, isRunName);
    return { receiver: { node: handleOfTag(node), frame: undefined }, args: [{ node, frame: undefined }] };
  }
}
