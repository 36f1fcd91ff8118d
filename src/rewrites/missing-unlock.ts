import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import type { FileFacts } from '../analysis/facts.js';
import type { LeakedLock } from '../analysis/flow/leaks.js';
import { unlockFunctionOf } from '../analysis/functions.js';
import type { LockUse, SqlCall } from '../analysis/model.js';
import { type Block, escapesOf, indexIn, isBlock, type Source, type Types, variableOf, variablesIn } from '../analysis/regions.js';
import { contains, functionAround, is, isFunction, isMember, walk } from '../analysis/syntax.js';
import { isCaughtAt, isQuiet, isUnlockable } from './final-unlock.js';
import type { Rewrite } from './model.js';
import { isWaitedFor, Parts } from './parts.js';
import { Placements } from './placement.js';
import { releasesBehind } from './releasing.js';
import { sendingOf } from './target.js';
import type { Line } from './text.js';
import { linesOf } from './text.js';
import { writtenAt } from './written.js';

/** Statements of a block from `first` to `last`. */
interface Work {
  readonly block: Block;
  readonly first: number;
  readonly last: number;
}

/**
 * Writes the unlock of a lock that goes back to the pool with its connection, into a `finally` around the work. `undefined` where
 * the place or the text of it is not known for certain.
 */
export function addUnlock({ tracked: { acquire, takenAt }, leak, isInLoop }: LeakedLock, facts: FileFacts, sourceCode: Source): Rewrite | undefined {
  if (!acquire || acquire.variants || takenAt !== acquire.call.node || !leak.at || isInLoop || !isWaitedFor(acquire) || !functionAround(takenAt)?.async) return undefined;
  const within = functionAround(takenAt)!;
  const work = workBefore(leak.at, acquire, within);
  if (!work || isCaughtAt(work.block, within, [leak.at])) return undefined;
  const statements = work.block.body.slice(work.first, work.last + 1);
  if (statements.length === 0 || !isUnlockable(statements, []) || !statements.every((one) => isKept(acquire.call.handle, one))) return undefined;
  const parts = new Parts({ acquire, unlocks: [], within }, facts, sourceCode);
  const unlock = unlockOf(acquire, parts);
  return unlock && wrap(work, unlock, variablesIn(acquire.call.handle), parts) ? parts.draft.rewrite() : undefined;
}

// ---- the work

/** What runs between a lock and the release of its connection, for certain with the lock. */
function workBefore(release: TSESTree.Node, acquire: LockUse, within: TSESTree.Node): Work | undefined {
  const { node } = acquire.call;
  const block = blockOf(node);
  const from = block && new Placements(acquire, within).behind(block);
  if (!block || from === undefined || !block.body.slice(indexIn(block, node), from).every((one) => isQuiet(one, acquire))) return undefined;
  const own = block.parent;
  if (is(own, 'TryStatement') && own.block === block && own.finalizer && contains(own.finalizer, release)) return { block, first: from, last: block.body.length - 1 };
  const goal = indexIn(block, release);
  const statement = block.body[goal];
  if (is(statement, 'ExpressionStatement') && goal > from) return { block, first: from, last: goal - 1 };
  const isCovered = goal === from && is(statement, 'TryStatement') && statement.finalizer !== null && contains(statement.finalizer, release);
  return isCovered ? { block: statement.block, first: 0, last: statement.block.body.length - 1 } : undefined;
}

/** The block that has a node in a statement of its own. */
function blockOf(node: TSESTree.Node): Block | undefined {
  for (let at = node.parent; at && !isFunction(at); at = at.parent) if (isBlock(at)) return at;
  return undefined;
}

/** Whether a connection is only worked with: whoever else got it might free the lock, or need it. */
function isKept(handle: TSESTree.Node, statement: TSESTree.Node): boolean {
  const own = variablesIn(handle);
  return [...walk(statement)].every((one) => {
    if (!is(one, 'Identifier') || !own.has(variableOf(one)!)) return true;
    return (isMember(one.parent) && one.parent.object === one) || is(one.parent, 'CallExpression') || is(one.parent, 'TaggedTemplateExpression');
  });
}

// ---- the unlock

