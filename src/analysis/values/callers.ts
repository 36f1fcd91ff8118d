import type { TSESTree } from '@typescript-eslint/utils';
import { variableOf } from './names.js';
import { isNullish, type Frame, type Origin, type Place } from './origin.js';
import type { Origins } from './origins.js';
import { hasThis } from './frames.js';
import { isDecorated } from './members.js';
import { exportedAs } from './origin-syntax.js';
import { adoptedWith } from './stacks.js';
import { is, isClass, isMember, memberName, wrapped, type FunctionNode } from '../syntax.js';

/** Finds what is passed for a parameter, among the calls that are in view. */
export class Callers {
  constructor(private readonly origins: Origins) {}

  /** Whether a function is also handed on as a value: then there are calls of it that are not in view. */
  isHandedOn({ callee }: Origin & { kind: 'parameter' }): boolean {
    const name = nameOf(callee);
    const { types } = this.origins;
    // `exports.A = A`: types find who uses it in other files. What an object of exports holds they do not.
    const isExported = (use: TSESTree.Node): boolean => types.isTyped && exportedAs(use) !== undefined;
    return isDecorated(callee) || (name !== undefined && types.usesOf(name).some((use) => isValue(use) && !isExported(use)));
  }

  /** What the calls of a function by its name pass. */
  ofNamed({ callee, index }: Origin & { kind: 'parameter' }): Place[] {
    return this.callsOf(callee).flatMap((call) => {
      const position = hasThis(callee) ? index - 1 : index;
      const argument = call.arguments[position];
      return argument && !call.arguments.slice(0, position + 1).some((one) => is(one, 'SpreadElement')) ? [{ node: argument, frame: undefined }] : [];
    });
  }

  /** How many calls are in view, and how many of them pass the parameter. */
  countsFor(origin: Origin & { kind: 'parameter' }): { calls: number; passed: number } {
    const passes = (place: Place): boolean => origin.path.length === 0
      || this.origins.project(this.origins.of(place), origin.path, place.frame, place.node).some((one) => !isNullish(one) && !(one.kind === 'member' && is(one.object.node, 'ObjectExpression')));
    return { calls: this.callsOf(origin.callee).length, passed: this.ofNamed(origin).filter(passes).length };
  }

  callsOf(callee: FunctionNode): (TSESTree.CallExpression | TSESTree.NewExpression)[] {
    const name = nameOf(callee);
    return name ? this.origins.types.usesOf(name).flatMap((use) => callWith(use) ?? []) : [];
  }

  /** A function that is handed to one of the user's own: what that one calls it with. */
  ofCallback({ callee: callback, index }: Origin & { kind: 'parameter' }): Place[] {
    const adopted = index === 0 ? adoptedWith(callback) : undefined;
    if (adopted) return [{ node: adopted, frame: undefined }];
    return this.runsOf(callback).calls.flatMap(({ call, frame }): Place[] => {
      const argument = call.arguments[index];
      return argument ? [{ node: argument, frame }] : [];
    });
  }

  /** Where a function runs that is handed to one of the user's own, however often that one hands it on. */
  runsOf(callback: FunctionNode): Runs {
    const call = callGetting(callback);
    if (call) return this.runsOfArgument(call, positionIn(call, callback), undefined, 0);
    const name = nameOf(callback);
    const uses = name ? this.origins.types.usesOf(name).filter((use) => use !== name && !/^(?:Import|TS)/.test(use.parent?.type ?? '')) : [];
    const gets = uses.map((use) => callGetting(use));
    if (gets.length === 0 || gets.length > MAX_NAMED || gets.includes(undefined)) return nowhere;
    return joined(uses.map((use, index) => this.runsOfArgument(gets[index]!, positionIn(gets[index]!, use), undefined, 0)));
  }

  private runsOfArgument(call: TSESTree.CallExpression | TSESTree.NewExpression, position: number, frame: Frame | undefined, depth: number): Runs {
    const isClear = position >= 0 && depth < MAX_HANDED_ON && !call.arguments.slice(0, position).some((one) => is(one, 'SpreadElement'));
    const entered = isClear ? this.origins.calleeOf(call, frame) : undefined;
    const param = entered?.callee.params[entered.frame.args.indexOf(call.arguments[position]!)];
    if (!entered || !is(param, 'Identifier')) return { ...nowhere, handed: isClear ? [{ call, position, frame }] : [] };
    const all = (variableOf(param)?.references ?? []).map(({ identifier }): Runs => {
      const inner = callWith(identifier);
      if (inner) return { calls: [{ call: inner, frame: entered.frame }], handed: [], isAll: true };
      const outer = wrapped(identifier, false);
      const next = outer.parent;
      return is(next, 'CallExpression') || is(next, 'NewExpression') ? this.runsOfArgument(next, next.arguments.indexOf(outer as TSESTree.CallExpressionArgument), entered.frame, depth + 1) : nowhere;
    });
    return joined(all);
  }
}

