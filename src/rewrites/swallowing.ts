import type { TSESTree } from '@typescript-eslint/utils';
import type { LockUse } from '../analysis/model.js';
import { between, type Source } from '../analysis/regions.js';
import { contains, is, isFunction, isMember, memberName, walk } from '../analysis/syntax.js';
import { isCheck, isInFinalizer } from './aftermath.js';
import type { Way } from './answer.js';
import type { Draft } from './draft.js';
import type { Names } from './names.js';
import { isOnlyIn } from './placement.js';
import { Spans } from './spans.js';
import { deeper, linesOf, type Line } from './text.js';

/**
 * Code that keeps the error of an unlock to itself. On a connection that goes back to its pool afterwards, nobody would know that
 * the lock may still be on it: the error is thrown on.
 */
export class Swallowing {
  private readonly spans: Spans;

  constructor(private readonly sourceCode: Source, private readonly draft: Draft, private readonly names: Names) {
    this.spans = new Spans(sourceCode);
  }

  /** Whether something that is there for the unlock alone takes its error. */
  catches(unlock: LockUse, within: TSESTree.Node): boolean {
    return catchOn(unlock.call.node) !== undefined || [...between(unlock.call.node, within)].some((at) => is(at, 'TryStatement') && at.handler !== null && contains(at.block, unlock.call.node) && isOnlyIn(at.block, unlock));
  }

  /** Lets the handler that is chained on an unlock throw the error on; `false` where it cannot. */
  endChain({ call }: LockUse): boolean {
    const chained = catchOn(call.node);
    return !chained || this.endCatch(chained);
  }

  /** The same of the handlers of `try` statements that are there for the unlock alone. */
  endTries(unlock: LockUse, within: TSESTree.Node, way: Way): boolean {
    for (const at of between(unlock.call.node, within)) {
      if (is(at, 'TryStatement') && at.handler && contains(at.block, unlock.call.node) && isOnlyIn(at.block, unlock) && !this.endTry(at, at.handler, way === 'intoFinally' || isInFinalizer(at))) return false;
    }
    return true;
  }

  // ---- call.catch(handler)

  private endCatch({ callee, arguments: [handler], range }: TSESTree.CallExpression & { callee: TSESTree.MemberExpression }): boolean {
    if (handler && this.isNothing(handler)) {
      this.draft.replace([callee.object.range[1], range[1]], []);
      return true;
    }
    if (is(handler, 'Identifier') || (handler && isMember(handler))) {
      this.draft.replace(handler.range, this.throwing('(error) => {', `${this.draft.text.of(handler)}(error)`, 'error'));
      return true;
    }
    if (!isFunction(handler) || handler.params.length > 1 || leaves(handler.body)) return false;
    const name = this.parameterOf(handler);
    if (name === undefined) return false;
    if (is(handler.body, 'BlockStatement')) this.append(handler.body, name);
    else this.draft.replace(this.spans.withParentheses(handler.body), this.throwing('{', this.draft.text.of(handler.body), name));
    return true;
  }

  /** A handler's block that does something and throws the error on. */
  private throwing(open: string, done: string, name: string): Line[] {
    const { style } = this.draft.text;
    const { end } = style;
    return [...linesOf(open), ...deeper([...linesOf(`${done}${end}`), ...linesOf(`throw ${name}${end}`)], style), ...linesOf('}')];
  }

  private isNothing(handler: TSESTree.Node): boolean {
    if (!isFunction(handler) || this.sourceCode.getCommentsInside(handler).length > 0) return false;
    if (is(handler.body, 'BlockStatement')) return handler.body.body.length === 0;
    const isEmpty = (is(handler.body, 'ArrayExpression') && handler.body.elements.length === 0) || (is(handler.body, 'ObjectExpression') && handler.body.properties.length === 0);
    return isEmpty || is(handler.body, 'Literal') || (is(handler.body, 'Identifier') && handler.body.name === 'undefined');
  }

  private parameterOf(handler: TSESTree.ArrowFunctionExpression | TSESTree.FunctionExpression | TSESTree.FunctionDeclaration): string | undefined {
    const [param] = handler.params;
    if (param) return is(param, 'Identifier') ? param.name : undefined;
    const name = this.names.local('error', handler.body);
    const open = this.sourceCode.getFirstToken(handler, { filter: (token) => token.value === '(' });
    if (!open) return undefined;
    this.draft.insert(open.range[1], linesOf(name));
    return name;
  }

  // ---- try { unlock } catch { ... }

  private endTry(statement: TSESTree.TryStatement, handler: TSESTree.CatchClause, isFinal: boolean): boolean {
    const isThrown = is(handler.body.body.at(-1), 'ThrowStatement');
    if (isThrown && !isFinal) return true;
    if (!isThrown && leaves(handler.body)) return false;
    const hasComments = this.sourceCode.getCommentsInside(handler).length > 0 || statement.finalizer !== null;
    // A `throw` in a `finally` is no good style: where the handler has only written to the log, whoever gets the error can do that.
    if (!hasComments && (handler.body.body.length === 0 || (isFinal && handler.body.body.every((one) => is(one, 'ThrowStatement') || isCheck(one))))) {
      const { body } = statement.block;
      this.draft.replace(statement.range, this.draft.cut(this.spans.in(statement.block, 0, body.length - 1)));
      return true;
    }
    if (isFinal) return isThrown && isInFinalizer(statement);
    if (handler.param && !is(handler.param, 'Identifier')) return false;
    const name = handler.param?.name ?? this.names.local('error', handler.body);
    if (!handler.param) this.draft.insert(handler.range[0] + 'catch'.length, linesOf(` (${name})`));
    this.append(handler.body, name);
    return true;
  }

  /** `throw` behind the last statement, or comment, of a block. */
  private append(block: TSESTree.BlockStatement, name: string): void {
    const brace = this.sourceCode.getLastToken(block)!;
    const last = this.sourceCode.getTokenBefore(brace, { includeComments: true })!;
    const thrown = `throw ${name}${this.draft.text.style.end}`;
    if (block.loc.start.line !== block.loc.end.line) this.draft.insert(last.range[1], linesOf(`\n${thrown}`));
    else this.draft.insert(last.range[1], linesOf(/[;{}]$/.test(last.value) ? ` ${thrown}` : `; ${thrown}`));
  }
}

/** `call.catch(...)` */
function catchOn(call: TSESTree.Node): (TSESTree.CallExpression & { callee: TSESTree.MemberExpression }) | undefined {
  for (let at = call, parent = at.parent; parent && isMember(parent) && parent.object === at; parent = at.parent) {
    const next: TSESTree.Node | undefined = parent.parent;
    if (!is(next, 'CallExpression') || next.callee !== parent) return undefined;
    if (memberName(parent) === 'catch') return next as TSESTree.CallExpression & { callee: TSESTree.MemberExpression };
    at = next;
  }
  return undefined;
}

const leaves = (body: TSESTree.Node): boolean => [...walk(body, isFunction)].some((one) => /^(?:Return|Break|Continue)Statement$/.test(one.type));
