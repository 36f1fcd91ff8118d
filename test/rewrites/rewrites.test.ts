import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { ourPlugin } from '../support/plugin.js';
import { lint, type Report } from '../support/lint.js';
import { inProject } from '../support/paths.js';
import { newUnsafeFinally } from '../support/unsafe-finally.js';
import { compileErrors, compilerOptionsOf, ProgramFactory } from '../support/program.js';
import { blessCases, readCases, type RewriteCase } from './cases.js';
import { rewritten, type Wanted } from './rewriting.js';

const options = { ...compilerOptionsOf(inProject('fixtures/tsconfig.json')), noUncheckedIndexedAccess: true, noUnusedLocals: false, module: ts.ModuleKind.Preserve };
const pages: readonly (readonly [name: string, wanted: Wanted])[] = [['pg', 'reserve'], ['postgres', 'reserve'], ['drizzle', 'reserve'], ['answers', 'throw'], ['leaks', 'leak'], ['fitting', 'fit']];
/** `BLESS=rewrites npx vitest run test/rewrites/rewrites.test.ts` writes what each case becomes into its page; read the difference before it is committed. */
const isBlessing = process.env['BLESS'] === 'rewrites';

interface Made extends RewriteCase {
  readonly page: string;
  readonly wanted: Wanted;
  readonly path: string;
}

const factory = new ProgramFactory(options);
const cases: readonly Made[] = pages.flatMap(([page, wanted]) => readCases(page).map((one, index) => ({ ...one, page, wanted, path: inProject(`fixtures/${page}-${index}.ts`) })));
const program = factory.create(new Map(cases.map(({ path, before }) => [path, before])));
const results = new Map(cases.map((one) => [one.path, rewritten(one.wanted, one.path, one.before, program)]));
// All results are compiled at once: the types of the drivers are what costs.
const after = factory.create(new Map(cases.flatMap(({ path }) => { const text = results.get(path); return text === undefined ? [] : [[path, text] as const]; })));

if (isBlessing) for (const [page] of pages) blessCases(page, new Map(cases.filter((one) => one.page === page).map(({ title, path }) => [title, results.get(path)])));

describe.each(pages)('%s', (page) => {
  const own = cases.filter((one) => one.page === page);

  it.each(own)('$title', ({ path, after: expected }) => {
    expect(results.get(path)).toBe(isBlessing ? results.get(path) : expected);
  });

  it.each(own)('compiles before: $title', ({ path }) => {
    expect(compileErrors(program, path)).toEqual([]);
  });

  it.each(own.filter(({ path }) => results.get(path) !== undefined))('compiles after, and the finding is gone: $title', ({ path, before, wanted }) => {
    expect(compileErrors(after, path)).toEqual([]);
    const was = findings(path, before, program);
    const is = findings(path, results.get(path)!, after);
    expect(newUnsafeFinally(path, before, results.get(path)!)).toEqual([]);
    expect(GONE[wanted].some((rule) => countOf(is, rule) < countOf(was, rule))).toBe(true);
    expect(is.filter(({ rule }) => countOf(is, rule) > countOf(was, rule)).map(({ line, rule, message }) => `${line} ${rule}: ${message}`)).toEqual([]);
  });
});

/** The rules of which one must report less. */
const GONE: Record<Wanted, readonly string[]> = {
  reserve: ['no-pooled-session-lock', 'no-cross-connection-unlock'], throw: ['no-unchecked-unlock'], warn: ['no-unchecked-unlock'], leak: ['no-leaked-lock'],
  fit: ['no-mismatched-unlock', 'no-session-lock-in-transaction', 'no-unsafe-lock-key', 'no-floating-lock-query'],
};

const findings = (path: string, text: string, from: ts.Program): readonly Report[] => lint(ourPlugin, path, text, { program: from }).reports;

const countOf = (reports: readonly Report[], rule: string): number => reports.filter((one) => one.rule === rule).length;
