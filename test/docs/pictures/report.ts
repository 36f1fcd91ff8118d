import { stripVTControlCharacters } from 'node:util';
import type { Example } from './example.js';
import { type Look, type Picture, type Run, cellFor, line, margin, picture, text, titleBar } from './svg.js';

const columns = 105;
const row = 19;

/** ESLint's report as a terminal shows it, lines wrapped; `lines` is the same as plain text. */
export function reportPicture({ report, file, messages }: Example): Picture & { readonly lines: readonly string[] } {
  const lines = report.split('\n').flatMap((one) => wrap(runsOf(one)));
  while (plain(lines[0]) === '') lines.shift();
  while (plain(lines.at(-1)) === '') lines.pop();
  const cell = cellFor(columns);
  const top = 52;
  const rules = messages.map(({ ruleId, line: at, column }) => `${ruleId ?? ''} at ${String(at)}:${String(column)}`);
  const words = `Terminal: npx eslint . reports ${String(messages.length)} errors in ${file}: ${rules.join(', ')}. The text follows below.`;
  const drawn = lines.map((runs, at) => line(runs, margin, top + row * (at + 2), cell)).filter((one) => one !== '');
  const content = [titleBar('Terminal'), text('$ npx eslint .', margin, top, 'dim'), ...drawn];
  return { ...picture(top + row * (lines.length + 2), words, content), lines: lines.map(plain) };
}

function plain(runs: readonly Run[] | undefined): string {
  return (runs ?? []).map(({ text }) => text).join('').trimEnd();
}

const looks: Record<string, Look> = { 2: 'dim', 31: 'red', 33: 'accent' };

/** The runs of a line with escape codes: a code that is not among the looks leaves the look as it is, or ends it. */
function runsOf(coloured: string): Run[] {
  let look: Look | undefined;
  return coloured.split(/(?=\u001B\[)/).flatMap((part) => {
    const code = /^\u001B\[(\d+)m/.exec(part)?.[1];
    if (code !== undefined) look = looks[code] ?? (/^(?:0|22|39)$/.test(code) ? undefined : look);
    const text = stripVTControlCharacters(part);
    return text === '' ? [] : [{ text, look }];
  });
}

/** A finding's line, place and severity first, its message in a column of its own, its rule below. */
function wrap(runs: readonly Run[]): (readonly Run[])[] {
  const [indent, place, gap, severity, message, rule] = runs;
  if (!indent || !place || !gap || !severity || !message || !rule) return [runs];
  const head = [indent, place, gap, severity, { text: '  ' }];
  const hang = { text: ' '.repeat(head.reduce((sum, { text }) => sum + text.length, 0)) };
  const wrapped = words(message.text.trim(), columns - hang.text.length);
  return [...wrapped.map((text, at) => [...(at === 0 ? head : [hang]), { text }]), [hang, rule]];
}

/** Broken between words, but not within code: what stands between backticks stays together. */
function words(message: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of message.match(/(?:`[^`]*`|[^\s`])+/g) ?? []) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
