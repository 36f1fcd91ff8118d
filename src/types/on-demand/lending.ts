import { Scanner } from '../imports/scanner.js';

const MODULE = /^[\t ]*(?:import|export)\b|\brequire\s*\(|\bexports\b/m;
const DECLARING = new Set(['var', 'let', 'const', 'function', 'class', 'interface', 'type', 'enum', 'namespace']);

/**
 * The names that a file declares for files that do not import it: in augmentations, or all of a script. What every file has (`Error`)
 * is not among them, only what is added to it.
 */
export function namesLentBy(text: string): string[] {
  const bodies = [...augmentationsIn(text)];
  if (!MODULE.test(text)) bodies.push(text);
  return [...new Set(bodies.flatMap((body) => [...namesIn(body)]))].filter((name) => !(name in globalThis));
}

/** What stands in the braces of `declare global { … }` and `declare module 'x' { … }`, where these begin a line. */
function* augmentationsIn(text: string): Generator<string> {
  const scanner = new Scanner(text);
  for (let at = text.indexOf('declare'); at !== -1; at = text.indexOf('declare', scanner.at)) {
    scanner.at = at + 'declare'.length;
    if (!isFirstOfLine(text, at) || !(scanner.takesWord('global') || (scanner.takesWord('module') && scanner.string() !== undefined)) || !scanner.takes('{')) continue;
    const start = scanner.at;
    const isClosed = toClosingBrace(scanner);
    yield text.slice(start, isClosed ? scanner.at - 1 : scanner.at);
  }
}

function isFirstOfLine(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && text[before] !== '\n' && /\s/.test(text[before]!)) before--;
  return before < 0 || text[before] === '\n';
}

function toClosingBrace(scanner: Scanner): boolean {
  for (let depth = 1; scanner.next !== ''; ) {
    if (scanner.word() !== undefined || scanner.string() !== undefined) continue;
    const letter = scanner.next;
    scanner.at++;
    if (letter === '{') depth++;
    else if (letter === '}' && --depth === 0) return true;
  }
  return false;
}

/** Declared names, and names of members that begin a line. */
function* namesIn(body: string): Generator<string> {
  const scanner = new Scanner(body);
  for (let end = 0; scanner.next !== ''; end = scanner.at) {
    const isFirst = end === 0 || body.slice(end, scanner.at).includes('\n');
    let word = scanner.word();
    if (word === undefined) {
      if (scanner.string() === undefined && scanner.next !== '') scanner.at++;
      continue;
    }
    if (DECLARING.has(word)) yield scanner.word() ?? word;
    else if (isFirst) {
      if (word === 'readonly') word = scanner.word() ?? word;
      scanner.takes('?');
      if (scanner.next === ':' || scanner.next === '(') yield word;
    }
  }
}
