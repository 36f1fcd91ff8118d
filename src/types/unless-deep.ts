import type { TSESTree } from '@typescript-eslint/utils';
import type { ProgramTypes } from './program-types.js';
import type { Tree } from './tree.js';
import type { Definition, TypeFacts, TypeName, Types } from './types.js';

/**
 * The checker calls itself for each level that code nests, and overflows the stack where an ordinary parser does not: over a chain of a
 * thousand calls. What it is asked then is not known; the file is judged all the same.
 */
export function unlessTooDeep<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The answers of a program, none of which ends the analysis. */
export class AnswersUnlessTooDeep implements Types {
  readonly isTyped = true;

  constructor(private readonly types: ProgramTypes) {}

  get tree(): Tree {
    return this.types.tree;
  }

  get keptBy(): object {
    return this.types.keptBy;
  }

  typeOf(node: TSESTree.Node): TypeFacts | undefined {
    return unlessTooDeep(() => this.types.typeOf(node));
  }

  declaredType(node: TSESTree.Node): TypeFacts | undefined {
    return this.typeOf(node);
  }

  importedDefinitions(specifier: TSESTree.ImportClause): readonly Definition[] {
    return unlessTooDeep(() => this.types.importedDefinitions(specifier)) ?? [];
  }

  exportedDefinitions(namespace: TSESTree.ImportClause, name: string): readonly Definition[] {
    return unlessTooDeep(() => this.types.exportedDefinitions(namespace, name)) ?? [];
  }

  mayDeclare(name: string): boolean {
    return unlessTooDeep(() => this.types.mayDeclare(name)) ?? true;
  }

  memberDefinitions(member: TSESTree.MemberExpression): readonly Definition[] {
    return unlessTooDeep(() => this.types.memberDefinitions(member)) ?? [];
  }

  isMethod(member: TSESTree.MemberExpression): boolean {
    return unlessTooDeep(() => this.types.isMethod(member)) ?? false;
  }

  exportsOf(module: TSESTree.Program, name: string): readonly Definition[] {
    return unlessTooDeep(() => this.types.exportsOf(module, name)) ?? [];
  }

  requiredTree(specifier: TSESTree.StringLiteral): Tree | undefined {
    return unlessTooDeep(() => this.types.requiredTree(specifier));
  }

  usesOf(definition: Definition): readonly TSESTree.Node[] {
    return unlessTooDeep(() => this.types.usesOf(definition)) ?? [];
  }

  returnsVoid(functionNode: TSESTree.Node): boolean {
    return unlessTooDeep(() => this.types.returnsVoid(functionNode)) ?? false;
  }

  declaredAs(node: TSESTree.Node): readonly TypeName[] {
    return unlessTooDeep(() => this.types.declaredAs(node)) ?? [];
  }

  annotatedAs(annotation: TSESTree.TypeNode): readonly TypeName[] {
    return unlessTooDeep(() => this.types.annotatedAs(annotation)) ?? [];
  }

  isMentionedAround(word: string): boolean {
    return unlessTooDeep(() => this.types.isMentionedAround(word)) ?? false;
  }
}
