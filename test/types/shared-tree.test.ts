import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseForESLint } from '@typescript-eslint/parser';
import { clearCandidateTSConfigRootDirs } from '@typescript-eslint/typescript-estree';
import type ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wordsOf } from '../../src/types/gate.js';
import { programFor, toPath } from '../../src/types/on-demand/index.js';

/** A host that has no types has trees: a program of our own takes them over, so that none is made twice. */
const folder = mkdtempSync(join(tmpdir(), 'shared-tree-'));
const at = (name: string): string => join(folder, name);

beforeAll(() => {
  symlinkSync(join(import.meta.dirname, '../../node_modules'), at('node_modules'), 'junction');
  writeFileSync(at('package.json'), '{ "type": "module" }');
  writeFileSync(at('tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true, module: 'nodenext', noEmit: true, types: [], allowJs: true, checkJs: true } }));
});
afterAll(() => {
  clearCandidateTSConfigRootDirs();
  rmSync(folder, { recursive: true, force: true });
});

function parsed(name: string, text: string): ts.SourceFile {
  const { services, ast } = parseForESLint(text, { filePath: at(name), loc: true, range: true, tokens: true, comment: true, sourceType: 'module' });
  return services.esTreeNodeToTSNodeMap.get(ast);
}

const programWith = (name: string, text: string, tree: ts.SourceFile): ts.Program => programFor(at(name), text, wordsOf(), tree)!;

test('the tree of a host is the one of the program, as each new text comes', () => {
  for (const text of ["import { one } from './one.js';\nexport const two = one;\n", 'export const two = 2;\n']) {
    const tree = parsed('two.ts', text);
    expect(programWith('two.ts', text, tree).getSourceFile(toPath(at('two.ts')))).toBe(tree);
  }
});

test.each([
  ['a module by its package', 'module.ts', 'const name: string = 1;\n', '// ab\n'],
  ['a script by its ending', 'script.cts', "const { sep } = require('./one.js');\nconst name: string = 1;\n", '// ab\n'],
  ['a file with imports and elements', 'view.tsx', "import { one } from './one.js';\nexport const two: string = <a b={one}>c</a>;\n", '// ab\n'],
])('%s is checked as it is by a tree of its own', (_, name, text, more) => {
  const shared = programWith(name, text, parsed(name, text));
  const own = programFor(at(`own-${name}`), text, wordsOf())!;
  const errors = (program: ts.Program, file: string): string[] => program.getSemanticDiagnostics(program.getSourceFile(toPath(at(file)))).map(({ code, start }) => `${String(code)} at ${String(start)}`);
  expect(errors(shared, name)).toEqual(errors(own, `own-${name}`));
  expect(errors(own, `own-${name}`).length).toBeGreaterThan(0);
  // A second text of the same file, when the program is made anew.
  const then = programWith(name, text + more, parsed(name, text + more));
  expect(errors(then, name)).toEqual(errors(own, `own-${name}`));
});

test('what another parse would have made of the text is made anew', () => {
  const text = '/** @type {string} */\nexport const one = 1;\n';
  const script = parsed('typed.js', text); // a host without types leaves comments out
  const program = programWith('typed.js', text, script);
  const file = program.getSourceFile(toPath(at('typed.js')));
  expect(file).not.toBe(script);
  expect(program.getSemanticDiagnostics(file).map(({ code }) => code)).toEqual([2322]);
  const older = parsed('other.ts', 'export const one = 1;\n');
  expect(programWith('other.ts', 'export const one = 2;\n', older).getSourceFile(toPath(at('other.ts')))).not.toBe(older);
});
