import type { TSESTree } from '@typescript-eslint/utils';
import { placesOf } from '../../values/makers.js';
import { variableOf } from '../../values/names.js';
import type { Origins } from '../../values/origins.js';
import { is, isFunction, isMember, memberName, uncast, unwrap, walk, type FunctionNode } from '../../syntax.js';
import { AskedAgain } from './asked-again.js';
import { compare, FALSE, isLiteralKnown, knownLiteral, knownOf, knownTruth, literalOf, mirrored, NOTHING, TRUE, truthOfKnown, type Known } from './known.js';
import { Literals } from './literals.js';
import type { Tracked } from '../lock-events.js';
import { withFlag, type LockState } from '../lock-state.js';
import { branchesOf, MAX_LENGTH, partsOf, type Part } from './parts.js';
import { passedOn } from '../passed-on.js';
import { askedPlaces, caseText, isAbout, isPartOf, lengthOf, measuredPlaces, placeOf, repeatedConditions, textOf, writtenBy, type Written } from './remembered.js';
import { steadyIn, type Steady } from './steady.js';
import type { TryAnswer } from './try-answer.js';

const MAX_PLACES = 6;
/** Numbers are followed up to this one. */
const MAX_COUNT = 8;

/** What conditions tell on a path: the try-lock's answer, places that remember something of it, conditions asked before. */
export class Truths {
  private readonly remembering: ReadonlySet<string>;
  private readonly repeated: ReadonlySet<string>;
  private readonly isSteady: Steady;
  private readonly constants = new Map<TSESTree.Node, Known | undefined>();
  private readonly functions = new Map<Known, TSESTree.Node>();
  private readonly literals: Literals;

  readonly askedAgain: AskedAgain;

  constructor(private readonly tracked: Tracked, private readonly origins: Origins, private readonly answer: TryAnswer, isUnchanged = false) {
    this.remembering = this.rememberingPlaces();
    this.isSteady = steadyIn(origins.types);
    this.repeated = repeatedConditions(tracked.body, this.isSteady);
    this.literals = new Literals(tracked.body, this.isSteady, (node) => this.constantOf(node), origins.types);
    this.askedAgain = new AskedAgain(tracked.body, (node) => this.remembering.has(placeOf(node) ?? ''), this.isSteady, isUnchanged);
  }

  // ---- places

  /** Places that are asked, and that get a constant, or something of the answer, somewhere in the function. */
  private rememberingPlaces(): Set<string> {
    const { body } = this.tracked;
    const found = new Set<string>();
    const asked = new Set([...askedPlaces(body), ...passedOn(body, this.origins).flatMap((one) => placeOf(one) ?? [])]);
    const measured = measuredPlaces(body);
    const writes = [...walk(body)].flatMap((node) => writtenBy(node));
    const written = new Map<string, number>();
    for (const { place } of writes) written.set(place, (written.get(place) ?? 0) + 1);
    // What is counted up to a number that is not in view is counted for something else.
    for (const { place, by } of writes) if (by !== undefined && measured.has(place)) asked.delete(place);
    const isOfAnswer = ({ value, from }: Written): boolean => [value, from?.source].some((one) => !!one && this.answer.isOpaque(one));
    for (const one of [...writes.filter(isOfAnswer), ...writes]) {
      const parts = this.alternatives(one);
      const isOneOfMany = (written.get(one.place) ?? 0) > 1;
      const telling = parts.filter(({ place, value, known }) => known !== undefined || value === undefined || this.isTelling(value, isOneOfMany) || (place !== one.place && this.isThere(value))).map(({ place }) => place);
      if (one.by !== undefined || one.known !== undefined || (one.from && this.isAnswerOf(one))) telling.push(one.place);
      for (const place of telling) if (found.size < MAX_PLACES && asked.has(place)) found.add(place);
    }
    return found;
  }

  private alternatives({ place, value }: Written): Part[] {
    return value === null ? [] : branchesOf(value).flatMap((branch) => partsOf(place, branch, value));
  }

  private isTelling(value: TSESTree.Node, isOneOfMany: boolean): boolean {
    const node = uncast(value);
    if (this.constantOf(node) !== undefined || this.answer.isAnswer(node) || this.tracked.handle?.isGivenBy(node)) return true;
    const inner = (one: TSESTree.Node): boolean => this.isTelling(one, isOneOfMany);
    if (isFunction(node)) return isOneOfMany;
    if (is(node, 'UnaryExpression')) return node.operator === '!' && inner(node.argument);
    if (is(node, 'LogicalExpression')) return inner(node.left) || inner(node.right);
    if (is(node, 'BinaryExpression')) return this.answer.isAnswer(node.left) || this.answer.isOpaque(node.left);
    const converted = convertedBy(node);
    if (converted) return inner(converted.value);
    return is(node, 'ConditionalExpression') && (inner(node.test) || (inner(node.consequent) && inner(node.alternate)));
  }

