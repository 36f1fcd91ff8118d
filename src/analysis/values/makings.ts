import type { TSESTree } from '@typescript-eslint/utils';
import { makerNamed, type Driver, type Maker, type Making } from '../../drivers/index.js';
import type { Arguments } from '../statements/arguments.js';
import type { Frame, Origin, Place } from './origin.js';
import type { Origins } from './origins.js';
import { is, isClass } from '../syntax.js';

/** What a package exports. */
export type Imported = Origin & { kind: 'import' };

/** The maker of a driver that one of these imports is. */
export function makerOf(imports: readonly Imported[], called: Maker['called']): { driver: Driver; maker: Maker } | undefined {
  for (const { module, path } of imports) {
    const found = makerNamed(module, path, called);
    if (found) return found;
  }
  return undefined;
}

/** Calls that make a handle. */
export class Makings {
  constructor(private readonly origins: Origins, private readonly args: Arguments) {}

  /** `new Pool(...)`, `postgres(...)`, `drizzle(...)`, and `new` of a user's class that extends one. */
  of(node: TSESTree.CallExpression | TSESTree.NewExpression, frame: Frame | undefined): { driver: Driver; making: Making } | undefined {
    const called = is(node, 'NewExpression') ? 'new' : 'call';
    for (const origin of this.origins.of({ node: node.callee, frame })) {
      // `pgPromise()(url)`: what a first call gives is called.
      const first = origin.kind === 'value' && is(origin.node, 'CallExpression') ? this.importsOf({ node: origin.node.callee, frame: origin.frame }) : [];
      const found = first.length > 0 ? makerOf(first, 'twice') : makerOf(this.importsOfOrigin(origin), called);
      if (!found) continue;
      // A subclass may pass anything on to its base.
      const args = origin.kind === 'value' && isClass(origin.node) ? [] : node.arguments;
      const making = found.maker.make(args.map((one) => this.args.of({ node: one, frame })));
      if (making) return { driver: found.driver, making };
    }
    return undefined;
  }

  /** What packages export whose call makes a value. */
  makersImported(place: Place): Imported[] {
    return this.origins.of(place).flatMap((one) => (one.kind === 'value' && is(one.node, 'CallExpression') ? this.importsOf({ node: one.node.callee, frame: one.frame }) : []));
  }

  private importsOf(place: Place): Imported[] {
    return this.origins.of(place).flatMap((one) => this.importsOfOrigin(one));
  }

  private importsOfOrigin(origin: Origin): Imported[] {
    const found = origin.kind === 'import' ? origin : origin.kind === 'value' && isClass(origin.node) ? this.importedBase(origin.node) : undefined;
    return found ? [found] : [];
  }

  importedBase(owner: TSESTree.ClassDeclaration | TSESTree.ClassExpression, passed: ReadonlySet<TSESTree.Node> = new Set()): Imported | undefined {
    for (const base of owner.superClass ? this.origins.of({ node: owner.superClass, frame: undefined }) : []) {
      if (base.kind === 'import') return base;
      if (base.kind === 'value' && isClass(base.node) && base.node !== owner && !passed.has(base.node)) return this.importedBase(base.node, new Set([...passed, owner]));
    }
    return undefined;
  }
}
