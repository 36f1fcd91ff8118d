import type { TypeFacts, TypeName } from './types.js';

/** A type as a file writes it: what is known of it without a checker. */
export interface Written extends TypeFacts {
  /** Whether all of its members are in view: not so for a type of a package, of which only the name is. */
  readonly isWhole: boolean;
  readonly isPromise: boolean;
  property(name: string): Written | undefined;
  awaited(): Written;
  /** Without `null` and `undefined`. */
  present(): Written;
  orMissing(isMissing: boolean): Written;
  /** What a function gives. */
  returns?(): Written | undefined;
}

interface Parts {
  readonly names?: () => readonly TypeName[];
  readonly isWhole?: boolean;
  readonly has?: readonly string[];
  readonly isArray?: boolean;
  readonly isAny?: boolean;
  readonly isBigint?: boolean;
  readonly isNumeric?: boolean;
  readonly isThenable?: boolean;
  readonly literal?: TypeFacts['literal'];
  readonly nullable?: boolean;
  readonly isPromise?: boolean;
  readonly alternatives?: readonly Written[];
  property(name: string): Written | undefined;
  awaited?(): Written;
  returns?(): Written | undefined;
}

export function objectOf(parts: Parts): Written {
  const { isAny = false, isWhole = false, nullable = false, has = [], isPromise = false } = parts;
  const made: Written = {
    isAny, isNever: false, isUnknown: isAny, isIndexed: false, nullable, literal: parts.literal, isWhole, isNameOnly: !isWhole, isPromise,
    isNumeric: parts.isNumeric ?? false, isBigint: parts.isBigint ?? false, isArray: parts.isArray ?? false, typeArguments: [],
    get alternatives() { return parts.alternatives ?? [made]; },
    get names() { return parts.names?.() ?? []; },
    property: (name) => parts.property(name),
    hasMember: (name) => has.includes(name) || parts.property(name) !== undefined,
    awaited: () => parts.awaited?.() ?? made,
    isAwaitable: isAny || isPromise,
    present: () => (nullable ? objectOf({ ...parts, nullable: false }) : made),
    orMissing: (isMissing) => (isMissing && !nullable ? objectOf({ ...parts, nullable: true }) : made),
    ...(parts.returns ? { returns: () => parts.returns?.() } : {}),
  };
  return made;
}

const plain = (parts: Partial<Parts>): Written => objectOf({ isWhole: true, property: () => undefined, ...parts });

export const number = plain({ isNumeric: true });
export const bigint = plain({ isNumeric: true, isBigint: true });
export const text = plain({});
export const any = plain({ isAny: true });
export const nothing = plain({ nullable: true, alternatives: [] });
export const literal = (value: NonNullable<TypeFacts['literal']>): Written => plain({ literal: value, isNumeric: typeof value === 'number' || typeof value === 'bigint', isBigint: typeof value === 'bigint' });

export const truth = plain({ alternatives: [literal(true), literal(false)] });

/** A promise of what is not known is a promise all the same. */
export const promiseOf = (inner: Written | undefined): Written => objectOf({ isPromise: true, property: () => undefined, awaited: () => inner ?? objectOf({ property: () => undefined }) });

export const arrayOf = (element: () => Written | undefined): Written => objectOf({ isArray: true, property: (name) => (/^\d+$/.test(name) ? element() : undefined) });

/** A type that a module exports, by its name. */
export function named(name: string, module: string): Written {
  const isOwn = /^[./#~]|^@\//.test(module);
  const [first = '', second = ''] = module.split('/');
  const names = [{ name, package: isOwn ? undefined : first.startsWith('@') ? `${first}/${second}` : first, file: module }];
  return objectOf({ names: () => names, property: () => undefined });
}

/** Alternatives that are told apart; a type of more is not known. */
const MOST_ALTERNATIVES = 1000;

/** Known only where each alternative is. */
export function unionOf(types: readonly (Written | undefined)[]): Written | undefined {
  const nullable = types.some((one) => one?.nullable);
  const present = types.filter((one) => one !== nothing);
  if (present.some((one) => one === undefined)) return undefined;
  const members = [...new Set((present as Written[]).map((one) => one.present()).flatMap((one) => one.alternatives as readonly Written[]))];
  if (members.length > MOST_ALTERNATIVES) return undefined;
  const [only, ...more] = members;
  if (!only) return nothing;
  if (more.length === 0) return only.orMissing(nullable);
  return objectOf({
    nullable, alternatives: members, isAny: members.some((one) => one.isAny), isNumeric: members.every((one) => one.isNumeric), isBigint: members.some((one) => one.isBigint),
    isPromise: members.some((one) => one.isPromise), isWhole: members.every((one) => one.isWhole),
    property: (name) => unionOf(members.map((one) => one.property(name))),
    awaited: () => unionOf(members.map((one) => one.awaited()))!,
  });
}

/** The parts that are known tell their names and members. */
export function intersectionOf(types: readonly (Written | undefined)[]): Written | undefined {
  const known = types.filter((one) => one !== undefined);
  return known.length === 0 ? undefined : objectOf({
    names: () => known.flatMap((one) => one.names), isWhole: known.length === types.length && known.every((one) => one.isWhole),
    property: (name) => known.map((one) => one.property(name)).find((one) => one !== undefined),
  });
}
