import type { TSESTree } from '@typescript-eslint/utils';
import { driverById, type Driver } from '../../drivers/index.js';
import { readSql } from '../../sql/index.js';
import type { LockCall, SqlReading } from '../../sql/model.js';
import { CallConnections, chainOf } from '../connections/call-connections.js';
import type { Connections } from '../connections/connections.js';
import { isWithoutSession } from '../connections/sessions.js';
import type { ConnectionsPerCall } from '../flow/per-call.js';
import type { Standing } from '../helpers/elsewhere.js';
import { KeyFaults } from '../keys/faults.js';
import { Keys, type Bindings } from '../keys/keys.js';
import { locate } from './locations.js';
import type { Connection, LockUse, ResultShape, SqlCall } from '../model.js';
import { askedForNull } from './null-questions.js';
import type { Origins } from '../values/origins.js';
import { Sendings, type Sending } from './sendings.js';
import { holesOf, mentionsLock, SqlTexts, toSqlText, type Text } from './sql-text.js';
import { callsIn, is, isFunction, isWaitedFor, wrapped, type CallNode } from '../syntax.js';

/** Finds the calls of a file that send advisory-lock SQL. */

export class Calls {
  private readonly keys: Keys;
  private readonly keyFaults: KeyFaults;
  private readonly sendings: Sendings;
  private readonly connections: CallConnections;

  constructor(private readonly origins: Origins, private readonly handles: Connections, private readonly perCall: ConnectionsPerCall) {
    this.sendings = new Sendings(origins, handles, new SqlTexts(origins));
    this.connections = new CallConnections(origins, handles);
    this.keys = new Keys(origins);
    this.keyFaults = new KeyFaults(origins);
  }

  /** All calls of a file that send a lock statement, in the order of the text. */
  in(root: TSESTree.Program): SqlCall[] {
    return callsIn(root).flatMap((node) => this.at(node) ?? []);
  }

  private at(node: CallNode): SqlCall | undefined {
    const found = this.sendings.at(node);
    if (!found) return undefined;
    const own = this.connections.of(found, found.sent.node === node);
    const perCall = this.perCall.of(found, own);
    const sending = perCall ? { ...found, handle: perCall.handle } : found;
    const connection = perCall?.connection ?? own;
    const driver = driverById(connection.driver) ?? sending.driver;
    const isTagItself = is(node, 'TaggedTemplateExpression') && sending.handle.node === node.tag;
    if (connection.kind === 'unknown' && !driver && sending.says === undefined && sending.helper === undefined && !this.mayRun(node, isTagItself)) return undefined;
    const call = this.read(node, sending, connection, driver);
    return call && sending.elsewhere ? this.standing(call, sending.elsewhere) : call;
  }

  /** A call of a function of the same file that locks on the handle it is passed, of which the function says nothing: it stands for the statement where that is a pool. */
  ofHelper(node: TSESTree.CallExpression): SqlCall | undefined {
    const sending = this.sendings.ofHelper(node);
    if (!sending?.elsewhere) return undefined;
    const connection = this.connections.of(sending, false);
    const call = isWithoutSession(connection) || connection.kind === 'transaction' ? this.read(node, sending, connection, driverById(connection.driver) ?? sending.driver) : undefined;
    return call && this.standing(call, sending.elsewhere);
  }

  /** A call of a function that does no more about locks than to send one statement, whichever handle that is on: as its caller sees it. */
  ofCaller(node: TSESTree.CallExpression): SqlCall | undefined {
    const sending = this.sendings.ofHelper(node);
    if (!sending?.elsewhere?.isForClients || sending.lease) return undefined;
    const connection = this.connections.of(sending, false);
    const call = this.read(node, sending, connection, driverById(connection.driver) ?? sending.driver);
    return call?.locks.length === 1 && call.statements.length === 1 && !call.takesCallback && !call.isHandedOn ? call : undefined;
  }

  /** A call of a function of the file that locks, or frees, on the one connection that it is passed, and does no more about locks: as if it stood for the statement. */
  ofHelperOnClient(node: TSESTree.CallExpression): LockUse | undefined {
    const sending = this.sendings.ofHelper(node);
    if (!sending?.elsewhere?.isForClients) return undefined;
    const connection = this.connections.of(sending, false);
    const call = isKept(connection.kind) ? this.read(node, sending, connection, driverById(connection.driver) ?? sending.driver) : undefined;
    const [only, ...more] = call?.locks ?? [];
    const isAll = call !== undefined && more.length === 0 && call.statements.length === 1 && !call.takesCallback && !call.isHandedOn;
    return isAll && only?.lock.function.level === 'session' ? only : undefined;
  }

