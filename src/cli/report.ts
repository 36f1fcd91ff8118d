import type { ESLint, Linter } from 'eslint';
import { relative } from 'node:path';
import { posix } from './ignores.js';
import type { Applied } from './apply.js';
import type { Linting } from './lint.js';
import type { Options } from './options.js';
import { count, wrap, type Paint } from './style.js';

/** Findings as a person reads them. */

export interface Page {
  readonly cwd: string;
  readonly paint: Paint;
  /** In characters. */
  readonly width: number;
}

/** What was looked at, for the last line. */
export interface Looked {
  readonly files: number;
  readonly mentioning: number;
  readonly statements: number;
  /** Those of them whose connection is not known, and those that `--strict` reports for it. */
  readonly unknown: number;
  readonly inStrict: number;
  /** Files with lock statements, and those of them that types were had for. */
  readonly withLocks: number;
  readonly typed: number;
  /** Why there were none, where that is known. */
  readonly reasons: readonly string[];
  /** Handles whose type is `any` where there are types, by file. */
  readonly untyped: readonly string[];
}

const INDENT = ' '.repeat(10);

export function report(results: readonly ESLint.LintResult[], page: Page): string {
  return results.filter(({ messages }) => messages.length > 0).map((result) => {
    const lines = result.source?.split(/\r\n|[\n\r\u2028\u2029]/) ?? [];
    const findings = result.messages.map((message) => finding(message, lines[message.line - 1], page));
    return `${page.paint('underline', nameOf(result.filePath, page.cwd))}\n\n${findings.join('\n')}`;
  }).join('\n');
}

export const nameOf = (file: string, cwd: string): string => posix(relative(cwd, file)) || '.';

function finding(message: Linter.LintMessage, line: string | undefined, { paint, width }: Page): string {
  const { ruleId, suggestions = [] } = message;
  const place = `${message.line}:${message.column}`.padStart(8);
  const [wrong = '', advice] = splitAdvice(message.message);
  const rows = [
    `${paint('bold', place)}  ${message.fatal === true ? 'This file cannot be read: ' : ''}${wrap(wrong, width, INDENT)}`,
    ...(line === undefined ? [] : frame(line, message, width).map((one) => INDENT + paint('dim', one))),
    ...(advice === undefined ? [] : [INDENT + paint('green', wrap(advice, width, INDENT))]),
    ...(suggestions[0] ? [INDENT + wrap(`Quick fix: ${suggestions[0].desc}`, width, INDENT)] : []),
    ...(ruleId === null ? [] : [INDENT + paint('dim', ruleId)]),
  ];
  return `${rows.join('\n')}\n`;
}

/** What to do is the last sentence of a message. */
function splitAdvice(message: string): string[] {
  const at = message.lastIndexOf(' To fix it, ');
  return at < 0 ? [message] : [message.slice(0, at), message.slice(at + 1)];
}

/** The line of code, cut to the width, with a mark below what is spoken of. */
function frame(line: string, { column, endLine, endColumn, line: start, fatal }: Linter.LintMessage, width: number): string[] {
  const text = line.replaceAll('\t', ' ');
  const begin = text.length - text.trimStart().length;
  const end = endLine === start && endColumn !== undefined ? endColumn - 1 : fatal === true ? column : text.trimEnd().length;
  const room = width - INDENT.length - 2;
  const shown = text.slice(begin).trimEnd();
  const marked = Math.min(end, begin + room) - (column - 1);
  if (shown === '' || marked <= 0) return [];
  return [`| ${shown.length > room ? `${shown.slice(0, room - 1)}…` : shown}`, `| ${' '.repeat(column - 1 - begin)}${'^'.repeat(marked)}`];
}

export function lastLines({ results, applied, before }: Pick<Linting, 'results' | 'applied' | 'before'>, looked: Looked, { fixSuggestions, strict }: Pick<Options, 'fixSuggestions' | 'strict'>, { paint, width }: Page): string {
  const messages = results.flatMap((one) => one.messages);
  const [broken, found] = [messages.filter((one) => one.fatal === true).length, messages.filter((one) => one.fatal !== true).length];
  const inFiles = results.filter((one) => one.messages.some((message) => message.fatal !== true)).length;
  const verdict = found > 0 ? paint('red', `${count(found, 'finding')} in ${count(inFiles, 'file')}.`) : paint(broken > 0 ? 'red' : 'green', 'Nothing found.');
  const fixes = fixSuggestions ? 0 : messages.filter((one) => one.suggestions?.length).length;
  return [
    ...(fixSuggestions ? appliedLines(applied, before.size, width) : []),
    paint('bold', verdict) + (broken > 0 ? ` ${count(broken, 'file')} could not be read.` : ''),
    lookedAt(looked, strict ? 'strict' : 'findings'),
    ...(fixes > 0 ? [`${count(fixes, 'finding')} with a quick fix: --fix-suggestions applies ${fixes === 1 ? 'it' : 'them'}, for you to review.`] : []),
  ].join('\n');
}

/** What was applied, in the words of each quick fix: they say what else it takes. */
function appliedLines(applied: Applied, files: number, width: number): string[] {
  const all = [...applied.values()].reduce((sum, one) => sum + one, 0);
  if (all === 0) return ['No quick fix was applied.'];
  return [`${count(all, 'quick fix', 'quick fixes')} applied in ${count(files, 'file')}, for you to review:`, ...[...applied].map(([title, times]) => `  ${times} x ${wrap(title, width, '      ')}`)];
}

/** What the lines stand below: an inventory lists what a report says nothing of. */
type Shown = 'findings' | 'strict' | 'inventory';

/** "2040 source files looked at: 7 mention advisory locks, 12 lock statements in 5 files, 2 of them on a connection that is not known." */
export function lookedAt(looked: Looked, shown: Shown): string {
  const { files, mentioning, statements, withLocks } = looked;
  const mention = mentioning === 0 ? 'none mentions advisory locks' : `${mentioning} ${mentioning === 1 ? 'mentions' : 'mention'} advisory locks`;
  return `${count(files, 'source file')} looked at: ${mention}, ${count(statements, 'lock statement')}${statements > 0 ? ` in ${count(withLocks, 'file')}` : ''}${unknownOf(looked, shown)}.${typesLine(looked)}`;
}

function unknownOf({ unknown, inStrict, statements }: Looked, shown: Shown): string {
  if (unknown === 0) return '';
  const which = statements === 1 ? ' on a connection that is not known' : `, ${unknown === statements ? 'all' : unknown} of them on a connection that is not known`;
  if (shown === 'inventory' || (shown === 'strict' && inStrict === unknown)) return which;
  return `${which} (${shown === 'findings' && inStrict === unknown ? '--strict' : '--inventory'} lists ${unknown === 1 ? 'it' : 'them'})`;
}

function typesLine({ withLocks, typed, reasons, untyped }: Looked): string {
  if (withLocks === 0) return '';
  if (typed === withLocks && untyped.length > 0) return `\nTypes were available, but not of what sends these statements, and nothing is said of its connection: ${untyped.join('; ')}. Where a package is not installed, or a client not generated, its type is \`any\`.`;
  if (typed === withLocks) return ' Types were available.';
  const which = typed === 0 ? 'Types were not available' : `Types were not available for ${withLocks - typed} of the ${count(withLocks, 'file')} with locks`;
  const why = reasons.length > 0 ? `: ${reasons.join(' ')}` : ': a connection that is made in another file, or passed in, is unknown, and nothing is said of it.';
  return `\n${which}${why}`;
}
