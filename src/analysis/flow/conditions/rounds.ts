import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import type { LockUse } from '../../model.js';
import { variableOf } from '../../values/names.js';
import { contains, functionAround, is, isFunction, isMember, memberName, uncast, walk, type FunctionNode } from '../../syntax.js';
import { isPromiseChain } from './constants.js';
import type { Tracked } from '../lock-events.js';
import type { Round } from '../engine/transfer.js';

/**
 * Loops, and calls that are given a function, that free one key a round. One lock stands for all keys that a loop takes: a loop that
 * frees a key of its own each time goes over what is held, and where that is nothing there is nothing to free.
 */
export class Rounds {
  private readonly overKeys = new Map<TSESTree.Node, boolean>();
  private oneOfMany: Set<TSESTree.Node> | undefined;

  /** `endsAt`: whether a node ends the session. */
  constructor(private readonly tracked: Tracked, private readonly unlocksAt: (node: TSESTree.Node) => readonly TSESTree.Node[], private readonly endsAt: (node: TSESTree.Node) => boolean) {}

  takes(node: TSESTree.Node): boolean {
    const { takenAt } = this.tracked;
    return takenAt !== undefined && contains(node, takenAt);
  }

  frees(node: TSESTree.Node): boolean {
    return this.freeing(node).length > 0;
  }

  /** Whether a function that a call is given runs for what is held: nobody hands over what frees the lock for it not to run, `retry(() => unlock())`. */
  isRun(call: TSESTree.CallExpression | TSESTree.NewExpression, body: FunctionNode): boolean {
    if (this.takes(body)) return false;
    return this.frees(body) || (is(call, 'CallExpression') && isOverElements(call) && walk(body).some((node) => this.endsAt(node)));
  }

  /** Whether each round frees another key, or ends another session. */
  isOverKeys(round: Round): boolean {
    let known = this.overKeys.get(round);
    if (known === undefined) this.overKeys.set(round, known = !this.takes(round) && partsOf(round).some((part) => walk(part).some((node) => (this.endsAt(node) || this.unlocksAt(node).length > 0) && variesIn(node, round))));
    return known;
  }

  /** Whether an unlock frees one key of many, none where there are none: a try-lock that was lost is not among them. */
  isOneOfMany(node: TSESTree.Node, use: LockUse): boolean {
    if (use.key.parts.some((part) => part.kind === 'unknown' && part.text !== undefined) || this.isInRound(use.call.node)) return true;
    this.oneOfMany ??= new Set([...walk(this.tracked.body)].flatMap((one) => (isRound(one) && this.isOverKeys(one) ? partsOf(one).flatMap((part) => this.freeing(part).flatMap((call) => this.unlocksAt(call))) : [])));
    return this.oneOfMany.has(node);
  }

  /** Whether a list has been locked in a loop, key by key, and an unlock names one element of it, and no other unlock is there: `unlock(keys[0])`. */
  isOneElement(unlock: TSESTree.Node, isTakenAgain: boolean): boolean {
    const { takenAt, acquire, body, freedAt } = this.tracked;
    if (!takenAt || !acquire || freedAt.size !== 1 || acquire.lock.function.operation === 'try') return false;
    const list = takenAt === acquire.call.node ? (isTakenAgain ? listAround(takenAt, takenAt, body) : undefined) : listPassed(takenAt, acquire.call.node);
    return list !== undefined && [...walk(unlock)].some((node) => isElement(node, list));
  }

  /** Whether a statement of a helper stands in a loop there, with a key of the round. */
  private isInRound(call: TSESTree.Node): boolean {
    const sender = functionAround(call);
    for (let at = call.parent; at && at !== (sender && functionAround(sender)); at = at.parent) if (isRound(at) && !this.takes(at) && variesIn(call, at)) return true;
    return false;
  }

  private freeing(within: TSESTree.Node): TSESTree.Node[] {
    return [...walk(within)].filter((node) => this.unlocksAt(node).length > 0);
  }
}

const LOOP = /^(?:For|ForOf|ForIn|While|DoWhile)Statement$/;

function isRound(node: TSESTree.Node): node is Round {
  return LOOP.test(node.type) || (is(node, 'CallExpression') && !isPromiseChain(node) && node.arguments.some(isFunction));
}

