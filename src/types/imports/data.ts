import { Scanner } from './scanner.js';

/** JSON as configs have it: with comments, and commas at the end of lists. `undefined` for what is none. */
export function readLoosely(text: string): unknown {
  const scanner = new Scanner(text);
  const pieces: string[] = [];
  while (scanner.next !== '') {
    const start = scanner.at;
    if (scanner.string() === undefined) scanner.at = start + 1;
    const piece = text.slice(start, scanner.at);
    if ((piece === '}' || piece === ']') && pieces.at(-1) === ',') pieces.pop();
    pieces.push(piece);
  }
  try {
    return JSON.parse(pieces.join(''));
  } catch {
    return undefined;
  }
}

export const valueOf = (content: unknown, key: string): unknown => (typeof content === 'object' && content !== null && Object.hasOwn(content, key) ? (content as Record<string, unknown>)[key] : undefined);

/** All strings in a value, and in what it has. */
export function stringsIn(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  return typeof content === 'object' && content !== null ? Object.values(content).flatMap(stringsIn) : [];
}

/** What `*` of a pattern stands for in a text: nothing where there is none in it, `undefined` where they do not fit. */
export function partOf(pattern: string, text: string): string | undefined {
  const at = pattern.indexOf('*');
  if (at === -1) return text === pattern ? '' : undefined;
  const end = pattern.slice(at + 1);
  return text.length >= at + end.length && text.startsWith(pattern.slice(0, at)) && text.endsWith(end) ? text.slice(at, text.length - end.length) : undefined;
}
