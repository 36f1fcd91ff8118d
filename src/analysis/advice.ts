import type { TSESTree } from '@typescript-eslint/utils';
import { driverById, drivers } from '../drivers/index.js';
import { treeOf } from '../types/index.js';
import { byType } from './connections/handle-types.js';
import { shortSource } from './quoting.js';
import { isPinned } from './connections/sessions.js';
import type { FileFacts } from './facts.js';
import { transactionFunctionOf } from './functions.js';
import type { LockUse } from './model.js';
import { contains, functionAround, is, isMember, unwrap, walk } from './syntax.js';
import { variableOf } from './values/names.js';

/** What to do with the driver at hand, for the messages of the rules: in the names of the file. */

/** The function that drivers' records name. */
export const NAMED = 'pg_advisory_xact_lock';

type Known = Pick<FileFacts, 'source' | 'types'>;

/** How to keep one connection with the driver of a handle; `acquire`: the lock that it is for, where the use is an unlock. */
export function adviceFor(use: LockUse, facts: Known, acquire: Pick<LockUse, 'lock'> = use): string {
  const { connection } = use.call;
  const own = driverById((connection.kind === 'stateless' ? connection.over?.driver : undefined) ?? connection.driver)?.advice;
  const below = connection.over?.driver === connection.driver ? undefined : driverById(connection.over?.driver)?.advice;
  const advice = own === undefined ? 'reserve one connection, keep it for the lock, the work and the unlock, and give it back afterwards'
    // A layer whose type does not show the pool below: the pool has a name of its own somewhere.
    : below === undefined || namesIn(own, use, facts).every(({ name }) => name !== undefined) ? named(own, use, facts) : named(below, use, facts);
  const size = connection.size === 1 ? '; the pool needs one connection more, since the lock keeps one' : '';
  return `${advice.replaceAll(NAMED, transactionFunctionOf(acquire)?.name ?? NAMED)}${size}`;
}

const TEXTUAL = /^send BEGIN, the lock, the work and COMMIT to /;

/** How to open a transaction with the driver of a handle: on the connection at hand, where there is one. */
export function transactionAdviceFor(use: LockUse, facts: Known): string {
  const { connection: { kind, driver, over }, handle } = use.call;
  const advice = driverById((kind === 'stateless' ? over?.driver : undefined) ?? driver)?.transactionAdvice ?? 'open a transaction, and send the lock and the work to its handle';
  const given = isPinned(use.call.connection) ? undefined : givenAround(use, facts);
  if (given?.kind === 'transaction') return `send the lock and the work to \`${given.name}\``;
  const [begin] = TEXTUAL.exec(advice) ?? [];
  if (begin !== undefined && given) return `send the lock and the work to \`${given.name}\`, between BEGIN and COMMIT`;
  return begin !== undefined && isPinned(use.call.connection) && isAtHand(handle, use, facts) ? `${begin}\`${shortSource(handle)}\`` : named(advice, use, facts);
}

/** A key with all its digits, as the types of the driver take it. */
export function exactKeyFor({ call: { driver, connection } }: LockUse): { readonly written: string; readonly passed: string } {
  const isText = driverById(driver ?? connection.driver)?.takesNoBigint === true;
  return isText ? { written: 'use a string of its digits', passed: 'pass a string of its digits' } : { written: 'use a `bigint` (`123n`) or a string', passed: 'pass the `bigint` itself or a string of its digits' };
}

/** How to get rid of a lock that may still be held when the connection is given back, at the call that does so where there is one. */
export function closeAdviceFor(use: LockUse, facts: Known, release?: TSESTree.Node): string {
  const { connection } = use.call;
  const callee = is(release, 'CallExpression') ? unwrap(release.callee) : undefined;
  const close = driverById(connection.driver)?.closeAdvice ?? driverById(connection.over?.driver)?.closeAdvice;
  return close === undefined ? 'end the connection instead of giving it back' : named(close, use, facts, callee && isMember(callee) ? callee.object : undefined);
}

/** A parameter of a function around a call that is one connection of the same library. */
function givenAround({ call: { node, connection } }: LockUse, { types }: Known): { readonly name: string; readonly kind: string } | undefined {
  for (let at = functionAround(node); at; at = functionAround(at)) {
    for (const param of at.params) {
      const found = is(param, 'Identifier') ? byType(types.typeOf(param)) : undefined;
      if (is(param, 'Identifier') && found?.driver.id === connection.driver && (found?.kind === 'reserved' || found?.kind === 'transaction')) return { name: param.name, kind: found.kind };
    }
  }
  return undefined;
}

/** A record's advice, with the handle in the place of the name that such handles usually have: `{pool}.connect()`; where nothing in view is that, it says what the name stands for. */
function named(advice: string, use: LockUse, facts: Known, released?: TSESTree.Node): string {
  const explained = new Map<string, string>();
  const names = namesIn(advice, use, facts, released);
  let index = 0;
  const written = withFreeNames(advice, use, facts).replace(PLACE, (_all, usual: string, member: string) => {
    const { name } = names[index++]!;
    if (name !== undefined) return `${name}.${member}`;
    const standing = isTaken(usual, use, facts) ? `your${usual.charAt(0).toUpperCase()}${usual.slice(1)}` : usual;
    explained.set(standing, standsFor(usual, advice, use));
    return `${standing}.${member}`;
  });
  return [written, ...[...explained].map(([name, what]) => `\`${name}\` stands for ${what}`)].join('; ');
}