  private isAnswerOf({ from, target }: Written): boolean {
    return from?.source !== undefined && this.answer.isTakenOut(from.pattern, target, from.source);
  }

  remembers(place: string | undefined): boolean {
    return place !== undefined && this.remembering.has(place);
  }

  /** Whether a node writes what is remembered. */
  isRemembering(node: TSESTree.Node): boolean {
    return writtenBy(node).some(({ place }) => this.remembering.has(place));
  }

  /** What a node writes, remembered. */
  remember(node: TSESTree.Node, state: LockState): LockState | undefined {
    let after = (this.repeated.size > 0 || !this.literals.isEmpty) && is(node, 'VariableDeclarator') ? withoutQuestions(node.id, state) : state;
    for (const one of writtenBy(node)) after = this.write(one, after);
    return after === state ? undefined : after;
  }

  /** What a function of this one's own that takes the lock leaves in the places that it writes: what of it is not the answer is not known. */
  rememberCall(callee: TSESTree.Node, state: LockState): LockState {
    let after = state;
    for (const node of walk(callee)) for (const one of writtenBy(node)) after = this.write(one.value && !this.answer.isAnswer(uncast(one.value)) ? { ...one, value: null } : one, after);
    return after;
  }

  private write(one: Written, before: LockState): LockState {
    const { place, value, by, known, from } = one;
    let state = before;
    for (const flag of before.flags.keys()) if (isPartOf(flag, place) || flag.endsWith(`.${place}`) || flag.endsWith(`?${place}`)) state = withFlag(state, flag, undefined);
    if (from) return this.put(state, place, before.answer !== undefined && this.isAnswerOf(one) ? this.answered(before.answer) : undefined);
    if (known !== undefined) return this.put(state, place, known);
    if (value === null) return this.put(state, place, by === undefined ? undefined : this.counted(place, by, before));
    if (value === undefined) return this.put(state, place, NOTHING);
    for (const part of partsOf(place, this.chosenOf(value, before), value)) state = this.put(state, part.place, part.known ?? (part.value && this.valueOf(part.value, before)) ?? (part.value && this.isThere(part.value) ? '+' : undefined));
    return state;
  }

  /** Within a function that is called, its parameters are what this call passes. */
  bind({ arguments: args }: TSESTree.CallExpression, { params }: FunctionNode, before: LockState): LockState {
    let state = before;
    params.forEach((param, index) => {
      const name = is(param, 'AssignmentPattern') ? param.left : param;
      const place = is(name, 'Identifier') ? placeOf(name) : undefined;
      if (!place || args.slice(0, index + 1).some((one) => is(one, 'SpreadElement'))) return;
      const given = args[index] ? this.valueOf(args[index], before) : NOTHING;
      state = withFlag(state, place, given === NOTHING && is(param, 'AssignmentPattern') ? this.valueOf(param.right, before) : given);
    });
    return state;
  }

  private put(state: LockState, place: string, known: Known | undefined): LockState {
    return this.remembering.has(place) ? withFlag(state, place, known) : state;
  }

  /** What a number is after something was added, as far as it is counted. */
  private counted(place: string, by: number, state: LockState): Known | undefined {
    const now = state.flags.get(place);
    const isLength = place.endsWith('.length');
    if (!isLiteralKnown(now)) return now === '+' && by > 0 ? '+' : undefined;
    const sum = Number(literalOf(now)) + by;
    if (isLength) return sum <= 0 ? knownOf(0) : sum >= MAX_LENGTH ? '+' : knownOf(sum);
    return Math.abs(sum) <= MAX_COUNT ? knownOf(sum) : undefined;
  }

  /** The one of several alternatives that a value is on this path. */
  chosenOf(value: TSESTree.Node, state: LockState): TSESTree.Node {
    const node = uncast(value);
    if (!is(node, 'ConditionalExpression')) return node;
    const known = this.truthOf(node.test, state);
    return known === undefined ? node : this.chosenOf(known ? node.consequent : node.alternate, state);
  }

