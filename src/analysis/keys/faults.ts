import type { TSESTree } from '@typescript-eslint/utils';
import type { SqlExpression } from '../../sql/model.js';
import { sourceOf } from '../../types/index.js';
import { boundTo } from '../statements/bound-values.js';
import { constantNumber, HashDigits } from './hash-digits.js';
import type { Bindings } from './keys.js';
import type { KeyFault } from '../model.js';
import { isNullish, type Place } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { is, isMember, memberName, unwrap } from '../syntax.js';

/** Keys that are not the key that was meant. https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-ADVISORY-LOCKS */

const MAX_INT4 = 2147483647n;
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
/** SQL functions whose result is bigint: as a half of a two-int key there is no such lock function (42883). */
const WIDE_FUNCTIONS = new Set(['hashtextextended', 'hash_record_extended', 'hashint8extended', 'int8', 'bigint']);
/** Functions and operators of keys that give null for null, as `concat`, `coalesce` and `format` do not. */
const STRICT = /^(?:hash\w+|md5|sha\d+|abs|mod|lower|upper|[lrb]?trim|substr|substring|left|right|length|int[248])$/;
const STRICT_OPERATORS = /^\{\}(?: (?:\|\||[-+*/%&#]|<<|>>) \{\})+$/;
const NARROW_TYPES = /^(?:int|int4|integer|smallint|int2)$/i;
const WIDE_TYPES = /^(?:bigint|int8)$/i;

export class KeyFaults {
  private readonly digits: HashDigits;

  constructor(private readonly origins: Origins) {
    this.digits = new HashDigits(origins);
  }

  of(args: readonly SqlExpression[], bindings: Bindings): KeyFault | undefined {
    for (const one of args) {
      const fault = this.inExpression(one, bindings, args.length === 2);
      if (fault) return fault;
    }
    return undefined;
  }

  private inExpression(expression: SqlExpression, bindings: Bindings, isHalf: boolean): KeyFault | undefined {
    switch (expression.kind) {
      case 'cast': {
        const { type, of } = expression;
        if (isHalf && WIDE_TYPES.test(type)) return { kind: 'wideHalf', value: `${type} value` };
        // What the program binds is not cut to fit; what SQL has computed was meant to.
        return this.inExpression(of, bindings, isHalf && (of.kind === 'placeholder' || of.kind === 'hole' || !NARROW_TYPES.test(type)));
      }
      case 'call':
        if (isHalf && WIDE_FUNCTIONS.has(expression.name)) return { kind: 'wideHalf', value: `${expression.name}(...)` };
        // How wide an argument is does not matter to them.
        return STRICT.test(expression.name) ? this.firstFault(expression.args, bindings) : undefined;
      case 'other':
        return STRICT_OPERATORS.test(expression.text) ? this.firstFault(expression.parts, bindings) : undefined;
      case 'number':
        return isHalf && isWide(expression.text) ? { kind: 'wideHalf', value: expression.text } : undefined;
      case 'null':
        return { kind: 'nullable', value: 'NULL' };
      case 'hole':
        return this.inValue(bindings.holes[expression.hole], isHalf, bindings);
      case 'placeholder':
        return this.inValue(boundTo(bindings.values, expression.name), isHalf, bindings);
      default:
        return undefined;
    }
  }

  /** `Number(id)` of a `bigint` that no computation in view has kept small. */
  private isRounded({ node, frame }: Place): boolean {
    const [given] = is(node, 'CallExpression') && sourceOf(node.callee) === 'Number' ? node.arguments : [];
    if (!given || is(given, 'SpreadElement') || this.origins.types.declaredType(given)?.isBigint !== true) return false;
    const made = this.origins.of({ node: given, frame });
    return made.length > 0 && made.every((one) => (one.kind === 'value' ? this.digits.isOfBigInt(one) : one.kind === 'parameter' || one.kind === 'member'));
  }

  private firstFault(args: readonly SqlExpression[], bindings: Bindings): KeyFault | undefined {
    for (const one of args) {
      const fault = this.inExpression(one, bindings, false);
      if (fault?.kind === 'nullable') return fault;
    }
    return undefined;
  }

  private inValue(place: Place | undefined, isHalf: boolean, { askedForNull = [] }: Bindings): KeyFault | undefined {
    if (!place) return undefined;
    const value = shortValue(place.node);
    const made = this.origins.of(place);
    if (made.some((one) => one.kind === 'value' && (isUnsafe(one.node) || this.digits.isOfNumber(one)))) return { kind: 'unsafeNumber', value };
    if (made.some((one) => one.kind === 'value' && this.isRounded(one))) return { kind: 'roundedBigint', value };
    const facts = place.frame ? undefined : this.origins.types.declaredType(place.node);
    const isNull = made.length > 0 && made.every((one) => isNullish(one));
    const isAsked = askedForNull.some((one) => sourceOf(unwrap(one.node)) === sourceOf(unwrap(place.node)));
    if (!isAsked && (isNull || (facts?.nullable && !facts.isAny))) return { kind: 'nullable', value };
    return isHalf && (facts?.isBigint || made.some((one) => one.kind === 'value' && isWideValue(one.node))) ? { kind: 'wideHalf', value } : undefined;
  }
}

const isWide = (text: string): boolean => /^[+-]?[\d_]+$/.test(text) && magnitude(BigInt(text.replace(/[_+]/g, ''))) > MAX_INT4 + 1n;

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** A number that a double cannot hold exactly: a constant past 2^53 - 1, or a 64-bit value. */
function isUnsafe(node: TSESTree.Node): boolean {
  const value = constantNumber(node);
  if (value !== undefined) return Number.isInteger(value) && magnitude(BigInt(value)) > MAX_SAFE;
  if (!is(node, 'CallExpression')) return false;
  const [first] = node.arguments;
  const name = sourceOf(node.callee);
  if (name === 'Number' && first) return isConstantPast(first) || isWideBigint(first);
  return /^(?:Number\.)?parseInt$/.test(name) && first !== undefined && isConstantPast(first);
}

/** `1234567890123456789n` and `'1234567890123456789'` */
function isConstantPast(node: TSESTree.Node): boolean {
  const value = is(node, 'Literal') ? node.value : undefined;
  return (typeof value === 'bigint' || (typeof value === 'string' && /^-?\d{1,40}$/.test(value))) && magnitude(BigInt(value)) > MAX_SAFE;
}

/** `buffer.readBigInt64BE()`, `BigInt.asIntN(64, hash)` */
function isWideBigint(node: TSESTree.Node): boolean {
  const call = unwrap(node);
  if (!is(call, 'CallExpression') || !isMember(call.callee)) return false;
  const name = memberName(call.callee) ?? '';
  const [bits] = call.arguments;
  return /^(?:readBigU?[iI]nt64(?:BE|LE)|getBig(?:Int|Uint)64)$/.test(name) || (/^as(?:Int|Uint)N$/.test(name) && is(bits, 'Literal') && Number(bits.value) > 54);
}

/** What never fits into 32 bits: milliseconds since 1970, a `BigInt`, a constant that is too large. */
function isWideValue(node: TSESTree.Node): boolean {
  const at = unwrap(node);
  if (is(at, 'Literal')) return (typeof at.value === 'number' && Number.isInteger(at.value) && BigInt(at.value) > MAX_INT4) || (typeof at.value === 'bigint' && magnitude(at.value) > MAX_INT4);
  if (!is(at, 'CallExpression')) return false;
  if (isMember(at.callee)) return memberName(at.callee) === 'getTime' || (memberName(at.callee) === 'now' && is(at.callee.object, 'Identifier') && at.callee.object.name === 'Date');
  return is(at.callee, 'Identifier') && at.callee.name === 'BigInt';
}

/** As a message shows it: short, and without the backticks of templates, which would end the code there. */
function shortValue(node: TSESTree.Node): string {
  const [text = '', ...templates] = sourceOf(node).replace(/\s+/g, ' ').split('`');
  return `\`${text.length > 40 || templates.length > 0 ? `${text.slice(0, 37)}...` : text}\``;
}
