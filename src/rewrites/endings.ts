import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { driverOfType } from '../analysis/connections/handle-types.js';
import { indexIn, isBlock, type LocalPair, sourceOf, variableOf, variablesIn } from '../analysis/regions.js';
import { contains, is, isFunction, memberName, walk } from '../analysis/syntax.js';
import { isEndNamed, isResponse } from './aftermath.js';
import type { Parts } from './parts.js';
import { finalizerOf, type Placed, type Region } from './shaping.js';
import type { Line } from './text.js';

/**
 * The calls around a pair that end its pool: they wait for each connection to be given back, so that one which stands between a new connection and its
 * release would wait for ever.
 */
export class Endings {
  /** Statements that are to run behind the release. */
  private readonly moved: TSESTree.Statement[] = [];

  constructor(private readonly pair: LocalPair, private readonly parts: Parts) {}

  /** Takes what ends the pool, and all behind it, out of the `finally` of the unlock; `undefined` where it cannot run later than that. */
  takeOut({ block, placement }: Placed): readonly Line[] | undefined {
    const { draft, spans } = this.parts;
    const finalizer = finalizerOf(placement);
    const first = finalizer?.body.findIndex((one) => this.isIn(one)) ?? -1;
    if (!finalizer || first === -1) return [];
    const statement = finalizer.parent as TSESTree.TryStatement;
    const moved = finalizer.body.slice(first);
    if (first <= indexIn(finalizer, this.pair.unlocks[0]!.call.node) || statement.parent !== block) return undefined;
    const start = block.body[indexIn(block, this.pair.acquire.call.node)]!.range[0];
    const isOwn = (node: { readonly range: TSESTree.Range }): boolean => node.range[0] >= start && node.range[1] <= statement.range[1] && !moved.some((one) => one.range[0] <= node.range[0] && node.range[1] <= one.range[1]);
    if (moved.some((one) => [...variablesIn(one)].some(({ defs }) => defs.some(({ name }) => isOwn(name))))) return undefined;
    const gap = block.body.filter((one) => one.range[0] >= start && one.range[1] <= statement.range[0]);
    if (!gap.every((one) => this.endEarly(one, moved))) return undefined;
    const range = spans.in(finalizer, first, finalizer.body.length - 1);
    const lines = draft.cut(range);
    draft.replace([spans.of(finalizer.body[first - 1]!)[1], range[1]], []);
    this.moved.push(...moved);
    return lines;
  }

  /** Whether a region still has a call that ends the pool. */
  areLeft({ block, first, last }: Region): boolean {
    return block.body.slice(first, last + 1).some((one) => this.isIn(one));
  }

  /** Ways out before the `try` end the pool too, or they would not have: what they do themselves is done for them from now on. */
  private endEarly(statement: TSESTree.Statement, ending: readonly TSESTree.Statement[]): boolean {
    const { draft, spans } = this.parts;
    return [...walk(statement, isFunction)].filter((one) => /^(?:Return|Break|Continue|Throw)Statement$/.test(one.type)).every((exit) => {
      const block: TSESTree.Node | undefined = exit.parent;
      if (!block || !isBlock(block)) return false;
      const at = block.body.indexOf(exit as TSESTree.Statement);
      const own = block.body.slice(Math.max(0, at - ending.length), at);
      if (own.length !== ending.length || !own.every((one, index) => sourceOf(one) === sourceOf(ending[index]!))) return false;
      this.moved.push(...own);
      for (const one of own) spans.remove(one, draft);
      return true;
    });
  }

  private isIn(node: TSESTree.Node): boolean {
    return !this.moved.includes(node as TSESTree.Statement) && [...walk(node, isFunction)].some((one) => is(one, 'CallExpression') && !this.moved.some((other) => contains(other, one)) && (this.ends(one) || this.endsWithin(one)));
  }

  /** `await shutDown()`, where that ends it. */
  private endsWithin({ callee }: TSESTree.CallExpression): boolean {
    const def = is(callee, 'Identifier') ? variableOf(callee)?.defs[0] : undefined;
    const made: TSESTree.Node | undefined = def && /^(?:FunctionName|Variable)$/.test(def.type) ? def.node : undefined;
    const body = is(made, 'VariableDeclarator') ? made.init : made;
    return body ? isFunction(body) && [...walk(body)].some((one) => is(one, 'CallExpression') && this.ends(one)) : false;
  }

  private ends(call: TSESTree.CallExpression): boolean {
    if (!isEndNamed(call) || isResponse(call)) return false;
    const { object } = call.callee;
    const own = new Set([this.pair.acquire, ...this.pair.unlocks].flatMap((one) => [...variablesIn(one.call.handle)]));
    const facts = this.parts.types?.typeOf(object);
    if ([...variablesIn(object)].some((one) => own.has(one)) || driverOfType(facts) !== undefined) return true;
    return memberName(call.callee) !== 'close' && (!facts || facts.isAny) && this.mayBeUnder(object, own);
  }

  /**
   * Whether something without a type may be the pool under the handle: one is made of the other, or neither tells what it is made of.
   * A stream that is made here ends no pool.
   */
  private mayBeUnder(object: TSESTree.Node, own: ReadonlySet<Scope.Variable>): boolean {
    const [pool, other] = [madeOf(own), madeOf(variablesIn(object))];
    return [...other.all].some((one) => pool.all.has(one)) || (!pool.isKnown && !other.isKnown);
  }
}

/** How many variables deep it is followed what something is made of. */
const MAX_STEPS = 4;

/** What variables are made of, by way of variables in the file; `isKnown`: none of them comes from elsewhere. */
function madeOf(variables: ReadonlySet<Scope.Variable>): { all: ReadonlySet<Scope.Variable>; isKnown: boolean } {
  const all = new Set(variables);
  let isKnown = variables.size > 0;
  let open = [...variables];
  for (let step = 0; open.length > 0 && step < MAX_STEPS; step++) {
    const inits = open.map(({ defs: [def] }) => (is(def?.node as TSESTree.Node | undefined, 'VariableDeclarator') ? (def!.node as TSESTree.VariableDeclarator).init : null));
    isKnown &&= inits.every((one) => one !== null && [...walk(one)].some((node) => is(node, 'CallExpression', 'NewExpression')));
    open = inits.flatMap((one) => [...(one ? argumentsIn(one) : [])]).filter((one) => !all.has(one));
    for (const one of open) all.add(one);
    open = open.filter(({ defs: [def] }) => def?.type === 'Variable' as never);
  }
  return { all, isKnown };
}

/** The variables that an expression uses, but for what it calls. */
function argumentsIn(node: TSESTree.Node): Set<Scope.Variable> {
  const called = new Set([...walk(node)].flatMap((one) => (is(one, 'CallExpression', 'NewExpression') && is(one.callee, 'Identifier') ? [variableOf(one.callee)] : [])));
  return new Set([...variablesIn(node)].filter((one) => !called.has(one)));
}