  /** A value that can be neither null nor undefined nor false; a number or text that is given is taken to say something. */
  private isThere(value: TSESTree.Node): boolean {
    const node = uncast(value); // what `await` gives, not the promise
    const facts = this.origins.types.declaredType(node);
    // Without types, a name is taken to stand for something that is there.
    if (!facts && !this.origins.types.isTyped && placeOf(node) !== undefined) return true;
    if (!facts) return isOfEach(isMember(node) && isPartOfKey(node) ? node.object : node);
    if (facts.isAny || facts.nullable || facts.alternatives.some((one) => one.literal === false || (one.names.length === 0 && !is(node, 'Identifier') && !isPartOfKey(node) && !isClock(node)))) return false;
    return !facts.alternatives.some((one) => one.names.some(({ name }) => name === 'Boolean' || name === 'boolean'));
  }

  // ---- conditions

  assume(value: TSESTree.Node, outcome: boolean, before: LockState): LockState {
    const node = uncast(value);
    const state = this.literals.assume(node, outcome, this.askedAgain.assume(node, outcome, before));
    const place = placeOf(node);
    if (place && this.remembering.has(place)) return state.flags.get(place) !== undefined ? state : withFlag(state, place, outcome ? '+' : '-');
    if (this.repeated.size === 0 || !this.isSteady(node)) return state;
    const asked = textOf(node);
    return this.repeated.has(asked) ? withFlag(state, asked, outcome ? '+' : '-') : state;
  }

  /** Whether a `case` is the one that is chosen. */
  choice(discriminant: TSESTree.Node, value: TSESTree.Node, state: LockState): boolean | undefined {
    const known = this.comparisonOf('===', discriminant, value, state) ?? this.literals.choice(discriminant, value, state);
    if (known !== undefined || this.repeated.size === 0) return known;
    const asked = state.flags.get(caseText(discriminant, value));
    return asked === undefined ? undefined : truthOfKnown(asked);
  }

  /** The state in which a `case` is chosen, or passed over. */
  choose(discriminant: TSESTree.Node, value: TSESTree.Node, isChosen: boolean, before: LockState): LockState {
    const state = this.literals.choose(discriminant, value, isChosen, before);
    const asked = caseText(discriminant, value);
    return this.repeated.has(asked) ? withFlag(state, asked, isChosen ? '+' : '-') : state;
  }

  /** Whether it is known to be neither null nor undefined, or to be one of them. */
  presenceOf(value: TSESTree.Node, state: LockState): boolean | undefined {
    const known = this.valueOf(value, state);
    return known === NOTHING ? false : known === undefined || known === '-' ? undefined : true;
  }

  truthOf(value: TSESTree.Node, state: LockState): boolean | undefined {
    const known = this.valueOf(value, state);
    return known === undefined ? undefined : truthOfKnown(known);
  }

  /** The one of several functions that a variable holds. */
  functionIn(callee: TSESTree.Node, state: LockState): TSESTree.Node | undefined {
    const place = placeOf(callee);
    const known = place ? state.flags.get(place) : undefined;
    return known === undefined ? undefined : this.functions.get(known);
  }

  valueOf(value: TSESTree.Node, state: LockState): Known | undefined {
    const node = uncast(value);
    return this.seenIn(node, state) ?? this.literals.known(node, state);
  }

  private seenIn(node: TSESTree.Node, state: LockState): Known | undefined {
    const literal = knownLiteral(node);
    if (literal !== undefined) return literal;
    const now = this.askedAgain.known(node, state);
    if (now !== undefined) return now;
    if (this.repeated.size > 0 && this.isSteady(node)) {
      const asked = state.flags.get(textOf(node));
      if (asked !== undefined) return asked;
    }
    if (isFunction(node)) return this.functionKnown(node);
    switch (node.type as string) {
      case 'AssignmentExpression':
        return this.valueOf((node as TSESTree.AssignmentExpression).right, state);
      case 'SequenceExpression':
        return this.valueOf((node as TSESTree.SequenceExpression).expressions.at(-1)!, state);
      case 'NewExpression':
      case 'ObjectExpression':
      case 'ArrayExpression':
        return '+';
      case 'TemplateLiteral':
        return this.textOf(node as TSESTree.TemplateLiteral, state);
      case 'BinaryExpression': {
        const { operator, left, right } = node as TSESTree.BinaryExpression;
        const holds = this.comparisonOf(operator, left, right, state);
        return holds === undefined ? undefined : holds ? TRUE : FALSE;
      }
      case 'LogicalExpression':
        return this.logical(node as TSESTree.LogicalExpression, state);
      case 'ConditionalExpression':
        return this.conditional(node as TSESTree.ConditionalExpression, state);
      case 'UpdateExpression':
        return this.updated(node as TSESTree.UpdateExpression, state);
    }
    const converted = convertedBy(node);
    if (converted) return this.converted(converted, state);
    return this.ofPlace(node, state);
  }

