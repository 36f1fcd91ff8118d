import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope, SourceCode } from '@typescript-eslint/utils/ts-eslint';

/** Names that are free within a function: not used in it, and not the name of anything that it can see. */
export class Names {
  private readonly taken = new Set<string>();

  constructor(sourceCode: Readonly<SourceCode>, within: TSESTree.Node) {
    for (const token of sourceCode.ast.tokens) {
      const isName = (token.type as string) === 'Identifier' || (token.type as string) === 'Keyword';
      if (isName && within.range[0] <= token.range[0] && token.range[1] <= within.range[1]) this.taken.add(token.value);
    }
    let scope: Scope.Scope | null = sourceCode.getScope(within);
    for (; scope; scope = scope.upper) for (const name of scope.set.keys()) this.taken.add(name);
  }

  free(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.taken.has(name); count++) name = `${wanted}${count}`;
    this.taken.add(name);
    return name;
  }
}
