import type { TSESTree } from '@typescript-eslint/utils';
import type { SourceCode } from '@typescript-eslint/utils/ts-eslint';
import { currentHouse, keyOf, type House } from '../drivers/index.js';
import { safely } from '../safely.js';
import { needOf as needOfTypes, ownTypes, Source, treeOf, typesFor, wordsOf, type Types, type Words } from '../types/index.js';
import { answerOf, isExpectedFalse, type AnswerQuestion } from './answers/answers.js';
import { Callers } from './values/callers.js';
import { Calls } from './statements/calls.js';
import { Connections } from './connections/connections.js';
import { Openers } from './connections/openers.js';
import { PassedApart } from './connections/passed-apart.js';
import { callerCalls, CallerPairs } from './helpers/caller-uses.js';
import { mixedCalls } from './helpers/mixed-helpers.js';
import type { Answer, KeyPart, LockUse, SqlCall } from './model.js';
import { Origins } from './values/origins.js';
import { OwnPools } from './sessions/own-pool.js';
import { Lending } from './flow/lending.js';
import { ConnectionsPerCall } from './flow/per-call.js';
import { TransactionEvents } from './flow/transaction-events.js';
import { HeldLocks } from './flow/leaks.js';
import { Transactions } from './flow/transactions.js';
import { compareKeys, Keys } from './keys/keys.js';
import { isUnlock, Pairs, type AskedOfPairs } from './pairs.js';
import { rejectionOf } from './answers/rejections.js';
import { scopesOf } from './values/scopes.js';
import { SessionEnds } from './sessions/session-end.js';
import { SqlTexts } from './statements/sql-text.js';
import { functionAround } from './syntax.js';
import { Unsure } from './statements/unsure.js';

export { inHouse, keyOf } from '../drivers/index.js';
export { forgetLinted, noteText } from '../types/index.js';

/** What makes a file worth a look under some settings: the names of the user's own functions that lock, beside those of PostgreSQL. */
export const wordsIn = (house: House): Words => wordsOf(house.helpers.flatMap(({ named, members }) => members ?? named.names));

export const needOf = (sourceCode: Readonly<SourceCode>, fileName: string, { typesOnDemand }: { readonly typesOnDemand: boolean }): ReturnType<typeof needOfTypes> =>
  needOfTypes(sourceCode, fileName, wordsIn(currentHouse()), { onDemand: typesOnDemand });

/** What is known of the advisory locks of one file. Made once per file and shared by all rules; it depends on no rule's options. */
export interface FileFacts {
  readonly types: Types;
  /** The text and the tree that all nodes here are of: the host's, or one of our own. */
  readonly source: Source;
  readonly calls: readonly SqlCall[];
  /** Every use of an advisory-lock function, in the order of the text. */
  readonly uses: readonly LockUse[];
  readonly pairs: Pairs;
  /** Lock statements in texts that a call gets of which it is not known whether it sends them; they are among no other facts. */
  readonly unsure: readonly LockUse[];
  /** Calls of lock helpers, as their callers see them; they are among no other facts but their own pairs. */
  readonly callerUses: readonly LockUse[];
  readonly callerPairs: CallerPairs;
  /** A use as the function sees it that sends it at a place: where that is a call of a lock helper, by its name and with what it is passed. */
  seenAt(node: TSESTree.Node, use: LockUse): LockUse;
  /** What becomes of the answer of an unlock or a try-lock. */
  answerOf(use: LockUse): Answer;
  /** Whether one statement both takes and frees: then it runs on one connection whatever the handle is. */
  isWithinOneStatement(use: LockUse): boolean;
  /** Whether nothing waits for the statement; on a lazy driver it is then never sent. */
  floatingOf(use: LockUse): 'neverSent' | 'notAwaited' | undefined;
  /** What becomes of every session-level lock on a pinned connection, on every path. */
  readonly held: HeldLocks;
  /** What transactions make of the locks. */
  readonly transactions: Transactions;
  /** The calls, in the files in view, of the function around a place. */
  callsOfFunctionAround(node: TSESTree.Node): readonly TSESTree.Node[];
  /** What an expression would be as a key of a lock, its names followed. */
  keyPartOf(node: TSESTree.Node): KeyPart;
  /** What a call of a function of the file does about locks, where that is one statement on the one connection that it is passed. */
  useOfHelper(call: TSESTree.CallExpression): LockUse | undefined;
  /** Whether the settings say of the function around a use that its calls are judged in its place. */
  isJudgedAtCalls(use: LockUse): boolean;
  /** Whether the session is over right after the use, and its locks with it. */
  isDestroyedAfter(use: LockUse): boolean;
}

