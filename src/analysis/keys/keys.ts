import type { TSESTree } from '@typescript-eslint/utils';
import type { SqlExpression } from '../../sql/model.js';
import { sourceOf, treeOf } from '../../types/index.js';
import { constantOf } from '../statements/arguments.js';
import { boundTo, type BoundValues } from '../statements/bound-values.js';
import { frameOf } from '../values/frames.js';
import { castConstant, computed, integerOf, numberFrom, numberOf, textOf } from './constants.js';
import type { Key, KeyPart } from '../model.js';
import { variableOf } from '../values/names.js';
import { isNullish, type Frame, type Place } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { pathTo } from '../values/patterns.js';
import type { Hole } from '../statements/sql-text.js';
import { ancestor, classAround, type FunctionNode, is, isMember, memberName, staticName, unwrap } from '../syntax.js';

/** What the key of a lock is made of. Constants are computed; names are followed to what they stand for. */

export { compareKeys, constantsOf, type KeyEquality } from './equality.js';

/** What a statement's placeholders and holes stand for. */
export interface Bindings {
  readonly holes: readonly Hole[];
  /** The bound values; `undefined` where they are not in view. */
  readonly values: BoundValues | undefined;
  /** Places whose values the statement asks for null itself: `CASE WHEN $1 IS NOT NULL THEN ...`. */
  readonly askedForNull?: readonly Place[];
}

const MAX_DEPTH = 8;
const UNKNOWN: KeyPart = { kind: 'unknown' };
const CONVERSIONS = /^(?:String|BigInt|Number|(?:Number\.)?parseInt)$/;
const IMPURE = /^(?:Date\.now|Math\.random|performance\.now|(?:crypto\.)?random\w*|nanoid|uuid\w*|v4)$/;
/** Functions and words of SQL that give another value each time. */
const IMPURE_SQL = /^(?:sql )?(?:random\w*|now|\w*_timestamp|timeofday|current_(?:time|date)|localtime\w*|nextval|lastval|currval|gen_random_uuid|uuid\w*|age|txid_current|pg_current_xact_id)$/;

export class Keys {
  constructor(private readonly origins: Origins) {}

  of(args: readonly SqlExpression[], bindings: Bindings): Key {
    const [only] = args;
    const isOpen = args.length === 1 && only?.kind === 'hole' && bindings.holes[only.hole]?.isText === true;
    return { parts: args.map((one) => this.ofSql(one, bindings)), ...(isOpen ? { isOpen } : {}) };
  }

  /** What an expression would be as a key, or as a part of one. */
  ofNode(node: TSESTree.Node): KeyPart {
    return this.ofPlace({ node, frame: undefined });
  }

  private ofSql(expression: SqlExpression, bindings: Bindings): KeyPart {
    const all = (parts: readonly SqlExpression[]): KeyPart[] => parts.map((one) => this.ofSql(one, bindings));
    switch (expression.kind) {
      case 'number':
        return numberFrom(expression.text);
      case 'string':
        return textOf(expression.value);
      case 'null':
        return NULL;
      case 'cast': {
        const of = this.ofSql(expression.of, bindings);
        return of.kind === 'unknown' ? of : castConstant(expression.type, of) ?? { kind: 'cast', type: expression.type, of };
      }
      case 'hole':
        return this.ofPlace(bindings.holes[expression.hole]);
      case 'placeholder':
        return this.ofPlace(boundTo(bindings.values, expression.name));
      case 'call':
        return IMPURE_SQL.test(expression.name) ? UNKNOWN : called(expression.name, all(expression.args));
      case 'other':
        if (expression.text === '' || IMPURE_SQL.test(expression.text)) return UNKNOWN;
        return called(/^'(?:\{\})+'$/.test(expression.text) ? 'template' : `sql ${expression.text}`, all(expression.parts));
      case 'column':
        return { kind: 'unknown', text: expression.path.join('.') };
    }
  }

