import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { startsOfLines } from './lines.js';
import type { Tree } from './tree.js';

type Piece = TSESTree.Token | TSESTree.Comment;
type Place = TSESTree.Node | Piece;

/**
 * The text of a tree with its tokens and comments. The questions and answers are those of ESLint's `SourceCode`, but any tree will
 * do, whoever parsed it: the host's, or the one that the plugin makes with types of its own.
 */
export class Source {
  readonly ast: TSESTree.Program;
  readonly text: string;
  readonly scopeManager: Scope.ScopeManager;
  private starts: readonly number[] | undefined;

  constructor(tree: Tree) {
    this.ast = tree.ast;
    this.text = tree.text;
    this.scopeManager = tree.scopes;
  }

  get tokens(): readonly TSESTree.Token[] {
    return this.ast.tokens ?? [];
  }

  private get comments(): readonly TSESTree.Comment[] {
    return this.ast.comments ?? [];
  }

  getTokenBefore({ range: [offset] }: Place, { includeComments = false } = {}): TSESTree.Token | null {
    const token = this.tokens[firstFrom(this.tokens, offset) - 1];
    const comment = includeComments ? this.comments[firstFrom(this.comments, offset) - 1] : undefined;
    return (comment && (!token || token.range[0] < comment.range[0]) ? comment : token) ?? null;
  }

  getTokenAfter(place: Place): TSESTree.Token | null {
    return this.tokens[firstFrom(this.tokens, place.range[1])] ?? null;
  }

  getTokenByRangeStart(offset: number, { includeComments = false } = {}): TSESTree.Token | null {
    for (const pieces of includeComments ? [this.tokens, this.comments] : [this.tokens]) {
      const piece = pieces[firstFrom(pieces, offset)];
      if (piece?.range[0] === offset) return piece;
    }
    return null;
  }

  /** The offset of a place. */
  getIndexFromLoc({ line, column }: TSESTree.Position): number {
    this.starts ??= startsOfLines(this.text);
    return (this.starts[line - 1] ?? this.text.length) + column;
  }

  getFirstToken({ range: [start, end] }: TSESTree.Node, { filter = (): boolean => true }: { filter?: (token: TSESTree.Token) => boolean } = {}): TSESTree.Token | null {
    return within(this.tokens, start, end).find(filter) ?? null;
  }

  getLastToken({ range: [start, end] }: TSESTree.Node): TSESTree.Token | null {
    return within(this.tokens, start, end).at(-1) ?? null;
  }

  /** Between the token before a place and the place. */
  getCommentsBefore(place: Place): TSESTree.Comment[] {
    return within(this.comments, this.getTokenBefore(place)?.range[1] ?? 0, place.range[0]);
  }

  /** Between a place and the token after it. */
  getCommentsAfter(place: Place): TSESTree.Comment[] {
    return within(this.comments, place.range[1], this.getTokenAfter(place)?.range[0] ?? this.text.length);
  }

  getCommentsInside({ range: [start, end] }: TSESTree.Node): TSESTree.Comment[] {
    return within(this.comments, start, end);
  }

  /** The scope that a node stands in. */
  getScope(node: TSESTree.Node): Scope.Scope {
    const inner = node.type !== ('Program' as never);
    for (let at: TSESTree.Node | undefined = node; at; at = at.parent) {
      const scope = this.scopeManager.acquire(at, inner);
      if (scope) return scope.type === ('function-expression-name' as never) ? scope.childScopes[0]! : scope;
    }
    return this.scopeManager.scopes[0]!;
  }
}

/** The tokens, or the comments, of a range, out of all of them in the order of the text. */
function within<T extends Piece>(pieces: readonly T[], start: number, end: number): T[] {
  const found: T[] = [];
  for (let index = firstFrom(pieces, start); index < pieces.length && pieces[index]!.range[1] <= end; index++) found.push(pieces[index]!);
  return found;
}

/** Index of the first one that starts at an offset or after it. */
function firstFrom(pieces: readonly Piece[], offset: number): number {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pieces[middle]!.range[0] < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
