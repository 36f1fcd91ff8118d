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
  private all: readonly Piece[] | undefined;
  private starts: readonly number[] | undefined;

  constructor(tree: Tree) {
    this.ast = tree.ast;
    this.text = tree.text;
    this.scopeManager = tree.scopes;
  }

  get tokens(): readonly TSESTree.Token[] {
    return this.ast.tokens ?? [];
  }

  getTokenBefore(place: Place, { includeComments = false } = {}): TSESTree.Token | null {
    for (let index = this.from(place.range[0]) - 1; index >= 0; index--) if (includeComments || !isComment(this.pieces[index]!)) return this.pieces[index] as TSESTree.Token;
    return null;
  }

  getTokenAfter(place: Place): TSESTree.Token | null {
    for (let index = this.from(place.range[1]); index < this.pieces.length; index++) if (!isComment(this.pieces[index]!)) return this.pieces[index] as TSESTree.Token;
    return null;
  }

  getTokenByRangeStart(offset: number, { includeComments = false } = {}): TSESTree.Token | null {
    const piece = this.pieces[this.from(offset)];
    return piece?.range[0] === offset && (includeComments || !isComment(piece)) ? (piece) : null;
  }

  /** The offset of a place. */
  getIndexFromLoc({ line, column }: TSESTree.Position): number {
    this.starts ??= startsOfLines(this.text);
    return (this.starts[line - 1] ?? this.text.length) + column;
  }

  getFirstToken(node: TSESTree.Node, { filter = (): boolean => true }: { filter?: (token: TSESTree.Token) => boolean } = {}): TSESTree.Token | null {
    return (this.inside(node).find((one) => !isComment(one) && filter(one)) ?? null);
  }

  getLastToken(node: TSESTree.Node): TSESTree.Token | null {
    return (this.inside(node).findLast((one) => !isComment(one)) ?? null);
  }

  /** Between the token before a place and the place. */
  getCommentsBefore(place: Place): TSESTree.Comment[] {
    const start = this.getTokenBefore(place)?.range[1] ?? 0;
    return this.between(start, place.range[0]).filter(isComment);
  }

  /** Between a place and the token after it. */
  getCommentsAfter(place: Place): TSESTree.Comment[] {
    const end = this.getTokenAfter(place)?.range[0] ?? this.text.length;
    return this.between(place.range[1], end).filter(isComment);
  }

  getCommentsInside(node: TSESTree.Node): TSESTree.Comment[] {
    return this.inside(node).filter(isComment);
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

  private get pieces(): readonly Piece[] {
    return (this.all ??= merged(this.ast.tokens ?? [], this.ast.comments ?? []));
  }

  private inside(node: TSESTree.Node): Piece[] {
    return this.between(...node.range);
  }

  private between(start: number, end: number): Piece[] {
    const found: Piece[] = [];
    for (let index = this.from(start); index < this.pieces.length && this.pieces[index]!.range[1] <= end; index++) found.push(this.pieces[index]!);
    return found;
  }

  /** Index of the first piece that starts at an offset or after it. */
  private from(offset: number): number {
    let [low, high] = [0, this.pieces.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.pieces[middle]!.range[0] < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Tokens and comments, each in the order of the text, as one list. */
function merged(tokens: readonly TSESTree.Token[], comments: readonly TSESTree.Comment[]): readonly Piece[] {
  if (comments.length === 0) return tokens;
  const all: Piece[] = new Array<Piece>(tokens.length + comments.length);
  let next = 0;
  for (const [index, comment] of comments.entries()) {
    while (next < tokens.length && tokens[next]!.range[0] < comment.range[0]) all[index + next] = tokens[next++]!;
    all[index + next] = comment;
  }
  for (; next < tokens.length; next++) all[comments.length + next] = tokens[next]!;
  return all;
}

const isComment = (piece: Piece): piece is TSESTree.Comment => piece.type === ('Block' as never) || piece.type === ('Line' as never);