  private ofPlace(place: Place | undefined, depth = 0): KeyPart {
    if (!place || depth > MAX_DEPTH) return UNKNOWN;
    const value = constantOf(this.origins.of(place).filter((one) => !isNullish(one)));
    if (value !== undefined) return typeof value === 'string' ? textOf(value) : numberFrom(String(value));
    const node = unwrap(place.node);
    const next = (inner: TSESTree.Node, frame: Frame | undefined = place.frame): KeyPart => this.ofPlace({ node: inner, frame }, depth + 1);
    if (is(node, 'Identifier')) return this.ofName(node, place.frame, depth);
    if (is(node, 'MemberExpression')) return this.ofMember(node, place.frame, depth);
    if (is(node, 'TemplateLiteral')) return this.ofTemplate(node, next);
    if (is(node, 'BinaryExpression')) return called(node.operator, [next(node.left), next(node.right)]);
    if (is(node, 'UnaryExpression')) return node.operator === '+' ? next(node.argument) : called(`unary ${node.operator}`, [next(node.argument)]);
    if (is(node, 'CallExpression')) return this.ofCall(node, place.frame, next);
    if (is(node, 'ThisExpression')) return { kind: 'expression', identity: `this ${whereOf(classAround(node) ?? treeOf(node).ast)}`, text: 'this', fromParameter: false };
    return UNKNOWN;
  }

  private ofTemplate({ quasis, expressions }: TSESTree.TemplateLiteral, next: (inner: TSESTree.Node) => KeyPart): KeyPart {
    const pieces = quasis.flatMap(({ value }, index) => [textOf(value.cooked ?? value.raw), ...expressions.slice(index, index + 1).map((one) => next(one))]);
    const [only, ...more] = pieces.filter((one) => one.kind !== 'constant' || one.text !== '');
    return only && more.length === 0 ? only : called('template', pieces);
  }

  private ofCall(node: TSESTree.CallExpression, frame: Frame | undefined, next: (inner: TSESTree.Node, frame?: Frame) => KeyPart): KeyPart {
    const [first, radix] = node.arguments;
    const name = sourceOf(node.callee);
    if (CONVERSIONS.test(name) && first && (!radix || sourceOf(radix) === '10')) return next(first);
    if (isMember(node.callee) && memberName(node.callee) === 'toString' && !first) return next(node.callee.object);
    if (IMPURE.test(name) || node.arguments.some((one) => is(one, 'SpreadElement'))) return UNKNOWN;
    const inner = this.origins.calleeOf(node, frame);
    const result = inner && onlyResult(inner.callee);
    const made = result && next(result, inner.frame);
    if (made && isInView(made)) return made;
    // A method reads its object too: `name.toLowerCase()`.
    const args = isMember(node.callee) ? [node.callee.object, ...node.arguments] : node.arguments;
    const label = isMember(node.callee) ? `.${memberName(node.callee) ?? '?'}` : name;
    return called(`js ${label}`, args.map((one) => next(one)));
  }

  private ofName(node: TSESTree.Identifier, frame: Frame | undefined, depth: number): KeyPart {
    const variable = variableOf(node);
    const [definition] = variable?.defs ?? [];
    if (!variable || !definition) return { kind: 'expression', identity: `global ${node.name}`, text: node.name, fromParameter: false };
    const isParameter = definition.type === 'Parameter' as never;
    const writes = variable.references.filter((one) => one.isWrite());
    const argument = isParameter && writes.length === 0 ? argumentOf(definition.name, definition.node as FunctionNode, frame) : undefined;
    if (argument) return this.ofPlace(argument, depth + 1);
    const [first, ...more] = this.origins.of({ node, frame });
    if (isParameter && frame && more.length === 0 && first?.kind === 'value') return this.ofPlace({ node: first.node, frame: first.frame }, depth + 1);
    const [init] = writes;
    if (!isParameter && writes.length === 1 && init?.init && init.writeExpr) {
      const made = this.ofDeclared(init.identifier, init.writeExpr, frame, depth);
      if (made.kind !== 'unknown') return made;
    }
    if (definition.type === 'ImportBinding' as never && first && first.kind === 'value') return { kind: 'expression', identity: `at ${whereOf(first.node)}`, text: node.name, fromParameter: false };
    return { kind: 'expression', identity: `at ${whereOf(definition.name)}`, text: node.name, fromParameter: isParameter };
  }

