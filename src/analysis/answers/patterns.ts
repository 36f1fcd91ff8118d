import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import type { Flow } from './flow.js';
import { bare, canSee, is, keyOf, replacement, type NodeOf } from './syntax.js';
import { access, elementOf, isSameName, plain, settle, wrap, type Access, type Value } from './value.js';

/** Puts a value under the names of a pattern: a parameter, a declaration, or the left side of an assignment. */
export function bind(flow: Flow, pattern: TSESTree.Node, value: Value): void {
  const target = bare(pattern);
  if (is(target, 'Identifier')) bindName(flow, target, value);
  else if (is(target, 'ObjectPattern')) bindObject(flow, target, settle(value));
  else if (is(target, 'ArrayPattern')) bindArray(flow, target, settle(value));
  else if (is(target, 'AssignmentPattern')) flow.bind(target.left, value);
  else if (is(target, 'RestElement')) flow.bind(target.argument, wrap('tuple', value));
  else flow.read(); // a field, or a parameter property: other code can read it
}

function bindName(flow: Flow, name: TSESTree.Identifier, value: Value): void {
  const { scopes } = flow.question;
  const variable = scopes.variableOf(name);
  const isReplacedAt = replacement(name, scopes.writesOf(name));
  const declaration = variable?.identifiers[0];
  if (!variable || isExported(variable)) flow.read();
  if (name.name.startsWith('_')) flow.ignore();
  for (const use of scopes.referencesOf(name)) {
    if (canSee(name, declaration, use) && !isReplacedAt(use)) flow.follow(use, value);
  }
}

function isExported(variable: Scope.Variable): boolean {
  return variable.defs.some((definition) => is(definition.parent?.parent, 'ExportNamedDeclaration'));
}

function bindObject(flow: Flow, pattern: NodeOf['ObjectPattern'], value: Value): void {
  for (const property of pattern.properties) {
    if (is(property, 'RestElement')) bindOtherProperties(flow, property, pattern, value);
    else bindAccess(flow, property.value, access(value, keyOf(property, property.key), flow.layout), property);
  }
}

/** `{ ok, ...others }`: the others have no answer if the pattern takes out what holds it. */
function bindOtherProperties(flow: Flow, rest: NodeOf['RestElement'], pattern: NodeOf['ObjectPattern'], value: Value): void {
  const { column, shape } = flow.layout;
  const holder = value.kind === 'row' && column.kind === 'column' ? column.name : value.kind === 'result' ? shape.rows : undefined;
  const isTaken = pattern.properties.some((property) => {
    const key = is(property, 'Property') ? keyOf(property, property.key) : undefined;
    return holder !== undefined && typeof key === 'string' && isSameName(key, holder);
  });
  if (!isTaken) flow.bind(rest.argument, value);
}

function bindArray(flow: Flow, pattern: NodeOf['ArrayPattern'], value: Value): void {
  pattern.elements.forEach((element, index) => {
    if (is(element, 'RestElement')) bindOtherElements(flow, element, index, value);
    else if (element) bindAccess(flow, element, access(value, index, flow.layout), element);
  });
}

function bindOtherElements(flow: Flow, rest: NodeOf['RestElement'], from: number, value: Value): void {
  const element = elementOf(value, flow.layout);
  if (value.kind === 'tuple' && value.at !== undefined) {
    if (value.at >= from) flow.bind(rest.argument, wrap('tuple', value.of, value.at - from));
  } else {
    flow.bind(rest.argument, element ? wrap('list', element) : plain('unknown'));
  }
}

function bindAccess(flow: Flow, pattern: TSESTree.Node, found: Access, at: TSESTree.Node): void {
  if (found === 'read') flow.read();
  else if (found === 'absent') bindAbsent(flow, pattern, at);
  else if (found !== 'nothing') flow.bind(pattern, found);
}

function bindAbsent(flow: Flow, pattern: TSESTree.Node, at: TSESTree.Node): void {
  const target = bare(is(pattern, 'AssignmentPattern') ? pattern.left : pattern);
  // a column with structure is none that we know of
  if (is(target, 'ObjectPattern', 'ArrayPattern')) flow.read();
  else flow.mistake('column', at);
}
