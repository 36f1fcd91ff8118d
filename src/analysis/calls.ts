import type { TSESTree } from '@typescript-eslint/utils';
import { driverById, isRunName, runOf, type Driver, type Result, type RunMember } from '../drivers/index.js';
import { readSql } from '../sql/index.js';
import type { SqlReading } from '../sql/model.js';
import { treeOf } from '../types/index.js';
import type { Connections } from './connections.js';
import { Keys, type Bindings } from './keys.js';
import { locate } from './locations.js';
import { objectMember } from './members.js';
import type { Connection, LockUse, ResultShape, SqlCall } from './model.js';
import { isNullish, variableOf, type Frame, type Origins, type Place } from './origins.js';
import { holesOf, mentionsLock, SqlTexts, toSqlText, type Chunk, type Text } from './sql-text.js';
import { contains, is, isFunction, isMember, memberName, unwrap, walk, wrapped, type CallNode } from './syntax.js';

/** Finds the calls of a file that send advisory-lock SQL. */

/** A call as it sends SQL, before the SQL is read. */
interface Sending {
  readonly handle: Place;
  readonly run: { readonly result: Result; readonly callback?: boolean };
  readonly texts: readonly Text[];
  readonly values: readonly Place[] | undefined;
  readonly arrayRows: boolean;
  readonly argument: TSESTree.Node | undefined;
  readonly isKnownMember: boolean;
}

export class Calls {
  private readonly texts: SqlTexts;
  private readonly keys: Keys;

  constructor(private readonly origins: Origins, private readonly connections: Connections) {
    this.texts = new SqlTexts(origins);
    this.keys = new Keys(origins);
  }

  /** All calls under a node that send a lock statement, in the order of the text. */
  in(root: TSESTree.Node): SqlCall[] {
    const found: SqlCall[] = [];
    for (const node of walk(root)) {
      if (!is(node, 'CallExpression') && !is(node, 'TaggedTemplateExpression')) continue;
      const call = this.at(node);
      if (call) found.push(call);
    }
    return found;
  }

  private at(node: CallNode): SqlCall | undefined {
    const sending = this.sending({ node, frame: undefined });
    if (!sending) return undefined;
    const connection = this.connections.of(sending.handle);
    const driver = driverById(connection.driver);
    const isTagItself = is(node, 'TaggedTemplateExpression') && sending.handle.node === node.tag;
    if (connection.kind === 'unknown' && !driver && !this.mayRun(node, isTagItself)) return undefined;
    return this.read(node, sending, connection, driver);
  }

  /** A call on a handle of unknown make runs SQL only if its result can be awaited: loggers and mocks run nothing. */
  private mayRun(node: CallNode, isTagItself: boolean): boolean {
    const facts = this.origins.types.typeOf(node);
    if (isTagItself && (!facts || facts.isAny)) return is(wrapped(node, false).parent, 'AwaitExpression');
    return facts?.isAwaitable ?? true;
  }

  private read(node: CallNode, sending: Sending, connection: Connection, driver: Driver | undefined): SqlCall | undefined {
    const readings = sending.texts.filter(mentionsLock).map((text) => ({ text, reading: readSql(toSqlText(text)) }));
    const withLocks = readings.filter(({ reading }) => reading.statements.some((one) => one.locks.length > 0));
    const [first] = withLocks;
    if (!first) return undefined;
    const locks: LockUse[] = [];
    const callback = sending.run.callback && is(node, 'CallExpression') ? node.arguments.at(-1) : undefined;
    const outer = this.chained(node, driver);
    const call: SqlCall = {
      node: outer.node, handle: sending.handle.node as TSESTree.Expression, connection, driver: driver?.id,
      statements: first.reading.statements, locks,
      result: this.shapeOf(node, sending, outer.arrayRows),
      callback: isFunction(callback) ? callback.params[1] : undefined,
      argument: sending.argument,
    };
    for (const { text, reading } of withLocks) this.addLocks(call, node, text, reading, sending);
    return call;
  }

