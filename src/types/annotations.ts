import type { TSESTree } from '@typescript-eslint/utils';
import { jsDocBefore, parameterOf, returnedOf, typedBy } from './jsdoc.js';
import { nameOfKey as nameOf, nodeIs as is, treeOf, variableOf } from './tree.js';
import { ofBase, ofText, ofType, unlessAsked } from './type-nodes.js';
import { objectOf, promiseOf, type Written } from './written-types.js';

/**
 * What the file itself writes of the types of its values: annotations, casts, JSDoc. A type that is imported from a package is known by
 * its name alone; one that the file declares, by what stands there; all others are not known.
 */
const [MAX_DEPTH, cache] = [20, new WeakMap<TSESTree.Node, Written | null>()];
let depth = 0;

export function annotated(node: TSESTree.Node): Written | undefined {
  const known = cache.get(node);
  if (known !== undefined) return known ?? undefined;
  if (depth > MAX_DEPTH) return undefined;
  cache.set(node, null); // while it is being asked, for a value that is made of itself
  depth += 1;
  try {
    const found = ofExpression(node);
    cache.set(node, found ?? null);
    return found;
  } finally {
    depth -= 1;
  }
}

function ofExpression(node: TSESTree.Node): Written | undefined {
  const cast = typedBy(jsDocBefore(node, { inParentheses: true }));
  if (cast !== undefined) return ofText(cast, node);
  switch (node.type as string) {
    case 'TSAsExpression':
    case 'TSTypeAssertion':
      return ofType((node as TSESTree.TSAsExpression).typeAnnotation);
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'ChainExpression':
      return annotated((node as TSESTree.TSNonNullExpression).expression)?.present();
    case 'AwaitExpression':
      return annotated((node as TSESTree.AwaitExpression).argument)?.awaited();
    case 'Identifier':
      return narrowed(node, ofName(node as TSESTree.Identifier));
    case 'ThisExpression': {
      const owner = classAround(node);
      return owner && ofClass(owner);
    }
    case 'MemberExpression': {
      const { object, property, computed } = node as TSESTree.MemberExpression;
      const name = is(property, 'PrivateIdentifier') ? `#${property.name}` : is(property, 'Identifier') && !computed ? property.name : is(property, 'Literal') ? String(property.value) : undefined;
      return name === undefined ? undefined : narrowed(node, annotated(object)?.property(name));
    }
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return functionType(node);
    case 'CallExpression':
      return annotated((node as TSESTree.CallExpression).callee)?.returns?.();
    default:
      return undefined;
  }
}

/** Code before a use may have made sure that the value is there: what is named before, other than as a value of a statement, counts so. */
function narrowed(use: TSESTree.Node, type: Written | undefined): Written | undefined {
  if (!type?.nullable) return type;
  let root = use;
  while (is(root, 'MemberExpression')) root = root.object;
  const references = is(root, 'Identifier') ? variableOf(root)?.references : undefined;
  if (!references) return type.present();
  const mayTest = ({ identifier: { range, parent } }: (typeof references)[number]): boolean =>
    range[0] < root.range[0] && !is(parent, 'ArrayExpression') && !is(parent, 'TemplateLiteral') && !is(parent, 'VariableDeclarator');
  return references.some(mayTest) ? type.present() : type;
}

/** A name that declares something, or that stands for a variable. */
function ofName(node: TSESTree.Identifier): Written | undefined {
  const variable = variableOf(node);
  const [definition, ...more] = variable?.defs ?? [];
  if (!definition || more.length > 0) return undefined;
  switch (definition.type as string) {
    case 'Parameter':
    case 'Variable':
      return ofBinding(definition.name);
    case 'FunctionName':
      return functionType(definition.node);
    default:
      return undefined;
  }
}

