import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';

/** TypeScript's own, not declared for others; since 5.3. */
interface Resolving {
  getResolvedModuleFromModuleSpecifier?(specifier: ts.StringLiteralLike, file: ts.SourceFile): { readonly resolvedModule?: { readonly resolvedFileName: string } | undefined } | undefined;
}

/** The file that an import leads to, as the program has resolved it; with references between projects, a source in place of what it emits. */
export function resolvedBy(ts: TypeScript, program: ts.Program, specifier: ts.StringLiteralLike, file: ts.SourceFile): ts.SourceFile | undefined {
  const resolving = program as Resolving;
  if (!resolving.getResolvedModuleFromModuleSpecifier) return program.getTypeChecker().getSymbolAtLocation(specifier)?.declarations?.find((one) => ts.isSourceFile(one));
  const found = resolving.getResolvedModuleFromModuleSpecifier(specifier, file)?.resolvedModule;
  return found && program.getSourceFile(found.resolvedFileName);
}
