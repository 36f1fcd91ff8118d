import path from 'node:path';
import { compileErrors, compilerOptionsOf, programErrors, ProgramFactory } from '../support/program.js';
import type { Sources } from './run-source.js';

const factories = new Map<string, ProgramFactory>();

/** What the compiler says of sources that stand in `folder`, under the `tsconfig.json` there. */
export function typeErrors(folder: string, sources: Sources): string[] {
  const factory = factories.get(folder) ?? new ProgramFactory(compilerOptionsOf(path.join(folder, 'tsconfig.json')));
  factories.set(folder, factory);
  const texts = new Map(Array.from(sources, ([file, text]) => [path.join(folder, file), text]));
  const program = factory.create(texts);
  return [...programErrors(program), ...Array.from(texts.keys(), file => compileErrors(program, file)).flat()];
}