/** A name in a pattern: what is written of the whole, and the part of it that the pattern takes. */
function ofBinding(name: TSESTree.Node): Written | undefined {
  const path: string[] = [];
  let at: TSESTree.Node = name;
  const isFilled = is(name.parent, 'AssignmentPattern') && name.parent.left === name;
  for (;;) {
    const parent = at.parent;
    if ((at as Partial<TSESTree.Identifier>).typeAnnotation) break;
    if (is(parent, 'AssignmentPattern') && parent.left === at) at = parent;
    else if (is(parent, 'Property') && is(parent.parent, 'ObjectPattern')) {
      const key = is(parent.key, 'Identifier') && !parent.computed ? parent.key.name : undefined;
      if (key === undefined) return undefined;
      path.unshift(key);
      at = parent.parent;
    } else if (is(parent, 'ArrayPattern')) {
      path.unshift(String(parent.elements.indexOf(at as never)));
      at = parent;
    } else break;
  }
  const whole = ofWhole(at);
  const part = path.reduce<Written | undefined>((type, step) => type?.property(step), whole);
  return isFilled ? part?.present() : part;
}

function ofWhole(pattern: TSESTree.Node): Written | undefined {
  const annotation = (pattern as Partial<TSESTree.Identifier>).typeAnnotation;
  if (annotation) return ofType(annotation.typeAnnotation)?.orMissing((pattern as TSESTree.Identifier).optional);
  const holder = pattern.parent;
  if (is(holder, 'VariableDeclarator') && holder.id === pattern) {
    const said = typedBy(docOf(holder));
    if (said !== undefined) return ofText(said, holder);
    const loop = holder.parent.parent;
    if (is(loop, 'ForOfStatement')) return annotated(loop.right)?.property('0');
    return holder.init ? annotated(holder.init) : undefined;
  }
  if (is(pattern, 'AssignmentPattern')) return ofWhole(pattern.left) ?? ofParameter(pattern.left, pattern);
  return ofParameter(pattern, pattern);
}

function ofParameter(name: TSESTree.Node, param: TSESTree.Node): Written | undefined {
  const callee = param.parent;
  if (!callee || !('params' in callee)) return undefined;
  const said = parameterOf(docOf(callee), is(name, 'Identifier') ? name.name : callee.params.indexOf(param as never));
  if (said === undefined) return undefined;
  if (typeof said === 'string') return ofText(said, callee);
  return objectOf({ property: (part) => (said.has(part) ? ofText(said.get(part)!, callee) : undefined) });
}

/** The JSDoc of a function: before it, or before the declaration or member that it is the value of. */
function docOf(callee: TSESTree.Node): string | undefined {
  for (let at: TSESTree.Node | undefined = callee; at; at = at.parent) {
    const found = jsDocBefore(at);
    if (found !== undefined) return found;
    if (/^(?:Program|BlockStatement|ClassBody|ObjectExpression|CallExpression)$/.test(at.parent?.type ?? 'Program')) return undefined;
  }
  return undefined;
}

function functionType(callee: TSESTree.Node): Written {
  const { returnType, async } = callee as TSESTree.FunctionDeclaration;
  const said = returnType ? undefined : returnedOf(docOf(callee));
  return objectOf({
    property: () => undefined,
    returns: () => {
      if (returnType) return ofType(returnType.typeAnnotation);
      const type = said === undefined ? undefined : ofText(said, callee);
      return type && async && !type.isPromise ? promiseOf(type) : type;
    },
  });
}

// ---- classes

function classAround(node: TSESTree.Node): TSESTree.ClassDeclaration | TSESTree.ClassExpression | undefined {
  for (let at = node.parent; at; at = at.parent) {
    if (is(at, 'ClassDeclaration') || is(at, 'ClassExpression')) return at;
    if (is(at, 'FunctionDeclaration') || (is(at, 'FunctionExpression') && !is(at.parent, 'MethodDefinition'))) return undefined;
  }
  return undefined;
}

type ClassNode = TSESTree.ClassDeclaration | TSESTree.ClassExpression;

export function ofClass(owner: ClassNode): Written {
  const ofBases = <T>(ask: (base: Written) => T): T | undefined => unlessAsked(owner, () => {
    const base = owner.superClass ? ofBase(owner.superClass) : null;
    return base ? ask(base) : undefined;
  });
  const own = owner.id ? [{ name: owner.id.name, package: undefined, file: treeOf(owner).fileName }] : [];
  return objectOf({
    names: () => [...own, ...ofBases((base) => base.names) ?? []],
    isWhole: owner.superClass === null,
    property: (name) => memberOf(owner, name) ?? ofBases((base) => base.property(name)),
  });
}