const MAX_HANDED_ON = 4;
/** Of how many calls a function that is handed over by its name is looked at. */
const MAX_NAMED = 8;

const joined = (all: readonly Runs[]): Runs => ({ calls: all.flatMap(({ calls }) => calls), handed: all.flatMap(({ handed }) => handed), isAll: all.length > 0 && all.every(({ isAll }) => isAll) });

/** The call, or `new`, that gets an expression as an argument. */
function callGetting(node: TSESTree.Node): TSESTree.CallExpression | TSESTree.NewExpression | undefined {
  const outer = wrapped(node, false);
  const { parent } = outer;
  return (is(parent, 'CallExpression') || is(parent, 'NewExpression')) && parent.arguments.includes(outer as TSESTree.CallExpressionArgument) ? parent : undefined;
}

const positionIn = (call: TSESTree.CallExpression | TSESTree.NewExpression, node: TSESTree.Node): number => call.arguments.indexOf(wrapped(node, false) as TSESTree.CallExpressionArgument);

/** The calls by which a function that was handed over runs. */
export interface Runs {
  readonly calls: readonly { readonly call: TSESTree.CallExpression | TSESTree.NewExpression; readonly frame: Frame | undefined }[];
  /** The calls of functions that are not in view, which get it as the argument of this index. */
  readonly handed: readonly { readonly call: TSESTree.CallExpression | TSESTree.NewExpression; readonly position: number; readonly frame: Frame | undefined }[];
  /** Whether there are no others: it is neither kept nor given to code that is not in view. */
  readonly isAll: boolean;
}

const nowhere: Runs = { calls: [], handed: [], isAll: false };

/** Whether a name is used as a value, and neither called, imported, exported nor written of in a type. */
function isValue(use: TSESTree.Node): boolean {
  if (callWith(use)) return false;
  const at = use.parent && isMember(use.parent) && use.parent.property === use ? use.parent : use;
  const { parent } = at;
  if (!parent || /^(?:Import|Export|TS)/.test(parent.type) || isClass(parent)) return false;
  // `exports.lock = ...`
  if (is(parent, 'AssignmentExpression') && parent.left === at && at !== use) return false;
  // `util.inherits(Sub, Base)`
  if (is(parent, 'CallExpression') && (isMember(parent.callee) ? memberName(parent.callee) : is(parent.callee, 'Identifier') ? parent.callee.name : undefined) === 'inherits') return false;
  // `Locks.create()` is a static member of a class.
  if (isMember(parent) && parent.object === at) return ['call', 'apply', 'bind'].includes(memberName(parent) ?? 'call');
  const isDeclaring = (is(parent, 'MethodDefinition') || is(parent, 'PropertyDefinition') || (is(parent, 'Property') && parent.key === at && !parent.shorthand)) || (is(parent, 'VariableDeclarator') && parent.id === at) || 'params' in parent;
  return !isDeclaring;
}

/** The call that a name is called by: `f(...)`, `this.f(...)`, `new F(...)`. */
function callWith(use: TSESTree.Node): TSESTree.CallExpression | TSESTree.NewExpression | undefined {
  const at = isMember(use.parent ?? use) && (use.parent as TSESTree.MemberExpression).property === use ? use.parent : use;
  const outer = wrapped(at, false);
  const call = outer.parent;
  return (is(call, 'CallExpression') || is(call, 'NewExpression')) && call.callee === outer ? call : undefined;
}

/** The name by which a function is called; for a constructor, its class's. */
function nameOf(callee: FunctionNode): TSESTree.Node | undefined {
  const exported = exportedAs(callee);
  if (exported) return exported;
  if ('id' in callee && callee.id) return callee.id;
  const holder = callee.parent;
  if (is(holder, 'VariableDeclarator')) return holder.id;
  if (is(holder, 'Property') || is(holder, 'PropertyDefinition')) return holder.key;
  if (is(holder, 'MethodDefinition')) {
    if (holder.kind !== 'constructor') return holder.key;
    const owner = holder.parent.parent;
    if (!isClass(owner)) return undefined;
    return owner.id ?? (is(owner.parent, 'VariableDeclarator') ? owner.parent.id : undefined);
  }
  return undefined;
}
