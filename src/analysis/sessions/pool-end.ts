import type { TSESTree } from '@typescript-eslint/utils';
import { releasesNamed } from '../../drivers/index.js';
import { treeOf } from '../../types/index.js';
import type { Connections } from '../connections/connections.js';
import { isPinned } from '../connections/sessions.js';
import { placesOf, type Makers } from '../values/makers.js';
import type { Origins } from '../values/origins.js';
import { endsWithOthers } from './ended-together.js';
import { roundOf } from './pools-in-lists.js';
import { contains, functionAround, is, isFunction, isMember, memberName, uncast, unwrap, walk } from '../syntax.js';

/** What a function does to a pool that it has made itself. */
export interface OwnPool {
  /** What ends it, and all its connections: calls, also in functions inside, and loops over a list of pools. */
  readonly ends: ReadonlySet<TSESTree.Node>;
  /** Other calls that use it: what is given back to it may be given out again there. */
  readonly uses: ReadonlySet<TSESTree.Node>;
}

/** Pools that the function ends which has made them, so that nobody gets a connection that has come back. */
export class PoolEnds {
  constructor(private readonly origins: Origins, private readonly connections: Connections) {}

  /** The pool that a function makes, ends, and takes a connection from; `undefined` where others may have it, or it is not ended. */
  ofFunction(body: TSESTree.Node, makers: Makers): OwnPool | undefined {
    const made = this.madeIn(body, makers);
    if (!made) return undefined;
    const ends = new Set<TSESTree.Node>();
    const uses = new Set<TSESTree.Node>();
    for (const node of walk(body)) if (is(node, 'CallExpression')) for (const end of this.endsAt(node, made)) ends.add(end);
    for (const node of walk(body, isFunction)) {
      if ((!is(node, 'CallExpression') && !is(node, 'TaggedTemplateExpression')) || ends.has(node)) continue;
      const callee = uncast(is(node, 'CallExpression') ? node.callee : node.tag);
      const receiver = isMember(callee) ? callee.object : callee;
      if ([receiver, ...(is(node, 'CallExpression') ? node.arguments : [])].some((one) => is(one, 'Identifier', 'MemberExpression') && this.isPool(one, made))) uses.add(node);
    }
    return ends.size > 0 ? { ends, uses } : undefined;
  }

  /** What ends the pool by a call: the call itself, and the round in which it ends each of a list. */
  private endsAt(call: TSESTree.CallExpression, made: TSESTree.Node): TSESTree.Node[] {
    if (endsWithOthers(call, made, this.origins)) return [call];
    const callee = uncast(call.callee);
    if (!isMember(callee) || !endsPool(memberName(callee) ?? '')) return [];
    if (this.isPool(callee.object, made)) return [call];
    const round = roundOf(callee.object, this.origins);
    return round?.elements.some((one) => this.isPool(one, made)) ? [round.node, call] : [];
  }

  /** Whether a statement ends the pool, or calls a function in view that does. */
  isEndedIn(statement: TSESTree.Node, { ends }: OwnPool): boolean {
    return walk(statement, isFunction).some((node) => {
      if (ends.has(node)) return true;
      const callee = is(node, 'CallExpression') ? this.origins.calleeOf(node, undefined)?.callee : undefined;
      return callee !== undefined && walk(callee.body, isFunction).some((one) => ends.has(one));
    });
  }

  private madeIn(body: TSESTree.Node, makers: Makers): TSESTree.Node | undefined {
    const all = placesOf(makers).map((place) => (treeOf(place) === treeOf(body) && contains(body, place) ? this.poolBehind(place) : undefined));
    const [made] = all;
    const isOwn = made !== undefined && all.every((one) => one === made) && treeOf(made) === treeOf(body) && contains(body, made) && (functionAround(made) ?? treeOf(made).ast) === body;
    return isOwn ? made : undefined;
  }

  /** `pool` of `pool.connect()`, `knex` of `knex.client.acquireConnection()`. */
  private poolBehind(place: TSESTree.Node): TSESTree.Node | undefined {
    let at = unwrap(place);
    while (is(at, 'CallExpression') || isMember(at)) {
      // `pgp(url).connect()`
      if (is(at, 'CallExpression') && this.connections.of({ node: at, frame: undefined }).made === at) return at;
      if (isMember(at) && at.computed) return this.connections.of({ node: at, frame: undefined }).made;
      at = unwrap(isMember(at) ? at.object : at.callee);
    }
    return is(at, 'Identifier') ? this.connections.of({ node: at, frame: undefined }).made : undefined;
  }

  private isPool(node: TSESTree.Node, made: TSESTree.Node): boolean {
    const connection = this.connections.of({ node, frame: undefined });
    return connection.made === made && !isPinned(connection);
  }
}

const endsPool = (name: string): boolean => releasesNamed(name).some(({ release: { session, on } }) => session === 'destroys' && on.includes('pooled'));
