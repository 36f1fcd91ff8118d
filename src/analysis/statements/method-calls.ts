import type { TSESTree } from '@typescript-eslint/utils';
import { isRunName } from '../../drivers/index.js';
import { appliedBy } from '../values/applied.js';
import { argumentsAt, restAt } from '../values/collected.js';
import { frameOf, hasThis } from '../values/frames.js';
import type { Frame, Place } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { variableOf } from '../values/names.js';
import { functionAround, is, isMember, memberName, uncast, unwrap } from '../syntax.js';

/** A method as it is called, whichever way the code does that. */
export interface MethodCall {
  readonly name: string;
  readonly receiver: Place;
  readonly args: readonly Place[];
  /** The method, where the call is not one of its own: `pool.query` of `pool.query.call(pool, text)`. */
  readonly through?: Place;
}

/** The handle of `sql`...` ``, and of `prisma.$executeRaw`...` ``. */
export function handleOfTag({ tag }: TSESTree.TaggedTemplateExpression): TSESTree.Node {
  const target = uncast(tag);
  return isMember(target) && isRunName(memberName(target) ?? '') ? target.object : target;
}

/** `pool.query(text)`, and the same by `call`, `apply`, `Reflect.apply` or a function that was bound. */
export function methodCallAt(node: TSESTree.CallExpression, frame: Frame | undefined, origins: Origins, isMethod: (name: string) => boolean): MethodCall | undefined {
  const callee = unwrap(node.callee);
  const name = isMember(callee) ? memberName(callee) ?? constantName(callee, frame, origins) : undefined;
  if (isMember(callee) && name !== undefined && isMethod(name)) return { name, receiver: { node: callee.object, frame }, args: argumentsAt(node.arguments, frame) };
  return appliedAt(node, frame, origins, isMethod) ?? boundAt(node, frame, origins, isMethod);
}

/** The same, of what is not called by its own name. */
export function appliedAt(node: TSESTree.CallExpression, frame: Frame | undefined, origins: Origins, isMethod: (name: string) => boolean): MethodCall | undefined {
  const applied = appliedBy(node);
  if (!applied?.self) return undefined;
  const through = { node: applied.method, frame };
  const name = nameOf(through, origins);
  const args = name !== undefined && isMethod(name) ? (applied.list ? listed(applied.list, frame, origins) : argumentsAt(applied.args, frame)) : undefined;
  return args && { name: name!, receiver: { node: applied.self, frame }, args, through };
}

/** `const run = pool.query.bind(pool)`, `promisify(pool.query).bind(pool)`, and a call of that. */
export function boundAt(node: TSESTree.CallExpression, frame: Frame | undefined, origins: Origins, isMethod: (name: string) => boolean): MethodCall | undefined {
  const callee = unwrap(node.callee);
  if (!is(callee, 'Identifier', 'MemberExpression', 'CallExpression')) return undefined;
  for (const origin of origins.of({ node: callee, frame })) {
    const made = origin.kind === 'value' ? origin.node : undefined;
    const binding = is(made, 'CallExpression') ? unwrap(made.callee) : undefined;
    if (origin.kind !== 'value' || !is(made, 'CallExpression') || !binding || !isMember(binding) || memberName(binding) !== 'bind') continue;
    const [self, ...given] = made.arguments;
    const through = { node: unwrap(binding.object), frame: origin.frame };
    const name = self && nameOf(through, origins);
    if (self && name !== undefined && isMethod(name)) return { name, receiver: { node: self, frame: origin.frame }, args: [...argumentsAt(given, origin.frame), ...argumentsAt(node.arguments, frame)], through };
  }
  return undefined;
}

/** The arguments in the list that `apply` is given; `undefined` where they are not in view. */
function listed(node: TSESTree.Node, frame: Frame | undefined, origins: Origins): readonly Place[] | undefined {
  const all = argumentsOf(node, frame) ?? restAt({ node, frame });
  if (all) return all;
  const [only, ...more] = origins.of({ node, frame });
  if (only?.kind !== 'value' || more.length > 0 || !is(only.node, 'ArrayExpression')) return undefined;
  return argumentsAt(only.node.elements.filter((one) => one !== null), only.frame);
}

/** `pool.query.apply(pool, arguments)` */
function argumentsOf(node: TSESTree.Node, frame: Frame | undefined): readonly Place[] | undefined {
  if (!is(node, 'Identifier') || node.name !== 'arguments' || (variableOf(node)?.defs.length ?? 0) > 0) return undefined;
  let callee = functionAround(node);
  while (is(callee, 'ArrowFunctionExpression')) callee = functionAround(callee);
  const entered = callee && frameOf(callee, frame);
  return entered && argumentsAt(hasThis(entered.callee) ? entered.args.slice(1) : entered.args, entered.caller);
}

function nameOf({ node, frame }: Place, origins: Origins): string | undefined {
  const method = promisified(node);
  if (isMember(method)) return memberName(method) ?? constantName(method, frame, origins);
  const [only, ...more] = is(method, 'Identifier') ? origins.of({ node: method, frame }) : [];
  if (more.length > 0) return undefined;
  const name = only?.kind === 'member' ? only.name : only?.kind === 'parameter' ? only.path.at(-1) : undefined;
  return typeof name === 'string' ? name : undefined;
}

function constantName(callee: TSESTree.MemberExpression, frame: Frame | undefined, origins: Origins): string | undefined {
  const [only, ...more] = callee.computed ? origins.of({ node: callee.property, frame }) : [];
  const value = only?.kind === 'value' && more.length === 0 && is(only.node, 'Literal') ? only.node.value : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** The method of `promisify(pool.query)`. https://nodejs.org/api/util.html#utilpromisifyoriginal */
function promisified(node: TSESTree.Node): TSESTree.Node {
  if (!is(node, 'CallExpression')) return node;
  const callee = unwrap(node.callee);
  const name = is(callee, 'Identifier') ? callee.name : isMember(callee) ? memberName(callee) : undefined;
  const [method] = node.arguments;
  return name === 'promisify' && method ? unwrap(method) : node;
}
