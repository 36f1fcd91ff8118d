import type { TSESTree } from '@typescript-eslint/utils';
import type { Answer } from '../model.js';
import { bind } from './patterns.js';
import type { AnswerQuestion } from './question.js';
import { step } from './steps.js';
import { bare, is, isFunction, type FunctionNode } from './syntax.js';
import { innermost, nameOf, resultOf, type Layout, type Value } from './value.js';

type Tested = Extract<Answer, { state: 'mistaken' }>['tested'];
/** What tells most of what the author had in mind comes last: `result && result.rowCount === 1` is about the count. */
const BY_WEIGHT: readonly Tested[] = ['result', 'rows', 'row', 'count', 'column'];
type Mistake = { readonly tested: Tested; readonly at: TSESTree.Node };
type OnReturn = (value: Value) => void;

/**
 * Follows the answer forward from the call. Every pair of an expression and what it has of the answer is looked at once, so
 * that the time is linear and cycles end.
 */
export class Flow {
  readonly layout: Layout;
  readonly question: AnswerQuestion;
  #isRead = false;
  #isReadAsFalse = false;
  #isIgnored = false;
  #mistake: Mistake | undefined;
  readonly #work: (() => void)[] = [];
  readonly #seen = new Map<TSESTree.Node, Set<string>>();
  readonly #onReturn = new Map<FunctionNode, OnReturn[]>();
  readonly #returned = new Map<FunctionNode, Value[]>();

  constructor(question: AnswerQuestion) {
    const { shape, column, otherColumns, holds, silent } = question;
    this.question = question;
    this.layout = { shape, column, otherColumns, holds, silent };
  }

  run(): Answer {
    for (let next = this.#work.pop(); next && !this.#isRead; next = this.#work.pop()) next();
    if (this.#isRead || this.#isReadAsFalse) return { state: 'read' };
    if (this.#mistake) return { state: 'mistaken', ...this.#mistake };
    return { state: this.#isIgnored ? 'ignored' : 'dropped' };
  }

  /** The expression has this value: look at what its parent does with it. */
  follow(node: TSESTree.Node, value: Value): void {
    this.#once(node, nameOf(value), () => step(this, node, value));
  }

  /** The value is put under the names of a pattern. */
  bind(pattern: TSESTree.Node, value: Value): void {
    this.#once(pattern, `bind ${nameOf(value)}`, () => bind(this, pattern, value));
  }

  #once(node: TSESTree.Node, what: string, task: () => void): void {
    const seen = this.#seen.get(node) ?? new Set();
    if (seen.has(what)) return;
    this.#seen.set(node, seen.add(what));
    this.#work.push(task);
  }

  /** The boolean gets to where it counts, or out of view. */
  read(): void {
    this.#isRead = true;
  }

  /** An assertion says that the answer is `false`. */
  readAsFalse(): void {
    this.#isReadAsFalse = true;
  }

  /** Whether nothing reads the answer but assertions that it is `false`. */
  get expectsFalse(): boolean {
    return this.#isReadAsFalse && !this.#isRead;
  }

  ignore(): void {
    this.#isIgnored = true;
  }

  mistake(tested: Tested, at: TSESTree.Node): void {
    const found = { tested, at };
    if (!this.#mistake || compare(found, this.#mistake) < 0) this.#mistake = found;
  }

  /** The value decides a branch, or is compared with something that it cannot be. */
  test(value: Value, at: TSESTree.Node): void {
    const tested = this.#testedIn(value);
    if (tested) this.mistake(tested, at);
    else this.read();
  }

  #testedIn(value: Value): Tested | undefined {
    const { column, shape } = this.layout;
    if (innermost(value).kind === 'unknown') return undefined;
    switch (value.kind) {
      case 'boolean':
      case 'unknown':
        return undefined;
      case 'row':
      case 'count':
        return column.kind === 'row' ? undefined : value.kind;
      case 'rows':
      case 'list':
        return 'rows';
      case 'values':
        return 'row';
      case 'result':
        // an array is always there, but calls such as `oneOrNone()` give the row
        return column.kind === 'row' && shape.rows === undefined ? undefined : 'result';
      default:
        return 'result';
    }
  }

  /**
   * The values get into the parameters of a function; what it gives back with them goes to `onReturn`. Returns false where the
   * function is not in view.
   */
  enter(callee: TSESTree.Node, values: readonly (Value | undefined)[], onReturn: OnReturn): boolean {
    const inner = bare(callee);
    const entered = isFunction(inner) ? inner : this.question.bodyOf?.(callee as TSESTree.Expression);
    if (!isFunction(entered) || entered.generator) return false;
    this.returnsTo(entered, onReturn);
    values.forEach((value, index) => {
      const param = parameterAt(entered, index);
      if (value && param) this.bind(param, value);
    });
    return true;
  }

  /** A function may be entered again, by another call, when it has given the value back already. */
  returnsTo(entered: FunctionNode, onReturn: OnReturn): void {
    add(this.#onReturn, entered, onReturn);
    this.#returned.get(entered)?.forEach((value) => onReturn(value));
  }

  /** Hands what the function that sends the statement gives back to its calls, where they are all asked for. */
  giveToCalls(from: FunctionNode, value: Value): boolean {
    const calls = this.question.callsOf?.(from) ?? [];
    for (const call of calls) this.follow(call, value);
    return calls.length > 0;
  }

  /** Hands what a function gives back to where it was entered; false where it was not. */
  giveBack(from: FunctionNode, value: Value): boolean {
    add(this.#returned, from, value);
    const receivers = this.#onReturn.get(from) ?? [];
    for (const receive of receivers) receive(value);
    return receivers.length > 0;
  }

  start(): void {
    const { call, callback } = this.question;
    if (callback) {
      if (isFunction(callback.parent)) this.returnsTo(callback.parent, () => undefined);
      this.bind(callback, resultOf(this.layout));
    } else {
      this.follow(call, { kind: 'promise', of: resultOf(this.layout) });
    }
  }
}

function add<V>(lists: Map<FunctionNode, V[]>, key: FunctionNode, value: V): void {
  const list = lists.get(key) ?? [];
  list.push(value);
  lists.set(key, list);
}

const compare = (one: Mistake, other: Mistake): number => BY_WEIGHT.indexOf(other.tested) - BY_WEIGHT.indexOf(one.tested) || one.at.range[0] - other.at.range[0];

/** The parameter that gets the argument at an index: TypeScript's `this` is none, a rest parameter gets all that is left. */
function parameterAt({ params }: FunctionNode, index: number): TSESTree.Parameter | undefined {
  const [first] = params;
  const hasThis = is(first, 'Identifier') && first.name === 'this';
  const last = params.at(-1);
  return params[hasThis ? index + 1 : index] ?? (is(last, 'RestElement') ? last : undefined);
}
