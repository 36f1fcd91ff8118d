import type { TSESTree } from '@typescript-eslint/utils';
import { builderOf, driverById, isRunName, runOf, type Driver, type Result, type RunMember } from '../drivers/index.js';
import { readSql } from '../sql/index.js';
import type { LockCall, SqlReading } from '../sql/model.js';
import { constantOf } from './arguments.js';
import { BuiltStatement } from './built-statement.js';
import { Callers } from './callers.js';
import type { Connections } from './connections.js';
import { KeyFaults } from './key-faults.js';
import { Keys, type Bindings } from './keys.js';
import { locate } from './locations.js';
import { objectMember } from './members.js';
import type { Connection, LockUse, ResultShape, SqlCall } from './model.js';
import { enter } from './frames.js';
import { variableOf } from './names.js';
import { isNullish, stepsFrom, type Frame, type Place } from './origin.js';
import type { Origins } from './origins.js';
import { holesOf, mentionsLock, SqlTexts, toSqlText, type Text } from './sql-text.js';
import { is, isFunction, isMember, memberName, unwrap, walk, wrapped, type CallNode, type FunctionNode } from './syntax.js';

/** Finds the calls of a file that send advisory-lock SQL. */

/** A call as it sends SQL, before the SQL is read. */
interface Sending {
  readonly handle: Place;
  readonly run: { readonly result: Result; readonly callback?: boolean };
  readonly texts: readonly Text[];
  readonly values: readonly Place[] | undefined;
  readonly arrayRows: boolean;
  readonly argument: TSESTree.Node | undefined;
  readonly columns?: readonly string[];
  /** The whole chain of methods that the call begins. */
  readonly extent?: TSESTree.Node;
  readonly holds?: SqlCall['holds'];
  /** The rows themselves are what a function of the user's own gives back. */
  readonly givesRows?: boolean;
  readonly inner?: CallNode;
  readonly keepsAnswer?: boolean;
}

const MAX_FORWARDS = 500;

export class Calls {
  private readonly texts: SqlTexts;
  private readonly keys: Keys;
  private readonly keyFaults: KeyFaults;
  /** How many calls inside the user's own functions may still be looked at for one call of the file. */
  private budget = 0;

  constructor(private readonly origins: Origins, private readonly connections: Connections) {
    this.texts = new SqlTexts(origins);
    this.keys = new Keys(origins);
    this.keyFaults = new KeyFaults(origins);
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
    this.budget = MAX_FORWARDS;
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
    return facts && !facts.isAny ? facts.isAwaitable : isWaitedFor(node);
  }

  private read(node: CallNode, sending: Sending, connection: Connection, driver: Driver | undefined): SqlCall | undefined {
    const readings = sending.texts.filter(mentionsLock).map((text) => ({ text, reading: readSql(toSqlText(text)) }));
    const withLocks = readings.filter(({ reading }) => reading.statements.some((one) => one.locks.length > 0 && one.kind !== 'fragment'));
    const [first] = withLocks;
    const outer = this.chained(node, driver);
    if (!first || outer.unsent) return undefined;
    const locks: LockUse[] = [];
    const callback = this.callbackOf(node, sending);
    const call: SqlCall = {
      node: (sending.extent as CallNode | undefined) ?? outer.node, handle: sending.handle.node as TSESTree.Expression, connection, driver: driver?.id,
      statements: first.reading.statements, locks,
      result: this.shapeOf(node, sending, outer.arrayRows), holds: sending.holds, inner: sending.inner, keepsAnswer: sending.keepsAnswer ?? false, columns: sending.columns,
      callback: isFunction(callback) ? callback.params[1] : undefined, takesCallback: callback !== undefined, isHandedOn: callback !== undefined && !isFunction(callback),
      argument: sending.argument,
    };
    const floats = this.floats(call);
    const found: SqlCall = floats ? { ...call, floats } : call;
    for (const { text, reading } of withLocks) this.addLocks(found, node, text, reading, sending);
    return found;
  }

  /** A statement of its own, `void` or not, that nothing awaits; an object that tells of its end by events is no promise. */
  private floats(call: SqlCall): SqlCall['floats'] {
    const outer = wrapped(call.node, false);
    const parent = is(outer.parent, 'UnaryExpression') && outer.parent.operator === 'void' ? outer.parent.parent : outer.parent;
    if (!is(parent, 'ExpressionStatement') || call.takesCallback || this.origins.types.typeOf(call.node)?.isAwaitable === false) return undefined;
    return driverById(call.driver)?.isLazy ? 'neverSent' : 'notAwaited';
  }

