import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { valuesOf, variableOf } from '../../values/names.js';
import type { Origins } from '../../values/origins.js';
import { isNullish, stepsFrom, type Origin } from '../../values/origin.js';
import { conversionOf, isFallback } from '../../answers/conversions.js';
import { pathTo } from '../../values/patterns.js';
import { callbackOf, contains, is, isFunction, isMember, memberName, uncast, unwrap, walk, type FunctionNode } from '../../syntax.js';
import { isPromiseChain } from './constants.js';
import type { Tracked } from '../lock-events.js';

/** Which expressions are the answer of the try-lock that is followed. Asked for each node once: what it says depends on no state. */
export class TryAnswer {
  private readonly answers = new Map<TSESTree.Node, boolean>();
  private readonly opaque = new Map<TSESTree.Node, boolean>();
  private readonly made = new Map<Scope.Variable, boolean>();
  /** What is being looked through for what it is made of: a variable may be made of itself. */
  private readonly converting = new Set<TSESTree.Node>();

  constructor(private readonly tracked: Tracked, private readonly origins: Origins) {}

  /** Whether an expression is the boolean that was answered, or the presence of the row that says so. */
  isAnswer(node: TSESTree.Node): boolean {
    let known = this.answers.get(node);
    if (known === undefined) this.answers.set(node, known = this.findAnswer(node));
    return known;
  }

  /** Whether something of the answer goes into a test that is not understood. */
  isOpaque(test: TSESTree.Node): boolean {
    let known = this.opaque.get(test);
    if (known === undefined) this.opaque.set(test, known = this.findOpaque(test));
    return known;
  }

  /** Whether a pattern takes the answer out of a value, and puts it under this name. */
  isTakenOut(pattern: TSESTree.Node, name: TSESTree.Node, source: TSESTree.Node): boolean {
    const found = this.origins.project(this.origins.of({ node: source, frame: undefined }), pathTo(pattern, name), undefined, name);
    return this.areAnswers(this.pathsOf(found));
  }

  private findAnswer(node: TSESTree.Node): boolean {
    if (this.tracked.acquire?.lock.function.operation !== 'try') return false;
    return this.areAnswers(this.paths(node)) || this.isFoundInRows(unwrap(node));
  }

  private areAnswers(paths: readonly (readonly string[])[]): boolean {
    const { lock, call } = this.tracked.acquire ?? {};
    if (lock?.function.operation !== 'try' || !call) return false;
    return paths.some((path) => {
      const last = path.at(-1);
      if (lock.answer.kind === 'row') return last === '0' || last === 'length' || (call.innerCounts ?? call.result.counts).includes(last ?? '');
      if (last === undefined) return call.holds === 'boolean';
      return lock.answer.kind !== 'column' || last === lock.answer.name || (call.result.arrayRows && path.length > 1);
    });
  }

  /** `rows.some((row) => row.ok)`, `rows.find(({ ok }) => ok)`, `rows.filter((row) => row.ok).length` and the like say what the one row says. */
  private isFoundInRows(node: TSESTree.Node): boolean {
    if (isMember(node)) return memberName(node) === 'length' && this.isSearch(unwrap(node.object), ['filter']);
    return this.isSearch(node, ['some', 'every', 'find', 'findLast']);
  }

  private isSearch(node: TSESTree.Node, methods: readonly string[]): boolean {
    const answer = this.tracked.acquire?.lock.answer;
    if (answer?.kind !== 'column' || !is(node, 'CallExpression') || !isMember(node.callee) || !methods.includes(memberName(node.callee) ?? '')) return false;
    return columnReadBy(node.arguments[0]) === answer.name && this.paths(node.callee.object).length > 0;
  }

  /** The rows that a lock statement has answered with, so that going through them is going through one. */
  isRows(node: TSESTree.Node): boolean {
    const { lock, call } = this.tracked.acquire ?? {};
    if (lock?.answer.kind !== 'column' || !call) return false;
    return this.paths(node).some((path) => path.length === (call.result.rows === undefined ? 0 : 1) && (path[0] === undefined || path[0] === call.result.rows));
  }

  private findOpaque(test: TSESTree.Node): boolean {
    return [...walk(test, isFunction)].some((node) => this.isTaking(node) || ((is(node, 'Identifier') || isMember(node) || is(node, 'CallExpression')) && this.paths(node).length > 0) || (is(node, 'Identifier') && this.isMadeOfAnswer(node)));
  }

