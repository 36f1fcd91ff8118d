import type { TSESTree } from '@typescript-eslint/utils';
import { treeOf } from '../../types/index.js';
import type { Origins } from '../values/origins.js';
import { contains, is, walk } from '../syntax.js';

/** What a function passes to others of its file: `finish(client, locked)`. */
export function passedOn(body: TSESTree.Node, origins: Origins): TSESTree.Node[] {
  return [...walk(body)].flatMap((call) => {
    const named = is(call, 'CallExpression') ? call.arguments.filter((one) => is(one, 'Identifier', 'MemberExpression')) : [];
    const { callee } = named.length > 0 ? origins.calleeOf(call as TSESTree.CallExpression, undefined) ?? {} : {};
    return callee && callee !== body && treeOf(callee) === treeOf(body) && !contains(callee, body) ? named : [];
  });
}
