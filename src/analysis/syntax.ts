import type { TSESTree } from '@typescript-eslint/utils';
import { isOfOneTree } from '../types/index.js';

/** Small questions about the shape of a tree. */

export type NodeOf = { [Node in TSESTree.Node as `${Node['type']}`]: Node };
export type NodeName = keyof NodeOf;

/** Whether a node is of one of some types, which are no list: every node is asked, and each time one would be made. `AST_NODE_TYPES` is an enum of a package that loads ESLint; its names as strings are not. */
export function is<Type extends NodeName>(node: TSESTree.Node | null | undefined, one: Type, two?: Type, three?: Type, four?: Type, five?: Type, six?: Type): node is NodeOf[Type] {
  if (node === null || node === undefined) return false;
  const type = node.type as string;
  return type === one || type === two || type === three || type === four || type === five || type === six;
}

export type FunctionNode = TSESTree.ArrowFunctionExpression | TSESTree.FunctionDeclaration | TSESTree.FunctionExpression;
export type ClassNode = TSESTree.ClassDeclaration | TSESTree.ClassExpression;
export type CallNode = TSESTree.CallExpression | TSESTree.TaggedTemplateExpression;

export const isFunction = (node: TSESTree.Node | null | undefined): node is FunctionNode =>
  is(node, 'ArrowFunctionExpression') || is(node, 'FunctionDeclaration') || is(node, 'FunctionExpression');

export const isClass = (node: TSESTree.Node | null | undefined): node is ClassNode =>
  is(node, 'ClassDeclaration') || is(node, 'ClassExpression');

export const isNode = (value: unknown): value is TSESTree.Node => typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

/** Takes off what does not change a value: parentheses have no node; casts, `!`, `satisfies`, `?.` chains and `await` do. */
export function unwrap(node: TSESTree.Node): TSESTree.Node {
  switch (node.type as string) {
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
    case 'TSInstantiationExpression':
    case 'ChainExpression':
      return unwrap((node as TSESTree.TSAsExpression).expression);
    case 'AwaitExpression':
      return unwrap((node as TSESTree.AwaitExpression).argument);
    default:
      return node;
  }
}

/** The same with `await` kept. */
export function uncast(node: TSESTree.Node): TSESTree.Node {
  const inner = is(node, 'AwaitExpression') ? node : (node as Partial<TSESTree.TSAsExpression>).expression;
  return inner && inner !== node && unwrapsOneStep(node) ? uncast(inner) : node;
}

const unwrapsOneStep = (node: TSESTree.Node): boolean =>
  ['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression', 'TSTypeAssertion', 'TSInstantiationExpression', 'ChainExpression'].includes(node.type);

/** The outermost node that is still the same value: the casts, chains and (if asked) `await`s around it. */
export function wrapped(node: TSESTree.Node, throughAwait: boolean): TSESTree.Node {
  let at = node;
  while (at.parent && (unwrapsOneStep(at.parent) || (throughAwait && is(at.parent, 'AwaitExpression')))) at = at.parent;
  return at;
}

/** `a.b`, `a['b']`, `a.#b` (as `#b`); `undefined` for a name that is only known at run time. */
export function staticName(key: TSESTree.Node, computed: boolean): string | undefined {
  if (is(key, 'PrivateIdentifier')) return `#${(key).name}`;
  if (is(key, 'Identifier') && !computed) return (key).name;
  if (is(key, 'Literal')) return String((key).value);
  if (is(key, 'TemplateLiteral') && (key).expressions.length === 0) return (key).quasis[0]?.value.cooked ?? undefined;
  return undefined;
}

export const memberName = (member: TSESTree.MemberExpression): string | undefined => staticName(member.property, member.computed);

export const isMember = (node: TSESTree.Node): node is TSESTree.MemberExpression => is(node, 'MemberExpression');

/** The nearest function around a node; `undefined` at the top level of a file. A class's field initialiser counts as top level. */
export function functionAround(node: TSESTree.Node): FunctionNode | undefined {
  for (let at = node.parent; at; at = at.parent) if (isFunction(at)) return at;
  return undefined;
}

/** What runs as one: a function, or what a file does at its top level. */
export type Body = FunctionNode | TSESTree.Program;

export function bodyAround(node: TSESTree.Node): Body {
  let at = node;
  while (at.parent) {
    at = at.parent;
    if (isFunction(at)) return at;
  }
  return at;
}

export function ancestor(node: TSESTree.Node, is: (node: TSESTree.Node) => boolean): TSESTree.Node | undefined {
  for (let at = node.parent; at; at = at.parent) if (is(at)) return at;
  return undefined;
}

/** Whether a node stands in another one, or is it. What two files have at the same offsets has nothing to do with each other. */
export const contains = (outer: TSESTree.Node, inner: TSESTree.Node): boolean => outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1] && (outer === inner || isOfOneTree(outer, inner));

/** The class whose `this` a node sees. */
export function classAround(node: TSESTree.Node): ClassNode | undefined {
  for (let at = node.parent; at; at = at.parent) {
    if (isClass(at)) return at;
    const isOwnThis = is(at, 'FunctionDeclaration') || is(at, 'FunctionExpression');
    if (isOwnThis && !is(at.parent, 'MethodDefinition')) return undefined;
  }
  return undefined;
}