  /** A variable whose value is made of the answer, in a way that is not followed: `Row.parse(rows[0])`, `list.push(row.ok)`. */
  private isMadeOfAnswer(name: TSESTree.Identifier): boolean {
    const variable = variableOf(name);
    if (!variable || (variable.defs[0]?.type !== 'Variable' as never && variable.defs[0]?.type !== 'Parameter' as never)) return false;
    let known = this.made.get(variable);
    if (known === undefined) {
      this.made.set(variable, false);
      known = argumentsFor(name, variable).some((one) => contains(this.tracked.body, one) && this.findOpaque(one)) || variable.references.some(({ identifier, writeExpr }) => {
        if (!contains(this.tracked.body, identifier)) return false;
        const value = writeExpr ?? givenTo(identifier);
        return !!value && !isFunction(value) && contains(this.tracked.body, value) && this.isUnclear(value);
      });
      this.made.set(variable, known);
    }
    return known;
  }

  /** Whether a value has something of the answer in it, and not by the operators alone that are followed: `ok && enabled` is clear. */
  private isUnclear(value: TSESTree.Node): boolean {
    const node = uncast(value);
    if (this.isAnswer(node)) return false;
    if (is(node, 'UnaryExpression')) return this.isUnclear(node.argument);
    if (is(node, 'LogicalExpression')) return this.isUnclear(node.left) || this.isUnclear(node.right);
    return is(node, 'ConditionalExpression') ? [node.test, node.consequent, node.alternate].some((one) => this.isUnclear(one)) : this.findOpaque(node);
  }

  /** The call of a helper that takes the lock, or a variable that has what it gave. */
  private isTaking(node: TSESTree.Node): boolean {
    const { takenAt, acquire } = this.tracked;
    if (!takenAt) return false;
    // What a function makes of the answer that is given the statement may be anything.
    const isStatement = takenAt === acquire?.call.node && !acquire.call.inner;
    const isTaking = (value: TSESTree.Node): boolean => chainStart(value) === takenAt && (!isStatement || isTransformed(value));
    if (isTaking(node)) return true;
    const variable = is(node, 'Identifier') ? variableOf(node) : undefined;
    if (!variable) return false;
    const isGiven = !isStatement && variable.defs.some(({ node: owner }) => given(owner) === takenAt);
    return isGiven || valuesOf(variable).some((one) => isTaking(one) || isAmong(takenAt, one));
  }

  private paths(node: TSESTree.Node): (readonly string[])[] {
    if (!this.tracked.acquire) return [];
    const at = unwrap(node);
    if (!is(at, 'Identifier') && !isMember(at) && !is(at, 'CallExpression') && !is(at, 'TaggedTemplateExpression')) return [];
    return this.pathsOf(this.origins.of({ node: at, frame: undefined }));
  }

  private pathsOf(origins: readonly Origin[]): (readonly string[])[] {
    const call = this.tracked.acquire?.call;
    if (!call) return [];
    const calls = new Set<TSESTree.Node>([...withCatches(call.node), ...(call.inner ? withCatches(call.inner) : [])]);
    return origins.filter((one) => !isNullish(one)).flatMap((one) => this.path(one, calls) ?? []);
  }

  /** The steps from the call to a part of its result; `rows.at(0)` is `rows[0]`. */
  private path(origin: Origin, calls: ReadonlySet<TSESTree.Node>): (readonly string[])[] | undefined {
    const direct = stepsFrom(origin, calls) ?? this.stepsFromCallback(origin);
    if (direct) return [direct];
    if (this.isLease(origin)) return [[]];
    if (origin.kind === 'parameter') return origin.index === 0 ? this.givenTo(origin.callee)?.map((steps) => [...steps, ...origin.path.map(String)]) : undefined;
    if (origin.kind === 'unknown') return this.elementsOf(listOfLoop(origin.node))?.map((steps) => [...steps, ...pathTo(loopPattern(origin.node), origin.node).map(String)]);
    if (origin.kind === 'member') {
      const made = typeof origin.name === 'number' && origin.object.kind === 'value' ? mappedTo(origin.object.node) : undefined;
      return made ? this.paths(made) : this.path(origin.object, calls)?.map((steps) => [...steps, String(origin.name)]);
    }
    if (origin.kind !== 'value') return undefined;
    const taken = is(origin.node, 'CallExpression') ? elementOf(origin.node) : undefined;
    if (!taken) return this.converted(origin, calls);
    const paths = this.origins.of({ node: taken.array, frame: origin.frame }).flatMap((one) => this.path(one, calls) ?? []);
    return paths.map((steps) => [...steps, taken.index]);
  }

  /** What a function of another file gives for the lock alone, to free it: that it is there is the answer. */
  private isLease(origin: Origin): boolean {
    const call = this.tracked.acquire?.call;
    return call?.lease !== undefined && call.isElsewhere === true && origin.kind === 'value' && origin.frame?.call === call.node;
  }

