import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../analysis/facts.js';
import { shortSource } from '../analysis/quoting.js';
import { isPinned } from '../analysis/connections/sessions.js';
import { placeOfLeak } from '../analysis/flow/leaks.js';
import { keyText } from '../analysis/keys/text.js';
import type { LockUse } from '../analysis/model.js';
import { isAcquire, isUnlock, sharesConnection } from '../analysis/pairs.js';
import { treeOf } from '../analysis/regions.js';
import { contains, functionAround, is, isFunction, isMember, memberName } from '../analysis/syntax.js';
import { disagreementOf, evidenceOf, senderOf } from '../analysis/wording.js';
import type { Collected, ConnectionWord, Guard, PassedKey, Place, Position, Span } from './model.js';
import { functionName } from './function-name.js';
import { passedKeys } from './passed-keys.js';

/** The lock statements of one file as data, from the facts that the rules judge. Nothing of the tree is kept. */
export function collect(facts: FileFacts, nameOf: (file: string) => string): Collected[] {
  return [
    // What a function of another file sends is among the statements of that file.
    ...facts.uses.filter(({ call }) => !call.isElsewhere).map((use) => ({
      statement: statementOf(use, facts, nameOf), held: heldOf(use, facts), reportedAt: reportedAt(use, facts), sentAt: sentAt(use, facts), branches: branchesOf(use.call.node),
      passedAt: passedAt(use, facts, nameOf), isWaitedFor: facts.floatingOf(use) === undefined, isJudgedAtCalls: facts.isJudgedAtCalls(use),
    })),
    ...facts.unsure.map((use) => ({ statement: unsureOf(use, facts, nameOf), held: undefined, reportedAt: [], sentAt: [], branches: [], passedAt: [], isWaitedFor: false, isJudgedAtCalls: false })),
  ];
}

function statementOf(use: LockUse, facts: FileFacts, nameOf: (file: string) => string): Collected['statement'] {
  const { lock, call, key, loc } = use;
  const paired = isUnlock(use) ? facts.pairs.of(use)?.acquire ?? (facts.isWithinOneStatement(use) ? call.locks.find(isAcquire) : undefined) : undefined;
  const acquire = paired?.call.isElsewhere ? undefined : paired;
  return {
    ...placeOf(use, nameOf), column: loc.start.column + 1,
    function: lock.function.name, level: lock.function.level, mode: lock.function.mode, operation: lock.function.operation, key, passed: [...new Set(passedKeys(use, facts).map((one) => keyText(one.key)))],
    handle: shortSource(call.handle), connection: wordFor(call.connection.kind),
    evidence: call.connection.kind === 'unknown' ? disagreementOf(use) ?? `it is not in view what ${evidenceOf(call.connection)} is` : evidenceOf(call.connection),
    unlockedBy: isAcquire(use) ? unlocksOf(use, facts).map((one) => placeOf(one, nameOf)) : [],
    unlocks: acquire && placeOf(acquire, nameOf),
    callers: callersOf(use, facts, nameOf),
    guard: isAcquire(use) ? guardOf(use, facts) : undefined,
  };
}

/** The calls of the function around a statement; of one without a name, those of the function around that. */
function callersOf({ call: { node } }: LockUse, facts: FileFacts, nameOf: (file: string) => string): Place[] {
  for (let at: TSESTree.Node = node, owner = functionAround(at); owner; at = owner, owner = functionAround(at)) {
    const calls = facts.callsOfFunctionAround(at);
    if (calls.length > 0) return calls.map((one) => ({ file: nameOf(treeOf(one).fileName), line: one.loc.start.line, within: functionName(one) }));
  }
  return [];
}

function passedAt(use: LockUse, facts: FileFacts, nameOf: (file: string) => string): PassedKey[] {
  return passedKeys(use, facts).map(({ call, key }) => {
    const { start } = call.loc;
    return { key, call: spanOf(call), place: { file: nameOf(treeOf(call).fileName), line: start.line, column: start.column + 1, within: functionName(call) } };
  });
}

/** A statement of which it is not known whether it is sent: nothing is known of what it does. */
function unsureOf(use: LockUse, facts: FileFacts, nameOf: (file: string) => string): Collected['statement'] {
  const { sender } = senderOf(use, facts.types);
  return { ...statementOf(use, facts, nameOf), evidence: `it is not in view whether ${sender} sends it`, unlockedBy: [], unlocks: undefined, guard: isAcquire(use) ? 'unknown' : undefined };
}

/** Places beside the statement itself where something is reported of it: where the connection is given back with the lock. */
function reportedAt(use: LockUse, { held, uses }: FileFacts): Position[] {
  const own = held.leaked.filter(({ tracked, unlock }) => (tracked.acquire ?? unlock) === use).map((leaked): Position => {
    const { start } = placeOfLeak(leaked);
    return { line: start.line, column: start.column + 1 };
  });
  return own.filter((place) => !uses.some(({ loc: { start } }) => start.line === place.line && start.column + 1 === place.column));
}

const wordFor = (kind: LockUse['call']['connection']['kind']): ConnectionWord => (kind === 'reserved' ? 'pinned' : kind);

