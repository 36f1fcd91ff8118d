import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { treeOf, type Definition, type Types } from '../types/index.js';
import { assignmentsToField, classMember, objectMember } from './members.js';
import { reachingWrites } from './reaching.js';
import { type ClassNode, contains, functionAround, type FunctionNode, is, isClass, isFunction, isMember, memberName, staticName, unwrap, walk } from './syntax.js';

/**
 * Where values come from. An expression is followed through variables, imports, fields, getters, destructuring, casts and the
 * user's own functions, in any file, until it ends in something that is no name for another thing: its origins.
 */

/** A call of a function of the user's own that the following has entered: its parameters stand for these arguments. */
export interface Frame {
  readonly callee: FunctionNode;
  readonly args: readonly TSESTree.CallExpressionArgument[];
  /** The call or `new` itself, in the file that has it. */
  readonly call: TSESTree.Node;
  readonly caller: Frame | undefined;
  readonly depth: number;
}

/** An expression, and the calls through which it is looked at. */
export interface Place {
  readonly node: TSESTree.Node;
  readonly frame: Frame | undefined;
}

export type Step = string | number;

export type Origin =
  /** An expression that makes a value: a literal, template, object, function, class, `new` or a call of code that is not in view. */
  | { readonly kind: 'value'; readonly node: TSESTree.Node; readonly frame: Frame | undefined; /** It outlives the call that made it: a field or an outer variable keeps it. */ readonly isKept?: boolean }
  /** Something that an npm package exports. */
  | { readonly kind: 'import'; readonly module: string; readonly path: readonly string[]; readonly node: TSESTree.Node }
  /** A parameter (or a part of it) of a function whose calls are not among the frames. */
  | { readonly kind: 'parameter'; readonly callee: FunctionNode; readonly index: number; readonly path: readonly Step[]; readonly node: TSESTree.Node }
  /** A property of something that was followed as far as it goes. */
  | { readonly kind: 'member'; readonly object: Origin; readonly name: Step; readonly node: TSESTree.Node }
  | { readonly kind: 'unknown'; readonly node: TSESTree.Node };

const MAX_DEPTH = 12;
const MAX_STEPS = 3000;

export class Origins {
  private readonly cache = new WeakMap<TSESTree.Node, readonly Origin[]>();
  private readonly busy = new Set<TSESTree.Node>();
  private steps = 0;

  constructor(readonly types: Types) {}

  of(place: Place): readonly Origin[] {
    if (this.busy.size === 0) this.steps = 0;
    const node = unwrap(place.node);
    const known = place.frame ? undefined : this.cache.get(node);
    if (known) return known;
    // A variable that is made of itself (`x = x ?? make()`), or a program too knotted to follow: no more origins this way.
    if (this.busy.has(node) || ++this.steps > MAX_STEPS) return [];
    this.busy.add(node);
    const found = this.follow(node, place.frame);
    this.busy.delete(node);
    if (!place.frame && this.busy.size === 0) this.cache.set(node, found);
    return found;
  }

  private follow(node: TSESTree.Node, frame: Frame | undefined): readonly Origin[] {
    const at = node as TSESTree.Expression;
    switch (at.type as string) {
      case 'Identifier':
        return this.ofIdentifier(at as TSESTree.Identifier, frame);
      case 'MemberExpression':
        return this.ofMember(at as TSESTree.MemberExpression, frame);
      case 'ConditionalExpression': {
        const { consequent, alternate } = at as TSESTree.ConditionalExpression;
        return this.all([consequent, alternate], frame);
      }
      case 'LogicalExpression': {
        const { left, right, operator } = at as TSESTree.LogicalExpression;
        return operator === '&&' ? this.of({ node: right, frame }) : this.either(left, right, frame);
      }
      case 'AssignmentExpression': {
        const { left, right, operator } = at as TSESTree.AssignmentExpression;
        if (operator === '=') return this.of({ node: right, frame });
        return operator === '??=' || operator === '||=' ? kept(this.either(left, right, frame)) : [{ kind: 'unknown', node }];
      }
      case 'SequenceExpression':
        return this.of({ node: (at as TSESTree.SequenceExpression).expressions.at(-1)!, frame });
      case 'CallExpression':
        return this.ofCall(at as TSESTree.CallExpression, frame);
      case 'ImportExpression': {
        const { source } = at as TSESTree.ImportExpression;
        return is(source, 'Literal') && typeof source.value === 'string' ? this.ofModule(source, node) : [{ kind: 'unknown', node }];
      }
      default:
        return [{ kind: 'value', node, frame }];
    }
  }

