import type { Key, KeyPart } from '../model.js';

/** A key as it is read, for people: `42`, `1, $2`, `hashtext(job)::bigint`; `?` stands for what is not in view. */
export const keyText = ({ parts }: Key): string => parts.map(textOf).join(', ');

function textOf(part: KeyPart): string {
  switch (part.kind) {
    case 'constant':
      return part.type === 'text' && !/^-?\d+$/.test(part.text) ? `'${part.text}'` : part.text;
    case 'expression':
      return part.text;
    case 'cast':
      return `${part.of.kind === 'call' && /^sql|^\W/.test(part.of.name) ? `(${textOf(part.of)})` : textOf(part.of)}::${TYPES[part.type] ?? part.type}`;
    case 'call':
      return part.text ?? (part.name === 'template' ? templateText(part.args) : ofCall(part.name, part.args.map(textOf)));
    case 'unknown':
      return part.text ?? '?';
  }
}

const TYPES: Readonly<Record<string, string>> = { int2: 'smallint', int4: 'int', int8: 'bigint' };

const templateText = (pieces: readonly KeyPart[]): string =>
  `\`${pieces.map((one) => (one.kind === 'constant' ? one.text.replace(/[`\\]|\$\{/g, '\\$&') : `\${${textOf(one)}}`)).join('')}\``;

/** The names that `Keys` gives: a function of SQL, `js f`, `sql {} || {}`, an operator, a member. */
function ofCall(name: string, args: readonly string[]): string {
  const [kind, rest = ''] = /^(js|sql|unary) ([^]*)$/.exec(name)?.slice(1) ?? [];
  const [first = '?', second = '?'] = args;
  if (kind === 'sql') return filled(rest, args);
  if (kind === 'unary') return `${rest}${first}`;
  if (kind === 'js') return rest.startsWith('.') ? `${first}${rest}(${args.slice(1).join(', ')})` : `${rest}(${args.join(', ')})`;
  if (name === '[]') return `${first}[${second}]`;
  if (name.startsWith('.')) return /^\.\d+$/.test(name) ? `${first}[${name.slice(1)}]` : `${first}${name}`;
  return /^[\w$]/.test(name) ? `${name}(${args.join(', ')})` : `${first} ${name} ${second}`;
}

/** A text with each of its holes filled by the next of some texts. */
function filled(text: string, texts: readonly string[]): string {
  return text.split('{}').map((piece, index) => (index === 0 ? piece : `${texts[index - 1] ?? '?'}${piece}`)).join('');
}

/** Whether a key is one number wherever its code runs: made of constants, and of values that a file or a repository has once. */
export function isFixed({ parts }: Key): boolean {
  return parts.length > 0 && parts.every(isFixedPart);
}

function isFixedPart(part: KeyPart): boolean {
  if (part.kind === 'call') return part.args.every(isFixedPart);
  if (part.kind === 'cast') return isFixedPart(part.of);
  return part.kind === 'constant' || (part.kind === 'expression' && !part.fromParameter && !part.identity.startsWith('this '));
}
