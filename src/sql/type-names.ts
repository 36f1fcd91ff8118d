import type { Cursor } from './cursor.js';

/**
 * PostgreSQL's own names of the types that SQL spells otherwise.
 * https://www.postgresql.org/docs/current/datatype.html#DATATYPE-TABLE
 */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['int', 'int4'],
  ['integer', 'int4'],
  ['bigint', 'int8'],
  ['smallint', 'int2'],
  ['boolean', 'bool'],
  ['real', 'float4'],
  ['float', 'float8'],
  ['double precision', 'float8'],
  ['decimal', 'numeric'],
  ['dec', 'numeric'],
  ['char', 'bpchar'],
  ['character', 'bpchar'],
  ['nchar', 'bpchar'],
  ['national character', 'bpchar'],
  ['national char', 'bpchar'],
  ['character varying', 'varchar'],
  ['char varying', 'varchar'],
  ['nchar varying', 'varchar'],
  ['national character varying', 'varchar'],
  ['national char varying', 'varchar'],
  ['bit varying', 'varbit'],
]);

const INTERVAL_FIELDS = new Set(['year', 'month', 'day', 'hour', 'minute', 'second', 'to']);

/** Words that may begin a type's name of several words. */
export const longTypeWords: ReadonlySet<string> = new Set([
  'double',
  'timestamp',
  'time',
  'interval',
  'character',
  'char',
  'nchar',
  'national',
  'bit',
]);

/**
 * Reads a type's name, and gives PostgreSQL's own: `int8` for `bigint`, without `pg_catalog.` and modifiers, with `[]` after it
 * for an array of any dimensions. Undefined where none stands here.
 */
export function parseTypeName(cursor: Cursor): string | undefined {
  if (cursor.isWord('setof')) cursor.pos += 1;
  const token = cursor.token;
  if (token?.kind !== 'word' && token?.kind !== 'name' && token?.kind !== 'hole') return undefined;
  const name = token.kind === 'word' && longTypeWords.has(token.value) && !cursor.is('.', 1) ? longName(cursor) : path(cursor);
  return isArray(cursor) ? `${name}[]` : name;
}

function path(cursor: Cursor): string {
  const quoted = cursor.token!.kind === 'name';
  const parts = [cursor.token!.value];
  cursor.pos += 1;
  while (cursor.is('.') && (cursor.at(1)?.kind === 'word' || cursor.at(1)?.kind === 'name')) {
    parts.push(cursor.at(1)!.value);
    cursor.pos += 2;
  }
  if (cursor.is('%') && cursor.isWord('type', 1)) cursor.pos += 2;
  if (cursor.is('(')) cursor.skipGroup();
  if (parts.length > 1 && parts[0] === 'pg_catalog') parts.shift();
  const name = parts.join('.');
  return quoted ? name : (ALIASES.get(name) ?? name);
}

function longName(cursor: Cursor): string {
  const words = [cursor.token!.value];
  cursor.pos += 1;
  if (words[0] === 'double') {
    if (cursor.takeWord('precision')) words.push('precision');
  } else if (words[0] === 'interval') {
    while (cursor.takeAnyWord(INTERVAL_FIELDS));
  } else if (words[0] === 'national') {
    if (cursor.takeWord('character')) words.push('character');
    else if (cursor.takeWord('char')) words.push('char');
  }
  if (words[0] !== 'timestamp' && words[0] !== 'time' && cursor.takeWord('varying')) words.push('varying');
  if (cursor.is('(')) cursor.skipGroup();
  if (words[0] === 'timestamp' || words[0] === 'time') {
    if (cursor.takeWords('with', 'time', 'zone')) return `${words[0]}tz`;
    cursor.takeWords('without', 'time', 'zone');
  }
  const name = words.join(' ');
  return ALIASES.get(name) ?? name;
}

/** `interval '1' day`: the fields may stand after the text. */
export function skipIntervalFields(cursor: Cursor): void {
  while (cursor.takeAnyWord(INTERVAL_FIELDS)) if (cursor.is('(')) cursor.skipGroup();
}

function isArray(cursor: Cursor): boolean {
  let found = false;
  if (cursor.takeWord('array')) found = true;
  while (cursor.is('[')) {
    cursor.skipGroup();
    found = true;
  }
  return found;
}