  /** `a ?? b`: what a global object kept from before is what the other side once made. */
  private either(left: TSESTree.Node, right: TSESTree.Node, frame: Frame | undefined): Origin[] {
    const before = this.of({ node: left, frame }).filter((one) => !isOfGlobalObject(one));
    return unique([...before, ...this.of({ node: right, frame })]);
  }

  private all(nodes: readonly TSESTree.Node[], frame: Frame | undefined): Origin[] {
    return unique(nodes.flatMap((node) => this.of({ node, frame })));
  }

  // ---- names

  private ofIdentifier(node: TSESTree.Identifier, frame: Frame | undefined): readonly Origin[] {
    if (node.name === 'undefined') return [{ kind: 'value', node, frame }];
    const variable = variableOf(node);
    if (!variable || variable.defs.length === 0) return [{ kind: 'unknown', node }];
    return unique(variable.defs.flatMap((def) => this.ofDefinition(variable, def, node, frame)));
  }

  private ofDefinition(variable: Scope.Variable, def: Scope.Definition, use: TSESTree.Identifier, frame: Frame | undefined): readonly Origin[] {
    switch (def.type as string) {
      case 'ImportBinding':
        return this.ofImport(def.node as TSESTree.ImportClause, use);
      case 'Parameter':
        return this.ofParameter(variable, def.name as TSESTree.Identifier, def.node as FunctionNode, use, frame);
      case 'Variable':
        return this.ofWrites(variable, use, frame);
      case 'FunctionName':
      case 'ClassName':
        return [{ kind: 'value', node: def.node as TSESTree.Node, frame: frameAt(def.node as TSESTree.Node, frame) }];
      case 'TSEnumName':
        return [{ kind: 'value', node: def.node as TSESTree.Node, frame: undefined }];
      default:
        return [{ kind: 'unknown', node: use }];
    }
  }

  /** What a variable may hold where it is used: the initialiser, and each assignment that reaches the use. */
  private ofWrites(variable: Scope.Variable, use: TSESTree.Identifier, frame: Frame | undefined): Origin[] {
    const written = reachingWrites(variable, use).flatMap(({ value, target, node }): readonly Origin[] => {
      const inner = frameAt(node, frame);
      if (!value) return [{ kind: 'unknown', node }];
      const found = this.project(this.of({ node: value, frame: inner }), pathTo(target, node), inner, node);
      return frame && !isLocalTo(variable, frame) ? kept(found) : found;
    });
    return written.length === 0 ? [{ kind: 'unknown', node: use }] : unique(written);
  }

  private ofParameter(variable: Scope.Variable, name: TSESTree.Identifier, callee: FunctionNode, use: TSESTree.Identifier, frame: Frame | undefined): Origin[] {
    const index = callee.params.findIndex((param) => contains(param, name));
    const param = callee.params[index];
    if (!param) return [{ kind: 'unknown', node: use }];
    const written = variable.references.some((one) => one.isWrite() && !one.init) ? reachingWrites(variable, use) : [];
    const rewritten = written.flatMap(({ value, target, node }) => (value ? this.project(this.of({ node: value, frame: frameAt(node, frame) }), pathTo(target, node), frame, node) : []));
    return unique([...rewritten, ...this.argumentAt(callee, index, param, name, frame)]);
  }

  private argumentAt(callee: FunctionNode, index: number, param: TSESTree.Node, name: TSESTree.Identifier, frame: Frame | undefined): readonly Origin[] {
    const path = pathTo(param, name);
    const own = frameOf(callee, frame);
    const defaults = this.defaultsOn(param, name, own?.caller);
    if (!own) return [{ kind: 'parameter', callee, index, path, node: name }, ...defaults];
    const argument = own.args[index];
    if (!argument) return defaults.length > 0 ? defaults : [{ kind: 'value', node: UNDEFINED, frame: undefined }];
    if (own.args.slice(0, index + 1).some((one) => is(one, 'SpreadElement'))) return [{ kind: 'unknown', node: name }];
    return this.project(this.of({ node: argument, frame: own.caller }), path, own.caller, name);
  }

