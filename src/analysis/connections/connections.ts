import type { TSESTree } from '@typescript-eslint/utils';
import { driverById, isDeriveName, isPropertyName, kindOf, saidOf, transactionPooler, type DeriveMember, type Driver, type HouseKind, type HouseRecord, type Making } from '../../drivers/index.js';
import { Arguments } from '../statements/arguments.js';
import { Asking } from '../values/asking.js';
import { Callers } from '../values/callers.js';
import { connectionsKept, isSteady } from './kept.js';
import { attachedAs, byRecord, byType, type ByType } from './handle-types.js';
import { isInjected } from '../values/injection.js';
import { makersOf, noMakers, type Makers } from '../values/makers.js';
import { makerOf, Makings, type Imported } from '../values/makings.js';
import type { Connection, ConnectionKind } from '../model.js';
import { isNullish, type Origin, type Place, type Step } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { parameterName } from '../values/origin-syntax.js';
import { disagreeing, disagreeingIn, passedBy, type PassedHandle } from './passing.js';
import { behindPooler, poolerIn } from './pooler.js';
import { isPinned, isWithoutSession } from './sessions.js';
import { shortSource, whereIs } from '../quoting.js';
import { isSwitching } from '../values/proxies.js';
import { Reservations, type Reservation } from './reservations.js';
import { classAround, is, isMember, memberName, staticName, unwrap, type FunctionNode } from '../syntax.js';

/** Which connection stands behind an expression: by its type, and by its origin where the type says too little. */

/** How many handles are followed one to the next, and how many in all for one that is asked for: what is more knotted proves nothing. */
const [MAX_NESTED, MAX_STEPS] = [150, 3000];

export class Connections {
  private readonly cache: WeakMap<TSESTree.Node, Connection>;
  private readonly asking = new Asking({ nested: MAX_NESTED, steps: MAX_STEPS });
  private readonly arguments: Arguments;
  private readonly callers: Callers;
  private readonly makings: Makings;

  readonly reservations: Reservations;

  constructor(private readonly origins: Origins) {
    this.reservations = new Reservations(origins, (place) => this.of(place));
    this.arguments = new Arguments(origins, (place) => this.of(place));
    this.callers = new Callers(origins);
    this.makings = new Makings(origins, this.arguments);
    this.cache = connectionsKept(origins.types);
  }

  of(asked: Place): Connection {
    const place = isSteady(asked) ? { node: asked.node, frame: undefined } : asked;
    const known = place.frame ? undefined : this.cache.get(place.node);
    if (known) return known;
    if (this.asking.isCut(place.node) || this.asking.isTooMuch()) return this.unknown(place.node);
    const question = this.asking.begin(place.node);
    const made = behindPooler(this.find(place), place.node, this.origins.house);
    // Where some of it was not followed, what the rest is proves nothing.
    const found = this.asking.isOver ? this.unknown(place.node) : made;
    if (this.asking.end(question) && !place.frame) this.cache.set(place.node, found);
    return found;
  }

  private find(place: Place): Connection {
    const type = this.typeAt(place.node);
    const origins = this.origins.of(place).filter((one) => !isNullish(one));
    const all = origins.map((one) => this.ofOrigin(one, place.node));
    // A parameter that no caller in view passes is what its default says.
    const found = all.filter((one, index) => all.length === 1 || one.kind !== 'unknown' || !this.isLeftOut(origins[index]!));
    if (found.some((one) => one.isOneOfSeveral)) return { ...this.unknown(place.node), driver: found[0]?.driver ?? type?.driver.id, isOneOfSeveral: true };
    const joined = found.length > 0 && found.every((one) => one.kind !== 'unknown') ? this.join(found, place.node) : undefined;
    if (joined?.isNamed) return joined;
    if (type?.isNamed) return { ...this.typed(type, place.node, found), isNamed: true };
    if (joined && type && type.driver.id !== joined.driver) return { ...joined, driver: type.driver.id };
    if (!type || type.kind === 'open') return joined ?? { ...this.unknown(place.node), driver: type?.driver.id, makers: allMakers(found), ...disagreeingIn(found) };
    if (type.takesRoot && joined) return { ...joined, driver: type.driver.id };
    if (type.kind === 'pooled' || type.kind === 'stateless') return joined && joined.kind !== 'unknown' ? joined : this.typed(type, place.node, found);
    // The type is sure that it is pinned; the origin may still tell which connection it is, and through what it goes.
    const agreeing = joined && isPinned(joined) ? joined : undefined;
    // One type may stand for a reserved connection, for a transaction on one, and for one of its own.
    if (agreeing && agreeing.kind !== 'reserved' && type.kind === 'reserved') return { ...agreeing, driver: type.driver.id };
    if (agreeing) return { ...agreeing, kind: type.kind, driver: type.driver.id, says: type.says };
    return joined?.pooler ? joined : this.typed(type, place.node, found);
  }

