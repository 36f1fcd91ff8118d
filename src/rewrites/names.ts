import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import type { Source } from '../analysis/regions.js';
import { is } from '../analysis/syntax.js';
import { scanOf } from './scan.js';

/** Names that are free within a function: not used in it, and not the name of anything that it can see. */
export class Names {
  private taken = new Set<string>();
  private readonly scopes: Scope.Scope[] = [];
  private locals = new Map<TSESTree.Node, Set<string>>();

  constructor(sourceCode: Source, within: TSESTree.Node) {
    for (const [token, before] of scanOf(sourceCode).tokensIn(within.range)) {
      const isName = ((token.type as string) === 'Identifier' || (token.type as string) === 'Keyword') && !/^\??\.$/.test(before?.value ?? '');
      if (isName) this.taken.add(token.value);
    }
    let scope: Scope.Scope | null = sourceCode.getScope(within);
    for (; scope; scope = scope.upper) this.scopes.push(scope);
  }

  private isTaken(name: string): boolean {
    return this.taken.has(name) || this.scopes.some(({ set }) => set.has(name));
  }

  /** A name for the whole function: the first one that is free, or the first one with a number. */
  free(wanted: string, ...others: readonly string[]): string {
    const name = [wanted, ...others].find((one) => !this.isTaken(one)) ?? this.unlike(wanted, (one) => this.isTaken(one));
    this.taken.add(name);
    return name;
  }

  /** A name that only the block around a node sees: another block may have the same. */
  local(wanted: string, at: TSESTree.Node): string {
    let block = at;
    while (block.parent && !is(block, 'BlockStatement')) block = block.parent;
    const own = this.locals.get(block) ?? new Set();
    this.locals.set(block, own);
    const name = this.unlike(wanted, (one) => this.isTaken(one) || own.has(one));
    own.add(name);
    return name;
  }

  /** Gives what takes the names back to those that are free now. */
  save(): () => void {
    const taken = new Set(this.taken);
    const locals = new Map([...this.locals].map(([block, own]) => [block, new Set(own)]));
    return () => {
      this.taken = taken;
      this.locals = locals;
    };
  }

  private unlike(wanted: string, isTaken: (name: string) => boolean): string {
    let name = wanted;
    for (let count = 2; isTaken(name); count++) name = `${wanted}${count}`;
    return name;
  }
}
