import type { BaseIssue } from 'valibot';

/** What is wrong with settings, in words for the user: where, what was found, and what may stand there. */

type Issue = BaseIssue<unknown>;

/** `handles[0].connection`. */
function pathOf(root: string, path: NonNullable<Issue['path']> | readonly []): string {
  return path.reduce<string>((before, { key }) => before + (typeof key === 'number' ? `[${key}]` : `${before === '' ? '' : '.'}${String(key)}`), root);
}

export function faultOf(root: string, issue: Issue, allowed: readonly string[]): string {
  const inner = innermost(issue);
  const path = inner === issue ? issue.path ?? [] : [...issue.path ?? [], ...inner.path ?? []] as NonNullable<Issue['path']>;
  const at = pathOf(root, path);
  const last = nameAt(path.at(-1)?.key);
  if (inner.type === 'strict_object' && inner.expected === 'never') return `\`${at}\` is not known${insteadOf(last, allowed)}`;
  const choices = inner.expected === null ? [] : [...inner.expected.matchAll(/"([^"]*)"/g)].map(([, choice = '']) => choice);
  if (inner.type === 'strict_object' && inner.received === 'undefined') return `\`${at}\` is missing`;
  const found = inner.received === 'undefined' ? 'is missing' : `is ${shown(inner.input)}`;
  return `\`${at}\` ${found}, and must be ${expectedIn(inner)}${typeof inner.input === 'string' ? meant(inner.input, choices) : ''}`;
}

const nameAt = (key: unknown): string => (typeof key === 'string' ? key : '');

/** Of several forms that a value may have, the one it comes closest to: that of its own kind, where the fault lies deepest. */
function innermost(issue: Issue): Issue {
  const inner = (issue.issues ?? []).filter((one) => (one.path?.length ?? 0) > 0 || one.issues !== undefined).map((one) => innermost(one));
  const [deepest] = inner.toSorted((one, other) => (other.path?.length ?? 0) - (one.path?.length ?? 0));
  return deepest ?? issue;
}

const WORDS: Readonly<Record<string, string>> = { string: 'text', boolean: '`true` or `false`', Array: 'an array', true: '`true`', Object: 'an object', number: 'a number' };

function expectedIn({ expected, type, requirement }: Issue & { requirement?: unknown }): string {
  if (type === 'min_length') return 'an array with entries';
  if (type === 'integer' || type === 'min_value') return `an index, from ${typeof requirement === 'number' ? requirement : 0} on`;
  const parts = (expected ?? '').replace(/[()]/g, '').split(' | ').filter((one) => one !== 'undefined').map((one) => WORDS[one] ?? (one.startsWith('"') ? `\`'${one.slice(1, -1)}'\`` : one));
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} or ${parts.at(-1) ?? ''}` : parts[0] ?? 'something else';
}

function shown(input: unknown): string {
  if (typeof input === 'string') return `\`'${input}'\``;
  if (Array.isArray(input)) return input.length === 0 ? 'empty' : 'an array';
  return typeof input === 'function' ? 'a function' : typeof input === 'object' && input !== null ? 'an object' : `\`${String(input)}\``;
}

/** What may have been meant instead of a name; else all that is known. */
export const insteadOf = (word: string, known: readonly string[]): string =>
  meant(word, known) || (known.length > 0 ? ` (known are ${known.map((one) => `\`${one}\``).join(', ')})` : '');

/** What a word is a few letters away from. */
function meant(word: string, known: readonly string[]): string {
  const [best] = known.map((one) => ({ one, away: distance(word.toLowerCase(), one.toLowerCase()) })).sort((a, b) => a.away - b.away);
  return best && best.away <= Math.max(1, Math.floor(word.length / 3)) ? ` (did you mean \`${best.one}\`?)` : '';
}

/** How many letters have to be changed, added or left out. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++) next.push(Math.min(row[to]! + 1, next[to - 1]! + 1, row[to - 1]! + (one[at - 1] === other[to - 1] ? 0 : 1)));
    row = next;
  }
  return row[other.length]!;
}
