import type { TSESTree } from '@typescript-eslint/utils';
import { basename } from 'node:path';
import { driverById, drivers, transactionPooler, type Driver, type HandleKind, type HandleType, type Making } from '../drivers/index.js';
import { sourceOf, treeOf, type TypeFacts } from '../types/index.js';
import { Arguments } from './arguments.js';
import { Callers } from './callers.js';
import { makersOf, noMakers, type Makers } from './makers.js';
import type { Connection, ConnectionKind, Where } from './model.js';
import { isNullish, type Frame, type Origin, type Place, type Step } from './origin.js';
import type { Origins } from './origins.js';
import { is, isClass, isFunction, isMember, memberName, unwrap, type FunctionNode } from './syntax.js';

/** Which connection stands behind an expression: by its type, and by its origin where the type says too little. */

interface ByType {
  readonly driver: Driver;
  readonly kind: HandleKind;
  readonly says: string;
  readonly over: ByType | undefined;
}

const PINNED = new Set<ConnectionKind>(['reserved', 'transaction', 'single']);
export const isPinned = (connection: Connection): boolean => PINNED.has(connection.kind);
export const isWithoutSession = (connection: Connection): boolean => connection.kind === 'pooled' || connection.kind === 'stateless';

export class Connections {
  private readonly cache = new WeakMap<TSESTree.Node, Connection>();
  private readonly busy = new Set<TSESTree.Node>();
  private readonly arguments: Arguments;
  private readonly callers: Callers;

  constructor(private readonly origins: Origins) {
    this.arguments = new Arguments(origins, (place) => this.of(place));
    this.callers = new Callers(origins);
  }

  of(place: Place): Connection {
    const known = place.frame ? undefined : this.cache.get(place.node);
    if (known) return known;
    if (this.busy.has(place.node)) return this.unknown(place.node);
    this.busy.add(place.node);
    const found = this.find(place);
    this.busy.delete(place.node);
    if (!place.frame && this.busy.size === 0) this.cache.set(place.node, found);
    return found;
  }

  private find(place: Place): Connection {
    const byType = this.byType(this.origins.types.typeOf(place.node));
    const origins = this.origins.of(place).filter((one) => !isNullish(one));
    const all = origins.map((one) => this.ofOrigin(one, place.node));
    // A parameter that no caller in view passes is what its default says.
    const found = all.filter((one, index) => all.length === 1 || one.kind !== 'unknown' || !this.isLeftOut(origins[index]!));
    const joined = found.length > 0 && found.every((one) => one.kind !== 'unknown') ? this.join(found, place.node) : undefined;
    if (joined && byType && byType.driver.id !== joined.driver) return { ...joined, driver: byType.driver.id };
    if (!byType || byType.kind === 'open') return joined ?? { ...this.unknown(place.node), driver: byType?.driver.id, makers: allMakers(found) };
    if (byType.kind === 'pooled' || byType.kind === 'stateless') return joined && joined.kind !== 'unknown' ? joined : this.typed(byType, place.node, found);
    // The type is sure that it is pinned; the origin may still tell which connection it is, and through what it goes.
    const agreeing = joined && isPinned(joined) ? joined : undefined;
    if (agreeing) return { ...agreeing, kind: byType.kind, driver: byType.driver.id, says: byType.says };
    return joined?.pooler ? joined : this.typed(byType, place.node, found);
  }

  private isLeftOut(origin: Origin): boolean {
    if (origin.kind !== 'parameter') return false;
    const { calls, passed } = this.callers.countsFor(origin);
    return calls > 0 && passed === 0 && !this.callers.isHandedOn(origin);
  }

  /** By the type alone. What the origins do know of makers is kept, though it is not all. */
  private typed({ kind, driver, says, over }: ByType, node: TSESTree.Node, found: readonly Connection[]): Connection {
    return {
      ...this.unknown(node), kind: kind === 'open' ? 'unknown' : kind, driver: driver.id, says,
      evidence: { text: `\`${shortSource(node)}\` is ${says}`, where: undefined },
      makers: allMakers(found),
      over: over && this.typed(over, node, []),
    };
  }

  private unknown(node: TSESTree.Node): Connection {
    return {
      kind: 'unknown', driver: undefined, evidence: { text: `\`${shortSource(node)}\``, where: undefined }, makers: noMakers, complete: false, made: undefined,
      pooler: undefined, isOneClient: false, size: undefined, expires: true, says: 'of unknown make', over: undefined,
    };
  }

  private join(found: readonly Connection[], node: TSESTree.Node): Connection {
    const [first, ...more] = found;
    if (!first) return this.unknown(node);
    const name = { text: `\`${shortSource(node)}\` is ${first.says}`, where: first.evidence.where };
    if (more.length === 0) return { ...first, evidence: name };
    const makers = allMakers(found);
    const merged = { ...first, makers, made: more.every((one) => one.made === first.made) ? first.made : undefined, complete: found.every((one) => one.complete), evidence: name, size: more.every((one) => one.size === first.size) ? first.size : undefined };
    if (found.every((one) => one.kind === first.kind)) return merged;
    if (found.every(isPinned)) return { ...merged, kind: 'reserved' };
    if (found.every(isWithoutSession)) return { ...merged, kind: 'pooled' };
    return { ...this.unknown(node), driver: first.driver };
  }

