/** The offsets at which the lines of a text begin, as ESLint counts them: `\n`, `\r\n`, `\r`, U+2028 and U+2029 end one. */
export function startsOfLines(text: string): readonly number[] {
  const starts = [0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === LF || (code === CR && text.charCodeAt(at + 1) !== LF) || code === LINE_SEPARATOR || code === PARAGRAPH_SEPARATOR) starts.push(at + 1);
  }
  return starts;
}

const [LF, CR, LINE_SEPARATOR, PARAGRAPH_SEPARATOR] = [0x0a, 0x0d, 0x2028, 0x2029] as const;
