import type { TSESTree } from '@typescript-eslint/utils';
import type { Source } from '../analysis/regions.js';
import { staticName, is } from '../analysis/syntax.js';
import type { Draft } from './draft.js';
import { linesOf } from './text.js';

/** The local name of what a module exports, imported if it is not yet; `undefined` where the file has no imports, or has the name for something else. */
export function imported(name: string, module: string, sourceCode: Source, draft: Draft): string | undefined {
  const all = sourceCode.ast.body.filter((one): one is TSESTree.ImportDeclaration => is(one, 'ImportDeclaration'));
  const ofModule = all.filter((one) => one.source.value === module && one.importKind !== 'type');
  for (const one of ofModule.flatMap((declaration) => declaration.specifiers)) {
    if (is(one, 'ImportSpecifier') && one.importKind !== 'type' && staticName(one.imported, false) === name) return one.local.name;
  }
  const last = all.at(-1);
  if (!last || sourceCode.tokens.some((one) => one.value === name)) return undefined;
  const specifier = ofModule.flatMap((one) => one.specifiers).findLast((one) => is(one, 'ImportSpecifier'));
  const { quote, end } = draft.text.style;
  if (specifier) draft.insert(specifier.range[1], linesOf(`, ${name}`));
  else draft.insert(last.range[1], linesOf(`\nimport { ${name} } from ${quote}${module}${quote}${end}`));
  return name;
}
