import type { TSESTree } from '@typescript-eslint/utils';
import type { Types } from '../../../types/index.js';
import { variableOf } from '../../values/names.js';
import { contains, is, isFunction, uncast, walk } from '../../syntax.js';
import { FALSE, isLiteralKnown, knownOf, TRUE, type Known } from './known.js';
import { withFlag, type LockState } from '../lock-state.js';
import { identityOf } from './remembered.js';
import { isWrittenOnce, type Steady } from './steady.js';

const MAX_VALUES = 4;
const MAX_ALTERNATIVES = 8;
const EQUALS = /^[!=]==?$/;
const NOT = 'not ';

/** `mode === 'shared'`, `mode !== 'shared'`, or a constant that is one of them. */
interface Comparison {
  readonly value: TSESTree.Node;
  readonly literal: Known;
  readonly isEqual: boolean;
}

/**
 * Values that nothing changes and that are compared with several literals: it is one of them at most, and where its type has no others, it is the one
 * that is left over.
 */
export class Literals {
  private readonly comparisons = new Map<TSESTree.Node, Comparison | undefined>();
  /** What each of these values is compared with. */
  private readonly asked = new Map<string, Set<Known>>();

  constructor(private readonly body: TSESTree.Node, private readonly isSteady: Steady, private readonly literalOf: (node: TSESTree.Node) => Known | undefined, private readonly types: Types) {
    const found = new Map<string, { readonly literals: Set<Known>; times: number }>();
    const add = (compared: Comparison | undefined): void => {
      if (!compared || this.isOfEachCall(compared.value)) return;
      const key = keyOf(compared.value);
      const one = found.get(key) ?? { literals: new Set<Known>(), times: 0 };
      one.literals.add(compared.literal);
      one.times += 1;
      found.set(key, one);
    };
    for (const node of walk(body)) {
      if (is(node, 'SwitchStatement')) for (const { test } of node.cases) if (test) add(this.compared(node.discriminant, test));
      if (is(node, 'BinaryExpression')) add(this.comparison(node));
    }
    for (const [key, { literals, times }] of found) if (times > 1 && this.asked.size < MAX_VALUES) this.asked.set(key, literals);
  }

  get isEmpty(): boolean {
    return this.asked.size === 0;
  }

  /** The literal that a value is, or whether a comparison of one holds. */
  known(node: TSESTree.Node, state: LockState): Known | undefined {
    if (this.isEmpty || state.flags.size === 0) return undefined;
    const compared = this.comparison(node);
    const told = this.told(compared?.value ?? node, state);
    if (told === undefined || !compared) return told?.startsWith(NOT) ? undefined : told;
    const isIt = isLiteral(compared.literal, told);
    return isIt === undefined ? undefined : isIt === compared.isEqual ? TRUE : FALSE;
  }

  /** Whether a `case` is the one that is chosen. */
  choice(discriminant: TSESTree.Node, test: TSESTree.Node, state: LockState): boolean | undefined {
    const told = this.isEmpty || state.flags.size === 0 ? undefined : this.told(discriminant, state);
    const compared = told === undefined ? undefined : this.compared(discriminant, test);
    return compared && told !== undefined ? isLiteral(compared.literal, told) : undefined;
  }

  /** The state in which a condition has turned out true or false. */
  assume(node: TSESTree.Node, outcome: boolean, state: LockState): LockState {
    const compared = this.isEmpty ? undefined : this.comparison(node);
    return compared ? this.tell(compared, compared.isEqual === outcome, state) : state;
  }

  choose(discriminant: TSESTree.Node, test: TSESTree.Node, isChosen: boolean, state: LockState): LockState {
    const compared = this.isEmpty ? undefined : this.compared(discriminant, test);
    return compared ? this.tell(compared, isChosen, state) : state;
  }

