import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { TSESTree } from '@typescript-eslint/utils';
import { nodeIs, treeOf, variableOf } from './tree.js';
import type { TypeName } from './types.js';

/** What names stand for as far as the scopes and imports of one file tell. */

export function declaredByScopes(node: TSESTree.Node): readonly TypeName[] {
  if (nodeIs(node, 'Identifier')) return ofVariable(node);
  if (!nodeIs(node, 'MemberExpression') || node.computed || !nodeIs(node.property, 'Identifier')) return [];
  const { name } = node.property;
  const [namespace] = nodeIs(node.object, 'Identifier') ? variableOf(node.object)?.defs ?? [] : [];
  const module = namespace?.type === 'ImportBinding' as never && nodeIs(namespace.node as TSESTree.Node, 'ImportNamespaceSpecifier') ? moduleOf(namespace.node) : undefined;
  return module === undefined ? [{ name, package: undefined, file: treeOf(node).fileName }] : importedFrom(module, name, treeOf(node).fileName);
}

export function annotatedByScopes(annotation: TSESTree.TypeNode): readonly TypeName[] {
  if (nodeIs(annotation, 'TSUnionType')) return annotation.types.length === 0 ? [] : annotation.types.flatMap((one) => annotatedByScopes(one));
  if (!nodeIs(annotation, 'TSTypeReference')) return [];
  const { typeName } = annotation;
  return nodeIs(typeName, 'Identifier') ? ofVariable(typeName) : [];
}

function ofVariable(node: TSESTree.Identifier): readonly TypeName[] {
  const { fileName } = treeOf(node);
  const [def] = variableOf(node)?.defs ?? [];
  if (!def) return [];
  const specifier = def.node as TSESTree.Node;
  const module = def.type === 'ImportBinding' as never ? moduleOf(specifier) : undefined;
  if (module === undefined) return [{ name: node.name, package: undefined, file: fileName }];
  const imported = nodeIs(specifier, 'ImportSpecifier') ? (nodeIs(specifier.imported, 'Identifier') ? specifier.imported.name : specifier.imported.value) : 'default';
  // What a default export is called in its own file is not in view: mostly as it is called here.
  return [imported, ...(imported === 'default' ? [node.name] : [])].flatMap((name) => importedFrom(module, name, fileName));
}

/** A relative path is followed; of others it is not known whether they name a package or stand for a path. */
function importedFrom(module: string, name: string, importer: string): TypeName[] {
  if (module.startsWith('.')) return [{ name, package: undefined, file: path.posix.join(path.posix.dirname(importer.replaceAll('\\', '/')), module), isImport: true }];
  const [first = '', second = ''] = module.split('/');
  const isAlias = /^(?:[@~#$]|src$|app$|lib$)/.test(first) && !/^@[^/]/.test(first);
  const alias: TypeName = { name, package: undefined, file: module.replace(/^[@~#$]?\//, '').replace(/^[~#$]/, ''), isImport: true };
  return [...(isAlias ? [] : [{ name, package: first.startsWith('@') ? `${first}/${second}` : first, file: module, isImport: true }]), ...(isAlias ? [alias] : [])];
}

const moduleOf = (specifier: TSESTree.Node): string | undefined => (nodeIs(specifier.parent, 'ImportDeclaration') ? specifier.parent.source.value : undefined);


const packages = new Map<string, string | undefined>();

/** The name in the nearest `package.json` above a file: a package of a workspace is its user's own code, and has a name all the same. */
export function packageAround(file: string): string | undefined {
  const folder = path.dirname(file);
  if (packages.has(folder)) return packages.get(folder);
  const manifest = path.join(folder, 'package.json');
  const found = existsSync(manifest) ? nameIn(manifest) : undefined;
  const name = found ?? (folder === path.dirname(folder) ? undefined : packageAround(folder));
  packages.set(folder, name);
  return name;
}

/** The name that the package of a folder gives itself, where it is installed under another one: `npm install typeorm-0.3@npm:typeorm@0.3`. */
export function installedName(folder: string): string | undefined {
  if (!installed.has(folder)) installed.set(folder, nameIn(path.join(folder, 'package.json')));
  return installed.get(folder);
}

const installed = new Map<string, string | undefined>();

function nameIn(manifest: string): string | undefined {
  try {
    const { name } = JSON.parse(readFileSync(manifest, 'utf8')) as { name?: unknown };
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined; // no JSON: it names nothing
  }
}
