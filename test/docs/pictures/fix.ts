import type { Linter } from 'eslint';
import ts from 'typescript';
import { applySuggestions } from '../../server/apply-suggestions.js';
import type { Example } from './example.js';
import { type Look, type Picture, type Run, box, cellFor, line, margin, path, picture, squiggle, text, titleBar, widestCell, width } from './svg.js';

const row = 20;
const gutter = 4;

/** An editor with the reports of the example, the quick fixes on offer for the first of them, and the code once they are taken. */
export async function fixPicture({ file, code, messages, lint }: Example): Promise<Picture> {
  const after = await applySuggestions(code, lint);
  const start = changeFrom(code, after.text);
  const [old, now] = [code, after.text].map((one) => numbered(one).slice(start)) as [NumberedLine[], NumberedLine[]];
  const columns = gutter + Math.max(...[...old, ...now].map(({ text }) => text.length));
  const cell = cellFor(columns);
  const first = messages.find(({ suggestions }) => suggestions?.length) ?? messages[0];
  if (!first) throw new Error('ESLint has nothing to say of the example.');

  const content: string[] = [titleBar(file)];
  let y = 28;
  for (const one of old) {
    y += row;
    content.push(codeLine(one, y, cell), ...messages.filter(({ line }) => line === one.number).filter(isFirstThere).map((message) => underline(message, one, y, cell)));
    if (one.number !== first.line) continue;
    const titles = first.suggestions?.map(({ desc }) => desc) ?? [];
    content.push(...menu(titles, margin + (gutter + first.column - 1) * cell, y + 10));
    y += 14 + row * titles.length + 12;
  }
  const said = after.applied.map(({ description }) => description.replace(/\.$/, ''));
  y += 18;
  content.push(path('faint', `M0 ${String(y)}H${String(width)}`), text(`${file}, after: ${said.join('; ')}`, margin, y + 19, 'dim'), path('faint', `M0 ${String(y + 28)}H${String(width)}`));
  y += 28;
  for (const one of now) content.push(codeLine(one, y += row, cell));
  y += 28;
  content.push(text(`ESLint: ${String(after.messages.length)} problems left`, margin, y, after.messages.length === 0 ? 'green' : 'red'));

  const marked = messages.filter(isFirstThere).map((message) => code.split('\n')[message.line - 1]?.slice(message.column - 1, (message.endColumn ?? message.column) - 1));
  const words = `Editor: ${marked.join(' and ')} in ${file} are underlined, and the quick fix on offer is "${first.suggestions?.[0]?.desc ?? ''}" Below, the code after it: ${summaryOf(now)} ESLint has ${String(after.messages.length)} problems left.`;
  return picture(y + 16, words, content);
}

interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

function numbered(code: string): NumberedLine[] {
  return code.trimEnd().split('\n').map((text, at) => ({ number: at + 1, text }));
}

/** The line above the first that differs, counted from zero: with it, one sees what the change belongs to. */
function changeFrom(before: string, after: string): number {
  const now = after.split('\n');
  const differs = before.split('\n').findIndex((text, at) => text !== now[at]);
  return Math.max(0, differs - 1);
}

function isFirstThere(message: Linter.LintMessage, at: number, all: readonly Linter.LintMessage[]): boolean {
  return all.findIndex(({ line, column }) => line === message.line && column === message.column) === at;
}

function underline({ line: at, column, endLine, endColumn }: Linter.LintMessage, { text }: NumberedLine, y: number, cell: number): string {
  const end = endLine === at && endColumn !== undefined ? endColumn : text.length + 1;
  return squiggle(margin + (gutter + column - 1) * cell, y + 5, end - column, cell);
}

function menu(titles: readonly string[], x: number, y: number): string[] {
  const across = Math.max(...titles.map((title) => title.length)) * widestCell + 52;
  const left = Math.min(x, width - margin - across);
  return [
    box('bar', left, y, across, row * titles.length + 12, 6),
    ...titles.flatMap((title, at) => [
      ...(at === 0 ? [box('chosen', left + 4, y + 4, across - 8, row + 4, 4)] : []),
      text(title, left + 36, y + 20 + row * at),
      path('accent', `M${String(Math.round(left) + 17)} ${String(y + 21 + row * at)}h6m-5 -3v-2q-3 -3 -1 -6t6 0t-1 6v2z`),
    ]),
  ];
}

function codeLine({ number, text: code }: NumberedLine, y: number, cell: number): string {
  const digits = line([{ text: String(number).padStart(2), look: 'dim' }], margin, y, cell);
  return [digits, line(highlight(code), margin + gutter * cell, y, cell)].filter((one) => one !== '').join('\n');
}

/** By TypeScript's own scanner. */
function highlight(code: string): Run[] {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, code);
  const runs: Run[] = [];
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    const look = lookOf(kind);
    const last = runs.at(-1);
    const isSpace = kind === ts.SyntaxKind.WhitespaceTrivia;
    if (last && (last.look === look || isSpace)) runs[runs.length - 1] = { text: last.text + scanner.getTokenText(), look: last.look };
    else runs.push({ text: scanner.getTokenText(), look });
  }
  return runs;
}

function lookOf(kind: ts.SyntaxKind): Look | undefined {
  if (kind === ts.SyntaxKind.StringLiteral) return 'string';
  if (kind === ts.SyntaxKind.SingleLineCommentTrivia || kind === ts.SyntaxKind.MultiLineCommentTrivia) return 'dim';
  return kind >= ts.SyntaxKind.FirstKeyword && kind <= ts.SyntaxKind.LastKeyword ? 'keyword' : undefined;
}

/** The calls of the code, in their order. */
function summaryOf(lines: readonly NumberedLine[]): string {
  const calls = lines.flatMap(({ text }) => /pg_\w+\(\d+\)|\b\w+\.(?:connect|release)\(\)|(?<=await )work\(\)/.exec(text)?.[0] ?? []);
  return `${calls.join(', ')}.`;
}
