import type { ParserServicesWithTypeInformation, TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import type ts from 'typescript';
import { annotatedByScopes, declaredByScopes } from './declared.js';
import { namesDeclaredIn } from './declared-names.js';
import { ImportGraph } from './import-graph.js';
import { SymbolUses } from './symbol-uses.js';
import { nameOfKey, rememberTree, treeOf, type Tree } from './tree.js';
import { packageOf, TypeFactsMaker } from './type-facts.js';
import type { Definition, TypeFacts, TypeName, Types } from './types.js';
import { unlessTooDeep } from './unless-deep.js';
import { analyzeScopes, estree, typescript, type TypeScript } from './typescript.js';

type NodeMaps = Pick<ParserServicesWithTypeInformation, 'esTreeNodeToTSNodeMap' | 'tsNodeToESTreeNodeMap'>;

/** What is made once per program and shared by all its files: types, other files' trees, the places that use a name. */
class Project {
  keptBy = {};
  readonly checker: ts.TypeChecker;
  readonly facts: TypeFactsMaker;
  private readonly trees = new Map<ts.SourceFile, Tree | undefined>();
  private readonly uses: SymbolUses;
  private own: readonly ts.SourceFile[] | undefined;
  private readonly mentioning = new Map<string, readonly ts.SourceFile[]>();
  private imports: ImportGraph | undefined;

  constructor(readonly ts: TypeScript, readonly program: ts.Program) {
    this.checker = program.getTypeChecker();
    this.facts = new TypeFactsMaker(ts, this.checker);
    this.uses = new SymbolUses(ts, (node) => this.symbolAt(node), () => this.ownFiles(), () => this.importGraph());
  }

  /** The linted file's tree stands for its file, so that a definition in it is the very node that the rules see. */
  adopt(tree: Tree, file: ts.SourceFile, maps: NodeMaps): void {
    this.renew(file);
    this.trees.set(file, tree);
    mapsOfTree.set(tree, maps);
    adopted = { project: this, file };
  }

  /** Lets the tree of the linted file go. */
  forget(file: ts.SourceFile): void {
    this.renew(file);
    this.trees.delete(file);
  }

  mapsOf(tree: Tree): NodeMaps | undefined {
    return mapsOfTree.get(tree);
  }

  ownFiles(): readonly ts.SourceFile[] {
    return (this.own ??= this.program.getSourceFiles().filter((file) => this.isOwn(file)));
  }

  isMentionedAround(word: string, fileName: string): boolean {
    let files = this.mentioning.get(word);
    if (!files) this.mentioning.set(word, files = this.ownFiles().filter((file) => file.text.includes(word)));
    const start = this.program.getSourceFile(fileName);
    if (files.length === 0 || !start) return false;
    const around = this.importGraph().around(start);
    return files.some((file) => around.has(file));
  }

  /** Whether any file declares something of a name: it costs less than the type of a value, unless there are many files. */
  mayDeclare(name: string): boolean {
    const files = this.ownFiles();
    return files.length > MOST_WALKED || files.some((file) => namesDeclaredIn(file, this.ts, this.trees.get(file)?.ast.tokens).has(name));
  }

  private importGraph(): ImportGraph {
    return (this.imports ??= new ImportGraph(this.ts, this.program, new Set(this.ownFiles())));
  }

  isOwn(file: ts.SourceFile): boolean {
    // By its real path: a package of a workspace is found by a link below `node_modules`, and is the user's own all the same.
    return !file.isDeclarationFile && !file.fileName.includes('/node_modules/');
  }

  /** Nodes of a tree that another one takes the place of are no longer those that the rules see. */
  private renew(file: ts.SourceFile): void {
    if (this.trees.has(file)) this.keptBy = {};
  }

  /** The tree of one of the user's own files. */
  tree(file: ts.SourceFile, isLinted = false): Tree | undefined {
    if (isLinted) this.renew(file);
    if (isLinted || !this.trees.has(file)) this.trees.set(file, isLinted ? this.convert(file, true) : this.isOwn(file) ? this.converted(file) : undefined);
    return this.trees.get(file);
  }

  /** In an editor each key makes a program, of the same files but one. */
  private converted(file: ts.SourceFile): Tree | undefined {
    let tree = treesOfFiles.get(file);
    if (tree === undefined) treesOfFiles.set(file, tree = this.convert(file, false) ?? null);
    return tree ?? undefined;
  }

  private convert(file: ts.SourceFile, isLinted: boolean): Tree | undefined {
    try {
      const { parseAndGenerateServices, simpleTraverse } = estree();
      const { ast, services } = parseAndGenerateServices(file.text, {
        filePath: file.fileName, programs: [this.program], tsconfigRootDir: this.program.getCurrentDirectory(),
        // Rewrites, which ask for tokens and comments, are of the linted file alone.
        loc: true, range: true, tokens: isLinted, comment: isLinted, jsx: /x$/.test(file.fileName),
      });
      simpleTraverse(ast, { enter() { /* parents are set on the way */ } }, true);
      const scopes = analyzeScopes(ast, this.ts.isExternalModule(file)) as Scope.ScopeManager;
      const tree = rememberTree({ ast, fileName: file.fileName, text: file.text, scopes });
      // The rest of the services would keep the program alive.
      const { program, esTreeNodeToTSNodeMap, tsNodeToESTreeNodeMap } = services;
      if (program) mapsOfTree.set(tree, { esTreeNodeToTSNodeMap, tsNodeToESTreeNodeMap });
      return tree;
    } catch {
      return undefined; // a file that does not parse tells nothing
    }
  }

  symbolAt(node: ts.Node): ts.Symbol | undefined {
    const symbol = this.ts.isShorthandPropertyAssignment(node.parent) && node.parent.name === node
      ? this.checker.getShorthandAssignmentValueSymbol(node.parent)
      : this.checker.getSymbolAtLocation(node);
    return symbol && this.unaliased(symbol);
  }

  unaliased(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & this.ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  namesOf(symbol: ts.Symbol): TypeName[] {
    const [declaration] = symbol.declarations ?? [];
    if (!declaration) return [];
    const declared = this.ts.getNameOfDeclaration(declaration);
    const place = packageOf(declaration.getSourceFile().fileName);
    const names = [symbol.name, ...(declared && this.ts.isIdentifier(declared) ? [declared.text] : [])];
    return [...new Set(names)].map((name) => ({ name, ...place }));
  }

  /** The ESTree nodes that declare a symbol: name nodes, or the expression of an `export default` and of `module.exports =`. */
  definitionsOf(symbol: ts.Symbol): Definition[] {
    const found: Definition[] = [];
    for (const declaration of symbol.declarations ?? []) {
      const node = this.nameOf(declaration);
      const tree = this.tree(declaration.getSourceFile());
      const estreeNode = tree && this.mapsOf(tree)?.tsNodeToESTreeNodeMap.get(node);
      if (estreeNode) found.push(estreeNode);
    }
    return found;
  }

  private nameOf(declaration: ts.Declaration): ts.Node {
    const { ts } = this;
    if (ts.isExportAssignment(declaration)) return declaration.expression;
    if (ts.isBinaryExpression(declaration)) return declaration.right;
    if (ts.isPropertyAccessExpression(declaration) && ts.isBinaryExpression(declaration.parent)) return declaration.parent.right;
    return ts.getNameOfDeclaration(declaration) ?? declaration;
  }

  usesOf(symbol: ts.Symbol): readonly ts.Node[] {
    return this.uses.of(symbol);
  }
}

const mapsOfTree = new WeakMap<Tree, NodeMaps>();

/** The trees of files that are not linted: they have no tokens. */
const treesOfFiles = new WeakMap<ts.SourceFile, Tree | null>();

let adopted: { readonly project: Project; readonly file: ts.SourceFile } | undefined;

/** Lets go of the tree of the file that was linted last. Its program stays, to make the next one of, and what that keeps the garbage collector has to carry along. */
export function forgetLinted(): void {
  adopted?.project.forget(adopted.file);
  adopted = undefined;
}

/** In more files than this, some file declares nearly every name. */
const MOST_WALKED = 200;

/** `import m = require('m')` has its name in `id`. */
const localOf = (specifier: TSESTree.ImportClause): TSESTree.Node => (specifier as Partial<TSESTree.ImportClause>).local ?? (specifier as unknown as TSESTree.TSImportEqualsDeclaration).id;

const projects = new WeakMap<ts.Program, Project | null>();

function projectOf(program: ts.Program): Project | undefined {
  const api = typescript();
  if (!api) return undefined;
  const known = projects.get(program);
  if (known !== undefined) return known ?? undefined;
  // A file that nests too deep for TypeScript leaves a program in pieces: it is not asked again.
  const made = unlessTooDeep(() => new Project(api, program)) ?? null;
  projects.set(program, made);
  return made ?? undefined;
}

/** Answers out of a TypeScript program: the parser services of a typed ESLint config. */
export class ProgramTypes implements Types {
  readonly isTyped = true;

  readonly keptBy: object;

  private constructor(readonly tree: Tree, private readonly project: Project) {
    this.keptBy = project.keptBy;
  }

  static of(tree: Tree, services: ParserServicesWithTypeInformation): ProgramTypes | undefined {
    const project = projectOf(services.program);
    const root = services.esTreeNodeToTSNodeMap.get(tree.ast) as ts.SourceFile | undefined;
    if (!project || !root) return undefined;
    project.adopt(tree, root, services);
    return new ProgramTypes(tree, project);
  }

  /** A file that no host has parsed for us, with a tree of its own. */
  static ofFile(fileName: string, program: ts.Program): ProgramTypes | undefined {
    const file = program.getSourceFile(fileName);
    const project = file && projectOf(program);
    const tree = project?.tree(file!, true);
    return project && tree && new ProgramTypes(tree, project);
  }

  private tsNode(node: TSESTree.Node): ts.Node | undefined {
    return this.project.mapsOf(treeOf(node))?.esTreeNodeToTSNodeMap.get(node);
  }

  private toEstree(node: ts.Node): TSESTree.Node | undefined {
    const tree = this.project.tree(node.getSourceFile());
    return tree && (this.project.mapsOf(tree)?.tsNodeToESTreeNodeMap.get(node));
  }

  typeOf(node: TSESTree.Node): TypeFacts | undefined {
    const at = this.tsNode(node);
    return at && this.project.facts.of(this.project.checker.getTypeAtLocation(at));
  }

  declaredType(node: TSESTree.Node): TypeFacts | undefined {
    return this.typeOf(node);
  }

  importedDefinitions(specifier: TSESTree.ImportClause): readonly Definition[] {
    const name = this.tsNode(localOf(specifier));
    const symbol = name && this.project.symbolAt(name);
    return symbol ? this.project.definitionsOf(symbol) : [];
  }

  exportedDefinitions(namespace: TSESTree.ImportClause, name: string): readonly Definition[] {
    const at = this.tsNode(localOf(namespace));
    const symbol = at && this.project.symbolAt(at);
    const member = symbol && this.project.checker.tryGetMemberInModuleExports(name, symbol);
    return member ? this.project.definitionsOf(this.project.unaliased(member)) : [];
  }

  mayDeclare(name: string): boolean {
    return this.project.mayDeclare(name);
  }

  memberDefinitions(member: TSESTree.MemberExpression): readonly Definition[] {
    const name = member.computed ? undefined : nameOfKey(member.property);
    if (name !== undefined && !this.mayDeclare(name.replace(/^#/, ''))) return [];
    const at = this.tsNode(member.property);
    const symbol = at && this.project.symbolAt(at);
    return symbol ? this.project.definitionsOf(symbol) : [];
  }

  isMethod(member: TSESTree.MemberExpression): boolean {
    const at = this.tsNode(member.property);
    const declaration = at && this.project.symbolAt(at)?.valueDeclaration;
    return declaration !== undefined && this.project.ts.isMethodDeclaration(declaration) && declaration.body !== undefined && this.project.isOwn(declaration.getSourceFile());
  }

  exportsOf(module: TSESTree.Program, name: string): readonly Definition[] {
    const at = this.tsNode(module);
    const symbol = at && this.project.checker.getSymbolAtLocation(at);
    const member = symbol && this.project.checker.tryGetMemberInModuleExports(name, symbol);
    return member ? this.project.definitionsOf(this.project.unaliased(member)) : [];
  }

  requiredTree(specifier: TSESTree.StringLiteral): Tree | undefined {
    const at = this.tsNode(specifier);
    const symbol = at && this.project.checker.getSymbolAtLocation(at);
    const file = symbol?.declarations?.find((one) => this.project.ts.isSourceFile(one));
    return file && this.project.tree(file);
  }

  usesOf(definition: Definition): readonly TSESTree.Node[] {
    const at = this.tsNode(definition);
    const symbol = at && this.project.symbolAt(at);
    return symbol ? this.project.usesOf(symbol).flatMap((node) => this.toEstree(node) ?? []) : [];
  }

  returnsVoid(functionNode: TSESTree.Node): boolean {
    const { ts, checker } = this.project;
    const at = this.tsNode(functionNode);
    if (!at || !ts.isFunctionLike(at)) return false;
    const signature = checker.getSignatureFromDeclaration(at);
    if (!signature) return false;
    const returned = checker.getReturnTypeOfSignature(signature);
    const awaited = checker.getAwaitedType(returned) ?? returned;
    return (awaited.flags & (ts.TypeFlags.Void | ts.TypeFlags.Undefined)) !== 0;
  }

  declaredAs(node: TSESTree.Node): readonly TypeName[] {
    const at = this.tsNode(node.type === 'MemberExpression' as never ? (node as TSESTree.MemberExpression).property : node);
    const symbol = at && this.project.symbolAt(at);
    const names = symbol ? this.project.namesOf(symbol) : [];
    // A module that is not installed, or not typed, still has a name.
    return names.length > 0 ? names : declaredByScopes(node);
  }

  annotatedAs(annotation: TSESTree.TypeNode): readonly TypeName[] {
    return this.typeOf(annotation)?.names ?? annotatedByScopes(annotation);
  }

  isMentionedAround(word: string): boolean {
    return this.project.isMentionedAround(word, this.tree.fileName);
  }
}
