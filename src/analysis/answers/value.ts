import type { LockAnswer } from '../../sql/model.js';
import type { ResultShape } from '../model.js';
import type { Key } from './syntax.js';

/** What stands at the place of the rows where a call does not give an array of them. */
export type Holding = 'row' | 'boolean' | 'values' | 'count' | 'unknown';

export interface Layout {
  readonly shape: ResultShape;
  readonly holds: Holding | undefined;
  readonly silent: readonly string[] | undefined;
  readonly column: LockAnswer;
  /** Names of the statement's other output columns; `undefined` where they are not all known. */
  readonly otherColumns: readonly string[] | undefined;
}

type PlainKind = 'result' | 'rows' | 'row' | 'values' | 'count' | 'boolean' | 'unknown';

/** What an expression has of the answer. */
export type Value = Plain | Wrapped;
export interface Plain {
  readonly kind: PlainKind;
  /** Whether it is certainly that of the one statement, and in the form that the shape describes. */
  readonly sure: boolean;
  /** Of a boolean: the answer for which it is `true`; `undefined` where that cannot be told. */
  readonly says?: boolean | undefined;
}
export interface Wrapped {
  /** `tuple` is an array literal that holds it, `list` what `map` made, `settled` an element of `Promise.allSettled`. */
  readonly kind: 'promise' | 'tuple' | 'list' | 'settled';
  readonly of: Value;
  /** Of a tuple: the index, where it is known. */
  readonly at?: number | undefined;
}

/** What reading a property gives: a value, nothing of the answer, or a column that the statement does not have. */
export type Access = Value | 'nothing' | 'read' | 'absent';

const MAX_DEPTH = 5;

export const plain = (kind: PlainKind, sure = true): Plain => (kind === 'boolean' ? { kind, sure, says: true } : { kind, sure });

export const isWrapped = (value: Value): value is Wrapped => 'of' in value;

export function wrap(kind: Wrapped['kind'], of: Value, at?: number): Value {
  if (kind === 'promise' && of.kind === 'promise') return of;
  return depthOf(of) >= MAX_DEPTH ? plain('unknown') : { kind, of, at };
}

const depthOf = (value: Value): number => (isWrapped(value) ? 1 + depthOf(value.of) : 0);

/** Equal for equal values. */
export const nameOf = (value: Value): string => (isWrapped(value) ? `${value.kind}${value.at ?? ''}:${nameOf(value.of)}` : `${value.kind}${value.sure ? '' : '?'}${value.kind === 'boolean' ? String(value.says) : ''}`);

/** What `await` gives. */
export const settle = (value: Value): Value => (value.kind === 'promise' && isWrapped(value) ? value.of : value);

export const promiseOf = (value: Value): Value => wrap('promise', value);

/** What is made of a boolean that is turned round, compared with `true` or `false`, or with something that may be either. */
export function compared(value: Value, isSame: boolean | undefined): Value {
  if (isWrapped(value) || value.kind !== 'boolean') return value;
  return { ...value, says: isSame === undefined || value.says === undefined ? undefined : value.says === isSame };
}

/** The value without what hinders a judgement of its columns. */
export function unsure(value: Value): Value {
  return isWrapped(value) ? { ...value, of: unsure(value.of) } : { ...value, sure: false };
}

export const innermost = (value: Value): Plain => (isWrapped(value) ? innermost(value.of) : value);

/** What the call's promise settles to. */
export function resultOf(layout: Layout): Value {
  return layout.shape.rows === undefined && layout.holds ? plain(layout.holds) : plain('result');
}

/** The element that iteration gives; `undefined` where the value is no array. */
export function elementOf(value: Value, layout: Layout): Value | undefined {
  switch (value.kind) {
    case 'tuple':
    case 'list':
      return value.of;
    case 'rows':
      return plain('row', value.sure);
    case 'result':
      // several statements in one text give an array of results
      return layout.shape.rows === undefined ? plain('row', value.sure) : plain('result', false);
    case 'values':
      return plain('boolean');
    case 'row':
      return layout.shape.arrayRows ? plain('unknown') : undefined;
    case 'unknown':
      return value;
    default:
      return undefined;
  }
}

export function access(value: Value, key: Key, layout: Layout): Access {
  switch (value.kind) {
    case 'promise':
      // drivers that answer at once have no promise at all; a forgotten `await` is another fault
      return access(value.of, key, layout);
    case 'tuple':
      return accessTuple(value, key);
    case 'settled':
      return key === 'value' || key === undefined ? value.of : 'nothing';
    case 'result':
      return accessResult(value, key, layout);
    case 'rows':
    case 'list':
    case 'values':
      return accessArray(value, key, layout);
    case 'row':
      return accessRow(value, key, layout);
    case 'unknown':
      return value;
    default:
      return 'read';
  }
}

function accessTuple(tuple: Wrapped, key: Key): Access {
  if (key === 'length') return 'nothing';
  if (typeof key === 'string') return 'read';
  return key === undefined || tuple.at === undefined || tuple.at === key ? tuple.of : 'nothing';
}

function accessArray(value: Value, key: Key, layout: Layout): Access {
  if (key === 'length') return plain('count');
  return typeof key === 'string' ? 'read' : (elementOf(value, layout) ?? 'read');
}

function accessResult(value: Plain, key: Key, layout: Layout): Access {
  const { shape, column } = layout;
  if (shape.isCertain && (shape.rows === undefined ? key === 'rows' : typeof key === 'number')) return 'nothing';
  if (typeof key !== 'string') return elementOf(value, layout) ?? 'read';
  if (key === (shape.rows ?? 'rows')) return plain((shape.rows !== undefined && layout.holds) || 'rows', value.sure);
  if (key === 'length' || shape.counts.includes(key)) return plain('count');
  if (layout.silent?.includes(key)) return 'nothing';
  // calls such as `one()` give the row itself
  return column.kind === 'column' && isSameName(key, column.name) ? plain('boolean') : 'read';
}

function accessRow(row: Plain, key: Key, layout: Layout): Access {
  const { column, shape } = layout;
  if (key === 'length') return plain('count');
  if (column.kind !== 'column' || key === undefined) return plain('boolean');
  if (typeof key === 'number') return shape.arrayRows ? accessCell(row, key, column.index, layout) : plain('unknown');
  if (isSameName(key, column.name)) return plain('boolean');
  if (shape.arrayRows) return 'read';
  if (layout.otherColumns?.some((name) => isSameName(key, name))) return 'nothing';
  return layout.otherColumns && row.sure ? 'absent' : plain('unknown');
}

function accessCell(row: Plain, index: number, wanted: number, layout: Layout): Access {
  if (index === wanted) return plain('boolean');
  if (!layout.otherColumns || !row.sure) return plain('unknown');
  return index <= layout.otherColumns.length ? 'nothing' : 'absent';
}

/** Drivers may turn `is_locked` into `isLocked`. */
export const isSameName = (one: string, other: string): boolean => fold(one) === fold(other);

const fold = (name: string): string => name.replaceAll('_', '').toLowerCase();
