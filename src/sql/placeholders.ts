import { isDigit, isNamePart, isNameStart } from './characters.js';

export interface Placeholder {
  readonly style: '$' | ':' | '@';
  readonly name: string;
  readonly end: number;
}

/** pg-promise's named parameters: `${name}`, `$(name)`, `$<name>`, `$[name]`, `$/name/`. */
const CLOSING: Readonly<Record<string, string>> = { '{': '}', '(': ')', '<': '>', '[': ']', '/': '/' };

/** pg-promise's formatting after a parameter: https://vitaly-t.github.io/pg-promise/formatting.html */
const MODIFIERS = ['raw', 'value', 'alias', 'name', 'json', 'csv', 'list'];

/** A longer name is none. */
const LONGEST = 128;

/** Reads `$1`, `$name`, `${name}`, `:name`, `:...names`, knex's `:name:`, `@name`. */
export function readPlaceholder(text: string, start: number): Placeholder | undefined {
  const first = text[start];
  if (first === '$') return readDollar(text, start);
  if (first !== ':' && first !== '@') return undefined;
  const from = first === ':' && text.startsWith('...', start + 1) ? start + 4 : start + 1;
  const end = nameEnd(text, from);
  if (end === from) return undefined;
  const closed = first === ':' && text[end] === ':' && text[end + 1] !== ':';
  return { style: first, name: text.slice(from, end), end: closed ? end + 1 : end };
}

function readDollar(text: string, start: number): Placeholder | undefined {
  const from = start + 1;
  let end = from;
  while (isDigit(text.charCodeAt(end))) end += 1;
  if (end === from) end = nameEnd(text, from);
  if (end > from) return { style: '$', name: text.slice(from, end), end: modifierEnd(text, end) };
  const closing = CLOSING[text[from] ?? ''];
  if (closing === undefined) return undefined;
  const close = text.slice(from + 1, from + LONGEST).indexOf(closing);
  if (close < 0) return undefined;
  const [name = '', modifier] = text.slice(from + 1, from + 1 + close).split(/[:^~#]/);
  if (!isName(name.trim()) || (modifier !== undefined && modifier !== '' && !MODIFIERS.includes(modifier.trim()))) return undefined;
  return { style: '$', name: name.trim(), end: from + 2 + close };
}

function nameEnd(text: string, start: number): number {
  if (!isNameStart(text.charCodeAt(start))) return start;
  let end = start + 1;
  while (isNamePart(text.charCodeAt(end)) && text[end] !== '$') end += 1;
  return end;
}

function isName(text: string): boolean {
  return text.split('.').every((part) => /^[A-Za-z_$][\w$]*$/.test(part));
}

function modifierEnd(text: string, end: number): number {
  if (text[end] !== ':' || text[end + 1] === ':') return end;
  const stop = nameEnd(text, end + 1);
  return MODIFIERS.includes(text.slice(end + 1, stop)) ? stop : end;
}