  /** Of a type that nothing checks, what is written. */
  private typeAt(node: TSESTree.Node): ByType | undefined {
    return byType(this.origins.types.declaredType(node)) ?? byRecord(this.origins.house.typeAt(node));
  }

  /** The connection of a call of a function that the settings name. */
  said(kind: HouseKind | 'unknown', node: TSESTree.Node): Connection {
    if (kind === 'unknown') return this.unknown(node);
    const says = saidOf(kind);
    const text = `\`${shortSource(node)}\` works on ${says}`;
    return behindPooler({ ...this.unknown(node), kind: kindOf(kind) as ConnectionKind, says, evidence: { text, where: undefined } }, node, this.origins.house);
  }

  private isLeftOut(origin: Origin): boolean {
    if (origin.kind !== 'parameter') return false;
    const { calls, passed } = this.callers.countsFor(origin);
    return calls > 0 && passed === 0 && !this.callers.isHandedOn(origin);
  }

  /** By the type alone. What the origins do know of makers is kept, though it is not all. */
  private typed({ kind, driver, says, over, joins, isDirect }: ByType, node: TSESTree.Node, found: readonly Connection[]): Connection {
    return {
      ...this.unknown(node), joins, isDirect: isDirect ?? false, kind: kind === 'open' ? 'unknown' : kind, driver: driver.id, says,
      evidence: { text: `\`${shortSource(node)}\` is ${says}`, where: undefined },
      makers: allMakers(found),
      over: over && this.typed(over, node, []),
    };
  }

  unknown(node: TSESTree.Node): Connection {
    return {
      kind: 'unknown', driver: undefined, evidence: { text: `\`${shortSource(node)}\``, where: undefined }, makers: noMakers, complete: false, made: undefined,
      pooler: undefined, isOneClient: false, size: undefined, expires: true, says: 'of unknown make', over: undefined,
    };
  }

  private join(found: readonly Connection[], node: TSESTree.Node): Connection {
    const [first, ...more] = found;
    if (!first) return this.unknown(node);
    const name = { ...first.evidence, text: `\`${shortSource(node)}\` is ${first.says}` };
    if (more.length === 0) return { ...first, evidence: name };
    const makers = allMakers(found);
    const merged = { ...first, makers, isDirect: found.every((one) => one.isDirect === true), isNamed: found.every((one) => one.isNamed === true), joins: found.every((one) => one.joins === first.joins) ? first.joins : undefined, joinsOf: found.find((one) => one.joinsOf !== undefined)?.joinsOf, made: more.every((one) => one.made === first.made) ? first.made : undefined, complete: found.every((one) => one.complete), evidence: name, size: more.every((one) => one.size === first.size) ? first.size : undefined };
    if (found.every((one) => one.kind === first.kind)) return merged;
    if (found.every(isPinned)) return { ...merged, kind: 'reserved' };
    if (found.every(isWithoutSession)) return { ...merged, kind: 'pooled' };
    return { ...this.unknown(node), driver: first.driver };
  }

  // ---- origins

  private ofOrigin(origin: Origin, use: TSESTree.Node): Connection {
    switch (origin.kind) {
      case 'value':
        return this.ofValue(origin, use);
      case 'member':
        return this.ofProperty(origin.object, origin.name, origin.node, use);
      case 'parameter':
        return this.ofParameter(origin, use);
      case 'import':
        return this.ofImport(origin, use);
      default:
        return this.byNodeType(origin.node, use);
    }
  }

  /** An export that is a handle itself. */
  private ofImport(origin: Imported, use: TSESTree.Node): Connection {
    const found = makerOf([origin], 'itself');
    const making = found?.maker.make([]);
    if (!found || !making || making.kind === 'open') return this.byNodeType(origin.node, use);
    return { ...this.unknown(use), kind: making.kind, driver: found.driver.id, says: making.says, evidence: { text: `\`${shortSource(use)}\` is ${making.says}`, where: undefined }, complete: true };
  }

