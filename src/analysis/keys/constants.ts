import type { KeyPart } from '../model.js';

/** What is computed of constants, as PostgreSQL or JavaScript would; what they would not do alike is left as it stands. */

export type Constant = KeyPart & { readonly kind: 'constant' };

export const INTEGER_TYPES: ReadonlySet<string> = new Set(['int2', 'int4', 'int8', 'oid']);
const MOST_DIGITS = 40;
const MAX_INT4 = 2n ** 31n - 1n;
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

export const numberOf = (value: bigint): Constant => ({ kind: 'constant', type: 'number', text: value.toString() });
export const textOf = (text: string): Constant => ({ kind: 'constant', type: 'text', text });

/** `6_118n`, `1e3`, `5.0` in digits; a fraction as it is written. */
export function numberFrom(text: string): Constant {
  const plain = text.replace(/_|n$/g, '').replace(/^\+/, '');
  const value = wholeNumber(plain);
  return value === undefined ? { kind: 'constant', type: 'number', text: plain } : numberOf(value);
}

/** The integer that a decimal number is, whether it has an exponent or noughts behind its point. */
function wholeNumber(text: string): bigint | undefined {
  const match = /^(-?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text);
  if (!match || text.length > MOST_DIGITS) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const places = Number(exponent) - fraction.length;
  const digits = whole + fraction;
  if (digits === '' || Math.abs(places) > MOST_DIGITS) return undefined;
  if (places < 0 && !/^0*$/.test(digits.slice(places))) return undefined;
  const value = BigInt(places < 0 ? digits.slice(0, places) || '0' : digits + '0'.repeat(places));
  return sign === '-' ? -value : value;
}

/** A constant as PostgreSQL makes an integer of it: `' 042 '` is 42. */
export function integerOf(part: KeyPart): bigint | undefined {
  if (part.kind !== 'constant' || part.text.length > MOST_DIGITS) return undefined;
  const text = part.text.trim();
  if (/^[+-]?\d+(?:_\d+)*$/.test(text)) return BigInt(text.replace(/[_+]/g, ''));
  return part.type === 'text' && /^0[xob][\da-f]+$/i.test(text) ? hexOrNothing(text) : undefined;
}

function hexOrNothing(text: string): bigint | undefined {
  try {
    return BigInt(text.toLowerCase());
  } catch {
    return undefined;
  }
}

/** A cast of a constant; `undefined` where its value stays unread. */
export function castConstant(type: string, of: KeyPart): Constant | undefined {
  if (INTEGER_TYPES.has(type)) {
    const value = integerOf(of) ?? bitsOf(of, type);
    return value === undefined ? undefined : numberOf(value);
  }
  return type === 'text' && of.kind === 'constant' && of.type !== 'null' ? textOf(of.text) : undefined;
}

/** `x'2a'` and `B'101'` as an integer: 32 bits or 64 of them begin with the sign. */
function bitsOf(part: KeyPart, type: string): bigint | undefined {
  const [, base, digits] = (part.kind === 'call' && part.args.length === 0 && /^sql ([bx])([\da-f]+)$/i.exec(part.name)) || [];
  if (base === undefined || digits === undefined || (base === 'b' && /[^01]/.test(digits))) return undefined;
  const width = type === 'int4' ? 32 : type === 'int8' ? 64 : 0;
  return digits.length * (base === 'b' ? 1 : 4) > width ? undefined : BigInt.asIntN(width, BigInt(base === 'b' ? `0b${digits}` : `0x${digits}`));
}

/** A call, operator or template over constants only; `undefined` where it is not computed here. */
export function computed(name: string, args: readonly KeyPart[]): Constant | undefined {
  if (!args.every((one): one is Constant => one.kind === 'constant' && one.type !== 'null')) return name === 'coalesce' ? firstOf(args) : undefined;
  if (name === 'template' || name === 'concat' || /^sql \{\}(?: \|\| \{\})+$/.test(name)) return textOf(args.map(({ text }) => text).join(''));
  const ofSql = /^sql (\{\}(?: \S+ \{\})+)$/.exec(name)?.[1];
  if (ofSql) return arithmetic(ofSql.split(/ ?\{\} ?/).slice(1, -1), args);
  return args.length === 1 ? ofOne(name, args[0]!) : args.length === 2 ? ofTwo(name, args[0]!, args[1]!) : name === 'coalesce' ? args[0] : undefined;
}

