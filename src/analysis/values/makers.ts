import type { TSESTree } from '@typescript-eslint/utils';
import { treeOf } from '../../types/index.js';

/**
 * What makes a connection: an expression, and the call of the function around it that asked for it, where it is seen from there. One
 * expression in a helper makes as many connections as there are calls; seen from within, it may be any of them.
 */
export interface Maker {
  readonly node: TSESTree.Node;
  readonly call: TSESTree.Node | undefined;
}

export type Makers = ReadonlySet<Maker>;

export const noMakers: Makers = new Set();

export const makersOf = (node: TSESTree.Node, call?: TSESTree.Node): Makers => new Set([{ node, call }]);

const isSame = (one: Maker, other: Maker): boolean => one.node === other.node && (one.call === other.call || !one.call || !other.call);

/** Whether two sets may have one connection in common, as far as they tell. */
export function overlaps(one: Makers, other: Makers): boolean {
  for (const mine of one) for (const theirs of other) if (isSame(mine, theirs)) return true;
  return false;
}

export const hasNode = (makers: Makers, node: TSESTree.Node | undefined): boolean => node !== undefined && [...makers].some((one) => one.node === node);

/** The places at which connections are asked for, as the linted code sees them. */
export const placesOf = (makers: Makers): TSESTree.Node[] => [...makers].map((one) => one.call ?? one.node);

/** The same text for a node that is the same one. */
export const idOf = (node: TSESTree.Node): string => `${treeOf(node).fileName}:${node.type}:${node.range.join('-')}`;

/** The same text for makers that are the same ones. */
export const idOfMakers = (makers: Makers): string => [...makers].map(({ node, call }) => `${idOf(node)}<${call ? idOf(call) : ''}`).sort().join();