  /** The last argument of a Node-style call, where that is a function or a name for one. */
  private callbackOf(node: CallNode, { run, inner }: Sending): TSESTree.Node | undefined {
    if (!run.callback || inner || !is(node, 'CallExpression')) return undefined;
    const last = node.arguments.at(-1);
    if (isFunction(last) || node.arguments.length > 2) return last;
    const isList = this.origins.types.typeOf(last!)?.isArray ?? true;
    return node.arguments.length === 2 && !isList && !this.origins.types.typeOf(last!)?.isAny ? last : undefined;
  }

  private addLocks(call: SqlCall, node: CallNode, text: Text, reading: SqlReading, { argument, values, extent }: Sending): void {
    const bindings: Bindings = { holes: holesOf(text), values };
    const before = [...call.locks];
    for (const lock of reading.statements.flatMap((one) => one.locks)) {
      // Of the texts that a call may send, one fault is told once.
      if (before.some((one) => isAlike(one.lock, lock))) continue;
      const loc = locate(text, lock.start, lock.end, extent ?? node, argument ?? (is(node, 'TaggedTemplateExpression') ? node.quasi : node));
      (call.locks as LockUse[]).push({ call, lock, key: this.keys.of(lock.args, bindings), keyFault: this.keyFaults.of(lock.args, bindings), isNeverSent: call.floats === 'neverSent', loc });
    }
  }

  /** `sql`...`.values()`: the statement goes on through methods that return it. */
  private chained(node: CallNode, driver: Driver | undefined): Chained {
    let at: Chained = { node, arrayRows: false, unsent: false };
    for (;;) {
      const member = wrapped(at.node, false).parent;
      const next = isMember(member ?? at.node) ? wrapped(member!, false).parent : undefined;
      const chained = next && is(next, 'CallExpression') && next.callee !== at.node ? driver?.chained?.[memberName(member as TSESTree.MemberExpression) ?? ''] : undefined;
      if (!chained) return at;
      at = { node: next as TSESTree.CallExpression, arrayRows: at.arrayRows || chained.arrayRows === true, unsent: at.unsent || chained.unsent === true };
    }
  }

