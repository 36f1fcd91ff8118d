import type { TSESTree } from '@typescript-eslint/utils';
import { annotated, ofClass } from './annotations.js';
import { typedefsOf } from './jsdoc.js';
import { nodeIs as is, nameOfKey as nameOf, treeOf, variableOf } from './tree.js';
import { any, arrayOf, bigint, intersectionOf, literal, named, nothing, number, objectOf, promiseOf, text, truth, unionOf, type Written } from './written-types.js';

/** Types as they stand in a file: nodes of TypeScript's, or the text of JSDoc. */

export function ofType(node: TSESTree.TypeNode): Written | undefined {
  switch (node.type as string) {
    case 'TSNumberKeyword': return number;
    case 'TSBigIntKeyword': return bigint;
    case 'TSStringKeyword': return text;
    case 'TSBooleanKeyword': return truth;
    case 'TSAnyKeyword':
    case 'TSUnknownKeyword': return any;
    case 'TSNullKeyword':
    case 'TSUndefinedKeyword': return nothing;
    case 'TSLiteralType': {
      const { literal: value } = node as TSESTree.TSLiteralType;
      return is(value, 'Literal') && value.value !== null && typeof value.value !== 'object' ? literal(value.value) : undefined;
    }
    case 'TSUnionType': return unionOf((node as TSESTree.TSUnionType).types.map(ofType));
    case 'TSIntersectionType': return intersectionOf((node as TSESTree.TSIntersectionType).types.map(ofType));
    case 'TSTypeOperator': {
      const { operator, typeAnnotation } = node as TSESTree.TSTypeOperator;
      return operator === 'readonly' && typeAnnotation ? ofType(typeAnnotation) : undefined;
    }
    case 'TSArrayType': return arrayOf(() => ofType((node as TSESTree.TSArrayType).elementType));
    case 'TSTupleType': {
      const { elementTypes } = node as TSESTree.TSTupleType;
      return objectOf({ isArray: true, property: (name) => { const at = elementTypes[Number(name)]; return at && ofType(at); } });
    }
    case 'TSNamedTupleMember': return ofType((node as TSESTree.TSNamedTupleMember).elementType);
    case 'TSTypeLiteral': return ofMembers((node as TSESTree.TSTypeLiteral).members);
    case 'TSFunctionType': return signature((node as TSESTree.TSFunctionType).returnType);
    case 'TSTypeQuery': {
      const { exprName } = node as TSESTree.TSTypeQuery;
      return is(exprName, 'Identifier') ? unlessAsked(node, () => annotated(exprName)) : undefined;
    }
    case 'TSIndexedAccessType': {
      const { objectType, indexType } = node as TSESTree.TSIndexedAccessType;
      const name = is(indexType, 'TSLiteralType') && is(indexType.literal, 'Literal') ? String(indexType.literal.value) : undefined;
      return name === undefined ? undefined : unlessAsked(node, () => ofType(objectType)?.property(name));
    }
    case 'TSImportType': return ofImportType(node as TSESTree.TSImportType);
    case 'TSTypeReference': return ofReference(node as TSESTree.TSTypeReference);
    default: return undefined;
  }
}

const signature = (returned: TSESTree.TSTypeAnnotation | undefined): Written => objectOf({ property: () => undefined, returns: () => returned && ofType(returned.typeAnnotation) });

function ofMembers(members: readonly TSESTree.TypeElement[], ofBases: <T>(ask: (bases: readonly (Written | undefined)[]) => T) => T | undefined = (ask) => ask([]), names: () => Written['names'] = () => []): Written {
  return objectOf({
    names: () => [...names(), ...ofBases((bases) => bases.flatMap((one) => one?.names ?? [])) ?? []],
    isWhole: ofBases((bases) => bases.every((one) => one?.isWhole)) ?? false,
    has: members.flatMap((one) => ('key' in one ? nameOf(one.key) ?? [] : [])),
    property: (name) => {
      const member = members.find((one) => 'key' in one && nameOf(one.key) === name);
      if (is(member, 'TSPropertySignature')) return member.typeAnnotation && ofType(member.typeAnnotation.typeAnnotation)?.orMissing(member.optional);
      if (is(member, 'TSMethodSignature')) return signature(member.returnType);
      return ofBases((bases) => bases.map((one) => one?.property(name)).find((one) => one !== undefined));
    },
  });
}

/** `import('pg').Pool`. */
function ofImportType({ source, qualifier }: TSESTree.TSImportType): Written | undefined {
  const names = qualifier ? pathOf(qualifier) : undefined;
  return names && named(names.at(-1)!, source.value);
}

