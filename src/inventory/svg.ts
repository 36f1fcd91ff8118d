import type { ConnectionWord, Inventory } from './model.js';
import { pictureOf, type Picture } from './picture.js';
import { charactersOf, widthOf } from './words.js';

/**
 * The inventory as a picture: on the left the functions, by file, each with its locks and the connection that they are sent to; on the
 * right the keys. It is drawn for light and dark pages, and the same inventory gives the same bytes.
 */

const ROW = 26;
const MARGIN = 24;
const GAP = 150;
/** Of the widest of the common monospaced fonts, at 13 pixels. */
const CHARACTER = 8;
const LONGEST = 48;
const PAD = 10;

const COLOURS: Record<ConnectionWord, string> = { pooled: 'bad', stateless: 'bad', pinned: 'good', single: 'good', transaction: 'tx', unknown: 'dim' };

interface Row {
  readonly y: number;
  readonly file?: string;
  readonly function?: string;
  readonly take?: { readonly key: number; readonly text: string; readonly style: string };
}

export function svg(inventory: Inventory): string {
  const picture = pictureOf(inventory);
  const rows = rowsOf(picture);
  const keys = picture.keys.map(({ text, isShared }) => ({ text: cut(text), isShared }));
  const nameWidth = widest(['functions', ...rows.map((row) => row.function ?? '')]);
  const fileWidth = widest(rows.map((row) => row.file ?? ''));
  const takeX = MARGIN + 16 + nameWidth + 24;
  const takeWidth = widest(rows.map((row) => row.take?.text ?? '')) + 2 * PAD;
  const keyX = Math.max(takeX + takeWidth, MARGIN + fileWidth) + GAP;
  const keyWidth = widest(keys.map(({ text }) => text)) + 2 * PAD;
  const width = Math.max(keyX + keyWidth + MARGIN, MARGIN + LEGEND_WIDTH + MARGIN);
  const bottom = MARGIN + 3 * ROW + Math.max(rows.length, keys.length, 1) * ROW;
  const height = bottom + 2 * ROW;
  // Keys stand as high as their takes do on the average, in the same order, and never on each other.
  const keyY = spread(keys.map((_, index) => middle(rows.filter((row) => row.take?.key === index).map((row) => row.y))), bottom);
  const parts = [
    label('title', MARGIN, MARGIN + 14, 'Advisory locks'),
    label('head', MARGIN, MARGIN + 2 * ROW, 'functions'), label('head', takeX, MARGIN + 2 * ROW, 'over which connection'), label('head', keyX, MARGIN + 2 * ROW, 'keys'),
    ...(rows.length === 0 ? [label('text', MARGIN, MARGIN + 3 * ROW, 'No advisory lock is taken here.')] : []),
    ...rows.flatMap((row) => curveOf(row, takeX + takeWidth, keyX, keyY[row.take?.key ?? -1])),
    ...rows.flatMap((row) => drawn(row, takeX, takeWidth)),
    ...keys.flatMap(({ text, isShared }, index) => [box(isShared ? 'key shared' : 'key', keyX, keyY[index]!, keyWidth), label('text', keyX + PAD, keyY[index]! + 4, text)]),
    ...legend(height - MARGIN),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Advisory locks: which functions take which keys over which connections">\n${STYLE}\n<rect class="page" width="100%" height="100%"/>\n${parts.join('\n')}\n</svg>\n`;
}

function rowsOf({ files }: Picture): Row[] {
  const rows: Omit<Row, 'y'>[] = files.flatMap((file) => [
    { file: cut(file.name) },
    ...file.functions.flatMap(({ name, takes }) => takes.map(({ key, connection, handle, how, isFound, isInTransaction }, index) =>
      ({ ...(index === 0 ? { function: cut(name) } : {}), take: { key, style: isInTransaction ? 'tx' : COLOURS[connection], text: cut(`${how}: ${handle} (${connection})${isFound ? ' !' : ''}`) } }))),
  ]);
  return rows.map((row, index) => ({ ...row, y: MARGIN + 3 * ROW + index * ROW }));
}

function drawn({ y, file, function: name, take }: Row, x: number, width: number): string[] {
  if (file !== undefined) return [label('file', MARGIN, y + 4, file)];
  return [...(name === undefined ? [] : [label('text', MARGIN + 16, y + 4, name)]), ...(take ? [box(`take ${take.style}`, x, y, width), label('text', x + PAD, y + 4, take.text)] : [])];
}

function curveOf({ y, take }: Row, from: number, to: number, at: number | undefined): string[] {
  const half = (from + to) / 2;
  return take && at !== undefined ? [`<path class="line ${take.style}" d="M${from} ${y} C${half} ${y} ${half} ${at} ${to} ${at}"/>`] : [];
}

const LEGEND: readonly (readonly [style: string, text: string])[] = [
  ['good', 'one connection'], ['tx', 'a transaction'], ['bad', 'any of a pool, or no session'], ['dim', 'not known'],
];
const LEGEND_NOTE = '! is reported, a thick frame is shared';
const LEGEND_WIDTH = LEGEND.reduce((sum, [, text]) => sum + 34 + text.length * CHARACTER + 24, 0) + LEGEND_NOTE.length * CHARACTER;

function legend(y: number): string[] {
  let x = MARGIN;
  const items = LEGEND.flatMap(([style, text]) => {
    const item = [`<path class="line ${style}" d="M${x} ${y} H${x + 26}"/>`, label('note', x + 34, y + 4, text)];
    x += 34 + text.length * CHARACTER + 24;
    return item;
  });
  return [...items, label('note', x, y + 4, LEGEND_NOTE)];
}

const box = (style: string, x: number, y: number, width: number): string => `<rect class="${style}" x="${x}" y="${y - 11}" width="${width}" height="22" rx="5"/>`;
const label = (style: string, x: number, y: number, text: string): string => `<text class="${style}" x="${x}" y="${y}">${escaped(text)}</text>`;

const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(widthOf)) * CHARACTER;
const middle = (all: readonly number[]): number => Math.round(all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length));

