import { INTEGER_TYPES, integerOf, textOf } from './constants.js';
import type { Key, KeyPart } from '../model.js';

/**
 * Whether two keys are the same key to PostgreSQL. What can neither be proven equal nor different is unknown: a function, operator or
 * cast that may give one value for two is no proof of anything unless what goes into it is the same.
 */

export type KeyEquality = 'same' | 'different' | 'unknown';

type Call = KeyPart & { readonly kind: 'call' };
/** A key is a number, and so is what is computed with; what is hashed is a text: `'042'` is 42 as the one, and not as the other. */
type Position = 'number' | 'text';

const ALL: Record<KeyEquality, number> = { different: 0, unknown: 1, same: 2 };

function worst(all: readonly KeyEquality[]): KeyEquality {
  return all.reduce<KeyEquality>((least, one) => (ALL[one] < ALL[least] ? one : least), 'same');
}

/** One bigint and two ints are different spaces of keys. */
export function compareKeys(one: Key, other: Key): KeyEquality {
  if (one.parts.length !== other.parts.length) return one.isOpen || other.isOpen ? 'unknown' : 'different';
  if (isSwapped(one, other)) return 'different';
  return worst(one.parts.map((part, index) => compareParts(part, other.parts[index]!, 'number')));
}

/** The spelling of a key that is made of constants alone: two such keys are the same if it is the same, and different else. */
export function constantsOf({ parts }: Key): readonly string[] | undefined {
  const constants = parts.flatMap((part) => {
    const one = stripped(part, 'number');
    return one.kind === 'constant' ? [one.text] : [];
  });
  return constants.length > 0 && constants.length === parts.length ? constants.map((one) => JSON.stringify(one)) : undefined;
}

/** `(tenant, job)` and `(job, tenant)`. */
export function isSwapped(one: Key, other: Key): boolean {
  const [a, b, ...more] = one.parts;
  const [c, d] = other.parts;
  if (!a || !b || !c || !d || more.length > 0) return false;
  return compareParts(a, d, 'number') === 'same' && compareParts(b, c, 'number') === 'same' && compareParts(a, b, 'number') !== 'same';
}

/** Whether two keys are made by hash functions whose results are not the same. */
export function isOtherHash(one: Key, other: Key): boolean {
  return one.parts.some((part, index) => {
    const [mine, theirs] = [part, other.parts[index]].map((at) => at && stripped(at, 'number'));
    return mine?.kind === 'call' && theirs?.kind === 'call' && mine.name !== theirs.name && compareParts(mine, theirs, 'number') === 'different';
  });
}

function compareParts(a: KeyPart, b: KeyPart, position: Position): KeyEquality {
  const [one, other] = [stripped(a, position), stripped(b, position)];
  if (one.kind === 'unknown' || other.kind === 'unknown') return 'unknown';
  if (one.kind === 'constant' && other.kind === 'constant') return one.text === other.text ? 'same' : 'different';
  if (one.kind === 'expression' && other.kind === 'expression') return one.identity === other.identity ? 'same' : 'unknown';
  if (isText(one) || isText(other)) return compareTexts(piecesOf(one), piecesOf(other));
  if (one.kind === 'cast' || other.kind === 'cast') return compareCasts(one, other);
  if (one.kind === 'call' && other.kind === 'call') return compareCalls(one, other);
  const [call, simple] = one.kind === 'call' ? [one, other] : [other, one];
  // `hashtext('x')` is never 'x' itself; what anything else computes may be.
  return call.kind === 'call' && familyOf(call.name) !== undefined && simple.kind === 'constant' ? 'different' : 'unknown';
}

/** Without the casts that change nothing of a value that stands there, and with constants in one spelling. */
function stripped(part: KeyPart, position: Position): KeyPart {
  if (part.kind === 'cast' && (INTEGER_TYPES.has(part.type) || part.type === 'text')) return stripped(part.of, position);
  if (part.kind === 'call' && /^int[248]$/.test(part.name) && part.args.length === 1) return stripped(part.args[0]!, position);
  if (part.kind === 'constant' && position === 'number') {
    const value = integerOf(part);
    return value === undefined ? part : { kind: 'constant', type: 'number', text: value.toString() };
  }
  return part;
}

// ---- casts

/** Types whose values have more than one spelling, or that cut a value to a length. */
const LOSSY_TYPES = /^(?:varchar|bpchar|name|citext|bit|varbit|bool|bytea|uuid|numeric|float[48]|money|date|time|timetz|timestamp|timestamptz|interval|jsonb?|xml|inet|cidr|macaddr8?)$|\[\]$/;
const OBJECT_TYPES = /^reg/;

function compareCasts(one: KeyPart, other: KeyPart): KeyEquality {
  if (one.kind !== 'cast' || other.kind !== 'cast' || one.type !== other.type) return 'unknown';
  if (OBJECT_TYPES.test(one.type)) return compareObjects(one.of, other.of);
  const inner = compareParts(one.of, other.of, 'text');
  if (inner !== 'different' || !LOSSY_TYPES.test(one.type)) return inner;
  return isHashed(one.of) && isHashed(other.of) ? 'different' : 'unknown';
}

