import { parseForESLint } from '@typescript-eslint/parser';
import type { TSESTree } from '@typescript-eslint/utils';
import { Interpreter } from '../../src/analysis/flow/engine/interpreter.js';
import type { Outcome, State, States } from '../../src/analysis/flow/engine/outcome.js';
import { PlainTransfer } from '../../src/analysis/flow/engine/plain.js';
import type { Effect, Round } from '../../src/analysis/flow/engine/transfer.js';
import { is, isFunction, isMember, memberName, unwrap, walk, type FunctionNode } from '../../src/analysis/syntax.js';

/**
 * The interpreter by itself, over a toy language: `lock()` takes, `unlock()` frees (and may throw before it does), `free()` frees and
 * cannot fail, `work()` may throw, every other call is safe. `yes()` and `no()` are what they say in a condition, any other condition
 * may go both ways. `await` of a name may reject.
 */
interface Toy extends State {
  readonly held: 'free' | 'held' | 'doubt';
}

const toy = (held: Toy['held']): Toy => ({ key: held, held });

const MAY_THROW = new Set(['work', 'later', 'each', 'once']);

export class Probe extends PlainTransfer<Toy> {
  /** How often the interpreter has asked what a node does. */
  asked = 0;
  private readonly functions = new Map<string, FunctionNode>();

  constructor(program: TSESTree.Program) {
    super();
    for (const node of walk(program)) if (is(node, 'FunctionDeclaration') && node.id) this.functions.set(node.id.name, node);
  }

  effect(node: TSESTree.Node, state: Toy): Effect<Toy> | undefined {
    this.asked += 1;
    const name = calledName(node);
    if (name === 'lock') return { normal: [toy('held')], thrown: [state] };
    if (name === 'unlock') return { normal: [toy('free')], thrown: [toy(state.held === 'held' ? 'doubt' : state.held)] };
    if (name === 'free') return { normal: [toy('free')], thrown: [] };
    if (name === 'exit') return { normal: [], thrown: [] };
    const isGetter = isMember(node) && memberName(node) === 'getter';
    const isPending = is(node, 'AwaitExpression') && is(node.argument, 'Identifier');
    const throws = MAY_THROW.has(name ?? '') || isGetter || isPending || is(node, 'YieldExpression') || (is(node, 'ForOfStatement') && node.await);
    return throws ? { normal: [state], thrown: [state] } : undefined;
  }

  override test(node: TSESTree.Node, state: Toy): boolean | undefined {
    const name = calledName(node);
    if (name === 'isHeld') return state.held === 'held';
    return name === 'yes' ? true : name === 'no' ? false : undefined;
  }

  rejects(promise: TSESTree.Node): boolean {
    return is(unwrap(promise), 'Identifier');
  }

  override runs(call: TSESTree.CallExpression | TSESTree.NewExpression): 'once' | 'maybe' | 'later' {
    const { callee } = call;
    const name = is(callee, 'Identifier') ? callee.name : undefined;
    if (is(call, 'NewExpression')) return name === 'Promise' ? 'once' : 'later';
    return name === 'once' ? 'once' : name === 'later' ? 'later' : 'maybe';
  }

  /** A loop, or a call of `each`, that ends with `all` free has freed everything: `for (const all of b) {}`. */
  override passed(node: Round, state: Toy): Toy {
    const isAll = [...walk(node)].some((one) => is(one, 'Identifier') && one.name === 'all');
    return isAll && state.held === 'held' ? toy('free') : state;
  }

  /** Functions whose name begins with `helper` are followed; all others are not in view. */
  override entered({ callee }: TSESTree.CallExpression): FunctionNode | undefined {
    return is(callee, 'Identifier') && callee.name.startsWith('helper') ? this.functions.get(callee.name) : undefined;
  }

  /** `using x = free()` frees at the end of its block, `using x = { [Symbol.dispose]() { ... } }` runs what it says. */
  override dispose({ init }: TSESTree.VariableDeclarator, state: Toy): Effect<Toy> | readonly FunctionNode[] | undefined {
    const made = init ? unwrap(init) : undefined;
    if (is(made, 'ObjectExpression')) return made.properties.flatMap((one) => (is(one, 'Property') && isFunction(one.value) ? [one.value] : []));
    const name = made && calledName(made);
    if (name === 'lease') return { normal: [toy('free')], thrown: [] };
    return name === 'shaky' ? { normal: [toy('free')], thrown: [toy(state.held === 'held' ? 'doubt' : state.held)] } : undefined;
  }
}

function calledName(node: TSESTree.Node): string | undefined {
  const callee = is(node, 'CallExpression') || is(node, 'NewExpression') ? node.callee : is(node, 'TaggedTemplateExpression') ? node.tag : undefined;
  if (!callee) return undefined;
  return is(callee, 'Identifier') ? callee.name : isMember(callee) ? memberName(callee) : undefined;
}

export function parse(text: string): TSESTree.Program {
  const { ast, visitorKeys } = parseForESLint(text, { range: true, loc: true });
  const adopt = (node: TSESTree.Node, parent: TSESTree.Node | undefined): void => {
    (node as { parent: TSESTree.Node | undefined }).parent = parent;
    const fields = node as unknown as Record<string, TSESTree.Node | (TSESTree.Node | null)[] | null | undefined>;
    for (const key of visitorKeys[node.type] ?? []) for (const child of [fields[key]].flat()) if (child) adopt(child, node);
  };
  adopt(ast, undefined);
  return ast;
}

export interface Probed {
  readonly outcome: Outcome<Toy>;
  readonly asked: number;
}

/** Runs the function `main` of a text, or its only statements. */
export function probe(text: string): Probed {
  const program = parse(text);
  const main = [...walk(program)].find((node): node is FunctionNode => is(node, 'FunctionDeclaration') && node.id?.name === 'main');
  const transfer = new Probe(program);
  const outcome = new Interpreter<Toy>(transfer).run(main ?? program, toy('free'));
  return { outcome, asked: transfer.asked };
}

/** `normal free · thrown held,free`: the ways a function may be left, and what is held then. */
export function leaves(code: string, head = 'async function main(a, b, c)'): string {
  const { outcome } = probe(code.includes('function main') || head === '' ? code : `${head} { ${code} }`);
  const ways = ([['normal', outcome.normal], ['returned', outcome.returned], ['thrown', outcome.thrown]] as const).filter(([, states]) => states.size > 0);
  const jumps = [...outcome.broken, ...outcome.continued].map(([label, states]) => ['broken ' + label, states] as const);
  return [...ways, ...jumps].map(([way, states]) => `${way} ${show(states)}`).join(' · ') || 'never';
}

const ORDER = ['free', 'held', 'doubt'];

const show = (states: States<Toy>): string => [...states.values()].map(({ held }) => held).sort((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other)).join(',');