/** Pushes places apart, downwards first, then back up from the bottom. */
function spread(wanted: readonly number[], bottom: number): number[] {
  const order = wanted.map((_, index) => index).sort((one, other) => wanted[one]! - wanted[other]! || one - other);
  const found = [...wanted];
  order.forEach((index, rank) => { found[index] = Math.max(found[index]!, rank === 0 ? MARGIN + 3 * ROW : found[order[rank - 1]!]! + ROW); });
  order.toReversed().forEach((index, rank) => { found[index] = Math.min(found[index]!, rank === 0 ? bottom - ROW : found[order.at(-rank)!]! - ROW); });
  return found;
}

/** A text on one line, cut in its middle where it is long: the beginning and the end tell most. */
function cut(text: string): string {
  const letters = charactersOf(text.replace(/\s+/g, ' '));
  const half = Math.floor((LONGEST - 1) / 2);
  return letters.length <= LONGEST ? letters.join('') : `${letters.slice(0, half).join('')}…${letters.slice(-half).join('')}`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** XML has no way to write control characters. */
const escaped = (text: string): string => text.replace(/[\u0000-\u001F]/g, '?').replace(/[&<>"]/g, (one) => ENTITIES[one] ?? one);

const STYLE = `<style>
  .page { fill: #ffffff } text { font: 13px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328 }
  .title { font-weight: bold; font-size: 16px } .file { font-weight: bold } .head, .note { fill: #59636e } .note { font-size: 12px }
  rect.key, rect.take { fill: #f6f8fa; stroke: #818b98 } rect.shared { stroke-width: 3 } .line { fill: none; stroke-width: 1.6 }
  rect.take.good, .line.good { stroke: #1a7f37 } rect.take.tx, .line.tx { stroke: #0969da } rect.take.bad, .line.bad { stroke: #cf222e; stroke-dasharray: 6 3 }
  rect.take.dim, .line.dim { stroke: #818b98; stroke-dasharray: 2 3 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 } text { fill: #f0f6fc } .head, .note { fill: #9198a1 } rect.key, rect.take { fill: #151b23; stroke: #9198a1 }
    rect.take.good, .line.good { stroke: #3fb950 } rect.take.tx, .line.tx { stroke: #4493f8 } rect.take.bad, .line.bad { stroke: #f85149 } rect.take.dim, .line.dim { stroke: #9198a1 }
  }
</style>`;
