import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** A terminal, or a file: the same words, with or without colours. */
export interface Screen {
  readonly colour: boolean;
  style(style: Style, text: string): string;
  line(text?: string): void;
  heading(text: string): void;
}

export function openScreen(output: NodeJS.WriteStream): Screen {
  const forced = process.env['FORCE_COLOR'];
  const colour = forced !== undefined ? forced !== '0' : output.isTTY && process.env['NO_COLOR'] === undefined;
  const style = (style: Style, text: string) => (colour ? styleText(style, text, { validateStream: false }) : text);
  const line = (text = '') => void output.write(`${text}\n`);
  return { colour, style, line, heading: text => line(`\n${style('bold', text)}\n`) };
}

/** A cell, and how to show that it is good or bad news. */
export interface Cell {
  readonly text: string;
  readonly mood?: 'good' | 'bad' | 'head';
}

export type Row = readonly [label: string, ...cells: Cell[]];

const styles = { good: 'green', bad: 'red', head: 'bold' } as const;

/** Rows of equal length, columns as wide as their widest cell; an empty label in an empty row makes a gap. */
export function table(screen: Screen, rows: readonly Row[]): string[] {
  const widths: number[] = [];
  for (const [label, ...cells] of rows) {
    [label, ...cells.map(({ text }) => text)].forEach((text, column) => {
      widths[column] = Math.max(widths[column] ?? 0, text.length);
    });
  }
  return rows.map(([label, ...cells]) => {
    const shown = cells.map(({ text, mood }, column) => {
      const padded = text.padEnd(widths[column + 1] ?? 0);
      return mood ? screen.style(styles[mood], padded) : padded;
    });
    return `  ${[label.padEnd(widths[0] ?? 0), ...shown].join('   ')}`.trimEnd();
  });
}
