import type { TSESTree } from '@typescript-eslint/utils';
import type { Argument } from '../../drivers/index.js';
import type { Connection } from '../model.js';
import { isNullish, type Origin, type Place } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { objectMember } from '../values/members.js';
import { urlBehind, urlTextOf } from './url-text.js';
import { is } from '../syntax.js';

const places = new WeakMap<Argument, Place>();

/** Arguments as a driver's record may look at them: constants are followed to where they stand. */
export class Arguments {
  constructor(private readonly origins: Origins, private readonly connectionOf: (place: Place) => Connection) {}

  /** The expression behind an argument that a record gives back. */
  static placeOf(argument: Argument): Place {
    return places.get(argument)!;
  }

  of(place: Place): Argument {
    const found = lazily(() => this.origins.of(place).filter((one) => !isNullish(one)));
    const text = lazily(() => this.textOf(place, found()));
    const isText = lazily(() => this.isText(place, found()));
    const isHandle = lazily(() => this.connectionOf(place).kind !== 'unknown' || this.connectionOf(place).driver !== undefined);
    const argument: Argument = {
      get value() { return constantOf(found()); },
      mayBe: (constant) => found().length > 1 && found().some((one) => constantOf([one]) === constant),
      get text() { return text(); },
      get isObject() { return objectOf(found()) !== undefined; },
      property: (name) => this.property(place, found(), name),
      argument: (index) => this.argument(found(), index),
      get isHandle() { return isHandle(); },
      get isText() { return isText(); },
    };
    places.set(argument, place);
    return argument;
  }

  private property({ frame }: Place, found: readonly Origin[], name: string): Argument | undefined {
    const object = objectOf(found);
    if (!object) return undefined;
    const property = objectMember(object.node, name);
    const spreads = object.node.properties.filter((one): one is TSESTree.SpreadElement => is(one, 'SpreadElement'));
    // `{ max: 1, ...overrides }`: what is spread in later may hide it, unless it is in view and does not.
    for (const spread of spreads.toReversed()) {
      if (property && spread.range[0] < property.range[0]) break;
      const shared = this.of({ node: spread.argument, frame: object.frame ?? frame });
      if (!shared.isObject) return undefined;
      const inherited = shared.property(name);
      if (inherited) return inherited;
    }
    return property && this.of({ node: property.value, frame: object.frame });
  }

  private argument([made, ...more]: readonly Origin[], index: number): Argument | undefined {
    if (made?.kind !== 'value' || more.length > 0 || !(is(made.node, 'NewExpression') || is(made.node, 'CallExpression'))) return undefined;
    const { arguments: given } = made.node;
    const one = given[index];
    return one && !given.slice(0, index + 1).some((before) => is(before, 'SpreadElement')) ? this.of({ node: one, frame: made.frame }) : undefined;
  }

  private textOf({ frame }: Place, found: readonly Origin[]): string | undefined {
    const value = constantOf(found);
    if (typeof value === 'string') return value;
    const [only] = found;
    if (found.length !== 1 || !only) return undefined;
    const inner = (only.kind === 'value' ? only.frame : undefined) ?? frame;
    const part = (node: TSESTree.Node): string => {
      const origins = this.origins.of({ node, frame: inner });
      const constant = constantOf(origins);
      return typeof constant === 'number' ? String(constant) : this.textOf({ node, frame: inner }, origins) ?? '*';
    };
    const url = urlBehind(only);
    const made = url && urlTextOf(url);
    if (made) return withParameters(part(made.base), made.parameters.map(({ name, value }) => [part(name), part(value)]));
    if (only.kind !== 'value') return undefined;
    if (is(only.node, 'TemplateLiteral')) {
      const { quasis, expressions } = only.node;
      return quasis.map((quasi, index) => (quasi.value.cooked ?? '') + (expressions[index] ? part(expressions[index]) : '')).join('');
    }
    return is(only.node, 'BinaryExpression') && only.node.operator === '+' ? part(only.node.left) + part(only.node.right) : undefined;
  }

  private isText({ node }: Place, found: readonly Origin[]): boolean {
    if (typeof constantOf(found) === 'string') return true;
    const facts = this.origins.types.typeOf(node);
    if (facts && !facts.isAny) return facts.alternatives.every((one) => typeof one.literal === 'string' || one.names.some(({ name }) => name === 'String')) || facts.property('toUpperCase') !== undefined;
    return found.every((one) => (one.kind === 'value' && is(one.node, 'TemplateLiteral')) || isEnvironment(one));
  }
}

/** Of a parameter that is there already, or twice, the text says nothing. */
function withParameters(base: string, parameters: readonly (readonly string[])[]): string | undefined {
  const isTold = parameters.every(([name = '*'], index) => name !== '*' && !base.includes(`${name}=`) && parameters.findIndex(([other]) => other === name) === index);
  return isTold ? base + parameters.map(([name, value], index) => `${index === 0 && !base.includes('?') ? '?' : '&'}${name}=${value}`).join('') : undefined;
}

const isEnvironment = (origin: Origin): boolean => origin.kind === 'member' && /^(?:process|Bun|Deno)?\.?env/.test(describe(origin.object));

const describe = (origin: Origin): string => (origin.kind === 'member' ? `${describe(origin.object)}.${origin.name}` : is(origin.node, 'Identifier') ? origin.node.name : '');

/** The constant that all origins agree on. */
export function constantOf(found: readonly Origin[]): Argument['value'] {
  const values = new Set(found.map((one) => (one.kind === 'value' ? literalValue(one.node) : undefined)));
  return values.size === 1 ? [...values][0] : undefined;
}

function literalValue(node: TSESTree.Node): Argument['value'] {
  if (is(node, 'Literal')) {
    const { value } = node;
    return typeof value === 'object' ? undefined : value;
  }
  if (is(node, 'TemplateLiteral') && node.expressions.length === 0) return node.quasis[0]?.value.cooked ?? undefined;
  if (is(node, 'UnaryExpression') && node.operator === '-') {
    const inner = literalValue(node.argument);
    return typeof inner === 'number' || typeof inner === 'bigint' ? -inner : undefined;
  }
  return undefined;
}

function objectOf(found: readonly Origin[]): { node: TSESTree.ObjectExpression; frame: Place['frame'] } | undefined {
  const [only] = found;
  return found.length === 1 && only?.kind === 'value' && is(only.node, 'ObjectExpression') ? { node: only.node, frame: only.frame } : undefined;
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
