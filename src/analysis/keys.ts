import type { TSESTree } from '@typescript-eslint/utils';
import type { SqlExpression } from '../sql/model.js';
import { sourceOf, treeOf } from '../types/index.js';
import { constantOf } from './arguments.js';
import { boundTo, type BoundValues } from './bound-values.js';
import type { Key, KeyPart } from './model.js';
import { variableOf } from './names.js';
import { isNullish, type Frame, type Place } from './origin.js';
import type { Origins } from './origins.js';
import { classAround, is, isMember, memberName, unwrap } from './syntax.js';

/** What the key of a lock is made of, and whether two keys are the same to PostgreSQL. */

export type KeyEquality = 'same' | 'different' | 'unknown';

/** What a statement's placeholders and holes stand for. */
export interface Bindings {
  readonly holes: readonly Place[];
  /** The bound values; `undefined` where they are not in view. */
  readonly values: BoundValues | undefined;
}

const MAX_DEPTH = 8;
const UNKNOWN: KeyPart = { kind: 'unknown' };
const CONVERSIONS = new Set(['String', 'BigInt', 'Number']);
const IMPURE = /^(?:Date\.now|Math\.random|performance\.now|(?:crypto\.)?random\w*|nanoid|uuid\w*|v4)$/;

export class Keys {
  constructor(private readonly origins: Origins) {}

  of(args: readonly SqlExpression[], bindings: Bindings): Key {
    return { parts: args.map((one) => this.ofSql(one, bindings)) };
  }

  private ofSql(expression: SqlExpression, bindings: Bindings): KeyPart {
    switch (expression.kind) {
      case 'number':
        return { kind: 'constant', text: numberText(expression.text) };
      case 'string':
        return { kind: 'constant', text: expression.value };
      case 'null':
        return { kind: 'constant', text: 'null' };
      case 'cast':
        return this.ofSql(expression.of, bindings);
      case 'hole':
        return this.ofPlace(bindings.holes[expression.hole]);
      case 'placeholder':
        return this.ofPlace(boundTo(bindings.values, expression.name));
      case 'call':
        return { kind: 'call', name: expression.name, args: expression.args.map((one) => this.ofSql(one, bindings)) };
      case 'other':
        return expression.parts.length > 0 ? { kind: 'call', name: `sql ${expression.text}`, args: expression.parts.map((one) => this.ofSql(one, bindings)) } : UNKNOWN;
      case 'column':
        return { kind: 'unknown', text: expression.path.join('.') };
    }
  }

  private ofPlace(place: Place | undefined, depth = 0): KeyPart {
    if (!place || depth > MAX_DEPTH) return UNKNOWN;
    const value = constantOf(this.origins.of(place).filter((one) => !isNullish(one)));
    if (value !== undefined) return { kind: 'constant', text: typeof value === 'string' ? value : numberText(String(value)) };
    const node = unwrap(place.node);
    const next = (inner: TSESTree.Node, frame: Frame | undefined = place.frame): KeyPart => this.ofPlace({ node: inner, frame }, depth + 1);
    if (is(node, 'Identifier')) return this.ofName(node, place.frame, depth);
    if (is(node, 'MemberExpression')) return this.ofMember(node, place.frame, depth);
    if (is(node, 'TemplateLiteral')) return { kind: 'call', name: `template ${node.quasis.map((one) => one.value.raw).join('${}')}`, args: node.expressions.map((one) => next(one)) };
    if (is(node, 'BinaryExpression')) return { kind: 'call', name: node.operator, args: [next(node.left), next(node.right)] };
    if (is(node, 'UnaryExpression')) return { kind: 'call', name: `unary ${node.operator}`, args: [next(node.argument)] };
    if (is(node, 'CallExpression')) return this.ofCall(node, next);
    if (is(node, 'ThisExpression')) return { kind: 'expression', identity: `this ${whereOf(classAround(node) ?? treeOf(node).ast)}`, text: 'this', fromParameter: false };
    return UNKNOWN;
  }

  private ofCall(node: TSESTree.CallExpression, next: (inner: TSESTree.Node) => KeyPart): KeyPart {
    const [first] = node.arguments;
    if (is(node.callee, 'Identifier') && CONVERSIONS.has(node.callee.name) && first) return next(first);
    if (isMember(node.callee) && memberName(node.callee) === 'toString' && !first) return next(node.callee.object);
    const name = sourceOf(node.callee);
    if (IMPURE.test(name) || node.arguments.some((one) => is(one, 'SpreadElement'))) return UNKNOWN;
    // A method reads its object too: `name.toLowerCase()`.
    const args = isMember(node.callee) ? [node.callee.object, ...node.arguments] : node.arguments;
    const label = isMember(node.callee) ? `.${memberName(node.callee) ?? '?'}` : name;
    return { kind: 'call', name: `js ${label}`, args: args.map((one) => next(one)) };
  }

