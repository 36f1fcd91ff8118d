import path from 'node:path';
import { importsOf, moduleNameOf, namesExportedBy, type Import } from '../gate.js';

const withoutEnding = (file: string): string => file.replace(/\.(?:d\.)?[cm]?[jt]sx?$/, '').replace(/\/index$/, '');

/** Who imports whom in a project, from the texts alone. A relative path is followed; of an alias or a package, names must agree. */
export class Importers {
  private readonly imports = new Map<string, readonly (Import & { readonly target: string | undefined })[]>();

  constructor(private readonly texts: ReadonlyMap<string, string>) {
    for (const [file, text] of texts) {
      const found = importsOf(text).map((one) => ({ ...one, target: /^\.\.?(?:\/|$)/.test(one.from) ? withoutEnding(path.posix.join(path.posix.dirname(file), one.from)) : undefined }));
      if (found.length > 0) this.imports.set(file, found);
    }
  }

  /** The files that import one of these; a file that hands on what it imports counts as the file it comes from. */
  of(files: Iterable<string>): string[] {
    const found = new Set<string>();
    let level = [...files];
    while (level.length > 0) {
      const handingOn: string[] = [];
      for (const [file, isReexport] of this.directly(level)) {
        if (found.has(file)) continue;
        found.add(file);
        if (isReexport) handingOn.push(file);
      }
      level = handingOn;
    }
    return [...found];
  }

  private *directly(files: readonly string[]): Generator<readonly [file: string, isReexport: boolean]> {
    const targets = new Set(files.map(withoutEnding));
    const moduleNames = new Set(files.map(moduleNameOf));
    const exports = new Set(files.flatMap((file) => namesExportedBy(this.texts.get(file) ?? '')));
    for (const [file, imports] of this.imports) {
      const hits = imports.filter(({ target, from, names }) => (target === undefined ? moduleNames.has(moduleNameOf(from)) || names.some((name) => exports.has(name)) : targets.has(target)));
      if (hits.length > 0) yield [file, hits.some(({ isReexport }) => isReexport)];
    }
  }
}
