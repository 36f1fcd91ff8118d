import type { TSESTree } from '@typescript-eslint/utils';
import { is, uncast } from '../../syntax.js';

/**
 * What is known of a value: `+` that it counts as true, `-` that it counts as false, and more exactly `+t` for `true`, `-f` for `false`,
 * `-n` for `null` and `undefined`, `+@120` for the function that begins there; else a number or text (`="held"`, `=0`).
 */
export type Known = string;

export const isLiteralKnown = (known: Known | undefined): known is `=${string}` => known?.startsWith('=') === true;

export const literalOf = (known: Known): unknown => JSON.parse(known.slice(1)) as unknown;

export const knownOf = (literal: string | number): Known => `=${JSON.stringify(literal)}`;

export const truthOfKnown = (known: Known): boolean => (isLiteralKnown(known) ? Boolean(literalOf(known)) : known.startsWith('+'));

export const knownTruth = (truth: boolean | undefined): Known | undefined => (truth === undefined ? undefined : truth ? '+' : '-');

export const [TRUE, FALSE, NOTHING] = ['+t', '-f', '-n'] as const;

/** A literal as it is remembered. */
export function knownLiteral(value: TSESTree.Node): Known | undefined {
  const node = uncast(value);
  if (is(node, 'Identifier')) return node.name === 'undefined' ? NOTHING : undefined;
  if (is(node, 'TemplateLiteral') && node.expressions.length === 0) return knownOf(node.quasis[0]?.value.cooked ?? '');
  if (is(node, 'UnaryExpression')) {
    const inner = node.operator === '-' ? knownLiteral(node.argument) : undefined;
    const literal = isLiteralKnown(inner) ? literalOf(inner) : undefined;
    return typeof literal === 'number' ? knownOf(-literal) : undefined;
  }
  if (!is(node, 'Literal') || 'regex' in node) return undefined;
  if ('bigint' in node) return knownOf(Number(node.bigint));
  if (typeof node.value === 'string' || typeof node.value === 'number') return knownOf(node.value);
  return node.value === true ? TRUE : node.value === false ? FALSE : NOTHING;
}

const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** The operator that says the same with its operands changed round. */
export const mirrored = (operator: string): string => MIRRORED[operator] ?? operator;

/** How PostgreSQL, and text made of a boolean, spell the two answers. */
const YES = new Set(['t', 'true', 'on', 'yes', '1']);
const NO = new Set(['f', 'false', 'off', 'no', '0']);

/** `locked === true`, `client == null`, `state === 'held'`, `slot >= 0`, the constant on the right; `undefined` where it may be either. */
export function compare(operator: string, left: Known | undefined, right: Known | undefined): boolean | undefined {
  if (left === undefined || right === undefined) return undefined;
  const isEqual = operator === '===' || operator === '==';
  if (operator === '!==' || operator === '!=') return negated(compare('===', left, right));
  if (isLiteralKnown(left)) return isLiteralKnown(right) ? compareLiterals(operator, literalOf(left), literalOf(right)) : isEqual ? false : undefined;
  const truth = truthOfKnown(left);
  if (isLiteralKnown(right)) return compareWithLiteral(isEqual ? '===' : operator, truth, literalOf(right));
  return isEqual ? (left.length > 1 && right.length > 1 ? left === right : truth === truthOfKnown(right)) : undefined;
}

function compareLiterals(operator: string, left: unknown, right: unknown): boolean | undefined {
  if (operator === '===' || operator === '==') return left === right;
  if (typeof left !== 'number' || typeof right !== 'number') return undefined;
  return operator === '<' ? left < right : operator === '<=' ? left <= right : operator === '>' ? left > right : operator === '>=' ? left >= right : undefined;
}

/** A value of which only the truth is known. One that is given where another stands for "none" (0, -1, '') is none of those. */
function compareWithLiteral(operator: string, truth: boolean, literal: unknown): boolean | undefined {
  if (typeof literal === 'string') {
    if (operator !== '===') return undefined;
    if (literal === '') return truth ? false : undefined;
    return YES.has(literal) ? truth : NO.has(literal) ? !truth : truth ? undefined : false;
  }
  if (typeof literal !== 'number') return undefined;
  if (literal === 1) return operator === '===' || operator === '>=' ? truth : operator === '<' ? !truth : undefined;
  if (literal === 0) return operator === '===' ? !truth : operator === '>' ? truth : operator === '>=' && truth ? true : operator === '<' ? false : operator === '<=' ? !truth : undefined;
  if (literal === -1 && truth) return operator === '===' || operator === '<=' ? false : operator === '>' ? true : undefined;
  return operator === '===' && !truth ? false : undefined;
}

const negated = (value: boolean | undefined): boolean | undefined => (value === undefined ? undefined : !value);