/** The nodes of a part of a tree in the order of the text, and for each the position after its last descendant. */
interface Flat {
  readonly nodes: TSESTree.Node[];
  readonly ends: number[];
  /** Of the functions, and of what stands in those that were asked about, in their inner ones not. */
  readonly positions: Map<TSESTree.Node, number>;
}

const flattened = new WeakMap<TSESTree.Node, Flat>();

/** A statement at the top of a file is gone through once for all that walk it or a part of it: each lock of a function does so many times. Most others never are. */
function flatOf(node: TSESTree.Node): Flat {
  let root = node;
  while (root.parent?.parent) root = root.parent;
  let flat = flattened.get(root);
  if (!flat) flattened.set(root, flat = flatten(root));
  return flat;
}

function flatten(root: TSESTree.Node): Flat {
  const flat: Flat = { nodes: [], ends: [], positions: new Map([[root, 0]]) };
  const open: number[] = [];
  const stack: (TSESTree.Node | undefined)[] = [root];
  while (stack.length > 0) {
    const node = stack.pop();
    if (!node) {
      flat.ends[open.pop()!] = flat.nodes.length;
      continue;
    }
    if (isFunction(node)) flat.positions.set(node, flat.nodes.length);
    open.push(flat.nodes.length);
    flat.nodes.push(node);
    stack.push(undefined);
    pushChildren(node, stack);
  }
  return flat;
}

/** The positions in a function are written down when one of them is asked for. */
function positionOf(node: TSESTree.Node, { nodes, ends, positions }: Flat): number {
  const known = positions.get(node);
  if (known !== undefined) return known;
  const start = positions.get(bodyAround(node)) ?? 0;
  for (let at = start + 1; at < ends[start]!; at = isFunction(nodes[at]) ? ends[at]! : at + 1) positions.set(nodes[at]!, at);
  return positions.get(node)!;
}

/** Puts the nodes right below a node, the last one first, on top of a stack. Each tree is gone through by this: it makes no object. */
function pushChildren(node: TSESTree.Node, stack: (TSESTree.Node | undefined)[]): void {
  const start = stack.length;
  for (const key in node) {
    if (key === 'parent' || key === 'loc' || key === 'range' || key === 'tokens' || key === 'comments') continue;
    const value: unknown = node[key as keyof TSESTree.Node];
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) for (const one of value as unknown[]) { if (isNode(one)) stack.push(one); }
    else if (isNode(value)) stack.push(value);
  }
  for (let low = start, high = stack.length - 1; low < high; low++, high--) [stack[low], stack[high]] = [stack[high], stack[low]];
}

/** A node and all below it in the order of the text, without entering what `skip` says. */
export function walk(root: TSESTree.Node, skip?: (node: TSESTree.Node) => boolean): readonly TSESTree.Node[] {
  const flat = flatOf(root);
  const { nodes, ends } = flat;
  const start = positionOf(root, flat);
  if (!skip) return start === 0 ? nodes : nodes.slice(start, ends[start]);
  const found: TSESTree.Node[] = [root];
  for (let at = start + 1; at < ends[start]!;) {
    const node = nodes[at]!;
    found.push(node);
    at = skip(node) ? ends[at]! : at + 1;
  }
  return found;
}

/** The function among a call's arguments that stands last, as a callback does. */
export function callbackOf(call: TSESTree.CallExpression): FunctionNode | undefined {
  const last = call.arguments.at(-1);
  return isFunction(last) ? last : undefined;
}

/** Without types, code that waits for a result is what tells that there is one to wait for. */
export function isWaitedFor(node: TSESTree.Node): boolean {
  const outer = wrapped(node, false);
  const { parent } = outer;
  if (parent && isMember(parent)) return ['then', 'catch', 'finally'].includes(memberName(parent) ?? '');
  if (is(parent, 'ArrayExpression')) return is(parent.parent, 'CallExpression');
  return is(parent, 'AwaitExpression') || is(parent, 'ReturnStatement') || (isFunction(parent) && parent.body === outer) || (is(node, 'CallExpression') && isFunction(node.arguments.at(-1)));
}

const calls = new WeakMap<TSESTree.Node, readonly CallNode[]>();

/** The calls of a function's body, or of a file, in the order of the text, found once for all that ask for them. */
export function callsIn(body: Body): readonly CallNode[] {
  let found = calls.get(body);
  if (!found) calls.set(body, found = isFunction(body) ? walk(body.body).filter(isCall) : callsOf(body));
  return found;
}

const isCall = (node: TSESTree.Node): node is CallNode => is(node, 'CallExpression') || is(node, 'TaggedTemplateExpression');

/** Of a whole file no node is kept but these. */
function callsOf(file: TSESTree.Program): CallNode[] {
  const found: CallNode[] = [];
  const stack: (TSESTree.Node | undefined)[] = [file];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (isCall(node)) found.push(node);
    if (!isTypeAlone(node)) pushChildren(node, stack);
  }
  return found;
}

/** What has types in it and no code. */
const isTypeAlone = (node: TSESTree.Node): boolean => is(node, 'TSTypeAnnotation', 'TSTypeParameterInstantiation', 'TSTypeParameterDeclaration', 'TSInterfaceDeclaration', 'TSTypeAliasDeclaration');