  /** `(db = pool)`: what the parameter is when it is left out. */
  private defaultsOn(param: TSESTree.Node, name: TSESTree.Identifier, frame: Frame | undefined): readonly Origin[] {
    const holder = is(name.parent, 'AssignmentPattern') ? name.parent as unknown as TSESTree.AssignmentPattern : undefined;
    return holder && contains(param, holder) && holder.left === name ? this.of({ node: holder.right, frame }) : [];
  }

  private ofImport(specifier: TSESTree.ImportClause, use: TSESTree.Node): readonly Origin[] {
    const module = importedModule(specifier);
    if (module === undefined) return [{ kind: 'unknown', node: use }];
    const definitions = this.types.importedDefinitions(specifier);
    const found = definitions.flatMap((definition) => this.ofName(definition, undefined));
    if (found.length > 0) return found;
    const isNamed = is(specifier, 'ImportSpecifier');
    const name = isNamed ? staticName((specifier as TSESTree.ImportSpecifier).imported, false)! : 'default';
    return [{ kind: 'import', module, path: is(specifier, 'ImportNamespaceSpecifier') || is(specifier as TSESTree.Node, 'TSImportEqualsDeclaration') ? [] : [name], node: use }];
  }

  /** The value behind a name node that declares something, or behind an expression that is exported by default. */
  ofName(definition: Definition, frame: Frame | undefined): readonly Origin[] {
    const owner = definition.parent;
    if (!owner) return [];
    switch (owner.type as string) {
      case 'Property':
        if ((owner as TSESTree.Property).key !== definition) break;
        return is(owner.parent, 'ObjectExpression') ? this.ofObjectProperty(owner as TSESTree.Property, frame) : this.ofBinding(definition, frame);
      case 'PropertyDefinition':
      case 'AccessorProperty':
      case 'MethodDefinition':
      case 'TSAbstractMethodDefinition':
      case 'TSAbstractPropertyDefinition': {
        const name = staticName((owner as TSESTree.PropertyDefinition).key, (owner as TSESTree.PropertyDefinition).computed);
        const owningClass = owner.parent?.parent;
        return name !== undefined && isClass(owningClass) ? this.ofField(owningClass, name, definition, frame) : [];
      }
      case 'TSEnumMember': {
        const { initializer } = owner as TSESTree.TSEnumMember;
        return initializer ? this.of({ node: initializer, frame: undefined }) : [];
      }
      case 'TSPropertySignature':
      case 'TSMethodSignature':
      case 'TSInterfaceDeclaration':
      case 'TSTypeAliasDeclaration':
      case 'TSModuleDeclaration':
        return [];
      default:
        break;
    }
    if (parameterProperty(definition)) return this.ofField(classAroundParameter(definition)!, (definition as TSESTree.Identifier).name, definition, frame);
    return is(definition, 'Identifier') ? this.ofBinding(definition, frame) : this.of({ node: definition, frame });
  }

  private ofBinding(definition: TSESTree.Node, frame: Frame | undefined): readonly Origin[] {
    return this.of({ node: definition, frame });
  }

  // ---- properties

  private ofObjectProperty(property: TSESTree.Property, frame: Frame | undefined, use?: TSESTree.Node): readonly Origin[] {
    if (property.kind === 'get' && isFunction(property.value)) return this.returnsOf(property.value, enter(property.value, [], use ?? property, frame));
    return this.of({ node: property.value, frame });
  }

  private ofMember(node: TSESTree.MemberExpression, frame: Frame | undefined): readonly Origin[] {
    const name = memberName(node) ?? this.constantName(node, frame);
    if (name === undefined) return [{ kind: 'unknown', node }];
    if (is(node.object, 'ThisExpression')) return this.ofThisMember(node, name, frame);
    const declared = node.computed ? [] : this.types.memberDefinitions(node).flatMap((one) => this.ofName(one, undefined));
    if (declared.some((one) => one.kind === 'value' || one.kind === 'import')) return unique(declared);
    const step = node.computed && /^\d+$/.test(name) ? Number(name) : name;
    const structural = this.project(this.of({ node: node.object, frame }), [step], frame, node);
    return structural.some((one) => one.kind !== 'member' && one.kind !== 'unknown') || declared.length === 0 ? structural : unique(declared);
  }

