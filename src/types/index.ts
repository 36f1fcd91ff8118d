import type { ParserServicesWithTypeInformation } from '@typescript-eslint/utils';
import type { SourceCode } from '@typescript-eslint/utils/ts-eslint';
import { mayImportLocks, mentionsLocks } from './gate.js';
import { ProgramTypes } from './program-types.js';
import { ScopeTypes } from './scope-types.js';
import { rememberTree } from './tree.js';
import type { Types } from './types.js';
import { typescript } from './typescript.js';

export { importsFrom, lockFilesAmong, mentionsLocks } from './gate.js';
export type { LockFiles } from './gate.js';
export type { Tree } from './tree.js';
export { sourceOf, treeOf } from './tree.js';
export type { Definition, TypeFacts, TypeName, Types } from './types.js';

/**
 * The source of types for a linted file; `undefined` for a file that cannot hold advisory locks, which costs one scan of its text.
 * With typed linting the program of the config answers; without it, the file's own scopes do.
 */
export function typesFor(sourceCode: Readonly<SourceCode>, fileName: string): Types | undefined {
  const services = sourceCode.parserServices as Partial<ParserServicesWithTypeInformation> | undefined;
  const program = services?.program ?? undefined;
  const passes = mentionsLocks(sourceCode.text) || (program !== undefined && mayImportLocks(sourceCode.text, program));
  if (!passes || !sourceCode.scopeManager) return undefined;
  const tree = rememberTree({ ast: sourceCode.ast, fileName, text: sourceCode.text, scopes: sourceCode.scopeManager });
  if (program && services?.esTreeNodeToTSNodeMap && services.tsNodeToESTreeNodeMap) {
    const typed = ProgramTypes.of(tree, services as ParserServicesWithTypeInformation);
    if (typed) return typed;
  } else if (/\.[cm]?tsx?$/.test(fileName)) {
    typescript(); // says once why there are no types, where an unfit version is the reason
  }
  return new ScopeTypes(tree);
}
