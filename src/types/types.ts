import type { TSESTree } from '@typescript-eslint/utils';
import type { Tree } from './tree.js';

/** The name of a type, with the npm package that declares it (`@types/pg` counts as `pg`); no package: the user's own code. */
export interface TypeName {
  readonly name: string;
  readonly package: string | undefined;
  /** The declaring file's path inside its package, or its absolute path. */
  readonly file: string;
  /** `file` is what an import says: the end of a path, without its ending. */
  readonly isImport?: boolean;
}

/** What is known of a type, as data. `null` and `undefined` are taken off. */
export interface TypeFacts {
  /** `any` or `unknown`. */
  readonly isAny: boolean;
  /** `never`: a call with this type does not come back. */
  readonly isNever: boolean;
  readonly isUnknown: boolean;
  /** Only its names, and those members that are written down, are known: it stands in a package that nobody has read. */
  readonly isNameOnly?: boolean;
  /** Whether any name may be read of it: `Record<string, any>`. */
  readonly isIndexed: boolean;
  /** Whether `undefined` or `null` was among the alternatives. */
  readonly nullable: boolean;
  /** The members of a union; a type that is none has itself. */
  readonly alternatives: readonly TypeFacts[];
  /** Its own name, its alias, the parts of an intersection, and all base types. */
  readonly names: readonly TypeName[];
  /** The value of a literal type. */
  readonly literal: string | number | bigint | boolean | undefined;
  readonly isNumeric: boolean;
  /** `bigint`, alone or among the alternatives. */
  readonly isBigint: boolean;
  readonly isArray: boolean;
  property(name: string): TypeFacts | undefined;
  hasMember(name: string): boolean;
  /** The type of the value that `await` gives. */
  awaited(): TypeFacts;
  /** Whether `await` waits for it: a promise, a thenable, or a type that may be one (`any`). */
  readonly isAwaitable: boolean;
  /** The type arguments of a reference or an alias. */
  readonly typeArguments: readonly TypeFacts[];
}

/** The name node that declares something, or the expression of an `export default`. */
export type Definition = TSESTree.Node;

/**
 * Answers questions about the places of one linted file and of the files it reaches. Every answer may be "not known"; asking never
 * throws.
 */
export interface Types {
  /** Whether a type checker stands behind the answers. */
  readonly isTyped: boolean;
  /** What answers of other files' types may be kept by: the same for all files of a program, for as long as their trees are. */
  readonly keptBy: object;
  /** The linted file. */
  readonly tree: Tree;
  typeOf(node: TSESTree.Node): TypeFacts | undefined;
  /** The same; where there is no checker, what annotations of the file say. They know names, and seldom members. */
  declaredType(node: TSESTree.Node): TypeFacts | undefined;
  /** Where an import specifier's binding is declared, in the user's own files. */
  importedDefinitions(specifier: TSESTree.ImportClause): readonly Definition[];
  /** What `export * as ns` or `import * as ns` has under a name, in the user's own files. */
  exportedDefinitions(namespace: TSESTree.ImportClause, name: string): readonly Definition[];
  /** Whether something of a name may be declared in the user's own files. */
  mayDeclare(name: string): boolean;
  /** Where the property of a member expression is declared, in the user's own files. */
  memberDefinitions(member: TSESTree.MemberExpression): readonly Definition[];
  /** Whether the property of a member expression is a method that a class of the user's own declares. */
  isMethod(member: TSESTree.MemberExpression): boolean;
  /** What a file exports under a name, in the user's own files. */
  exportsOf(module: TSESTree.Program, name: string): readonly Definition[];
  /** The module exports of a `require('./x')` call's file. */
  requiredTree(specifier: TSESTree.StringLiteral): Tree | undefined;
  /** Where `name` is called or constructed in the user's own files: the functions' uses that this source of types can see. */
  usesOf(definition: Definition): readonly TSESTree.Node[];
  /** Whether the declared return type of a function is `void` or a promise of it. */
  returnsVoid(functionNode: TSESTree.Node): boolean;
  /** What an expression that is a name stands for, by the names it is declared or exported by; several where that cannot be told. */
  declaredAs(node: TSESTree.Node): readonly TypeName[];
  /** The names of a type annotation's type. */
  annotatedAs(annotation: TSESTree.TypeNode): readonly TypeName[];
  /** Whether a word stands in the linted file, or in a file of the user's own that is joined to it by imports, in whatever direction. */
  isMentionedAround(word: string): boolean;
}
