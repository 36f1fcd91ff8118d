import { drivers, houseRecords, type Driver, type HandleKind, type HandleType, type HouseRecord } from '../../drivers/index.js';
import type { TypeFacts, TypeName } from '../../types/index.js';
import { isNamed as isNamedBy } from '../helpers/named.js';

/** What a type alone tells of a handle. */
export interface ByType {
  readonly driver: Driver;
  readonly kind: HandleKind;
  readonly says: string;
  /** The handle below: drizzle's `$client`. */
  readonly over: ByType | undefined;
  /** A root handle can be passed for it: an origin that is in view knows better. */
  readonly takesRoot: boolean;
  /** What it is where a container injects it. */
  readonly injected?: HandleType['injected'] | undefined;
  readonly joins?: HandleType['joins'] | undefined;
  /** The settings name the type, and are right whatever the code looks like. */
  readonly isNamed?: boolean;
  /** They say that it does not go through the pooler. */
  readonly isDirect?: boolean;
}

const PINNED: ReadonlySet<HandleKind> = new Set(['reserved', 'transaction', 'single']);

export function byType(facts: TypeFacts | undefined): ByType | undefined {
  if (!facts || facts.isAny) return undefined;
  const each = facts.alternatives.map((one) => byOneType(one));
  const [first] = each;
  if (!first || each.some((one) => one === undefined)) return undefined;
  const kinds = new Set(each.map((one) => one!.kind));
  if (kinds.size === 1) return first;
  return [...kinds].every((kind) => PINNED.has(kind)) ? { ...first, kind: 'reserved' } : { ...first, kind: 'open' };
}

/** What a property is that a library puts on the values of another one, by the type of the value, or by what makes it. */
export function attachedAs(name: string | undefined, facts: TypeFacts | undefined, madeBy: () => readonly { readonly module: string }[]): ByType | undefined {
  for (const driver of drivers) {
    const found = driver.attached?.find((one) => one.property === name);
    if (!found) continue;
    const isTyped = facts?.names.some((one) => one.name === found.type && one.package === found.package);
    if (isTyped || madeBy().some(({ module }) => module === found.package)) return { driver, kind: found.kind, says: found.says, over: undefined, takesRoot: false };
  }
  return undefined;
}

/** What the settings say of a type; `undefined` where they leave the connection to the code. */
export const byRecord = (record: HouseRecord | undefined): ByType | undefined =>
  record?.handle.connection === undefined ? undefined : { driver: record.driver, kind: record.type.kind, says: record.type.says, over: undefined, takesRoot: false, isNamed: true, isDirect: record.handle.isDirect };

/** The driver whose handle a type is. */
export const driverOfType = (facts: TypeFacts | undefined): Driver | undefined => (!facts || facts.isAny ? undefined : findType(facts)?.driver);

function byOneType(facts: TypeFacts): ByType | undefined {
  const found = findType(facts);
  if (!found) return undefined;
  const { driver, isNamed: isHouse, isDirect, type: { kind, says, over, takesRoot = false, injected, joins } } = found;
  const under = over === undefined ? undefined : byType(facts.property(over));
  return under ? { driver, kind: under.kind, says: `${says} over ${under.says}`, over: under, takesRoot } : { driver, kind, says, over: undefined, takesRoot, injected, joins, ...(isHouse ? { isNamed: true, isDirect: isDirect ?? false } : {}) };
}

interface Found {
  readonly driver: Driver;
  readonly type: HandleType;
  readonly isNamed?: boolean;
  readonly isDirect?: boolean;
}

/**
 * The settings come first, except where a library has a name for a type that is derived from the one they name. Of a type of theirs
 * that says nothing of its methods, a library may know them.
 */
function findType(facts: TypeFacts): Found | undefined {
  const named = houseRecords().find(({ handle }) => handle.by === 'type' && handle.connection !== undefined && isNamedBy(handle.named, facts.names));
  const found = findOwn(facts);
  const isDerived = named && found && placeIn(facts, (one) => one.name === found.type.name) < placeIn(facts, (one) => isNamedBy(named.handle.named, [one]));
  if (isDerived) return found;
  return named ? { driver: (named.isPlain ? found?.driver : undefined) ?? named.driver, type: named.type, isNamed: true, isDirect: named.handle.isDirect } : found;
}

/** How far a name is from the type itself; a type is known by others, too, if not by its name. */
function placeIn({ names }: TypeFacts, isIt: (name: TypeName) => boolean): number {
  const index = names.findIndex(isIt);
  return index < 0 ? names.length : index;
}

function findOwn(facts: TypeFacts): Found | undefined {
  for (const driver of drivers) {
    const type = driver.types.find((one) => isNamed(facts, one, driver) && hasMembers(facts, one));
    if (type) return { driver, type };
  }
  return undefined;
}

/** A type that its members tell may be declared anywhere. */
const isNamed = (facts: TypeFacts, { name, members }: HandleType, { packages, generated }: Driver): boolean =>
  name === undefined || facts.names.some((one) => one.name === name && (one.package === undefined ? members !== undefined && (!facts.isNameOnly || generated?.test(one.file) === true) : packages.includes(one.package) || (members !== undefined && !facts.isNameOnly)));

/** Of a type in a package that nobody has read, the name must do. */
const hasMembers = (facts: TypeFacts, { name, members }: HandleType): boolean =>
  !members || (facts.isNameOnly === true ? name !== undefined : members.has.every((one) => facts.hasMember(one)) && !members.lacks?.some((one) => facts.hasMember(one)));
