import type { TSESTree } from '@typescript-eslint/utils';
import type { LeakedLock } from '../analysis/flow/leaks.js';
import type { LockUse, SqlCall } from '../analysis/model.js';
import type { Source, Types } from '../analysis/regions.js';
import { functionAround, is, isMember, memberName, staticName, uncast, wrapped } from '../analysis/syntax.js';
import { driverById } from '../drivers/index.js';
import { flagFailure } from './failed-flag.js';
import type { Edit, Rewrite } from './model.js';
import { sendingOf } from './target.js';

/** Rewrites that change one place. Each is offered only where its result is known to compile and to mean what it should. */

/** `await` before a lock statement that nothing waits for. */
export function awaitStatement({ call }: LockUse, sourceCode: Source): Rewrite | undefined {
  const around = functionAround(call.node);
  const isModule = sourceCode.scopeManager.isModule();
  if (around ? !around.async : !isModule) return undefined;
  const outer = wrapped(call.node, false);
  const { parent } = outer;
  const isVoid = is(parent, 'UnaryExpression') && parent.operator === 'void';
  const range: [number, number] = isVoid ? [parent.range[0], outer.range[0]] : [outer.range[0], outer.range[0]];
  return { edits: [{ range, text: 'await ' }] };
}

/** `release(true)` in place of `release()`: the session ends, and its locks with it. */
export function destroyOnRelease(leaked: LeakedLock, sourceCode: Source): Rewrite | undefined {
  const at = closableAt(leaked);
  return at && { edits: [givenTo(at, 'true', sourceCode)] };
}

/** The same only where an unlock has failed. */
export function destroyWhereFailed(leaked: LeakedLock, types: Types, sourceCode: Source): Rewrite | undefined {
  const { leak: { kind }, unlockedAt } = leaked;
  const at = closableAt(leaked);
  const flagged = at && kind === 'swallowed' && unlockedAt ? flagFailure(unlockedAt, at, types, sourceCode) : undefined;
  return at && flagged && { edits: [...flagged.edits, givenTo(at, flagged.name, sourceCode)] };
}

function givenTo(call: TSESTree.CallExpression, value: string, sourceCode: Source): Edit {
  const close = sourceCode.getLastToken(call)!;
  return { range: [close.range[0], close.range[0]], text: value };
}

/** The call without arguments that gives a connection back, where an argument would have it closed. */
function closableAt({ leak: { at }, tracked }: LeakedLock): TSESTree.CallExpression | undefined {
  const use = tracked.acquire ?? [...tracked.freedAt.values()][0];
  if (!at || !is(at, 'CallExpression') || at.arguments.length > 0 || !isMember(at.callee) || !use) return undefined;
  const name = memberName(at.callee);
  const closes = (driver: string | undefined): boolean => driverById(driver)?.releases.some((one) => one.name === name && one.session === 'argument') ?? false;
  const { driver, over } = use.call.connection;
  // `drizzle(client)` has another driver than the client that is given back.
  return closes(driver) || (is(uncast(at.callee.object), 'Identifier') && closes(over?.driver)) ? at : undefined;
}

/** The transaction's own handle in place of the root handle inside its callback. */
export function useTransactionHandle({ call }: LockUse): Rewrite | undefined {
  for (let callback = functionAround(call.node); callback; callback = functionAround(callback)) {
    const opened = callback.parent;
    if (!is(opened, 'CallExpression') || !isMember(opened.callee)) continue;
    const reserve = driverById(call.connection.driver)?.reserves.find((one) => (one.completedBy ?? one.name) === memberName(opened.callee as TSESTree.MemberExpression) && one.gives === 'transaction');
    const parameter = reserve?.callbackParameter === undefined ? undefined : callback.params[reserve.callbackParameter];
    if (!is(parameter, 'Identifier')) continue;
    const edit = reserve?.isGiven ? optionTo(call, parameter.name) : { range: call.handle.range, text: parameter.name };
    return edit && { edits: [edit] };
  }
  return undefined;
}

/** `{ transaction }` among the options of a call. */
function optionTo(call: SqlCall, name: string): Edit | undefined {
  const sending = sendingOf(call);
  const callee = is(sending, 'CallExpression') ? uncast(sending.callee) : undefined;
  const run = callee && isMember(callee) ? driverById(call.connection.driver)?.runs.find((one) => one.name === memberName(callee)) : undefined;
  const through = run?.through?.find(({ option }) => option !== undefined);
  if (!is(sending, 'CallExpression') || through?.option === undefined) return undefined;
  const property = through.option === name ? name : `${through.option}: ${name}`;
  const options = sending.arguments[through.argument];
  const last = sending.arguments.at(-1);
  if (!options) return last && sending.arguments.length === through.argument ? { range: [last.range[1], last.range[1]], text: `, { ${property} }` } : undefined;
  const isOpen = !is(options, 'ObjectExpression') || options.properties.length === 0 || options.properties.some((one) => is(one, 'Property') && staticName(one.key, one.computed) === through.option);
  return isOpen ? undefined : { range: [options.range[0], options.range[0] + 1], text: `{ ${property},` };
}

/** Another method that takes the same arguments, where nothing looks at the result. */
export function useOtherMethod({ call }: LockUse, sourceCode: Source): Rewrite | undefined {
  const sending = sendingOf(call);
  const callee = sending && uncast(is(sending, 'CallExpression') ? sending.callee : sending.tag);
  if (!sending || !callee || !isMember(callee) || callee.computed || !call.rejects || !is(wrapped(call.node, true).parent, 'ExpressionStatement')) return undefined;
  const { typeArguments } = sending;
  if (typeArguments && sourceCode.getCommentsInside(typeArguments).length > 0) return undefined;
  // What a type argument says of rows has no place there.
  const after = (typeArguments ?? callee.property).range[1];
  return { edits: [{ range: [callee.property.range[0], after], text: call.rejects.instead }] };
}