const known = new WeakMap<object, Map<string, FileFacts | null>>();

/** `undefined` for a file that has no advisory locks. */
export function factsOf(sourceCode: Readonly<SourceCode>, fileName: string, { typesOnDemand }: { readonly typesOnDemand: boolean }): FileFacts | undefined {
  const { ast } = sourceCode;
  const key = keyOf(currentHouse());
  const bySettings = known.get(ast) ?? new Map<string, FileFacts | null>();
  known.set(ast, bySettings);
  if (!bySettings.has(key)) bySettings.set(key, safely('analyse', fileName, () => makeFacts(typesFor(sourceCode, fileName, wordsIn(currentHouse()), { onDemand: typesOnDemand }))) ?? null);
  return bySettings.get(key) ?? undefined;
}

/** The facts of a file that no host has parsed; without types there are none at all. */
export function factsOfText(fileName: string, text: string): { readonly facts: FileFacts | undefined } | undefined {
  return safely('analyse', fileName, () => {
    const types = ownTypes(fileName, text, wordsIn(currentHouse()));
    return types && { facts: types === 'not needed' ? undefined : makeFacts(types) };
  });
}

function makeFacts(types: Types | undefined): FileFacts | undefined {
  if (!types) return undefined;
  const origins = new Origins(types);
  const connections = new Connections(origins);
  const ends = new SessionEnds(origins, connections);
  const events = new TransactionEvents(origins, connections, new SqlTexts(origins));
  const lending = new Lending(origins, connections, ends, events);
  const reader = new Calls(origins, connections, new ConnectionsPerCall(origins, connections, ends, lending, events));
  const found = reader.in(types.tree.ast);
  let unsure: readonly SqlCall[] | undefined;
  const unsureCalls = (): readonly SqlCall[] => (unsure ??= new Unsure(origins, connections, new SqlTexts(origins), reader).in(types.tree.ast, found));
  let ofHelpers: readonly SqlCall[] | undefined;
  const helperCalls = (): readonly SqlCall[] => (ofHelpers ??= callerCalls(types.tree.ast, found, reader));
  if (found.length === 0 && unsureCalls().length === 0 && helperCalls().length === 0) return undefined;
  const all = [...found, ...mixedCalls(found, origins, reader)].sort((one, other) => one.node.range[0] - other.node.range[0]);
  const calls = settled(all, new OwnPools(origins, connections), origins);
  const uses = calls.flatMap((call) => call.locks);
  const openers = new Openers(origins, new Set(uses.map((use) => use.call.node)));
  const asked: AskedOfPairs = { openers, apart: new PassedApart(origins, connections), isEnded: ({ makers }) => ends.isEndedIn(types.tree.ast, makers) };
  const pairs = new Pairs(uses, asked);
  const told = new Set(calls.map((call) => call.node));
  let callers: readonly LockUse[] | undefined;
  const callerUses = (): readonly LockUse[] => (callers ??= settled(helperCalls().filter(({ node }) => !told.has(node)), new OwnPools(origins, connections), origins).flatMap(({ locks }) => locks));
  let ofCallers: CallerPairs | undefined;
  const callerPairs = (): CallerPairs => (ofCallers ??= new CallerPairs(callerUses(), uses, origins, asked));
  let held: HeldLocks | undefined;
  let transactions: Transactions | undefined;
  return {
    types, source: new Source(types.tree), calls, uses, pairs, get unsure() { return unsureCalls().flatMap(({ locks }) => locks); }, get held() { return (held ??= new HeldLocks(uses, pairs, origins, ends, lending, callerPairs().missed)); },
    get callerUses() { return callerUses(); }, get callerPairs() { return callerPairs(); },
    seenAt: (node, use) => (node === use.call.node ? use : callerUses().find(({ call }) => call.node === node) ?? use),
    get transactions() { return (transactions ??= new Transactions(uses, pairs, connections, events, lending)); },
    answerOf: (use) => answerTo(use, origins), isDestroyedAfter: (use) => (ends.doneAfter(use) ?? lending.doneBehind(use)) === 'destroys', isWithinOneStatement, floatingOf: (use) => use.call.floats,
    useOfHelper: (call) => reader.ofHelperOnClient(call),
    isJudgedAtCalls: ({ call: { node } }) => { const owner = functionAround(node); return owner !== undefined && origins.house.isJudgedAtCalls(owner); },
    callsOfFunctionAround: (node) => callsAround(node, origins), keyPartOf: (node) => new Keys(origins).ofNode(node),
  };
}