  // ---- types

  private byType(facts: TypeFacts | undefined): ByType | undefined {
    if (!facts || facts.isAny) return undefined;
    const each = facts.alternatives.map((one) => this.byOneType(one));
    const [first] = each;
    if (!first || each.some((one) => one === undefined)) return undefined;
    const kinds = new Set(each.map((one) => one!.kind));
    if (kinds.size === 1) return first;
    const isAllPinned = [...kinds].every((kind) => PINNED.has(kind as ConnectionKind));
    return isAllPinned ? { ...first, kind: 'reserved' } : { ...first, kind: 'open' };
  }

  private byOneType(facts: TypeFacts): ByType | undefined {
    for (const driver of drivers) {
      const type = driver.types.find((one) => facts.names.some(({ name, package: from }) => name === one.name && from !== undefined && driver.packages.includes(from)));
      if (type) return this.overType(driver, type, facts);
    }
    return undefined;
  }

  private overType(driver: Driver, { kind, says, over }: HandleType, facts: TypeFacts): ByType {
    const under = over === undefined ? undefined : this.byType(facts.property(over));
    if (!under) return { driver, kind, says, over: undefined };
    return { driver, kind: under.kind, says: `${says} over ${under.says}`, over: under };
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
      default:
        return this.byNodeType(origin.node, use);
    }
  }

  private byNodeType(node: TSESTree.Node, use: TSESTree.Node): Connection {
    const byType = this.byType(this.origins.types.typeOf(node));
    return byType && byType.kind !== 'open' ? this.typed(byType, use, []) : this.unknown(use);
  }

  private ofValue(origin: Origin & { kind: 'value' }, use: TSESTree.Node): Connection {
    const { node, frame } = origin;
    if (!is(node, 'CallExpression') && !is(node, 'NewExpression')) return this.unknown(use);
    const made = this.making(node, frame);
    if (made) return this.ofMaking(made.driver, made.making, origin, use);
    if (is(node, 'CallExpression') && isMember(node.callee)) {
      const reserved = this.reserved(node, node.callee, origin, use);
      if (reserved) return reserved;
    }
    const byType = this.byType(this.origins.types.typeOf(node)?.awaited());
    const makers = madeBy(origin);
    if (!byType || byType.kind === 'open') return { ...this.unknown(use), driver: byType?.driver.id, makers };
    return { ...this.typed(byType, use, []), makers, evidence: this.evidence(byType.says, use, node) };
  }

  private evidence(says: string, use: TSESTree.Node, made: TSESTree.Node): Connection['evidence'] {
    return { text: `\`${shortSource(use)}\` is ${says}`, where: whereIs(made) };
  }

  /** `new Pool(...)`, `postgres(...)`, `drizzle(...)`, and `new` of a user's class that extends one. */
  private making(node: TSESTree.CallExpression | TSESTree.NewExpression, frame: Frame | undefined): { driver: Driver; making: Making } | undefined {
    const called = is(node, 'NewExpression') ? 'new' : 'call';
    for (const origin of this.origins.of({ node: node.callee, frame })) {
      const imported = origin.kind === 'import' ? origin : origin.kind === 'value' && isClass(origin.node) ? this.importedBase(origin.node) : undefined;
      if (!imported) continue;
      const { module, path } = imported;
      const name = path.filter((one) => one !== 'default').at(-1) ?? 'default';
      for (const driver of drivers) {
        const maker = driver.makers.find((one) => one.name === name && one.modules.includes(module) && (one.called === called || one.called === 'call'));
        if (!maker) continue;
        // A subclass may pass anything on to its base.
        const args = origin.kind === 'import' ? node.arguments : [];
        return { driver, making: maker.make(args.map((one) => this.arguments.of({ node: one, frame }))) };
      }
    }
    return undefined;
  }

  private importedBase(owner: TSESTree.ClassDeclaration | TSESTree.ClassExpression): (Origin & { kind: 'import' }) | undefined {
    for (const base of owner.superClass ? this.origins.of({ node: owner.superClass, frame: undefined }) : []) {
      if (base.kind === 'import') return base;
      if (base.kind === 'value' && isClass(base.node) && base.node !== owner) return this.importedBase(base.node);
    }
    return undefined;
  }

  private ofMaking(driver: Driver, making: Making, origin: Origin & { kind: 'value' }, use: TSESTree.Node): Connection {
    const { node } = origin;
    const under = making.over ? this.of(Arguments.placeOf(making.over)) : undefined;
    if (making.over && under?.kind === 'unknown') {
      // A client that is not in view: the type of what is made may know it.
      const byType = this.byType(this.origins.types.typeOf(node));
      return byType && byType.kind !== 'open' ? { ...this.typed(byType, use, []), evidence: this.evidence(byType.says, use, node) } : this.unknown(use);
    }
    const says = under ? `${making.says} over ${under.says}` : making.says;
    const made: Connection = {
      kind: under?.kind ?? (making.kind === 'open' ? 'unknown' : making.kind), driver: driver.id, says, evidence: this.evidence(says, use, node),
      makers: under?.makers ?? madeBy(origin), complete: under?.complete ?? true, made: under ? under.made : node, pooler: under?.pooler, isOneClient: under?.isOneClient ?? false,
      size: under?.size ?? making.size, expires: under?.expires ?? making.expires ?? false, over: under,
    };
    const own = making.client === undefined || under ? made : { ...made, over: { ...made, driver: making.client } };
    const why = making.url === undefined ? undefined : transactionPooler(making.url);
    if (why === undefined) return own;
    // Behind it even one client is no session: each statement may get another one.
    const text = `${says} behind a transaction-mode pooler (${why})`;
    return { ...own, kind: 'pooled', isOneClient: own.kind === 'single', says: text, evidence: this.evidence(text, use, node), pooler: { text: why, where: whereIs(node) } };
  }

  /** `pool.connect()`, `sql.reserve()`. */
  private reserved(node: TSESTree.CallExpression, callee: TSESTree.MemberExpression, origin: Origin & { kind: 'value' }, use: TSESTree.Node): Connection | undefined {
    const name = memberName(callee);
    const { frame } = origin;
    if (drivers.some((driver) => driver.fluent?.includes(name ?? ''))) {
      const self = this.of({ node: callee.object, frame });
      if (self.kind === 'single' && driverById(self.driver)?.fluent?.includes(name ?? '')) return self;
    }
    if (!drivers.some((driver) => driver.reserves.some((one) => one.name === name))) return undefined;
    const from = this.of({ node: callee.object, frame });
    const member = driverById(from.driver)?.reserves.find((one) => one.name === name && one.returns && (from.kind === 'unknown' ? one.on.includes('open') || one.on.includes('pooled') : one.on.includes(from.kind)));
    if (!member) return undefined;
    return this.pinned(member.gives, member.says, from, node, madeBy(origin), use);
  }

  private pinned(kind: 'reserved' | 'transaction', says: string, from: Connection, node: TSESTree.Node, makers: Makers, use: TSESTree.Node): Connection {
    const pinned: Connection = { ...this.unknown(use), kind, driver: from.driver, says, evidence: this.evidence(says, use, node), makers, complete: true };
    if (!from.pooler || kind === 'transaction') return pinned;
    const text = `${says}, behind a transaction-mode pooler (${from.pooler.text})`;
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
    if (this.busy.has(parameter)) return this.unknown(use);
    this.busy.add(parameter);
    const found = this.ofCallback(origin, use) ?? this.ofCallers(origin, use);
    this.busy.delete(parameter);
    if (found.kind !== 'unknown') return found;
    const byType = this.byNodeType(origin.node, use);
    // The same parameter is the same connection for as long as the function runs.
    return byType.kind === 'unknown' ? { ...found, makers: makersOf(origin.node) } : { ...byType, makers: makersOf(origin.node) };
  }

  /** A parameter of the callback of `begin`, `transaction` or `connect`. */
  private ofCallback({ callee, index, path, node }: Origin & { kind: 'parameter' }, use: TSESTree.Node): Connection | undefined {
    const call = callee.parent;
    if (path.length > 0 || !is(call, 'CallExpression') || !call.arguments.includes(callee as never) || !isMember(call.callee)) return undefined;
    const name = memberName(call.callee);
    if (!drivers.some((driver) => driver.reserves.some((one) => one.name === name))) return undefined;
    const from = this.of({ node: call.callee.object, frame: undefined });
    const member = driverById(from.driver)?.reserves.find((one) => one.name === name && one.callbackParameter === index);
    return member && this.pinned(member.gives, member.says, from, call, makersOf(node), use);
  }

  /** What the callers in view pass: proof where they agree. */
  private ofCallers(origin: Origin & { kind: 'parameter' }, use: TSESTree.Node): Connection {
    const handed = this.agreed(this.callers.ofCallback(origin), origin, use);
    if (handed) return handed;
    const passed = this.agreed(this.callers.ofNamed(origin), origin, use);
    if (!passed || this.callers.isHandedOn(origin)) return this.unknown(use);
    // Each call may pass another connection: the parameter is one of them.
    return isPinned(passed) ? { ...passed, makers: makersOf(origin.node), complete: false } : passed;
  }

  private agreed(passed: readonly Place[], { path }: Origin & { kind: 'parameter' }, use: TSESTree.Node): Connection | undefined {
    const all = passed.flatMap((place) => (path.length === 0 ? [this.of(place)] : this.ofPart(place, path, use)));
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

/** An expression as a message shows it: on one line, not too long. */
export function shortSource(node: TSESTree.Node): string {
  const at = unwrap(node);
  const text = sourceOf(isFunction(at) ? node : at).replace(/\s+/g, ' ');
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
}

export const whereIs = (node: TSESTree.Node): Where => ({ file: basename(treeOf(node).fileName), line: node.loc.start.line });