/** The names that declare a member of `this`, in the class around it, or of a value that is written to be of a class of the file. */
export function memberOfClass({ object, property, computed }: TSESTree.MemberExpression): readonly TSESTree.Node[] {
  const name = computed && !is(property, 'Literal') ? undefined : nameOf(property);
  return name === undefined ? [] : declaredIn(classOf(object), name);
}

function declaredIn(owner: ClassNode | undefined, name: string): readonly TSESTree.Node[] {
  for (const one of owner?.body.body ?? []) {
    if (is(one, 'MethodDefinition') && one.kind === 'constructor') {
      const found = one.value.params.map((param) => (is(param, 'TSParameterProperty') ? (is(param.parameter, 'AssignmentPattern') ? param.parameter.left : param.parameter) : undefined)).find((id) => is(id, 'Identifier') && id.name === name);
      if (found) return [found];
    } else if ('key' in one && !one.static && nameOf(one.key) === name) return [one.key];
  }
  return [];
}

/** The class of the file whose instance an expression is, as an annotation of its name says. */
function classOf(node: TSESTree.Node): ClassNode | undefined {
  if (is(node, 'ThisExpression')) return classAround(node);
  const name = is(node, 'Identifier') ? variableOf(node)?.defs[0]?.name : is(node, 'MemberExpression') && is(node.object, 'ThisExpression') ? memberOfClass(node)[0] : undefined;
  const holder = is(name?.parent, 'PropertyDefinition') ? name.parent : name;
  const type = (holder as Partial<TSESTree.Identifier> | undefined)?.typeAnnotation?.typeAnnotation;
  const made = is(type, 'TSTypeReference') && is(type.typeName, 'Identifier') ? variableOf(type.typeName)?.defs[0]?.node as TSESTree.Node | undefined : undefined;
  return is(made, 'ClassDeclaration') || is(made, 'ClassExpression') ? made : undefined;
}

function memberOf(owner: ClassNode, name: string): Written | undefined {
  for (const one of owner.body.body) {
    if (is(one, 'MethodDefinition') && one.kind === 'constructor') {
      for (const param of one.value.params) {
        const inner = is(param, 'TSParameterProperty') ? param.parameter : undefined;
        const id = is(inner, 'AssignmentPattern') ? inner.left : inner;
        if (is(id, 'Identifier') && id.name === name) return ofWhole(inner!);
      }
      continue;
    }
    if (!('key' in one) || one.static || nameOf(one.key) !== name) continue;
    if (is(one, 'MethodDefinition')) return one.kind === 'get' ? functionType(one.value).returns?.() : functionType(one.value);
    const { typeAnnotation, optional } = one as TSESTree.PropertyDefinition;
    if (typeAnnotation) return ofType(typeAnnotation.typeAnnotation)?.orMissing(optional);
    const said = typedBy(jsDocBefore(one));
    if (said !== undefined) return ofText(said, one);
    return undefined;
  }
  return ofAssigned(owner, name);
}

/** `this.pool = pool` of a constructor, with a JSDoc of its own or of the parameter. */
function ofAssigned(owner: ClassNode, name: string): Written | undefined {
  const made = owner.body.body.find((one): one is TSESTree.MethodDefinition => is(one, 'MethodDefinition') && one.kind === 'constructor');
  for (const statement of made?.value.body?.body ?? []) {
    const expression = is(statement, 'ExpressionStatement') ? statement.expression : undefined;
    if (!is(expression, 'AssignmentExpression') || !is(expression.left, 'MemberExpression') || !is(expression.left.object, 'ThisExpression') || nameOf(expression.left.property) !== name) continue;
    const said = typedBy(jsDocBefore(statement));
    return said === undefined ? annotated(expression.right) : ofText(said, statement);
  }
  return undefined;
}
