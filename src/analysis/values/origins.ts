import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { treeOf, type Definition, type Types } from '../../types/index.js';
import { Asking } from './asking.js';
import { appliedBy } from './applied.js';
import { argumentsAt, collectedBy, elementOf, partAt } from './collected.js';
import { constructing } from './constructing.js';
import { enter, frameAt, frameOf, isEntered, isLocalTo } from './frames.js';
import { isLeftOut, isUndefined, nothing } from './left-out.js';
import { onlyImplementation } from './ports.js';
import { assignedLater, assignmentsToField, classMember, isDecorated, isFilledAtOnce, isWrittenTo, objectMember, subclassesOf, writtenProperties } from './members.js';
import { Modules } from './modules.js';
import { returnedBy, variableOf } from './names.js';
import { HouseNames } from '../helpers/house.js';
import { isNullish, isOfGlobalObject, kept, unique, type Frame, type Origin, type Place, type Step } from './origin.js';
import { boundName, classAroundParameter, declares, enumValue, isInStatic, implementations, isDataOfLiteral, isExports, isOfLiteral, parameterProperty, passedThrough, requiredModule, settledBy } from './origin-syntax.js';
import { pathTo } from './patterns.js';
import { constructorOf, instanceOf, isConstructor } from './prototypes.js';
import { reachingWrites } from './reaching.js';
import { type ClassNode, contains, type FunctionNode, is, isClass, isFunction, isMember, memberName, staticName, unwrap } from '../syntax.js';

/**
 * Where values come from. An expression is followed through variables, imports, fields, getters, destructuring, casts and the
 * user's own functions, in any file, until it ends in something that is no name for another thing: its origins.
 */

const MAX_DEPTH = 12;
/** How many expressions are followed one to the next, and how many in all for one that is asked for. A program more knotted than that proves nothing. */
const MOST = { nested: 100, steps: 3000 };

export class Origins {
  private readonly cache = new WeakMap<TSESTree.Node, readonly Origin[]>();
  private readonly asking = new Asking(MOST);
  private readonly modules = new Modules(this, this.asking);

  constructor(readonly types: Types, readonly house = new HouseNames(types)) {}

  of(place: Place): readonly Origin[] {
    const node = unwrap(place.node);
    const known = place.frame ? undefined : this.cache.get(node);
    if (known) return known;
    // A variable that is made of itself (`x = x ?? make()`): no more origins this way.
    if (this.asking.isCut(node)) return [];
    if (this.asking.isTooMuch()) return [{ kind: 'unknown', node }];
    const question = this.asking.begin(node);
    const found = this.follow(node, place.frame);
    if (this.asking.end(question) && !place.frame) this.cache.set(node, found);
    return found;
  }

