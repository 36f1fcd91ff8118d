import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { lint } from '../support/lint.js';
import { inProject } from '../support/paths.js';
import { ourPlugin } from '../support/plugin.js';
import { ProgramFactory, compilerOptionsOf } from '../support/program.js';
import { oddFiles } from './odd-files.js';

const folder = inProject('fixtures/none/odd');
const texts = new Map(Object.entries(oddFiles).map(([name, text]) => [join(folder, name), text]));
const program = new ProgramFactory({ ...compilerOptionsOf(inProject('fixtures/tsconfig.json')), experimentalDecorators: false, emitDecoratorMetadata: false }).create(texts);

// A fault of the analysis is a warning, and silence: the lint run goes on.
const warn = vi.spyOn(process, 'emitWarning');
afterEach(() => { warn.mockClear(); });

describe.each([...texts])('%s', (path, text) => {
  test('is linted without a crash, with types', () => {
    expect(lint(ourPlugin, path, text, { program }).failures).toEqual([]);
    expect(warn).not.toHaveBeenCalled();
  });

  test('is linted without a crash, without types', () => {
    expect(lint(ourPlugin, path, text).failures).toEqual([]);
  });
});

test('a byte order mark changes nothing', () => {
  const path = join(folder, 'shebang.ts');
  const text = `\uFEFF${texts.get(path) ?? ''}`;
  expect(lint(ourPlugin, path, text, { program }).failures).toEqual([]);
  expect(lint(ourPlugin, path, text).failures).toEqual([]);
});

test('a file that does not parse is ESLint\'s to report', () => {
  expect(lint(ourPlugin, join(folder, 'broken.ts'), "const = 'pg_advisory_lock(';").failures).toEqual([expect.stringContaining('Parsing error')]);
});
