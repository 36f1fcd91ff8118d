import * as parser from '@typescript-eslint/parser';
import { type ESLint, Linter, type SourceCode } from 'eslint';
import type ts from 'typescript';
import { projectRoot } from './paths.js';

export interface Suggestion {
  readonly messageId: string;
  readonly title: string;
  readonly fix: Fix;
}

export interface Fix {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One report of a rule; `start` and `end` are offsets, lines and columns count from 1. */
export interface Report {
  readonly rule: string;
  readonly messageId: string;
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly start: number;
  readonly suggestions: readonly Suggestion[];
}

export interface LintOptions {
  /** Types come from here; without it the parser knows none. */
  readonly program?: ts.Program | undefined;
  /** Whether the plugin may then find types by itself. Not by default: most tests that give no program mean that there are none. */
  readonly typesOnDemand?: boolean | undefined;
  readonly settings?: Record<string, unknown> | undefined;
  /** Rules with their options, by full name; all rules of the plugin where it is absent. */
  readonly rules?: Linter.RulesRecord | undefined;
  /** The folder of the config; the top of this project where it is absent. */
  readonly cwd?: string | undefined;
  /** Instead of the parser of typescript-eslint. */
  readonly parser?: Linter.Parser | undefined;
}

export interface Linted {
  readonly reports: readonly Report[];
  /** What is not a report of a rule: syntax errors, broken comments of configuration. */
  readonly failures: readonly string[];
  readonly comments: readonly string[];
}

/**
 * Lints one text. Where a program is given, its text of the file must be `text`: the parser takes the program's tree and ignores
 * the text, so another text would be judged unseen.
 */
export function lint(plugin: ESLint.Plugin, path: string, text: string, options: LintOptions = {}): Linted {
  const inProgram = options.program?.getSourceFile(path)?.text;
  if (options.program && inProgram !== text.replace(byteOrderMark, '')) throw new Error(`The program holds another text of ${path}.`);
  const linter = new Linter({ cwd: options.cwd ?? projectRoot });
  const faults: string[] = [];
  const messages = verify(linter, text, path, configFor(plugin, options), faults);
  if (messages instanceof Error) return { reports: [], failures: [`crashed: ${messages.stack ?? messages.message}`], comments: [] };
  // The type of ESLint says that the tree is always there; after a syntax error there is none.
  const sourceCode = linter.getSourceCode() as SourceCode | null;
  return {
    reports: messages.filter((message) => !message.fatal && message.ruleId !== null).map((message) => reportOf(message, text)),
    failures: [...faults, ...messages.filter((message) => message.fatal ?? message.ruleId === null).map((message) => `${String(message.line)}: ${message.message}`)],
    comments: sourceCode?.getAllComments().map((comment) => comment.value.trim()) ?? [],
  };
}

/** A rule that crashes is a failure of this file alone; so is a fault that the plugin has caught and tells as a warning of the process. */
function verify(linter: Linter, text: string, path: string, config: Linter.Config, faults: string[]): Linter.LintMessage[] | Error {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, options?: unknown): void => {
    if ((options as { code?: string } | undefined)?.code === 'PG_ADVISORY_LOCK_FAULT') faults.push(String(warning));
    else Reflect.apply(emitWarning, process, [warning, options]);
  };
  try {
    return linter.verify(text, [config], { filename: path });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** ESLint takes it off before it hands the text to the parser; TypeScript takes it off as it reads a file. */
const byteOrderMark = /^\uFEFF/;

export function nameOf(plugin: ESLint.Plugin): string {
  return plugin.meta?.namespace ?? 'plugin';
}

function configFor(plugin: ESLint.Plugin, options: LintOptions): Linter.Config {
  const name = nameOf(plugin);
  const all = Object.fromEntries(Object.keys(plugin.rules ?? {}).map((rule) => [`${name}/${rule}`, 'error' as const]));
  return {
    files: ['**/*.*'],
    plugins: { [name]: plugin },
    languageOptions: {
      parser: options.parser ?? (parser),
      parserOptions: options.program ? { programs: [options.program] } : {},
    },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    rules: options.rules ?? all,
    settings: { [name]: { typesOnDemand: options.typesOnDemand ?? false, ...options.settings } },
  };
}

function reportOf(message: Linter.LintMessage, text: string): Report {
  const { line, column, endLine = line, endColumn = column } = message;
  return {
    rule: message.ruleId?.replace(/^.*\//, '') ?? '',
    messageId: message.messageId ?? '',
    message: message.message,
    line, column, endLine, endColumn,
    start: offsetOf(text, line, column),
    suggestions: (message.suggestions ?? []).map(({ messageId = '', desc, fix }) => (
      { messageId, title: desc, fix: { start: fix.range[0], end: fix.range[1], text: fix.text } }
    )),
  };
}

function offsetOf(text: string, line: number, column: number): number {
  const lineBreaks = text.matchAll(/\r\n|[\r\n\u2028\u2029]/g);
  let start = 0;
  for (let passed = 1; passed < line; passed += 1) {
    const next = lineBreaks.next();
    if (next.done) break;
    start = next.value.index + next.value[0].length;
  }
  return start + column - 1;
}

export function applyFix(text: string, fix: Fix): string {
  return text.slice(0, fix.start) + fix.text + text.slice(fix.end);
}
