import type { TSESTree } from '@typescript-eslint/utils';
import { is, uncast } from '../../syntax.js';
import { knownOf, type Known } from './known.js';

/** How many there are in a list is followed up to two. */
export const MAX_LENGTH = 2;
const MAX_DEPTH = 12;

/** What is put into a place, and the conditions that choose it apart: `ok ? 'held' : 'lost'`. */
export interface Part {
  readonly place: string;
  readonly value: TSESTree.Node | undefined;
  readonly known?: Known;
}

/** The alternatives that a value is chosen from. */
export function branchesOf(value: TSESTree.Node | undefined, depth = 0): (TSESTree.Node | undefined)[] {
  const node = value && uncast(value);
  if (!is(node, 'ConditionalExpression') || depth > MAX_DEPTH) return [node];
  return [...branchesOf(node.consequent, depth + 1), ...branchesOf(node.alternate, depth + 1)];
}

/** `state = { lock: { held: false } }` writes `state.lock.held` too, `list = []` writes `list.length`. */
export function partsOf(place: string, value: TSESTree.Node | undefined, whole: TSESTree.Node | undefined, depth = 0): Part[] {
  const own: Part = { place, value: whole };
  const node = value && uncast(value);
  if (depth > 3) return [own];
  if (is(node, 'ArrayExpression')) {
    const isCounted = !node.elements.some((one) => is(one, 'SpreadElement'));
    const length: Part[] = isCounted ? [{ place: `${place}.length`, value: undefined, known: node.elements.length >= MAX_LENGTH ? '+' : knownOf(node.elements.length) }] : [];
    return [own, ...length, ...(isCounted ? node.elements.flatMap((one, index) => (one ? partsOf(`${place}.${index}`, one, one, depth + 1) : [])) : [])];
  }
  if (is(node, 'NewExpression') && node.arguments.length === 0) return [own, { place: `${place}.length`, value: undefined, known: knownOf(0) }];
  if (!is(node, 'ObjectExpression')) return [own];
  return [own, ...node.properties.flatMap((one) => (is(one, 'Property') && !one.computed && is(one.key, 'Identifier') ? partsOf(`${place}.${one.key.name}`, one.value, one.value, depth + 1) : []))];
}
