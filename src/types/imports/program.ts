import type ts from 'typescript';
import { mentionsLocks, type Words } from '../gate.js';
import { typescript, type TypeScript } from '../typescript.js';
import { Carriers, type Between, type Carrier } from './carriers.js';
import { carriedOf, partsOf, renamedBy } from './parts.js';
import { takesOf } from './program-takes.js';
import { resolvedBy } from './resolve.js';

/** Which files of a program may use lock SQL that they import, or what wraps it: by what each import is resolved to. */

const isOwn = (file: ts.SourceFile): boolean => !file.isDeclarationFile && !file.fileName.includes('/node_modules/');

const mentioning = new WeakMap<ts.SourceFile, Map<Words, boolean>>();

/** Editors make a program anew at each key, of the same files but one. */
function mentions(file: ts.SourceFile, words: Words): boolean {
  const known = mentioning.get(file) ?? new Map<Words, boolean>();
  const answer = known.get(words) ?? mentionsLocks(file.text, words);
  mentioning.set(file, known.set(words, answer));
  return answer;
}

class LockImports {
  private readonly carriers: Carriers<ts.StringLiteralLike> | undefined;

  constructor(private readonly program: ts.Program, private readonly words: Words) {
    const own = program.getSourceFiles().filter(isOwn);
    const withLocks = new Set(own.filter((file) => mentions(file, words)));
    const ts = withLocks.size > 0 ? typescript() : undefined;
    if (ts) this.carriers = new Carriers(own.flatMap((file) => (withLocks.has(file) ? lockFile(ts, file, words) : handingOn(ts, file)) ?? []), (from, file) => this.resolve(ts, from, file));
  }

  reach(fileName: string): boolean {
    const ts = this.carriers && typescript();
    const file = ts && this.program.getSourceFile(fileName);
    if (!file) return false;
    const takes = takesOf(ts, file);
    return this.carriers.reach(file.fileName, takes, () => file.text) || this.carriers.reachThrough(file.fileName, takes, (name) => this.between(ts, name));
  }

  private between(ts: TypeScript, fileName: string): Between<ts.StringLiteralLike> | undefined {
    const file = this.program.getSourceFile(fileName);
    return file && !mentions(file, this.words) ? { takes: takesOf(ts, file), text: file.text } : undefined;
  }

  private resolve(ts: TypeScript, specifier: ts.StringLiteralLike, fileName: string): readonly string[] {
    const file = this.program.getSourceFile(fileName);
    const target = file && resolvedBy(ts, this.program, specifier, file);
    return target && isOwn(target) ? [target.fileName] : [];
  }
}

function lockFile(ts: TypeScript, file: ts.SourceFile, words: Words): Carrier<ts.StringLiteralLike> {
  return { file: file.fileName, takes: takesOf(ts, file), carriedGiven: (locals) => carriedOf(partsOf(ts, file, words), locals) };
}

/** `undefined` for a file that hands on nothing that it takes. */
function handingOn(ts: TypeScript, file: ts.SourceFile): Carrier<ts.StringLiteralLike> | undefined {
  const renamed = renamedBy(ts, file);
  const handedOn = new Set(renamed.map(([local]) => local));
  const takes = takesOf(ts, file).filter(({ as, local }) => as !== undefined || (local !== undefined && handedOn.has(local)));
  return takes.length === 0 ? undefined : { file: file.fileName, takes, carriedGiven: (locals) => renamed.flatMap(([local, exported]) => (locals.has(local) ? [exported] : [])) };
}

const known = new WeakMap<ts.Program, Map<Words, LockImports>>();

/** Whether a file that does not mention locks may still use lock SQL that it imports. */
export function mayImportLocks(fileName: string, program: ts.Program, words: Words): boolean {
  const byWords = known.get(program) ?? new Map<Words, LockImports>();
  const imports = byWords.get(words) ?? new LockImports(program, words);
  known.set(program, byWords.set(words, imports));
  return imports.reach(fileName);
}
