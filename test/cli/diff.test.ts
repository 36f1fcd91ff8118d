import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { diff } from '../../src/cli/diff.js';
import { wrap } from '../../src/cli/style.js';
import { removeRepositories, repository } from './repository.js';

afterAll(removeRepositories);

/** Applies a difference as `patch` does: every line that it shows as old must stand there. */
function patched(text: string, difference: string): string {
  const old = text === '' ? [] : text.split(/(?<=\n)/);
  const made: string[] = [];
  let at = 0;
  for (const hunk of difference.split(/^(?=@@ )/m).slice(1)) {
    const [head = '', ...lines] = hunk.replace(/\n\\ No newline at end of file\n/g, '\0').split(/(?<=[\n\0])/).map((line) => line.replace('\0', ''));
    const start = Number(/^@@ -(\d+)/.exec(head)?.[1]) - 1;
    made.push(...old.slice(at, start));
    at = start;
    for (const line of lines) {
      if (!line.startsWith('+')) expect(old[at++]).toBe(line.slice(1));
      if (!line.startsWith('-')) made.push(line.slice(1));
    }
  }
  return [...made, ...old.slice(at)].join('');
}

const numbers = Array.from({ length: 40 }, (_, index) => `line ${index}`);
const without = (...gone: number[]): string => numbers.filter((_, index) => !gone.includes(index)).join('\n');
const all = numbers.join('\n');

describe.each([
  ['a line that goes', all, without(20), 1],
  ['lines far apart', all, without(2, 20, 38), 3],
  ['lines with seven between them', all, without(10, 18), 2],
  ['lines with six between them', all, without(10, 17), 1],
  ['the first and the last', all, without(0, 39), 2],
  ['everything', all, 'other\ntext', 1],
  ['from nothing', '', 'a\nb\n', 1],
  ['to nothing', 'a\nb\n', '', 1],
  ['a line break at the end', 'a\nb\n', 'a\nb', 1],
  ['lines that come and go', 'a\nb\nc\nd\n', 'b\nx\nc\ny\n', 1],
])('%s', (_what, before, after, hunks) => {
  test('can be applied', () => {
    const difference = diff(before, after, 'a.ts');
    expect(difference.startsWith('--- a.ts\n+++ a.ts\n@@ ')).toBe(true);
    expect(patched(before, difference)).toBe(after);
    expect(difference.match(/^@@ /gm)).toHaveLength(hunks);
  });
});

test('no difference', () => {
  expect(diff(all, all, 'a.ts')).toBe('');
});

test.each([['with', '\n'], ['without', '']])('git applies it, %s a line break at the end', (_what, end) => {
  const made = repository({ 'a.ts': `${all}${end}` });
  writeFileSync(made.path('a.patch'), diff(`${all}${end}`, `${without(3, 4, 30)}\nmore${end}`, 'a.ts'));
  execFileSync('git', ['apply', '-p0', '--check', 'a.patch'], { cwd: made.folder });
});

test('text is wrapped at words, and a word that is too long has a line of its own', () => {
  expect(wrap('one two three', 9, '  ')).toBe('one two\n  three');
  expect(wrap('a much-too-long-word b', 10, '')).toBe('a\nmuch-too-long-word\nb');
});