  private addLocks(call: SqlCall, node: CallNode, text: Text, reading: SqlReading, { argument, values }: Sending): void {
    const bindings: Bindings = { holes: holesOf(text), values };
    for (const lock of reading.statements.flatMap((one) => one.locks)) {
      const loc = locate(text, lock.start, lock.end, node, argument ?? (is(node, 'TaggedTemplateExpression') ? node.quasi : node));
      const isKnown = call.locks.some((one) => one.lock.function.name === lock.function.name && one.loc.start.line === loc.start.line && one.loc.start.column === loc.start.column && one.lock.start === lock.start);
      if (!isKnown) (call.locks as LockUse[]).push({ call, lock, key: this.keys.of(lock.args, bindings), loc });
    }
  }

  /** `sql`...`.values()`: the statement goes on through methods that return it. */
  private chained(node: CallNode, driver: Driver | undefined): { node: CallNode; arrayRows: boolean } {
    let at: { node: CallNode; arrayRows: boolean } = { node, arrayRows: false };
    for (;;) {
      const member = wrapped(at.node, false).parent;
      const next = isMember(member ?? at.node) ? wrapped(member!, false).parent : undefined;
      const chained = next && is(next, 'CallExpression') && next.callee !== at.node ? driver?.chained?.[memberName(member as TSESTree.MemberExpression) ?? ''] : undefined;
      if (!chained) return at;
      at = { node: next as TSESTree.CallExpression, arrayRows: at.arrayRows || chained.arrayRows === true };
    }
  }

  private shapeOf(node: CallNode, { run, arrayRows }: Sending, chainedArrays: boolean): ResultShape {
    const { rows, counts, typed } = run.result;
    const awaited = typed ? this.origins.types.typeOf(node)?.awaited() : undefined;
    const isKnown = awaited !== undefined && !awaited.isAny;
    return { rows: isKnown ? (awaited.property('rows') ? 'rows' : undefined) : rows, counts, arrayRows: arrayRows || chainedArrays };
  }

  // ---- how SQL is sent

  private sending(place: Place): Sending | undefined {
    const { node, frame } = place;
    if (is(node, 'TaggedTemplateExpression')) return this.tagged(node, frame);
    if (!is(node, 'CallExpression')) return undefined;
    return this.member(node, frame) ?? this.bound(node, frame) ?? this.forwarded(node, frame);
  }

  private tagged(node: TSESTree.TaggedTemplateExpression, frame: Frame | undefined): Sending | undefined {
    if (isPiece(node)) return undefined;
    const texts = this.texts.of({ node, frame });
    if (!texts.some(mentionsLock)) return undefined;
    const tag = unwrap(node.tag);
    const sent = { texts, values: undefined, arrayRows: false, argument: undefined };
    if (isMember(tag) && isRunName(memberName(tag) ?? '')) {
      const handle = { node: tag.object, frame };
      const run = runOf(driverById(this.connections.of(handle).driver), memberName(tag)!);
      return run && { ...sent, handle, run, isKnownMember: true };
    }
    const handle = { node: node.tag, frame };
    const connection = this.connections.of(handle);
    const driver = driverById(connection.driver);
    if (driver) return driver.tag && { ...sent, handle, run: driver.tag, isKnownMember: true };
    if (isMember(tag) || this.origins.of(handle).some((one) => one.kind === 'import')) return undefined; // a tag that only builds SQL
    return { ...sent, handle, run: { result: { rows: undefined, counts: ['count'] } }, isKnownMember: false };
  }

  private member(node: TSESTree.CallExpression, frame: Frame | undefined): Sending | undefined {
    const callee = unwrap(node.callee);
    const name = isMember(callee) ? memberName(callee) : undefined;
    if (!isMember(callee) || name === undefined || !isRunName(name) || node.arguments.length === 0) return undefined;
    return this.sent(node, { node: callee.object, frame }, name, frame);
  }