  private tell({ value, literal }: Comparison, isIt: boolean, state: LockState): LockState {
    const key = keyOf(value);
    const asked = this.asked.get(key);
    const told = state.flags.get(key);
    if (!asked || (told !== undefined && !told.startsWith(NOT))) return state;
    if (isIt) return withFlag(state, key, literal);
    const excluded = [...new Set([...told === undefined ? [] : excludedIn(told), literal])].sort();
    const [last, ...others] = this.alternativesOf(value, asked)?.filter((one) => !excluded.includes(one)) ?? [];
    return withFlag(state, key, last !== undefined && others.length === 0 ? last : NOT + JSON.stringify(excluded));
  }

  /** All that a value may be; `undefined` where that is not to be told. Without types, one that is compared with several is taken to be one of them, as in a `switch`. */
  private alternativesOf(value: TSESTree.Node, asked: ReadonlySet<Known>): readonly Known[] | undefined {
    const facts = this.types.declaredType(uncast(value));
    if (!facts || facts.isAny) return !this.types.isTyped && asked.size > 1 ? [...asked] : undefined;
    if (facts.nullable || facts.alternatives.length > MAX_ALTERNATIVES) return undefined;
    const known = facts.alternatives.flatMap(({ literal }) => (literal === undefined ? [] : typeof literal === 'boolean' ? (literal ? TRUE : FALSE) : knownOf(typeof literal === 'bigint' ? Number(literal) : literal)));
    return known.length === facts.alternatives.length ? known : undefined;
  }

  private told(value: TSESTree.Node, state: LockState): Known | undefined {
    const node = uncast(value);
    return this.isSteady(node) ? state.flags.get(keyOf(node)) : undefined;
  }

  private comparison(node: TSESTree.Node): Comparison | undefined {
    const at = uncast(node);
    if (!this.comparisons.has(at)) this.comparisons.set(at, this.read(at));
    return this.comparisons.get(at);
  }

  private read(node: TSESTree.Node): Comparison | undefined {
    if (is(node, 'BinaryExpression')) {
      if (!EQUALS.test(node.operator)) return undefined;
      const compared = this.compared(node.left, node.right) ?? this.compared(node.right, node.left);
      return compared && { ...compared, isEqual: !node.operator.startsWith('!') };
    }
    // `const isShared = mode === 'shared'`
    const made = is(node, 'Identifier') && isWrittenOnce(node) ? variableOf(node)?.defs[0]?.node as TSESTree.Node | undefined : undefined;
    const init = is(made, 'VariableDeclarator') && is(made.id, 'Identifier') && made.init ? uncast(made.init) : undefined;
    return is(init, 'BinaryExpression') ? this.comparison(init) : undefined;
  }

  private compared(left: TSESTree.Node, right: TSESTree.Node): Comparison | undefined {
    const [value, other] = [uncast(left), uncast(right)];
    const literal = this.isSteady(value) && this.literalOf(value) === undefined ? this.literalOf(other) : undefined;
    return literal !== undefined && (isLiteralKnown(literal) || literal === TRUE || literal === FALSE) ? { value, literal, isEqual: true } : undefined;
  }

  /** A parameter of a function inside, which may be called again with something else. */
  private isOfEachCall(value: TSESTree.Node): boolean {
    return [...walk(value, isFunction)].some((node) => {
      const definition = is(node, 'Identifier') ? variableOf(node)?.defs[0] : undefined;
      return definition?.type === 'Parameter' as never && definition.node !== this.body && contains(this.body, definition.node);
    });
  }
}

const keyOf = (value: TSESTree.Node): string => `asked which ${identityOf(value)}`;

/** Whether what was told of a value says that it is this literal. */
const isLiteral = (literal: Known, told: Known): boolean | undefined => (!told.startsWith(NOT) ? told === literal : excludedIn(told).includes(literal) ? false : undefined);

const excludedIn = (told: Known): Known[] => JSON.parse(told.slice(NOT.length)) as Known[];