function pathOf(name: TSESTree.EntityName): string[] | undefined {
  if (is(name, 'Identifier')) return [name.name];
  if (!is(name, 'TSQualifiedName')) return undefined;
  const left = pathOf(name.left);
  return left && [...left, name.right.name];
}

const THROUGH = new Set(['Readonly', 'Required', 'NonNullable', 'NoInfer']);

function ofReference(node: TSESTree.TSTypeReference): Written | undefined {
  const path = pathOf(node.typeName);
  let first: TSESTree.Node = node.typeName;
  while (is(first, 'TSQualifiedName')) first = first.left;
  if (!path || !is(first, 'Identifier')) return undefined;
  const inner = (): Written | undefined => { const [one] = node.typeArguments?.params ?? []; return one && ofType(one); };
  if (path.length === 1 && !variableOf(first)?.defs.length) {
    if (/^Promise(?:Like)?$/.test(path[0]!)) return promiseOf(inner());
    if (THROUGH.has(path[0]!)) return path[0] === 'NonNullable' ? inner()?.present() : inner();
    if (path[0] === 'Awaited') return inner()?.awaited();
    if (/^(?:Readonly)?Array$/.test(path[0]!)) return arrayOf(inner);
    return undefined;
  }
  return referenced(first, path.slice(1));
}

/** What a name stands for as a type: an import of a package, or a declaration of the file. */
function referenced(name: TSESTree.Identifier, path: readonly string[]): Written | undefined {
  const [definition] = variableOf(name)?.defs ?? [];
  const node = definition?.node as TSESTree.Node | undefined;
  if (!node) return ofTypedef(name.name, name);
  if (is(node, 'ImportSpecifier') || is(node, 'ImportDefaultSpecifier') || is(node, 'ImportNamespaceSpecifier')) {
    const own = is(node, 'ImportSpecifier') ? (is(node.imported, 'Identifier') ? node.imported.name : node.imported.value) : node.local.name;
    return named(path.at(-1) ?? own, (node.parent as TSESTree.ImportDeclaration).source.value);
  }
  if (is(node, 'TSImportEqualsDeclaration')) {
    const { moduleReference } = node;
    return is(moduleReference, 'TSExternalModuleReference') && is(moduleReference.expression, 'Literal') ? named(path.at(-1) ?? name.name, moduleReference.expression.value) : undefined;
  }
  if (is(node, 'VariableDeclarator')) return ofRequired(node, name.name, path);
  if (path.length > 0) return undefined;
  const own = { name: name.name, package: undefined, file: treeOf(name).fileName };
  if (is(node, 'TSTypeAliasDeclaration')) return once(node, () => ofType(node.typeAnnotation));
  if (is(node, 'TSTypeParameter')) return once(node, () => node.constraint && ofType(node.constraint));
  if (is(node, 'ClassDeclaration') || is(node, 'ClassExpression')) return ofClass(node);
  if (is(node, 'TSInterfaceDeclaration')) return ofMembers(node.body.body, (ask) => unlessAsked(node, () => ask(node.extends.map(({ expression }) => ofBase(expression)))), () => [own]);
  return undefined;
}

const asked = new Set<object>();

/** What a declaration tells; nothing while the same is being asked of it: types and classes may be made of themselves, in a ring. */
export function unlessAsked<T>(declaration: object, ask: () => T): T | undefined {
  if (asked.has(declaration)) return undefined;
  asked.add(declaration);
  try {
    return ask();
  } finally {
    asked.delete(declaration);
  }
}

const made = new WeakMap<object, Written | null>();

/** What a declaration tells, remembered: a type may name another twice, and that one the next. */
function once(declaration: object, ask: () => Written | undefined): Written | undefined {
  if (!made.has(declaration)) made.set(declaration, unlessAsked(declaration, ask) ?? null);
  return made.get(declaration) ?? undefined;
}

/** `const { Pool } = require('pg')`, `const pg = require('pg')`. */
function ofRequired({ id, init }: TSESTree.VariableDeclarator, name: string, path: readonly string[]): Written | undefined {
  const [argument] = is(init, 'CallExpression') && is(init.callee, 'Identifier') && init.callee.name === 'require' ? init.arguments : [];
  if (!is(argument, 'Literal') || typeof argument.value !== 'string') return undefined;
  const taken = is(id, 'ObjectPattern') ? id.properties.find((one) => is(one, 'Property') && is(one.value, 'Identifier') && one.value.name === name) : undefined;
  const imported = is(taken, 'Property') ? nameOf(taken.key) : name;
  return named(path.at(-1) ?? imported ?? name, argument.value);
}