/** `'orders'::regclass`: a name that is not quoted is in lower case, and may have its schema before it. */
function compareObjects(one: KeyPart, other: KeyPart): KeyEquality {
  const inner = compareParts(one, other, 'text');
  if (inner !== 'different' || one.kind !== 'constant' || other.kind !== 'constant') return inner;
  const [mine, theirs] = [nameOf(one.text), nameOf(other.text)];
  if (mine === undefined || theirs === undefined) return 'unknown';
  if (mine.at(-1) !== theirs.at(-1)) return 'different';
  return mine.length !== theirs.length ? 'unknown' : mine.join('.') === theirs.join('.') ? 'same' : 'different';
}

const nameOf = (text: string): string[] | undefined => (/^\s*[a-z_][\w$]*(?:\.[a-z_][\w$]*)?\s*$/i.test(text) ? text.trim().toLowerCase().split('.') : undefined);

// ---- calls

/** Hash functions whose results may be compared with each other: of the same input, all of one family give the same. */
const FAMILIES: readonly (readonly [family: string, names: RegExp])[] = [
  ['text', /^(?:hashtext|hashvarlena|hashbpchar|hashbytea|hashname)$/],
  ['text64', /^(?:hashtextextended|hashvarlenaextended|hashbpcharextended|hashbyteaextended|hashnameextended)$/],
  ['integer', /^(?:hashint[248]|hashoid|hashchar|hashenum)$/],
  ['integer64', /^(?:hashint[248]extended|hashoidextended|hashcharextended|hashenumextended)$/],
  ['digest', /^(?:md5|sha(?:224|256|384|512))$/],
];

const familyOf = (name: string): string | undefined => FAMILIES.find(([, names]) => names.test(name))?.[0];

