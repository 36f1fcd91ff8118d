import path from 'node:path';
import type ts from 'typescript';
import { mentionsLocks, type Words } from '../gate.js';
import { TextModules } from '../imports/texts.js';
import { typescript, type TypeScript } from '../typescript.js';
import { Configs, toPath, type Config } from './configs.js';
import { namesLentBy } from './lending.js';
import { hasComeToBe } from './missing.js';
import { SourceFiles } from './source-files.js';

/**
 * Programs of our own, for hosts that give no types: ESLint configs without typed linting, other linters. A program is made when a
 * file with locks asks for it, and has that project's files with locks, what they import, and who imports them: not the project.
 */

export { toPath } from './configs.js';

const CODE = /\.[cm]?[jt]sx?$/i;
const DECLARATIONS = /\.d\.(?:[^./]+\.)?[cm]?ts$/;
/** Programs that are kept at once; the one that was asked for longest ago goes first. */
const MOST_PROJECTS = 8;
/** How much of the time may go into looking whether files were changed on disk. */
const SHARE_OF_LOOKING = 1 / 20;
/** Milliseconds after which it is looked again all the same: a look that took long once, over a program that was new, is no reason to be blind for a minute. */
const LONGEST_WAIT = 10_000;

interface Project {
  readonly options: ts.CompilerOptions;
  readonly references: readonly ts.ProjectReference[] | undefined;
  readonly roots: Set<string>;
  /** Files that may lend types to others unimported, with the names they lend; one that is found to do so becomes a root. */
  readonly lenders: Map<string, readonly string[]>;
  readonly files: SourceFiles;
  readonly host: ts.CompilerHost;
  program: ts.Program | undefined;
  /** The count of changes when the program was made. */
  madeAt: number;
}

class Programs {
  private readonly configs: Configs;
  private readonly registry: ts.DocumentRegistry;
  private readonly projects = new Map<string, Project>();
  private readonly sourceFiles = new Map<string, SourceFiles>();
  private nextLook = 0;

  constructor(private readonly ts: TypeScript) {
    this.configs = new Configs(ts);
    this.registry = ts.createDocumentRegistry();
  }

  /** A program that has the file, with this text of it. */
  of(file: string, text: string, words: Words, parsed?: ts.SourceFile): ts.Program | undefined {
    this.forgetChanged();
    const project = this.projectOf(file, words);
    project.files.put(file, text, parsed);
    // It was never saved, and gone for a while: a program made of this one would take it for missing.
    if (project.roots.has(file) && !project.program?.getSourceFile(file)) project.program = undefined;
    if (!project.program?.getSourceFile(file) || project.madeAt !== project.files.changes) {
      project.roots.add(file);
      do this.remake(project); while (borrows(project));
    }
    return project.files.isParsed(file) ? project.program : undefined;
  }

  private remake(project: Project): void {
    const { roots, options, host, references, program, files } = project;
    project.program = this.ts.createProgram({
      rootNames: [...roots], options,
      // A host of its own for each: TypeScript wraps members of it, and each wrapper would keep its program alive.
      host: { ...host }, ...(references && { projectReferences: references }), ...(program && { oldProgram: program }),
    });
    project.madeAt = files.changes;
  }

  /** A file without locks, as an editor has it, may be one that a file with locks imports. */
  note(file: string, text: string): void {
    for (const { files, program } of this.projects.values()) if (files.has(file) || program?.getSourceFile(file)) files.put(file, text);
  }

  private forgetChanged(): void {
    const start = performance.now();
    if (start < this.nextLook) return;
    if (this.configs.forgetChanged()) this.projects.clear();
    for (const files of this.sourceFiles.values()) files.forgetChanged();
    for (const project of this.projects.values()) if (project.program && hasComeToBe(this.ts, project.program, project.host)) project.program = undefined;
    const end = performance.now();
    this.nextLook = end + Math.min((end - start) / SHARE_OF_LOOKING, LONGEST_WAIT);
  }

  private projectOf(file: string, words: Words): Project {
    const config = this.configs.ownerOf(file);
    const isStray = /\.[cm]?jsx?$/i.test(file) && !config?.options.allowJs; // JavaScript, which this config would not read
    const key = `${config?.path ?? path.posix.dirname(file)}${isStray ? ' with JavaScript' : ''}${words.key === '' ? '' : ` with ${words.key}`}`;
    const project = this.projects.get(key) ?? this.make(config, isStray, words);
    this.projects.delete(key);
    const [oldest] = this.projects.keys();
    this.projects.set(key, project);
    if (this.projects.size > MOST_PROJECTS && oldest !== undefined) this.forget(oldest);
    return project;
  }

  /** A project, and the files that only it has. */
  private forget(oldest: string): void {
    const files = this.projects.get(oldest)?.files;
    this.projects.delete(oldest);
    const left = [...this.projects.values()].filter((one) => one.files === files);
    files?.keepOnly(new Set(left.flatMap(({ program }) => program?.getSourceFiles().map(({ fileName }) => fileName) ?? [])));
  }

