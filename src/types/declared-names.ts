import type ts from 'typescript';
import type { TypeScript } from './typescript.js';

const byFile = new WeakMap<ts.SourceFile, ReadonlySet<string>>();

/**
 * The names under which a file declares anything that code may ask for: variables, functions, classes, exports, members, what is assigned
 * to a property. Constants stand for the names that they may compute: `{ [RUN]: work }`. A tree that stays is walked once.
 */
export function namesDeclaredIn(file: ts.SourceFile, api: TypeScript): ReadonlySet<string> {
  let names = byFile.get(file);
  if (!names) byFile.set(file, names = collect(file, api));
  return names;
}

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
