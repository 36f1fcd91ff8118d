import type { TSESTree } from '@typescript-eslint/utils';
import type { SqlCall } from '../analysis/model.js';
import { contains, is, isMember, wrapped } from '../analysis/syntax.js';
import type { Driver, Layer, ReserveTemplates } from '../drivers/index.js';

/** A driver that can reserve a connection. */
export interface Reserver extends Driver {
  readonly templates: ReserveTemplates;
}

export const isReserver = (driver: Driver | undefined): driver is Reserver => driver?.templates?.kind === 'reserve';

export const fill = (template: string, values: Readonly<Record<string, string>>): string => template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

/** One connection that statements are moved to. */
export interface Target {
  readonly driver: Reserver;
  /** The expression of the connection. */
  readonly connection: string;
  /** Where that stands in the code already. */
  readonly node: TSESTree.Node | undefined;
  /** The expression of another library's handle over it; `undefined` where it cannot be written. */
  handleOf(driver: Driver, layer: Layer & { readonly kind: 'handle' }): string | undefined;
}

export type Sending = TSESTree.CallExpression | TSESTree.TaggedTemplateExpression;

/** The call or tag that has the handle right before it; `undefined` where the statement goes through something else. */
export function sendingOf({ node, handle, inner }: SqlCall): Sending | undefined {
  if (!contains(node, handle) || inner) return undefined;
  const outer = wrapped(handle, false);
  const parent = outer.parent;
  if (is(parent, 'CallExpression') && parent.arguments.includes(outer as TSESTree.CallExpressionArgument)) return parent;
  if (is(parent, 'TaggedTemplateExpression') && parent.tag === outer) return parent;
  if (!parent || !isMember(parent) || parent.object !== outer || parent.optional) return undefined;
  const member = wrapped(parent, false);
  const call = member.parent;
  if (is(call, 'TaggedTemplateExpression') && call.tag === member) return call;
  return is(call, 'CallExpression') && call.callee === member && !call.optional ? call : undefined;
}

/** What may be given the type of the rows: the call, or the tag of the SQL that has the method. */
export function typeHolderOf(sending: Sending, { handle }: SqlCall): Sending | undefined {
  if (!is(sending, 'CallExpression') || contains(sending.callee, handle)) return sending;
  const sql = isMember(sending.callee) ? sending.callee.object : undefined;
  return is(sql, 'TaggedTemplateExpression') ? sql : undefined;
}

/** What tells on which connection a statement runs: the handle, or what a chained method is given. */
export const carrierOf = ({ through, handle }: SqlCall): TSESTree.Expression => through ?? handle;

export function makeHandle({ make }: Layer & { readonly kind: 'handle' }, maker: string, connection: string): string {
  // `{ client: client }` is `{ client }`.
  return fill(make, { maker, connection }).replace(/\b(\w+): \1\b/g, '$1');
}

/** An expression that gives the same connection each time: a name, a member, or another handle over one. */
export function isStable(node: TSESTree.Node): boolean {
  if (is(node, 'Identifier') || is(node, 'ThisExpression')) return true;
  if (isMember(node)) return !node.computed && isStable(node.object);
  return is(node, 'TSNonNullExpression') ? isStable(node.expression) : clientUnder(node) !== undefined;
}

/** `maker(client)`, `maker({ client })`: the client. */
export function clientUnder(node: TSESTree.Node): TSESTree.Node | undefined {
  const [only, ...more] = is(node, 'CallExpression') ? node.arguments : [];
  if (!only || more.length > 0) return undefined;
  if (!is(only, 'ObjectExpression')) return isStable(only) ? only : undefined;
  const [property] = only.properties;
  return is(property, 'Property') && only.properties.length === 1 && isStable(property.value) ? property.value : undefined;
}
