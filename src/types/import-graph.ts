import type ts from 'typescript';
import type { TypeScript } from './typescript.js';

/** Which of the user's own files are joined by imports. Made once per program, and only where something asks. */
export class ImportGraph {
  private readonly neighbours = new Map<ts.SourceFile, Set<ts.SourceFile>>();
  private readonly known = new Map<ts.SourceFile, ReadonlySet<ts.SourceFile>>();

  constructor(private readonly ts: TypeScript, private readonly checker: ts.TypeChecker, files: readonly ts.SourceFile[]) {
    for (const file of files) this.neighbours.set(file, new Set());
    for (const file of files) for (const other of this.importsOf(file)) this.join(file, other);
  }

  /** A file, those that it imports and those that import it, and so on. */
  around(file: ts.SourceFile): ReadonlySet<ts.SourceFile> {
    const known = this.known.get(file);
    if (known) return known;
    const found = new Set([file]);
    // A set gives what is added to it on the way.
    for (const one of found) for (const other of this.neighbours.get(one) ?? []) found.add(other);
    for (const one of found) this.known.set(one, found);
    return found;
  }

  private join(one: ts.SourceFile, other: ts.SourceFile): void {
    this.neighbours.get(one)?.add(other);
    this.neighbours.get(other)?.add(one);
  }

  private importsOf(file: ts.SourceFile): ts.SourceFile[] {
    return this.specifiersOf(file).flatMap((one) => {
      const declaration = this.checker.getSymbolAtLocation(one)?.declarations?.find((at) => this.ts.isSourceFile(at));
      return declaration && this.neighbours.has(declaration) ? [declaration] : [];
    });
  }

  /** `import`, `export ... from`, `require()` and `import()` of a path of the user's own. */
  private specifiersOf(file: ts.SourceFile): ts.Expression[] {
    const { ts } = this;
    const found: ts.Expression[] = [];
    const visit = (node: ts.Node): void => {
      if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) found.push(node.moduleSpecifier);
      const [first] = ts.isCallExpression(node) ? node.arguments : [];
      if (first && ts.isStringLiteralLike(first) && first.text.startsWith('.')) found.push(first);
      ts.forEachChild(node, visit);
    };
    visit(file);
    return found;
  }
}
