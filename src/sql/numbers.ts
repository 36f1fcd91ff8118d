import { isDigit, isHexDigit } from './characters.js';

const PREFIXES: Readonly<Record<string, (code: number) => boolean>> = {
  x: isHexDigit,
  o: (code) => code >= 48 && code <= 55,
  b: (code) => code === 48 || code === 49,
};

/** Longer integers are no key of any lock, and turning them into decimal takes quadratic time. */
const MOST_DIGITS = 64;

/**
 * Reads a numeric constant. Its value is the text without underscores; integers of any base in decimal, without leading zeros.
 * https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-CONSTANTS-NUMERIC
 */
export function readNumber(text: string, start: number): { readonly value: string; readonly end: number } {
  const fits = text[start] === '0' ? PREFIXES[(text[start + 1] ?? '').toLowerCase()] : undefined;
  if (fits) {
    const end = skipDigits(text, start + 2, fits);
    if (end > start + 2) return { value: integer(text.slice(start, end)), end };
  }
  let end = skipDigits(text, start, isDigit);
  let whole = true;
  // `1..10` is no fraction, but the range of a loop.
  if (text[end] === '.' && text[end + 1] !== '.') {
    whole = false;
    end = skipDigits(text, end + 1, isDigit);
  }
  const exponent = exponentEnd(text, end);
  if (exponent > end) {
    whole = false;
    end = exponent;
  }
  const digits = text.slice(start, end);
  return { value: whole ? integer(digits) : digits.replaceAll('_', ''), end };
}

function skipDigits(text: string, start: number, fits: (code: number) => boolean): number {
  let end = start;
  while (fits(text.charCodeAt(end)) || (text[end] === '_' && fits(text.charCodeAt(end + 1)))) end += 1;
  return end;
}

function exponentEnd(text: string, start: number): number {
  if (text[start] !== 'e' && text[start] !== 'E') return start;
  const sign = text[start + 1] === '+' || text[start + 1] === '-' ? 1 : 0;
  const digits = start + 1 + sign;
  return isDigit(text.charCodeAt(digits)) ? skipDigits(text, digits, isDigit) : start;
}

function integer(digits: string): string {
  const plain = digits.replaceAll('_', '');
  return plain.length <= MOST_DIGITS ? BigInt(plain).toString() : plain;
}
