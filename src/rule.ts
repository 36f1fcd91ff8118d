import type { JSONSchema4 } from '@typescript-eslint/utils/json-schema';
import type { ReportDescriptor, RuleContext, RuleFixer, RuleModule, SourceCode } from '@typescript-eslint/utils/ts-eslint';
import { factsOf, factsOfText, forgetLinted, inHouse, keyOf, needOf, noteText, type FileFacts } from './analysis/facts.js';
import type { Source } from './analysis/regions.js';
import { announceToWorker, findingsFromWorker, isServer, placeOfTypes, tellWorker } from './worker/client.js';
import { unfolding, type Edit, type Rewrite } from './rewrites/index.js';
import { safely } from './safely.js';
import { readSettings, settingsKey, type Settings } from './settings/index.js';

export { noteText };

/** What every rule of the plugin has in common: it judges the facts of a file once, and reports with suggestions. */

export interface RuleDocs {
  readonly description: string;
  readonly recommended: true;
}

export interface Suggestion<MessageId extends string> {
  readonly messageId: MessageId;
  readonly data?: Record<string, string>;
  readonly rewrite: () => Rewrite | undefined;
}

export interface Finding<MessageId extends string> {
  readonly loc: ReportDescriptor<MessageId>['loc'];
  readonly messageId: MessageId;
  readonly data: Record<string, string>;
  readonly suggestions?: readonly Suggestion<MessageId>[];
}

export interface Judgement<Options, MessageId extends string> {
  readonly facts: FileFacts;
  readonly sourceCode: Source;
  readonly options: Options;
  readonly report: (finding: Finding<MessageId>) => void;
}

interface RuleDescription<Options extends object, MessageId extends string> {
  readonly docs: RuleDocs;
  readonly messages: Record<MessageId, string>;
  /** Whether it ever offers a rewrite. */
  readonly suggests?: boolean;
  /** Schema of the one options object. */
  readonly options: Record<string, JSONSchema4>;
  readonly defaults: Options;
  readonly judge: (judgement: Judgement<Options, MessageId>) => void;
}

export type Rule<Options extends object, MessageId extends string> = RuleModule<MessageId, [Options], RuleDocs>;

/** What is asked about a file: by text, so that it can be asked anywhere. */
export interface JudgedFile {
  readonly fileName: string;
  readonly text: string;
  /** Which time it is that a file is linted. In an editor the same text may be judged anew, since another file has changed. */
  readonly pass: number;
  /** The one options object of the rule, with its defaults. */
  readonly options: object;
  readonly settings: Settings;
}

/** A finding as data, its rewrites made. */
export interface PlainFinding {
  readonly loc: Finding<string>['loc'];
  readonly messageId: string;
  readonly data: Record<string, string>;
  readonly suggestions: readonly { readonly messageId: string; readonly data: Record<string, string>; readonly edits: readonly Edit[] }[];
}

type Judge = (facts: FileFacts, file: JudgedFile) => PlainFinding[];

const judges = new WeakMap<object, Judge>();