  private constantName(node: TSESTree.MemberExpression, frame: Frame | undefined): string | undefined {
    const [only, ...more] = this.of({ node: node.property, frame });
    const literal = only?.kind === 'value' && more.length === 0 && is(only.node, 'Literal') ? (only.node as TSESTree.Literal).value : undefined;
    return typeof literal === 'string' || typeof literal === 'number' ? String(literal) : undefined;
  }

  private ofThisMember(node: TSESTree.MemberExpression, name: string, frame: Frame | undefined): readonly Origin[] {
    for (let at: TSESTree.Node | undefined = node.parent; at; at = at.parent) {
      if (isClass(at)) return this.ofField(at, name, node, frame);
      if (is(at, 'ObjectExpression')) {
        const property = objectMember(at as TSESTree.ObjectExpression, name);
        if (property) return this.ofObjectProperty(property, frame, node);
      }
    }
    return [{ kind: 'unknown', node }];
  }

  /** Everything that a field may hold: its initialiser, its getter's results, and what the class's own code assigns to it. */
  ofField(owner: ClassNode, name: string, use: TSESTree.Node, frame: Frame | undefined): readonly Origin[] {
    const found: Origin[] = [];
    const { member, parameter } = classMember(owner, name);
    if (parameter) found.push(...this.argumentAt(parameter.callee, parameter.index, parameter.callee.params[parameter.index]!, parameter.name, frame));
    if (is(member, 'MethodDefinition') && isFunction(member?.value)) {
      // Each reading of a getter runs it anew.
      if ((member as TSESTree.MethodDefinition).kind === 'get') return this.returnsOf(member!.value as FunctionNode, enter(member!.value as FunctionNode, [], use, frame));
      return [{ kind: 'value', node: member!.value as TSESTree.Node, frame }];
    }
    if (member?.value) found.push(...kept(this.of({ node: member.value, frame: undefined })));
    for (const { value, path, node } of assignmentsToField(owner, name)) {
      found.push(...kept(this.project(this.of({ node: value, frame: frameAt(node, frame) }), path, frameAt(node, frame), node)));
    }
    if (found.length > 0) return unique(found);
    const inherited = owner.superClass ? this.of({ node: owner.superClass, frame: undefined }) : [];
    for (const base of inherited) if (base.kind === 'value' && isClass(base.node) && base.node !== owner) return this.ofField(base.node, name, use, frame);
    return [{ kind: 'unknown', node: use }];
  }

  /** Takes parts of origins: the property or element that a member expression or a pattern asks for. */
  project(origins: readonly Origin[], path: readonly Step[], frame: Frame | undefined, use: TSESTree.Node): readonly Origin[] {
    let found = origins;
    for (const step of path) found = unique(found.flatMap((origin) => this.part(origin, step, use)));
    return found;
  }

  private part(origin: Origin, step: Step, use: TSESTree.Node): readonly Origin[] {
    if (origin.kind === 'import') return [{ ...origin, path: [...origin.path, String(step)] }];
    if (origin.kind === 'parameter') return [{ ...origin, path: [...origin.path, step], node: use }];
    if (origin.kind !== 'value') return [{ kind: 'member', object: origin, name: step, node: use }];
    const { node, frame } = origin;
    if (is(node, 'ObjectExpression') && typeof step === 'string') return this.partOfObject(node as TSESTree.ObjectExpression, step, origin, use);
    if (is(node, 'ArrayExpression') && typeof step === 'number') {
      const element = (node as TSESTree.ArrayExpression).elements[step];
      if (element && !is(element, 'SpreadElement')) return this.of({ node: element, frame });
    }
    if (is(node, 'NewExpression') && typeof step === 'string') return this.partOfInstance(node as TSESTree.NewExpression, step, origin, use);
    if (isClass(node) && typeof step === 'string') return this.ofField(node, step, use, frame);
    if (is(node, 'TSEnumDeclaration')) return this.partOfEnum(node as TSESTree.TSEnumDeclaration, step, use);
    if (is(node, 'Program')) return this.partOfModule(node as TSESTree.Program, String(step), use);
    return [{ kind: 'member', object: origin, name: step, node: use }];
  }

