import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';

/** Variables and their uses, for code that follows values and does not care which parser made the scopes. */
export interface Scopes {
  /** The variable that an identifier declares or refers to; `undefined` for globals and for identifiers of other files. */
  variableOf(identifier: TSESTree.Identifier): Scope.Variable | undefined;
  /** Every place that reads the value of the variable which this identifier declares, assigns or reads. */
  referencesOf(identifier: TSESTree.Identifier): readonly TSESTree.Identifier[];
  /** Every place that assigns the variable, its initializer among them. */
  writesOf(identifier: TSESTree.Identifier): readonly TSESTree.Identifier[];
}

/** The part of a scope manager that is used here: ESLint's and typescript-eslint's both have it. */
export interface ScopeManagerLike {
  readonly globalScope: Scope.Scope | null;
  acquire(node: TSESTree.Node, inner?: boolean): Scope.Scope | null;
}

interface Uses {
  readonly reads: TSESTree.Identifier[];
  readonly writes: TSESTree.Identifier[];
}

const known = new WeakMap<ScopeManagerLike, Scopes>();

export function scopesOf(manager: ScopeManagerLike): Scopes {
  let scopes = known.get(manager);
  if (!scopes) known.set(manager, (scopes = new IndexedScopes(manager)));
  return scopes;
}

/** Looks for what it is asked about alone: most names of a large file never are. */
class IndexedScopes implements Scopes {
  readonly #manager: ScopeManagerLike;
  readonly #variables = new Map<TSESTree.Identifier, Scope.Variable | undefined>();
  readonly #uses = new Map<Scope.Variable, Uses>();

  constructor(manager: ScopeManagerLike) {
    this.#manager = manager;
  }

  variableOf(identifier: TSESTree.Identifier): Scope.Variable | undefined {
    if (!this.#variables.has(identifier)) this.#variables.set(identifier, this.#find(identifier));
    return this.#variables.get(identifier);
  }

  referencesOf(identifier: TSESTree.Identifier): readonly TSESTree.Identifier[] {
    return this.#usesOf(identifier)?.reads ?? [];
  }

  writesOf(identifier: TSESTree.Identifier): readonly TSESTree.Identifier[] {
    return this.#usesOf(identifier)?.writes ?? [];
  }

  #usesOf(identifier: TSESTree.Identifier): Uses | undefined {
    const variable = this.variableOf(identifier);
    if (!variable) return undefined;
    let uses = this.#uses.get(variable);
    if (!uses) this.#uses.set(variable, uses = usesIn(this.#referencesTo(variable)));
    return uses;
  }

  #find(identifier: TSESTree.Identifier): Scope.Variable | undefined {
    let declared: Scope.Variable | undefined;
    for (let scope = this.#scopeAround(identifier); scope; scope = scope.upper) {
      const reference = scope.references.find((one) => one.identifier === identifier);
      const variable = reference && this.#variableOf(reference);
      if (variable) return variable;
      // a class has one variable outside and one inside for the same identifier: the outer one is what other code sees
      const named = scope.set.get(identifier.name);
      if (named?.identifiers.includes(identifier)) declared = named;
    }
    return declared;
  }

  #scopeAround(identifier: TSESTree.Identifier): Scope.Scope | null {
    for (let at = identifier as TSESTree.Node | undefined; at; at = at.parent) {
      const scope = this.#manager.acquire(at, true);
      if (scope) return scope;
    }
    return null;
  }

  #variableOf({ resolved, identifier }: Scope.Reference): Scope.Variable | undefined {
    // a `var` at the top of a script is not resolved by the scope manager itself
    const variable = resolved ?? this.#manager.globalScope?.set.get((identifier as TSESTree.Identifier).name);
    return variable && variable.identifiers.length > 0 ? variable : undefined;
  }

  #referencesTo(variable: Scope.Variable): readonly Scope.Reference[] {
    const { globalScope } = this.#manager;
    const unresolved = globalScope !== null && variable.scope === globalScope ? globalScope.through.filter((one) => !one.resolved && (one.identifier as TSESTree.Identifier).name === variable.name) : [];
    return [...variable.references, ...unresolved].sort((one, other) => one.identifier.range[0] - other.identifier.range[0]);
  }
}

function usesIn(references: readonly Scope.Reference[]): Uses {
  const named = (asked: readonly Scope.Reference[]): TSESTree.Identifier[] => asked.map((one) => one.identifier as TSESTree.Identifier);
  return { reads: named(references.filter((one) => one.isRead() && isValueUse(one))), writes: named(references.filter((one) => one.isWrite())) };
}

/** ESLint's own scope manager knows no types, so its references do not say. */
function isValueUse(reference: Scope.Reference): boolean {
  return (reference as Partial<Scope.Reference>).isValueReference !== false;
}
