/** Text of one look. The look is a class of the stylesheet below. */
export interface Run {
  readonly text: string;
  readonly look?: Look | undefined;
}

export type Look = keyof typeof colours;

/** A picture as a file's text, and what it shows in words, for those who do not see it. */
export interface Picture {
  readonly svg: string;
  readonly words: string;
}

/** By light and dark scheme; every text stands on `ground`, so that it can be read whatever colour the page has. */
const colours = {
  plain: ['#1f2328', '#e6edf3'],
  dim: ['#59636e', '#9198a1'],
  red: ['#c4182b', '#ff7b72'],
  green: ['#116329', '#7ee787'],
  keyword: ['#8250df', '#d2a8ff'],
  string: ['#0a3069', '#a5d6ff'],
  accent: ['#0550ae', '#79c0ff'],
} as const;
const surfaces = { ground: ['#ffffff', '#0d1117'], bar: ['#f6f8fa', '#161b22'], edge: ['#d1d9e0', '#3d444d'], held: ['#ffc1ba', '#8e1519'], chosen: ['#ddf4ff', '#122d4f'] } as const;

/** Pixels. GitHub shows a README about 900 wide. */
export const width = 900;
export const margin = 16;
export const widestCell = 7.5;

/** Pixels that one character takes, so that `columns` of them fit. Fonts differ in width: each text is stretched to its cells. */
export function cellFor(columns: number): number {
  return Math.min(widestCell, Math.floor(((width - 2 * margin) / columns) * 100) / 100);
}

export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** One line of text from `x` on, its baseline at `y`. */
export function line(runs: readonly Run[], x: number, y: number, cell: number): string {
  let column = 0;
  return runs.map(({ text, look = 'plain' }) => {
    const lead = text.length - text.trimStart().length;
    const shown = text.trim();
    const at = x + (column + lead) * cell;
    column += text.length;
    const extent = `font-size="${px(cell / 0.6)}" textLength="${px(shown.length * cell)}" lengthAdjust="spacingAndGlyphs"`;
    return shown === '' ? '' : `<text class="${look}" x="${px(at)}" y="${px(y)}" ${extent}>${escape(shown)}</text>`;
  }).filter((text) => text !== '').join('\n');
}

export function text(shown: string, x: number, y: number, look?: Look): string {
  return line([{ text: shown, look }], x, y, widestCell);
}

export function box(surface: keyof typeof surfaces, x: number, y: number, across: number, down: number, radius = 0): string {
  return `<rect class="${surface}" x="${px(x)}" y="${px(y)}" width="${px(across)}" height="${px(down)}" rx="${radius}"/>`;
}

export function path(look: Look | 'faint', d: string): string {
  return `<path class="line-${look}" d="${d}"/>`;
}

/** Under `columns` characters from `x` on. */
export function squiggle(x: number, y: number, columns: number, cell: number): string {
  const waves = Math.max(1, Math.round((columns * cell) / 6));
  return path('red', `M${px(x)} ${px(y)}${'q1.5 -3 3 0t3 0'.repeat(waves)}`);
}

export function picture(height: number, words: string, content: readonly string[]): Picture {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`;
  const frame = `<rect class="ground" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`;
  return { svg: [head, `<title>${escape(words)}</title>`, `<style>\n${stylesheet()}\n</style>`, frame, ...content, '</svg>', ''].join('\n'), words };
}

/** A window's upper edge, with what the window shows. */
export function titleBar(title: string): string {
  return [path('faint', `M0 28H${width}`), text(title, margin, 19, 'dim')].join('\n');
}

function stylesheet(): string {
  const font = 'text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}';
  const lines = 'path{fill:none;stroke-width:1.5}';
  return [font, lines, scheme(0), `@media (prefers-color-scheme:dark){${scheme(1)}}`].join('\n');
}

function scheme(which: 0 | 1): string {
  const texts = Object.entries(colours).map(([look, colour]) => `.${look}{fill:${colour[which]}}.line-${look}{stroke:${colour[which]}}`);
  const areas = Object.entries(surfaces).map(([surface, colour]) => `.${surface}{fill:${colour[which]}}`);
  return [...texts, ...areas, `.line-faint,.ground,.bar{stroke:${surfaces.edge[which]}}`].join('');
}

function px(value: number): string {
  return String(Math.round(value * 100) / 100);
}
