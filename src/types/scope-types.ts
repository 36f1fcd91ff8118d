import type { TSESTree } from '@typescript-eslint/utils';
import { annotated, memberOfClass } from './annotations.js';
import { nodeIs, treeOf, type Tree } from './tree.js';
import { annotatedByScopes, declaredByScopes } from './declared.js';
import type { Definition, TypeFacts, TypeName, Types } from './types.js';

/** Where there is no type checker: the scopes of the one file, and what it writes of types. Other files are not known. */
export class ScopeTypes implements Types {
  readonly isTyped = false;

  readonly keptBy = {};

  constructor(readonly tree: Tree) {}

  typeOf(): TypeFacts | undefined {
    return undefined;
  }

  declaredType(node: TSESTree.Node): TypeFacts | undefined {
    return annotated(node);
  }

  importedDefinitions(): readonly Definition[] {
    return [];
  }

  exportedDefinitions(): readonly Definition[] {
    return [];
  }

  mayDeclare(): boolean {
    return true;
  }

  /** A member of `this`, or of a value that is written to be of a class, in that class. */
  memberDefinitions(member: TSESTree.MemberExpression): readonly Definition[] {
    return memberOfClass(member);
  }

  isMethod(member: TSESTree.MemberExpression): boolean {
    return memberOfClass(member).some(({ parent }) => nodeIs(parent, 'MethodDefinition'));
  }

  exportsOf(): readonly Definition[] {
    return [];
  }

  requiredTree(): Tree | undefined {
    return undefined;
  }

  usesOf(definition: Definition): readonly TSESTree.Node[] {
    const owner = definition.parent;
    if (!owner) return [];
    const variable = treeOf(definition).scopes.getDeclaredVariables(owner).find((one) => one.identifiers.includes(definition as TSESTree.Identifier));
    return variable?.references.map((one) => one.identifier).filter((one) => one !== definition) ?? [];
  }

  returnsVoid(functionNode: TSESTree.Node): boolean {
    const annotation = (functionNode as Partial<TSESTree.FunctionDeclaration>).returnType?.typeAnnotation;
    if (annotation?.type === 'TSVoidKeyword' as never) return true;
    return /^Promise<(?:void|undefined)>$/.test(annotation ? treeOf(functionNode).text.slice(...annotation.range).replace(/\s/g, '') : '');
  }

  declaredAs(node: TSESTree.Node): readonly TypeName[] {
    return declaredByScopes(node);
  }

  annotatedAs(annotation: TSESTree.TypeNode): readonly TypeName[] {
    return annotatedByScopes(annotation);
  }

  isMentionedAround(word: string): boolean {
    return this.tree.text.includes(word);
  }
}
