import type { JSONSchema4 } from '@typescript-eslint/utils/json-schema';
import type { ReportDescriptor, RuleContext, RuleFixer, RuleModule } from '@typescript-eslint/utils/ts-eslint';
import { factsOf, type FileFacts } from './analysis/facts.js';
import type { Source } from './analysis/regions.js';
import type { Rewrite } from './rewrites/index.js';
import { safely } from './safely.js';
import { readSettings, type Settings } from './settings.js';

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

export function createRule<Options extends object, MessageId extends string>({ docs, messages, suggests = false, options: properties, defaults, judge }: RuleDescription<Options, MessageId>): Rule<Options, MessageId> {
  const hasOptions = Object.keys(properties).length > 0;
  return {
    meta: {
      type: 'problem', docs, messages, ...(suggests ? { hasSuggestions: true, fixable: 'code' } : {}), ...(hasOptions ? { defaultOptions: [defaults] } : {}),
      schema: hasOptions ? [{ type: 'object', properties, additionalProperties: false }] : [],
    },
    create(context: Readonly<RuleContext<MessageId, [Options]>>) {
      return {
        'Program:exit'(): void {
          const { settings, faults } = readSettings(context.settings);
          const facts = factsOf(context.sourceCode, context.filename, settings);
          if (!facts) return;
          sayOnce(context, faults);
          const options = { ...defaults, ...context.options[0] };
          judge({ facts, options, sourceCode: facts.source, report: (finding) => context.report(toDescriptor(finding, context.filename, settings)) });
        },
      };
    },
  };
}

const said = new WeakSet<object>();

/** A wrong setting is one report at the top of each file with locks, whichever rule comes first. */
function sayOnce(context: Readonly<RuleContext<string, unknown[]>>, faults: readonly string[]): void {
  const { ast } = context.sourceCode;
  if (faults.length === 0 || said.has(ast)) return;
  said.add(ast);
  const report = context.report as unknown as (descriptor: { loc: object; message: string }) => void;
  report({ loc: { line: 1, column: 0 }, message: `Wrong ESLint settings: ${faults.join('; ')}. They are not applied.` });
}

function toDescriptor<MessageId extends string>({ loc, messageId, data, suggestions }: Finding<MessageId>, fileName: string, { fixSuggestions }: Settings): ReportDescriptor<MessageId> {
  const offered = (suggestions ?? []).flatMap(({ messageId: id, data: more, rewrite }) => {
    const made = safely('rewrite', fileName, rewrite);
    return made ? [{ messageId: id, data: more ?? {}, fix: (fixer: RuleFixer) => made.edits.map(({ range, text }) => fixer.replaceTextRange([...range], text)) }] : [];
  });
  const fix = fixSuggestions && offered[0] ? { fix: offered[0].fix } : {};
  return { loc, messageId, data, suggest: offered, ...fix } as unknown as ReportDescriptor<MessageId>;
}
