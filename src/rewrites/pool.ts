import type { TSESTree } from '@typescript-eslint/utils';
import { isWithoutSession } from '../analysis/connections/sessions.js';
import type { SqlCall } from '../analysis/model.js';
import { driverOfType } from '../analysis/connections/handle-types.js';
import { driverOf, meansSameAt, type Source, type Types, variableMadeBy, variableOf } from '../analysis/regions.js';
import { is, isMember, memberName } from '../analysis/syntax.js';
import { driverById, type Driver, type Layer } from '../drivers/index.js';
import type { Draft } from './draft.js';
import { imported } from './imports.js';
import type { Names } from './names.js';
import { clientUnder, fill, isReserver, makeHandle, type Reserver, sendingOf, type Target } from './target.js';
import { deeper, linesOf, type Line } from './text.js';

/** The pool behind a call, as an expression that can reserve a connection. */
interface Pool {
  readonly driver: Reserver;
  /** The expression of a connection, or of a promise of one. */
  readonly reserving: string;
  /** The pool itself; `undefined` where it is not written there. */
  readonly handle: string | undefined;
  /** What the expression is made of. */
  readonly node: TSESTree.Node;
}

/** A connection that a rewrite reserves. */
export class Reservation implements Target {
  readonly driver: Reserver;
  readonly connection: string;
  readonly node = undefined;
  private readonly handles = new Map<Driver, string>();
  private readonly made: Line[] = [];

  constructor(private readonly pool: Pool, private readonly names: Names, private readonly draft: Draft, private readonly sourceCode: Source) {
    this.driver = pool.driver;
    this.connection = names.free(pool.driver.templates.name);
  }

  handleOf(driver: Driver, layer: Layer & { readonly kind: 'handle' }): string | undefined {
    const known = this.handles.get(driver);
    if (known !== undefined) return known;
    const maker = imported(layer.maker, layer.module, this.sourceCode, this.draft);
    if (maker === undefined) return undefined;
    const name = this.names.free(layer.name);
    this.handles.set(driver, name);
    this.made.push(...linesOf(`const ${name} = ${makeHandle(layer, maker, this.connection)}${this.draft.text.style.end}`));
    return name;
  }

  /** Whether the pool's expression has its meaning before a statement. */
  isKnownBefore(statement: TSESTree.Node, start: number): boolean {
    return meansSameAt(this.pool.node, statement, start);
  }

  /** Lines between reserving and giving back, or in a callback that is lent the connection; `lending` is what is done with its promise. */
  around(lines: readonly Line[], lending: 'await' | 'return' | 'return await'): Line[] {
    const { style } = this.draft.text;
    const { release, isLent, isAtOnce = false } = this.driver.templates;
    if (isLent) return [...linesOf(`${lending} ${this.pool.reserving}(async (${this.connection}) => {`), ...deeper([...this.made, ...lines], style), ...linesOf(`})${style.end}`)];
    if (release === undefined) return [...lines];
    return [
      ...linesOf(`const ${this.connection} = ${isAtOnce ? '' : 'await '}${this.pool.reserving}${style.end}\ntry {`),
      ...deeper([...this.made, ...lines], style),
      ...linesOf(`} finally {\n${style.indent}${fill(release, { connection: this.connection, handle: this.pool.handle ?? '' })}${style.end}\n}`),
    ];
  }
}

/** The first of some calls' pools that can be written down. */
export function poolOf(calls: readonly SqlCall[], types: Types | undefined, draft: Draft): Pool | undefined {
  for (const call of calls) {
    const found = sendingOf(call) && isWithoutSession(call.connection) ? poolBehind(call, types, draft) : undefined;
    if (found) return found;
  }
  for (const call of calls) {
    const found = poolThatGave(call, draft);
    if (found) return found;
  }
  return undefined;
}

/** How a reserved connection was taken from its pool: it can be done once more. */
function poolThatGave({ connection, driver: id, handle }: SqlCall, draft: Draft): Pool | undefined {
  const driver = driverById(connection.over?.driver ?? connection.driver ?? id);
  const client = clientUnder(handle) ?? handle;
  const made = is(client, 'Identifier') ? initOf(client) : client;
  if (connection.kind !== 'reserved' || !isReserver(driver) || driver.templates.isLent || driver.templates.chained !== undefined) return undefined;
  const reserving = driver.templates.isAtOnce ? made : is(made, 'AwaitExpression') ? made.argument : undefined;
  if (!reserving || (driver.templates.isAtOnce && !is(reserving, 'CallExpression'))) return undefined;
  return { driver, reserving: draft.text.of(reserving), handle: undefined, node: reserving };
}

function initOf(name: TSESTree.Identifier): TSESTree.Node | null | undefined {
  const declarator = variableOf(name)?.defs[0]?.node as TSESTree.Node | undefined;
  return is(declarator, 'VariableDeclarator') && declarator.id.type === name.type ? declarator.init : undefined;
}

function poolBehind(call: SqlCall, types: Types | undefined, draft: Draft): Pool | undefined {
  const driver = driverOf(call);
  const { handle, connection } = call;
  const text = draft.text.of(handle);
  const own = isSimple(handle) ? text : `(${text})`;
  if (isReserver(driver)) return canReserve(driver, handle, types) ? poolAt(driver, own, handle) : undefined;
  if (driver?.templates?.kind !== 'layer') return undefined;
  const { below } = driver.templates;
  const facts = types?.typeOf(handle);
  const typed = facts && !facts.isAny ? facts.property(below) : undefined;
  const under = driverOfType(typed) ?? driverById(connection.over?.driver);
  if (!isReserver(under)) return undefined;
  // Without types, what the maker gives has its client.
  const isMade = (!facts || facts.isAny) && is(handle, 'Identifier') && is(initOf(handle), 'CallExpression');
  if (typed || isMade) return poolAt(under, `${own}.${below}`, handle);
  const name = connection.made && variableMadeBy(connection.made, call.node);
  if (name) return poolAt(under, name.name, name);
  // `const db = drizzle(postgres(url))`, where the handle is `db` under a type that does not tell its client.
  const outer = connection.made?.parent;
  const layer = outer && variableMadeBy(outer, call.node);
  return layer && types?.typeOf(layer)?.property(below) ? poolAt(under, `${layer.name}.${below}`, layer) : undefined;
}

/** Whether the handle itself has the method: some handles over a pool have not. */
function canReserve({ templates, properties = [], derives = [] }: Reserver, handle: TSESTree.Node, types: Types | undefined): boolean {
  const facts = types?.typeOf(handle);
  const [, method] = /^\{handle\}\.(\w+)/.exec(templates.reserve) ?? [];
  if (facts && !facts.isAny) return method === undefined || facts.hasMember(method);
  const last = is(handle, 'CallExpression') ? handle.callee : handle;
  const name = isMember(last) ? memberName(last) ?? '' : '';
  return !properties.includes(name) && !derives.some((one) => one.name === name);
}

const poolAt = (driver: Reserver, handle: string, node: TSESTree.Node): Pool => ({ driver, reserving: fill(driver.templates.reserve, { handle }), handle, node });

const isSimple = (node: TSESTree.Node): boolean =>
  is(node, 'Identifier') || is(node, 'ThisExpression') || is(node, 'CallExpression') || is(node, 'TSNonNullExpression') || isMember(node);
