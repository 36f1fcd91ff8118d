import type { TSESTree } from '@typescript-eslint/utils';
import type ts from 'typescript';
import type { TypeScript } from './typescript.js';

const byFile = new WeakMap<ts.SourceFile, ReadonlySet<string>>();

/**
 * The names under which a file declares anything that code may ask for: variables, functions, classes, exports, members, what is assigned
 * to a property. Constants stand for the names that they may compute: `{ [RUN]: work }`. A tree that stays is walked once.
 * @param tokens of the file, where a host has them
 */
export function namesDeclaredIn(file: ts.SourceFile, api: TypeScript, tokens?: readonly TSESTree.Token[]): ReadonlySet<string> {
  let names = byFile.get(file);
  if (!names) byFile.set(file, names = tokens ? namesAmong(tokens) : collect(file, api));
  return names;
}

/** All words but those that ask for a member: some more than are declared, and found sooner, in a file that is typed into. */
function namesAmong(tokens: readonly TSESTree.Token[]): Set<string> {
  const names = new Set<string>();
  for (let index = 0; index < tokens.length; index++) {
    const { type, value } = tokens[index]! as { readonly type: string; readonly value: string };
    if (type === 'Punctuator' || (isDot(tokens[index - 1]) && !isAssigning(tokens[index + 1]))) continue;
    names.add(type === 'String' || type === 'Template' ? value.slice(1, -1) : value);
  }
  return names;
}

const isDot = (token: TSESTree.Token | undefined): boolean => token?.value === '.' || token?.value === '?.';

const isAssigning = (token: TSESTree.Token | undefined): boolean => token?.value === '=' || token?.value === '||=' || token?.value === '??=' || token?.value === '&&=';

function collect(file: ts.SourceFile, api: TypeScript): Set<string> {
  const names = new Set<string>();
  const left: ts.Node[] = [file];
  const push = (node: ts.Node): void => { left.push(node); };
  for (let node = left.pop(); node; node = left.pop()) {
    const name = nameOf(node, api);
    if (name !== undefined) names.add(name);
    const constant = constantOf(node, api);
    if (constant !== undefined) names.add(constant);
    api.forEachChild(node, push);
  }
  return names;
}

function nameOf(node: ts.Node, api: TypeScript): string | undefined {
  if (api.isBinaryExpression(node)) return api.isPropertyAccessExpression(node.left) ? node.left.name.text : api.isElementAccessExpression(node.left) ? textOf(node.left.argumentExpression, api) : undefined;
  const { name } = node as Partial<ts.NamedDeclaration>;
  if (!name || api.isPropertyAccessExpression(node)) return undefined;
  return api.isComputedPropertyName(name) ? textOf(name.expression, api) : textOf(name, api);
}

/** `const RUN = 'run'`, `enum Verb { Run = 'run' }`, `Object.defineProperty(exports, 'run', …)`. */
function constantOf(node: ts.Node, api: TypeScript): string | undefined {
  const { initializer, arguments: given } = node as { readonly initializer?: ts.Node; readonly arguments?: readonly ts.Node[] };
  const constant = api.isVariableDeclaration(node) || api.isEnumMember(node) ? initializer : api.isCallExpression(node) ? given?.[1] : undefined;
  return constant && api.isStringLiteralLike(constant) ? constant.text : undefined;
}

const textOf = (node: ts.Node, api: TypeScript): string | undefined => (api.isIdentifier(node) || api.isPrivateIdentifier(node) || api.isStringLiteralLike(node) || api.isNumericLiteral(node) ? node.text : undefined);
