import type { TSESTree } from '@typescript-eslint/utils';
import { variableOf } from '../values/names.js';
import { isNullish, type Origin } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { pathTo } from '../values/patterns.js';
import { is, isFunction, isMember, memberName, staticName, uncast, unwrap, type FunctionNode } from '../syntax.js';
import { knownTruth, NOTHING, truthOfKnown, type Known } from './conditions/known.js';
import type { LockState } from './lock-state.js';

/** What a function that takes a lock gives back on one of its ways: `null`, `{ acquired: true, release }`. */
export interface Result {
  /** Whether the lock was taken on that way. */
  readonly isTaken: boolean;
  readonly value: Known | undefined;
  /** The properties of an object literal; `undefined` where they are not all in view. */
  readonly parts: ReadonlyMap<string, Known | undefined> | undefined;
}

/** Whether the lock was taken on a path: as the try-lock has answered, or else as it is held, or was. */
export const isTaken = ({ answer, held }: LockState): boolean => answer ?? held !== 'free';

export function resultOf(returned: TSESTree.Node | undefined, state: LockState, valueOf: (node: TSESTree.Node) => Known | undefined, origins: Origins): Result {
  const value = returned ? valueOf(returned) : NOTHING;
  const [only, ...others] = returned ? origins.of({ node: returned, frame: undefined }) : [];
  const made = only?.kind === 'value' && others.length === 0 ? only.node : undefined;
  const parts = is(made, 'ObjectExpression') ? propertiesOf(made, valueOf) : undefined;
  return { isTaken: isTaken(state), value: value ?? (is(made, 'ObjectExpression', 'NewExpression') || isFunction(made) ? '+' : undefined), parts };
}

/** The properties of an object literal, as far as they are known; `undefined` where some have no name in view. */
export function propertiesOf({ properties }: TSESTree.ObjectExpression, valueOf: (node: TSESTree.Node) => Known | undefined): Map<string, Known | undefined> | undefined {
  const parts = new Map<string, Known | undefined>();
  for (const one of properties) {
    const name = is(one, 'Property') ? staticName(one.key, one.computed) : undefined;
    if (name === undefined || !is(one, 'Property')) return undefined;
    parts.set(name, isFunction(one.value) ? '+' : valueOf(one.value));
  }
  return parts;
}

/** What a caller knows of the value that it got for a lock: on the paths on which the lock was taken, and on the others. */
export class Handle {
  constructor(private readonly call: TSESTree.Node, private readonly results: readonly Result[]) {}

  /** Whether the function may come back without the lock; where it throws or waits instead, no caller sees that it was refused. */
  get mayBeRefused(): boolean {
    return this.results.some((one) => !one.isTaken);
  }

  isGivenBy(node: TSESTree.Node): boolean {
    return unwrap(node) === this.call;
  }

  knownOf(node: TSESTree.Node, state: LockState): Known | undefined {
    const path = this.pathTo(node);
    if (!path || path.length > 1) return undefined;
    const found = this.results.filter((one) => one.isTaken === isTaken(state)).map((one) => partOf(one, path[0]));
    const [first, ...others] = found;
    if (first === undefined || others.includes(undefined)) return undefined;
    if (others.every((one) => one === first)) return first;
    return others.every((one) => truthOfKnown(one!) === truthOfKnown(first)) ? knownTruth(truthOfKnown(first)) : undefined;
  }

  /** The properties from the value that was given to an expression. */
  private pathTo(node: TSESTree.Node): readonly string[] | undefined {
    const at = unwrap(node);
    if (at === this.call) return [];
    if (isMember(at)) {
      const [owner, name] = [this.pathTo(at.object), memberName(at)];
      return owner && name !== undefined ? [...owner, name] : undefined;
    }
    const variable = is(at, 'Identifier') ? variableOf(at) : undefined;
    const [name] = variable?.identifiers ?? [];
    const made = variable?.defs[0]?.node as TSESTree.Node | undefined;
    const isOnly = variable?.references.every((one) => !one.isWrite() || one.init) === true;
    return name && isOnly && is(made, 'VariableDeclarator') && made.init && this.isGivenBy(made.init) ? pathTo(made.id, name).map(String) : undefined;
  }
}

function partOf({ value, parts }: Result, name: string | undefined): Known | undefined {
  if (name === undefined) return value;
  if (value === NOTHING) return NOTHING;
  return parts && (parts.has(name) ? parts.get(name) : NOTHING);
}

/** The functions that a call may run; what is missing where it is called, as the method of `null` or of `{ acquired: false }`, does not run. */
export function functionsCalled(call: TSESTree.CallExpression, origins: Origins): FunctionNode[] {
  const found = origins.of({ node: call.callee, frame: undefined }).filter((one) => !isNullish(one) && !isMissing(one));
  const functions = found.flatMap((one) => (one.kind === 'value' && isFunction(one.node) ? [one.node] : []));
  return functions.length === found.length ? [...new Set(functions)] : [];
}

/** A property of nothing, or one that an object literal has not. */
function isMissing(origin: Origin): boolean {
  if (origin.kind !== 'member') return false;
  const object = origin.object;
  if (isNullish(object)) return true;
  const made = object.kind === 'value' ? uncast(object.node) : undefined;
  return is(made, 'ObjectExpression') && made.properties.every((one) => is(one, 'Property') && staticName(one.key, one.computed) !== undefined);
}