  private byNodeType(node: TSESTree.Node, use: TSESTree.Node): Connection {
    const type = this.typeAt(node) ?? this.attached(node);
    const found = type?.injected && isInjected(node, type.injected, this.origins) ? { ...type, kind: type.injected.kind } : type;
    return found && found.kind !== 'open' ? this.typed(found, use, []) : this.unknown(use);
  }

  /** A property that a library puts on the values of another one, where no type tells of it. */
  private attached(node: TSESTree.Node): ByType | undefined {
    const member = unwrap(node);
    if (!isMember(member)) return undefined;
    const { object } = member;
    return attachedAs(memberName(member), this.origins.types.declaredType(object), () => this.makings.makersImported({ node: object, frame: undefined }));
  }

  private ofValue(origin: Origin & { kind: 'value' }, use: TSESTree.Node): Connection {
    const { node, frame } = origin;
    const named = this.origins.house.handleAt(node);
    if (named) return this.ofNamed(named, origin, use);
    if (is(node, 'ThisExpression')) return this.ofThis(node, origin, use);
    if (!is(node, 'CallExpression') && !is(node, 'NewExpression')) return this.unknown(use);
    if (isSwitching(origin, this.origins)) return { ...this.unknown(use), isOneOfSeveral: true };
    const made = this.makings.of(node, frame);
    if (made) return this.ofMaking(made.driver, made.making, origin, use);
    if (is(node, 'CallExpression') && isMember(node.callee)) {
      const reserved = this.reserved(node, node.callee, origin, use);
      if (reserved) return reserved;
    }
    const type = byType(this.origins.types.declaredType(node)?.awaited()) ?? byRecord(this.origins.house.typeAt(node));
    const makers = madeBy(origin);
    if (!type || type.kind === 'open') return { ...this.unknown(use), driver: type?.driver.id, makers };
    return { ...this.typed(type, use, []), makers, evidence: this.evidence(type.says, use, node) };
  }

  /** What the settings name: what they say of its connection, and of its methods what its type or its code tells where they do not. */
  private ofNamed({ handle, driver, type, isPlain }: HouseRecord, origin: Origin & { kind: 'value' }, use: TSESTree.Node): Connection {
    const { node, frame } = origin;
    const isWhole = handle.connection !== undefined && !isPlain;
    const known = isWhole ? undefined : this.join(this.origins.follow(node, frame, false).filter((one) => !isNullish(one) && one.node !== node).map((one) => this.ofOrigin(one, use)), use);
    const typed = isWhole ? undefined : byType(this.origins.types.typeOf(node)?.awaited());
    const isDirect = handle.isDirect || known?.isDirect === true;
    if (handle.connection === undefined) return { ...(known && known.kind !== 'unknown' ? known : typed && typed.kind !== 'open' ? { ...this.typed(typed, use, []), makers: madeBy(origin) } : known ?? this.unknown(use)), isDirect };
    const { kind, says } = type;
    return {
      ...this.unknown(use), kind: kind === 'open' || kind === 'single' ? 'unknown' : kind, driver: (isPlain ? typed?.driver.id ?? known?.driver : undefined) ?? driver.id, says,
      makers: madeBy(origin), evidence: this.evidence(says, use, node), isDirect, isNamed: true,
    };
  }

  /** Within a class of the user's own that extends one of a library's: its instances are made as that one's are. */
  private ofThis(node: TSESTree.ThisExpression, origin: Origin & { kind: 'value' }, use: TSESTree.Node): Connection {
    const owner = classAround(node);
    const base = owner && this.makings.importedBase(owner);
    const found = base && makerOf([base], 'new');
    const making = found?.maker.make([]);
    if (!owner || !making || making.kind === 'open') return this.byNodeType(node, use);
    // All code of the class speaks of one instance.
    return { ...this.ofMaking(found!.driver, making, origin, use), complete: false, made: undefined, makers: makersOf(owner), evidence: this.evidence(making.says, use, owner) };
  }

  private evidence(says: string, use: TSESTree.Node, made: TSESTree.Node): Connection['evidence'] {
    return { text: `\`${shortSource(use)}\` is ${says}`, where: whereIs(made) };
  }

