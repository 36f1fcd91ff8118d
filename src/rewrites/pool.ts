import type { TSESTree } from '@typescript-eslint/utils';
import type { SourceCode } from '@typescript-eslint/utils/ts-eslint';
import type { SqlCall } from '../analysis/model.js';
import { driverOf, driverOfType, meansSameAt, type Types, variableMadeBy } from '../analysis/regions.js';
import { is, isMember } from '../analysis/syntax.js';
import { driverById, type Driver, type Layer } from '../drivers/index.js';
import type { Draft } from './draft.js';
import { imported } from './imports.js';
import type { Names } from './names.js';
import { fill, isReserver, type Reserver, sendingOf, type Target } from './target.js';
import { deeper, linesOf, type Line } from './text.js';

/** The pool behind a call, as an expression that can reserve a connection. */
interface Pool {
  readonly driver: Reserver;
  readonly expression: string;
  /** What the expression is made of. */
  readonly node: TSESTree.Node;
}

/** A connection that a rewrite reserves. */
export class Reservation implements Target {
  readonly driver: Reserver;
  readonly connection: string;
  private readonly handles = new Map<Driver, string>();
  private readonly made: Line[] = [];

  constructor(private readonly pool: Pool, private readonly names: Names, private readonly draft: Draft, private readonly sourceCode: Readonly<SourceCode>) {
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

  /** Lines between reserving and giving back. */
  around(lines: readonly Line[]): Line[] {
    const { style } = this.draft.text;
    const { reserve, release } = this.driver.templates;
    return [
      ...linesOf(`const ${this.connection} = await ${fill(reserve, { handle: this.pool.expression })}${style.end}\ntry {`),
      ...deeper([...this.made, ...lines], style),
      ...linesOf(`} finally {\n${style.indent}${fill(release, { connection: this.connection })}${style.end}\n}`),
    ];
  }
}

export function makeHandle({ make }: Layer & { readonly kind: 'handle' }, maker: string, connection: string): string {
  // `{ client: client }` is `{ client }`.
  return fill(make, { maker, connection }).replace(/\b(\w+): \1\b/g, '$1');
}

/** The first of some calls' pools that can be written down. */
export function poolOf(calls: readonly SqlCall[], types: Types | undefined, draft: Draft): Pool | undefined {
  for (const call of calls) {
    const found = sendingOf(call) && poolBehind(call, types, draft);
    if (found) return found;
  }
  return undefined;
}

function poolBehind(call: SqlCall, types: Types | undefined, draft: Draft): Pool | undefined {
  const driver = driverOf(call);
  const { handle, connection } = call;
  const text = draft.text.of(handle);
  const own = isSimple(handle) ? text : `(${text})`;
  if (isReserver(driver)) return { driver, expression: own, node: handle };
  if (driver?.templates?.kind !== 'layer') return undefined;
  const { below } = driver.templates;
  const facts = types?.typeOf(handle);
  const typed = facts && !facts.isAny ? facts.property(below) : undefined;
  const under = driverOfType(typed) ?? driverById(connection.over?.driver);
  if (!isReserver(under)) return undefined;
  if (typed || !facts || facts.isAny) return { driver: under, expression: `${own}.${below}`, node: handle };
  const name = connection.made && variableMadeBy(connection.made, call.node);
  return name && { driver: under, expression: name.name, node: name };
}

const isSimple = (node: TSESTree.Node): boolean =>
  is(node, 'Identifier') || is(node, 'ThisExpression') || is(node, 'CallExpression') || is(node, 'TSNonNullExpression') || isMember(node);
