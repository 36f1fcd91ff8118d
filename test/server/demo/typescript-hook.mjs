/** Lets Node import the TypeScript files next to the demo. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** @type {import('node:module').ResolveHookSync} */
export function resolve(specifier, context, nextResolve) {
  if (/^\..*\.js$/.test(specifier) && context.parentURL?.startsWith('file:')) {
    const [compiled, source] = ['.js', '.ts'].map(suffix => new URL(specifier.replace(/\.js$/, suffix), context.parentURL));
    if (source && compiled && existsSync(source) && !existsSync(compiled)) return nextResolve(source.href, context);
  }
  return nextResolve(specifier, context);
}

/** @type {import('node:module').LoadHookSync} */
export function load(url, context, nextLoad) {
  if (!url.endsWith('.ts')) return nextLoad(url, context);
  const fileName = fileURLToPath(url);
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true, inlineSourceMap: true };
  const { outputText } = ts.transpileModule(readFileSync(fileName, 'utf8'), { fileName, compilerOptions });
  return { format: 'module', source: outputText, shortCircuit: true };
}