  private ofMaking(driver: Driver, making: Making, origin: Origin & { kind: 'value' }, use: TSESTree.Node): Connection {
    const { node } = origin;
    const under = making.over ? this.of(Arguments.placeOf(making.over)) : undefined;
    if (making.over && under?.kind === 'unknown') {
      // A client that is not in view: the type of what is made may know it.
      const type = byType(this.origins.types.declaredType(node));
      return type && type.kind !== 'open' ? { ...this.typed(type, use, []), evidence: this.evidence(type.says, use, node) } : this.unknown(use);
    }
    const says = under ? `${making.says} over ${under.says}` : making.says;
    const made: Connection = {
      kind: under?.kind ?? (making.kind === 'open' ? 'unknown' : making.kind), driver: driver.id, says, evidence: this.evidence(says, use, node),
      makers: under?.makers ?? madeBy(origin), complete: under?.complete ?? true, made: under ? under.made : node, pooler: under?.pooler, isOneClient: under?.isOneClient ?? false, isDirect: under?.isDirect ?? false,
      size: under?.size ?? making.size, expires: under?.expires ?? making.expires ?? false, over: under,
      ...(making.varies ? (making.kind === 'pooled' ? { mayJoin: true } : { isOneOfSeveral: true }) : {}),
    };
    const own = making.client === undefined || under ? made : { ...made, over: { ...made, driver: making.client } };
    const why = making.url === undefined ? undefined : transactionPooler(making.url);
    if (why === undefined) return own;
    // Behind it even one client is no session: each statement may get another one.
    const text = `${says} behind a transaction-mode pooler (${why})`;
    return { ...own, kind: 'pooled', isOneClient: own.kind === 'single', says: text, evidence: this.evidence(text, use, node), pooler: { text: why, where: whereIs(node) } };
  }

  /** `pool.connect()`, `sql.reserve()`, and methods that give their own handle: `await client.connect()`. */
  private reserved(node: TSESTree.CallExpression, callee: TSESTree.MemberExpression, origin: Origin & { kind: 'value' }, use: TSESTree.Node): Connection | undefined {
    const name = memberName(callee) ?? '';
    const { frame } = origin;
    if (isDeriveName(name)) {
      const self = this.of({ node: callee.object, frame });
      const derive = driverById(self.driver)?.derives?.find((one) => one.name === name);
      if (derive?.gives && (self.kind === 'unknown' || derive.on.includes(self.kind))) return this.derived(derive.gives, self, origin, use);
      const given = derive?.through === undefined ? undefined : node.arguments[derive.through];
      if (given) return this.origins.types.declaredType(given)?.nullable ? this.unknown(use) : { ...this.of({ node: given, frame }), driver: self.driver };
      if (derive && !derive.gives && self.kind !== 'unknown' && derive.on.includes(self.kind)) return derive.driver === undefined ? self : { ...self, driver: derive.driver, joinsOf: self.joinsOf ?? self.driver };
    }
    const found = this.reservations.at(node, frame, (member) => member.returns);
    return found && this.pinned(found, node, madeBy(origin), use);
  }

  private derived({ kind, says, joins, driver, unless }: NonNullable<DeriveMember['gives']>, self: Connection, origin: Origin & { kind: 'value' }, use: TSESTree.Node): Connection {
    const [options] = (origin.node as TSESTree.CallExpression).arguments;
    const isAsked = unless !== undefined && options !== undefined && (!is(options, 'ObjectExpression') || options.properties.some((one) => !is(one, 'Property') || staticName(one.key, one.computed) === unless));
    if (isAsked) return { ...this.unknown(use), driver: self.driver };
    return { ...this.unknown(use), kind: kind === 'open' ? 'unknown' : kind, driver: driver ?? self.driver, says, joins, makers: madeBy(origin), evidence: this.evidence(says, use, origin.node) };
  }

  /** The driver whose transactions the calls on a connection may join. */
  joinedBy({ joinsOf, driver }: Connection): Driver | undefined {
    return driverById(joinsOf ?? driver);
  }

  /** Whether calls of a driver may join a transaction that is under way around them, whatever handle they are sent to. */
  isAmbient(driver: Driver | undefined): boolean {
    return driver !== undefined && (this.joinsCallbacks(driver) || (driver.ambient?.some((name) => this.origins.types.isMentionedAround(name)) ?? false));
  }

