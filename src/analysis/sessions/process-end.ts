import type { TSESTree } from '@typescript-eslint/utils';
import { isCloseName } from '../../drivers/index.js';
import { sourceOf, treeOf } from '../../types/index.js';
import { functionOf, variableOf } from '../values/names.js';
import type { Origins } from '../values/origins.js';
import { contains, functionAround, is, isFunction, isMember, memberName, uncast, walk, wrapped, type FunctionNode } from '../syntax.js';

/** How many functions are looked through that call one another. */
const MAX_DEPTH = 4;

/** Whoever listens for these keeps the process alive. */
const LISTENS = /\b(?:uncaughtException|unhandledRejection)\b/;

export function isProcessExit({ callee }: TSESTree.CallExpression): boolean {
  return isMember(callee) && memberName(callee) === 'exit' && is(callee.object, 'Identifier') && ['process', 'Deno'].includes(callee.object.name);
}

/** Where an error that leaves a function ends the process, and every session with it. */
export class ProcessEnds {
  private readonly known = new Map<TSESTree.Node, boolean>();

  constructor(private readonly origins: Origins) {}

  /** Whether it does: the top level of a script that ends what it has opened, or a function that only such code calls, `main().catch(() => process.exit(1))`. */
  areBehind(body: FunctionNode | TSESTree.Program): boolean {
    let known = this.known.get(body);
    if (known === undefined) {
      const isLeaving = is(body, 'Program') ? isScript(body) && closes(body) : this.isBehind(body, 0);
      this.known.set(body, known = isLeaving && !LISTENS.test(sourceOf(treeOf(body).ast)));
    }
    return known;
  }

  private isBehind(callee: FunctionNode, depth: number): boolean {
    if (depth > MAX_DEPTH || callee.generator || !callee.async) return false;
    const calls = callsOf(callee);
    return calls !== undefined && calls.length > 0 && calls.every((one) => this.isEndBehind(one, depth));
  }

  /** Whether the rejection of what a call gives ends the process. */
  private isEndBehind(call: TSESTree.CallExpression, depth: number): boolean {
    const outer = wrapped(call, false);
    const { parent } = outer;
    if (parent && isMember(parent) && parent.object === outer) {
      const chained = parent.parent;
      if (!is(chained, 'CallExpression') || chained.callee !== parent) return false;
      return this.isEndInChain(chained, memberName(parent) ?? '') ?? this.isEndBehind(chained, depth);
    }
    const isFloating = is(parent, 'ExpressionStatement') || (is(parent, 'UnaryExpression') && parent.operator === 'void');
    if (isFloating) return functionAround(call) === undefined && isScript(treeOf(call).ast);
    const isWaitedFor = is(parent, 'AwaitExpression') || is(parent, 'ReturnStatement') || (isFunction(parent) && parent.body === outer);
    return isWaitedFor && this.isEndAround(call, depth);
  }

  /** What a link of a chain makes of a rejection; `undefined` where it goes on along the chain. */
  private isEndInChain({ arguments: [first, second] }: TSESTree.CallExpression, name: string): boolean | undefined {
    if (name === 'then') return second ? this.exits(second) : undefined;
    if (name === 'catch') return first !== undefined && this.exits(first);
    return name === 'finally' ? (first && this.exits(first)) || undefined : false;
  }

  /** Whether an error that is thrown at a place ends the process. */
  private isEndAround(place: TSESTree.Node, depth: number): boolean {
    for (let at = place, parent = at.parent; parent; at = parent, parent = at.parent) {
      if (isFunction(parent)) return this.isBehind(parent, depth + 1);
      if (is(parent, 'TryStatement') && at === parent.block && parent.handler && !isThrowing(parent.handler.body)) return this.isExiting(parent.handler.body.body, 0);
    }
    return isScript(treeOf(place).ast);
  }

  private exits(handler: TSESTree.Node, depth = 0): boolean {
    const node = uncast(handler);
    const callee = is(node, 'Identifier') ? functionOf(node) : isFunction(node) ? node : undefined;
    if (!callee || depth > 2) return false;
    return is(callee.body, 'BlockStatement') ? this.isExiting(callee.body.body, depth) : this.isExit(callee.body, depth);
  }

  /** Whether statements come down to the end of the process, whatever a condition says. */
  private isExiting(statements: readonly TSESTree.Statement[], depth: number): boolean {
    const at = statements.findIndex((one) => is(one, 'ExpressionStatement', 'ReturnStatement') && this.isExit(is(one, 'ReturnStatement') ? one.argument : one.expression, depth));
    return at >= 0 && !statements.slice(0, at).some((one) => [...walk(one, isFunction)].some((node) => is(node, 'ReturnStatement')));
  }

  private isExit(expression: TSESTree.Node | null, depth: number): boolean {
    const node = expression && uncast(is(expression, 'AwaitExpression') ? expression.argument : expression);
    if (!is(node, 'CallExpression')) return false;
    return isProcessExit(node) || (is(node.callee, 'Identifier') && this.exits(node.callee, depth + 1)) || this.origins.types.typeOf(node)?.isNever === true;
  }
}

/** The calls of a function that nothing else of its file, and no other file, has; `undefined` where somebody else may call it. */
function callsOf(callee: FunctionNode): TSESTree.CallExpression[] | undefined {
  const outer = wrapped(callee, false);
  if (is(outer.parent, 'CallExpression') && outer.parent.callee === outer) return [outer.parent];
  const name = is(callee, 'FunctionDeclaration') ? callee.id : is(outer.parent, 'VariableDeclarator') && is(outer.parent.id, 'Identifier') ? outer.parent.id : null;
  const variable = name && variableOf(name);
  const declaration = is(callee, 'FunctionDeclaration') ? callee : outer.parent?.parent;
  if (!variable || /^Export/.test(declaration?.parent?.type ?? '')) return undefined;
  const uses = variable.references.filter((one) => !one.init).map(({ identifier: { parent } , identifier }) => (is(parent, 'CallExpression') && parent.callee === identifier ? parent : undefined));
  // One that calls itself is called by somebody else.
  const calls = uses.filter((one) => !one || !contains(callee, one));
  return calls.every((one) => one !== undefined) ? calls : undefined;
}

const isThrowing = ({ body }: TSESTree.BlockStatement): boolean => is(body.at(-1), 'ThrowStatement');

/** A file that exports nothing. */
const isScript = (program: TSESTree.Program): boolean =>
  ![...walk(program, isFunction)].some((node) => /^Export/.test(node.type) || (is(node, 'AssignmentExpression') && /^(?:module\.)?exports\b/.test(sourceOf(node.left))));

/** Whether a script ends what it has opened: at its top, or in functions that it names there, or hands to a call. */
function closes(within: TSESTree.Node, seen = new Set<TSESTree.Node>()): boolean {
  if (seen.has(within)) return false;
  seen.add(within);
  return [...walk(within, isFunction)].some((node) => {
    if (is(node, 'Identifier')) return closesIn(functionOf(node), seen);
    if (!is(node, 'CallExpression')) return false;
    return isProcessExit(node) || (isMember(node.callee) && isCloseName(memberName(node.callee) ?? '')) || node.arguments.some((one) => isFunction(one) && closesIn(one, seen));
  });
}

const closesIn = (callee: FunctionNode | undefined, seen: Set<TSESTree.Node>): boolean => callee !== undefined && closes(callee.body, seen);
