import type { SourceCode } from '@typescript-eslint/utils/ts-eslint';
import type { SqlCall } from '../analysis/model.js';
import { driverOf, type Types } from '../analysis/regions.js';
import { is, isMember, memberName, uncast } from '../analysis/syntax.js';
import { propertyName, runSent } from './columns.js';
import { driverById, type Driver, type ReserveTemplates } from '../drivers/index.js';
import type { Draft } from './draft.js';
import { Lowering } from './lowering.js';
import { Spans } from './spans.js';
import { fill, sendingOf, type Sending, type Target } from './target.js';
import { linesOf } from './text.js';

/** Whether the types of the columns come from the expressions of the statement itself. */
export function isSelection(call: SqlCall): boolean {
  const sending = sendingOf(call);
  const name = is(sending, 'CallExpression') && isMember(sending.callee) ? memberName(sending.callee) : undefined;
  return driverOf(call)?.runs.some((one) => one.name === name && one.takes === 'selection') ?? false;
}

/** What stands for a handle that is itself a tag. */
function nameIn(sending: Sending, { handle }: SqlCall, { tag }: ReserveTemplates, connection: string): string {
  return tag !== undefined && is(sending, 'TaggedTemplateExpression') && uncast(sending.tag) === uncast(handle) ? `${connection}.${tag}` : connection;
}

export class Carrier {
  private readonly spans: Spans;
  private readonly lowering: Lowering;

  constructor(sourceCode: Readonly<SourceCode>, private readonly draft: Draft, private readonly types: Types | undefined) {
    this.spans = new Spans(sourceCode);
    this.lowering = new Lowering(sourceCode, draft, types);
  }

  /** Sends a call's statement on another connection; `row` is the type of its rows, where it has to be said. */
  move(call: SqlCall, target: Target, row: string | undefined): boolean {
    const sending = sendingOf(call);
    const driver = driverOf(call);
    if (!sending || !driver?.templates) return false;
    if (driver.templates.kind === 'reserve') return driver.id === target.driver.id && this.rename(call, sending, nameIn(sending, call, driver.templates, target.connection), row);
    const layer = driver.templates.over[target.driver.id];
    if (!layer) return false;
    if (layer.kind === 'connection') return this.lowering.lower(call, sending, driver, target, row);
    const handle = target.handleOf(driver, layer);
    return handle !== undefined && this.rename(call, sending, handle, row);
  }

  private rename({ handle }: SqlCall, sending: Sending, name: string, row: string | undefined): boolean {
    this.draft.replace(this.spans.withParentheses(handle), linesOf(name));
    if (row !== undefined) this.sayRow(sending, row);
    return true;
  }

  /** Gives a statement the type of its rows, where it has none yet and types are in use. */
  say(call: SqlCall, row: string): void {
    const sending = sendingOf(call);
    if (sending) this.sayRow(sending, row);
  }

  private sayRow(sending: Sending, row: string): void {
    if (sending.typeArguments) return;
    this.draft.insert(is(sending, 'CallExpression') ? sending.callee.range[1] : sending.tag.range[1], linesOf(`<${row}>`));
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
    const rows = target && this.isLowered(call, target) ? target.driver.rowsType : (driver && (runSent(sending ?? call.node, driver)?.rowsType ?? driver.rowsType));
    if (rows === undefined || !sending || !/\.[cm]?tsx?$/.test(this.types?.tree.fileName ?? '')) return undefined;
    const facts = this.types?.typeOf(is(sending, 'CallExpression') ? sending.callee : sending.tag);
    if (!facts || facts.isAny || call.result.arrayRows || call.holds === 'boolean' || isSelection(call)) return undefined;
    const row = `{ ${columns.map((one) => `${propertyName(one)}: boolean`).join('; ')} }`;
    return fill(rows, { row });
  }
}


