import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../analysis/facts.js';
import type { Source } from '../analysis/regions.js';
import { is, isFunction, walk } from '../analysis/syntax.js';
import type { Edit, Rewrite } from './model.js';
import { scanOf } from './scan.js';
import type { Range } from './text.js';

/** Blocks that stand on one line, and would be too long for one when they are rewritten: their statements get lines of their own. */

/** White space of the file in whose place a line begins. */
export interface Break {
  readonly range: Range;
  /** Of the new line. */
  readonly indent: string;
}

const LONGEST_LINE = 120;
const WORD = 20;

let current: readonly Break[] = [];

/** The breaks of the rewrite that is being made. */
export const breaksNow = (): readonly Break[] => current;

/** A rewrite as it is made; where a line gets long that way, made again with the blocks on that line unfolded. */
export function unfolding(make: () => Rewrite | undefined, facts: FileFacts): Rewrite | undefined {
  const made = make();
  const { source } = facts;
  const breaks = made && isFolded(made, source) ? breaksFor(made.edits, facts) : [];
  if (breaks.length === 0) return made;
  current = breaks;
  try {
    return make() ?? made;
  } finally {
    current = [];
  }
}

/** Whether it makes a long line, or one that goes on below although it began with several statements. */
function isFolded({ edits }: Rewrite, { text }: Source): boolean {
  return edits.some(({ range: [start, end], text: by }) => {
    const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
    const behind = /^[^\n]*/.exec(text.slice(end))![0];
    const own = before.length + end - start + behind.length;
    // Whoever writes long lines gets no others for a word more.
    const longest = own > LONGEST_LINE ? own + WORD : LONGEST_LINE;
    return `${before}${by}${behind}`.split('\n').some((line) => line.length > longest) || (by.includes('\n') && /[;{]\s*\S/.test(before));
  });
}

function breaksFor(edits: readonly Edit[], { source, uses }: FileFacts): Break[] {
  const around = spanOf(edits.map(({ range }) => range));
  const places: Range[] = [...edits.map(({ range }) => range), ...uses.map(({ call }) => call.node.range).filter((one) => isIn(one, around) && edits.some(({ range }) => isIn(one, range)))];
  const all = spanOf(places);
  // Most of a file lies before or behind them all.
  const holds = ({ range }: TSESTree.Node): boolean => range[0] <= all[1] && range[1] >= all[0] && places.some((one) => isIn(one, range));
  const breaks: Break[] = [];
  visit(source.ast, '', false);
  return breaks.sort((one, other) => one.range[0] - other.range[0]);

  /** `indent`: of the line on which the node will stand, where that is a new one. */
  function visit(node: TSESTree.Node, indent: string, isNew: boolean): void {
    for (const block of blocksIn(node, holds)) {
      const outer = isNew && block.loc.start.line === node.loc.start.line ? indent : indentOf(block, source);
      if (is(block, 'BlockStatement') && isOnOneLine(block)) unfold(block, outer);
      else separate(block, outer);
    }
  }

  function unfold(block: TSESTree.BlockStatement, outer: string): void {
    const inner = outer + scanOf(source).style.indent;
    const [open, close] = [source.getFirstToken(block)!, source.getLastToken(block)!];
    for (const statement of block.body) {
      // A comment belongs to what follows it.
      const before = source.getTokenBefore(statement) ?? open;
      breaks.push(breakBehind(before, inner));
      visit(statement, inner, true);
    }
    breaks.push(breakBehind(source.getTokenBefore(close, { includeComments: true })!, outer));
  }

  /** Statements that stand on one line of a block of several. */
  function separate(block: TSESTree.BlockStatement | TSESTree.Program, outer: string): void {
    block.body.forEach((statement, index) => {
      const last = block.body[index - 1];
      const isBeside = last !== undefined && last.loc.end.line === statement.loc.start.line && [last, statement].some((one) => places.some((place) => isIn(place, one.range) || isIn(one.range, place)));
      const isHolding = holds(statement);
      if (!isBeside && !isHolding) return;
      const indent = indentOf(statement, source);
      if (isBeside) breaks.push(breakBehind(source.getTokenBefore(statement)!, indent));
      if (isHolding) visit(statement, isBeside ? indent : outer, isBeside);
    });
  }

  function breakBehind(token: TSESTree.Token, indent: string): Break {
    const start = token.range[1];
    return { range: [start, start + /^[^\S\n]*/.exec(source.text.slice(start))![0].length], indent };
  }
}

/** The outermost blocks within a node that have to do with some places, and those beside them in a `try` or an `if`. */
function blocksIn(node: TSESTree.Node, holds: (node: TSESTree.Node) => boolean): (TSESTree.BlockStatement | TSESTree.Program)[] {
  if (is(node, 'Program')) return [node];
  const found: TSESTree.BlockStatement[] = [];
  const isBlock = (one: TSESTree.Node): boolean => is(one, 'BlockStatement') && one !== node;
  for (const one of walk(node, (inner) => isBlock(inner) || (isFunction(inner) && !holds(inner)))) {
    if (!is(one, 'BlockStatement') || one === node || one.body.length === 0) continue;
    const { parent } = one;
    const owner = is(parent, 'CatchClause') ? parent.parent : parent;
    if (holds(one) || (is(owner, 'TryStatement', 'IfStatement') && holds(owner))) found.push(one);
  }
  return found;
}

const isOnOneLine = ({ loc }: TSESTree.Node): boolean => loc.start.line === loc.end.line;

const spanOf = (ranges: readonly Range[]): Range => [Math.min(...ranges.map(([start]) => start)), Math.max(...ranges.map(([, end]) => end))];

const isIn = (inner: Range, outer: Range): boolean => outer[0] <= inner[0] && inner[1] <= outer[1];

const indentOf = (node: TSESTree.Node, { text }: Source): string => /^[^\S\n]*/.exec(text.slice(text.lastIndexOf('\n', Math.max(0, node.range[0] - 1)) + 1))![0];
