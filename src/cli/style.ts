import { styleText } from 'node:util';

export type Paint = (style: 'bold' | 'dim' | 'red' | 'green' | 'cyan' | 'underline', text: string) => string;

export const plain: Paint = (_style, text) => text;
/** Whether there is a terminal has been asked before. */
export const coloured: Paint = (style, text) => styleText(style, text, { validateStream: false });

/** Puts text on lines no longer than `width`, where words allow it; every line after the first is indented. */
export function wrap(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width - indent.length) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${indent}`);
}

export const count = (number: number, one: string, more = `${one}s`): string => `${number} ${number === 1 ? one : more}`;
