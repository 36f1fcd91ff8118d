import type { SqlCall } from '../analysis/model.js';
import { driverOf, type Source, treeOf, type Types } from '../analysis/regions.js';
import { contains, is, isMember, memberName, uncast } from '../analysis/syntax.js';
import { columnTypesOf, propertyName, runSent } from './columns.js';
import { driverById, type Driver } from '../drivers/index.js';
import type { Draft } from './draft.js';
import { Lowering } from './lowering.js';
import { Spans } from './spans.js';
import { fill, sendingOf, typeHolderOf, type Sending, type Target } from './target.js';
import { linesOf } from './text.js';

/** Whether the types of the columns come from the expressions of the statement itself. */
export function isSelection(call: SqlCall): boolean {
  const sending = sendingOf(call);
  const name = is(sending, 'CallExpression') && isMember(sending.callee) ? memberName(sending.callee) : undefined;
  return driverOf(call)?.runs.some((one) => one.name === name && one.takes === 'selection') ?? false;
}

export class Carrier {
  private readonly spans: Spans;
  private readonly lowering: Lowering;

  constructor(sourceCode: Source, private readonly draft: Draft, private readonly types: Types | undefined) {
    this.spans = new Spans(sourceCode);
    this.lowering = new Lowering(sourceCode, draft, types);
  }

  /** Sends a call's statement on another connection; `row` is the type of its rows, where it has to be said. */
  move(call: SqlCall, target: Target, row: string | undefined): boolean {
    const sending = sendingOf(call);
    const driver = driverOf(call);
    if (!sending || !driver?.templates || driver.templates.kind === 'guard') return false;
    if (driver.templates.kind === 'reserve') {
      const isOfTarget = driver.id === target.driver.id && (row === undefined || typeHolderOf(sending, call) !== undefined);
      return isOfTarget && (driver.templates.chained === undefined ? this.rename(call, sending, connectionFor(sending, call, target, row), row) : this.chain(call, sending, fill(driver.templates.chained, { connection: target.connection }), row));
    }
    const layer = driver.templates.over[target.driver.id];
    if (!layer) return false;
    if (layer.kind === 'connection') return this.lowering.lower(call, sending, driver, target, row);
    const handle = target.handleOf(driver, layer);
    return handle !== undefined && this.rename(call, sending, handle, row);
  }

  private rename(call: SqlCall, sending: Sending, name: string, row: string | undefined): boolean {
    const isArgument = is(sending, 'CallExpression') && !contains(sending.callee, call.handle);
    this.draft.replace(isArgument ? call.handle.range : this.spans.withParentheses(call.handle), linesOf(name));
    if (row !== undefined) this.sayRow(sending, call, row);
    return true;
  }

  private chain(call: SqlCall, sending: Sending, method: string, row: string | undefined): boolean {
    // What a transaction sends runs on its own connection; another one is no place for it.
    if (call.through || call.connection.kind === 'transaction') return false;
    this.draft.insert(sending.range[1], linesOf(method));
    if (row !== undefined) this.sayRow(sending, call, row);
    return true;
  }

  /** Gives a statement the type of its rows, where it has none yet and types are in use. */
  say(call: SqlCall, row: string): void {
    const sending = sendingOf(call);
    if (sending) this.sayRow(sending, call, row);
  }

  private sayRow(sending: Sending, call: SqlCall, row: string): void {
    const holder = typeHolderOf(sending, call);
    if (!holder || holder.typeArguments) return;
    this.draft.insert(is(holder, 'CallExpression') ? holder.callee.range[1] : holder.tag.range[1], linesOf(`<${row}>`));
  }

  /** Where the rows are in the result of a statement, once it is sent on another connection. */
  rowsAfter(call: SqlCall, target: Target | undefined): string | undefined {
    const below = target && this.isLowered(call, target) ? target.driver : this.untypedBelow(call);
    return below ? below.tag?.result.rows ?? below.runs[0]?.result.rows : call.result.rows;
  }

  /** Without types, a library over another one gives what that gives. */
  private untypedBelow(call: SqlCall): Driver | undefined {
    const isUntyped = driverOf(call)?.templates?.kind === 'layer' && !isSelection(call) && this.types?.typeOf(call.node) === undefined;
    return isUntyped ? driverById(call.connection.over?.driver) : undefined;
  }

  private isLowered(call: SqlCall, target: Target): boolean {
    const templates = driverOf(call)?.templates;
    return templates?.kind === 'layer' && templates.over[target.driver.id]?.kind === 'connection';
  }

  /** The type argument for rows, where one may be written: in TypeScript, on a handle that is not `any`. */
  rowType(call: SqlCall, columns: readonly string[], target: Target | undefined): string | undefined {
    const driver = driverOf(call);
    const sending = sendingOf(call);
    const rows = target && this.isLowered(call, target) ? target.driver.rowsType : (sending && runSent(sending, driver)?.rowsType) ?? driver?.rowsType;
    if (rows === undefined || !sending || !/\.[cm]?tsx?$/.test(treeOf(call.node).fileName)) return undefined;
    const facts = this.types?.typeOf(is(sending, 'CallExpression') ? sending.callee : sending.tag);
    const isUnknown = columnTypesOf(sending, driver) === 'argument';
    // What has its type from the SQL alone can be given it whatever the handle is.
    const isOfSql = isUnknown && typeHolderOf(sending, call) !== sending;
    const isOpen = facts ? facts.isAny && !isOfSql : !isUnknown;
    if (isOpen || call.result.arrayRows || call.holds === 'boolean' || isSelection(call)) return undefined;
    const row = `{ ${columns.map((one) => `${propertyName(one)}: boolean`).join('; ')} }`;
    return fill(rows, { row });
  }
}

/** A statement with a type argument goes to a handle that takes one; what stands for a handle that is a tag is one, too. */
function connectionFor(sending: Sending, { handle }: SqlCall, { driver: { templates }, connection }: Target, row: string | undefined): string {
  if (templates.tag !== undefined && is(sending, 'TaggedTemplateExpression') && uncast(sending.tag) === uncast(handle)) return `${connection}.${templates.tag}`;
  return templates.typed !== undefined && (sending.typeArguments || row !== undefined) ? fill(templates.typed, { connection }) : connection;
}
