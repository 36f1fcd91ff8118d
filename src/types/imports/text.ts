import type { Take } from './carriers.js';
import { Scanner } from './scanner.js';

/** What a text imports and exports, read without a parser: strings and comments that look like it may be taken for it. */
export interface ModuleText {
  readonly takes: readonly Take<string>[];
  /** Its own; `*` where there may be others. */
  readonly exports: readonly string[];
  /** What it exports under its own names: `export { one as two }`. */
  readonly renamed: readonly (readonly [local: string, exported: string])[];
}

const BEGINNING = /(?<![\w$])(?:import|export|require|exports)(?![\w$])/g;

const BEGINNING_OF_IMPORT = /(?<![\w$])(?:import|require)(?![\w$])/g;

/** Words between `export` and the name. */
const BEFORE_KIND = new Set(['declare', 'async', 'abstract']);
const KINDS = new Set(['const', 'let', 'var', 'function', 'class', 'enum', 'interface', 'type', 'namespace', 'module']);

export const readModule = (text: string): ModuleText => read(text, BEGINNING);

/** What a text takes to use it itself, which `export … from` does not. */
export const takenIn = (text: string): readonly Take<string>[] => read(text, BEGINNING_OF_IMPORT).takes;

function read(text: string, beginning: RegExp): ModuleText {
  const reader = new Reader(text);
  beginning.lastIndex = 0;
  for (let found = beginning.exec(text); found; found = beginning.exec(text)) {
    reader.scanner.at = beginning.lastIndex;
    reader.statement(found[0]);
    // Where a statement ends, or is none, the next one may begin: nothing is read twice.
    beginning.lastIndex = reader.scanner.at;
  }
  return reader.done();
}

type Named = readonly [name: string, other: string];

class Reader {
  readonly scanner: Scanner;
  private readonly takes: Take<string>[] = [];
  private readonly exports = new Set<string>();
  private readonly renamed: Named[] = [];

  constructor(text: string) {
    this.scanner = new Scanner(text);
  }

  done(): ModuleText {
    // What CommonJS hands on cannot be told by names.
    const handedOn = this.exports.has('*') ? this.takes.filter(({ name, local, as }) => name === '*' && (local ?? as) === undefined).map((take) => ({ ...take, as: '*' })) : [];
    return { takes: [...this.takes, ...handedOn], exports: [...this.exports], renamed: this.renamed };
  }

  statement(word: string): void {
    if (word === 'import') this.import();
    else if (word === 'export') this.export();
    else if (word === 'require') this.call();
    else this.commonJs();
  }

  private import(): void {
    const { scanner } = this;
    if (scanner.next === '(') {
      this.call();
      return;
    }
    const taken: Omit<Take<string>, 'from'>[] = [];
    let name = scanner.word();
    if (name === 'type' && (/[{*]/.test(scanner.next) || !scanner.takesWord('from'))) name = scanner.word();
    else if (name === 'type') {
      this.from([{ name: 'default', local: 'type' }]);
      return;
    }
    if (name !== undefined) taken.push({ name: 'default', local: name });
    if (name !== undefined && scanner.takes('=')) {
      if (scanner.takesWord('require')) this.call(name);
      return;
    }
    scanner.takes(',');
    if (scanner.takes('*')) taken.push({ name: '*', local: scanner.takesWord('as') ? scanner.word() : undefined });
    else if (scanner.takes('{')) taken.push(...this.list().map(([one, local]) => ({ name: one, local })));
    if (scanner.takesWord('from')) this.from(taken);
  }

  private from(taken: readonly Omit<Take<string>, 'from'>[]): void {
    const from = this.scanner.string();
    if (from !== undefined) for (const one of taken) this.takes.push({ from, ...one });
  }

  /** `('…')` behind `import` or `require`. */
  private call(local?: string): void {
    if (this.scanner.takes('(')) this.from([{ name: '*', ...(local !== undefined && { local }) }]);
  }

  private export(): void {
    const { scanner } = this;
    if (scanner.takes('*')) {
      const as = scanner.takesWord('as') ? this.name() ?? '*' : '*';
      if (scanner.takesWord('from')) this.from([{ name: '*', as }]);
      return;
    }
    if (scanner.takes('=')) this.exported('*', scanner.word());
    else if (scanner.next === '{') this.exportList();
    else if (scanner.takesWord('default')) this.exported('default', scanner.word());
    else this.exportDeclaration();
  }

  private exportDeclaration(): void {
    const { scanner } = this;
    let word = scanner.word();
    while (word !== undefined && BEFORE_KIND.has(word)) word = scanner.word();
    if (word === 'type' && scanner.next === '{') this.exportList();
    else if (word !== undefined && KINDS.has(word)) this.declared(word);
  }

  private exported(name: string, local: string | undefined): void {
    this.exports.add(name);
    if (local !== undefined) this.renamed.push([local, name]);
  }

  private exportList(): void {
    this.scanner.takes('{');
    const names = this.list();
    if (this.scanner.takesWord('from')) this.from(names.map(([name, as]) => ({ name, as })));
    else for (const [local, name] of names) this.exported(name, local);
  }

  private declared(kind: string): void {
    const { scanner } = this;
    scanner.takes('*');
    if (kind === 'const') scanner.takesWord('enum');
    if (scanner.takes('{') || scanner.takes('[')) for (const name of this.words()) this.exports.add(name);
    else this.exports.add(scanner.word() ?? 'default');
  }

  private commonJs(): void {
    const { scanner } = this;
    if (scanner.takes('.')) this.exports.add(scanner.word() ?? '*').add('*');
    else if (scanner.takes('=') && scanner.next !== '=') {
      this.exports.add('*');
      if (scanner.takes('{')) for (const name of this.words()) this.exports.add(name);
    } else if (/[,)]/.test(scanner.next)) this.exports.add('*'); // somebody fills it: `Object.assign(exports, …)`, `__exportStar(…, exports)`
  }

  /** `one, type two, three as four }`. */
  private list(): Named[] {
    const { scanner } = this;
    const found: Named[] = [];
    do {
      let name = this.name();
      if (name === 'type' && !/[,}]/.test(scanner.next) && !this.isAs()) name = this.name();
      if (name === undefined) break;
      found.push([name, scanner.takesWord('as') ? this.name() ?? name : name]);
    } while (scanner.takes(','));
    scanner.takes('}');
    return found;
  }

  /** Whether `as` stands next: `type as one` renames what is called `type`. */
  private isAs(): boolean {
    const start = this.scanner.at;
    const found = this.scanner.takesWord('as');
    this.scanner.at = start;
    return found;
  }

  private name(): string | undefined {
    return this.scanner.word() ?? this.scanner.string();
  }

  /** The words of a pattern or an object, up to what is more than a name; what `require` gives is read by itself. */
  private *words(): Generator<string> {
    const { scanner } = this;
    for (;;) {
      const start = scanner.at;
      const word = scanner.word();
      if (word === 'require') {
        scanner.at = start;
        return;
      }
      if (word !== undefined) yield word;
      else if (!/[,:.[\]{]/.test(scanner.next)) return;
      else scanner.at++;
    }
  }
}