const placeOf = ({ call, loc }: LockUse, nameOf: (file: string) => string): Place =>
  ({ file: nameOf(treeOf(call.node).fileName), line: loc.start.line, within: functionName(call.node) });

/** The unlocks of this file that belong to an acquire (those of others are found when all files have been seen); of one call that takes and frees, its own; of two ways to take one lock, that of the other. */
function unlocksOf(use: LockUse, facts: FileFacts): readonly LockUse[] {
  const paired = facts.pairs.unlocksOf(use).filter(({ call }) => !call.isElsewhere);
  if (paired.length > 0 || use.lock.function.level !== 'session') return paired;
  if (facts.isWithinOneStatement(use)) return use.call.locks.filter(isUnlock);
  return facts.uses.filter((one) => isUnlock(one) && !one.call.isElsewhere && facts.pairs.fits(use, one) && !facts.pairs.isMismatched(one)
    && outermost(one.call.node) === outermost(use.call.node) && sharesConnection(use.call.connection, one.call.connection));
}

function guardOf(use: LockUse, facts: FileFacts): Guard {
  // The work does not wait for it, or it is never sent.
  if (facts.floatingOf(use)) return 'nothing';
  if (use.lock.function.level === 'transaction') return facts.transactions.isInside(use) ? 'transaction' : facts.transactions.outsideOf(use) ? 'nothing' : use.call.statements.some((one) => one.doesWork) ? 'statement' : 'unknown';
  if (facts.isWithinOneStatement(use)) return 'statement';
  const unlocks = unlocksOf(use, facts).filter((one) => facts.floatingOf(one) !== 'neverSent');
  const own = unlocks.filter((one) => outermost(one.call.node) === outermost(use.call.node) && functionName(one.call.node) === functionName(use.call.node));
  if (!facts.held.isLeftOnSomePath(use) && own.some((one) => isInFinally(one.call.node, use.call.node))) return 'finally';
  if (own.length > 0) return isFreedOnEveryPath(use, own, facts) ? 'every path' : 'unlock only';
  if (unlocks.length > 0) return 'another function';
  return facts.isDestroyedAfter(use) ? 'session' : 'nothing';
}

/** The flow has followed it, and found no path that leaves it held. */
function isFreedOnEveryPath(use: LockUse, unlocks: readonly LockUse[], facts: FileFacts): boolean {
  return isPinned(use.call.connection) && !use.call.takesCallback && unlocks.every((one) => sharesConnection(use.call.connection, one.call.connection))
    && facts.held.isFreedOnEveryPath(use);
}

function outermost(node: TSESTree.Node): TSESTree.Node {
  let found: TSESTree.Node = treeOf(node).ast;
  for (let at = functionAround(node); at; at = functionAround(at)) found = at;
  return found;
}

/** In the `finally` of a `try` that the lock is before or in, or in a callback of `.finally()`. */
function isInFinally(unlock: TSESTree.Node, acquire: TSESTree.Node): boolean {
  for (let at: TSESTree.Node = unlock, parent = at.parent; parent; at = parent, parent = at.parent) {
    if (is(parent, 'TryStatement') && parent.finalizer === at && !contains(at, acquire)) return true;
    if (isFunction(at) && is(parent, 'CallExpression') && isMember(parent.callee) && memberName(parent.callee) === 'finally') return true;
  }
  return false;
}

const spanOf = (node: TSESTree.Node): Span => ({ file: treeOf(node).fileName, start: node.range[0], end: node.range[1] });

/** From the lock to the last unlock of the same function that belongs to it; without one, to the end of the function. */
function heldOf(use: LockUse, facts: FileFacts): Span | undefined {
  if (!isAcquire(use) || facts.isWithinOneStatement(use)) return undefined;
  const owner = functionAround(use.call.node) ?? treeOf(use.call.node).ast;
  const ends = unlocksOf(use, facts).filter((one) => contains(owner, one.call.node) && one.call.node.range[0] > use.call.node.range[0]).map((one) => one.call.node.range[0]);
  return { file: treeOf(use.call.node).fileName, start: use.call.node.range[1], end: ends.length > 0 ? Math.max(...ends) : owner.range[1] };
}

const MAX_CALLS = 200;

/** The call that sends it, and the calls in view of the function around that, and so on outwards. */
function sentAt(use: LockUse, facts: FileFacts): Span[] {
  const seen = new Set<TSESTree.Node>([use.call.node]);
  for (const node of seen) {
    if (seen.size >= MAX_CALLS) break;
    for (const call of facts.callsOfFunctionAround(node)) seen.add(call);
  }
  return [...seen].map(spanOf);
}

function branchesOf(node: TSESTree.Node): string[] {
  const found: string[] = [];
  for (let at = node, parent = at.parent; parent; at = parent, parent = at.parent) {
    if ((is(parent, 'IfStatement') || is(parent, 'ConditionalExpression')) && at !== parent.test) found.push(`${parent.range[0]} ${at === parent.consequent ? 'then' : 'else'}`);
  }
  return found;
}