  /** `const run = pool.query.bind(pool)`, `const { query } = handle`. */
  private bound(node: TSESTree.CallExpression, frame: Frame | undefined): Sending | undefined {
    const callee = unwrap(node.callee);
    if (!is(callee, 'Identifier') || node.arguments.length === 0) return undefined;
    for (const origin of this.origins.of({ node: callee, frame })) {
      if (origin.kind !== 'value' || !is(origin.node, 'CallExpression') || !isMember(origin.node.callee) || memberName(origin.node.callee) !== 'bind') continue;
      const method = unwrap(origin.node.callee.object);
      const [self] = origin.node.arguments;
      const name = isMember(method) ? memberName(method) : undefined;
      if (self && name !== undefined && isRunName(name)) return this.sent(node, { node: self, frame: origin.frame }, name, frame);
    }
    return undefined;
  }

  private sent(node: TSESTree.CallExpression, handle: Place, name: string, frame: Frame | undefined): Sending | undefined {
    // The text first: it costs less than the connection, and most calls have no locks in it.
    const first = node.arguments[0]!;
    const isSelection = is(first, 'ObjectExpression') || node.arguments.length > 1;
    if (!this.mayMention(first, frame) && !(isSelection && node.arguments.some((one) => this.mayMention(one, frame))) && !name.startsWith('select')) return undefined;
    const driver = driverById(this.connections.of(handle).driver);
    const run = runOf(driver, name);
    if (!run) return undefined;
    if (run.takes === 'selection') return this.selection(node, handle, run, frame);
    const argument = node.arguments[run.sql];
    if (!argument) return undefined;
    const config = run.config ? this.configured(run.config, { node: argument, frame }) : undefined;
    const texts = this.texts.of(config?.text ?? { node: argument, frame });
    if (!texts.some(mentionsLock)) return undefined;
    const list = run.values === undefined ? undefined : node.arguments[run.values];
    const values = config?.values ?? (list && { node: list, frame });
    return { handle, run, texts, values: values && this.elements(values), arrayRows: config?.arrayRows ?? false, argument, isKnownMember: driver !== undefined };
  }

  /** A cheap look: literal text that mentions locks, or anything that is not literal. */
  private mayMention(node: TSESTree.Node, frame: Frame | undefined): boolean {
    const at = unwrap(node);
    if (is(at, 'Literal') || is(at, 'ArrayExpression') || isFunction(at)) return is(at, 'Literal') && typeof at.value === 'string' && /advisory/i.test(at.value);
    return frame !== undefined || at.range !== undefined;
  }

  private configured(config: NonNullable<RunMember['config']>, place: Place): { text: Place; values: Place | undefined; arrayRows: boolean } | undefined {
    const [only] = this.origins.of(place).filter((one) => !isNullish(one));
    if (only?.kind !== 'value' || !is(only.node, 'ObjectExpression')) return undefined;
    const { node: object, frame } = only;
    const property = (name: string): Place | undefined => {
      const found = objectMember(object, name);
      return found && { node: found.value, frame };
    };
    const text = property(config.text);
    const [name, value] = config.arrayRows ?? [];
    const mode = name === undefined ? undefined : property(name);
    const arrayRows = mode !== undefined && this.texts.of(mode).some(({ chunks }) => chunks.length === 1 && chunks[0]?.kind === 'text' && chunks[0].text === value);
    return text && { text, values: property(config.values), arrayRows };
  }

  private elements(place: Place): readonly Place[] | undefined {
    const [only, ...more] = this.origins.of(place).filter((one) => !isNullish(one));
    if (more.length > 0 || only?.kind !== 'value' || !is(only.node, 'ArrayExpression')) return undefined;
    const { elements } = only.node;
    if (elements.some((one) => one === null || is(one, 'SpreadElement'))) return undefined;
    return elements.map((one) => ({ node: one!, frame: only.frame }));
  }

