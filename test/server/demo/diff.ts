/** One line of an edit: kept, taken away or put in. */
interface Edit {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

const context = 2;

/** A unified diff's hunks, without a header; empty where the texts are equal. */
export function diffLines(before: string, after: string): string[] {
  const edits = align(before.split('\n'), after.split('\n'));
  const shown = edits.map((_, at) => edits.slice(Math.max(0, at - context), at + context + 1).some(({ sign }) => sign !== ' '));
  return edits.flatMap(({ sign, text }, at) => {
    if (!shown[at]) return [];
    const gap = at > 0 && !shown[at - 1] ? ['   ⋮'] : [];
    return [...gap, `${sign} ${text}`.trimEnd()];
  });
}

/** By the longest common subsequence of lines: the files here are short. */
function align(before: readonly string[], after: readonly string[]): Edit[] {
  const common = commonLengths(before, after);
  const length = (i: number, j: number) => common[i]?.[j] ?? 0;
  const edits: Edit[] = [];
  for (let i = 0, j = 0; i < before.length || j < after.length; ) {
    const [old = '', now = ''] = [before[i], after[j]];
    if (i < before.length && j < after.length && old === now) {
      edits.push({ sign: ' ', text: old });
      i++;
      j++;
    } else if (j === after.length || (i < before.length && length(i + 1, j) >= length(i, j + 1))) {
      edits.push({ sign: '-', text: old });
      i++;
    } else {
      edits.push({ sign: '+', text: now });
      j++;
    }
  }
  return edits;
}

/** `[i][j]`: how many lines the texts have in common from line `i` and line `j` on. */
function commonLengths(before: readonly string[], after: readonly string[]): number[][] {
  const table = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const [row, below] = [table[i] ?? [], table[i + 1] ?? []];
      row[j] = before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
}
