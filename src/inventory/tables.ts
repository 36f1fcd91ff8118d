import type { Inventory, LockStatement, Taking } from './model.js';
import { callersOf, guardOf, keyOf, keysOf, operationOf, orderLines, ORDERS_TITLE, partnersOf, SHARED_TITLE, sharedLines, at, widthOf } from './words.js';

/** The inventory as text, as Markdown and as data. */

const COLUMNS: readonly (readonly [title: string, of: (one: LockStatement) => string])[] = [
  ['function', (one) => one.within],
  ['operation', operationOf],
  ['level', ({ level, operation }) => (operation === 'unlockAll' ? '' : level)],
  ['mode', ({ mode }) => mode ?? ''],
  ['key', keysOf],
  ['connection', ({ connection }) => connection],
  ['unlocked by', partnersOf],
  ['guarded by', guardOf],
  ['findings', ({ findings }) => findings.join(', ')],
  ['because', ({ evidence }) => evidence],
];

/** A table for each file, with the columns that have anything to say there. */
export function table(inventory: Inventory, emphasise: (text: string) => string = (text) => text): string {
  const files = [...new Set(inventory.statements.map(({ file }) => file))].flatMap((file) => [emphasise(file), ...aligned(inventory.statements.filter((one) => one.file === file)), '']);
  return [...files, ...section(emphasise(SHARED_TITLE), sharedLines(inventory)), ...section(emphasise(ORDERS_TITLE), orderLines(inventory))].join('\n');
}

function aligned(statements: readonly LockStatement[]): string[] {
  const columns: typeof COLUMNS = [['line', ({ line }) => String(line)], ...COLUMNS];
  const used = columns.filter(([, of]) => statements.some((one) => of(one) !== ''));
  const rows = [used.map(([title]) => title), ...statements.map((one) => used.map(([, of]) => of(one)))];
  const widths = used.map((_, index) => Math.max(...rows.map((row) => widthOf(row[index]!))));
  const lines = rows.map((row) => `  ${row.map((cell, index) => cell + ' '.repeat(widths[index]! - widthOf(cell))).join('  ')}`.trimEnd());
  return lines.flatMap((line, index) => [line, ...calledAt(statements, index - 1)]);
}

/** Below the last statement of a function: where that is called. */
function calledAt(statements: readonly LockStatement[], index: number): string[] {
  const [one, next] = [statements[index], statements[index + 1]];
  const callers = one ? callersOf(one) : '';
  return one === undefined || callers === '' || (next?.within === one.within && callersOf(next) === callers) ? [] : [`    ${one.within} is called at ${callers}`];
}

const section = (title: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), '']);

export function markdown(inventory: Inventory): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const code = new Set(['function', 'key']);
  const columns: typeof COLUMNS = [['place', at], ...COLUMNS, ...(inventory.statements.some(({ callers }) => callers.length > 0) ? [['called at', callersOf] as const] : [])];
  const rows = inventory.statements.map((one) => row(columns.map(([title, of]) => (code.has(title) ? quoted(of(one)) : cell(of(one))))));
  const lists = [[SHARED_TITLE, sharedLines(inventory)], [ORDERS_TITLE, orderLines(inventory)]] as const;
  return ['# Advisory locks', '', row(columns.map(([title]) => title)), row(columns.map(() => '---')), ...rows, '',
    ...lists.flatMap(([title, lines]) => (lines.length === 0 ? [] : [`## ${title}`, '', ...lines.map((line) => `- ${line}`), '']))].join('\n');
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');

/** As code, between as many backquotes as it takes. */
function quoted(text: string): string {
  if (text === '') return '';
  const fence = '`'.repeat(Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  const pad = fence.length > 1 ? ' ' : '';
  return cell(`${fence}${pad}${text}${pad}${fence}`);
}

export function json(inventory: Inventory, more: object): string {
  const place = ({ file, line, column }: Taking): object => ({ file, line, column });
  return JSON.stringify({
    statements: inventory.statements.map((one) => ({ ...one, key: one.operation === 'unlockAll' ? null : keyOf(one), mode: one.mode ?? null, unlocks: one.unlocks ?? null, guard: one.guard ?? null })),
    sharedKeys: inventory.sharedKeys.map(({ key, places }) => ({ key, places: places.map(place) })),
    opposedOrders: inventory.opposedOrders.map(({ keys, forth, back }) => ({ keys, forth: forth.map((pair) => pair.map(place)), back: back.map((pair) => pair.map(place)) })),
    ...more,
  }, undefined, 2);
}
