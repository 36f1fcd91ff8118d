import { passingOn } from './passing-on.js';

/**
 * Which exports carry locks: those of files that mention locks, wherever other files hand them on. The files may be known from a
 * program or from their texts alone; who knows them says what they take and where that comes from.
 */

/** One name that a file takes of another one. */
export interface Take<From> {
  readonly from: From;
  /** As the other file exports it; `*` for all of it. */
  readonly name: string;
  /** The file's own name for it. */
  readonly local?: string | undefined;
  /** The name that it is handed on by, as `export … from` does; `*`: each by its own. */
  readonly as?: string | undefined;
}

/** A file that mentions locks, or hands on what it takes. */
export interface Carrier<From> {
  readonly file: string;
  readonly takes: readonly Take<From>[];
  /** Its exports that carry locks, when these of its own names for what it takes do; `*` stands for whatever it exports. */
  carriedGiven(locals: ReadonlySet<string>): Iterable<string>;
}

/** A file that neither mentions locks nor hands on what carries some, and may call that. */
export interface Between<From> {
  readonly takes: readonly Take<From>[];
  readonly text: string;
}

/** The files that an import may lead to. `ANYWHERE`: it cannot be told, so that names must agree. */
type Resolve<From> = (from: From, file: string) => readonly string[];

export const ANYWHERE = '*';

export class Carriers<From> {
  private readonly carried = new Map<string, Set<string>>();
  private readonly takers = new Map<string, { readonly carrier: Carrier<From>; readonly take: Take<From> }[]>();
  private readonly locals = new Map<Carrier<From>, Set<string>>();
  private readonly open = new Set<string>();
  private readonly passing = new Map<string, ReadonlySet<string>>();

  constructor(carriers: Iterable<Carrier<From>>, private readonly resolve: Resolve<From>) {
    for (const carrier of carriers) this.locals.set(carrier, new Set());
    for (const carrier of this.locals.keys()) {
      for (const take of carrier.takes) for (const target of resolve(take.from, carrier.file)) this.takersOf(target).push({ carrier, take });
    }
    for (const carrier of this.locals.keys()) this.add(carrier.file, carrier.carriedGiven(new Set()));
    // What is added to a set while it is walked is walked, too; here a file may come in again.
    for (const file of this.open) {
      this.open.delete(file);
      for (const taker of this.takers.get(file) ?? []) this.handOn(file, taker);
    }
  }

  private takersOf(file: string): { readonly carrier: Carrier<From>; readonly take: Take<From> }[] {
    const known = this.takers.get(file) ?? [];
    if (known.length === 0) this.takers.set(file, known);
    return known;
  }

  /**
   * Whether a file takes something that carries locks, to use it: `export … from` only hands it on. Who takes all of another file must
   * have a name of it in its text.
   */
  reach(file: string, takes: readonly Take<From>[], textOf: () => string): boolean {
    if (this.carried.size === 0) return false;
    return takes.some(({ from, name, as }) => as === undefined && this.resolve(from, file).some((target) => target !== file && this.isCarried(target, name, textOf)));
  }

  /** Whether a file takes a function of a file between, which calls what carries locks with what it is given. */
  reachThrough(file: string, takes: readonly Take<From>[], between: (file: string) => Between<From> | undefined): boolean {
    if (this.carried.size === 0) return false;
    return takes.some(({ from, name, as }) => as === undefined && name !== '*' && this.resolve(from, file).some((target) => target !== file && target !== ANYWHERE && this.passedOnBy(target, between).has(name)));
  }

  private passedOnBy(file: string, between: (file: string) => Between<From> | undefined): ReadonlySet<string> {
    const known = this.passing.get(file);
    if (known) return known;
    const { takes, text } = between(file) ?? { takes: [], text: '' };
    // The names first: it costs less than to resolve all that a file imports.
    const all = this.carried.get(ANYWHERE);
    const carried = takes.filter(({ from, name, local, as }) => local !== undefined && as === undefined && (name === '*' || name === 'default' || all?.has(name) === true)
      && this.resolve(from, file).some((target) => target !== file && this.isCarried(target, name, () => text)));
    const found = passingOn(text, carried.map(({ local }) => local!));
    this.passing.set(file, found);
    return found;
  }

  private isCarried(file: string, name: string, textOf: () => string): boolean {
    const carried = this.carried.get(file);
    if (!carried) return false;
    if (name !== '*') return carried.has(name) || carried.has('*');
    return carried.has('*') || carried.has('default') || [...carried].some((one) => hasWord(textOf(), one));
  }

  private handOn(file: string, { carrier, take: { name, local, as } }: { readonly carrier: Carrier<From>; readonly take: Take<From> }): void {
    const carried = this.carried.get(file)!;
    const isTaken = name === '*' || carried.has(name) || carried.has('*');
    if (!isTaken) return;
    if (as === '*') this.add(carrier.file, [...carried].filter((one) => one !== 'default'));
    else if (as !== undefined) this.add(carrier.file, [as]);
    const locals = this.locals.get(carrier)!;
    if (local === undefined || locals.has(local)) return;
    locals.add(local);
    this.add(carrier.file, carrier.carriedGiven(locals));
  }

  private add(file: string, names: Iterable<string>): void {
    for (const name of names) {
      this.addOne(file, name);
      if (name !== '*' && name !== 'default') this.addOne(ANYWHERE, name);
    }
  }

  private addOne(file: string, name: string): void {
    const carried = this.carried.get(file) ?? new Set();
    if (carried.has(name)) return;
    this.carried.set(file, carried.add(name));
    this.open.add(file);
  }
}

const IN_WORDS = /[\p{ID_Continue}$]/u;

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    if (!IN_WORDS.test(text[at - 1] ?? ' ') && !IN_WORDS.test(text[at + word.length] ?? ' ')) return true;
  }
  return false;
}