/** What runs again and again: a loop as a whole, of a call the functions that it is given. */
const partsOf = (round: Round): readonly TSESTree.Node[] => (is(round, 'CallExpression') || is(round, 'NewExpression') ? round.arguments.filter(isFunction) : [round]);

/** Whether a call is given something that is another value in each round: a variable of the round, or the next element of a list. */
function variesIn(call: TSESTree.Node, round: Round): boolean {
  for (const node of walk(call)) {
    if (is(node, 'CallExpression') && isMember(node.callee) && /^(?:pop|shift|next)$/.test(memberName(node.callee) ?? '')) return true;
    const variable = is(node, 'Identifier') ? variableOf(node) : undefined;
    const isOfRound = (one: TSESTree.Node): boolean => contains(round, one) && !contains(call, one);
    if (variable?.identifiers.some(isOfRound) || variable?.references.some((one) => one.isWrite() && isOfRound(one.identifier))) return true;
  }
  return false;
}

/** `keys.map(unlock)` */
export const isOverElements = ({ callee }: TSESTree.CallExpression): boolean => isMember(callee) && /^(?:map|flatMap|forEach)$/.test(memberName(callee) ?? '');

/** What a list is folded into: `keys.reduce((before, key) => before.then(...), ...)`. What fails there has failed in the rounds before. */
export function isCarriedOn(name: TSESTree.Identifier): boolean {
  const variable = variableOf(name);
  const owner = variable?.defs[0]?.node as TSESTree.Node | undefined;
  const fold = isFunction(owner) && owner.params[0] === variable?.identifiers[0] ? owner.parent : undefined;
  return is(fold, 'CallExpression') && isMember(fold.callee) && /^reduce(?:Right)?$/.test(memberName(fold.callee) ?? '');
}

/** The list whose elements a loop around a statement locks, as a variable: `keys` of `for (const key of keys)`. A part of a list may be one element. */
function listAround(call: TSESTree.Node, until: TSESTree.Node, outer: TSESTree.Node): Scope.Variable | undefined {
  for (let at = until.parent; at && at !== outer; at = at.parent) {
    if (isFunction(at)) return undefined;
    if (is(at, 'ForOfStatement') && variesIn(call, at)) return listOf(at.right);
  }
  return undefined;
}

function listOf(value: TSESTree.Node): Scope.Variable | undefined {
  const node = uncast(value);
  const [first] = is(node, 'ArrayExpression') && node.elements.length === 1 ? node.elements : [];
  if (is(first, 'SpreadElement')) return listOf(first.argument);
  if (is(node, 'CallExpression') && isMember(node.callee) && /^(?:sort|toSorted|reverse|toReversed|values)$/.test(memberName(node.callee) ?? '')) return listOf(node.callee.object);
  return is(node, 'Identifier') ? variableOf(node) : undefined;
}

/** The same of a helper's loop over a parameter, as its caller passes it; a helper that stops at some element may lock only that one. */
function listPassed(taken: TSESTree.Node, call: TSESTree.Node): Scope.Variable | undefined {
  const helper = functionAround(call);
  if (!helper || !is(taken, 'CallExpression') || [...walk(helper.body, isFunction)].some((node) => is(node, 'BreakStatement') || is(node, 'ReturnStatement'))) return undefined;
  const list = listAround(call, call, helper);
  const argument = taken.arguments[helper.params.findIndex((param) => is(param, 'Identifier') && variableOf(param) === list)];
  return list && argument && listOf(argument);
}

/** `keys[0]`, `keys.at(-1)`, and a variable that has one of them. */
function isElement(value: TSESTree.Node, list: Scope.Variable): boolean {
  const node = is(value, 'CallExpression') && isMember(value.callee) && memberName(value.callee) === 'at' ? value.callee : value;
  if (isMember(node)) return is(node.object, 'Identifier') && variableOf(node.object) === list && (node === value ? node.computed && is(node.property, 'Literal') && typeof node.property.value === 'number' : true);
  const made = is(node, 'Identifier') ? variableOf(node)?.defs[0]?.node as TSESTree.Node | undefined : undefined;
  return is(made, 'VariableDeclarator') && is(made.id, 'Identifier') && !!made.init && !is(uncast(made.init), 'Identifier') && isElement(uncast(made.init), list);
}
