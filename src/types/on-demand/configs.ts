import { statSync } from 'node:fs';
import path from 'node:path';
import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';

/** One `tsconfig.json` or `jsconfig.json`, read with all that it extends. What is wrong in it costs what it says there, not the rest. */
export interface Config {
  readonly path: string;
  readonly options: ts.CompilerOptions;
  readonly fileNames: ReadonlySet<string>;
  readonly references: readonly ts.ProjectReference[] | undefined;
}

interface Known {
  readonly config: Config | undefined;
  /** The files it was read from, and when each was changed last. */
  readonly sources: readonly (readonly [string, number | undefined])[];
}

/** TypeScript's paths have slashes on every system. */
export const toPath = (file: string): string => (path.sep === '\\' ? file.replaceAll('\\', '/') : file);

export const changedAt = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.mtimeMs;

/** The configs of the folders that linted files stand in. */
export class Configs {
  private readonly known = new Map<string, Known>();
  private readonly owners = new Map<string, Config | undefined>();

  constructor(private readonly ts: TypeScript) {}

  /**
   * The config that a file belongs to, as an editor decides it: the nearest one that lists the file, by itself or through a project
   * that it references; then those of the folders above; for a file that none lists, the nearest there is.
   */
  ownerOf(file: string): Config | undefined {
    if (!this.owners.has(file)) this.owners.set(file, this.find(file));
    return this.owners.get(file);
  }

  /** Whether one of them was changed on disk since it was read; all are then read again. */
  forgetChanged(): boolean {
    const isChanged = [...this.known.values()].some(({ sources }) => sources.some(([file, time]) => changedAt(file) !== time));
    if (!isChanged) return false;
    this.known.clear();
    this.owners.clear();
    return true;
  }

  private find(file: string): Config | undefined {
    let nearest: Config | undefined;
    for (let folder = path.posix.dirname(file), last = ''; folder !== last; last = folder, folder = path.posix.dirname(folder)) {
      for (const name of ['tsconfig.json', 'jsconfig.json']) {
        const config = this.read(path.posix.join(folder, name));
        if (!config) continue;
        const owner = this.ownerAmong(config, file, new Set());
        if (owner) return owner;
        nearest ??= config;
      }
    }
    return nearest;
  }

  private ownerAmong(config: Config, file: string, seen: Set<string>): Config | undefined {
    if (seen.has(config.path)) return undefined;
    seen.add(config.path);
    if (config.fileNames.has(file)) return config;
    for (const reference of config.references ?? []) {
      const referenced = this.read(toPath(this.ts.resolveProjectReferencePath(reference)));
      const owner = referenced && this.ownerAmong(referenced, file, seen);
      if (owner) return owner;
    }
    return undefined;
  }

  private read(file: string): Config | undefined {
    const known = this.known.get(file);
    if (known) return known.config;
    const { sys } = this.ts;
    const parsed = sys.fileExists(file) ? this.ts.getParsedCommandLineOfConfigFile(file, {}, { ...sys, onUnRecoverableConfigFileDiagnostic: () => undefined }) : undefined;
    const extended = (parsed?.options['configFile'] as Partial<ts.TsConfigSourceFile> | undefined)?.extendedSourceFiles ?? [];
    const config = parsed && { path: file, options: parsed.options, fileNames: new Set(parsed.fileNames), references: parsed.projectReferences };
    this.known.set(file, { config, sources: [file, ...extended].map((one) => [one, changedAt(one)] as const) });
    return config;
  }
}
