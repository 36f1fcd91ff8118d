import type { TSESTree } from '@typescript-eslint/utils';
import { sourceOf } from '../../types/index.js';
import type { Origin, Place } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { is, isMember, memberName, unwrap } from '../syntax.js';

/** A number has 53 bits, and a hexadecimal digit has four of them. */
const MOST_DIGITS = 13;

type Value = Origin & { readonly kind: 'value' };

/** Numbers that are made of more hexadecimal digits of a hash than a number holds, wherever these are cut off: in place, in a constant, in a function. */
export class HashDigits {
  constructor(private readonly origins: Origins) {}

  /** `BigInt(`0x${digest.slice(0, 16)}`)` */
  isOfBigInt({ node, frame }: Place): boolean {
    const given = is(node, 'CallExpression') && sourceOf(node.callee) === 'BigInt' ? node.arguments[0] : undefined;
    return given !== undefined && this.isPrefixed({ node: given, frame });
  }

  /** `parseInt(digest.slice(0, 16), 16)`, `Number(`0x${digest.slice(0, 16)}`)` */
  isOfNumber({ node, frame }: Place): boolean {
    if (!is(node, 'CallExpression')) return false;
    const [given, radix] = node.arguments;
    const name = sourceOf(node.callee);
    if (!given || !/^(?:Number|(?:Number\.)?parseInt)$/.test(name)) return false;
    const isOfSixteen = name !== 'Number' && radix !== undefined && this.numberOf({ node: radix, frame }) === 16;
    return this.isPrefixed({ node: given, frame }) || (isOfSixteen && this.isLongSlice({ node: given, frame }));
  }

  /** A text of digits behind `0x`. */
  private isPrefixed(place: Place): boolean {
    return this.isAlways(place, ({ node, frame }) => {
      const digits = digitsBehindPrefix(node);
      return digits !== undefined && this.isLongSlice({ node: digits, frame });
    });
  }

  /** `digest.slice(0, 16)`, `digest.substr(8, 16)`, `digest.slice(-16)` */
  private isLongSlice(place: Place): boolean {
    return this.isAlways(place, ({ node, frame }) => {
      const call = unwrap(node);
      const name = is(call, 'CallExpression') && isMember(call.callee) ? memberName(call.callee) : undefined;
      if (!is(call, 'CallExpression') || !/^(?:slice|substring|substr)$/.test(name ?? '')) return false;
      const [from, to] = call.arguments.map((one) => this.numberOf({ node: one, frame }));
      if (from === undefined) return false;
      if (call.arguments.length === 1) return name !== 'substring' && from < -MOST_DIGITS;
      return to !== undefined && (name === 'substr' ? to : from >= 0 && to >= 0 ? to - from : 0) > MOST_DIGITS;
    });
  }

  private numberOf(place: Place): number | undefined {
    const [only, ...others] = this.origins.of(place);
    return only?.kind === 'value' && others.length === 0 ? constantNumber(only.node) : undefined;
  }

  /** Whether all that an expression may be is such a value. */
  private isAlways(place: Place, isSuch: (value: Value) => boolean): boolean {
    const made = this.origins.of(place);
    return made.length > 0 && made.every((one) => one.kind === 'value' && isSuch(one));
  }
}

/** What stands behind `0x` in a template or a sum. */
function digitsBehindPrefix(node: TSESTree.Node): TSESTree.Node | undefined {
  if (is(node, 'TemplateLiteral')) return node.expressions.length === 1 && node.quasis[1]?.value.cooked === '' && /^0x$/i.test(node.quasis[0]?.value.cooked ?? '') ? node.expressions[0] : undefined;
  return is(node, 'BinaryExpression') && node.operator === '+' && is(node.left, 'Literal') && /^0x$/i.test(String(node.left.value)) ? node.right : undefined;
}

/** A number literal, its sign, and what is computed of such. */
export function constantNumber(node: TSESTree.Node): number | undefined {
  if (is(node, 'Literal')) return typeof node.value === 'number' ? node.value : undefined;
  if (is(node, 'UnaryExpression')) {
    const value = node.operator === '-' ? constantNumber(node.argument) : undefined;
    return value === undefined ? undefined : -value;
  }
  if (!is(node, 'BinaryExpression')) return undefined;
  const [left, right] = [constantNumber(node.left), constantNumber(node.right)];
  if (left === undefined || right === undefined) return undefined;
  return node.operator === '+' ? left + right : node.operator === '*' ? left * right : node.operator === '**' ? left ** right : undefined;
}