function callsAround(node: TSESTree.Node, origins: Origins): readonly TSESTree.Node[] {
  const callee = functionAround(node);
  return callee ? new Callers(origins).callsOf(callee) : [];
}

/** Whether a pool of one is a session can be told only when all lock calls are known: the work between them decides. */
function settled(calls: readonly SqlCall[], pools: OwnPools, origins: Origins): SqlCall[] {
  const nodes = calls.map((call) => call.node);
  return calls.map((call) => {
    const locks: LockUse[] = [];
    const one: SqlCall = { ...call, connection: pools.settle(call.connection, call.node, nodes), locks };
    for (const use of call.locks) locks.push({ ...use, call: one, ...((isUnlock(use) || use.lock.function.operation === 'try') && isRefuted(use, origins) ? { expectsFalse: true } : {}) });
    return one;
  });
}

/** One string, one connection: `SELECT pg_advisory_lock(1), pg_advisory_unlock(1)`, also as several statements. */
function isWithinOneStatement({ call, lock, key }: LockUse): boolean {
  if (lock.function.level !== 'session') return false;
  const isOther = (one: LockUse): boolean => (isUnlock(one) ? lock.function.operation === 'acquire' || lock.function.operation === 'try' : lock.function.operation === 'unlock' || lock.function.operation === 'unlockAll');
  return call.locks.some((one) => one.lock !== lock && isOther(one) && one.lock.function.level === 'session' && (one.lock.args.length === 0 || lock.args.length === 0 || compareKeys(one.key, key) !== 'different'));
}

const asserting = new WeakMap<object, boolean>();

function hasAssertions(tree: ReturnType<typeof treeOf>): boolean {
  const known = asserting.get(tree) ?? /\b(?:assert|expect|invariant)/i.test(tree.text);
  asserting.set(tree, known);
  return known;
}

/** Whether assertions say that an unlock frees nothing. */
function isRefuted(use: LockUse, origins: Origins): boolean {
  const { node, isSilent } = use.call;
  if (isSilent || !hasAssertions(treeOf(node))) return false;
  const callers = new Callers(origins);
  return isExpectedFalse({ ...questionOf(use, origins, node), callsOf: (one) => callers.callsOf(one) });
}

function questionOf(use: LockUse, origins: Origins, node: SqlCall['node']): AnswerQuestion {
  const { call, lock } = use;
  const columns = call.columns ?? call.statements.flatMap((one) => one.locks).flatMap(({ answer }) => (answer.kind === 'column' ? [answer.name] : []));
  const own = lock.answer.kind === 'column' ? lock.answer.name : undefined;
  return {
    call: node, shape: call.result, holds: call.holds, callback: call.callback, handedOn: call.isHandedOn, column: lock.answer,
    silent: call.result.silent ?? (call.result.rows === undefined ? ['rows', 'rowCount'] : ['command', 'oid', 'fields', '0']),
    otherColumns: columns.filter((name) => name !== own),
    scopes: scopesOf(treeOf(node).scopes),
    returnsVoid: (one) => origins.types.returnsVoid(one),
    bodyOf: (callee: TSESTree.Expression) => calleeBody(callee, origins),
  };
}

function answerTo(use: LockUse, origins: Origins): Answer {
  const { call } = use;
  const ask = (node: SqlCall['node']): Answer => answerOf(questionOf(use, origins, node));
  // A promise that rejects whatever PostgreSQL answers has no answer to read: no-void-lock-query tells it.
  if (rejectionOf(use)) return { state: 'ignored' };
  if (call.isSilent) return { state: 'read' };
  // To free what was perhaps never taken is no question.
  if (call.lease?.kind === 'followed' && !call.lease.isAsked) return { state: 'dropped' };
  const outer = ask(call.node);
  // A function of the user's own that reads the answer itself, and gives nothing of it back.
  const isReadInside = outer.state === 'dropped' && call.keepsAnswer && call.inner !== undefined && ask(call.inner).state === 'read';
  return isReadInside ? { state: 'read' } : outer;
}

function calleeBody(callee: TSESTree.Expression, origins: Origins): TSESTree.Node | undefined {
  const [only, ...more] = origins.of({ node: callee, frame: undefined });
  return only?.kind === 'value' && more.length === 0 && treeOf(only.node) === treeOf(callee) ? only.node : undefined;
}
