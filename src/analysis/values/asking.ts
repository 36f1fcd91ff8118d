import type { TSESTree } from '@typescript-eslint/utils';

/** A question that is under way. */
export interface Question {
  readonly node: TSESTree.Node;
  /** How many others are under way around it. */
  readonly depth: number;
  /** How far out the questions before it were cut. */
  readonly cutBefore: number;
}

/** How many questions may be asked one for another, and how many in all for the outermost one. */
export interface Limits {
  readonly nested: number;
  readonly steps: number;
}

/**
 * Questions about nodes that are asked one for the sake of another. One that is under way already is cut, since there is no more to
 * be found that way; and what was found around it may be a part only, up to where that question itself is answered. What has not been
 * cut is the same wherever it is asked for, so that it may be kept. Of what is too knotted to follow nothing is known.
 */
export class Asking {
  private readonly underWay = new Map<TSESTree.Node, number>();
  private steps = 0;
  /** Whether the outermost question has turned out to be too much. */
  isOver = false;
  private cutAt = Infinity;

  constructor(private readonly limits: Limits) {}

  /** Whether a question has to be left without an answer, because it is under way. */
  isCut(node: TSESTree.Node): boolean {
    const depth = this.underWay.get(node);
    if (depth !== undefined) this.cutAt = Math.min(this.cutAt, depth);
    return depth !== undefined;
  }

  /** Whether there is no more to be asked, up to the end of the outermost question: it was too much already. */
  isTooMuch(): boolean {
    if (this.underWay.size === 0) [this.steps, this.isOver] = [0, false];
    if (this.underWay.size > this.limits.nested || ++this.steps > this.limits.steps) this.isOver = true;
    return this.isOver;
  }

  begin(node: TSESTree.Node): Question {
    const question = { node, depth: this.underWay.size, cutBefore: this.cutAt };
    this.underWay.set(node, question.depth);
    this.cutAt = Infinity;
    return question;
  }

  /** Whether the answer is the same wherever it is asked for. */
  end({ node, depth, cutBefore }: Question): boolean {
    this.underWay.delete(node);
    const isWhole = depth === 0 || this.cutAt >= depth;
    this.cutAt = isWhole ? cutBefore : Math.min(cutBefore, this.cutAt);
    return isWhole;
  }
}
