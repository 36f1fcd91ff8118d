import * as parser from '@typescript-eslint/parser';
import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { Linter, type Rule } from 'eslint';
import { describe, expect, it, test } from 'vitest';
import { answerOf } from '../../src/analysis/answers/answers.js';
import { scopesOf } from '../../src/analysis/values/scopes.js';
import { OK, parse, PG } from './answers-support.js';

/** What the linter's own scopes say about the call of `q`, with its own parser or typescript-eslint's. */
function lint(code: string, languageOptions: Linter.LanguageOptions): string[] {
  const probe: Rule.RuleModule = {
    create: (context) => ({
      'CallExpression[callee.name="q"]'(node: Rule.Node) {
        const scopes = scopesOf(context.sourceCode.scopeManager as unknown as Scope.ScopeManager);
        const { state } = answerOf({ call: node as unknown as TSESTree.CallExpression, shape: PG, callback: undefined, column: OK, scopes, returnsVoid: () => false });
        context.report({ node, message: state });
      },
    }),
  };
  return new Linter()
    .verify(code, [{ files: ['**/*'], languageOptions, plugins: { probe: { rules: { probe } } }, rules: { 'probe/probe': 'error' } }], 'file.js')
    .map((one) => one.message);
}

describe.each([
  ['its own parser', {}],
  ['typescript-eslint', { parser }],
])('ESLint with %s', (_name, languageOptions) => {
  it.each([
    ['const r = await q(); if (r.rows[0].ok) work();', 'module', 'read'],
    ['const r = await q(); if (r) work();', 'module', 'mistaken'],
    ['const { rows: [{ ok }] } = await q();', 'module', 'dropped'],
    ['const r = await q(); export { r };', 'module', 'read'],
    ['await Promise.all([q()]);', 'module', 'dropped'],
    ['if (Boolean(await q())) work();', 'module', 'mistaken'],
    ['var p = q(); p.then(function (r) { if (r.rows[0].ok) work(); });', 'script', 'read'],
    ['var p = q(); p.then(function () { work(); });', 'script', 'dropped'],
    ['async function run() { var r = await q(); return function () { return r.rows[0].ok; }; }', 'commonjs', 'read'],
  ] as const)('%s as %s → %s', (code, sourceType, state) => {
    expect(lint(code, { ...languageOptions, sourceType })).toEqual([state]);
  });
});

describe('variables', () => {
  const { nodes, scopes, text } = parse('let a = 1; a = 2; f(a); type T = typeof a; class C { m() { return C; } } a += 1; const t: T = g();');
  const named = (name: string): TSESTree.Identifier[] => nodes.filter((node): node is TSESTree.Identifier => node.type === ('Identifier' as never) && text.slice(...node.range) === name);
  const first = (name: string): TSESTree.Identifier => named(name)[0]!;
  const places = (all: readonly TSESTree.Identifier[]): string[] => all.map((node) => text.slice(node.range[0], node.range[0] + 6));

  test('one variable for its declaration and all its uses', () => {
    expect(new Set(named('a').map((node) => scopes.variableOf(node))).size).toBe(1);
  });
  test('reads and writes', () => {
    expect(places(scopes.referencesOf(first('a')))).toEqual(['a); ty', 'a; cla', 'a += 1']);
    expect(places(scopes.writesOf(first('a')))).toEqual(['a = 1;', 'a = 2;', 'a += 1']);
  });
  test('a class is seen from inside and outside', () => {
    expect(scopes.variableOf(first('C'))?.name).toBe('C');
  });
  test('globals and types have none', () => {
    expect(scopes.variableOf(first('f'))).toBeUndefined();
    expect(scopes.referencesOf(first('f'))).toEqual([]);
    expect(scopes.referencesOf(first('T'))).toEqual([]);
  });
});