  private ofPlace(node: TSESTree.Node, state: LockState): Known | undefined {
    const variable = is(node, 'Identifier') ? variableOf(node) : undefined;
    if (variable?.defs[0]?.type === 'CatchClause' as never) return '+'; // nobody throws `undefined`
    const place = placeOf(node);
    const flag = place && state.flags.get(place);
    if (flag) return flag;
    if (state.answer !== undefined && this.answer.isAnswer(node)) return this.answered(state.answer);
    if (placesOf(this.tracked.makers).includes(unwrap(node))) return '+';
    if (place?.includes('?') && state.flags.get(lengthOf(place)) === '=0') return FALSE;
    // `lock?.key` of no lock.
    const owner = isMember(node) ? placeOf(node.object) : undefined;
    if (owner && state.flags.get(owner) === NOTHING) return NOTHING;
    return place && this.remembering.has(place) ? undefined : this.tracked.handle?.knownOf(node, state) ?? this.constantOf(node);
  }

  /** A literal, or a name that stands for one: of a constant, of an enum. */
  private constantOf(node: TSESTree.Node): Known | undefined {
    if (!this.constants.has(node)) this.constants.set(node, knownLiteral(node) ?? this.namedConstant(node));
    return this.constants.get(node);
  }

  private namedConstant(node: TSESTree.Node): Known | undefined {
    const name = isMember(node) ? uncast(node.object) : node;
    if (!is(name, 'Identifier')) return undefined;
    const variable = variableOf(name);
    if (!variable || variable.defs.length === 0 || variable.references.some((one) => one.isWrite() && !one.init) || variable.defs[0]?.type === 'Parameter' as never) return undefined;
    const isEnum = variable.defs[0]?.type === 'TSEnumName' as never;
    // An object is a set of constants as long as it is only read.
    if (isMember(node) && !isEnum && !variable.references.every((one) => one.init === true || isReadOf(one.identifier as TSESTree.Node))) return undefined;
    const [only, ...others] = this.origins.of({ node, frame: undefined });
    if (only?.kind === 'value' && others.length === 0) return isSymbol(only.node) ? knownOf(`symbol ${only.node.range[0]}`) : knownLiteral(only.node);
    if (!isEnum) return undefined;
    const literal = this.origins.types.typeOf(node)?.literal;
    return typeof literal === 'number' || typeof literal === 'string' ? knownOf(literal) : undefined;
  }

  /** A column is a boolean; a row, a number of rows or what frees the lock is there or not. */
  private answered(answer: boolean): Known {
    const { lock, call } = this.tracked.acquire ?? {};
    if (lock?.answer.kind !== 'column' || call?.lease) return answer ? '+' : '-';
    return answer ? TRUE : FALSE;
  }

  private functionKnown(node: TSESTree.Node): Known {
    const known = `+@${node.range[0]}`;
    this.functions.set(known, node);
    return known;
  }

  /** `${ok}`, or a text that is surely not empty. */
  private textOf({ quasis, expressions }: TSESTree.TemplateLiteral, state: LockState): Known | undefined {
    const [only, ...others] = expressions;
    if (quasis.some((one) => one.value.raw !== '')) return '+';
    return only && others.length === 0 ? this.converted({ to: 'String', value: only }, state) : undefined;
  }

  private converted({ to, value }: Conversion, state: LockState): Known | undefined {
    const known = this.valueOf(value, state);
    if (known === undefined) return undefined;
    const truth = truthOfKnown(known);
    if (to === '!' || to === 'Boolean') return truth === (to === 'Boolean') ? TRUE : FALSE;
    if (isLiteralKnown(known)) return to === 'String' ? knownOf(String(literalOf(known))) : knownOf(Number(literalOf(known)));
    if (to === 'Number') return truth ? '+' : knownOf(0);
    return known === TRUE || known === FALSE ? knownOf(String(truth)) : undefined;
  }

  /** `x++` as a value: what it was before. The node has had its effect by then. */
  private updated({ argument, prefix, operator }: TSESTree.UpdateExpression, state: LockState): Known | undefined {
    const now = this.valueOf(argument, state);
    return prefix || !isLiteralKnown(now) ? now : knownOf(Number(literalOf(now)) - (operator === '++' ? 1 : -1));
  }