  private partOfObject(object: TSESTree.ObjectExpression, name: string, origin: Origin & { kind: 'value' }, use: TSESTree.Node): readonly Origin[] {
    const property = objectMember(object, name);
    if (property) return this.ofObjectProperty(property, origin.frame, use);
    const spread = object.properties.filter((one) => is(one, 'SpreadElement')) as TSESTree.SpreadElement[];
    const found = spread.flatMap((one) => this.project(this.of({ node: one.argument, frame: origin.frame }), [name], origin.frame, use));
    return found.length > 0 ? found : [{ kind: 'member', object: origin, name, node: use }];
  }

  private partOfInstance(made: TSESTree.NewExpression, name: string, origin: Origin & { kind: 'value' }, use: TSESTree.Node): readonly Origin[] {
    for (const callee of this.of({ node: made.callee, frame: origin.frame })) {
      if (callee.kind !== 'value' || !isClass(callee.node)) continue;
      const { constructorFunction } = classMember(callee.node, name);
      const frame = constructorFunction ? enter(constructorFunction, made.arguments, made, origin.frame) : undefined;
      return this.ofField(callee.node, name, use, frame);
    }
    return [{ kind: 'member', object: origin, name, node: use }];
  }

  private partOfEnum(declaration: TSESTree.TSEnumDeclaration, step: Step, use: TSESTree.Node): readonly Origin[] {
    const member = declaration.body.members.find((one) => staticName(one.id, false) === String(step));
    return member?.initializer ? this.of({ node: member.initializer, frame: undefined }) : [{ kind: 'unknown', node: use }];
  }

  /** An export of a CommonJS file: `module.exports = { x }`, `exports.x = ...`. */
  private partOfModule(program: TSESTree.Program, name: string, use: TSESTree.Node): readonly Origin[] {
    const declared = this.types.exportsOf(program, name).flatMap((one) => this.ofName(one, undefined));
    if (declared.length > 0) return unique(declared);
    const found: Origin[] = [];
    for (const statement of program.body) {
      const expression = is(statement, 'ExpressionStatement') ? (statement as TSESTree.ExpressionStatement).expression : undefined;
      if (!is(expression, 'AssignmentExpression')) continue;
      const { left, right } = expression as TSESTree.AssignmentExpression;
      const target = treeOf(program).text.slice(...left.range);
      if (target === 'module.exports') found.push(...this.project(this.of({ node: right, frame: undefined }), [name], undefined, use));
      if (target === `exports.${name}` || target === `module.exports.${name}`) found.push(...this.of({ node: right, frame: undefined }));
    }
    return found.length > 0 ? found : [{ kind: 'unknown', node: use }];
  }

  // ---- calls

  /** What `require()` and `import()` give: a file of the user's own, or a package. */
  private ofModule(specifier: TSESTree.StringLiteral, node: TSESTree.Node): readonly Origin[] {
    const tree = this.types.requiredTree(specifier);
    return tree ? [{ kind: 'value', node: tree.ast, frame: undefined }] : [{ kind: 'import', module: specifier.value, path: [], node }];
  }

  private ofCall(node: TSESTree.CallExpression, frame: Frame | undefined): readonly Origin[] {
    const required = requiredModule(node);
    if (required) return this.ofModule(required, node);
    const through = passedThrough(node);
    if (through) return this.of({ node: through, frame });
    for (const callee of this.of({ node: node.callee, frame })) {
      if (callee.kind !== 'value' || !isFunction(callee.node) || callee.node.generator) continue;
      if ((frame?.depth ?? 0) >= MAX_DEPTH || isEntered(callee.node, frame)) return [{ kind: 'unknown', node }];
      const found = this.returnsOf(callee.node, enter(callee.node, node.arguments, node, frame, callee.frame));
      if (found.length > 0) return found;
    }
    return [{ kind: 'value', node, frame }];
  }

  /** The origins of what a function returns. */
  returnsOf(callee: FunctionNode, frame: Frame | undefined): Origin[] {
    return unique(returnedBy(callee).flatMap((node) => this.of({ node, frame })));
  }

