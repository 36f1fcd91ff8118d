import type { TSESTree } from '@typescript-eslint/utils';
import { is, type FunctionNode } from '../syntax.js';

/** A call of a function of the user's own that the following has entered: its parameters stand for these arguments. */
export interface Frame {
  readonly callee: FunctionNode;
  readonly args: readonly TSESTree.CallExpressionArgument[];
  /** The call or `new` itself, in the file that has it. */
  readonly call: TSESTree.Node;
  readonly caller: Frame | undefined;
  readonly depth: number;
}

/** An expression, and the calls through which it is looked at. */
export interface Place {
  readonly node: TSESTree.Node;
  readonly frame: Frame | undefined;
}

export type Step = string | number;

export type Origin =
  /** An expression that makes a value: a literal, template, object, function, class, `new` or a call of code that is not in view. */
  | { readonly kind: 'value'; readonly node: TSESTree.Node; readonly frame: Frame | undefined; /** It outlives the call that made it: a field or an outer variable keeps it. */ readonly isKept?: boolean }
  /** Something that an npm package exports. */
  | { readonly kind: 'import'; readonly module: string; readonly path: readonly string[]; readonly node: TSESTree.Node }
  /** A parameter (or a part of it) of a function whose calls are not among the frames. */
  | { readonly kind: 'parameter'; readonly callee: FunctionNode; readonly index: number; readonly path: readonly Step[]; readonly node: TSESTree.Node }
  /** A property of something that was followed as far as it goes. */
  | { readonly kind: 'member'; readonly object: Origin; readonly name: Step; readonly node: TSESTree.Node }
  | { readonly kind: 'unknown'; readonly node: TSESTree.Node };

export const UNDEFINED = { type: 'Identifier', name: 'undefined', range: [0, 0] } as unknown as TSESTree.Identifier;

export const isNullish = (origin: Origin): boolean =>
  origin.kind === 'value' && ((is(origin.node, 'Literal') && (origin.node).value === null && !('regex' in origin.node) && !('bigint' in origin.node))
    || (is(origin.node, 'Identifier') && (origin.node).name === 'undefined'));

export function unique(origins: readonly Origin[]): Origin[] {
  const seen = new Map<TSESTree.Node, Origin[]>();
  return origins.filter((origin) => {
    const same = seen.get(origin.node);
    if (same?.some((one) => one.kind === origin.kind && frameKey(one) === frameKey(origin))) return false;
    seen.set(origin.node, [...(same ?? []), origin]);
    return true;
  });
}

/** What a field or an outer variable keeps is made once, not once a call. */
export const kept = (origins: readonly Origin[]): Origin[] => origins.map((one) => (one.kind === 'value' ? { ...one, isKept: true } : one));

/** `globalThis.x`, and parts of it. */
export const isOfGlobalObject = (origin: Origin): boolean =>
  origin.kind === 'member' && (isOfGlobalObject(origin.object) || (is(origin.object.node, 'Identifier') && /^(?:globalThis|global|window)$/.test(origin.object.node.name)));

const frameKey = (origin: Origin): unknown => (origin.kind === 'value' ? origin.frame?.call : undefined);

/** The steps from a call to a part of its result: `['rows', '0', 'locked']`; `undefined` for a value that is no part of it. */
export function stepsFrom(origin: Origin, calls: ReadonlySet<TSESTree.Node>): string[] | undefined {
  if (origin.kind === 'value') return calls.has(origin.node) ? [] : undefined;
  if (origin.kind !== 'member') return undefined;
  const steps = stepsFrom(origin.object, calls);
  return steps && [...steps, String(origin.name)];
}
