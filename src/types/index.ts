import type { ParserServicesWithTypeInformation } from '@typescript-eslint/utils';
import type { SourceCode } from '@typescript-eslint/utils/ts-eslint';
import { noteText, programFor, toPath } from './on-demand/index.js';
import { mayImportLocks, mentionsLocks } from './gate.js';
import { ProgramTypes } from './program-types.js';
import { ScopeTypes } from './scope-types.js';
import { rememberTree } from './tree.js';
import type { Types } from './types.js';

export { Source } from './source.js';
export type { Tree } from './tree.js';
export { sourceOf, treeOf } from './tree.js';
export type { Definition, TypeFacts, TypeName, Types } from './types.js';

/**
 * The source of types for a linted file; `undefined` for a file that cannot hold advisory locks, which costs one scan of its text.
 * With typed linting the program of the config answers; without it, one of our own, over a tree of our own; else the file's scopes.
 */
export function typesFor(sourceCode: Readonly<SourceCode>, fileName: string, { onDemand }: { readonly onDemand: boolean }): Types | undefined {
  const services = sourceCode.parserServices as Partial<ParserServicesWithTypeInformation> | undefined;
  const program = services?.program ?? undefined;
  const { text } = sourceCode;
  if (!mentionsLocks(text) && !(program && mayImportLocks(text, program))) {
    if (!program) noteText(fileName, text);
    return undefined;
  }
  return fromServices(sourceCode, fileName, services) ?? (onDemand && !program ? ownTypes(fileName, text) : undefined) ?? fromScopes(sourceCode, fileName);
}

function fromServices({ ast, text, scopeManager }: Readonly<SourceCode>, fileName: string, services: Partial<ParserServicesWithTypeInformation> | undefined): Types | undefined {
  if (!services?.program || !services.esTreeNodeToTSNodeMap || !services.tsNodeToESTreeNodeMap || !scopeManager) return undefined;
  return ProgramTypes.of(rememberTree({ ast, fileName, text, scopes: scopeManager }), services as ParserServicesWithTypeInformation);
}

function ownTypes(fileName: string, text: string): Types | undefined {
  const program = programFor(fileName, text);
  return program && ProgramTypes.ofFile(toPath(fileName), program);
}

function fromScopes({ ast, text, scopeManager }: Readonly<SourceCode>, fileName: string): Types | undefined {
  return scopeManager ? new ScopeTypes(rememberTree({ ast, fileName, text, scopes: scopeManager })) : undefined;
}
