import type ts from 'typescript';
import type { ImportGraph } from './import-graph.js';
import type { TypeScript } from './typescript.js';

/** Finds the places of a program that mean a symbol. To ask what a name means is dear, so only names that can mean it are asked. */
export class SymbolUses {
  private readonly known = new Map<ts.Symbol, readonly ts.Node[]>();
  private searched = 0;
  private places: { readonly of: readonly ts.SourceFile[]; readonly byFile: ReadonlyMap<ts.SourceFile, number> } | undefined;

  constructor(private readonly ts: TypeScript, private readonly symbolAt: (node: ts.Node) => ts.Symbol | undefined, private readonly own: () => readonly ts.SourceFile[], private readonly imports: () => ImportGraph) {}

  /** Identifiers of the user's own files that mean this symbol, its declaration apart. */
  of(symbol: ts.Symbol): readonly ts.Node[] {
    const known = this.known.get(symbol);
    if (known) return known;
    const found: ts.Node[] = [];
    this.known.set(symbol, found);
    const { name } = symbol;
    if (name === 'default' || name === '__constructor') return found;
    for (const file of this.filesWith(symbol)) for (const node of identifiersNamed(this.ts, file, name)) if (isSame(this.symbolAt(node), symbol)) found.push(node);
    return found;
  }

  private filesWith(symbol: ts.Symbol): readonly ts.SourceFile[] {
    const declared = new Set((symbol.declarations ?? []).map((one) => one.getSourceFile()));
    if (this.isLocal(symbol)) return [...declared];
    const own = this.own();
    // To search all texts again and again is dearer than to know who imports whom. In an editor most have been searched before.
    if (this.searched > own.length * MOST_SEARCHES) return this.mentioning(symbol.name, this.thatMaySee(declared, own));
    const found = this.mentioning(symbol.name, own);
    if (found.every((file) => declared.has(file))) return found;
    const may = new Set(this.thatMaySee(declared, own));
    return found.filter((file) => may.has(file));
  }

  private mentioning(name: string, files: readonly ts.SourceFile[]): readonly ts.SourceFile[] {
    return files.filter((file) => {
      const known = mentioned.get(file) ?? new Map<string, boolean>();
      if (!known.has(name)) {
        this.searched++;
        mentioned.set(file, known.set(name, file.text.includes(name)));
      }
      return known.get(name);
    });
  }

  /** The own files that what these declare may be known to, in the order of the program. */
  private thatMaySee(declared: ReadonlySet<ts.SourceFile>, own: readonly ts.SourceFile[]): readonly ts.SourceFile[] {
    const all = new Set<ts.SourceFile>();
    for (const file of declared) {
      const may = this.imports().thatMaySee(file);
      if (!may) return own;
      for (const one of may) all.add(one);
    }
    if (declared.size === 0) return own;
    const places = this.placesOf(own);
    return [...all].filter((one) => places.has(one)).sort((one, other) => places.get(one)! - places.get(other)!);
  }

  private placesOf(own: readonly ts.SourceFile[]): ReadonlyMap<ts.SourceFile, number> {
    if (this.places?.of !== own) this.places = { of: own, byFile: new Map(own.map((file, index) => [file, index])) };
    return this.places.byFile;
  }

  /** Whether a symbol is a variable or a parameter of a function, which no other file can name. */
  private isLocal({ flags, declarations = [] }: ts.Symbol): boolean {
    const { ts } = this;
    if (!(flags & ts.SymbolFlags.Variable) || flags & ~ts.SymbolFlags.Variable) return false;
    return declarations.length > 0 && declarations.every((one) => ts.findAncestor(one.parent, (at) => ts.isFunctionLike(at) || ts.isClassStaticBlockDeclaration(at)) !== undefined);
  }
}

/** A member of a class is another symbol where the class is instantiated: for its type arguments, or for a `this` that its types may have. */
function isSame(one: ts.Symbol | undefined, other: ts.Symbol): boolean {
  if (one === other || one?.declarations?.length !== 1 || other.declarations?.length !== 1) return one === other;
  return one.declarations[0] === other.declarations[0];
}

const mentioned = new WeakMap<ts.SourceFile, Map<string, boolean>>();

/** How often all texts are searched for the sake of one program. */
const MOST_SEARCHES = 1;

const identifiers = new WeakMap<ts.SourceFile, Map<string, ts.Identifier[]>>();

/** The identifiers of a file by name. */
function identifiersNamed(ts: TypeScript, file: ts.SourceFile, name: string): readonly ts.Identifier[] {
  let byName = identifiers.get(file);
  if (!byName) {
    identifiers.set(file, byName = new Map<string, ts.Identifier[]>());
    const stack: ts.Node[] = [file];
    for (let node = stack.pop(); node; node = stack.pop()) {
      if (ts.isIdentifier(node)) {
        const known = byName.get(node.text);
        if (known) known.push(node);
        else byName.set(node.text, [node]);
      }
      ts.forEachChild(node, (child) => void stack.push(child));
    }
    for (const list of byName.values()) list.sort((one, other) => one.pos - other.pos);
  }
  return byName.get(name) ?? [];
}