  /** What is behind an expression; one that the settings name stands for itself. */
  follow(node: TSESTree.Node, frame: Frame | undefined, isNamed = this.house.handleAt(node) !== undefined): readonly Origin[] {
    if (isNamed) return [{ kind: 'value', node, frame }];
    const at = node as TSESTree.Expression;
    switch (at.type as string) {
      case 'Identifier':
        return this.ofIdentifier(at as TSESTree.Identifier, frame);
      case 'MemberExpression':
        return this.ofMember(at as TSESTree.MemberExpression, frame);
      case 'ConditionalExpression':
        return this.all([(at as TSESTree.ConditionalExpression).consequent, (at as TSESTree.ConditionalExpression).alternate], frame);
      case 'LogicalExpression': {
        const { left, right, operator } = at as TSESTree.LogicalExpression;
        return operator === '&&' ? this.of({ node: right, frame }) : this.either(left, right, frame);
      }
      case 'AssignmentExpression': {
        const { left, right, operator } = at as TSESTree.AssignmentExpression;
        return operator === '=' ? this.of({ node: right, frame }) : operator === '??=' || operator === '||=' ? kept(this.either(left, right, frame)) : [{ kind: 'unknown', node }];
      }
      case 'SequenceExpression': return this.of({ node: (at as TSESTree.SequenceExpression).expressions.at(-1)!, frame });
      case 'CallExpression': return this.ofCall(at as TSESTree.CallExpression, frame);
      case 'ImportExpression': return this.modules.ofImportExpression(at as TSESTree.ImportExpression);
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
    return unique(implementations(variable.defs).flatMap((def) => this.ofDefinition(variable, def, node, frame)));
  }

  private ofDefinition(variable: Scope.Variable, def: Scope.Definition, use: TSESTree.Identifier, frame: Frame | undefined): readonly Origin[] {
    switch (def.type as string) {
      case 'ImportBinding':
        return this.modules.ofImport(def.node as TSESTree.ImportClause, use);
      case 'Parameter':
        return this.ofParameter(variable, def.name as TSESTree.Identifier, def.node as FunctionNode, use, frame);
      case 'Variable':
        return this.ofWrites(variable, use, frame);
      case 'FunctionName':
      case 'ClassName':
      case 'TSEnumName':
        return [{ kind: 'value', node: def.node as TSESTree.Node, frame: frameAt(def.node, frame) }];
      default:
        return [{ kind: 'unknown', node: use }];
    }
  }

  /** What a variable may hold where it is used: the initialiser, and each assignment that reaches the use. */
  private ofWrites(variable: Scope.Variable, use: TSESTree.Identifier, frame: Frame | undefined): Origin[] {
    const written = reachingWrites(variable, use).flatMap(({ value, target, node }): readonly Origin[] => {
      const inner = frameAt(node, frame);
      if (!value) return [{ kind: 'unknown', node }];
      const found = partAt({ node: value, frame: inner }, pathTo(target, node), node, this);
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
    if (!own) {
      const loaded = this.modules.loadedFor(callee, index, frame);
      return loaded.length > 0 ? this.project(loaded, path, frame, name) : [{ kind: 'parameter', callee, index, path, node: name }, ...defaults];
    }
    if (is(param, 'RestElement')) return elementOf(collectedBy(callee, frame), pathTo(param.argument, name), name, this);
    const args = argumentsAt(own.args, own.caller);
    const argument = args[index];
    if (!argument) return defaults.length > 0 ? defaults : [nothing];
    if (args.slice(0, index + 1).some((one) => is(one.node, 'SpreadElement'))) return [{ kind: 'unknown', node: name }];
    const found = this.project(this.of(argument), path, argument.frame, name);
    return defaults.length > 0 && found.some(isUndefined) ? unique([...found.filter((one) => !isUndefined(one)), ...defaults]) : found;
  }

  /** `(db = pool)`: what the parameter is when it is left out. */
  private defaultsOn(param: TSESTree.Node, name: TSESTree.Identifier, frame: Frame | undefined): readonly Origin[] {
    const holder = is(name.parent, 'AssignmentPattern') ? name.parent : undefined;
    return holder && contains(param, holder) && holder.left === name ? this.of({ node: holder.right, frame }) : [];
  }

  /** The value behind a name node that declares something, or behind an expression that is exported by default. */
  ofName(definition: Definition, frame: Frame | undefined): readonly Origin[] {
    if (is(definition, 'Program')) return [{ kind: 'value', node: definition, frame: undefined }];
    const owner = definition.parent;
    switch (owner.type as string) {
      case 'Property':
        if ((owner as TSESTree.Property).key !== definition) break;
        return is(owner.parent, 'ObjectExpression') ? this.ofObjectProperty(owner as TSESTree.Property, frame) : this.of({ node: boundName(owner as TSESTree.Property), frame });
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
        return this.ofPort(definition, staticName(definition, false) ?? '');
      default:
        if (/^TS(?:Interface|TypeAlias|Module)Declaration$/.test(owner.type)) return [];
    }
    if (parameterProperty(definition)) return this.ofField(classAroundParameter(definition)!, (definition as TSESTree.Identifier).name, definition, frame);
    return this.of({ node: definition, frame });
  }

  /** A method that only one class of the user's own implements. */
  private ofPort(definition: Definition, name: string): readonly Origin[] {
    const owner = onlyImplementation(definition, name, this.types);
    return owner ? this.ofField(owner, name, definition, undefined) : [];
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
    // What is put there once; a function may put another value there when it is called.
    if (isExports(node.object) && writtenProperties(treeOf(node).ast).get(name)?.length === 1) return this.modules.partOf(treeOf(node).ast, name, node);
    const step = node.computed && /^\d+$/.test(name) ? Number(name) : name;
    const structural = partAt({ node: node.object, frame }, [step], node, this);
    if (structural.some((one) => one.kind === 'value' || one.kind === 'import')) return structural;
    const isPort = structural.some((one) => one.kind === 'parameter') && !this.types.isMethod(node);
    // The object is not in view, but its type may be: a class of the user's own, a namespace, an enum, what a factory returns. A
    // property of an object literal that is no function is no such thing: another object of that type may have another value.
    const definitions = node.computed ? [] : this.types.memberDefinitions(node).filter((one) => !isDataOfLiteral(one));
    const declared = definitions.flatMap((one) => (isPort && !isOfLiteral(one) ? this.ofPort(one, name) : this.ofName(one, undefined)));
    return declared.some((one) => one.kind === 'value' || one.kind === 'import') ? unique(declared) : structural;
  }

  private constantName(node: TSESTree.MemberExpression, frame: Frame | undefined): string | undefined {
    const [only, ...more] = this.of({ node: node.property, frame });
    const literal = only?.kind === 'value' && more.length === 0 && is(only.node, 'Literal') ? (only.node).value : undefined;
    return typeof literal === 'string' || typeof literal === 'number' ? String(literal) : undefined;
  }

  private ofThisMember(node: TSESTree.Node, name: string, frame: Frame | undefined): readonly Origin[] {
    for (let at: TSESTree.Node | undefined = node.parent; at; at = at.parent) {
      if (isClass(at)) return this.ofOwnMember(at, name, node, frame);
      // A function that is no method has a `this` of its own; a method's is its object; a value of a property has that around the object.
      if ((is(at, 'FunctionExpression') && !is(at.parent, 'MethodDefinition') && !is(at.parent, 'Property')) || is(at, 'FunctionDeclaration')) return this.ofInstance(constructorOf(at), name, node, frame);
      if (is(at, 'FunctionExpression') && is(at.parent, 'Property') && is(at.parent.parent, 'ObjectExpression')) {
        const property = objectMember(at.parent.parent, name);
        return property ? this.ofObjectProperty(property, frame, node) : this.ofInstance(constructorOf(at), name, node, frame);
      }
    }
    return [{ kind: 'unknown', node }];
  }

  /** The same of an instance that a function makes. */
  private ofInstance(owner: FunctionNode | undefined, name: string, use: TSESTree.Node, frame: Frame | undefined): readonly Origin[] {
    const { writes, methods, base } = owner ? instanceOf(owner) : {};
    const found = (writes?.get(name) ?? []).flatMap(({ value, node }) => kept(this.of({ node: value, frame: frameAt(node, frame) })));
    if (found.length > 0) return unique(found);
    const method = methods?.get(name);
    if (method) return [{ kind: 'value', node: method, frame }];
    const around = base && frameAt(base.call, frame);
    return base && !isEntered(base.callee, around) ? this.ofInstance(base.callee, name, use, enter(base.callee, base.args, base.call, around)) : [{ kind: 'unknown', node: use }];
  }

  /** A member as the class's own code sees it: a class that extends it may have another under the same name. */
  private ofOwnMember(owner: ClassNode, name: string, use: TSESTree.Node, frame: Frame | undefined): readonly Origin[] {
    const own = this.ofField(owner, name, use, frame, isInStatic(use));
    const redeclared = name.startsWith('#') ? [] : subclassesOf(owner, this.types).filter((one) => declares(one, name));
    return redeclared.length === 0 ? own : unique([...own, ...redeclared.flatMap((one) => this.ofField(one, name, use, frame))]);
  }

  /** Everything that a field may hold: its initialiser, its getter's results, and what the class's own code assigns to it. */
  ofField(owner: ClassNode, name: string, use: TSESTree.Node, frame: Frame | undefined, isStatic = false, passed: ReadonlySet<TSESTree.Node> = new Set()): readonly Origin[] {
    const found: Origin[] = [];
    const { member, parameter } = classMember(owner, name, isStatic);
    if (parameter) found.push(...this.argumentAt(parameter.callee, parameter.index, parameter.callee.params[parameter.index]!, parameter.name, frame));
    if (is(member, 'MethodDefinition') && isFunction(member.value)) {
      // What a decorator makes of a method is not in view: it may run it once for all calls.
      if (member.kind === 'get' && isDecorated(member.value)) return kept(this.returnsOf(member.value, undefined));
      // Each reading of a getter runs it anew.
      if (member.kind === 'get') return this.returnsOf(member.value, enter(member.value, [], use, frame));
      return [{ kind: 'value', node: member.value as TSESTree.Node, frame }];
    }
    if (member?.value) found.push(...kept(this.of({ node: member.value, frame: undefined })));
    for (const { value, path, node } of assignmentsToField(owner, name)) {
      found.push(...kept(this.project(this.of({ node: value, frame: frameAt(node, frame) }), path, frameAt(node, frame), node)));
    }
    if (is(member, 'PropertyDefinition') && !member.readonly) found.push(...this.writtenFromOutside(member.key, owner));
    if (isFilledAtOnce(owner)) found.push({ kind: 'unknown', node: use });
    if (found.length > 0) return unique(found);
    for (const base of owner.superClass ? this.of({ node: owner.superClass, frame: undefined }) : []) {
      // Classes may extend each other in a ring, as long as nobody runs them.
      if (base.kind === 'value' && isClass(base.node) && base.node !== owner && !passed.has(base.node)) return this.ofField(base.node, name, use, frame, isStatic, new Set([...passed, owner]));
      if (base.kind === 'import' && isStatic) return this.project([base], [name], undefined, use);
    }
    return [{ kind: 'unknown', node: use }];
  }

  /** What is assigned to a property by other ways than `this`: `worker.sql = reserved`. */
  private writtenFromOutside(key: TSESTree.Node, owner: TSESTree.Node): Origin[] {
    const name = staticName(key, false) ?? '';
    // Without types, a property is known by its name alone; one that an annotation declares, by the variable that it is asked of.
    const uses = this.types.isTyped ? this.types.usesOf(key) : writtenProperties(treeOf(owner).ast).get(name) ?? [];
    const variable = is(owner.parent, 'VariableDeclarator') && is(owner.parent.id, 'Identifier') && owner.parent.id.typeAnnotation ? this.types.usesOf(owner.parent.id) : [];
    const members = [...uses.map((use) => use.parent), ...variable.map((use) => use.parent).filter((one) => one !== undefined && isMember(one) && memberName(one) === name)];
    return [...new Set(members)].flatMap((member) => (member && isMember(member) && isWrittenTo(member) && !(is(member.object, 'ThisExpression') && contains(owner, member)) ? kept(this.of({ node: member.parent.right, frame: undefined })) : []));
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
    if (origin === nothing) return [nothing]; // `options?.tx` of options that were left out
    const { node, frame } = origin;
    if (is(node, 'ObjectExpression') && typeof step === 'string') return this.partOfObject(node, step, origin, use);
    if (is(node, 'ThisExpression') && typeof step === 'string') return this.ofThisMember(node, step, frame);
    if (is(node, 'ArrayExpression') && typeof step === 'number') {
      const element = node.elements[step];
      if (element && !is(element, 'SpreadElement')) return this.of({ node: element, frame });
    }
    if (is(node, 'NewExpression') && typeof step === 'string') return this.partOfInstance(node, step, origin, use);
    if (isClass(node) && typeof step === 'string') return this.ofField(node, step, use, frame, true);
    if (is(node, 'TSEnumDeclaration')) {
      const value = enumValue(node, String(step));
      return value ? this.of({ node: value, frame: undefined }) : [{ kind: 'unknown', node: use }];
    }
    if (is(node, 'Program')) return this.modules.partOf(node, String(step), use);
    return [{ kind: 'member', object: origin, name: step, node: use }];
  }

  private partOfObject(object: TSESTree.ObjectExpression, name: string, origin: Origin & { kind: 'value' }, use: TSESTree.Node): readonly Origin[] {
    const property = objectMember(object, name);
    if (property) return unique([...this.ofObjectProperty(property, origin.frame, use), ...this.writtenFromOutside(property.key, object)]);
    // `this.state = { ...this.state, step }`: a part of what is made of itself is asked for once.
    if (this.asking.isCut(object)) return [];
    const question = this.asking.begin(object);
    const found = object.properties.flatMap((one) => (is(one, 'SpreadElement') ? this.project(this.of({ node: one.argument, frame: origin.frame }), [name], origin.frame, use) : []));
    this.asking.end(question);
    if (found.length === 0) found.push(...assignedLater(object, name).flatMap((value) => this.of({ node: value, frame: undefined })));
    if (found.length === 0 && isLeftOut(object, use)) return [nothing];
    return found.length > 0 ? found : [{ kind: 'member', object: origin, name, node: use }];
  }

  private partOfInstance(made: TSESTree.NewExpression, name: string, origin: Origin & { kind: 'value' }, use: TSESTree.Node): readonly Origin[] {
    for (const callee of this.of({ node: made.callee, frame: origin.frame })) {
      if (callee.kind === 'value' && isConstructor(callee.node) && !isEntered(callee.node, origin.frame)) return this.ofInstance(callee.node, name, use, enter(callee.node, made.arguments, made, origin.frame));
      if (callee.kind === 'value' && isClass(callee.node)) return this.ofField(callee.node, name, use, constructing(callee.node, made, origin.frame, (one) => this.baseOf(one)));
    }
    return [{ kind: 'member', object: origin, name, node: use }];
  }

  private baseOf({ superClass }: ClassNode): ClassNode | undefined {
    const [base] = superClass ? this.of({ node: superClass, frame: undefined }) : [];
    return base?.kind === 'value' && isClass(base.node) ? base.node : undefined;
  }

  // ---- calls

  private ofCall(node: TSESTree.CallExpression, frame: Frame | undefined): readonly Origin[] {
    const required = requiredModule(node);
    if (required) return this.modules.required(required, node);
    const through = passedThrough(node);
    if (through) return this.of({ node: through, frame });
    const settled = settledBy(node);
    if (settled) return this.returnsOf(settled.handler, enter(settled.handler, [settled.promise], node, frame));
    const itself: Origin = { kind: 'value', node, frame };
    if (this.house.isHelper(node)) return [itself];
    const callees = this.of({ node: node.callee, frame }).filter((one) => !isNullish(one));
    if (!callees.some((one) => one.kind === 'value' && isFunction(one.node))) {
      const applied = this.appliedAt(node, frame);
      return applied ? this.returnsOf(applied.callee, applied.frame) : [itself];
    }
    return unique(callees.flatMap((callee): readonly Origin[] => {
      if (callee.kind !== 'value' || !isFunction(callee.node) || callee.node.generator) return [callee.kind === 'value' || callee.kind === 'import' ? itself : { kind: 'unknown', node }];
      if ((frame?.depth ?? 0) >= MAX_DEPTH || isEntered(callee.node, frame)) return [{ kind: 'unknown', node }];
      const found = this.returnsOf(callee.node, enter(callee.node, node.arguments, node, frame, callee.frame));
      if (found.length === 0) return [itself];
      return isDecorated(callee.node) ? kept(found) : found;
    }));
  }

  /** The origins of what a function returns. */
  returnsOf(callee: FunctionNode, frame: Frame | undefined): Origin[] {
    return unique(returnedBy(callee).flatMap((node) => this.of({ node, frame })));
  }

  /** The function of the user's own that a call reaches, with the frame to look into it. */
  calleeOf(call: TSESTree.CallExpression | TSESTree.NewExpression | TSESTree.TaggedTemplateExpression, frame: Frame | undefined): { callee: FunctionNode; frame: Frame } | undefined {
    const found = this.of({ node: is(call, 'TaggedTemplateExpression') ? call.tag : (call as TSESTree.CallExpression).callee, frame }).filter((one) => !isNullish(one));
    const [only] = found;
    const isFound = found.length === 1 && only?.kind === 'value' && isFunction(only.node);
    return isFound ? this.entered(only, (call as Partial<TSESTree.CallExpression>).arguments ?? [], call, frame) : is(call, 'CallExpression') ? this.appliedAt(call, frame) : undefined;
  }

  /** The same by `call`, `apply` or `Reflect.apply`. */
  private appliedAt(call: TSESTree.CallExpression, frame: Frame | undefined): { callee: FunctionNode; frame: Frame } | undefined {
    const applied = appliedBy(call);
    const [only, ...more] = applied && !applied.list ? this.of({ node: applied.method, frame }) : [];
    return applied && only?.kind === 'value' && more.length === 0 ? this.entered(only, applied.args, call, frame) : undefined;
  }

  private entered({ node: callee, frame: closure }: Origin & { kind: 'value' }, args: readonly TSESTree.CallExpressionArgument[], call: TSESTree.Node, frame: Frame | undefined): { callee: FunctionNode; frame: Frame } | undefined {
    if (!isFunction(callee) || (frame?.depth ?? 0) >= MAX_DEPTH || isEntered(callee, frame)) return undefined;
    return { callee, frame: enter(callee, args, call, frame, closure) };
  }
}
