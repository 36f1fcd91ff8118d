/** Character classes of PostgreSQL's scanner: https://github.com/postgres/postgres/blob/master/src/backend/parser/scan.l */

/** Stands for a hole in flattened text. Other occurrences of it are told apart by their offset. */
export const HOLE = '\uFFFC';
export const HOLE_CODE = 0xfffc;

export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

export function isNewline(code: number): boolean {
  return code === 10 || code === 13;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isHexDigit(code: number): boolean {
  return isDigit(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
}

/** Every character outside ASCII may be part of a name; PostgreSQL looks at bytes. */
export function isNameStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || (code >= 0x80 && code !== HOLE_CODE);
}

export function isNamePart(code: number): boolean {
  return isNameStart(code) || isDigit(code) || code === 36;
}

const OPERATOR_CHARACTERS = new Set(Array.from('+-*/<>=~!@#%^&|`?', (character) => character.charCodeAt(0)));

export function isOperatorCharacter(code: number): boolean {
  return OPERATOR_CHARACTERS.has(code);
}

/** PostgreSQL cuts names after 63 bytes, between characters. */
export function cutName(name: string): string {
  if (name.length <= 21) return name;
  let bytes = 0;
  let length = 0;
  for (const character of name) {
    const code = character.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > 63) return name.slice(0, length);
    length += character.length;
  }
  return name;
}

/** Unquoted names are folded in ASCII only, as in a multi-byte encoding. */
export function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}
