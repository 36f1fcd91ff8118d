import type { TSESTree } from '@typescript-eslint/utils';
import { frameOf } from './frames.js';
import { variableOf } from './names.js';
import { nothing } from './left-out.js';
import type { Frame, Origin, Place, Step } from './origin.js';
import type { Origins } from './origins.js';
import { is, isMember, memberName, unwrap, type FunctionNode } from '../syntax.js';

/** Arguments that a function collects, and spreads on or takes apart: `(...args) => pool.query(...args)`. */

/** The arguments of a call, where what an entered function has collected and spreads on stands as it was given. */
export function argumentsAt(args: readonly TSESTree.Node[], frame: Frame | undefined): Place[] {
  return args.flatMap((node) => (is(node, 'SpreadElement') ? restAt({ node: node.argument, frame }) : undefined) ?? [{ node, frame }]);
}

/** The arguments that a rest parameter of an entered function collects; `undefined` for anything else, and where they may have been changed. */
export function restAt({ node, frame }: Place): Place[] | undefined {
  const variable = is(node, 'Identifier') ? variableOf(node) : undefined;
  const [def] = variable?.defs ?? [];
  const rest = def?.type === 'Parameter' as never ? (def.name as TSESTree.Node).parent : undefined;
  const callee = def?.node as FunctionNode;
  const isOne = is(rest, 'RestElement') && callee.params.includes(rest) && variable!.references.every((one) => !one.isWrite() && isOnlyRead(one.identifier));
  return isOne ? collectedBy(callee, frame) : undefined;
}

/** The arguments that the rest parameter of an entered function collects, which is its last. */
export function collectedBy(callee: FunctionNode, frame: Frame | undefined): Place[] | undefined {
  const own = frameOf(callee, frame);
  return own && argumentsAt(own.args, own.caller).slice(callee.params.length - 1);
}

const CHANGES = new Set(['push', 'pop', 'shift', 'unshift', 'splice', 'reverse', 'sort', 'fill', 'copyWithin']);

function isOnlyRead(list: TSESTree.Node): boolean {
  const member = list.parent;
  if (!member || !isMember(member) || member.object !== list) return !is(member, 'AssignmentExpression') || member.left !== list;
  const isTarget = is(member.parent, 'AssignmentExpression') && member.parent.left === member;
  return !isTarget && !CHANGES.has(memberName(member) ?? '');
}

/** A part of collected arguments, of which nothing is known together. */
export function elementOf(collected: readonly Place[] | undefined, [index, ...path]: readonly Step[], use: TSESTree.Node, origins: Origins): readonly Origin[] {
  const given = typeof index === 'number' ? collected?.slice(0, index + 1) : undefined;
  if (!given || given.some((one) => is(one.node, 'SpreadElement'))) return [{ kind: 'unknown', node: use }];
  const place = given[index as number];
  return place ? origins.project(origins.of(place), path, place.frame, use) : [nothing];
}

/** A part of an expression, also of collected arguments: `args[0]`, `const [text] = args`. */
export function partAt({ node, frame }: Place, path: readonly Step[], use: TSESTree.Node, origins: Origins): readonly Origin[] {
  const collected = typeof path[0] === 'number' ? restAt({ node: unwrap(node), frame }) : undefined;
  return collected ? elementOf(collected, path, use, origins) : origins.project(origins.of({ node, frame }), path, frame, use);
}