  private ofName(node: TSESTree.Identifier, frame: Frame | undefined, depth: number): KeyPart {
    const variable = variableOf(node);
    const [definition] = variable?.defs ?? [];
    if (!variable || !definition) return { kind: 'expression', identity: `global ${node.name}`, text: node.name, fromParameter: false };
    const isParameter = definition.type === 'Parameter' as never;
    const writes = variable.references.filter((one) => one.isWrite());
    const [first, ...more] = this.origins.of({ node, frame });
    if (isParameter && frame && more.length === 0 && first?.kind === 'value') return this.ofPlace({ node: first.node, frame: first.frame }, depth + 1);
    const [init] = writes;
    if (!isParameter && writes.length === 1 && init?.init && init.writeExpr && is(init.identifier.parent, 'VariableDeclarator')) {
      const made = this.ofPlace({ node: init.writeExpr, frame }, depth + 1);
      if (made.kind !== 'unknown') return made;
    }
    if (definition.type === 'ImportBinding' as never && first && first.kind === 'value') return { kind: 'expression', identity: `at ${whereOf(first.node)}`, text: node.name, fromParameter: false };
    return { kind: 'expression', identity: `at ${whereOf(definition.name)}`, text: node.name, fromParameter: isParameter };
  }

  private ofMember(node: TSESTree.MemberExpression, frame: Frame | undefined, depth: number): KeyPart {
    const name = memberName(node);
    if (name === undefined) {
      const [object, property] = [this.ofPlace({ node: node.object, frame }, depth + 1), this.ofPlace({ node: node.property, frame }, depth + 1)];
      return { kind: 'call', name: '[]', args: [object, property] };
    }
    if (is(node.object, 'ThisExpression')) {
      const owner = classAround(node);
      return { kind: 'expression', identity: `this ${owner ? whereOf(owner) : ''}.${name}`, text: `this.${name}`, fromParameter: false };
    }
    return { kind: 'call', name: `.${name}`, args: [this.ofPlace({ node: node.object, frame }, depth + 1)] };
  }
}

const whereOf = (node: TSESTree.Node): string => `${treeOf(node).fileName}:${node.range[0]}`;

/** `6_118` and `6118n` and `6118` are one number. */
const numberText = (text: string): string => text.replace(/_|n$/g, '').replace(/^\+/, '');

const ALL: Record<KeyEquality, number> = { different: 0, unknown: 1, same: 2 };

function worst(all: readonly KeyEquality[]): KeyEquality {
  return all.reduce<KeyEquality>((least, one) => (ALL[one] < ALL[least] ? one : least), 'same');
}

/** Whether two keys are the same key to PostgreSQL. One bigint and two ints are different spaces of keys. */
export function compareKeys(one: Key, other: Key): KeyEquality {
  if (one.parts.length !== other.parts.length) return 'different';
  if (isSwapped(one, other)) return 'different';
  return worst(one.parts.map((part, index) => compareParts(part, other.parts[index]!)));
}

/** `(tenant, job)` and `(job, tenant)`. */
function isSwapped(one: Key, other: Key): boolean {
  const [a, b] = one.parts;
  const [c, d] = other.parts;
  return a !== undefined && b !== undefined && c !== undefined && d !== undefined && compareParts(a, d) === 'same' && compareParts(b, c) === 'same' && compareParts(a, b) !== 'same';
}

function compareParts(one: KeyPart, other: KeyPart): KeyEquality {
  if (one.kind === 'unknown' || other.kind === 'unknown') return 'unknown';
  if (one.kind === 'constant' && other.kind === 'constant') return one.text === other.text ? 'same' : 'different';
  if (one.kind === 'expression' && other.kind === 'expression') return one.identity === other.identity ? 'same' : 'unknown';
  if (one.kind === 'call' && other.kind === 'call') return compareCalls(one, other);
  const [call, simple] = one.kind === 'call' ? [one, other] : [other, one];
  if (call.kind !== 'call') return 'unknown';
  // `hashtext('x')` is never 'x' itself; what the program computes may be anything.
  return isSqlFunction(call.name) && simple.kind === 'constant' ? 'different' : 'unknown';
}

function compareCalls(one: KeyPart & { kind: 'call' }, other: KeyPart & { kind: 'call' }): KeyEquality {
  if (one.name !== other.name) return isSqlFunction(one.name) && isSqlFunction(other.name) ? 'different' : 'unknown';
  if (one.args.length !== other.args.length) return 'different';
  const same = worst(one.args.map((part, index) => compareParts(part, other.args[index]!)));
  // `keyOf(name)` and `keyOf(`${name}.git`)`: one function of one variable, asked for two things.
  return same === 'unknown' && one.name.startsWith('js ') && isKnown(one) && isKnown(other) && sharesVariable(one, other) ? 'different' : same;
}

const isKnown = (part: KeyPart): boolean => part.kind !== 'unknown' && (part.kind !== 'call' || part.args.every(isKnown));

function sharesVariable(one: KeyPart, other: KeyPart): boolean {
  const mine = new Set(identitiesOf(one));
  return identitiesOf(other).some((identity) => mine.has(identity));
}

function identitiesOf(part: KeyPart): string[] {
  if (part.kind === 'expression') return [part.identity];
  return part.kind === 'call' ? part.args.flatMap(identitiesOf) : [];
}

/** Names of SQL functions are folded to lower case words; everything that the program computes has a sign or a space in it. */
const isSqlFunction = (name: string): boolean => /^[a-z_][\w$]*$/.test(name);