  /** Whether calls of a driver's root handle join the transaction of a callback around them by themselves. */
  joinsCallbacks({ joinsCallbacks: joins }: Driver): boolean {
    const { types } = this.origins;
    return joins !== undefined && types.isMentionedAround(joins.by) && !types.isMentionedAround(joins.unless);
  }

  /** A call of a root handle that joins the transaction of a callback around it. */
  joining(found: Reservation, call: TSESTree.Node, use: TSESTree.Node): Connection {
    const { says } = found.member;
    return { ...this.pinned(found, call, makersOf(call), use), evidence: { text: `\`${shortSource(use)}\` joins ${says}, that of the callback around the call`, where: whereIs(call) } };
  }

  /** A statement that is sent as a part of a batch. */
  inBatch(found: Reservation, use: TSESTree.Node): Connection {
    const { root } = found;
    return { ...this.pinned(found, root.node.parent ?? root.node, makersOf(root.node), use), evidence: { text: `\`${shortSource(use)}\` sends it as a part of ${found.member.says}`, where: undefined } };
  }

  private pinned({ member: { gives: kind, says, driver }, from }: Reservation, node: TSESTree.Node, makers: Makers, use: TSESTree.Node): Connection {
    // A transaction, or a task, on a connection that is kept already is on that one.
    const kept = isPinned(from) ? { makers: from.makers, complete: from.complete, made: from.made } : { makers, complete: true };
    const pinned: Connection = { ...this.unknown(use), isDirect: from.isDirect ?? false, kind, driver: driver ?? from.driver, says, evidence: this.evidence(says, use, node), ...kept };
    if (!from.pooler || kind === 'transaction') return pinned;
    const text = `${says}, ${poolerIn(from.pooler)}`;
    return { ...pinned, kind: 'pooled', isOneClient: true, says: text, evidence: this.evidence(text, use, node), pooler: from.pooler };
  }

  private ofProperty(object: Origin, name: string | number, node: TSESTree.Node, use: TSESTree.Node): Connection {
    const owner = this.ofOrigin(object, node);
    const isHandle = driverById(owner.driver)?.properties?.includes(String(name));
    if (!isHandle) return this.byNodeType(node, use);
    const under = owner.over ?? owner;
    if (under.kind === 'unknown') return this.byNodeType(node, use);
    return { ...under, evidence: { text: `\`${shortSource(use)}\` is ${under.says}`, where: owner.evidence.where } };
  }

  private ofParameter(origin: Origin & { kind: 'parameter' }, use: TSESTree.Node): Connection {
    const parameter = origin.callee.params[origin.index] ?? origin.node;
    if (this.asking.isCut(parameter)) return this.unknown(use);
    const question = this.asking.begin(parameter);
    const found = this.ofCallback(origin, use) ?? this.ofCallers(origin, use);
    this.asking.end(question);
    if (found.kind !== 'unknown') return this.isOfHook(origin, driverById(found.driver)) ? { ...this.unknown(use), isOneOfSeveral: true } : found;
    if (this.isOfHook(origin, driverById(this.byNodeType(origin.node, use).driver))) return { ...this.unknown(use), isOneOfSeveral: true };
    const byType = this.ofPartOfParameter(origin, use) ?? this.byNodeType(origin.node, use);
    // The same parameter is the same connection for as long as the function runs.
    return byType.kind === 'unknown' ? { ...found, makers: makersOf(origin.node) } : { ...byType, makers: makersOf(origin.node) };
  }

  /** Whether a parameter is, or is passed, that of a function which its library calls with handles of every kind. */
  private isOfHook({ callee, ...origin }: Origin & { kind: 'parameter' }, driver: Driver | undefined, depth = 0): boolean {
    if (!driver?.hooks || depth > 2) return false;
    const { parent } = callee;
    if (is(parent, 'Property') && driver.hooks.includes(staticName(parent.key, parent.computed) ?? '')) return true;
    const passed = this.callers.ofNamed({ ...origin, callee }).flatMap((place) => this.origins.of(place));
    return passed.some((one) => one.kind === 'parameter' && this.isOfHook(one, driver, depth + 1));
  }

