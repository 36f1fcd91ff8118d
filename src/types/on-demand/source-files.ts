import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';
import { changedAt } from './configs.js';

interface Entry {
  readonly text: string;
  /** When the file was changed last; files of packages are not looked at again. */
  readonly time: number | undefined;
  file: ts.SourceFile | undefined;
}

/** Texts and trees of files for all programs that parse alike; what does not change is parsed once. */
export class SourceFiles {
  private readonly entries = new Map<string, Entry>();
  /** Counts the changes of files that were known. A program is out of date when it has moved on. */
  changes = 0;

  constructor(private readonly ts: TypeScript) {}

  has(file: string): boolean {
    return this.entries.has(file);
  }

  /** The text as an editor has it, saved or not. */
  put(file: string, text: string): void {
    const known = this.entries.get(file);
    if (known?.text === text) return;
    if (known) this.changes++;
    this.entries.set(file, { text, time: isOfPackage(file) ? undefined : changedAt(file), file: undefined });
  }

  get(file: string, options: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.SourceFile | undefined {
    if (!this.entries.has(file)) {
      const text = this.ts.sys.readFile(file);
      if (text === undefined) return undefined;
      this.put(file, text);
    }
    const entry = this.entries.get(file)!;
    return (entry.file ??= this.ts.createSourceFile(file, entry.text, options));
  }

  forgetChanged(): void {
    for (const [file, { time }] of this.entries) {
      if (isOfPackage(file) || changedAt(file) === time) continue;
      this.entries.delete(file);
      this.changes++;
    }
  }
}

const isOfPackage = (file: string): boolean => file.includes('/node_modules/');