  /** The steps to what a function of the user's own makes `true` of: `row.ok === true`, `rows.length > 0`. */
  private converted({ node, frame }: Origin & { readonly kind: 'value' }, calls: ReadonlySet<TSESTree.Node>): (readonly string[])[] | undefined {
    const conversion = frame && conversionOf(node);
    // The boolean is there whatever it says.
    const isOfOther = conversion?.isOfPresence === true && this.tracked.acquire?.lock.answer.kind !== 'row';
    if (!conversion || conversion.isTurned || isOfOther || this.converting.has(node)) return undefined;
    this.converting.add(node);
    const paths = this.origins.of({ node: conversion.of, frame }).filter((one) => !isNullish(one) && !isFallback(one.node)).map((one) => this.path(one, calls));
    this.converting.delete(node);
    return paths.length > 0 && paths.every((one) => one !== undefined) ? paths.flat() : undefined;
  }

  /** The result that the statement's own Node-style callback gets: `(error, result) => ...`. */
  private stepsFromCallback(origin: Origin): readonly string[] | undefined {
    const call = this.tracked.acquire?.call;
    if (origin.kind !== 'parameter' || origin.index !== 1 || !call?.takesCallback || !is(call.node, 'CallExpression')) return undefined;
    return callbackOf(call.node) === origin.callee ? origin.path.map(String) : undefined;
  }

  /** What a callback gets: an element of the rows, or the result. */
  private givenTo(callback: FunctionNode): (readonly string[])[] | undefined {
    const promise = promiseBefore(callback);
    return promise ? this.paths(promise) : this.elementsOf(listGoneThroughBy(callback));
  }

  private elementsOf(list: TSESTree.Node | undefined): (readonly string[])[] | undefined {
    return list && this.isRows(list) ? this.paths(list).map((steps) => [...steps, '0']) : undefined;
  }
}

/** What a chain of `then()`, `catch()` and `finally()` begins with. */
function chainStart(node: TSESTree.Node): TSESTree.Node {
  const at = unwrap(node);
  return is(at, 'CallExpression') && isPromiseChain(at) ? chainStart(at.callee.object) : at;
}

/** Whether a `then()` of the chain makes something else of the value. */
function isTransformed(node: TSESTree.Node): boolean {
  const at = unwrap(node);
  return is(at, 'CallExpression') && isPromiseChain(at) && ((memberName(at.callee) === 'then' && at.arguments.length > 0) || isTransformed(at.callee.object));
}

/** Whether a call waits for others, and one among them: `Promise.all([tryLock(), ...])`. */
const isAmong = (call: TSESTree.Node, value: TSESTree.Node): boolean => {
  const at = chainStart(value);
  return at !== call && is(at, 'CallExpression', 'UnaryExpression', 'LogicalExpression', 'BinaryExpression', 'ConditionalExpression') && [...walk(at, isFunction)].includes(call);
};

/** Where the value of a parameter comes from: the promise whose `then()` has the function. */
function given(owner: TSESTree.Node): TSESTree.Node | undefined {
  const call = isFunction(owner) ? owner.parent : undefined;
  return is(call, 'CallExpression') && isPromiseChain(call) && memberName(call.callee) === 'then' && call.arguments[0] === owner ? chainStart(call) : undefined;
}

/** A call and the calls of `catch()` and `finally()` chained on it: where it does not fail, all give the same. */
function withCatches(call: TSESTree.Node): TSESTree.Node[] {
  const member = call.parent;
  const outer = member && isMember(member) && member.object === call && /^(?:catch|finally)$/.test(memberName(member) ?? '') ? member.parent : undefined;
  return is(outer, 'CallExpression') && outer.callee === member ? [call, ...withCatches(outer)] : [call];
}

/** `rows.at(0)`, `rows.shift()` */
function elementOf({ callee, arguments: [first] }: TSESTree.CallExpression): { readonly array: TSESTree.Node; readonly index: string } | undefined {
  if (!isMember(callee)) return undefined;
  const name = memberName(callee);
  if (name === 'shift' || name === 'pop') return { array: callee.object, index: '0' };
  return name === 'at' && is(first, 'Literal') && typeof first.value === 'number' ? { array: callee.object, index: String(first.value) } : undefined;
}

