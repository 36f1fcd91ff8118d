import type { TSESTree } from '@typescript-eslint/utils';
import type { LockUse, SqlCall } from '../analysis/model.js';
import type { LockOperation } from '../sql/model.js';
import { driverOf, treeOf, type TypeFacts, type Types } from '../analysis/regions.js';
import { is, isMember, memberName, staticName } from '../analysis/syntax.js';
import { runOf, type ColumnTypes, type Driver, type RunMember } from '../drivers/index.js';
import { sendingOf, typeHolderOf, type Sending } from './target.js';

/** The columns of a result that hold the answers of its unlocks, or of its try-locks. */
export interface Columns {
  readonly names: readonly string[];
  /** After an expression of the row: `.freed`, `[0]`, or nothing where the value alone is given. */
  readonly paths: readonly string[];
  /** What a method gives in place of an array of rows. */
  readonly holds?: 'row' | 'boolean' | undefined;
}

/** Whether the answer of a lock is in one column, whichever of several statements the call sends. */
export function hasOneAnswer({ alternatives, call, lock, variants = [] }: LockUse): boolean {
  if (alternatives === undefined || call.holds === 'boolean') return true;
  const { answer } = lock;
  return answer.kind === 'column' && variants.length === alternatives - 1 && variants.every(({ lock: other }) => other.answer.kind === 'column' && other.answer.name === answer.name);
}

export const propertyName = (column: string): string => (/^[A-Za-z_$][\w$]*$/.test(column) ? column : `'${column}'`);

/** `undefined` where an answer is not in a column of its own. */
export function columnsOf(call: SqlCall, operation: LockOperation = 'unlock'): Columns | undefined {
  const { locks, result, holds, node, isElsewhere } = call;
  // A lock helper that gives the boolean gives the answer itself.
  const inner = isElsewhere && holds === 'boolean' ? undefined : call.inner;
  if (holds && (inner || (holds !== 'row' && holds !== 'boolean'))) return undefined;
  const names: string[] = [];
  const paths: string[] = [];
  for (const { lock } of locks.filter((one) => one.lock.function.operation === operation)) {
    if (lock.answer.kind !== 'column' || (!result.arrayRows && names.includes(lock.answer.name))) return undefined;
    names.push(lock.answer.name);
    const property = propertyName(lock.answer.name);
    paths.push(holds === 'boolean' ? '' : result.arrayRows ? `[${lock.answer.index}]` : property === lock.answer.name ? `.${property}` : `[${property}]`);
  }
  const templates = driverOf(call)?.templates;
  const isEncoded = templates?.kind === 'reserve' && is(node, 'CallExpression') && isMember(node.callee) && templates.encoded?.includes(memberName(node.callee) ?? '');
  return names.length > 0 && !isEncoded && !(holds === 'boolean' && names.length > 1) ? { names, paths, ...(holds ? { holds } : {}) } : undefined;
}

/** `?.freed`, `?.[0]` */
export const safe = (path: string): string => (path === '' ? '' : `?.${path.replace(/^\./, '')}`);

/** Whether it is certain that a row's columns can be read by their names, and the compiler lets them be. */
export function areInType(call: SqlCall, { names, holds }: Columns, types: Types | undefined, isNamed = false): boolean {
  const result = types?.typeOf(call.node)?.awaited();
  // What a function or library of unknown make gives is known by its type alone; what a layer gives, by that or by what is below.
  const driver = driverOf(call);
  const isKnown = driver?.templates?.kind === 'layer' ? call.connection.over?.driver !== undefined : driver !== undefined;
  if (!isKnown && (!result || result.isAny)) return false;
  const sending = sendingOf(call);
  const holder = sending && typeHolderOf(sending, call);
  const isOfTypeScript = /\.[cm]?tsx?$/.test(treeOf(call.node).fileName);
  const columnTypes = columnTypesOf(sending, driver);
  if (isOfTypeScript && columnTypes === 'argument' && call.node === sending && !holder?.typeArguments) return holder !== undefined && !isNamed;
  // Without a checker, what a function of the user or a statement without columns gives is not known to have this one.
  if (isOfTypeScript && !result && (call.node !== sending || (columnTypes === 'none' && !holder?.typeArguments))) return false;
  if (!types || call.result.arrayRows || /\.[cm]?jsx?$/.test(types.tree.fileName)) return true;
  // A type will be given, where a driver's method takes one.
  const isGiven = driver?.rowsType !== undefined && columnTypes === undefined;
  if (holds === 'boolean' || (sending && isGiven && !sending.typeArguments)) return true;
  const row = holds ? result : rowType(result, call.result.rows);
  return !row || (row.isAny && !row.isUnknown) || row.isIndexed || names.every((one) => row.property(one) !== undefined);
}