/** A record's advice with names for what it has the user declare that nothing in view has yet: `const client2 = await ...`. */
function withFreeNames(advice: string, use: LockUse, facts: Known): string {
  const around = functionAround(use.call.node);
  const isUsed = (name: string): boolean => placeOf(name, use, facts) !== undefined || (around !== undefined && [...walk(around)].some((one) => is(one, 'Identifier') && one.name === name && !isPropertyName(one)));
  const parts = advice.split('`');
  for (const [, name = ''] of advice.matchAll(/\bconst ([\w$]+) =/g)) {
    let free = name;
    for (let count = 2; isUsed(free); count++) free = `${name}${count}`;
    // Names stand in code, a part of the text between two backticks.
    if (free !== name) for (let at = 1; at < parts.length; at += 2) parts[at] = parts[at]!.replace(NAME, (found) => (found === name ? free : found));
  }
  return parts.join('`');
}

/** A name that is no member, and no place for a handle. */
const NAME = /(?<![.{\w$])[A-Za-z_$][\w$]*/g;

const isPropertyName = (node: TSESTree.Identifier): boolean => is(node.parent, 'MemberExpression') && node.parent.property === node && !node.parent.computed;

const PLACE = /\{([\w.$]+)\}\.([\w$]+)/g;

/** What a record's advice has to name, and how the file writes that; without a name where nothing in view is it. */
function namesIn(advice: string, use: LockUse, facts: Known, released?: TSESTree.Node): { readonly name: string | undefined }[] {
  return [...advice.matchAll(PLACE)].map(([, usual = '', member = '']) => (
    { name: released && isName(unwrap(released)) && hasMember(released, member, facts) ? shortSource(released) : nameOf(usual, member, use, facts) }
  ));
}

/** What a usual name in an advice stands for. Libraries that are alike have the same advice. */
function standsFor(usual: string, advice: string, { call: { connection } }: LockUse): string {
  const records = drivers.filter((one) => [one.advice, one.transactionAdvice, one.closeAdvice].includes(advice));
  const record = records.find(({ id }) => id === connection.driver) ?? records.find(({ id }) => id === connection.over?.driver) ?? records[0];
  return `your ${record?.standsFor?.[usual] ?? 'handle'}`;
}

/** The handle as the file writes it, or what it is a part of, or something of the usual name that is in view there. */
function nameOf(usual: string, member: string, use: LockUse, facts: Known): string | undefined {
  const { handle } = use.call;
  if (isAtHand(handle, use, facts) && hasMember(handle, member, facts)) return shortSource(handle);
  const owner = ownerOf(handle, member, use, facts);
  if (owner) return shortSource(owner);
  const [name = usual] = usual.split('.');
  const place = placeOf(name, use, facts);
  return place && (name !== usual || hasMember(place, member, facts)) ? usual : undefined;
}

/** What is declared by a name, as the call sees it. */
function placeOf(name: string, { call: { node } }: LockUse, { source }: Known): TSESTree.Node | undefined {
  for (let scope: ReturnType<Source['getScope']> | null = source.getScope(node); scope; scope = scope.upper) {
    const place = scope.set.get(name)?.defs[0]?.name as TSESTree.Node | undefined;
    if (place) return place;
  }
  return undefined;
}

const isTaken = (usual: string, use: LockUse, facts: Known): boolean => !usual.includes('.') && placeOf(usual, use, facts) !== undefined;

/** What a handle is a part of, or is given by, and of the same library: `db` of `db.schema`, `getPool()` itself. Only where its type has the member. */
function ownerOf(handle: TSESTree.Node, member: string, { call: { node, connection } }: LockUse, { types }: Known): TSESTree.Node | undefined {
  for (let at = contains(node, handle) ? unwrap(handle) : undefined; at; at = isMember(at) ? unwrap(at.object) : is(at, 'CallExpression') ? unwrap(at.callee) : undefined) {
    const facts = types.typeOf(at);
    const isOfLibrary = facts && !facts.isAny && facts.hasMember(member) && [connection.driver, connection.over?.driver].includes(byType(facts)?.driver.id);
    if (isOfLibrary && isShort(at) && !is(at, 'NewExpression')) return at;
  }
  return undefined;
}

const isShort = (node: TSESTree.Node): boolean => !shortSource(node).endsWith('...');

/** Whether an expression can be written at the call: it stands there, or is a name that is in view there. */
function isAtHand(handle: TSESTree.Node, { call: { node } }: LockUse, { source }: Known): boolean {
  const at = unwrap(handle);
  if (!isName(at)) return false;
  if (contains(node, handle)) return true;
  if (!is(at, 'Identifier') || treeOf(at) !== treeOf(node)) return false;
  const variable = variableOf(at);
  for (let scope: ReturnType<Source['getScope']> | null = source.getScope(node); scope; scope = scope.upper) if (scope.set.has(at.name)) return scope.set.get(at.name) === variable;
  return false;
}

type Source = Known['source'];

const isName = (node: TSESTree.Node): boolean => is(node, 'Identifier', 'ThisExpression') || (isMember(node) && !node.computed && isName(unwrap(node.object)));

/** Without a type, it is taken for what it is called with. */
function hasMember(node: TSESTree.Node, member: string, { types }: Known): boolean {
  const facts = types.typeOf(node);
  return !facts || facts.isAny || facts.hasMember(member);
}
