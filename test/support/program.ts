import { dirname } from 'node:path';
import ts from 'typescript';

/** The compiler options of a `tsconfig.json`, without its files. */
export function compilerOptionsOf(configFile: string): ts.CompilerOptions {
  const { config, error } = ts.readConfigFile(configFile, (path) => ts.sys.readFile(path)) as { config: object; error?: ts.Diagnostic };
  if (error) throw new Error(explain(error));
  const parsed = ts.parseJsonConfigFileContent({ ...config, include: undefined, files: ['none.ts'] }, ts.sys, dirname(configFile));
  const problem = parsed.errors[0];
  if (problem) throw new Error(explain(problem));
  return parsed.options;
}

/**
 * Makes programs over texts that need not be on disk. Files of packages are read and parsed once for all programs of a
 * factory, which is what makes a program for every generation of rewritten files affordable.
 */
export class ProgramFactory {
  readonly #options: ts.CompilerOptions;
  readonly #fromDisk = new Map<string, ts.SourceFile | undefined>();
  readonly #fromText = new Map<string, ts.SourceFile>();
  readonly #others = new Map<string, ProgramFactory>();
  #latest: ts.Program | undefined;

  constructor(options: ts.CompilerOptions) {
    this.#options = options;
  }

  /** The factory with these options besides: one for all who ask. */
  with(options: ts.CompilerOptions): ProgramFactory {
    const key = JSON.stringify(options);
    const known = this.#others.get(key);
    if (known) return known;
    const made = new ProgramFactory({ ...this.#options, ...options });
    this.#others.set(key, made);
    return made;
  }

  create(texts: ReadonlyMap<string, string>): ts.Program {
    const program = ts.createProgram([...texts.keys()], this.#options, this.#hostOver(texts), this.#latest);
    this.#latest = program;
    return program;
  }

  #hostOver(texts: ReadonlyMap<string, string>): ts.CompilerHost {
    const disk = ts.createCompilerHost(this.#options, true);
    return {
      ...disk,
      fileExists: (path) => texts.has(path) || disk.fileExists(path),
      readFile: (path) => texts.get(path) ?? disk.readFile(path),
      // Folders that exist only in `texts` must be seen by module resolution too.
      directoryExists: () => true,
      getSourceFile: (path, version) => {
        const text = texts.get(path);
        return text === undefined ? this.#read(path, version, disk) : this.#parse(path, text, version);
      },
    };
  }

  #read(path: string, version: ts.ScriptTarget | ts.CreateSourceFileOptions, disk: ts.CompilerHost): ts.SourceFile | undefined {
    if (!this.#fromDisk.has(path)) this.#fromDisk.set(path, disk.getSourceFile(path, version));
    return this.#fromDisk.get(path);
  }

  /** The same text gives the same object, so that TypeScript can reuse what did not change. */
  #parse(path: string, text: string, version: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.SourceFile {
    const known = this.#fromText.get(path);
    if (known?.text === text) return known;
    const parsed = ts.createSourceFile(path, text, version, true);
    this.#fromText.set(path, parsed);
    return parsed;
  }
}

/** What the compiler says about one file, as `file:line message`. */
export function compileErrors(program: ts.Program, path: string): string[] {
  const file = program.getSourceFile(path);
  if (!file) return [`${path} is not part of the program.`];
  return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(explain);
}

/** What is wrong with the program as a whole: options, missing global types. */
export function programErrors(program: ts.Program): string[] {
  return [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()].map(explain);
}

function explain(diagnostic: ts.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ');
  if (!diagnostic.file || diagnostic.start === undefined) return `TS${String(diagnostic.code)}: ${text}`;
  const { line } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start);
  return `${diagnostic.file.fileName}:${String(line + 1)} TS${String(diagnostic.code)}: ${text}`;
}
