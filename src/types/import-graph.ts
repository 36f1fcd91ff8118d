import type ts from 'typescript';
import { resolvedBy } from './imports/resolve.js';
import { specifiersOf } from './imports/program-takes.js';
import type { TypeScript } from './typescript.js';

/** Which files of a program import which. Made once per program, and only where something asks. */
export class ImportGraph {
  private readonly imported = new Map<ts.SourceFile, ts.SourceFile[]>();
  private readonly importers = new Map<ts.SourceFile, ts.SourceFile[]>();
  private readonly components = new Map<ts.SourceFile, ReadonlySet<ts.SourceFile>>();
  private readonly seeing = new Map<ts.SourceFile, ReadonlySet<ts.SourceFile> | undefined>();

  constructor(private readonly ts: TypeScript, program: ts.Program, private readonly own: ReadonlySet<ts.SourceFile>) {
    for (const file of program.getSourceFiles()) this.imported.set(file, specifiersOf(ts, file).flatMap((one) => resolvedBy(ts, program, one, file) ?? []));
    for (const [file, all] of this.imported) for (const one of all) this.importersOf(one).push(file);
  }

  /** A file of the user's own, those that it imports and those that import it, and so on. */
  around(file: ts.SourceFile): ReadonlySet<ts.SourceFile> {
    const known = this.components.get(file);
    if (known) return known;
    const found = new Set([file]);
    // A set gives what is added to it on the way.
    for (const one of found) for (const other of [...(this.imported.get(one) ?? []), ...(this.importers.get(one) ?? [])]) if (this.own.has(other)) found.add(other);
    for (const one of found) this.components.set(one, found);
    return found;
  }

  /**
   * The files that what a file declares may be known to: itself, those that import it, and so on. `undefined`: all, since one of them
   * declares things for files that do not import it.
   */
  thatMaySee(file: ts.SourceFile): ReadonlySet<ts.SourceFile> | undefined {
    if (!this.seeing.has(file)) this.seeing.set(file, this.closureOf(file));
    return this.seeing.get(file);
  }

  private closureOf(file: ts.SourceFile): ReadonlySet<ts.SourceFile> | undefined {
    const found = new Set([file]);
    for (const one of found) {
      if (this.declaresForAll(one)) return undefined;
      for (const other of this.importers.get(one) ?? []) found.add(other);
    }
    return found;
  }

  /** Scripts, and `declare global`, `declare module 'x'` and `export as namespace` in modules. */
  private declaresForAll(file: ts.SourceFile): boolean {
    const { ts } = this;
    const { commonJsModuleIndicator } = file as { readonly commonJsModuleIndicator?: unknown };
    if (!ts.isExternalModule(file) && commonJsModuleIndicator === undefined) return true;
    return file.statements.some((one) => ts.isNamespaceExportDeclaration(one) || (ts.isModuleDeclaration(one) && (ts.isStringLiteral(one.name) || one.name.text === 'global')));
  }

  private importersOf(file: ts.SourceFile): ts.SourceFile[] {
    const known = this.importers.get(file) ?? [];
    if (known.length === 0) this.importers.set(file, known);
    return known;
  }
}
