import type { TSESTree } from '@typescript-eslint/utils';
import type { LockUse } from '../analysis/model.js';
import type { Source } from '../analysis/regions.js';
import { contains, is, walk } from '../analysis/syntax.js';
import type { Range } from './text.js';

/** A lock function as it is written at its call, by the parts of the source that a rewrite may change. */
export interface Written {
  /** The string or template. */
  readonly literal: TSESTree.Literal | TSESTree.TemplateLiteral;
  readonly name: Range;
  /** Between the parentheses. */
  readonly args: Range;
  /** From behind the parentheses to the end of the text. */
  readonly rest: Range;
  /** Whether the text is `SELECT name(args)`, with or without a name for the column, and nothing else. */
  readonly isAlone: boolean;
}

/** `undefined` where the text stands elsewhere, or is put together of parts. */
export function writtenAt({ call, loc, lock }: LockUse, sourceCode: Source): Written | undefined {
  const name: Range = [sourceCode.getIndexFromLoc(loc.start), sourceCode.getIndexFromLoc(loc.end)];
  if (sourceCode.text.slice(...name).toLowerCase() !== lock.function.name) return undefined;
  const literal = [...walk(call.node)].find((one): one is Written['literal'] => (is(one, 'Literal') || is(one, 'TemplateLiteral')) && one.range[0] < name[0] && name[1] < one.range[1] && !isInHole(one, name));
  const args = literal && argsBehind(name[1], literal.range[1] - 1, sourceCode.text);
  if (!args || !contains(call.node, literal)) return undefined;
  const rest: Range = [args[1] + 1, literal.range[1] - 1];
  const isAlone = isAllOfStatement(sourceCode.text.slice(literal.range[0] + 1, name[0]), sourceCode.text.slice(...rest));
  return { literal, name, args, rest, isAlone };
}

/** Whether `SELECT` alone stands before a call in SQL, and behind it a name for the column, or nothing. */
export function isAllOfStatement(before: string, behind: string): boolean {
  if (!/^select\s+$/i.test(before.trimStart().replace(/pg_catalog\.$/i, ''))) return false;
  const name = behind.trimEnd().replace(/;$/, '').trimEnd();
  return name === '' || (name.trimStart() !== name && /^(?:as\s+)?"?[a-z_]\w*"?$/i.test(name.trimStart()));
}

const isInHole = (literal: TSESTree.Node, name: Range): boolean => is(literal, 'TemplateLiteral') && literal.expressions.some((one) => one.range[0] <= name[0] && name[1] <= one.range[1]);

/** The text in the parentheses at an offset; `undefined` where they are not closed before the end. */
function argsBehind(start: number, end: number, text: string): Range | undefined {
  const open = start + /^\s*/.exec(text.slice(start, end))![0].length;
  if (text[open] !== '(') return undefined;
  let depth = 0;
  let quote = false;
  for (let at = open; at < end; at++) {
    const letter = text[at];
    if (letter === "'") quote = !quote;
    else if (quote) continue;
    else if (letter === '(') depth++;
    else if (letter === ')' && --depth === 0) return [open + 1, at];
  }
  return undefined;
}