/** Whether the compiler lets a column be read, as the statement is typed now. */
export function isReadable(call: SqlCall, columns: Columns, types: Types | undefined): boolean {
  const driver = driverOf(call);
  const sending = sendingOf(call);
  if (columnTypesOf(sending, driver) !== undefined) return areInType(call, columns, types, true);
  // The rows of a statement that is built have the type that its builder gives them, which a checker alone tells where columns are texts.
  const run = sending && runSent(sending, driver);
  const isBuilt = run?.takes === 'selection';
  if (isBuilt && run.selects !== undefined && /\.[cm]?tsx?$/.test(treeOf(call.node).fileName) && !types?.typeOf(call.node)) return false;
  if ((driver?.rowsType !== undefined && !isBuilt) || !/\.[cm]?tsx?$/.test(types?.tree.fileName ?? '')) return true;
  const row = call.result.rows === undefined && call.holds === 'row' ? types?.typeOf(call.node)?.awaited() : rowType(types?.typeOf(call.node)?.awaited(), call.result.rows);
  return !row || row.isIndexed || (row.isAny ? !row.isUnknown : columns.names.every((one) => row.hasMember(one)));
}

/** The method of a driver that sends a statement. */
export const runSent = (sending: Sending, driver: Driver | undefined): RunMember | undefined =>
  (driver && is(sending, 'CallExpression') && isMember(sending.callee) ? runOf(driver, memberName(sending.callee) ?? '') : undefined);

export const columnTypesOf = (sending: Sending | undefined, driver: Driver | undefined): ColumnTypes | undefined => (sending && runSent(sending, driver)?.columnTypes) ?? driver?.columnTypes;

function rowType(result: TypeFacts | undefined, rows: string | undefined): TypeFacts | undefined {
  if (!result || result.isAny) return undefined;
  const list = rows === undefined ? result : result.property(rows);
  const [first] = list?.typeArguments ?? [];
  return first?.isArray ? first.typeArguments[0] : first;
}

/** The expression of the answer in a declared name or pattern, up to the column. */
export function readingIn(id: TSESTree.Node, rowsAt: string | undefined, { names, paths, holds }: Columns): string[] | undefined {
  const inRow = (row: TSESTree.Node | null | undefined): string[] | undefined => {
    if (is(row, 'Identifier')) return paths.map((path) => row.name + safe(path));
    if (!is(row, 'ObjectPattern')) return undefined;
    const found = names.flatMap((name) => {
      const value = propertyIn(row, name);
      return is(value, 'Identifier') ? [value.name] : [];
    });
    return found.length === names.length ? found : undefined;
  };
  const inRows = (rows: TSESTree.Node | null | undefined): string[] | undefined => {
    if (is(rows, 'Identifier')) return paths.map((path) => `${rows.name}[0]${safe(path)}`);
    return is(rows, 'ArrayPattern') ? inRow(rows.elements[0]) : undefined;
  };
  const held = (one: TSESTree.Node | undefined): string[] | undefined => (holds === 'row' ? inRow(one) : is(one, 'Identifier') ? [one.name] : undefined);
  if (holds) return rowsAt === undefined ? held(id) : is(id, 'ObjectPattern') ? held(propertyIn(id, rowsAt)) : undefined;
  if (rowsAt === undefined) return inRows(id);
  if (is(id, 'Identifier')) return paths.map((path) => `${id.name}${rowsPath(rowsAt)}[0]${safe(path)}`);
  if (is(id, 'ArrayPattern')) return isIndex(rowsAt) ? inRows(id.elements[Number(rowsAt)]) : undefined;
  return is(id, 'ObjectPattern') ? inRows(propertyIn(id, rowsAt)) : undefined;
}

const isIndex = (name: string): boolean => /^\d+$/.test(name);

/** After an expression of the result: `.rows`, or `[0]`. */
export const rowsPath = (rows: string | undefined): string => (rows === undefined ? '' : isIndex(rows) ? `[${rows}]` : `.${rows}`);

/** A pattern that takes the rows out of a result. */
export function rowsPattern(rows: string | undefined, inner: string): string {
  if (rows === undefined) return inner;
  return isIndex(rows) ? `[${', '.repeat(Number(rows))}${inner}]` : `{ ${rows}: ${inner} }`;
}

/** What takes a property in a pattern. */
export function propertyIn(pattern: TSESTree.ObjectPattern, name: string): TSESTree.Node | undefined {
  for (const one of pattern.properties) if (is(one, 'Property') && staticName(one.key, one.computed) === name) return one.value;
  return undefined;
}