  private make(config: Config | undefined, isStray: boolean, words: Words): Project {
    const { ts } = this;
    const options = leanOptions(ts, { module: ts.ModuleKind.Preserve, strict: true, ...config?.options, noEmit: true, ...(isStray && { allowJs: true }) });
    const parsing = this.registry.getKeyForCompilationSettings(options);
    const files = this.sourceFiles.get(parsing) ?? new SourceFiles(ts);
    this.sourceFiles.set(parsing, files);
    const host = Object.assign(ts.createCompilerHost(options), {
      getSourceFile: (name: string, parse: ts.ScriptTarget | ts.CreateSourceFileOptions) => files.get(name, parse),
      // Projects that reference each other need not be built: their sources stand for what they would emit.
      useSourceOfProjectReferenceRedirect: () => true,
      // Of TypeScript; in JavaScript they say the types, and are parsed all the same.
      jsDocParsingMode: ts.JSDocParsingMode.ParseForTypeInfo,
    });
    const { roots, lenders } = config ? this.rootsOf(config, words) : { roots: new Set<string>(), lenders: new Map<string, string[]>() };
    return { options, references: config?.references, roots, lenders, files, host, program: undefined, madeAt: -1 };
  }

  /** One scan of the texts of a project: its declaration files, its files with locks, who imports these, and those in turn. */
  private rootsOf({ fileNames }: Config, words: Words): Pick<Project, 'roots' | 'lenders'> {
    const texts = new Map<string, string>();
    const roots = new Set<string>();
    for (const file of fileNames) {
      const text = DECLARATIONS.test(file) ? undefined : this.ts.sys.readFile(file);
      if (text === undefined) roots.add(file);
      else texts.set(file, text);
    }
    const modules = new TextModules(texts.keys(), (file) => texts.get(file));
    let level = [...texts].filter(([, text]) => mentionsLocks(text, words)).map(([file]) => file);
    for (const file of level) roots.add(file);
    for (let depth = 0; depth < LEVELS_OF_IMPORTERS; depth++) {
      level = modules.importersOf(level).filter((file) => !roots.has(file));
      for (const file of level) roots.add(file);
    }
    const lenders = [...texts].map(([file, text]) => [file, namesLentBy(text)] as const).filter(([file, names]) => names.length > 0 && !roots.has(file));
    return { roots, lenders: new Map(lenders) };
  }
}

/**
 * Without the types of browsers, a third of all that is parsed, where nobody has asked for them: a config that names no `lib` has them
 * by default. What Node.js has of them, its own types declare.
 */
function leanOptions(ts: TypeScript, options: ts.CompilerOptions): ts.CompilerOptions {
  if (options.lib || options.noLib || !ts.getAutomaticTypeDirectiveNames(options, ts.sys).includes('node')) return options;
  const full = ts.getDefaultLibFileName(options);
  return { ...options, lib: [{ 'lib.d.ts': 'lib.es5.d.ts', 'lib.es6.d.ts': 'lib.es2015.d.ts' }[full] ?? full.replace('.full.', '.')] };
}

/** A handle that a function with a lock is given is followed to who calls it, and once more to who calls that. */
const LEVELS_OF_IMPORTERS = 2;

/** Whether TypeScript could read a file: it has an ending of TypeScript or JavaScript, and a place. */
export const isCode = (fileName: string): boolean => CODE.test(fileName) && path.isAbsolute(fileName);

/** Makes roots of the files that lend a name to a file of the program; whether there were any. */
function borrows({ program, lenders, roots }: Project): boolean {
  if (lenders.size === 0 || !program) return false;
  const own = program.getSourceFiles().filter((file) => !file.isDeclarationFile && !file.fileName.includes('/node_modules/'));
  const found = [...lenders].filter(([lender, names]) => names.some((name) => own.some((file) => file.fileName !== lender && file.text.includes(name))));
  for (const [lender] of found) {
    lenders.delete(lender);
    roots.add(lender);
  }
  return found.some(([lender]) => !program.getSourceFile(lender));
}

let programs: Programs | undefined;

/**
 * A program of our own that has a file with this text; `undefined` where there is no TypeScript, or it cannot be made.
 * @param parsed the tree of the text that a host has made: the program has it where it can
 */
export function programFor(fileName: string, text: string, words: Words, parsed?: ts.SourceFile): ts.Program | undefined {
  const file = toPath(fileName);
  if (!isCode(fileName)) return undefined;
  const api = typescript();
  if (!api) return undefined;
  try {
    return (programs ??= new Programs(api)).of(file, text, words, parsed);
  } catch {
    return undefined; // a config or a file beyond TypeScript costs the types, never the lint run
  }
}

/** Tells of a file without locks: its text may be newer than the one on disk. */
export function noteForPrograms(fileName: string, text: string): void {
  programs?.note(toPath(fileName), text);
}
