import type { TSESTree } from '@typescript-eslint/utils';
import { sourceOf, treeOf } from '../../types/index.js';
import type { Makers } from '../values/makers.js';
import type { LockUse } from '../model.js';
import { variableOf } from '../values/names.js';
import { isSessionAcquire } from '../pairs.js';
import type { SessionEnds } from '../sessions/session-end.js';
import { ownerMadeBy, releaseByClosure } from './handed-clients.js';
import { classAround, contains, functionAround, is, isMember, memberName, staticName, walk, type FunctionNode } from '../syntax.js';

/** A lock whose connection one function keeps for another, which gives it back: no code of the file frees it. */
export interface KeptLock {
  readonly acquire: LockUse;
  readonly release: TSESTree.CallExpression;
}

/**
 * Locks on a connection that a private field or a variable of the file keeps, or closures that a function gives back, where nothing that
 * may free them is in the class, the file or the function. Who else may have the connection may free it, unseen.
 */
export function* keptLocks(uses: readonly LockUse[], isFreed: (acquire: LockUse) => boolean, ends: SessionEnds): Generator<KeptLock> {
  for (const acquire of uses) {
    const taker = functionAround(acquire.call.node);
    const { makers, kind } = acquire.call.connection;
    if (!taker || kind !== 'reserved' || !isSessionAcquire(acquire)) continue;
    const keeper = keeperOf(taker, acquire.call.node, makers, ends);
    const seen = keeper?.unit ?? taker;
    if (isFreed(acquire) || [seen, taker].some((one) => /advisory_unlock/i.test(sourceOf(one)))) continue;
    const release = keeper ? releaseElsewhere(keeper.unit, taker, keeper.makers, ends) : releaseByClosure(taker, acquire.call.node, makers, ends);
    if (release) yield { acquire, release };
  }
}

interface Keeper {
  /** The class, or the file. */
  readonly unit: TSESTree.Node;
  /** The connection, by all names that it has there. */
  readonly makers: Makers;
}

/** What sees the place in which a function keeps its connection: the class, or the file. */
function keeperOf(taker: FunctionNode, acquired: TSESTree.Node, makers: Makers, ends: SessionEnds): Keeper | undefined {
  const kept = [...walk(taker.body)].filter((node) => is(node, 'AssignmentExpression') && ends.isOver(node.right, makers)) as TSESTree.AssignmentExpression[];
  const inField = kept.length > 0 && kept.every(({ left }) => isPrivate(left)) ? classAround(taker) : undefined;
  if (inField) return { unit: inField, makers };
  if (kept.length > 0) return kept.every(({ left }) => is(left, 'Identifier') && isOfTheFile(left, taker)) ? { unit: treeOf(taker).ast, makers } : undefined;
  const made = ownerMadeBy(taker, acquired, makers, ends, isPrivate);
  return made && { unit: made.owner, makers: new Set([...makers, { node: made.parameter, call: undefined }]) };
}

function isPrivate(target: TSESTree.Node): boolean {
  if (!isMember(target) || !is(target.object, 'ThisExpression')) return false;
  if (is(target.property, 'PrivateIdentifier')) return true;
  const fields = classAround(target)?.body.body ?? [];
  return fields.some((one) => is(one, 'PropertyDefinition') && one.accessibility === 'private' && is(one.key, 'Identifier') && one.key.name === memberName(target));
}

/** A variable around a function that no other file sees. */
function isOfTheFile(name: TSESTree.Identifier, taker: FunctionNode): boolean {
  const variable = variableOf(name);
  const isExported = variable?.defs.some(({ parent }) => is((parent as TSESTree.Node | null)?.parent, 'ExportNamedDeclaration')) || variable?.references.some(({ identifier }) => /^Export/.test(identifier.parent.type));
  return variable !== undefined && !isExported && variable.identifiers.every((one) => !contains(taker, one));
}

/** The release of the connection in another function, that is not called where the lock was not taken. */
function releaseElsewhere(unit: TSESTree.Node, taker: FunctionNode, makers: Makers, ends: SessionEnds): TSESTree.CallExpression | undefined {
  let found: TSESTree.CallExpression | undefined;
  for (const node of walk(unit)) {
    if (contains(taker, node)) continue;
    if (is(node, 'ReturnStatement') && node.argument && ends.isOver(node.argument, makers)) return undefined;
    if (!is(node, 'CallExpression')) continue;
    const releaser = ends.releaseAt(node, makers) === 'keeps' ? functionAround(node) : undefined;
    if (!releaser && mayFree(node, makers, ends)) return undefined;
    if (!releaser || contains(releaser, taker)) continue;
    const name = nameOf(releaser);
    const isCalledByTaker = name !== undefined && [...walk(taker.body)].some((one) => is(one, 'CallExpression') && nameCalled(one) === name);
    const isEnding = [...walk(releaser.body)].some((one) => isMember(one) && /^(?:end|destroy|close|exit|\$disconnect)$/.test(memberName(one) ?? ''));
    if (!isCalledByTaker && !isEnding) found ??= node;
  }
  return found;
}

/** Whether a call hands the connection on, ends it, or sends something over it that is not a plain text. */
function mayFree(call: TSESTree.CallExpression, makers: Makers, ends: SessionEnds): boolean {
  if (call.arguments.some((one) => ends.isOver(one, makers))) return true;
  const isSent = isMember(call.callee) && ends.isOver(call.callee.object, makers) && !/^(?:on|once|off|removeListener|removeAllListeners)$/.test(memberName(call.callee) ?? '');
  const [text] = call.arguments;
  return isSent && !(is(text, 'Literal') && !/discard|terminate/i.test(String(text.value)));
}

/** Names are compared, so that nothing has to be known of types. */
function nameOf({ parent, ...releaser }: FunctionNode): string | undefined {
  if ('id' in releaser && releaser.id) return releaser.id.name;
  if (is(parent, 'VariableDeclarator')) return is(parent.id, 'Identifier') ? parent.id.name : undefined;
  return is(parent, 'MethodDefinition') || is(parent, 'PropertyDefinition') || is(parent, 'Property') ? staticName(parent.key, parent.computed) : undefined;
}

const nameCalled = ({ callee }: TSESTree.CallExpression): string | undefined => (isMember(callee) ? memberName(callee) : is(callee, 'Identifier') ? callee.name : undefined);