  /**
   * A function of another file stands for one statement, where its own file says nothing of the connection that it gets here: a connection
   * is the caller's own, and where one caller passes a pool and another one a connection, only the call tells which.
   */
  private standing(call: SqlCall, { handles, isForClients, isForPools }: Standing): SqlCall | undefined {
    const [only, ...more] = call.locks;
    if (!only || more.length > 0 || call.statements.length > 1 || call.takesCallback || call.isHandedOn) return undefined;
    const kinds = handles.map((node) => this.handles.of({ node, frame: undefined }).kind);
    if (isKept(call.connection.kind)) return isForClients && only.lock.function.level === 'session' && kinds.every((kind) => kind === 'unknown' || isKept(kind)) ? call : undefined;
    const isInside = call.connection.kind === 'transaction' && isForClients && only.lock.function.level === 'session';
    return kinds.every((kind) => kind === 'unknown') && isForPools && (isInside || isSurelyPooled(call.connection, this.handles)) ? call : undefined;
  }

  /** A call on a handle of unknown make runs SQL only if its result can be awaited: loggers and mocks run nothing. */
  private mayRun(node: CallNode, isTagItself: boolean): boolean {
    const facts = this.origins.types.typeOf(node);
    if (isTagItself && (!facts || facts.isAny)) return is(wrapped(node, false).parent, 'AwaitExpression');
    return facts && !facts.isAny ? facts.isAwaitable : isWaitedFor(node);
  }

  /** What a call sends; `undefined` where that has no lock in it. */
  read(node: CallNode, sending: Sending, connection: Connection, driver: Driver | undefined): SqlCall | undefined {
    const readings = sending.texts.filter(mentionsLock).map((text) => ({ text, reading: readSql(toSqlText(text)) }));
    const withLocks = readings.filter(({ reading }) => reading.statements.some((one) => one.locks.length > 0 && one.kind !== 'fragment'));
    const [first] = withLocks;
    const outer = chainOf(node, driver, sending.extent !== undefined);
    if (!first || outer.unsent) return undefined;
    const locks: LockUse[] = [];
    const callback = this.callbackOf(node, sending);
    const call: SqlCall = {
      node: (sending.extent as CallNode | undefined) ?? outer.node, handle: sending.handle.node as TSESTree.Expression, through: outer.through?.node as TSESTree.Expression | undefined, connection, driver: driver?.id,
      statements: first.reading.statements, locks,
      result: this.shapeOf(node, sending, outer.arrayRows), rejects: sending.elsewhere ? undefined : sending.run.rejects, answeredBy: sending.run.answeredBy, holds: holdsOf(sending), inner: sending.inner, ...(sending.inner ? { innerCounts: sending.run.result.counts } : {}), keepsAnswer: sending.keepsAnswer ?? false, columns: sending.columns,
      callback: isFunction(callback) ? callback.params[1] : undefined, takesCallback: callback !== undefined, isHandedOn: sending.isWrapped === true || (callback !== undefined && !isFunction(callback)),
      argument: sending.argument, ...(sending.helper === undefined ? {} : { helper: sending.helper, isSilent: sending.isSilent ?? false }), ...(sending.elsewhere ? { isElsewhere: true } : {}),
      ...(sending.lease ? { lease: sending.lease } : {}), ...(sending.frees ? { frees: sending.frees } : {}),
    };
    // Who works under its own lock may be left alone with it.
    const floats = sending.worksUnderIt ? undefined : this.floats(call, sending.sent.args !== undefined);
    const found: SqlCall = floats ? { ...call, floats } : call;
    for (const { text, reading } of withLocks) this.addLocks(found, node, text, reading, sending);
    return found;
  }

  /**
   * A statement of its own, `void` or not, that nothing awaits; an object that tells of its end by events is no promise. By `call` and `apply`
   * a method with several signatures has the type of its last one, whatever it is given.
   */
  private floats(call: SqlCall, isApplied: boolean): SqlCall['floats'] {
    const outer = wrapped(call.node, false);
    const parent = is(outer.parent, 'UnaryExpression') && outer.parent.operator === 'void' ? outer.parent.parent : outer.parent;
    if (!is(parent, 'ExpressionStatement') || call.takesCallback) return undefined;
    // What a helper gave may give the connection back at once: without types that is not known.
    const isAwaitable = this.origins.types.typeOf(call.node)?.isAwaitable ?? !call.frees;
    if (!isApplied && !isAwaitable) return undefined;
    return driverById(call.driver)?.isLazy && !call.isElsewhere ? 'neverSent' : 'notAwaited';
  }