  private shapeOf(node: CallNode, { run, arrayRows, givesRows, holds }: Sending, chainedArrays: boolean): ResultShape {
    const { rows, counts, typed } = run.result;
    if (givesRows || holds) return { rows: undefined, counts: [], arrayRows };
    const awaited = typed ? this.origins.types.typeOf(node)?.awaited() : undefined;
    const isKnown = awaited !== undefined && !awaited.isAny;
    return { rows: isKnown ? (awaited.property('rows') ? 'rows' : undefined) : rows, counts, arrayRows: arrayRows || chainedArrays, isCertain: isKnown, isGuess: typed === true && !isKnown };
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
      return run && { ...sent, handle, run };
    }
    const handle = { node: node.tag, frame };
    const connection = this.connections.of(handle);
    const driver = driverById(connection.driver);
    if (driver) return driver.tag && { ...sent, handle, run: driver.tag };
    if (isMember(tag) || this.origins.of(handle).some((one) => one.kind === 'import')) return undefined; // a tag that only builds SQL
    return { ...sent, handle, run: { result: { rows: undefined, counts: ['count'] } } };
  }

  private member(node: TSESTree.CallExpression, frame: Frame | undefined): Sending | undefined {
    const callee = unwrap(node.callee);
    if (!isMember(callee)) return undefined;
    const name = memberName(callee) ?? this.constantName(callee, frame);
    if (name === undefined || !isRunName(name) || (node.arguments.length === 0 && !builderOf(name))) return undefined;
    return this.sent(node, { node: callee.object, frame }, name, frame);
  }

  private constantName(callee: TSESTree.MemberExpression, frame: Frame | undefined): string | undefined {
    const value = constantOf(this.origins.of({ node: callee.property, frame }));
    return typeof value === 'string' ? value : undefined;
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
    const builder = builderOf(name);
    if (!builder && !node.arguments.some((one) => this.mayMention(one))) return undefined;
    const driver = driverById(this.connections.of(handle).driver);
    // A class of the user's own that has the method itself does what its code does, whatever it extends.
    const callee = unwrap(node.callee);
    const isOwnMethod = isMember(callee) && (this.origins.of({ node: callee, frame }).some((one) => one.kind === 'value' && isFunction(one.node))
      || this.origins.types.memberDefinitions(callee).some((one) => isFunction((one.parent as Partial<TSESTree.MethodDefinition> | undefined)?.value)));
    const forwarded = driver && !isOwnMethod ? undefined : this.forwarded(node, frame);
    if (forwarded || (driver && isOwnMethod)) return forwarded;
    const run = runOf(driver, name);
    if (!run) return undefined;
    if (run.takes === 'selection') return this.built(node, handle, run, driver, frame);
    const argument = node.arguments[run.sql];
    if (!argument) return undefined;
    const config = run.config ? this.configured(run.config, { node: argument, frame }) : undefined;
    const texts = this.texts.of(config?.text ?? { node: argument, frame });
    if (!texts.some(mentionsLock)) return undefined;
    const list = run.values === undefined ? undefined : node.arguments[run.values];
    const values = config?.values ?? (list && { node: list, frame });
    return { handle, run, texts, values: values && this.elements(values), arrayRows: config?.arrayRows ?? false, argument };
  }

  /** A cheap look: literal text that mentions locks, or anything that is not literal. */
  private mayMention(node: TSESTree.Node): boolean {
    const at = unwrap(node);
    if (is(at, 'Literal') || is(at, 'ArrayExpression') || isFunction(at)) return is(at, 'Literal') && typeof at.value === 'string' && /advisory/i.test(at.value);
    return true;
  }

  private configured(config: NonNullable<RunMember['config']>, place: Place): { text: Place; values: Place | undefined; arrayRows: boolean } | undefined {
    const [only] = this.origins.of(place).filter((one) => !isNullish(one));
    if (only?.kind !== 'value' || !is(only.node, 'ObjectExpression')) return undefined;
    const { node: object, frame } = only;
    const property = (name: string): Place | undefined => propertyPlace(this.origins, { node: object, frame }, name);
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

  /**
   * `db.select({ ok: sql`...` }).from(t).where(sql`...`)`: the statement that a chain of methods builds, as far as it has SQL of its
   * own. Clauses that the driver writes itself stand as names.
   */
  private built(node: TSESTree.CallExpression, handle: Place, run: RunMember, driver: Driver | undefined, frame: Frame | undefined): Sending | undefined {
    const built = new BuiltStatement(this.origins, this.texts, node, run, frame);
    const text: Text = { chunks: built.chunks };
    if (!mentionsLock(text) || built.methods.some((name) => driver?.chained?.[name ?? '']?.unsent)) return undefined;
    return { handle, run, extent: built.outermost, texts: [text], values: undefined, arrayRows: false, argument: node.arguments[run.sql] ?? node, ...(built.columns ? { columns: built.columns } : {}) };
  }

  // ---- the user's own functions

  /** A call of a function of the user's own that passes its argument on to a handle is what it forwards to. */
  private forwarded(node: TSESTree.CallExpression, frame: Frame | undefined): Sending | undefined {
    const argument = node.arguments.find((one) => this.textsOfArgument(one, frame).some(mentionsLock));
    const entered = argument && (this.origins.calleeOf(node, frame) ?? this.handedFunction(node, frame));
    if (!entered) return undefined;
    for (const inner of walk(entered.callee.body)) {
      if (!is(inner, 'CallExpression') && !is(inner, 'TaggedTemplateExpression')) continue;
      if (--this.budget < 0) return undefined;
      const sending = this.sending({ node: inner, frame: entered.frame });
      if (sending) return { ...sending, argument, ...this.givenBack(entered, sending, inner) };
    }
    return undefined;
  }

  /** The function that a callback's parameter stands for: `withClient((query) => query('SELECT ...'))`. */
  private handedFunction(node: TSESTree.CallExpression, frame: Frame | undefined): { callee: FunctionNode; frame: Frame } | undefined {
    const [only, ...more] = frame ? [] : this.origins.of({ node: node.callee, frame });
    if (only?.kind !== 'parameter' || more.length > 0 || only.path.length > 0) return undefined;
    for (const place of new Callers(this.origins).ofCallback(only)) {
      const [made] = this.origins.of(place);
      if (made?.kind === 'value' && isFunction(made.node)) return { callee: made.node, frame: enter(made.node, node.arguments, node, undefined, made.frame) };
    }
    return undefined;
  }

  /** How much of the result a function gives back: all of it, its rows, a row, the boolean, something else, or nothing. */
  private givenBack(entered: { callee: FunctionNode; frame: Frame }, sending: Sending, inner: CallNode): Pick<Sending, 'holds' | 'givesRows' | 'inner' | 'keepsAnswer'> {
    const sent = sending.inner ?? inner;
    const paths = this.origins.returnsOf(entered.callee, entered.frame).filter((one) => !isNullish(one)).map((one) => stepsFrom(one, new Set([sent])));
    if (paths.every((one) => one === undefined)) return { inner: sent, keepsAnswer: true, ...(paths.length === 0 ? {} : { holds: 'unknown' as const }) };
    if (paths.some((one) => one === undefined)) return { holds: 'unknown', inner: sent };
    const [path = []] = paths as string[][];
    const rest = path[0] !== undefined && path[0] === sending.run.result.rows ? path.slice(1) : path;
    if (path.length === 0) return { inner: sent };
    if (rest.length === 0) return { givesRows: true, inner: sent };
    if (rest.length === 1 && rest[0] === '0') return { holds: 'row', inner: sent };
    return { holds: rest.length === 2 && rest[0] === '0' ? 'boolean' : 'unknown', inner: sent };
  }

  private textsOfArgument(node: TSESTree.Node, frame: Frame | undefined): readonly Text[] {
    if (isFunction(unwrap(node)) || is(node, 'ArrayExpression')) return [];
    return this.texts.of({ node, frame });
  }
}

