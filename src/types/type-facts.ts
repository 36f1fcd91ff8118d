import type ts from 'typescript';
import type { TypeFacts, TypeName } from './types.js';
import { typescript, type TypeScript } from './typescript.js';
import { installedName } from './declared.js';
import { unlessTooDeep } from './unless-deep.js';

/** `node_modules/.pnpm/pg@8/node_modules/@types/pg/index.d.ts` is `pg` and `index.d.ts`; a package under an alias has the name that it gives itself. */
export function packageOf(fileName: string): { package: string | undefined; file: string } {
  const marker = '/node_modules/';
  const at = fileName.lastIndexOf(marker);
  if (at < 0) return { package: undefined, file: fileName };
  const [first = '', second = '', ...rest] = fileName.slice(at + marker.length).split('/');
  const within = fileName.slice(0, at + marker.length);
  if (!first.startsWith('@')) return { package: installedName(within + first) ?? first, file: [second, ...rest].join('/') };
  const file = rest.join('/');
  if (first !== '@types') return { package: installedName(`${within}${first}/${second}`) ?? `${first}/${second}`, file };
  // `@types/scope__name` declares `@scope/name`.
  return { package: second.includes('__') ? `@${second.replace('__', '/')}` : second, file };
}

/** A default export goes by the name that it has in its own file. */
function nameOf(symbol: ts.Symbol, api: TypeScript): string {
  const declared = symbol.name === 'default' && symbol.declarations?.[0] ? api.getNameOfDeclaration(symbol.declarations[0]) : undefined;
  return declared && api.isIdentifier(declared) ? declared.text : symbol.name;
}

/** Facts of one program's types; asked lazily, since most questions are about the names alone. */
export class TypeFactsMaker {
  private readonly cache = new Map<ts.Type, TypeFacts>();

  constructor(private readonly ts: TypeScript, private readonly checker: ts.TypeChecker) {}

  static for(checker: ts.TypeChecker): TypeFactsMaker | undefined {
    const api = typescript();
    return api && new TypeFactsMaker(api, checker);
  }

  of(type: ts.Type): TypeFacts {
    const known = this.cache.get(type);
    if (known) return known;
    const facts = this.make(type);
    this.cache.set(type, facts);
    return facts;
  }

  private make(declared: ts.Type): TypeFacts {
    const { ts, checker } = this;
    const type = checker.getNonNullableType(declared);
    const constraint = type.flags & ts.TypeFlags.TypeParameter ? checker.getBaseConstraintOfType(type) : undefined;
    const seen = constraint ?? type;
    const members = seen.isUnion() ? seen.types : undefined;
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the accessors below have a `this` of their own
    const maker = this;
    const lazy = <T>(make: () => T, unknown: T): (() => T) => {
      let value: { made: T } | undefined;
      return () => (value ??= { made: unlessTooDeep(make) ?? unknown }).made;
    };
    const names = lazy(() => maker.namesOf(seen), []);
    const alternatives = lazy((): TypeFacts[] => members?.map((one) => maker.of(one)) ?? [facts], []);
    const typeArguments = lazy(() => maker.argumentsOf(seen).map((one) => maker.of(one)), []);
    const isIndexed = lazy(() => ((checker.getIndexInfoOfType(seen, ts.IndexKind.String)?.type.flags ?? 0) & ts.TypeFlags.Any) !== 0, false);
    const isArray = lazy(() => checker.isArrayLikeType(seen), false);
    const isAwaitable = lazy(() => facts.isAny || (members ?? [seen]).some((one) => one.getProperty('then') !== undefined), false);
    const facts: TypeFacts = {
      isAny: (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0,
      isUnknown: (type.flags & ts.TypeFlags.Unknown) !== 0,
      isNever: (declared.flags & ts.TypeFlags.Never) !== 0,
      nullable: type !== declared && (declared.flags & ts.TypeFlags.Unknown) === 0,
      get isIndexed() { return isIndexed(); },
      get alternatives() { return alternatives(); },
      get names() { return names(); },
      get typeArguments() { return typeArguments(); },
      literal: this.literalOf(seen),
      isNumeric: (seen.flags & (ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike)) !== 0,
      isBigint: (members ?? [seen]).some((one) => (one.flags & ts.TypeFlags.BigIntLike) !== 0),
      get isArray() { return isArray(); },
      property: (name) => unlessTooDeep(() => maker.propertyOf(seen, name)),
      hasMember: (name) => unlessTooDeep(() => checker.getPropertyOfType(checker.getApparentType(seen), name)) !== undefined,
      awaited: () => unlessTooDeep(() => maker.of(checker.getAwaitedType(seen) ?? seen)) ?? facts,
      get isAwaitable() { return isAwaitable(); },
    };
    return facts;
  }

  private propertyOf(type: ts.Type, name: string): TypeFacts | undefined {
    const symbol = this.checker.getPropertyOfType(this.checker.getApparentType(type), name);
    return symbol && this.of(this.checker.getTypeOfSymbol(symbol));
  }

  private argumentsOf(type: ts.Type): readonly ts.Type[] {
    if (type.aliasTypeArguments) return type.aliasTypeArguments;
    const isReference = type.flags & this.ts.TypeFlags.Object && (type as ts.ObjectType).objectFlags & this.ts.ObjectFlags.Reference;
    return isReference ? this.checker.getTypeArguments(type as ts.TypeReference) : [];
  }

  private literalOf(type: ts.Type): TypeFacts['literal'] {
    if (type.isStringLiteral() || type.isNumberLiteral()) return type.value;
    if (type.flags & this.ts.TypeFlags.BigIntLiteral) {
      const { negative, base10Value } = (type as ts.BigIntLiteralType).value;
      return BigInt(`${negative ? '-' : ''}${base10Value}`);
    }
    if (type.flags & this.ts.TypeFlags.BooleanLiteral) return this.checker.typeToString(type) === 'true';
    return undefined;
  }

  /** All names a type goes by. Intersections (drizzle's db) and many aliases have no symbol of their own: their parts have. */
  private namesOf(type: ts.Type): TypeName[] {
    const names = new Map<ts.Symbol, TypeName>();
    const visited = new Set<ts.Type>();
    const visit = (one: ts.Type): void => {
      if (visited.has(one)) return;
      visited.add(one);
      for (const symbol of [one.aliasSymbol, one.symbol as ts.Symbol | undefined]) {
        const file = symbol?.declarations?.[0]?.getSourceFile().fileName;
        if (symbol && file !== undefined) names.set(symbol, { name: nameOf(symbol, this.ts), ...packageOf(file) });
      }
      if (one.isIntersection()) one.types.forEach(visit);
      if (one.flags & this.ts.TypeFlags.TypeParameter) {
        const constraint = this.checker.getBaseConstraintOfType(one);
        if (constraint) visit(constraint);
      }
      // A reference to a generic class (`Pool<Client>`) keeps its base types on the class itself.
      const target = (one as Partial<ts.TypeReference>).target as ts.Type | undefined;
      if (target) visit(target);
      if (one.isClassOrInterface()) this.checker.getBaseTypes(one).forEach(visit);
    };
    visit(type);
    return [...names.values()];
  }
}