/** What a class or an interface extends. */
export function ofBase(node: TSESTree.Node): Written | undefined {
  if (is(node, 'Identifier')) return referenced(node, []);
  const path: string[] = [];
  let at: TSESTree.Node = node;
  for (; is(at, 'MemberExpression') && is(at.property, 'Identifier'); at = at.object) path.unshift(at.property.name);
  return is(at, 'Identifier') ? referenced(at, path) : undefined;
}

// ---- JSDoc

function ofTypedef(name: string, at: TSESTree.Node): Written | undefined {
  const said = typedefsOf(treeOf(at)).get(name);
  if (said === undefined) return undefined;
  return 'type' in said ? once(said, () => ofText(said.type, at)) : named(said.name, said.module);
}

/** How deep types stand in each other; whoever writes more is no one. */
const [MAX_DEPTH, nesting] = [40, { depth: 0 }];

/** A type as JSDoc writes it. */
export function ofText(written: string, at: TSESTree.Node): Written | undefined {
  if (nesting.depth > MAX_DEPTH) return undefined;
  nesting.depth += 1;
  try {
    return parsed(written, at);
  } finally {
    nesting.depth -= 1;
  }
}

function parsed(written: string, at: TSESTree.Node): Written | undefined {
  const type = written.trim().replace(/^[?!]|=$/g, '');
  const parts = split(type, '|');
  if (parts.length > 1) return unionOf(parts.map((one) => ofText(one, at)));
  if (/^\(.*\)$/.test(type)) return ofText(type.slice(1, -1), at);
  const imported = /^import\(\s*['"]([^'"]+)['"]\s*\)((?:\.[\w$]+)+)/.exec(type);
  if (imported) return named(imported[2]!.split('.').at(-1)!, imported[1]!);
  const [, outer, inner] = /^(\w+)\.?<(.*)>$/.exec(type) ?? [];
  if (outer === 'Promise' && inner !== undefined) return promiseOf(ofText(inner, at));
  if (outer === 'Array' && inner !== undefined) return arrayOf(() => ofText(inner, at));
  if (type.endsWith('[]')) return arrayOf(() => ofText(type.slice(0, -2), at));
  const keyword = KEYWORDS.get(type);
  if (keyword) return keyword;
  if (/^\{.*\}$/s.test(type)) return ofTextMembers(type.slice(1, -1), at);
  const path = /^[\w$]+(?:\.[\w$]+)*/.exec(type)?.[0].split('.');
  return path && ofTextName(path, at);
}

const KEYWORDS = new Map<string, Written>([['number', number], ['bigint', bigint], ['string', text], ['boolean', truth], ['any', any], ['unknown', any], ['*', any], ['null', nothing], ['undefined', nothing]]);

function ofTextName([first = '', ...rest]: string[], at: TSESTree.Node): Written | undefined {
  const typedef = ofTypedef(first, at);
  if (typedef) return rest.length === 0 ? typedef : undefined;
  const { scopes } = treeOf(at);
  // The names of a CommonJS file are in a scope of a function, as ESLint's own parser has it.
  const [whole] = scopes.scopes;
  const top = scopes.scopes.find((one) => one.type === ('module' as never) || (one !== whole && one.block === whole?.block)) ?? whole;
  const definition = top?.set.get(first)?.defs[0]?.name as TSESTree.Identifier | undefined;
  return definition && referenced(definition, rest);
}

/** `{ pool: import('pg').Pool, key?: number }`. */
function ofTextMembers(written: string, at: TSESTree.Node): Written {
  const members = new Map(split(written, ',;').flatMap((one): [string, { type: string; isMissing: boolean }][] => {
    const [, name, mark, type] = /^\s*(?:readonly\s+)?([\w$]+)(\??)\s*:(.*)$/s.exec(one) ?? [];
    return name === undefined || type === undefined ? [] : [[name, { type, isMissing: mark === '?' }]];
  }));
  return objectOf({ isWhole: true, has: [...members.keys()], property: (name) => { const one = members.get(name); return one && ofText(one.type, at)?.orMissing(one.isMissing); } });
}

/** Parts of a type's text between separators that stand in no brackets. */
function split(type: string, separators: string): string[] {
  const parts: string[] = [];
  let [level, start] = [0, 0];
  type.split('').forEach((one, index) => {
    if ('(<{['.includes(one)) level += 1;
    if (')>}]'.includes(one)) level -= 1;
    if (level > 0 || !separators.includes(one)) return;
    parts.push(type.slice(start, index));
    start = index + 1;
  });
  return [...parts, type.slice(start)];
}
