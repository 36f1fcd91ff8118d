import { expect, test } from 'vitest';
import { lex } from '../../src/sql/lexer.js';
import { flatten } from '../../src/sql/source.js';

function tokens(text: string): string[] {
  return lex(flatten({ parts: [text] })).map((token) => `${token.kind} ${token.style ?? ''}${token.value}`);
}

test.each<[string, string[]]>([
  // Names
  ['Select pg_Lock', ['word select', 'word pg_lock']],
  ['_a$1 über', ['word _a$1', 'word über']],
  ['ÀB', ['word Àb']],
  ['"A""b"', ['name A"b']],
  ['u&"d\\0061t\\+000061"', ['name data']],
  ['U&"d!0061t" UESCAPE \'!\' x', ['name dat', 'word x']],
  ['u & "a"', ['word u', 'operator &', 'name a']],
  ['"open', ['name open']],
  [`${'a'.repeat(64)} "${'ü'.repeat(32)}"`, [`word ${'a'.repeat(63)}`, `name ${'ü'.repeat(31)}`]],
  // Strings
  ["'it''s'", ["string it's"]],
  ["'a\\' b", ['string a\\', 'word b']],
  ["E'a\\'b\\n\\x41\\101\\u0042\\U00000043\\q'", ["string a'b\nAABCq"]],
  ["e'\\'", ["string '"]],
  ["N'a'", ['string a']],
  ["b'101' X'1F'", ['bits b101', 'bits x1F']],
  ["u&'\\0041'", ['string A']],
  ["U&'!0041' uescape '!'", ['string A']],
  ["'a'\n'b'", ['string ab']],
  ["'a' -- c\n 'b'", ['string ab']],
  ["'a' 'b'", ['string a', 'string b']],
  ["'a", ['string a']],
  ['$$a$b$$', ['string a$b']],
  ['$x$ $$ $y$ $x$z', ['string  $$ $y$ ', 'word z']],
  ['$x$ open', ['string  open']],
  ['a$b$c$b$', ['word a$b$c$b$']],
  // Comments
  ['a -- b\nc', ['word a', 'word c']],
  ['a/* /* b */ c */d', ['word a', 'word d']],
  ['a /* open', ['word a']],
  ['a - - b', ['word a', 'operator -', 'operator -', 'word b']],
  // Numbers
  ['1 007 1_000 0x1F 0b101 0o17 0X_f', ['number 1', 'number 7', 'number 1000', 'number 31', 'number 5', 'number 15', 'number 15']],
  ['1.5 .5 1. 1e3 1.5E-3', ['number 1.5', 'number .5', 'number 1.', 'number 1e3', 'number 1.5E-3']],
  ['1..10', ['number 1', 'punctuation ..', 'number 10']],
  ['1e', ['number 1', 'word e']],
  ['9223372036854775807', ['number 9223372036854775807']],
  // Operators
  ['a::int', ['word a', 'punctuation ::', 'word int']],
  ['a<-1', ['word a', 'operator <', 'operator -', 'number 1']],
  ['a@-1', ['word a', 'operator @-', 'number 1']],
  ['a*-1', ['word a', 'operator *', 'operator -', 'number 1']],
  ['a->>\'b\' <> c', ['word a', 'operator ->>', 'string b', 'operator <>', 'word c']],
  ['a|/*b*/|c', ['word a', 'operator |', 'operator |', 'word c']],
  ['f(a => 1, b := 2)', ['word f', 'punctuation (', 'word a', 'operator =>', 'number 1', 'punctuation ,', 'word b', 'punctuation :=', 'number 2', 'punctuation )']],
  // Placeholders
  ['$1 $12', ['placeholder $1', 'placeholder $12']],
  ['$key', ['placeholder $key']],
  ['${key} $(key) $<key> $[key] $/key/', ['placeholder $key', 'placeholder $key', 'placeholder $key', 'placeholder $key', 'placeholder $key']],
  ['${a.b} ${a:raw} $1:raw', ['placeholder $a.b', 'placeholder $a', 'placeholder $1']],
  ['(?, ?)', ['punctuation (', 'placeholder ?1', 'punctuation ,', 'placeholder ?2', 'punctuation )']],
  ['a ? b', ['word a', 'operator ?', 'word b']],
  ["where x = ? and y ? 'k'", ['word where', 'word x', 'operator =', 'placeholder ?1', 'word and', 'word y', 'operator ?', 'string k']],
  ['a=?', ['word a', 'operator =', 'placeholder ?1']],
  ['a ?| ? ?& b', ['word a', 'operator ?|', 'placeholder ?1', 'operator ?&', 'word b']],
  ['?::int', ['placeholder ?1', 'punctuation ::', 'word int']],
  ["?||'a'", ['placeholder ?1', 'operator ||', 'string a']],
  ["select '?', -- ?\n/* ? */ ?", ['word select', 'string ?', 'punctuation ,', 'placeholder ?1']],
  ['select ??', ['word select', 'placeholder ?1']],
  [':key ::int', ['placeholder :key', 'punctuation ::', 'word int']],
  [':key::int', ['placeholder :key', 'punctuation ::', 'word int']],
  [':key: :...keys', ['placeholder :key', 'placeholder :keys']],
  ['interval :age', ['word interval', 'placeholder :age']],
  ['a[1:n]', ['word a', 'punctuation [', 'number 1', 'punctuation :', 'word n', 'punctuation ]']],
  ['f(@key)', ['word f', 'punctuation (', 'placeholder @key', 'punctuation )']],
  ['a=@key', ['word a', 'operator =', 'placeholder @key']],
  ['a @> b', ['word a', 'operator @>', 'word b']],
  ['a @@ b @? c', ['word a', 'operator @@', 'word b', 'operator @?', 'word c']],
  ['@ -1', ['operator @', 'operator -', 'number 1']],
  // No part of the language
  ['{a} \\', ['junk {', 'word a', 'junk }', 'junk \\']],
  ['$', ['junk $']],
])('%s', (text, expected) => {
  expect(tokens(text)).toEqual(expected);
});

test('a hole is a token of its own, a part of the name it touches, or a piece of a string', () => {
  const hole = { hole: 0, kind: 'text' } as const;
  const kinds = (...parts: (string | typeof hole)[]): string[] => lex(flatten({ parts })).map((token) => token.kind);
  expect(kinds('a = ', hole)).toEqual(['word', 'operator', 'hole']);
  expect(kinds('lock_', hole)).toEqual(['word']);
  expect(kinds(hole, '_lock')).toEqual(['word']);
  expect(kinds('select', hole)).toEqual(['word', 'hole']);
  expect(kinds(hole, 'select')).toEqual(['hole', 'word']);
  expect(kinds('"', hole, '"')).toEqual(['name']);
  expect(kinds("'a ", hole, " b'")).toEqual(['string']);
  expect(kinds('1', hole)).toEqual(['junk', 'hole']);
  expect(kinds('-- ', hole, '\n')).toEqual([]);
});

test('offsets are those of the flattened text', () => {
  const [, second] = lex(flatten({ parts: ['ab ', { hole: 0, kind: 'value' }, ' c'] }));
  expect(second).toMatchObject({ kind: 'hole', start: 3, end: 4, hole: 0, holeKind: 'value' });
});

test('the character that stands for a hole is no hole where the program wrote it', () => {
  expect(lex(flatten({ parts: ['a \uFFFC'] })).map((token) => token.kind)).toEqual(['word', 'junk']);
});