  /** The function of the user's own that a call reaches, with the frame to look into it. */
  calleeOf(call: TSESTree.CallExpression | TSESTree.NewExpression | TSESTree.TaggedTemplateExpression, frame: Frame | undefined): { callee: FunctionNode; frame: Frame } | undefined {
    const target = is(call, 'TaggedTemplateExpression') ? (call as TSESTree.TaggedTemplateExpression).tag : (call as TSESTree.CallExpression).callee;
    const found = this.of({ node: target, frame }).filter((one) => !isNullish(one));
    const [only] = found;
    if (found.length !== 1 || only?.kind !== 'value' || !isFunction(only.node)) return undefined;
    if ((frame?.depth ?? 0) >= MAX_DEPTH || isEntered(only.node, frame)) return undefined;
    const args = (call as Partial<TSESTree.CallExpression>).arguments ?? [];
    return { callee: only.node, frame: enter(only.node, args, call, frame, only.frame) };
  }
}

// ---- helpers without state

const UNDEFINED = { type: 'Identifier', name: 'undefined', range: [0, 0] } as unknown as TSESTree.Identifier;

export const isNullish = (origin: Origin): boolean =>
  origin.kind === 'value' && ((is(origin.node, 'Literal') && (origin.node as TSESTree.Literal).value === null && !('regex' in origin.node) && !('bigint' in origin.node))
    || (is(origin.node, 'Identifier') && (origin.node as TSESTree.Identifier).name === 'undefined'));

function unique(origins: readonly Origin[]): Origin[] {
  const seen = new Map<TSESTree.Node, Origin[]>();
  return origins.filter((origin) => {
    const same = seen.get(origin.node);
    if (same?.some((one) => one.kind === origin.kind && frameKey(one) === frameKey(origin))) return false;
    seen.set(origin.node, [...(same ?? []), origin]);
    return true;
  });
}

const kept = (origins: readonly Origin[]): Origin[] => origins.map((one) => (one.kind === 'value' ? { ...one, isKept: true } : one));

/** Whether a variable lives and dies with one of the entered calls. */
function isLocalTo(variable: Scope.Variable, frame: Frame): boolean {
  const home = variable.identifiers[0] && functionAround(variable.identifiers[0]);
  for (let at: FunctionNode | undefined = home; at; at = functionAround(at)) if (frameOf(at, frame)) return true;
  return false;
}

const isOfGlobalObject = (origin: Origin): boolean =>
  origin.kind === 'member' && (isOfGlobalObject(origin.object) || (is(origin.object.node, 'Identifier') && /^(?:globalThis|global|window)$/.test(origin.object.node.name)));

const frameKey = (origin: Origin): unknown => (origin.kind === 'value' ? origin.frame?.call : undefined);

/** The module of `import ... from 'm'` and of `import m = require('m')`. */
function importedModule(specifier: TSESTree.Node): string | undefined {
  if (is(specifier, 'TSImportEqualsDeclaration')) {
    const { moduleReference } = specifier;
    return is(moduleReference, 'TSExternalModuleReference') && is(moduleReference.expression, 'Literal') ? String(moduleReference.expression.value) : undefined;
  }
  return is(specifier.parent, 'ImportDeclaration') ? specifier.parent.source.value : undefined;
}

export function variableOf(node: TSESTree.Identifier): Scope.Variable | undefined {
  const { scopes } = treeOf(node);
  for (let at: TSESTree.Node | undefined = node; at; at = at.parent as TSESTree.Node | undefined) {
    let scope = scopes.acquire(at, true);
    if (!scope) continue;
    if (scope.type === 'function-expression-name' as never && scope.childScopes[0]) scope = scope.childScopes[0];
    for (let one: Scope.Scope | null = scope; one; one = one.upper) {
      const variable = one.set.get(node.name);
      if (variable) return variable;
    }
    return undefined;
  }
  return undefined;
}

export function returnedBy(callee: FunctionNode): TSESTree.Expression[] {
  if (!is(callee.body, 'BlockStatement')) return [callee.body as TSESTree.Expression];
  const found: TSESTree.Expression[] = [];
  for (const node of walk(callee.body, isFunction)) {
    if (is(node, 'ReturnStatement') && (node as TSESTree.ReturnStatement).argument) found.push((node as TSESTree.ReturnStatement).argument!);
  }
  return found;
}

