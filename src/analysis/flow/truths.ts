import type { TSESTree } from '@typescript-eslint/utils';
import { placesOf } from '../makers.js';
import { variableOf } from '../names.js';
import type { Origins } from '../origins.js';
import { is, isFunction, isMember, memberName, uncast, unwrap, walk } from '../syntax.js';
import type { Tracked } from './lock-events.js';
import { withFlag, type LockState } from './lock-state.js';
import { askedPlaces, caseText, isSteady, knownLiteral, knownTruth, placeOf, repeatedConditions, textOf, truthOfKnown, writtenBy, type Known } from './remembered.js';
import type { TryAnswer } from './try-answer.js';

const MAX_PLACES = 6;

/** What conditions tell on a path: the try-lock's answer, variables and properties that remember something of it, conditions asked before. */
export class Truths {
  private readonly remembering: ReadonlySet<string>;
  private readonly repeated: ReadonlySet<string>;

  constructor(private readonly tracked: Tracked, private readonly origins: Origins, private readonly answer: TryAnswer) {
    this.remembering = this.rememberingPlaces();
    this.repeated = repeatedConditions(tracked.body);
  }

  /** Places that are asked, and that get a constant, or something of the answer, somewhere in the function. */
  private rememberingPlaces(): Set<string> {
    const found = new Set<string>();
    const asked = askedPlaces(this.tracked.body);
    const uncertain = new Set<string>();
    const writes = [...walk(this.tracked.body)].flatMap((node) => writtenBy(node));
    for (const { place, value } of writes) if (value === null) uncertain.add(place);
    for (const { place, value } of writes) {
      const isTelling = value === undefined || (value !== null && this.isTelling(value));
      if (found.size < MAX_PLACES && asked.has(place) && !uncertain.has(place) && isTelling) found.add(place);
    }
    return found;
  }

  private isTelling(value: TSESTree.Node): boolean {
    const node = uncast(value);
    if (knownLiteral(node) !== undefined || this.answer.isAnswer(node)) return true;
    if (is(node, 'UnaryExpression')) return node.operator === '!' && this.isTelling(node.argument);
    if (is(node, 'LogicalExpression')) return this.isTelling(node.left) || this.isTelling(node.right);
    if (is(node, 'BinaryExpression')) return this.answer.isAnswer(node.left) || this.answer.isOpaque(node.left);
    return is(node, 'ConditionalExpression') && (this.isTelling(node.test) || (this.isTelling(node.consequent) && this.isTelling(node.alternate)));
  }

  /** What a node writes, remembered. */
  remember(node: TSESTree.Node, state: LockState): LockState | undefined {
    let after: LockState | undefined;
    for (const { place, value } of writtenBy(node)) {
      if (!this.remembering.has(place)) continue;
      after = withFlag(after ?? state, place, value === undefined ? '-' : value ? this.valueOf(value, state) : undefined);
    }
    return after;
  }

  private valueOf(value: TSESTree.Node, state: LockState): Known | undefined {
    const place = placeOf(value);
    return knownLiteral(value) ?? (place && state.flags.get(place)) ?? knownTruth(this.truthOf(value, state)) ?? (this.isThere(value) ? '+' : undefined);
  }

  /** A value that can be neither null nor undefined nor false; a number or text that is given is taken to say something. */
  private isThere(value: TSESTree.Node): boolean {
    const node = unwrap(value);
    const facts = this.origins.types.declaredType(node);
    // Without types, a name is taken to stand for something that is there.
    if (!facts && !this.origins.types.isTyped) return placeOf(node) !== undefined;
    if (!facts && is(node, 'Identifier')) return isOfEach(node);
    if (!facts || facts.isAny || facts.nullable || facts.alternatives.some((one) => one.literal === false || (one.names.length === 0 && !is(node, 'Identifier') && !isPartOfKey(node)))) return false;
    return !facts.alternatives.some((one) => one.names.some(({ name }) => name === 'Boolean' || name === 'boolean'));
  }

  // ---- conditions

  assume(value: TSESTree.Node, outcome: boolean, state: LockState): LockState {
    const node = uncast(value);
    const place = placeOf(node);
    if (place && this.remembering.has(place)) return state.flags.get(place)?.startsWith('=') ? state : withFlag(state, place, outcome ? '+' : '-');
    if (this.repeated.size === 0 || !isSteady(node)) return state;
    const asked = textOf(node);
    return this.repeated.has(asked) ? withFlag(state, asked, outcome ? '+' : '-') : state;
  }

