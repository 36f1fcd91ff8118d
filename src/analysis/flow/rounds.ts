import type { TSESTree } from '@typescript-eslint/utils';
import type { LockUse } from '../model.js';
import { variableOf } from '../names.js';
import { contains, functionAround, is, isFunction, isMember, memberName, walk } from '../syntax.js';
import { isPromiseChain } from './constants.js';
import type { Tracked } from './lock-events.js';
import type { Round } from './transfer.js';

/**
 * Loops, and calls that are given a function, that free one key a round. One lock stands for all keys that a loop takes: a loop that
 * frees a key of its own each time goes over what is held, and where that is nothing there is nothing to free.
 */
export class Rounds {
  private readonly overKeys = new Map<TSESTree.Node, boolean>();
  private oneOfMany: Set<TSESTree.Node> | undefined;

  constructor(private readonly tracked: Tracked, private readonly unlocksAt: (node: TSESTree.Node) => readonly TSESTree.Node[]) {}

  takes(node: TSESTree.Node): boolean {
    const { takenAt } = this.tracked;
    return takenAt !== undefined && contains(node, takenAt);
  }

  frees(node: TSESTree.Node): boolean {
    return this.freeing(node).length > 0;
  }

  /** Whether each round frees another key. */
  isOverKeys(round: Round): boolean {
    let known = this.overKeys.get(round);
    if (known === undefined) this.overKeys.set(round, known = !this.takes(round) && partsOf(round).some((part) => this.freeing(part).some((node) => variesIn(node, round))));
    return known;
  }

  /** Whether an unlock frees one key of many, none where there are none: a try-lock that was lost is not among them. */
  isOneOfMany(node: TSESTree.Node, use: LockUse): boolean {
    if (use.key.parts.some((part) => part.kind === 'unknown' && part.text !== undefined) || this.isInRound(use.call.node)) return true;
    this.oneOfMany ??= new Set([...walk(this.tracked.body)].flatMap((one) => (isRound(one) && this.isOverKeys(one) ? partsOf(one).flatMap((part) => this.freeing(part).flatMap((call) => this.unlocksAt(call))) : [])));
    return this.oneOfMany.has(node);
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