const isEntered = (callee: FunctionNode, frame: Frame | undefined): boolean => frame !== undefined && (frame.callee === callee || isEntered(callee, frame.caller));

export function enter(callee: FunctionNode, args: readonly TSESTree.CallExpressionArgument[], call: TSESTree.Node, caller: Frame | undefined, closure?: Frame): Frame {
  // A closure sees the arguments of the call that made it: those frames stay reachable below the caller's.
  const below = closure && !isEntered(closure.callee, caller) ? graft(caller, closure) : caller;
  return { callee, args, call, caller: below, depth: (caller?.depth ?? 0) + 1 };
}

const graft = (caller: Frame | undefined, closure: Frame): Frame => (caller ? { ...caller, caller: graft(caller.caller, closure) } : closure);

/** The frame of a function among the frames; `undefined` where it was not entered. */
function frameOf(callee: FunctionNode, frame: Frame | undefined): Frame | undefined {
  for (let at = frame; at; at = at.caller) if (at.callee === callee) return at;
  return undefined;
}

/** The frame in which a node is to be seen: that of the innermost entered function around it, none at a file's top level. */
function frameAt(node: TSESTree.Node, frame: Frame | undefined): Frame | undefined {
  for (let around = functionAround(node); around; around = functionAround(around)) {
    const found = frameOf(around, frame);
    if (found) return found;
  }
  return undefined;
}

/** `{ a: [x] }` to `x` is `['a', 0]`. A rest element, or a name that is only known at run time, ends the path in an unknown part. */
export function pathTo(pattern: TSESTree.Node, name: TSESTree.Node): Step[] {
  if (pattern === name || !contains(pattern, name)) return [];
  switch (pattern.type as string) {
    case 'AssignmentPattern':
      return pathTo((pattern as TSESTree.AssignmentPattern).left, name);
    case 'TSParameterProperty':
      return pathTo((pattern as TSESTree.TSParameterProperty).parameter, name);
    case 'ObjectPattern':
      for (const property of (pattern as TSESTree.ObjectPattern).properties) {
        if (!contains(property, name)) continue;
        if (is(property, 'RestElement')) return ['...'];
        const { key, computed, value } = property as TSESTree.Property;
        return [staticName(key, computed) ?? '?', ...(key === name && (property as TSESTree.Property).shorthand ? [] : pathTo(value, name))];
      }
      return [];
    case 'ArrayPattern': {
      const { elements } = pattern as TSESTree.ArrayPattern;
      const index = elements.findIndex((one) => one && contains(one, name));
      const element = elements[index];
      if (!element) return [];
      return is(element, 'RestElement') ? ['...'] : [index, ...pathTo(element, name)];
    }
    default:
      return [];
  }
}

const parameterProperty = (definition: TSESTree.Node): boolean => classAroundParameter(definition) !== undefined;

function classAroundParameter(definition: TSESTree.Node): ClassNode | undefined {
  let holder = definition.parent;
  if (is(holder, 'AssignmentPattern')) holder = holder!.parent;
  if (!is(holder, 'TSParameterProperty')) return undefined;
  const owner = holder?.parent?.parent?.parent?.parent;
  return isClass(owner) ? owner : undefined;
}

function requiredModule(node: TSESTree.CallExpression): TSESTree.StringLiteral | undefined {
  const [argument] = node.arguments;
  const isRequire = is(node.callee, 'Identifier') && (node.callee as TSESTree.Identifier).name === 'require';
  return isRequire && is(argument, 'Literal') && typeof (argument as TSESTree.Literal).value === 'string' ? argument as TSESTree.StringLiteral : undefined;
}

/** Calls that give back what they are given: `Promise.resolve(x)`, `Object.freeze(x)`, `await import('x')` is not one. */
function passedThrough(node: TSESTree.CallExpression): TSESTree.Node | undefined {
  if (!isMember(node.callee) || !is(node.callee.object, 'Identifier')) return undefined;
  const name = `${(node.callee.object as TSESTree.Identifier).name}.${memberName(node.callee) ?? ''}`;
  return ['Promise.resolve', 'Promise.all', 'Object.freeze', 'Object.seal', 'Object.assign'].includes(name) ? node.arguments[0] : undefined;
}
