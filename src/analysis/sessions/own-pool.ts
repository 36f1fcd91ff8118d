import type { TSESTree } from '@typescript-eslint/utils';
import { driverById, isPropertyName, releasesNamed } from '../../drivers/index.js';
import type { Connections } from '../connections/connections.js';
import type { Connection } from '../model.js';
import { variableOf } from '../values/names.js';
import type { Origins } from '../values/origins.js';
import { endsWithOthers } from './ended-together.js';
import { roundOf } from './pools-in-lists.js';
import { contains, functionAround, is, isMember, memberName, walk } from '../syntax.js';
import { treeOf } from '../../types/index.js';

/**
 * A pool of one connection is a session only while nobody else uses it and its connection is not idle for long: where one function
 * (or script) makes it and ends it, and sends the work under the lock through it, or where idle connections are kept.
 * Proven on a server: a pg pool of one, left idle for 12 s, had dropped its connection and the lock with it.
 */
export class OwnPools {
  constructor(private readonly origins: Origins, private readonly connections: Connections) {}

  /** The connection as it counts for a call: a pool of one of its own is a single session. */
  settle(connection: Connection, call: TSESTree.Node, lockCalls: readonly TSESTree.Node[]): Connection {
    if (connection.kind !== 'pooled' || connection.size !== 1 || connection.pooler || isReset(connection)) return connection;
    const maker = connection.made;
    const unit = maker && unitOf(maker);
    if (!maker || !unit || !this.isEnded(unit, maker)) return connection;
    const isHere = contains(unit, call) && treeOf(unit) === treeOf(call);
    if (isHere && connection.expires && !this.worksThrough(unit, maker, lockCalls)) return connection;
    return { ...connection, kind: 'single', says: `${connection.says} of one connection`, complete: true };
  }

  private isEnded(unit: TSESTree.Node, maker: TSESTree.Node): boolean {
    return this.calls(unit).some((call) => (isMember(call.callee) && this.endsIt(memberName(call.callee)) && this.isEach(call.callee.object, maker)) || endsWithOthers(call, maker, this.origins));
  }

  private endsIt(name: string | undefined): boolean {
    return releasesNamed(name ?? '').some(({ release }) => release.session === 'destroys' && release.on.includes('pooled'));
  }

  private calls(unit: TSESTree.Node): TSESTree.CallExpression[] {
    return [...walk(unit)].filter((node): node is TSESTree.CallExpression => is(node, 'CallExpression'));
  }

  /** Whether a handle is over the pool, or over each of a list that has it. */
  private isEach(handle: TSESTree.Node, maker: TSESTree.Node): boolean {
    return this.isOver(handle, maker) || roundOf(handle, this.origins)?.elements.some((one) => this.isOver(one, maker)) === true;
  }

  private isOver(node: TSESTree.Node, maker: TSESTree.Node): boolean {
    return this.connections.of({ node, frame: undefined }).made === maker;
  }

  /** Whether anything but the lock statements uses the pool: a query, or a function that it is passed to. */
  private worksThrough(unit: TSESTree.Node, maker: TSESTree.Node, lockCalls: readonly TSESTree.Node[]): boolean {
    const isLock = (node: TSESTree.Node): boolean => lockCalls.some((one) => contains(one, node));
    for (const node of walk(unit)) {
      if (!is(node, 'Identifier') || isLock(node) || !variableOf(node)?.references.some((one) => one.identifier === node && one.isRead())) continue;
      const parent = member(node);
      if (parent && isMember(parent) && (this.endsIt(memberName(parent)) || ['on', 'once'].includes(memberName(parent) ?? ''))) continue;
      if (this.isGivenToHandle(node, maker)) continue;
      if (this.isOver(node, maker)) return true;
    }
    return false;
  }

  /** Whether a call makes another handle over the pool of it: `drizzle(pool)`, `drizzle({ client: pool })`. */
  private isGivenToHandle(node: TSESTree.Node, maker: TSESTree.Node): boolean {
    for (let at = node.parent; at && (is(at, 'Property') || is(at, 'ObjectExpression') || is(at, 'CallExpression') || is(at, 'NewExpression')); at = at.parent) {
      if (!is(at, 'Property') && !is(at, 'ObjectExpression') && this.isOver(at, maker)) return true;
    }
    return false;
  }
}

/** Whether the pool resets a connection when a call hands it back: no lock outlives the call. */
export const isReset = ({ kind, driver }: Connection): boolean => kind === 'pooled' && driverById(driver)?.resets === true;

/** Whether a pool has one connection, and keeps it: all that goes through it is on that one, whoever asks. */
export const isKeptByAll = (connection: Connection): boolean => connection.kind === 'pooled' && connection.size === 1 && !connection.expires && !connection.pooler && !isReset(connection);

/** What is asked of a handle, or of the pool that is a property of it: `db.$pool.end`. */
function member(handle: TSESTree.Node): TSESTree.Node | undefined {
  let at = handle.parent;
  while (at && isMember(at) && isPropertyName(memberName(at) ?? '')) at = at.parent;
  return at;
}

/** The function that makes it; the whole file where that is a script, which nothing imports from. */
function unitOf(maker: TSESTree.Node): TSESTree.Node | undefined {
  const around = functionAround(maker);
  if (around) return around;
  const { ast } = treeOf(maker);
  return ast.body.some((one) => /^Export/.test(one.type)) ? undefined : ast;
}

