import type { Key, KeyPart } from './model.js';

/** A key as it is read, for people: `42`, `1, $2`, `hashtext(job)`; `?` stands for what is not in view. */
export const keyText = ({ parts }: Key): string => parts.map(textOf).join(', ');

function textOf(part: KeyPart): string {
  switch (part.kind) {
    case 'constant':
      return /^-?\d+$|^null$/.test(part.text) ? part.text : `'${part.text}'`;
    case 'expression':
      return part.text;
    case 'call':
      return ofCall(part.name, part.args.map(textOf));
    case 'unknown':
      return part.text ?? '?';
  }
}

/** The names that `Keys` gives: a function of SQL, `js f`, `template a${}b`, `sql {} || {}`, an operator, a member. */
function ofCall(name: string, args: readonly string[]): string {
  const [kind, rest = ''] = /^(js|template|sql|unary) ([^]*)$/.exec(name)?.slice(1) ?? [];
  const [first = '?', second = '?'] = args;
  if (kind === 'template') return `\`${filled(rest, '${}', args.map((one) => `\${${one}}`))}\``;
  if (kind === 'sql') return filled(rest, '{}', args);
  if (kind === 'unary') return `${rest}${first}`;
  if (kind === 'js') return rest.startsWith('.') ? `${first}${rest}(${args.slice(1).join(', ')})` : `${rest}(${args.join(', ')})`;
  if (name === '[]') return `${first}[${second}]`;
  if (name.startsWith('.')) return `${first}${name}`;
  return /^[\w$]/.test(name) ? `${name}(${args.join(', ')})` : `${first} ${name} ${second}`;
}

/** A text with each hole filled by the next of some texts. */
function filled(text: string, hole: string, texts: readonly string[]): string {
  return text.split(hole).map((piece, index) => (index === 0 ? piece : `${texts[index - 1] ?? '?'}${piece}`)).join('');
}

/** Whether a key is one number wherever its code runs: made of constants, and of values that a file or a repository has once. */
export function isFixed({ parts }: Key): boolean {
  return parts.length > 0 && parts.every(isFixedPart);
}

function isFixedPart(part: KeyPart): boolean {
  if (part.kind === 'call') return part.args.every(isFixedPart);
  return part.kind === 'constant' || (part.kind === 'expression' && !part.fromParameter && !part.identity.startsWith('this '));
}