/** The column that a function reads of the row it gets: `(row) => row.ok`, `({ ok }) => ok === true`. */
function columnReadBy(callback: TSESTree.Node | undefined): string | undefined {
  const [param] = isFunction(callback) ? callback.params : [];
  const value = isFunction(callback) ? valueGivenBy(callback) : undefined;
  if (!param || !value) return undefined;
  const read = is(value, 'BinaryExpression') && value.operator === '===' && is(value.right, 'Literal') && value.right.value === true ? unwrap(value.left) : unwrap(value);
  if (isMember(read)) return is(param, 'Identifier') && is(read.object, 'Identifier') && read.object.name === param.name ? memberName(read) : undefined;
  const path = is(read, 'Identifier') && is(param, 'ObjectPattern') ? param.properties.find((one) => is(one, 'Property') && is(one.value, 'Identifier') && one.value.name === read.name) : undefined;
  return is(path, 'Property') && !path.computed && is(path.key, 'Identifier') ? path.key.name : undefined;
}

function valueGivenBy({ body }: FunctionNode): TSESTree.Node | undefined {
  if (!is(body, 'BlockStatement')) return body;
  const [only, ...others] = body.body;
  return is(only, 'ReturnStatement') && others.length === 0 ? only.argument ?? undefined : undefined;
}

/** What a mention of a variable puts into it: `list.push(value)`, `state.ok = value`, `note(state, value)`. */
function givenTo(name: TSESTree.Node): TSESTree.Node | undefined {
  let at = name;
  while (at.parent && isMember(at.parent) && at.parent.object === at) at = at.parent;
  const { parent } = at;
  if (is(parent, 'AssignmentExpression') && parent.left === at && at !== name) return parent.right;
  if (is(parent, 'CallExpression') && parent.callee === at && at !== name) return parent.arguments.find((one) => !isFunction(one));
  return is(parent, 'CallExpression') && parent.arguments.includes(at as TSESTree.Expression) && at === name ? parent.arguments.find((one) => one !== at && !isFunction(one)) : undefined;
}

/** The list whose elements a function gets one after the other: `rows.forEach((row) => ...)`. */
function listGoneThroughBy(callback: FunctionNode): TSESTree.Node | undefined {
  const call = callback.parent;
  if (!is(call, 'CallExpression') || call.arguments[0] !== callback || !isMember(call.callee)) return undefined;
  return /^(?:forEach|map|some|every|find|findLast|filter|flatMap)$/.test(memberName(call.callee) ?? '') ? call.callee.object : undefined;
}

/** What the elements of a list are made into: `row.ok` for `rows.map((row) => row.ok)`. */
function mappedTo(call: TSESTree.Node): TSESTree.Node | undefined {
  const [callback] = is(call, 'CallExpression') && isMember(call.callee) && memberName(call.callee) === 'map' ? call.arguments : [];
  return isFunction(callback) ? valueGivenBy(callback) : undefined;
}

function loopAround(name: TSESTree.Node): TSESTree.ForOfStatement | undefined {
  let at = name;
  while (at.parent && /Pattern$|^Property$|^RestElement$|^VariableDeclara/.test(at.parent.type)) at = at.parent;
  return is(at.parent, 'ForOfStatement') && at.parent.left === at ? at.parent : undefined;
}

/** The list of a `for ... of` whose variable a name declares. */
const listOfLoop = (name: TSESTree.Node): TSESTree.Node | undefined => loopAround(name)?.right;

function loopPattern(name: TSESTree.Node): TSESTree.Node {
  const left = loopAround(name)?.left ?? name;
  return is(left, 'VariableDeclaration') ? left.declarations[0].id : left;
}

/** The promise whose value a function gets: `p.then((result) => ...)`. */
function promiseBefore(callback: FunctionNode): TSESTree.Node | undefined {
  const call = callback.parent;
  return is(call, 'CallExpression') && call.arguments[0] === callback && isMember(call.callee) && memberName(call.callee) === 'then' ? call.callee.object : undefined;
}

/** What is given for a parameter of a function that has a name, where it is called by that name. */
function argumentsFor(name: TSESTree.Identifier, { defs: [def] }: Scope.Variable): TSESTree.Node[] {
  const callee = def?.type === 'Parameter' as never ? def.node as TSESTree.Node : undefined;
  if (!isFunction(callee)) return [];
  const index = callee.params.findIndex((one) => is(one, 'Identifier') && one.name === name.name);
  const named = is(callee, 'FunctionDeclaration') ? callee.id : is(callee.parent, 'VariableDeclarator') ? callee.parent.id : undefined;
  const calls = is(named, 'Identifier') ? variableOf(named)?.references.map(({ identifier }) => identifier) ?? [] : [];
  return calls.flatMap((one) => (is(one.parent, 'CallExpression') && one.parent.callee === one ? one.parent.arguments[index] ?? [] : []));
}
