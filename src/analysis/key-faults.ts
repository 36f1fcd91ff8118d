import type { TSESTree } from '@typescript-eslint/utils';
import type { SqlExpression } from '../sql/model.js';
import { sourceOf } from '../types/index.js';
import { boundTo } from './bound-values.js';
import type { Bindings } from './keys.js';
import type { KeyFault } from './model.js';
import { isNullish, type Place } from './origin.js';
import type { Origins } from './origins.js';
import { is, isMember, memberName, unwrap } from './syntax.js';

/** Keys that are not the key that was meant. https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-ADVISORY-LOCKS */

const MAX_INT4 = 2147483647n;
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
/** SQL functions whose result is bigint: as a half of a two-int key there is no such lock function (42883). */
const WIDE_FUNCTIONS = new Set(['hashtextextended', 'hash_record_extended', 'hashint8extended', 'int8', 'bigint']);
const NARROW_TYPES = /^(?:int|int4|integer|smallint|int2)$/i;
const WIDE_TYPES = /^(?:bigint|int8)$/i;

export class KeyFaults {
  constructor(private readonly origins: Origins) {}

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
        return this.inExpression(of, bindings, isHalf && !NARROW_TYPES.test(type));
      }
      case 'call':
        if (isHalf && WIDE_FUNCTIONS.has(expression.name)) return { kind: 'wideHalf', value: `${expression.name}(...)` };
        // The functions of keys are strict: null in, null out. How wide an argument is does not matter to them.
        return /^hash/.test(expression.name) ? this.firstFault(expression.args, bindings) : undefined;
      case 'number':
        return isHalf && isWide(expression.text) ? { kind: 'wideHalf', value: expression.text } : undefined;
      case 'null':
        return { kind: 'nullable', value: 'NULL' };
      case 'hole':
        return this.inValue(bindings.holes[expression.hole], isHalf);
      case 'placeholder':
        return this.inValue(boundTo(bindings.values, expression.name), isHalf);
      default:
        return undefined;
    }
  }

  private firstFault(args: readonly SqlExpression[], bindings: Bindings): KeyFault | undefined {
    for (const one of args) {
      const fault = this.inExpression(one, bindings, false);
      if (fault?.kind === 'nullable') return fault;
    }
    return undefined;
  }

  private inValue(place: Place | undefined, isHalf: boolean): KeyFault | undefined {
    if (!place) return undefined;
    const value = shortValue(place.node);
    const made = this.origins.of(place);
    if (made.some((one) => one.kind === 'value' && isUnsafeLiteral(one.node))) return { kind: 'unsafeNumber', value };
    const facts = place.frame ? undefined : this.origins.types.declaredType(place.node);
    const isNull = made.length > 0 && made.every((one) => isNullish(one));
    if (isNull || (facts?.nullable && !facts.isAny)) return { kind: 'nullable', value };
    return isHalf && (facts?.isBigint || made.some((one) => one.kind === 'value' && isWideValue(one.node))) ? { kind: 'wideHalf', value } : undefined;
  }
}

const isWide = (text: string): boolean => /^[+-]?[\d_]+$/.test(text) && magnitude(BigInt(text.replace(/[_+]/g, ''))) > MAX_INT4 + 1n;

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** A number literal that a double cannot hold exactly: the source has other digits than the value. */
function isUnsafeLiteral(node: TSESTree.Node): boolean {
  const literal = is(node, 'UnaryExpression') && node.operator === '-' ? node.argument : node;
  return is(literal, 'Literal') && typeof literal.value === 'number' && Number.isInteger(literal.value) && BigInt(literal.value) > MAX_SAFE;
}

/** What never fits into 32 bits: milliseconds since 1970, a `BigInt`, a constant that is too large. */
function isWideValue(node: TSESTree.Node): boolean {
  const at = unwrap(node);
  if (is(at, 'Literal')) return (typeof at.value === 'number' && Number.isInteger(at.value) && BigInt(at.value) > MAX_INT4) || (typeof at.value === 'bigint' && magnitude(at.value) > MAX_INT4);
  if (!is(at, 'CallExpression')) return false;
  if (isMember(at.callee)) return memberName(at.callee) === 'getTime' || (memberName(at.callee) === 'now' && is(at.callee.object, 'Identifier') && at.callee.object.name === 'Date');
  return is(at.callee, 'Identifier') && at.callee.name === 'BigInt';
}

function shortValue(node: TSESTree.Node): string {
  const text = sourceOf(node).replace(/\s+/g, ' ');
  return `\`${text.length > 40 ? `${text.slice(0, 37)}...` : text}\``;
}