/** May give one value for two, or the value itself: functions of SQL and of JavaScript, operators, members, and all other constructs of SQL. */
const LOSSY = /^(?:abs|mod|div|l?trim|[rb]trim|lower|upper|initcap|left|right|substr|substring|replace|translate|overlay|lpad|rpad|split_part|regexp_\w+|concat_ws|format|coalesce|nullif|greatest|least|length|\w+_length|ascii|floor|ceil|ceiling|round|trunc|sign|to_\w+|date_\w+|extract|get_byte|get_bit|encode|decode|convert_\w+|unaccent|normalize)$/;
const LOSSY_JS = /^js \.?(?:trim\w*|to(?:Locale)?(?:Lower|Upper)Case|normalize|slice|substr|substring|replace\w*|padStart|padEnd|at|charAt|charCodeAt|codePointAt|indexOf|valueOf|toFixed|split|join|concat|as(?:Int|Uint)N|abs|trunc|floor|round|ceil|max|min|sign|imul|fround|log\w*|sqrt|cbrt|pow|get|find\w*|Number|Boolean|parse\w*|Math\.\w+)$/;
const LOSSY_OPERATORS = /^(?:[%&|/]|\*\*|>>>?|<<|unary [~!]|sql .*|\..*)$/s;
const ARITHMETIC = /^(?:[-+*^]|unary [-+]|sql \{\}(?: (?:[-+#]) \{\})+)$/;
/** What they leave of two hashes is still two things. */
const KEEPS_HASH = /^(?:abs|left|right|substr|substring|encode|decode|sql \{\}(?: (?:\|\||&) \{\})+|&|>>>?)$/;

const isLossy = (name: string): boolean => !ARITHMETIC.test(name) && (LOSSY.test(name) || LOSSY_JS.test(name) || LOSSY_OPERATORS.test(name));

function compareCalls(one: Call, other: Call): KeyEquality {
  if (one.name !== other.name) {
    const [mine, theirs] = [familyOf(one.name), familyOf(other.name)];
    return mine !== undefined && theirs !== undefined && mine !== theirs ? 'different' : 'unknown';
  }
  // An argument may have been left out for its default.
  if (one.args.length !== other.args.length) return 'unknown';
  const isArithmetic = ARITHMETIC.test(one.name);
  const found = one.args.map((part, index) => compareParts(part, other.args[index]!, isArithmetic || familyOf(one.name)?.startsWith('integer') ? 'number' : 'text'));
  const same = worst(found);
  if (isLossy(one.name)) return same === 'different' && KEEPS_HASH.test(one.name) && isHashed(one) && isHashed(other) ? 'different' : same === 'same' ? 'same' : 'unknown';
  // What is added to two values may make up for their difference.
  if (isArithmetic) return same === 'different' && found.filter((equality) => equality !== 'same').length > 1 ? 'unknown' : same;
  return same === 'unknown' && isAskedForOther(one, other) ? 'different' : same;
}

/** `keyOf(name)` and `keyOf(`${name}.git`)`: one function of one variable, asked for two things. */
function isAskedForOther(one: Call, other: Call): boolean {
  return one.name.startsWith('js ') && isExact(one) && isExact(other) && sharesVariable(one, other);
}

/** In view, and with nothing in it that may give back the value itself. */
const isExact = (part: KeyPart): boolean => {
  if (part.kind === 'call') return (part.name.startsWith('.') || !isLossy(part.name)) && part.args.every(isExact);
  return part.kind === 'cast' ? isExact(part.of) : part.kind !== 'unknown';
};

const isHashed = (part: KeyPart): boolean => (part.kind === 'call' ? familyOf(part.name) !== undefined || part.args.some(isHashed) : part.kind === 'cast' && isHashed(part.of));

function sharesVariable(one: KeyPart, other: KeyPart): boolean {
  const mine = new Set(identitiesOf(one));
  return identitiesOf(other).some((identity) => mine.has(identity));
}

function identitiesOf(part: KeyPart): string[] {
  if (part.kind === 'expression') return [part.identity];
  return part.kind === 'call' ? part.args.flatMap(identitiesOf) : part.kind === 'cast' ? identitiesOf(part.of) : [];
}

// ---- texts

/** Whether it is surely a text that is put together of others. */
function isText(part: KeyPart): boolean {
  if (part.kind !== 'call') return false;
  if (part.name === '+') return part.args.some((one) => isText(one) || (one.kind === 'constant' && one.type === 'text'));
  return part.name === 'template' || part.name === 'concat' || IS_JOINED.test(part.name) || formatted(part) !== undefined;
}

const IS_JOINED = /^sql \{\}(?: \|\| \{\})+$/;

/** The texts that it is put together of, neighbouring constants in one. */
function piecesOf(part: KeyPart): KeyPart[] {
  const pieces: KeyPart[] = [];
  for (const piece of flatPieces(part)) {
    const last = pieces.at(-1);
    if (piece.kind !== 'constant' || piece.type === 'null') pieces.push(piece);
    else if (last?.kind === 'constant' && last.type !== 'null') pieces[pieces.length - 1] = textOf(last.text + piece.text);
    else if (piece.text !== '') pieces.push(piece);
  }
  return pieces;
}

function flatPieces(part: KeyPart): readonly KeyPart[] {
  const inner = stripped(part, 'text');
  return inner.kind === 'call' && isText(inner) ? (formatted(inner) ?? inner.args).flatMap(flatPieces) : [inner];
}

/** `format('job:%s', id)` */
function formatted({ name, args }: Call): KeyPart[] | undefined {
  const [pattern, ...values] = args;
  if (name !== 'format' || pattern?.kind !== 'constant' || /%(?!s)/.test(pattern.text)) return undefined;
  const texts = pattern.text.split('%s');
  return texts.length === values.length + 1 ? texts.flatMap((text, index): KeyPart[] => [textOf(text), ...values.slice(index, index + 1)]) : undefined;
}

/** What both begin and end with is taken away; of the rest, constants that stand against each other decide. */
function compareTexts(one: KeyPart[], other: KeyPart[]): KeyEquality {
  if (isTold(one, other, 0) || isTold(one, other, -1)) return 'different';
  if (one.length === 0 && other.length === 0) return 'same';
  if (one.length === 0 || other.length === 0) return [...one, ...other].some((piece) => piece.kind === 'constant' && piece.type !== 'null') ? 'different' : 'unknown';
  const [mine, theirs] = [one[0]!, other[0]!];
  return one.length === 1 && other.length === 1 && !isText(mine) && !isText(theirs) ? compareParts(mine, theirs, 'text') : 'unknown';
}

/** Takes away what is the same at one end of two texts; true where they differ there. */
function isTold(one: KeyPart[], other: KeyPart[], end: 0 | -1): boolean {
  const take = (list: KeyPart[]): KeyPart | undefined => (end === 0 ? list.shift() : list.pop());
  const put = (list: KeyPart[], text: string): unknown => text !== '' && (end === 0 ? list.unshift(textOf(text)) : list.push(textOf(text)));
  for (;;) {
    const [mine, theirs] = [one.at(end), other.at(end)];
    if (!mine || !theirs) return false;
    if (mine.kind === 'constant' && theirs.kind === 'constant') {
      const length = Math.min(mine.text.length, theirs.text.length);
      const part = (text: string): string => (end === 0 ? text.slice(0, length) : text.slice(text.length - length));
      if (part(mine.text) !== part(theirs.text)) return true;
      const rest = (text: string): string => (end === 0 ? text.slice(length) : text.slice(0, text.length - length));
      take(one);
      take(other);
      put(one, rest(mine.text));
      put(other, rest(theirs.text));
    } else if (compareParts(mine, theirs, 'text') === 'same') {
      take(one);
      take(other);
    } else {
      return false;
    }
  }
}