export function createRule<Options extends object, MessageId extends string>({ docs, messages, suggests = false, options: properties, defaults, judge }: RuleDescription<Options, MessageId>): Rule<Options, MessageId> {
  const hasOptions = Object.keys(properties).length > 0;
  const judgeFile: Judge = (facts, { fileName, options }) => {
    const found: PlainFinding[] = [];
    // Some facts are made when they are first asked for.
    safely('judge', fileName, () => { judge({ facts, options: options as Options, sourceCode: facts.source, report: (finding) => found.push(plain(finding, facts, fileName)) }); });
    return found;
  };
  const rule: Rule<Options, MessageId> = {
    meta: {
      type: 'problem', docs, messages, ...(suggests ? { hasSuggestions: true, fixable: 'code' } : {}), ...(hasOptions ? { defaultOptions: [defaults] } : {}),
      schema: hasOptions ? [{ type: 'object', properties, additionalProperties: false }] : [],
    },
    create(context: Readonly<RuleContext<MessageId, [Options]>>) {
      begin(context);
      return {
        'Program:exit'(): void {
          const { sourceCode, filename: fileName, id } = context;
          const { settings, faults } = readSettings(context.settings);
          const file = { fileName, text: sourceCode.text, pass: passOf(sourceCode.ast), options: { ...defaults, ...context.options[0] }, settings };
          const found = inHouse(settings.house, () => findingsIn(sourceCode, file, id.replace(/^.*\//, ''), judgeFile));
          if (!found) return;
          sayOnce(context, faults);
          for (const finding of found) context.report(descriptorOf(finding, settings));
        },
      };
    },
  };
  judges.set(rule, judgeFile);
  return rule;
}

const passes = new WeakMap<object, number>();
let lastPass = 0;

/** The rules of one pass share one tree. */
function passOf(ast: object): number {
  const known = passes.get(ast) ?? ++lastPass;
  passes.set(ast, known);
  return known;
}

const begun = new WeakSet<object>();

/** The worker works while the host runs its other rules over the file. */
function begin({ sourceCode, filename: fileName, settings: written }: Readonly<RuleContext<string, unknown[]>>): void {
  if (begun.has(sourceCode.ast)) return;
  begun.add(sourceCode.ast);
  if (isServer) setImmediate(forgetLinted).unref();
  const { settings } = readSettings(written);
  const need = inHouse(settings.house, () => needOf(sourceCode, fileName, settings));
  if (need === 'ownTypes' && settings.typesOnDemand) announceToWorker({ fileName, text: sourceCode.text, pass: passOf(sourceCode.ast), settings });
}

/** `undefined` for a file without locks. Where the host gives no types, the worker that has its own judges the file. */
function findingsIn(sourceCode: Readonly<SourceCode>, file: JudgedFile, rule: string, judge: Judge): readonly PlainFinding[] | undefined {
  const { fileName, text, settings } = file;
  const need = needOf(sourceCode, fileName, settings);
  if (need === 'nothing') {
    tellOnce(sourceCode.ast, fileName, text);
    return undefined;
  }
  const place = need === 'ownTypes' && settings.typesOnDemand ? placeOfTypes() : 'nowhere';
  const fromWorker = place === 'worker' ? findingsFromWorker({ ...file, rule }) : undefined;
  if (fromWorker) return fromWorker;
  const facts = factsOf(sourceCode, fileName, { typesOnDemand: place === 'here' });
  return facts && judge(facts, file);
}

const told = new WeakSet<object>();

/** A file without locks may be one that a file with locks imports, newer in the editor than on disk. */
function tellOnce(ast: object, fileName: string, text: string): void {
  if (told.has(ast)) return;
  told.add(ast);
  tellWorker(fileName, text);
  noteText(fileName, text);
}

type Asked = Omit<JudgedFile, 'options'>;

let latest: { readonly file: Asked; readonly made: ReturnType<typeof factsOfText> } | undefined;

/** Makes the facts of a file that no host has parsed, before a rule asks for them. */
export function prepare(file: Asked): void {
  inHouse(file.settings.house, () => { madeOf(file); });
}

function madeOf(file: Asked): ReturnType<typeof factsOfText> {
  const isSame = latest?.file.pass === file.pass && latest.file.fileName === file.fileName && keyOf(latest.file.settings.house) === keyOf(file.settings.house);
  if (!latest || !isSame) latest = { file, made: factsOfText(file.fileName, file.text) };
  return latest.made;
}

/** What a rule finds in a file that no host has parsed; `undefined` where there are no types for it. */
export function findingsWithOwnTypes(rule: object, file: JudgedFile): readonly PlainFinding[] | undefined {
  return inHouse(file.settings.house, () => {
    const made = madeOf(file);
    return made && (made.facts ? (judges.get(rule)?.(made.facts, file) ?? []) : []);
  });
}

const said = new WeakSet<object>();

/** A wrong setting is one report at the top of each file with locks, whichever rule comes first. */
function sayOnce(context: Readonly<RuleContext<string, unknown[]>>, faults: readonly string[]): void {
  const { ast } = context.sourceCode;
  if (faults.length === 0 || said.has(ast)) return;
  said.add(ast);
  const report = context.report as unknown as (descriptor: { loc: object; message: string }) => void;
  report({ loc: { line: 1, column: 0 }, message: `Wrong ESLint settings in \`settings['${settingsKey}']\`: ${faults.join('; ')}. What is wrong counts as not set; the rest holds.` });
}

function plain({ loc, messageId, data, suggestions = [] }: Finding<string>, facts: FileFacts, fileName: string): PlainFinding {
  const offered = suggestions.flatMap(({ messageId: id, data: more = {}, rewrite }) => {
    const made = safely('rewrite', fileName, () => unfolding(rewrite, facts));
    return made ? [{ messageId: id, data: more, edits: made.edits }] : [];
  });
  return { loc, messageId, data, suggestions: offered };
}

function descriptorOf<MessageId extends string>({ loc, messageId, data, suggestions }: PlainFinding, { fixSuggestions }: Settings): ReportDescriptor<MessageId> {
  const suggest = suggestions.map(({ edits, ...rest }) => ({ ...rest, fix: (fixer: RuleFixer) => edits.map(({ range, text }) => fixer.replaceTextRange([...range], text)) }));
  const fix = fixSuggestions && suggest[0] ? { fix: suggest[0].fix } : {};
  return { loc, messageId, data, suggest, ...fix } as unknown as ReportDescriptor<MessageId>;
}
