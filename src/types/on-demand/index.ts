import path from 'node:path';
import type ts from 'typescript';
import { LockFiles, mentionsLocks } from '../gate.js';
import { typescript, type TypeScript } from '../typescript.js';
import { Configs, toPath, type Config } from './configs.js';
import { SourceFiles } from './source-files.js';

/**
 * Programs of our own, for hosts that give no types: ESLint configs without typed linting, other linters. A program is made when a
 * file with locks asks for it, and has that project's files with locks, what they import, and who imports them: not the project.
 */

export { toPath } from './configs.js';

const CODE = /\.[cm]?[jt]sx?$/i;
const DECLARATIONS = /\.d\.(?:[^./]+\.)?[cm]?ts$/;
/** What lends types to files that do not import it. */
const AUGMENTS = /^\s*declare\s+(?:global\b|module\s+['"])/m;
const MODULE = /^\s*(?:import|export)\b|\brequire\s*\(|\bexports\b/m;
/** Programs that are kept at once; the one that was asked for longest ago goes first. */
const MOST_PROJECTS = 8;
/** How much of the time may go into looking whether files were changed on disk. */
const SHARE_OF_LOOKING = 1 / 20;

interface Project {
  readonly options: ts.CompilerOptions;
  readonly references: readonly ts.ProjectReference[] | undefined;
  readonly roots: Set<string>;
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
  of(file: string, text: string): ts.Program | undefined {
    this.forgetChanged();
    const project = this.projectOf(file);
    project.files.put(file, text);
    if (project.program?.getSourceFile(file) && project.madeAt === project.files.changes) return project.program;
    project.roots.add(file);
    project.program = this.ts.createProgram({
      rootNames: [...project.roots], options: project.options,
      // A host of its own for each: TypeScript wraps members of it, and each wrapper would keep its program alive.
      host: { ...project.host }, ...(project.references && { projectReferences: project.references }), ...(project.program && { oldProgram: project.program }),
    });
    project.madeAt = project.files.changes;
    return project.program;
  }

  /** A file without locks, as an editor has it, may be one that a file with locks imports. */
  note(file: string, text: string): void {
    for (const files of this.sourceFiles.values()) if (files.has(file)) files.put(file, text);
  }

  private forgetChanged(): void {
    const start = performance.now();
    if (start < this.nextLook) return;
    if (this.configs.forgetChanged()) this.projects.clear();
    for (const files of this.sourceFiles.values()) files.forgetChanged();
    const end = performance.now();
    this.nextLook = end + (end - start) / SHARE_OF_LOOKING;
  }

  private projectOf(file: string): Project {
    const config = this.configs.ownerOf(file);
    const isStray = /\.[cm]?jsx?$/i.test(file) && !config?.options.allowJs; // JavaScript, which this config would not read
    const key = `${config?.path ?? path.posix.dirname(file)}${isStray ? ' with JavaScript' : ''}`;
    const project = this.projects.get(key) ?? this.make(config, isStray);
    this.projects.delete(key);
    const [oldest] = this.projects.keys();
    if (this.projects.size >= MOST_PROJECTS && oldest !== undefined) this.projects.delete(oldest);
    this.projects.set(key, project);
    return project;
  }

  private make(config: Config | undefined, isStray: boolean): Project {
    const { ts } = this;
    const options: ts.CompilerOptions = { module: ts.ModuleKind.Preserve, strict: true, ...config?.options, noEmit: true, ...(isStray && { allowJs: true }) };
    const parsing = this.registry.getKeyForCompilationSettings(options);
    const files = this.sourceFiles.get(parsing) ?? new SourceFiles(ts);
    this.sourceFiles.set(parsing, files);
    const host = Object.assign(ts.createCompilerHost(options), {
      getSourceFile: (name: string, parse: ts.ScriptTarget | ts.CreateSourceFileOptions) => files.get(name, parse),
      // Projects that reference each other need not be built: their sources stand for what they would emit.
      useSourceOfProjectReferenceRedirect: () => true,
    });
    return { options, references: config?.references, roots: new Set(config ? this.rootsOf(config) : []), files, host, program: undefined, madeAt: -1 };
  }

  /** One scan of the texts of a project: its files with locks, who imports these and those in turn, and what counts unimported. */
  private rootsOf(config: Config): string[] {
    const texts = new Map<string, string>();
    for (const file of config.fileNames) {
      const text = DECLARATIONS.test(file) ? undefined : this.ts.sys.readFile(file);
      if (text !== undefined) texts.set(file, text);
    }
    const roots = new Set([...config.fileNames].filter((file) => DECLARATIONS.test(file)));
    for (const [file, text] of texts) if (mentionsLocks(text) || AUGMENTS.test(text) || !MODULE.test(text)) roots.add(file);
    let level = new LockFiles([...texts].filter(([, text]) => mentionsLocks(text)));
    for (let depth = 0; depth < LEVELS_OF_IMPORTERS; depth++) {
      const importers = [...texts].filter(([file, text]) => !roots.has(file) && level.mayBeImportedBy(text));
      for (const [file] of importers) roots.add(file);
      level = new LockFiles(importers);
    }
    return [...roots];
  }
}

/** A handle that a function with a lock is given is followed to who calls it, and once more to who calls that. */
const LEVELS_OF_IMPORTERS = 2;

let programs: Programs | undefined;

/** A program of our own that has a file with this text; `undefined` where there is no TypeScript, or it cannot be made. */
export function programFor(fileName: string, text: string): ts.Program | undefined {
  const file = toPath(fileName);
  if (!CODE.test(file) || !path.isAbsolute(fileName)) return undefined;
  const api = typescript();
  if (!api) return undefined;
  try {
    return (programs ??= new Programs(api)).of(file, text);
  } catch {
    return undefined; // a config or a file beyond TypeScript costs the types, never the lint run
  }
}

/** Tells of a file without locks: its text may be newer than the one on disk. */
export function noteText(fileName: string, text: string): void {
  programs?.note(toPath(fileName), text);
}
