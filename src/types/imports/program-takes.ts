import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';
import type { Take } from './carriers.js';

type ProgramTake = Take<ts.StringLiteralLike>;

const known = new WeakMap<ts.SourceFile, readonly ProgramTake[]>();

/** What a file of a program takes of others, by its tree. */
export function takesOf(ts: TypeScript, file: ts.SourceFile): readonly ProgramTake[] {
  const takes = known.get(file) ?? new TakeReader(ts, file).takes();
  known.set(file, takes);
  return takes;
}

/** Node.js' modules: what they hand on cannot be told by names. */
export const isCommonJs = (file: ts.SourceFile): boolean => /\.c?jsx?$/.test(file.fileName) && /\bexports\b/.test(file.text);

class TakeReader {
  constructor(private readonly ts: TypeScript, private readonly file: ts.SourceFile) {}

  takes(): ProgramTake[] {
    return specifiersOf(this.ts, this.file).flatMap((one) => this.taken(one).map((take) => ({ from: one, ...take })));
  }

  private taken({ parent }: ts.StringLiteralLike): Omit<ProgramTake, 'from'>[] {
    const { ts } = this;
    if (ts.isImportDeclaration(parent)) return parent.importClause ? [...this.imported(parent.importClause)] : [];
    if (ts.isExportDeclaration(parent)) return [...this.handedOn(parent.exportClause)];
    if (ts.isExternalModuleReference(parent)) return [{ name: '*', local: parent.parent.name.text }];
    // `import()`, `require()`, the type `import('…')`, and what an `@import` in a comment has.
    return [{ name: '*' }, ...(isCommonJs(this.file) ? [{ name: '*', as: '*' }] : [])];
  }

  private *imported({ name, namedBindings }: ts.ImportClause): Generator<Omit<ProgramTake, 'from'>> {
    if (name) yield { name: 'default', local: name.text };
    if (!namedBindings) return;
    if (this.ts.isNamespaceImport(namedBindings)) yield { name: '*', local: namedBindings.name.text };
    else for (const { propertyName, name: local } of namedBindings.elements) yield { name: (propertyName ?? local).text, local: local.text };
  }

  private *handedOn(clause: ts.NamedExportBindings | undefined): Generator<Omit<ProgramTake, 'from'>> {
    if (!clause) yield { name: '*', as: '*' };
    else if (this.ts.isNamespaceExport(clause)) yield { name: '*', as: clause.name.text };
    else for (const { propertyName, name } of clause.elements) yield { name: (propertyName ?? name).text, as: name.text };
  }
}

/** TypeScript has gathered them to resolve them, those of `import()` and of `require()` in JavaScript among them. */
export function specifiersOf(ts: TypeScript, file: ts.SourceFile): readonly ts.StringLiteralLike[] {
  const { imports } = file as { readonly imports?: readonly ts.StringLiteralLike[] };
  // What it adds itself, for JSX, stands nowhere.
  return (imports ?? file.statements.flatMap((one) => specifierOf(ts, one) ?? [])).filter(({ parent }) => parent as ts.Node | undefined);
}

function specifierOf(ts: TypeScript, statement: ts.Statement): ts.StringLiteralLike | undefined {
  const specifier = ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement) ? statement.moduleSpecifier
    : ts.isImportEqualsDeclaration(statement) && ts.isExternalModuleReference(statement.moduleReference) ? statement.moduleReference.expression : undefined;
  return specifier && ts.isStringLiteralLike(specifier) ? specifier : undefined;
}