  /** The last argument of a Node-style call, where that is a function or a name for one. */
  private callbackOf(node: CallNode, { run, inner, sent }: Sending): TSESTree.Node | undefined {
    if (!run.callback || inner || !is(node, 'CallExpression')) return undefined;
    const args = sent.args?.map((one) => one.node) ?? node.arguments;
    const last = args.at(-1);
    if (isFunction(last) || args.length > 2) return last;
    const isList = this.origins.types.typeOf(last!)?.isArray ?? true;
    return args.length === 2 && !isList && !this.origins.types.typeOf(last!)?.isAny ? last : undefined;
  }

  private addLocks(call: SqlCall, node: CallNode, text: Text, reading: SqlReading, { argument, values, extent, texts }: Sending): void {
    const bound: Bindings = { holes: holesOf(text), values };
    const bindings: Bindings = { ...bound, askedForNull: askedForNull(text, bound) };
    const before = [...call.locks];
    for (const lock of reading.statements.flatMap((one) => one.locks)) {
      const loc = locate(text, lock.start, lock.end, extent ?? node, argument ?? (is(node, 'TaggedTemplateExpression') ? node.quasi : node));
      const use: LockUse = {
        // What else its statement says is told in the other file.
        call, lock: call.isElsewhere ? withoutRows(lock) : lock, key: this.keys.of(lock.args, bindings), keyFault: call.helper === undefined ? this.keyFaults.of(lock.args, bindings) : undefined, isNeverSent: call.floats === 'neverSent', loc,
        ...(texts.length > 1 || text.choice ? { variants: [], alternatives: texts.length } : {}), ...(text.choice ? { choice: text.choice } : {}),
      };
      // Of the texts that a call may send, one fault is told once.
      const told = before.find((one) => isAlike(one.lock, lock));
      if (!told) (call.locks as LockUse[]).push(use);
      else if (told.variants) (told.variants as LockUse[]).push(use);
    }
  }

  private shapeOf(node: CallNode, { run, arrayRows, givesRows, holds }: Sending, chainedArrays: boolean): ResultShape {
    const { rows, counts, typed, silent } = run.result;
    if (givesRows || holds) return { rows: undefined, counts: [], arrayRows };
    const awaited = typed ? this.origins.types.typeOf(node)?.awaited() : undefined;
    const hasRows = new Set(awaited?.alternatives.map((one) => one.property('rows') !== undefined));
    // What may be either, as the result of several statements in one text, is no proof.
    const isKnown = awaited !== undefined && !awaited.isAny && hasRows.size === 1;
    return { rows: isKnown ? (hasRows.has(true) ? 'rows' : undefined) : rows, counts, arrayRows: arrayRows || chainedArrays || run.result.arrayRows === true, isCertain: isKnown, isGuess: typed === true && !isKnown, ...(silent ? { silent } : {}) };
  }
}

const isKept = (kind: Connection['kind']): boolean => kind === 'reserved' || kind === 'single';

/** No transaction that is open around the call may take it in. */
function isSurelyPooled(connection: Connection, handles: Connections): boolean {
  const driver = handles.joinedBy(connection);
  return driver !== undefined && isWithoutSession(connection) && connection.size !== 1 && connection.joins === undefined && connection.mayJoin !== true && !handles.isAmbient(driver) && !handles.joinsCallbacks(driver);
}

const withoutRows = (lock: LockCall): LockCall => ({ ...lock, rowDriven: undefined });

/** Whether two locks of different texts of one call are one fault. */
function isAlike(one: LockCall, other: LockCall): boolean {
  const isUnlocking = (lock: LockCall): boolean => /^unlock/.test(lock.function.operation);
  return isUnlocking(one) === isUnlocking(other) && one.function.level === other.function.level;
}

/** What the call gives in place of an array of rows. */
const holdsOf = ({ run, holds, givesRows }: Sending): SqlCall['holds'] => holds ?? (run.isOpen ? 'unknown' : givesRows ? undefined : run.result.holds);