  private conditional({ test, consequent, alternate }: TSESTree.ConditionalExpression, state: LockState): Known | undefined {
    const known = this.truthOf(test, state);
    if (known !== undefined) return this.valueOf(known ? consequent : alternate, state);
    const [one, other] = [this.valueOf(consequent, state), this.valueOf(alternate, state)];
    if (one === other) return one;
    return one !== undefined && other !== undefined && truthOfKnown(one) === truthOfKnown(other) ? knownTruth(truthOfKnown(one)) : undefined;
  }

  private logical({ operator, left, right }: TSESTree.LogicalExpression, state: LockState): Known | undefined {
    const [one, other] = [this.valueOf(left, state), this.valueOf(right, state)];
    const [first, second] = [one, other].map((known) => (known === undefined ? undefined : truthOfKnown(known)));
    if (operator === '&&') return first === true ? other : first === false ? one : second === false ? '-' : undefined;
    if (operator === '||') return first === true ? one : first === false ? other : second === true ? '+' : undefined;
    return first === true ? one : this.answer.isAnswer(left) ? one : undefined;
  }

  /** The constant may stand on either side. */
  private comparisonOf(operator: string, left: TSESTree.Node, right: TSESTree.Node, state: LockState): boolean | undefined {
    const isTurned = this.constantOf(uncast(left)) !== undefined && this.constantOf(uncast(right)) === undefined;
    const [one, other] = isTurned ? [right, left] : [left, right];
    return compare(isTurned ? mirrored(operator) : operator, this.valueOf(one, state), this.valueOf(other, state));
  }
}

function withoutQuestions(declared: TSESTree.Node, before: LockState): LockState {
  let state = before;
  const names = before.flags.size > 0 ? [...walk(declared)].filter((one) => is(one, 'Identifier')) : [];
  for (const name of names) for (const asked of before.flags.keys()) if (isAbout(asked, name)) state = withFlag(state, asked, undefined);
  return state;
}

interface Conversion {
  readonly to: '!' | 'Boolean' | 'Number' | 'String';
  readonly value: TSESTree.Node;
}

/** `!x`, `Boolean(x)`, `Number(x)`, `+x`, `String(x)`, `x.toString()`. */
function convertedBy(node: TSESTree.Node): Conversion | undefined {
  if (is(node, 'UnaryExpression')) return node.operator === '!' ? { to: '!', value: node.argument } : node.operator === '+' ? { to: 'Number', value: node.argument } : undefined;
  if (!is(node, 'CallExpression')) return undefined;
  const { callee, arguments: [value] } = node;
  if (isMember(callee) && !value && memberName(callee) === 'toString') return { to: 'String', value: callee.object };
  if (!value || !is(callee, 'Identifier') || variableOf(callee)) return undefined;
  return callee.name === 'Boolean' || callee.name === 'Number' || callee.name === 'String' ? { to: callee.name, value } : undefined;
}

const isSymbol = (node: TSESTree.Node): boolean => is(node, 'CallExpression') && is(node.callee, 'Identifier') && node.callee.name === 'Symbol';

/** `Date.now()`, `performance.now()`, `process.hrtime.bigint()`: never zero. */
const isClock = (node: TSESTree.Node): boolean => is(node, 'CallExpression') && isMember(node.callee) && /^(?:now|bigint|getTime)$/.test(memberName(node.callee) ?? '');

/** Whether a mention of an object reads a property that has a name. */
function isReadOf(name: TSESTree.Node): boolean {
  const member = name.parent;
  if (!member || !isMember(member)) return member?.type.startsWith('TS') === true;
  const { parent } = member;
  return memberName(member) !== undefined && !((is(parent, 'AssignmentExpression') && parent.left === member) || is(parent, 'UpdateExpression'));
}

/** `job.id`, and not a number of things, of which there may be none. */
const isPartOfKey = (node: TSESTree.Node): boolean => isMember(node) && !node.computed && !/^(?:length|size|rows|changes)$|count$|rows$/i.test(memberName(node) ?? '');

/** An element of a list that is gone through. */
function isOfEach(name: TSESTree.Node): boolean {
  const made = (is(name, 'Identifier') ? variableOf(name) : undefined)?.defs[0]?.node as TSESTree.Node | undefined;
  return is(made, 'VariableDeclarator') && is(made.parent.parent, 'ForOfStatement') && made.parent.parent.left === made.parent;
}