  choose(discriminant: TSESTree.Node, value: TSESTree.Node, isChosen: boolean, state: LockState): LockState | undefined {
    const place = placeOf(discriminant);
    const [is, asks] = [place && state.flags.get(place), knownLiteral(value)];
    if (is?.startsWith('=') && asks?.startsWith('=') && (is === asks) !== isChosen) return undefined;
    if (this.repeated.size === 0) return state;
    const asked = caseText(discriminant, value);
    const known = state.flags.get(asked);
    if (known !== undefined && truthOfKnown(known) !== isChosen) return undefined;
    return this.repeated.has(asked) ? withFlag(state, asked, isChosen ? '+' : '-') : state;
  }

  truthOf(value: TSESTree.Node, state: LockState): boolean | undefined {
    const node = uncast(value);
    const literal = knownLiteral(node);
    if (literal !== undefined) return truthOfKnown(literal);
    if (this.repeated.size > 0 && isSteady(node)) {
      const asked = state.flags.get(textOf(node));
      if (asked !== undefined) return truthOfKnown(asked);
    }
    if (is(node, 'UnaryExpression') && node.operator === '!') return negated(this.truthOf(node.argument, state));
    if (is(node, 'AssignmentExpression')) return this.truthOf(node.right, state);
    if (isFunction(node) || is(node, 'NewExpression') || is(node, 'ObjectExpression') || is(node, 'ArrayExpression')) return true;
    if (is(node, 'BinaryExpression')) return this.comparison(node, state);
    if (is(node, 'CallExpression') && is(node.callee, 'Identifier') && node.callee.name === 'Boolean' && node.arguments[0]) return this.truthOf(node.arguments[0], state);
    if (is(node, 'LogicalExpression')) return this.logical(node, state);
    if (is(node, 'ConditionalExpression')) return this.conditional(node, state);
    const variable = is(node, 'Identifier') ? variableOf(node) : undefined;
    if (variable?.defs[0]?.type === 'CatchClause' as never) return true; // nobody throws `undefined`
    const place = placeOf(node);
    const flag = place && state.flags.get(place);
    if (flag) return truthOfKnown(flag);
    if (state.answer !== undefined && this.answer.isAnswer(node)) return state.answer;
    return placesOf(this.tracked.makers).includes(unwrap(node)) ? true : undefined;
  }

  private conditional({ test, consequent, alternate }: TSESTree.ConditionalExpression, state: LockState): boolean | undefined {
    const known = this.truthOf(test, state);
    if (known !== undefined) return this.truthOf(known ? consequent : alternate, state);
    const [one, other] = [this.truthOf(consequent, state), this.truthOf(alternate, state)];
    return one === other ? one : undefined;
  }

  private logical({ operator, left, right }: TSESTree.LogicalExpression, state: LockState): boolean | undefined {
    const [one, other] = [this.truthOf(left, state), this.truthOf(right, state)];
    if (operator === '&&') return one === false || other === false ? false : one === true && other === true ? true : undefined;
    if (operator === '||') return one === true || other === true ? true : one === false && other === false ? false : undefined;
    return one === true ? true : this.answer.isAnswer(left) ? one : undefined;
  }

  /** `locked === true`, `locked !== false`, `client == null`, `state === 'held'`, `rowCount === 1`, `rows.length > 0`. */
  private comparison({ operator, left, right }: TSESTree.BinaryExpression, state: LockState): boolean | undefined {
    const literal = uncast(right);
    const isEqual = operator === '===' || operator === '==';
    const isUnequal = operator === '!==' || operator === '!=';
    const place = placeOf(left);
    const remembered = place && state.flags.get(place);
    const asks = knownLiteral(literal);
    if (remembered?.startsWith('=') && asks && (isEqual || isUnequal)) return (remembered === asks) === isEqual;
    const truth = this.truthOf(left, state);
    if (truth === undefined) return undefined;
    if (is(literal, 'Literal') && typeof literal.value === 'number') {
      const asksForOne = ((isEqual || operator === '>=') && literal.value === 1) || ((operator === '>' || isUnequal) && literal.value === 0);
      const asksForNone = (isEqual && literal.value === 0) || (operator === '<' && literal.value === 1);
      return asksForOne ? truth : asksForNone ? !truth : undefined;
    }
    const expected = asks === '+' ? true : asks === '-' ? false : undefined;
    if (expected === undefined || (!isEqual && !isUnequal)) return undefined;
    return (truth === expected) === isEqual;
  }
}

/** `job.id`, and not a number of things, of which there may be none. */
const isPartOfKey = (node: TSESTree.Node): boolean => isMember(node) && !node.computed && !/^(?:length|size|rows|changes)$|count$|rows$/i.test(memberName(node) ?? '');

/** An element of a list that is gone through. */
function isOfEach(name: TSESTree.Identifier): boolean {
  const made = variableOf(name)?.defs[0]?.node as TSESTree.Node | undefined;
  return is(made, 'VariableDeclarator') && is(made.parent.parent, 'ForOfStatement') && made.parent.parent.left === made.parent;
}

const negated = (value: boolean | undefined): boolean | undefined => (value === undefined ? undefined : !value);