/** The statements that free what an acquire takes, written as that is. */
function unlockOf(acquire: LockUse, { draft, carrier, reader, sourceCode, types }: Parts): Line[] | undefined {
  const { call } = acquire;
  const written = call.locks.length === 1 && !call.result.isGuess && !call.result.arrayRows && !call.holds ? writtenAt(acquire, sourceCode) : undefined;
  const unlock = unlockFunctionOf(acquire);
  const text = draft.text.of(call.node);
  if (!unlock || !written?.isAlone || text.includes('\n') || !isSteady(call.node, acquire) || !isOfLibrary(call, types)) return undefined;
  const [start] = call.node.range;
  const part = (from: number, to: number): string => text.slice(from - start, to - start);
  const isLower = part(written.literal.range[0], written.name[0]).includes('select');
  const typed = typeArgumentsIn(call.node);
  const type = carrier.rowType(call, ['unlocked'], undefined);
  const [head, middle] = typed ? [part(start, typed.range[0]), part(typed.range[1], written.name[0])] : cutAt(written.name[0], call.node, part);
  const sent = `${head}${type === undefined ? '' : `<${type}>`}${middle}${unlock.name}(${part(...written.args)}) ${isLower ? 'as' : 'AS'} unlocked${part(written.rest[1], call.node.range[1])}`;
  return reader.reading(acquire, linesOf(sent + draft.text.style.end), 'unlocked', carrier.rowsAfter(call, undefined), type !== undefined);
}

/** What a type that a handle is cast to says of its methods, a checker alone knows. */
function isCast(handle: TSESTree.Node): boolean {
  const made = is(handle, 'Identifier') ? variableOf(handle)?.defs[0]?.node : undefined;
  return is(made, 'VariableDeclarator') && is(made.init, 'TSAsExpression');
}

/** Whether a statement is sent by a library's own method of its handle: what another one gives and takes is not known so well. */
function isOfLibrary(call: SqlCall, types: Types | undefined): boolean {
  const callee = is(call.node, 'CallExpression') ? call.node.callee : undefined;
  if (!types?.typeOf(call.node) && callee && isMember(callee) && isCast(callee.object)) return false;
  return sendingOf(call) === call.node && call.through === undefined && !(callee && isMember(callee) && (types?.memberDefinitions(callee).length ?? 0) > 0);
}

const typeArgumentsIn = (node: TSESTree.CallExpression | TSESTree.TaggedTemplateExpression): TSESTree.TSTypeParameterInstantiation | undefined => node.typeArguments;

/** The text of a call before and behind the place of its type argument. */
function cutAt(end: number, node: TSESTree.CallExpression | TSESTree.TaggedTemplateExpression, part: (from: number, to: number) => string): [string, string] {
  const callee = is(node, 'CallExpression') ? node.callee : node.tag;
  return [part(node.range[0], callee.range[1]), part(callee.range[1], end)];
}

/** Whether the values at a call are the same when the work is done: names and members that are written to nowhere behind it, constants. */
export function isSteady(node: TSESTree.Node, { call }: LockUse): boolean {
  const inner = [...walk(node)].filter((one) => one !== node);
  if (inner.some((one) => is(one, 'CallExpression') && !contains(one, call.handle) && one !== call.argument)) return false;
  if (inner.some((one) => is(one, 'AwaitExpression') || is(one, 'AssignmentExpression') || is(one, 'UpdateExpression') || isFunction(one) || is(one, 'NewExpression'))) return false;
  return [...variablesIn(node)].every((variable) => variable.references.every((one) => !one.isWrite() || one.identifier.range[0] < call.node.range[0] && functionAround(one.identifier as TSESTree.Node) === functionAround(call.node)));
}

// ---- the edit

function wrap({ block, first, last }: Work, unlock: readonly Line[], connections: ReadonlySet<Scope.Variable>, { draft, inner, spans, sourceCode }: Parts): boolean {
  const span = spans.in(block, first, last);
  const needed = escapesOf(sourceCode, span);
  if (needed.some(({ outside }) => outside.some((one) => one.range[0] < span[0]))) return false;
  const declarations = inner.hoist(needed);
  if (!declarations) return false;
  inner.awaitReturns(span);
  // The unlock may fail.
  const end = releasesBehind(block, last, connections).length + last;
  const ending = end > last ? inner.tryFinally(unlock, draft.cut(spans.in(block, last + 1, end))) : unlock;
  draft.replace([span[0], spans.in(block, first, end)[1]], [...declarations.before, ...inner.tryFinally(draft.cut(span), ending), ...declarations.behind]);
  return true;
}
