import type { TSESTree } from '@typescript-eslint/utils';
import { isReleaseName } from '../../drivers/index.js';
import { sourceOf, treeOf } from '../../types/index.js';
import type { Maker, Makers } from '../values/makers.js';
import { variableOf } from '../values/names.js';
import type { Origins } from '../values/origins.js';
import { callsIn, contains, functionAround, is, isFunction, isMember, memberName, wrapped, type FunctionNode } from '../syntax.js';

/** How many functions that call one another are looked into. */
const MAX_OPENERS = 4;

const LISTENS = /^(?:connect|on|once|off|removeListener|removeAllListeners)$/;
const LOCKS = /advisory/i;

/** Functions of the user's own that make a connection and give it to their caller: what they may have locked on it before. */
export class Openers {
  /** `known`: the calls whose locks are known as facts of the file. */
  constructor(private readonly origins: Origins, private readonly known: ReadonlySet<TSESTree.Node>) {}

  /** Whether the connection that code at a place has comes out of other code, of which it is not proven that it locks nothing on it but for what is known. */
  mayHaveLocked(makers: Makers, at: TSESTree.Node): boolean {
    return [...makers].some((one) => this.mayLock(one, at));
  }

  /** Whether functions of another file, with locks in it, make a connection, and may lock on it. */
  hasLocked(makers: Makers): boolean {
    return [...makers].every((one) => treeOf(one.node) !== this.origins.types.tree && one.call !== undefined && LOCKS.test(sourceOf(treeOf(one.node).ast)) && this.mayLock(one, one.call));
  }

  private mayLock({ node, call }: Maker, at: TSESTree.Node): boolean {
    const maker = functionAround(node);
    if (!call) return treeOf(node) === treeOf(at) ? maker !== undefined && !contains(maker, at) && !isKept(node, maker) : LOCKS.test(sourceOf(treeOf(node).ast)) || maker !== undefined;
    const opener = is(call, 'CallExpression', 'NewExpression', 'TaggedTemplateExpression') ? this.origins.calleeOf(call, undefined)?.callee : maker;
    return !opener || this.wayOut(opener, node, 0) !== 'plain';
  }

  /** How a function gives what is made in it, or in one that it calls; `undefined` where that is not found. */
  private wayOut(opener: FunctionNode, made: TSESTree.Node, depth: number): 'plain' | 'other' | undefined {
    if (treeOf(opener) === treeOf(made) && contains(opener, made)) return this.isOnlyGiven(made, opener) ? 'plain' : 'other';
    let found: 'plain' | undefined;
    for (const call of depth < MAX_OPENERS ? callsIn(opener) : []) {
      const next = this.origins.calleeOf(call, undefined)?.callee;
      const inner = next && next !== opener ? this.wayOut(next, made, depth + 1) : undefined;
      if (inner === 'other' || (inner && !this.isOnlyGiven(call, opener))) return 'other';
      found = inner ?? found;
    }
    return found;
  }

  /** Whether a function does no more with a connection than to give it back, to listen to it, or to send it what is known. */
  private isOnlyGiven(made: TSESTree.Node, opener: FunctionNode): boolean {
    const outer = wrapped(made, true);
    const { parent } = outer;
    const target = is(parent, 'VariableDeclarator') ? parent.id : is(parent, 'AssignmentExpression') && parent.operator === '=' ? parent.left : undefined;
    const variable = is(target, 'Identifier') ? variableOf(target) : undefined;
    if (!variable) return isReturned(outer);
    return variable.references.every((one) => one.isWriteOnly() || this.isHarmless(one.identifier, opener));
  }

  private isHarmless(mention: TSESTree.Node, opener: FunctionNode): boolean {
    const outer = wrapped(mention, true);
    const { parent } = outer;
    if (!parent || isReturned(outer) || is(parent, 'UnaryExpression', 'BinaryExpression', 'IfStatement')) return true;
    if (is(parent, 'TaggedTemplateExpression')) return this.isPlainlySent(parent, parent.quasi);
    if (is(parent, 'CallExpression')) return is(parent.callee, 'Identifier') && isParameterOf(parent.callee, opener);
    if (!isMember(parent) || parent.object !== outer) return false;
    const callee = wrapped(parent, false);
    const call = callee.parent;
    if (!is(call, 'CallExpression') || call.callee !== callee) return true;
    const name = memberName(parent) ?? '';
    return LISTENS.test(name) || isReleaseName(name) || this.isPlainlySent(call, call.arguments[0]);
  }

  private isPlainlySent(call: TSESTree.Node, text: TSESTree.Node | undefined): boolean {
    const isPlain = is(text, 'Literal') || (is(text, 'TemplateLiteral') && text.expressions.length === 0);
    return this.known.has(call) || (isPlain && !LOCKS.test(sourceOf(text)));
  }
}

/** Whether what a function makes goes to a field, or to a variable around it: other functions have it without a call of this one. */
function isKept(made: TSESTree.Node, maker: FunctionNode): boolean {
  const { parent } = wrapped(made, true);
  if (!is(parent, 'AssignmentExpression')) return false;
  return is(parent.left, 'Identifier') ? variableOf(parent.left)?.identifiers.every((one) => !contains(maker, one)) === true : isMember(parent.left);
}

/** Whether a value, or an object with it, is what a function gives back. */
function isReturned(value: TSESTree.Node): boolean {
  const { parent } = value;
  if (is(parent, 'ReturnStatement')) return true;
  if (is(parent, 'Property')) return parent.value === value && is(parent.parent, 'ObjectExpression') && isReturned(wrapped(parent.parent, false));
  if (is(parent, 'ArrayExpression')) return isReturned(wrapped(parent, false));
  return isFunction(parent) && parent.body === value;
}

const isParameterOf = (name: TSESTree.Identifier, callee: FunctionNode): boolean => variableOf(name)?.identifiers.some((one) => callee.params.some((param) => contains(param, one))) === true;
