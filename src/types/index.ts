import type { ParserServicesWithTypeInformation } from '@typescript-eslint/utils';
import type { SourceCode } from '@typescript-eslint/utils/ts-eslint';
import { importsByName, mentionsLocks, type Words } from './gate.js';
import { mayImportLocks } from './imports/program.js';
import { importsByText, importsByTree } from './imports/without-program.js';
import { isCode, noteForPrograms, programFor, toPath } from './on-demand/index.js';
import { forgetLinted, ProgramTypes } from './program-types.js';
import { ScopeTypes } from './scope-types.js';
import { rememberTree } from './tree.js';
import type { Types } from './types.js';
import { AnswersUnlessTooDeep } from './unless-deep.js';

export { forgetLinted };
export { packageAround } from './declared.js';
export { mentionsLocks, wordsOf } from './gate.js';
export type { Words } from './gate.js';
export { startsOfLines } from './lines.js';
export { TextModules } from './imports/texts.js';
export { Source } from './source.js';
export type { Tree } from './tree.js';
export { isOfOneTree, sourceOf, treeOf, variableOf } from './tree.js';
export type { Definition, TypeFacts, TypeName, Types } from './types.js';

/**
 * What a file needs of the types room: nothing where it cannot hold advisory locks, which costs one scan of its text, and one of each that
 * it imports; types of our own where its host has no program.
 */
export function needOf(sourceCode: Readonly<SourceCode>, fileName: string, words: Words, { onDemand }: OnDemand): Need {
  const { ast, text } = sourceCode;
  const known = needs.get(ast)?.get(words);
  if (known) return known;
  const program = servicesOf(sourceCode)?.program ?? undefined;
  const passes = program === undefined ? passesByText(fileName, text, words, onDemand) : mentionsLocks(text, words) || importers.has(fileName) || mayImportLocks(fileName, program, words);
  const need = !passes ? 'nothing' : program === undefined && isCode(fileName) ? 'ownTypes' : 'hostTypes';
  needs.set(ast, (needs.get(ast) ?? new Map<Words, Need>()).set(words, need));
  return need;
}

interface OnDemand {
  /** Whether types of our own may be made for a file: without any, what it imports tells nothing. */
  readonly onDemand: boolean;
}

function passesByText(fileName: string, text: string, words: Words, onDemand: boolean): boolean {
  const asksDisk = onDemand && isCode(fileName);
  if (asksDisk) importsByText.note(fileName, text, words);
  return mentionsLocks(text, words) || importers.has(fileName) || importsByName(text) || (asksDisk && importsByText.reach(fileName, text, words));
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
export function typesFor(sourceCode: Readonly<SourceCode>, fileName: string, words: Words, { onDemand }: OnDemand): Types | undefined {
  const need = needOf(sourceCode, fileName, words, { onDemand });
  if (need === 'nothing') return undefined;
  const own = onDemand && need === 'ownTypes' ? ownTypes(fileName, sourceCode.text, words, sourceCode) : undefined;
  return own === 'not needed' ? undefined : fromServices(sourceCode, fileName) ?? own ?? fromScopes(sourceCode, fileName);
}

type Services = Partial<ParserServicesWithTypeInformation> | undefined;

const servicesOf = ({ parserServices }: Readonly<SourceCode>): Services => parserServices as Services;

/** Answers for the tree of the host: by its own program, or one that has taken over the tree. */
function fromServices(sourceCode: Readonly<SourceCode>, fileName: string, program = servicesOf(sourceCode)?.program): Types | undefined {
  const { ast, text, scopeManager } = sourceCode;
  const services = servicesOf(sourceCode);
  if (!program || !services?.esTreeNodeToTSNodeMap || !services.tsNodeToESTreeNodeMap || !scopeManager) return undefined;
  return guarded(ProgramTypes.of(rememberTree({ ast, fileName, text, scopes: scopeManager }), { ...services, program } as ParserServicesWithTypeInformation));
}

/**
 * Types from a program of our own, for a file that no host need have parsed. They are not needed where it turns out, before a program is
 * made or by it, that a file without locks of its own imports none.
 * @param host who has parsed it: where the program can have the very tree, nothing is parsed or converted twice
 */
export function ownTypes(fileName: string, text: string, words: Words, host?: Readonly<SourceCode>): Types | 'not needed' | undefined {
  const isLocking = mentionsLocks(text, words);
  importsByTree.note(fileName, text, words);
  if (!isLocking && !importers.has(fileName) && !importsByName(text) && !importsByTree.reach(fileName, text, words)) {
    noteForPrograms(fileName, text);
    return 'not needed';
  }
  const parsed = host && servicesOf(host)?.esTreeNodeToTSNodeMap?.get(host.ast);
  const program = programFor(fileName, text, words, parsed);
  if (!program) return undefined;
  if (!isLocking && !mayImportLocks(toPath(fileName), program, words)) return 'not needed';
  const isShared = parsed !== undefined && program.getSourceFile(toPath(fileName)) === parsed;
  return (isShared ? fromServices(host!, fileName, program) : undefined) ?? guarded(ProgramTypes.ofFile(toPath(fileName), program));
}

/** Tells of a file without locks: its text may be newer than the one on disk. */
export function noteText(fileName: string, text: string): void {
  noteForPrograms(fileName, text);
  importsByTree.noteForAll(fileName, text);
}

const guarded = (types: ProgramTypes | undefined): Types | undefined => types && new AnswersUnlessTooDeep(types);

function fromScopes({ ast, text, scopeManager }: Readonly<SourceCode>, fileName: string): Types | undefined {
  return scopeManager ? new ScopeTypes(rememberTree({ ast, fileName, text, scopes: scopeManager })) : undefined;
}
