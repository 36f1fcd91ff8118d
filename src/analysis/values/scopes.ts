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
  readonly scopes: readonly Scope.Scope[];
  readonly globalScope: Scope.Scope | null;
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

/** One pass over all scopes, when it is first asked. */
class IndexedScopes implements Scopes {
  readonly #manager: ScopeManagerLike;
  #variables: Map<TSESTree.Node, Scope.Variable> | undefined;
  readonly #uses = new Map<Scope.Variable, Uses>();

  constructor(manager: ScopeManagerLike) {
    this.#manager = manager;
  }

  variableOf(identifier: TSESTree.Identifier): Scope.Variable | undefined {
    return (this.#variables ??= this.#index()).get(identifier);
  }

  referencesOf(identifier: TSESTree.Identifier): readonly TSESTree.Identifier[] {
    return this.#usesOf(identifier)?.reads ?? [];
  }

  writesOf(identifier: TSESTree.Identifier): readonly TSESTree.Identifier[] {
    return this.#usesOf(identifier)?.writes ?? [];
  }

  #usesOf(identifier: TSESTree.Identifier): Uses | undefined {
    const variable = this.variableOf(identifier);
    return variable && this.#uses.get(variable);
  }

  #index(): Map<TSESTree.Node, Scope.Variable> {
    const variables = new Map<TSESTree.Node, Scope.Variable>();
    for (const scope of this.#manager.scopes) {
      for (const variable of scope.variables) {
        if (variable.identifiers.length > 0) this.#declare(variable, variables);
      }
    }
    for (const scope of this.#manager.scopes) {
      for (const reference of scope.references) this.#refer(reference, variables);
    }
    return variables;
  }

  #declare(variable: Scope.Variable, variables: Map<TSESTree.Node, Scope.Variable>): void {
    this.#uses.set(variable, { reads: [], writes: [] });
    for (const identifier of variable.identifiers) {
      // a class has one variable outside and one inside for the same identifier: the outer one comes first and is what other code sees
      if (!variables.has(identifier)) variables.set(identifier, variable);
    }
  }

  #refer(reference: Scope.Reference, variables: Map<TSESTree.Node, Scope.Variable>): void {
    // a `var` at the top of a script is not resolved by the scope manager itself
    const variable = reference.resolved ?? this.#manager.globalScope?.set.get(reference.identifier.name);
    const uses = variable && this.#uses.get(variable);
    if (!uses) return;
    const identifier = reference.identifier as TSESTree.Identifier;
    variables.set(identifier, variable);
    if (reference.isRead() && isValueUse(reference)) uses.reads.push(identifier);
    if (reference.isWrite()) uses.writes.push(identifier);
  }
}

/** ESLint's own scope manager knows no types, so its references do not say. */
function isValueUse(reference: Scope.Reference): boolean {
  return (reference as Partial<Scope.Reference>).isValueReference !== false;
}