  /** `source.manager` of a parameter `source`. */
  private ofPartOfParameter({ path, node, ...origin }: Origin & { kind: 'parameter' }, use: TSESTree.Node): Connection | undefined {
    const name = path.at(-1);
    if (name === undefined || !isPropertyName(String(name))) return undefined;
    const member = unwrap(node);
    const owner = path.length === 1 ? origin.callee.params[origin.index] : isMember(member) && memberName(member) === name ? member.object : undefined;
    return owner && this.ofProperty({ ...origin, path: path.slice(0, -1), node: parameterName(owner) }, name, node, use);
  }

  /** A parameter of the callback of `begin`, `transaction` or `connect`. */
  private ofCallback({ callee, index, path, node }: Origin & { kind: 'parameter' }, use: TSESTree.Node): Connection | undefined {
    const call = callee.parent;
    if (path.length > 0 || !is(call, 'CallExpression') || !call.arguments.includes(callee as never)) return undefined;
    const found = this.reservations.at(call, undefined, (member) => member.callbackParameter === index);
    if (found) return this.pinned(found, call, makersOf(node), use);
    // A function of the user's own that hands its callback on: `inTransaction(callback)` that returns `sql.begin(callback)`.
    const [last, ...more] = this.callers.runsOf(callee).handed;
    const handed = last && more.length === 0 && is(last.call, 'CallExpression') ? this.reservations.at(last.call, last.frame, (member) => member.callbackParameter === index) : undefined;
    return handed && handed.member.gives !== 'single' ? this.pinned(handed, last!.call, makersOf(node), use) : undefined;
  }

  /** What the callers in view pass: proof where they agree. */
  private ofCallers(origin: Origin & { kind: 'parameter' }, use: TSESTree.Node): Connection {
    const handed = this.agreed(this.callers.ofCallback(origin), origin, use);
    if (handed) return handed;
    const places = this.callers.ofNamed(origin);
    const passed = this.agreed(places, origin, use);
    if (!passed || passed.kind === 'unknown' || this.callers.isHandedOn(origin)) return { ...this.unknown(use), ...disagreeing(this.handlesPassed(places, origin, use)) };
    // Each call may pass another connection: the parameter is one of them.
    if (isPinned(passed)) return { ...passed, makers: makersOf(origin.node), complete: false };
    const by = passedBy(this.handlesPassed(places, origin, use), isWithoutSession);
    return by ? { ...passed, evidence: { ...passed.evidence, passed: by } } : passed;
  }

  private handlesPassed(passed: readonly Place[], { path }: Origin & { kind: 'parameter' }, use: TSESTree.Node): PassedHandle[] {
    return passed.flatMap((place) => (path.length === 0 ? [this.of(place)] : this.ofPart(place, path, use)).map((found) => ({ place, found })));
  }

  private agreed(passed: readonly Place[], origin: Origin & { kind: 'parameter' }, use: TSESTree.Node): Connection | undefined {
    const all = this.handlesPassed(passed, origin, use).map(({ found }) => found);
    const known = all.filter((one) => one.kind !== 'unknown');
    const isSure = known.length > 0 && (known.length === all.length || known.every(isWithoutSession));
    return isSure ? this.join(known, use) : undefined;
  }

  /** A part of an argument, for a parameter that is taken apart; a property that is left out is nobody's connection. */
  private ofPart(place: Place, path: readonly Step[], use: TSESTree.Node): Connection[] {
    const parts = this.origins.project(this.origins.of(place), path, place.frame, place.node);
    return parts.filter((one) => !isNullish(one) && !(one.kind === 'member' && is(one.object.node, 'ObjectExpression'))).map((one) => this.ofOrigin(one, use));
  }
}

/** A connection that a called function makes belongs to the call that asked for it; one that is kept, to the code that makes it. */
function madeBy({ node, frame, isKept }: Origin & { kind: 'value' }): Makers {
  let at = isKept ? undefined : frame;
  while (at?.caller) at = at.caller;
  return makersOf(node, at && isInside(node, at) ? at.call : undefined);
}

const allMakers = (found: readonly Connection[]): Makers => new Set(found.flatMap((one) => [...one.makers]));

const isInside = (node: TSESTree.Node, { callee }: { callee: FunctionNode }): boolean => {
  for (let at: TSESTree.Node | undefined = node; at; at = at.parent) if (at === callee) return true;
  return false;
};
