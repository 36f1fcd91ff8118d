/** A difference of two texts, line by line, as `diff -u` shows it and `patch` takes it. */
export function diff(before: string, after: string, name: string): string {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const edits = editsOf(old, fresh);
  const hunks = hunksOf(edits).map((hunk) => show(hunk));
  return hunks.length === 0 ? '' : `--- ${name}\n+++ ${name}\n${hunks.join('')}`;
}

/** Lines with what ends them. */
const linesOf = (text: string): string[] => (text === '' ? [] : text.split(/(?<=\n)/));

interface Edit {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
  /** Lines of the old and the new text before it. */
  readonly at: readonly [number, number];
}

const CONTEXT = 3;

/** By the longest common subsequence of what is left between a common beginning and end. */
function editsOf(old: readonly string[], fresh: readonly string[]): Edit[] {
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < old.length - start && end < fresh.length - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const [a, b] = [old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)];
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) for (let j = b.length - 1; j >= 0; j--) lengths[i]![j] = a[i] === b[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  const edits: Edit[] = [];
  let [i, j] = [0, 0];
  const push = (sign: Edit['sign'], text: string): void => {
    edits.push({ sign, text, at: [i, j] });
    if (sign !== '+') i++;
    if (sign !== '-') j++;
  };
  for (const text of old.slice(0, start)) push(' ', text);
  while (i < old.length - end || j < fresh.length - end) {
    const [x, y] = [i - start, j - start];
    if (x < a.length && y < b.length && a[x] === b[y]) push(' ', a[x]!);
    else if (x < a.length && (y === b.length || lengths[x + 1]![y]! >= lengths[x]![y + 1]!)) push('-', a[x]!);
    else push('+', b[y]!);
  }
  for (const text of old.slice(old.length - end)) push(' ', text);
  return edits;
}

function hunksOf(edits: readonly Edit[]): Edit[][] {
  const hunks: Edit[][] = [];
  let last = -Infinity;
  edits.forEach((edit, index) => {
    if (edit.sign === ' ') return;
    const from = Math.max(0, index - CONTEXT, last + 1);
    if (index - last > 2 * CONTEXT + 1 || hunks.length === 0) hunks.push([]);
    const hunk = hunks.at(-1)!;
    const shown = hunk.length === 0 ? from : last + 1;
    hunk.push(...edits.slice(shown, index + 1));
    last = index;
  });
  for (const hunk of hunks) {
    const end = edits.indexOf(hunk.at(-1)!);
    hunk.push(...edits.slice(end + 1, end + 1 + CONTEXT));
  }
  return hunks;
}

function show(hunk: readonly Edit[]): string {
  const lines = (but: '+' | '-'): number => hunk.filter(({ sign }) => sign !== but).length;
  const [[old, fresh]] = [hunk[0]!.at];
  return `@@ -${old + 1},${lines('+')} +${fresh + 1},${lines('-')} @@\n${hunk.map(({ sign, text }) => `${sign}${text}${text.endsWith('\n') ? '' : '\n\\ No newline at end of file\n'}`).join('')}`;
}