  /** `const key = make()`, and `const [tenant, job] = key`: the element, as `key[0]` is. */
  private ofDeclared(name: TSESTree.Node, value: TSESTree.Node, frame: Frame | undefined, depth: number): KeyPart {
    const declarator = ancestor(name, (one) => is(one, 'VariableDeclarator'));
    if (!is(declarator, 'VariableDeclarator') || declarator.init !== value) return UNKNOWN;
    const made = this.ofPlace({ node: value, frame }, depth + 1);
    const steps = pathTo(declarator.id, name);
    if (steps.length === 0 || made.kind === 'unknown') return made;
    if (steps.includes('...') || steps.includes('?') || !is(name, 'Identifier')) return UNKNOWN;
    const part = steps.reduce<KeyPart>((of, step) => called(`.${step}`, [of]), made);
    return part.kind === 'call' ? { ...part, text: name.name } : part;
  }

  private ofMember(node: TSESTree.MemberExpression, frame: Frame | undefined, depth: number): KeyPart {
    const name = memberName(node);
    if (name === undefined) {
      const [object, property] = [this.ofPlace({ node: node.object, frame }, depth + 1), this.ofPlace({ node: node.property, frame }, depth + 1)];
      return called('[]', [object, property]);
    }
    if (is(node.object, 'ThisExpression')) {
      const owner = classAround(node);
      return { kind: 'expression', identity: `this ${owner ? whereOf(owner) : ''}.${name}`, text: `this.${name}`, fromParameter: false };
    }
    const [only, ...more] = this.origins.of({ node: node.object, frame });
    const numbered = only?.kind === 'value' && more.length === 0 && is(only.node, 'TSEnumDeclaration') ? this.ofEnum(only.node, name) : undefined;
    return numbered ?? called(`.${name}`, [this.ofPlace({ node: node.object, frame }, depth + 1)]);
  }

  /** A member without a value is one more than the member before it, and the first is 0. */
  private ofEnum({ body: { members } }: TSESTree.TSEnumDeclaration, name: string): KeyPart | undefined {
    const index = members.findIndex((one) => staticName(one.id, false) === name);
    const from = members.slice(0, index + 1).findLastIndex((one) => one.initializer);
    const value = from < 0 ? 0n : integerOf(this.ofPlace({ node: members[from]!.initializer!, frame: undefined }));
    return index < 0 || value === undefined ? undefined : numberOf(value + BigInt(index - Math.max(from, 0)));
  }
}

const NULL: KeyPart = { kind: 'constant', type: 'null', text: 'null' };

const called = (name: string, args: readonly KeyPart[]): KeyPart => computed(name, args) ?? { kind: 'call', name, args };

/** The argument that a plain parameter of an entered function stands for. */
function argumentOf(name: TSESTree.Node, callee: FunctionNode, frame: Frame | undefined): Place | undefined {
  const own = frameOf(callee, frame);
  const index = callee.params.findIndex((one) => (one as TSESTree.Node) === name);
  const argument = own?.args[index];
  return !own || !argument || own.args.slice(0, index + 1).some((one) => is(one, 'SpreadElement')) ? undefined : { node: argument, frame: own.caller };
}

/** The expression that is all there is of a function. */
function onlyResult(callee: FunctionNode): TSESTree.Node | undefined {
  if (callee.generator) return undefined;
  if (!is(callee.body, 'BlockStatement')) return callee.body;
  const [only, ...more] = callee.body.body;
  return more.length === 0 && is(only, 'ReturnStatement') ? only.argument ?? undefined : undefined;
}

/** Made of nothing that is unknown, or that belongs to one object of several. */
const isInView = (part: KeyPart): boolean =>
  (part.kind === 'call' ? part.args.every(isInView) : part.kind === 'cast' ? isInView(part.of) : part.kind === 'constant' || (part.kind === 'expression' && !part.identity.startsWith('this ')));

const whereOf = (node: TSESTree.Node): string => `${treeOf(node).fileName}:${node.range[0]}`;
