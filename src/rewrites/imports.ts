import type { TSESTree } from '@typescript-eslint/utils';
import type { Source } from '../analysis/regions.js';
import { staticName, is } from '../analysis/syntax.js';
import type { Draft } from './draft.js';
import type { Edit, Rewrite } from './model.js';
import { countIn, scanOf } from './scan.js';
import { linesOf } from './text.js';

/** The local name of what a module exports, imported if it is not yet; `undefined` where the file has no imports, or has the name for something else. */
export function imported(name: string, module: string, sourceCode: Source, draft: Draft): string | undefined {
  const all = sourceCode.ast.body.filter((one): one is TSESTree.ImportDeclaration => is(one, 'ImportDeclaration'));
  const ofModule = all.filter((one) => one.source.value === module && one.importKind !== 'type');
  for (const one of ofModule.flatMap((declaration) => declaration.specifiers)) {
    if (is(one, 'ImportSpecifier') && one.importKind !== 'type' && staticName(one.imported, false) === name) return one.local.name;
  }
  const last = all.at(-1);
  if (!last || scanOf(sourceCode).hasToken(name)) return undefined;
  const specifier = ofModule.flatMap((one) => one.specifiers).findLast((one) => is(one, 'ImportSpecifier'));
  const { quote, end } = draft.text.style;
  if (specifier) draft.insert(specifier.range[1], linesOf(`, ${name}`));
  else draft.insert(last.range[1], linesOf(`\nimport { ${name} } from ${quote}${module}${quote}${end}`));
  return name;
}

/** Takes out the imports that a rewrite has left without a use. A name that stands anywhere else in the text, even in a comment, stays. */
export function withoutUnused(rewrite: Rewrite, sourceCode: Source): Rewrite {
  const { edits } = rewrite;
  const more = sourceCode.ast.body.flatMap((one) => (is(one, 'ImportDeclaration') && !edits.some(({ range }) => range[0] <= one.range[1] && one.range[0] <= range[1]) ? unusedIn(one, rewrite, sourceCode) : []));
  return more.length > 0 ? { ...rewrite, edits: [...edits, ...more] } : rewrite;
}

function unusedIn(declaration: TSESTree.ImportDeclaration, rewrite: Rewrite, sourceCode: Source): Edit[] {
  const all = declaration.specifiers;
  const unused = all.filter((one) => isUsed(one, sourceCode) && scanOf(sourceCode).countOf(one.local.name) > 1 && countAfter(rewrite, sourceCode, one.local.name) === 1);
  if (unused.length === 0 || sourceCode.getCommentsInside(declaration).length > 0 || !unused.every((one) => is(one, 'ImportSpecifier'))) return [];
  if (unused.length === all.length) return [{ range: [declaration.range[0], declaration.range[1] + (/^\r?\n/.exec(sourceCode.text.slice(declaration.range[1]))?.[0].length ?? 0)], text: '' }];
  return unused.map((one) => {
    const index = all.indexOf(one);
    const next = all[index + 1];
    return { range: next ? [one.range[0], next.range[0]] : [all[index - 1]!.range[1], one.range[1]], text: '' };
  });
}

const isUsed = (specifier: TSESTree.ImportClause, sourceCode: Source): boolean => sourceCode.scopeManager.getDeclaredVariables(specifier).some((one) => one.references.length > 0);

function countAfter({ edits }: Rewrite, sourceCode: Source, name: string): number {
  return edits.reduce((sum, { range, text: by }) => sum + countIn(by, name) - countIn(sourceCode.text.slice(...range), name), scanOf(sourceCode).countOf(name));
}
