import type ts from 'typescript';
import { specifiersOf } from '../imports/program-takes.js';
import { resolvedBy } from '../imports/resolve.js';
import type { TypeScript } from '../typescript.js';

interface Missing {
  readonly specifier: ts.StringLiteralLike;
  readonly file: ts.SourceFile;
}

const known = new WeakMap<ts.Program, readonly Missing[]>();

/** The relative imports of the user's own files that lead nowhere: to what was deleted, or is still to be written. */
function missingIn(ts: TypeScript, program: ts.Program): readonly Missing[] {
  const missing = known.get(program) ?? program.getSourceFiles().filter((file) => !file.isDeclarationFile && !file.fileName.includes('/node_modules/'))
    .flatMap((file) => specifiersOf(ts, file).filter((one) => /^\.\.?(?:\/|$)/.test(one.text) && !resolvedBy(ts, program, one, file)).map((specifier) => ({ specifier, file })));
  known.set(program, missing);
  return missing;
}

/** Whether a file has come to be, or has come back, that an import of a program did not find: a program made of the old one would not look for it. */
export function hasComeToBe(ts: TypeScript, program: ts.Program, host: ts.ModuleResolutionHost): boolean {
  const options = program.getCompilerOptions();
  return missingIn(ts, program).some(({ specifier, file }) => ts.resolveModuleName(specifier.text, file.fileName, options, host, undefined, undefined, ts.getModeForUsageLocation(file, specifier, options)).resolvedModule !== undefined);
}
