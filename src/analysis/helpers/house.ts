import type { TSESTree } from '@typescript-eslint/utils';
import { currentHouse, houseRecords, type HouseCallee, type HouseRecord, type Specifier } from '../../drivers/index.js';
import type { TypeFacts, TypeName, Types } from '../../types/index.js';
import { isNamed } from './named.js';
import { is, isMember, memberName, staticName, unwrap, type FunctionNode } from '../syntax.js';

/**
 * What the settings name, found in code. typescript-eslint's own matcher (`typeMatchesSomeSpecifier`) wants a type of a program; here
 * names are compared as data, which also works where there is no program, for subclasses and for `Db | undefined`.
 */
export class HouseNames {
  private readonly records = houseRecords();
  private readonly house = currentHouse();
  private readonly known = new WeakMap<TSESTree.Node, readonly TypeName[]>();
  /** Whether an expression may be one that the settings name. */
  readonly hasHandles = this.records.some(({ handle }) => handle.by !== 'type');
  readonly hasCallees = this.house.queries.length + this.house.helpers.length > 0;
  readonly hasPooler = this.house.pooler === 'transaction';

  constructor(private readonly types: Types) {}

  /** The handle that an expression is by its name, or by that of the function it calls. */
  handleAt(node: TSESTree.Node): HouseRecord | undefined {
    if (!this.hasHandles) return undefined;
    const at = unwrap(node);
    const called = is(at, 'CallExpression') ? unwrap(at.callee) : undefined;
    const by = called ? 'function' : 'value';
    const name = called ?? at;
    if (!is(name, 'Identifier') && !isMember(name)) return undefined;
    return this.records.find(({ handle }) => handle.by === by && isNamed(handle.named, this.namesOf(name)));
  }

  /** The handle that an expression is by its type: as checked, or as written where nothing checks it. */
  typeAt(node: TSESTree.Node): HouseRecord | undefined {
    const all = this.records.filter(({ handle }) => handle.by === 'type');
    if (all.length === 0) return undefined;
    const facts = this.types.typeOf(node);
    if (facts && !facts.isAny) return all.find(({ handle }) => facts.alternatives.every((one) => isNamed(handle.named, one.names)));
    const names = this.writtenTypes(node);
    return names.length > 0 ? all.find(({ handle }) => isNamed(handle.named, names)) : undefined;
  }

  /** `new Db()`, and a name with an annotation. */
  private writtenTypes(node: TSESTree.Node): readonly TypeName[] {
    const at = unwrap(node);
    if (is(at, 'NewExpression')) return this.namesOf(at.callee);
    const annotation = is(at, 'Identifier') ? at.typeAnnotation?.typeAnnotation : undefined;
    return annotation ? this.types.annotatedAs(annotation) : [];
  }

  /** The first of these whose function, or method, a call is of. */
  calleeOf<T extends HouseCallee>(call: TSESTree.CallExpression, among: readonly T[]): T | undefined {
    if (among.length === 0) return undefined;
    const callee = unwrap(call.callee);
    const member = isMember(callee) ? memberName(callee) : undefined;
    return among.find(({ named, members }) => {
      if (!members) return (is(callee, 'Identifier') || member !== undefined) && isNamed(named, this.namesOf(callee));
      return isMember(callee) && member !== undefined && members.includes(member) && this.isOfType(callee.object, named);
    });
  }

  /** Whether the settings say what a call does: what is in the function does not matter then. */
  isHelper(call: TSESTree.CallExpression): boolean {
    return this.house.helpers.length > 0 && this.calleeOf(call, this.house.helpers) !== undefined;
  }

  /** Whether the settings say of a function that its calls stand for what it does, on the connection that each passes. */
  isJudgedAtCalls(owner: FunctionNode): boolean {
    const holder = owner.parent;
    const method = is(holder, 'MethodDefinition') ? holder : undefined;
    const place = 'id' in owner && owner.id ? owner.id : is(holder, 'VariableDeclarator') ? holder.id : method?.parent.parent.id;
    const name = method && staticName(method.key, method.computed);
    return place !== null && place !== undefined && this.house.helpers.some(({ named, members, connection }) => (
      typeof connection === 'object' && (members === undefined) === (method === undefined) && (name === undefined || members?.includes(name) === true) && isNamed(named, this.namesOf(place))
    ));
  }

  private isOfType(node: TSESTree.Node, named: Specifier): boolean {
    const facts: TypeFacts | undefined = this.types.typeOf(node);
    if (facts && !facts.isAny) return facts.alternatives.every((one) => isNamed(named, one.names));
    return this.types.isTyped ? false : isNamed(named, this.writtenTypes(node));
  }

  private namesOf(node: TSESTree.Node): readonly TypeName[] {
    const names = this.known.get(node) ?? this.types.declaredAs(node);
    this.known.set(node, names);
    return names;
  }
}
