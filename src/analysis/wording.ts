import type { TSESTree } from '@typescript-eslint/utils';
import { NAMED } from './advice.js';
import { transactionFunctionOf } from './functions.js';
import { shortSource, whereIs } from './quoting.js';
import { keyText } from './keys/text.js';
import { type Types } from '../types/index.js';
import type { Answer, Connection, LockUse, Passed, Where } from './model.js';
import { helperSetting } from './helpers/helper-setting.js';
import { contains, functionAround, is, isMember, memberName, unwrap } from './syntax.js';

/** Facts in words, for the messages of the rules. */

const at = (where: Where | undefined): string => (where ? ` (${where.file}:${where.line})` : '');

/** "`db` is drizzle over a postgres.js pool (db.ts:5)"; of a parameter, "`db` is a pg Pool (made at db.ts:4, passed by `guard(pool)` at jobs.ts:9)". */
export function evidenceOf({ evidence: { text, where, passed } }: Connection): string {
  if (!passed) return `${text}${at(where)}`;
  const others = passed.more === 0 ? '' : ` and by ${passed.more} other ${passed.more === 1 ? 'call' : 'calls'}`;
  const isHere = where?.file === passed.where.file && where.line === passed.where.line;
  const making = !where ? '' : isHere ? 'made and ' : `made at ${where.file}:${where.line}, `;
  return `${text} (${making}passed by \`${passed.text}\` at ${passed.where.file}:${passed.where.line}${others})`;
}

/** The same for a call; where a function of the user's own has the handle, that hands the statement to it: "`run` hands it to `db` (db.ts:9), and `db` is ...". */
export function evidenceFor({ call: { connection, node, handle, helper, isElsewhere } }: LockUse): string {
  const callee = unwrap(is(node, 'CallExpression') ? node.callee : node.tag);
  const evidence = evidenceOf(connection);
  const isAway = isElsewhere && !contains(node, handle);
  if (!isAway && (helper !== undefined || contains(node, handle))) return evidence;
  const [by, to, where] = [shortSource(callee), shortSource(handle), at(whereIs(handle))];
  if (isAway) return `\`${by}\` works on \`${to}\`${where}, and ${evidence}`;
  return connection.kind === 'unknown' ? `${evidence}, to which \`${by}\` hands it${where},` : `\`${by}\` hands it to \`${to}\`${where}, and ${evidence}`;
}

/** The function of PostgreSQL, or the user's own that stands for it. */
export const functionOf = ({ call, lock }: LockUse): string => `\`${call.helper ?? lock.function.name}\``;

/** What PostgreSQL says where an unlock finds nothing to free: `pg_advisory_unlock_all()` has no answer, and misses nothing. */
export const refusalOf = ({ lock }: LockUse): string => (lock.function.operation === 'unlockAll' ? 'PostgreSQL gives no warning' : 'PostgreSQL answers `false`');

/** The line of another place in the same file. */
export const lineOf = ({ loc }: LockUse): string => `line ${loc.start.line}`;

const LONGEST_KEY = 60;

/** The key that is freed, and the one that was taken, where both can be shown: " (`2, 1`, not `1, 2`)". */
export function insteadOf(taken: LockUse, freed: LockUse): string {
  const [mine, theirs] = [keyText(freed.key), keyText(taken.key)];
  const isShown = [mine, theirs].every((text) => text.length <= LONGEST_KEY && !/[?`\n]/.test(text));
  return isShown && mine !== theirs ? ` (\`${mine}\`, not \`${theirs}\`)` : '';
}

/** Where the answer is, as a message names it. */
export const columnOf = ({ call, lock }: LockUse): string => (call.helper !== undefined && !(call.isElsewhere && call.holds !== 'boolean') ? 'its result' : lock.answer.kind === 'column' ? `the column \`${lock.answer.name}\`` : 'the column of the answer');

const TESTED: Record<string, string> = {
  result: 'the result, which is there whatever PostgreSQL answers',
  rows: 'the array of rows, which is there whatever PostgreSQL answers',
  row: 'the row, which is there whatever PostgreSQL answers',
  count: 'the number of rows, which is 1 whatever PostgreSQL answers',
};

/** What is tested in place of the boolean. */
export const testedIn = (answer: Answer): string => (answer.state === 'mistaken' ? TESTED[answer.tested] ?? '' : '');

/** What has to be done before the answer can be read, to go before the advice to read it. */
export const sendingFor = ({ call: { answeredBy } }: LockUse): string => (answeredBy === undefined ? '' : `send it with \`${answeredBy}\`, which gives the row, and `);

/** The transaction-level function that takes what a use takes, or frees, in the same way. */
export const xactLockOf = (use: Pick<LockUse, 'lock'>): string => `\`${transactionFunctionOf(use)?.name ?? NAMED}\``;

/** What gets a lock statement, of which it is not known whether it sends that, and the entry of the settings that would tell. */
export function senderOf({ call: { node, handle } }: LockUse, types: Types): { sender: string; setting: string } {
  const callee = unwrap(is(node, 'CallExpression') ? node.callee : node.tag);
  const sender = `\`${shortSource(callee)}\``;
  if (!isMember(callee)) return { sender, setting: `\`queries: [{ function: '${shortSource(callee)}', connection: '...' }]\`` };
  return { sender, setting: `\`handles: [{ ${namedIn(handle, types)}, connection: '...', run: ['${memberName(callee) ?? '...'}'] }]\`` };
}

/** The entry of the settings that would tell what a handle is, with its type's name where that has one; of a parameter that may be a pool or one connection, the entry that has each call judged. */
export function settingFor(use: LockUse, types: Types): string {
  const { handle, helper } = use.call;
  if (helper !== undefined) return '`connection` of the entry in `locks`';
  return `\`${helperSetting(use, types) ?? `handles: [{ ${namedIn(handle, types)}, connection: '...' }]`}\``;
}

/** Calls that pass a pool and one connection, in words: "callers disagree on what `db` is: `lock(pool)` (a.ts:3) passes a pg Pool, `lock(client)` (b.ts:7) passes ...". */
export function disagreementOf({ call: { handle, connection: { disagreeing } } }: LockUse): string | undefined {
  const by = ({ text, where, says }: Passed): string => `\`${text}\`${at(where)} passes ${says}`;
  return disagreeing && `callers disagree on what \`${shortSource(handle)}\` is: ${by(disagreeing.pooled)}, ${by(disagreeing.pinned)}`;
}

function namedIn(handle: TSESTree.Node, types: Types): string {
  const facts = types.typeOf(handle);
  const name = facts && !facts.isAny ? facts.names.find((one) => /^[A-Z]/.test(one.name))?.name : undefined;
  const at = unwrap(handle);
  const value = is(at, 'Identifier') ? at.name : isMember(at) ? memberName(at) : undefined;
  return name === undefined ? `value: '${value ?? '...'}'` : `type: '${name}'`;
}

/** Code as a message quotes it. */
export const codeOf = (node: TSESTree.Node): string => `\`${shortSource(node)}\``;

/** How code waits for a statement: where the function around is not `async`, who calls it may. */
export function waitingFor({ call: { node } }: LockUse): string {
  const around = functionAround(node);
  return around && !around.async ? 'return it, or make the function around it `async` and put `await` before it' : 'put `await` before it';
}
