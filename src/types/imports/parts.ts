import type ts from 'typescript';
import { mentionsLocks, type Words } from '../gate.js';
import type { TypeScript } from '../typescript.js';
import { isCommonJs, takesOf } from './program-takes.js';

type Renamed = readonly [local: string, exported: string];

/** One statement at the top of a file that mentions locks. */
interface Part {
  readonly hasLocks: boolean;
  /** The names of the file that stand in it, of whatever meaning. */
  readonly words: readonly string[];
  /** The names that it gives to other parts. */
  readonly declares: readonly string[];
  /** Names that other parts declare, and it may fill: what it assigns to; of a statement that declares nothing, all. */
  readonly fills: readonly string[];
  readonly exports: readonly string[];
}

interface Parts {
  readonly parts: readonly Part[];
  /** `export { one as two }`. */
  readonly renamed: readonly Renamed[];
  /** What it exports cannot be told. */
  readonly isCommonJs: boolean;
}

const known = new WeakMap<ts.SourceFile, Map<Words, Parts>>();

export function partsOf(ts: TypeScript, file: ts.SourceFile, words: Words): Parts {
  const byWords = known.get(file) ?? new Map<Words, Parts>();
  const parts = byWords.get(words) ?? readParts(ts, file, words);
  known.set(file, byWords.set(words, parts));
  return parts;
}

/** The exports that carry locks: of statements that mention some, or have the name of what carries some, when these locals do. */
export function carriedOf({ parts, renamed, isCommonJs }: Parts, locals: ReadonlySet<string>): string[] {
  if (isCommonJs) return ['*'];
  const byName = new Map<string, Part[]>();
  for (const part of parts) for (const name of new Set([...part.words, ...part.declares])) (byName.get(name) ?? newList(byName, name)).push(part);
  const names = new Set(locals);
  const carrying = new Set(parts.filter((part) => part.hasLocks));
  // A set gives what is added to it on the way.
  const add = (name: string): void => {
    names.add(name);
    for (const part of byName.get(name) ?? []) carrying.add(part);
    byName.delete(name);
  };
  for (const name of locals) add(name);
  for (const part of carrying) for (const name of [...part.declares, ...part.fills]) add(name);
  return [...[...carrying].flatMap((part) => part.exports), ...renamed.flatMap(([local, exported]) => (names.has(local) ? [exported] : []))];
}

function newList(lists: Map<string, Part[]>, name: string): Part[] {
  const list: Part[] = [];
  lists.set(name, list);
  return list;
}

function readParts(ts: TypeScript, file: ts.SourceFile, words: Words): Parts {
  if (isCommonJs(file)) return { parts: [], renamed: [], isCommonJs: true };
  const { text, statements } = file;
  const read = statements.filter((one) => !ts.isImportDeclaration(one) && !ts.isExportDeclaration(one)).map((one) => ({ statement: one, text: text.slice(one.pos, one.end), declares: declaredBy(ts, one) }));
  const local = new Set([...read.flatMap(({ declares }) => declares), ...takesOf(ts, file).flatMap((take) => take.local ?? [])]);
  const parts = read.map(({ statement, text: own, declares }): Part => {
    const found = [...new Set(own.match(WORD) ?? [])].filter((word) => local.has(word));
    return { hasLocks: mentionsLocks(own, words), words: found, declares, fills: declares.length === 0 ? found : assignedIn(ts, statement).filter((name) => local.has(name)), exports: exportedBy(ts, statement, declares) };
  });
  return { parts, renamed: renamedBy(ts, file), isCommonJs: false };
}

const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;

function declaredBy(ts: TypeScript, statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.flatMap(({ name }) => namesIn(ts, name));
  const { name } = statement as { readonly name?: ts.Node };
  return name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? [name.text] : [];
}

function namesIn(ts: TypeScript, name: ts.BindingName): string[] {
  return ts.isIdentifier(name) ? [name.text] : name.elements.flatMap((one) => (ts.isOmittedExpression(one) ? [] : namesIn(ts, one.name)));
}

function exportedBy(ts: TypeScript, statement: ts.Statement, declares: readonly string[]): readonly string[] {
  if (ts.isExportAssignment(statement)) return [statement.isExportEquals ? '*' : 'default'];
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) ?? [] : [];
  const has = (kind: ts.SyntaxKind): boolean => modifiers.some((one) => one.kind === kind);
  if (!has(ts.SyntaxKind.ExportKeyword)) return [];
  return has(ts.SyntaxKind.DefaultKeyword) ? ['default'] : declares;
}

/** What a file exports under its own names: `export { one as two }`, `export default one`. */
export function renamedBy(ts: TypeScript, { statements }: ts.SourceFile): Renamed[] {
  return statements.flatMap((one): Renamed[] => {
    if (ts.isExportAssignment(one)) return ts.isIdentifier(one.expression) ? [[one.expression.text, one.isExportEquals ? '*' : 'default']] : [];
    if (!ts.isExportDeclaration(one) || one.moduleSpecifier || !one.exportClause || !ts.isNamedExports(one.exportClause)) return [];
    return one.exportClause.elements.map(({ propertyName, name }) => [(propertyName ?? name).text, name.text]);
  });
}

/** The names at the beginning of what is assigned to: `api` in `api.lock = …`. */
function assignedIn(ts: TypeScript, statement: ts.Node): string[] {
  const found: string[] = [];
  const open = [statement];
  for (let node = open.pop(); node; node = open.pop()) {
    if (ts.isBinaryExpression(node) && node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment && node.operatorToken.kind <= ts.SyntaxKind.LastAssignment) {
      let at: ts.Node = node.left;
      while (ts.isPropertyAccessExpression(at) || ts.isElementAccessExpression(at) || ts.isNonNullExpression(at) || ts.isParenthesizedExpression(at)) at = at.expression;
      if (ts.isIdentifier(at)) found.push(at.text);
    }
    ts.forEachChild(node, (child) => void open.push(child));
  }
  return found;
}
