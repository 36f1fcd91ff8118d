import type { TSESTree } from '@typescript-eslint/utils';
import type { Block, Source } from '../analysis/regions.js';
import { is } from '../analysis/syntax.js';
import type { Draft } from './draft.js';
import type { Range } from './text.js';

/** Statements with the comments that belong to them: those on the lines above, and those that follow on the same line. */
export class Spans {
  constructor(private readonly sourceCode: Source) {}

  of(first: TSESTree.Node, last: TSESTree.Node = first): Range {
    return [this.startOf(first), this.endOf(last)];
  }

  /** Statements of a block by their indices. The last of a block has all comments up to the closing brace. */
  in(block: Block, first: number, last: number): Range {
    const isEnd = is(block, 'BlockStatement') && last === block.body.length - 1;
    const end = isEnd ? this.endBefore(block) : this.endOf(block.body[last]!);
    return [this.startOf(block.body[first]!), end];
  }

  private startOf(node: TSESTree.Node): number {
    const before = this.sourceCode.getTokenBefore(node);
    const own = this.sourceCode.getCommentsBefore(node).find((one) => !before || one.loc.start.line > before.loc.end.line);
    return own ? own.range[0] : node.range[0];
  }

  private endOf(node: TSESTree.Node): number {
    const line = node.loc.end.line;
    const after = this.sourceCode.getCommentsAfter(node).filter((one) => one.loc.start.line === line);
    return after.at(-1)?.range[1] ?? node.range[1];
  }

  private endBefore(block: TSESTree.BlockStatement): number {
    const brace = this.sourceCode.getLastToken(block)!;
    return this.sourceCode.getTokenBefore(brace, { includeComments: true })!.range[1];
  }

  /** Takes a statement off, with its comments and the line break before it. */
  remove(statement: TSESTree.Statement, draft: Draft): void {
    const [start, end] = this.of(statement);
    draft.replace([draft.text.breakBefore(start), end], []);
  }

  /** With the parentheses around it. */
  withParentheses(node: TSESTree.Node): Range {
    let { range }: { range: Range } = node;
    let before = this.sourceCode.getTokenBefore(node);
    let after = this.sourceCode.getTokenAfter(node);
    while (before?.value === '(' && after?.value === ')') {
      range = [before.range[0], after.range[1]];
      before = this.sourceCode.getTokenBefore(before);
      after = this.sourceCode.getTokenAfter(after);
    }
    return range;
  }
}
