import type { TSESTree } from '@typescript-eslint/utils';
import { commonBlock, indexIn, type Source, type Types } from '../analysis/regions.js';
import { contains, functionAround, is, isFunction, isMember, memberName, uncast, wrapped } from '../analysis/syntax.js';
import type { Edit } from './model.js';
import { Names } from './names.js';
import { scanOf } from './scan.js';
import { Spans } from './spans.js';

/** What keeps the error of an unlock: a `catch` around it, or a handler that is chained on it. */
interface Keeper {
  readonly node: TSESTree.Node;
  /** What a chained handler belongs to, up to where nothing is chained any more. */
  readonly chain?: TSESTree.Node;
}

/**
 * A variable, or what tells it, that is true where an unlock has failed: declared before the statement that has the unlock, set by what keeps its error.
 * `undefined` where that is not in view, or does not reach the place that asks for it.
 */
export function flagFailure(unlock: TSESTree.Node, asking: TSESTree.Node, types: Types, sourceCode: Source): { readonly name: string; readonly edits: readonly Edit[] } | undefined {
  const settled = settledOf(unlock, asking, sourceCode);
  if (settled) return settled;
  const keeper = keeperOf(unlock);
  const block = keeper && commonBlock([keeper.node, asking]);
  if (!keeper || !block || asking.range[0] < keeper.node.range[0]) return undefined;
  // Only where the unlock has failed is it reached at all.
  if (contains(keeper.node, asking)) return { name: 'true', edits: [] };
  const first = block.body[indexIn(block, keeper.node)];
  if (!first) return undefined;
  const names = new Names(sourceCode, functionAround(block) ?? sourceCode.ast);
  const name = names.local('isLockLeft', unlock);
  const { end, newline } = scanOf(sourceCode).style;
  const set = new Setting(name, keeper, names, types, sourceCode).edits();
  return set && { name, edits: [{ range: [first.range[0], first.range[0]], text: `let ${name} = false${end}${newline}${blanksBefore(first, sourceCode)}` }, ...set] };
}

/** `await Promise.allSettled([unlock()])` in the block of what asks, or in one around it: what it gives says whether the unlock has failed. */
function settledOf(unlock: TSESTree.Node, asking: TSESTree.Node, sourceCode: Source): { readonly name: string; readonly edits: readonly Edit[] } | undefined {
  const outer = wrapped(unlock, false);
  const list = outer.parent;
  const call = list?.parent;
  const isSettling = is(call, 'CallExpression') && call.arguments[0] === list && isMember(call.callee) && memberName(call.callee) === 'allSettled' && is(call.callee.object, 'Identifier') && call.callee.object.name === 'Promise';
  const statement = isSettling && is(call.parent, 'AwaitExpression') ? call.parent.parent : undefined;
  if (!is(list, 'ArrayExpression') || !is(statement, 'ExpressionStatement') || list.elements.some((one) => is(one, 'SpreadElement'))) return undefined;
  const around = statement.parent;
  if (!is(around, 'BlockStatement') || !contains(around, asking) || functionAround(asking) !== functionAround(statement) || asking.range[0] < statement.range[1]) return undefined;
  const name = new Names(sourceCode, functionAround(statement) ?? sourceCode.ast).local('freeing', unlock);
  const holes = ', '.repeat(list.elements.indexOf(outer as never));
  return { name: `${name}.status === 'rejected'`, edits: [{ range: [statement.range[0], statement.range[0]], text: `const [${holes}${name}] = ` }] };
}

/** Code that sets a flag in what keeps an error. */
class Setting {
  private readonly style;

  constructor(private readonly name: string, private readonly keeper: Keeper, private readonly names: Names, private readonly types: Types, private readonly sourceCode: Source) {
    this.style = scanOf(sourceCode).style;
  }

  edits(): readonly Edit[] | undefined {
    const { node } = this.keeper;
    if (is(node, 'CatchClause')) return this.first(node.body);
    if (!isFunction(node)) return this.named(node);
    if (node.generator) return undefined;
    return is(node.body, 'BlockStatement') ? this.first(node.body) : this.before(node.body);
  }

  /** As the first statement of a block. */
  private first(block: TSESTree.BlockStatement): Edit[] {
    const open = block.range[0] + 1;
    const isLong = block.loc.start.line !== block.loc.end.line;
    const isEmpty = block.body.length === 0 && this.sourceCode.getCommentsInside(block).length === 0;
    if (isLong) return [{ range: [open, open], text: `${this.break(block, 1)}${this.set}` }];
    return isEmpty ? [{ range: [open, block.range[1] - 1], text: `${this.break(block, 1)}${this.set}${this.break(block)}` }] : [{ range: [open, open], text: ` ${this.name} = true;` }];
  }

