import type { ParserServicesWithTypeInformation } from '@typescript-eslint/utils';
import type { SourceCode } from '@typescript-eslint/utils/ts-eslint';
import { isCode, programFor, toPath } from './on-demand/index.js';
import { importsByName, mentionsLocks, type Words } from './gate.js';
import { mayImportLocks } from './imports/program.js';
import { ProgramTypes } from './program-types.js';
import { ScopeTypes } from './scope-types.js';
import { rememberTree } from './tree.js';
import type { Types } from './types.js';
import { AnswersUnlessTooDeep } from './unless-deep.js';

export { packageAround } from './declared.js';
export { mentionsLocks, wordsOf } from './gate.js';
export type { Words } from './gate.js';
export { TextModules } from './imports/texts.js';
export { noteText } from './on-demand/index.js';
export { Source } from './source.js';
export type { Tree } from './tree.js';
export { sourceOf, treeOf, variableOf } from './tree.js';
export type { Definition, TypeFacts, TypeName, Types } from './types.js';

/**
 * What a file needs of the types room: nothing where it cannot hold advisory locks, which costs one scan of its text; types of our own
 * where its host has no program.
 */
export function needOf(sourceCode: Readonly<SourceCode>, fileName: string, words: Words): Need {
  const { ast, text } = sourceCode;
  const known = needs.get(ast)?.get(words);
  if (known) return known;
  const program = servicesOf(sourceCode)?.program ?? undefined;
  const passes = mentionsLocks(text, words) || importers.has(fileName) || (program === undefined ? importsByName(text) : mayImportLocks(fileName, program, words));
  const need = !passes ? 'nothing' : program === undefined && isCode(fileName) ? 'ownTypes' : 'hostTypes';
  needs.set(ast, (needs.get(ast) ?? new Map<Words, Need>()).set(words, need));
  return need;
}

type Need = 'nothing' | 'hostTypes' | 'ownTypes';

const needs = new WeakMap<object, Map<Words, Need>>();

const importers = new Set<string>();

/** Tells of files that may use lock SQL that they import: who has looked at a whole repository knows, a host without types does not. */
export function noteImporters(fileNames: Iterable<string>): void {
  for (const one of fileNames) importers.add(one);
}

/**
 * The source of types for a linted file; `undefined` for a file without locks. With typed linting the program of the config answers;
 * without it, one of our own, over a tree of our own; else the file's scopes.
 */
export function typesFor(sourceCode: Readonly<SourceCode>, fileName: string, words: Words, { onDemand }: { readonly onDemand: boolean }): Types | undefined {
  const need = needOf(sourceCode, fileName, words);
  if (need === 'nothing') return undefined;
  const own = (): Types | undefined => sharedTypes(sourceCode, fileName, words) ?? ownTypes(fileName, sourceCode.text, words);
  return fromServices(sourceCode, fileName) ?? (onDemand && need === 'ownTypes' ? own() : undefined) ?? fromScopes(sourceCode, fileName);
}

type Services = Partial<ParserServicesWithTypeInformation> | undefined;

const servicesOf = ({ parserServices }: Readonly<SourceCode>): Services => parserServices as Services;

function fromServices(sourceCode: Readonly<SourceCode>, fileName: string): Types | undefined {
  const { ast, text, scopeManager } = sourceCode;
  const services = servicesOf(sourceCode);
  if (!services?.program || !services.esTreeNodeToTSNodeMap || !services.tsNodeToESTreeNodeMap || !scopeManager) return undefined;
  return guarded(ProgramTypes.of(rememberTree({ ast, fileName, text, scopes: scopeManager }), services as ParserServicesWithTypeInformation));
}

/** Types from a program of our own, for a file that no host need have parsed. */
export function ownTypes(fileName: string, text: string, words: Words): Types | undefined {
  const program = programFor(fileName, text, words);
  return program && guarded(ProgramTypes.ofFile(toPath(fileName), program));
}

/** Types from a program of our own that has the very tree of the host: nothing is parsed or converted twice. */
function sharedTypes(sourceCode: Readonly<SourceCode>, fileName: string, words: Words): Types | undefined {
  const { ast, text, scopeManager } = sourceCode;
  const { esTreeNodeToTSNodeMap } = servicesOf(sourceCode) ?? {};
  const parsed = esTreeNodeToTSNodeMap?.get(ast);
  const program = parsed && scopeManager ? programFor(fileName, text, words, parsed) : undefined;
  if (!program || program.getSourceFile(toPath(fileName)) !== parsed) return undefined;
  const tree = rememberTree({ ast, fileName, text, scopes: scopeManager! });
  return guarded(ProgramTypes.of(tree, { ...servicesOf(sourceCode), program } as ParserServicesWithTypeInformation));
}

const guarded = (types: ProgramTypes | undefined): Types | undefined => types && new AnswersUnlessTooDeep(types);

function fromScopes({ ast, text, scopeManager }: Readonly<SourceCode>, fileName: string): Types | undefined {
  return scopeManager ? new ScopeTypes(rememberTree({ ast, fileName, text, scopes: scopeManager })) : undefined;
}
