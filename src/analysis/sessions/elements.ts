import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import type { Connections } from '../connections/connections.js';
import { noMakers, type Maker, type Makers } from '../values/makers.js';
import { valuesOf, variableOf } from '../values/names.js';
import { is, isFunction, isMember, memberName, unwrap, wrapped } from '../syntax.js';

/** How many names stand between an element and its list. */
const MAX_NAMES = 4;

/** What gives the same elements, in another order or a part of them. */
const SAME = /^(?:filter|reverse|slice|sort|splice|toReversed|toSorted|values)$/;
const ROUND = /^(?:every|filter|flatMap|forEach|map|some)$/;
const TAKES = /^(?:at|pop|shift)$/;
const PUTS = /^(?:add|push|unshift)$/;

/** Connections in lists: what is done to each element of a list is done to all that was put into it. */
export class Elements {
  private readonly known = new Map<Scope.Variable, Makers>();

  constructor(private readonly connections: Connections) {}

  /** What makes the elements of the list that a handle is one of, and the list: `client` of `for (const client of clients)`, `clients.pop()`. */
  of(handle: TSESTree.Node): Makers {
    const list = listWith(unwrap(handle), 0);
    return list ? this.inList(list) : noMakers;
  }

  /** The same of a list. */
  in(list: TSESTree.Node): Makers {
    return this.inList(unwrap(list));
  }

  private inList(list: TSESTree.Node): Makers {
    if (is(list, 'ArrayExpression')) return joined(list.elements.map((one) => (one && is(one, 'SpreadElement') ? this.in(one.argument) : this.made(one))));
    const given = is(list, 'CallExpression') ? list.arguments[0] : undefined;
    if (is(list, 'CallExpression') && isMember(list.callee) && is(list.callee.object, 'Identifier') && ['Array', 'Promise'].includes(list.callee.object.name)) return given ? this.in(given) : noMakers;
    if (is(list, 'CallExpression') && isMember(list.callee) && SAME.test(memberName(list.callee) ?? '')) return this.in(list.callee.object);
    const variable = is(list, 'Identifier') ? variableOf(list) : undefined;
    return variable ? this.ofVariable(variable) : noMakers;
  }

  private ofVariable(variable: Scope.Variable): Makers {
    const known = this.known.get(variable);
    if (known) return known;
    this.known.set(variable, noMakers); // a list of itself
    const [name] = variable.identifiers;
    const own: Makers = new Set<Maker>(name ? [{ node: name, call: undefined }] : []);
    const found = joined([own, ...valuesOf(variable).map((one) => this.in(one)), ...variable.references.flatMap(({ identifier }) => putInto(identifier).map((one) => this.made(one)))]);
    this.known.set(variable, found);
    return found;
  }

  private made(element: TSESTree.Node | null): Makers {
    return element ? this.connections.of({ node: element, frame: undefined }).makers : noMakers;
  }
}

const joined = (all: readonly Makers[]): Makers => new Set(all.flatMap((one) => [...one]));

/** What a mention of a list puts into it. */
function putInto(list: TSESTree.Node): readonly TSESTree.Node[] {
  const member = wrapped(list, false).parent;
  const call = member && isMember(member) && PUTS.test(memberName(member) ?? '') ? member.parent : undefined;
  return is(call, 'CallExpression') && call.callee === member && !call.arguments.includes(list as never) ? call.arguments : [];
}

/** The list that has a value as one of its elements. */
function listWith(node: TSESTree.Node, depth: number): TSESTree.Node | undefined {
  if (depth > MAX_NAMES) return undefined;
  if (isMember(node)) return node.computed ? unwrap(node.object) : undefined;
  if (is(node, 'CallExpression')) return isMember(node.callee) && TAKES.test(memberName(node.callee) ?? '') ? unwrap(node.callee.object) : undefined;
  const definition = is(node, 'Identifier') ? variableOf(node)?.defs[0] : undefined;
  const made = definition?.node as TSESTree.Node | undefined;
  if (isFunction(made)) return made.params[0] === definition?.name ? listGoneThrough(made) : undefined;
  if (!is(made, 'VariableDeclarator') || !is(made.id, 'Identifier')) return undefined;
  if (made.init) return listWith(unwrap(made.init), depth + 1);
  const loop = made.parent.parent;
  return is(loop, 'ForOfStatement') && loop.left === made.parent ? unwrap(loop.right) : undefined;
}

/** `clients` of `clients.map((client) => ...)` */
function listGoneThrough(callback: TSESTree.Node): TSESTree.Node | undefined {
  const call = callback.parent;
  const isRound = is(call, 'CallExpression') && call.arguments[0] === callback && isMember(call.callee) && ROUND.test(memberName(call.callee) ?? '');
  return isRound ? unwrap((call.callee as TSESTree.MemberExpression).object) : undefined;
}

/** Whether a place is the name of a list, and not what makes a connection. */
export const isNameOfList = (place: TSESTree.Node): boolean => is(place, 'Identifier') && is(place.parent, 'VariableDeclarator') && place.parent.id === place;