const firstOf = ([first]: readonly KeyPart[]): Constant | undefined => (first?.kind === 'constant' && first.type !== 'null' ? first : undefined);

function ofOne(name: string, one: Constant): Constant | undefined {
  const value = plainInteger(one);
  switch (name) {
    case 'lower':
    case 'js .toLowerCase':
      return isAscii(one) ? textOf(one.text.toLowerCase()) : undefined;
    case 'upper':
    case 'js .toUpperCase':
      return isAscii(one) ? textOf(one.text.toUpperCase()) : undefined;
    case 'abs':
      return value === undefined ? undefined : numberOf(value < 0n ? -value : value);
    case 'unary -':
      return value === undefined ? undefined : numberOf(-value);
    case 'unary ~':
      return value === undefined || value > MAX_INT4 || value < -MAX_INT4 ? undefined : numberOf(~value);
    case 'int2':
    case 'int4':
    case 'int8':
      return castConstant(name, one);
    case 'coalesce':
      return one;
    default:
      return undefined;
  }
}

function ofTwo(name: string, one: Constant, other: Constant): Constant | undefined {
  if (name === 'coalesce') return one;
  if (name === 'mod') return arithmetic(['%'], [one, other]);
  if (name === '+' && (one.type === 'text' || other.type === 'text')) return textOf(one.text + other.text);
  const [a, b] = [plainInteger(one), plainInteger(other)];
  if (a === undefined || b === undefined || !/^(?:[-+*%&|^/]|<<|>>)$/.test(name)) return undefined;
  // JavaScript's division has a fraction, and its bits are 32.
  if (name === '/' && (b === 0n || a % b !== 0n)) return undefined;
  if (/[&|^]/.test(name) && !(isInt4(a) && isInt4(b))) return undefined;
  const value = operated(name, a, b);
  return value === undefined || value > MAX_SAFE || value < -MAX_SAFE ? undefined : numberOf(value);
}

const isAscii = ({ text }: Constant): boolean => !/[^\0-\x7F]/.test(text);
const isInt4 = (value: bigint): boolean => value <= MAX_INT4 && value >= -MAX_INT4 - 1n;
const plainInteger = (one: Constant): bigint | undefined => (one.type === 'number' && /^-?\d{1,40}$/.test(one.text) ? BigInt(one.text) : undefined);

/** How tightly PostgreSQL's operators bind: https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-PRECEDENCE */
const LEVELS: Readonly<Record<string, number>> = { '*': 2, '/': 2, '%': 2, '+': 1, '-': 1, '<<': 0, '>>': 0, '&': 0, '|': 0, '#': 0 };

function arithmetic(operators: readonly string[], args: readonly Constant[]): Constant | undefined {
  const values = args.map(plainInteger);
  if (values.some((one) => one === undefined) || operators.some((one) => LEVELS[one] === undefined)) return undefined;
  const [rest, pending] = [[...(values as bigint[])], [...operators]];
  for (let level = 2; level >= 0; level -= 1) {
    for (let at = 0; at < pending.length;) {
      if (LEVELS[pending[at]!] !== level) {
        at += 1;
        continue;
      }
      const value = operated(pending[at]!, rest[at]!, rest[at + 1]!);
      if (value === undefined) return undefined;
      rest.splice(at, 2, value);
      pending.splice(at, 1);
    }
  }
  return numberOf(rest[0]!);
}

function operated(operator: string, a: bigint, b: bigint): bigint | undefined {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return b === 0n ? undefined : a / b;
    case '%':
      return b === 0n ? undefined : a % b;
    case '&':
      return a & b;
    case '|':
      return a | b;
    case '#':
    case '^':
      return a ^ b;
    case '<<': {
      // Past 31 bits an int4 and an int8 are shifted to different numbers.
      const value = b >= 0n && b < 32n ? a << b : undefined;
      return value !== undefined && isInt4(a) && isInt4(value) ? value : undefined;
    }
    case '>>':
      return b >= 0n && b < 32n && isInt4(a) ? a >> b : undefined;
    default:
      return undefined;
  }
}