  /** `(error) => console.error(error)` */
  private before(body: TSESTree.Expression): Edit[] | undefined {
    const range = new Spans(this.sourceCode).withParentheses(body);
    const hasComments = this.sourceCode.getCommentsInside(body.parent).some((one) => one.range[0] > range[0] && one.range[1] < range[1] && !contains(body, one as never));
    return hasComments ? undefined : [{ range, text: this.blockOf(body, this.textOf(body), !this.isWanted(body)) }];
  }

  /** `console.error`, in the place of which a function calls it. */
  private named(handler: TSESTree.Node): Edit[] | undefined {
    const isName = (is(handler, 'Identifier') && handler.name !== 'undefined') || (isMember(handler) && !handler.optional);
    if (!isName) return undefined;
    const error = this.names.local('error', handler);
    const isConsole = isMember(handler) && is(handler.object, 'Identifier') && handler.object.name === 'console';
    const called = `${this.textOf(handler)}(${error})`;
    return [{ range: handler.range, text: `(${error}) => ${this.blockOf(handler, called, isConsole && this.isDropped())}` }];
  }

  private blockOf(at: TSESTree.Node, value: string, isStatement: boolean): string {
    const done = isStatement && isNothing(at) ? '' : `${this.break(at, 1)}${isStatement ? '' : 'return '}${value}${this.style.end}`;
    return `{${this.break(at, 1)}${this.set}${done}${this.break(at)}}`;
  }

  /** Whether something may wait for a value, or look at it. */
  private isWanted(body: TSESTree.Expression): boolean {
    if (!this.isDropped()) return true;
    return !isNothing(body) && this.types.typeOf(body)?.isAwaitable !== false;
  }

  private isDropped(): boolean {
    return is(wrapped(this.keeper.chain!, true).parent, 'ExpressionStatement');
  }

  private textOf({ range }: TSESTree.Node): string {
    return this.sourceCode.text.slice(range[0], range[1]);
  }

  private get set(): string {
    return `${this.name} = true${this.style.end}`;
  }

  private break(at: TSESTree.Node, more = 0): string {
    return `${this.style.newline}${blanksBefore(at, this.sourceCode)}${this.style.indent.repeat(more)}`;
  }
}

/** What takes the error of a node first. */
function keeperOf(node: TSESTree.Node): Keeper | undefined {
  for (let at = node, parent = at.parent; parent && !isFunction(parent); at = parent, parent = at.parent) {
    if (is(parent, 'TryStatement') && parent.handler && parent.block === at) return { node: parent.handler };
    const handler = is(parent, 'CallExpression') && parent.callee === at && contains(at, node) ? handlerOf(parent) : undefined;
    if (handler && isMember(at)) return { node: handler, chain: chainOf(parent) };
  }
  return undefined;
}

/** The function that a call of `catch` or `then` hands an error to. */
function handlerOf({ callee, arguments: given }: TSESTree.CallExpression): TSESTree.Node | undefined {
  const name = isMember(callee) ? memberName(callee) : undefined;
  const handler = name === 'catch' ? given[0] : name === 'then' ? given[1] : undefined;
  return handler && !is(handler, 'SpreadElement') ? uncast(handler) : undefined;
}

/** All that is chained on a call: `.catch(log).finally(close)` */
function chainOf(call: TSESTree.Node): TSESTree.Node {
  const member = call.parent;
  const next = member && isMember(member) && member.object === call ? member.parent : undefined;
  return is(next, 'CallExpression') && next.callee === member ? chainOf(next) : call;
}

function isNothing(body: TSESTree.Node): boolean {
  const isEmpty = (is(body, 'ArrayExpression') && body.elements.length === 0) || (is(body, 'ObjectExpression') && body.properties.length === 0);
  return isEmpty || is(body, 'Literal') || (is(body, 'Identifier') && body.name === 'undefined') || (is(body, 'UnaryExpression') && body.operator === 'void' && is(body.argument, 'Literal'));
}

/** The white space at the beginning of the line that a node is on. */
function blanksBefore({ range: [start] }: TSESTree.Node, { text }: Source): string {
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return line.slice(0, line.length - line.trimStart().length);
}
