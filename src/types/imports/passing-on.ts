import type { Take } from './carriers.js';
import { readModule } from './text.js';

/** What a function that is exported calls with something that it is given itself. */
export interface PassedOn {
  readonly take: Take<string>;
  /** What it calls of a namespace. */
  readonly members: string;
  readonly exports: readonly string[];
}

/**
 * Exported functions of a text that call what it takes of other files with what they are given. Read without a parser: what only looks
 * like it costs a file a look, and what is written otherwise is not found.
 */
export function passedOnIn(text: string, { takes, exports, renamed } = readModule(text)): PassedOn[] {
  const byLocal = new Map(takes.flatMap((take) => (take.local !== undefined && take.as === undefined ? [[take.local, take] as const] : [])));
  const found = new Map<Take<string>, { readonly members: string[]; readonly exports: Set<string> }>();
  for (const { name, own } of byLocal.size > 0 ? functionsIn(text) : []) {
    const names = [...(exports.includes(name) ? [name] : []), ...renamed.flatMap(([local, exported]) => (local === name ? [exported] : [])), ...(own.startsWith('export default') ? ['default'] : [])];
    for (const [called, member] of names.length > 0 ? calledWith(own, parametersOf(own)) : []) {
      const take = byLocal.get(called);
      if (!take) continue;
      const known = found.get(take) ?? { members: [], exports: new Set() };
      found.set(take, known);
      known.members.push(member);
      for (const one of names) known.exports.add(one);
    }
  }
  return [...found].map(([take, { members, exports: all }]) => ({ take, members: members.join(' '), exports: [...all] }));
}

/** The exports of a text that pass on what they are given to one of these names of it. */
export function passingOn(text: string, locals: Iterable<string>): Set<string> {
  const names = new Set(locals);
  return new Set(names.size === 0 ? [] : passedOnIn(text).flatMap(({ take, exports }) => (names.has(take.local!) ? exports : [])));
}

const DECLARATION = /^(?:export )?(?:default )?(?:async )?(?:function\*?|const) ?([\w$]*)/;

/** The functions at the top of a text: what stands from one line that is not indented up to the next one that begins a statement. */
function functionsIn(text: string): { readonly name: string; readonly own: string }[] {
  const starts = [...text.matchAll(/^(?:export|async|function|const|class|interface|type|let|abstract)\b/gm)].map(({ index }) => index);
  return starts.flatMap((start, index) => {
    const own = text.slice(start, starts[index + 1]);
    const name = DECLARATION.exec(own)?.[1];
    return name === undefined ? [] : [{ name, own }];
  });
}

/** What is written as a number, a text or a condition is no handle. */
const PLAIN = /^\s*\??:\s*(?:string|number|bigint|boolean)\b/;

function parametersOf(own: string): Set<string> {
  const list = bracketed(own, own.indexOf('('));
  const words = [...list.matchAll(/(?<![\w$])[\w$]+(?=\s*[?:,)}=]|$)/g)];
  return new Set(words.filter(({ index, 0: word }) => !PLAIN.test(list.slice(index + word.length, index + word.length + 20))).map(([word]) => word));
}

/** The names by which a function calls something, or a member of it, with what it is given. */
function calledWith(own: string, given: ReadonlySet<string>): (readonly [name: string, member: string])[] {
  const behind = own.indexOf('(') + 1;
  return given.size === 0 ? [] : [...own.slice(behind).matchAll(/(?<![\w$])([\w$]+)(?:\.([\w$]+))?\(/g)].flatMap(({ index, 0: call, 1: name, 2: member }) =>
    ((bracketed(own, behind + index + call.length - 1).match(/[\w$]+/g) ?? []).some((word) => given.has(word)) ? [[name!, member ?? ''] as const] : []));
}

/** How long a list of parameters or arguments may be: of many in each other, each would be read to its end. */
const MAX_LENGTH = 1000;

/** What stands between a bracket and its other one. */
function bracketed(text: string, start: number): string {
  let depth = 0;
  for (let at = start; at >= 0 && at < text.length && at - start < MAX_LENGTH; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return text.slice(start + 1, at);
  }
  return '';
}
