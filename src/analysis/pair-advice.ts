import type { TSESTree } from '@typescript-eslint/utils';
import { driverById } from '../drivers/index.js';
import { treeOf } from '../types/index.js';
import { adviceFor } from './advice.js';
import type { FileFacts } from './facts.js';
import type { LockUse } from './model.js';
import { lineOf } from './wording.js';
import { contains, functionAround, is, staticName, type FunctionNode } from './syntax.js';

/** How to keep one connection for a lock: where its unlock is in another function, both have to get it, or become one. */
export function adviceForLock(acquire: LockUse, facts: FileFacts): string {
  const advice = adviceFor(acquire, facts);
  const apart = functionsApart(acquire, facts);
  if (!apart) return advice;
  const { connection } = acquire.call;
  const canKeep = [connection.driver, connection.over?.driver].some((one) => driverById(one)?.reserves.some(({ gives }) => gives === 'reserved'));
  const other = !canKeep ? '' : apart.isOfObject ? '; or keep one such connection in the object for both' : '; or pass one such connection to both';
  return `make one function of ${apart.names} that is given the work, and in it ${advice}${other}`;
}

/** The functions of a lock and its unlock, in words, where they stand side by side: "`lock` and `unlock` (line 12)". */
function functionsApart(acquire: LockUse, { pairs }: FileFacts): { readonly names: string; readonly isOfObject: boolean } | undefined {
  const own = functionAround(acquire.call.node);
  const [first, ...more] = pairs.unlocksOf(acquire);
  if (!own || !first) return undefined;
  const others = [first, ...more].map((one) => (treeOf(one.call.node) === treeOf(acquire.call.node) ? functionAround(one.call.node) : undefined));
  const isBeside = others.every((one) => one !== undefined && !contains(own, one) && !contains(one, own));
  const [mine, theirs] = [nameOf(own), others[0] && nameOf(others[0])];
  if (!isBeside || mine === undefined || theirs === undefined || mine === theirs) return undefined;
  return { names: `\`${mine}\` and \`${theirs}\` (${lineOf(first)})`, isOfObject: is(own.parent, 'MethodDefinition', 'PropertyDefinition') };
}

function nameOf(node: FunctionNode): string | undefined {
  if ('id' in node && node.id) return node.id.name;
  const holder: TSESTree.Node = node.parent;
  if (is(holder, 'VariableDeclarator')) return is(holder.id, 'Identifier') ? holder.id.name : undefined;
  return is(holder, 'MethodDefinition', 'PropertyDefinition', 'Property') ? staticName(holder.key, holder.computed) : undefined;
}