  /** `db.select({ ok: sql`...` }).from(t).where(sql`...`)`: the statement that the chain builds, as far as it has SQL of its own. */
  private selection(node: TSESTree.CallExpression, handle: Place, run: RunMember, frame: Frame | undefined): Sending | undefined {
    const [only] = node.arguments[run.sql] ? this.origins.of({ node: node.arguments[run.sql]!, frame }) : [];
    const piece = (text: string): Text => ({ chunks: [{ kind: 'text', text, node, start: undefined }] });
    let chunks: readonly Chunk[] = piece('select ').chunks;
    const add = (texts: readonly Text[], other: string): void => { chunks = [...chunks, ...(texts[0] ?? piece(other)).chunks]; };
    if (only?.kind === 'value' && is(only.node, 'ObjectExpression')) {
      only.node.properties.forEach((property, index) => {
        if (!is(property, 'Property')) return;
        add([], index > 0 ? ', ' : '');
        add(this.texts.isFragment(property.value) || !is(unwrap(property.value), 'MemberExpression') ? this.texts.of({ node: property.value, frame: only.frame }) : [], 'null');
        add([], ` as "${is(property.key, 'Identifier') ? property.key.name : index}"`);
      });
    } else add([], '*');
    for (const { name, args } of chainOf(node)) {
      if (name === 'from') add([], ' from t');
      if (name === 'where' && args[0]) { add([], ' where '); add(this.texts.of({ node: args[0], frame }), 'true'); }
      if (name === 'limit') add([], ' limit 1');
      if (name === 'orderBy') add([], ' order by 1');
    }
    const text: Text = { chunks };
    return mentionsLock(text) ? { handle, run, texts: [text], values: undefined, arrayRows: false, argument: node.arguments[run.sql], isKnownMember: true } : undefined;
  }

  // ---- the user's own functions

  /** A call of a function of the user's own that passes its argument on to a handle is what it forwards to. */
  private forwarded(node: TSESTree.CallExpression, frame: Frame | undefined): Sending | undefined {
    if (!node.arguments.some((one) => this.textsOfArgument(one, frame).some(mentionsLock))) return undefined;
    const entered = this.origins.calleeOf(node, frame);
    if (!entered) return undefined;
    for (const inner of walk(entered.callee.body)) {
      if (!is(inner, 'CallExpression') && !is(inner, 'TaggedTemplateExpression')) continue;
      const sending = this.sending({ node: inner, frame: entered.frame });
      if (sending) return { ...sending, argument: node.arguments.find((one) => this.textsOfArgument(one, frame).some(mentionsLock)) };
    }
    return undefined;
  }

  private textsOfArgument(node: TSESTree.Node, frame: Frame | undefined): readonly Text[] {
    if (isFunction(unwrap(node)) || is(node, 'ArrayExpression')) return [];
    return this.texts.of({ node, frame });
  }
}

/** A tagged template that is a part of another one's SQL: it stands in a hole, or in a variable that only stands in holes. */
function isPiece(node: TSESTree.TaggedTemplateExpression): boolean {
  const outer = wrapped(node, false);
  const holder = outer.parent;
  if (is(holder, 'TemplateLiteral')) return is(holder.parent, 'TaggedTemplateExpression');
  if (is(holder, 'ConditionalExpression') || is(holder, 'LogicalExpression')) return is(wrapped(holder, false).parent, 'TemplateLiteral');
  if (!is(holder, 'VariableDeclarator') || !is(holder.id, 'Identifier')) return false;
  const uses = variableOf(holder.id)?.references.filter((one) => one.isRead()) ?? [];
  return uses.length > 0 && uses.every(({ identifier }) => is(identifier.parent as TSESTree.Node, 'TemplateLiteral'));
}

/** The methods called on a call's result, one after the other. */
function chainOf(node: TSESTree.CallExpression): { name: string | undefined; args: readonly TSESTree.Node[] }[] {
  const found: { name: string | undefined; args: readonly TSESTree.Node[] }[] = [];
  for (let at: TSESTree.Node = node; ;) {
    const member: TSESTree.Node | undefined = wrapped(at, false).parent;
    const call: TSESTree.Node | undefined = member && isMember(member) ? wrapped(member, false).parent : undefined;
    if (!is(call, 'CallExpression') || !isMember(member!) || !contains(call.callee, member)) return found;
    found.push({ name: memberName(member), args: call.arguments });
    at = call;
  }
}

export const fileOf = (node: TSESTree.Node): string => treeOf(node).fileName;