/** Without types, code that waits for a result is what tells that there is one to wait for. */
function isWaitedFor(node: CallNode): boolean {
  const outer = wrapped(node, false);
  const { parent } = outer;
  if (parent && isMember(parent)) return ['then', 'catch', 'finally'].includes(memberName(parent) ?? '');
  if (is(parent, 'ArrayExpression')) return is(parent.parent, 'CallExpression');
  return is(parent, 'AwaitExpression') || is(parent, 'ReturnStatement') || (isFunction(parent) && parent.body === outer) || (is(node, 'CallExpression') && isFunction(node.arguments.at(-1)));
}

/** A tagged template that is a part of another one's SQL: it stands in a hole, or in a variable that only stands in holes. */
function isPiece(node: TSESTree.TaggedTemplateExpression): boolean {
  const outer = wrapped(node, false);
  const holder = outer.parent;
  if (is(holder, 'TemplateLiteral')) return is(holder.parent, 'TaggedTemplateExpression');
  if (is(holder, 'ConditionalExpression') || is(holder, 'LogicalExpression')) return is(wrapped(holder, false).parent, 'TemplateLiteral');
  if (!is(holder, 'VariableDeclarator') || !is(holder.id, 'Identifier')) return false;
  const uses = variableOf(holder.id)?.references.filter((one) => one.isRead()) ?? [];
  return uses.length > 0 && uses.every(({ identifier }) => is(identifier.parent, 'TemplateLiteral'));
}

/** A property of an object literal, also one that is spread into it from an object in view. */
function propertyPlace(origins: Origins, { node, frame }: Place, name: string): Place | undefined {
  const found = objectMember(node as TSESTree.ObjectExpression, name);
  if (found) return { node: found.value, frame };
  for (const one of (node as TSESTree.ObjectExpression).properties) {
    const [spread] = is(one, 'SpreadElement') ? origins.of({ node: one.argument, frame }) : [];
    const inherited = spread?.kind === 'value' && is(spread.node, 'ObjectExpression') ? propertyPlace(origins, spread, name) : undefined;
    if (inherited) return inherited;
  }
  return undefined;
}

/** Whether two locks of different texts of one call are one fault. */
function isAlike(one: LockCall, other: LockCall): boolean {
  const isUnlocking = (lock: LockCall): boolean => /^unlock/.test(lock.function.operation);
  return isUnlocking(one) === isUnlocking(other) && one.function.level === other.function.level;
}

interface Chained {
  readonly node: CallNode;
  readonly arrayRows: boolean;
  readonly unsent: boolean;
}
