import type { TSESTree } from '@typescript-eslint/utils';
import type { KeyPart, LockUse, SqlCall } from '../analysis/model.js';
import { sourceOf } from '../analysis/regions.js';
import { contains, is, isMember, walk } from '../analysis/syntax.js';
import type { SqlExpression } from '../sql/model.js';
import type { Text } from './text.js';

/** An expression of a string that says which lock was not held: with its key, where that is a constant or a simple expression at hand. */
export function nameOfLock(use: LockUse, text: Text, what = 'was not held by the connection that unlocked it'): string {
  const { call, lock, key: { parts: read } } = use;
  const written = lock.args.map((one) => part(one, call, text));
  const parts = written.length > 0 && written.every((one) => one !== undefined) ? written : read.map((one) => asRead(one, call));
  // Of several unlocks in one statement, it is not known here which one failed.
  const isKnown = parts.length > 0 && parts.every((one) => one !== undefined) && call.locks.length === 1;
  const key = isKnown ? ` ${parts.join(', ')}` : '';
  const said = `Advisory lock${key} ${what}`;
  if (said.includes('${')) return `\`${said}\``;
  const { quote } = text.style;
  return quote + said + quote;
}

function part(expression: SqlExpression, call: SqlCall, text: Text): string | undefined {
  switch (expression.kind) {
    case 'number':
      return expression.text;
    case 'string':
      return PLAIN.test(expression.value) ? expression.value : undefined;
    case 'cast':
      return part(expression.of, call, text);
    case 'hole':
      return simple(holesOf(call)?.[expression.hole], text);
    case 'placeholder':
      return expression.style === '$' ? simple(valuesOf(call)?.[Number(expression.name) - 1], text) : undefined;
    case 'call': {
      // `hashtextextended(name, 0)`: the name says more than its hash.
      const args = expression.args.filter((one) => one.kind !== 'number').map((one) => part(one, call, text));
      return args.length === 1 ? args[0] : undefined;
    }
    default:
      return undefined;
  }
}

/** A part of the key by what it stands for, however it is bound: a constant, or a name that stands at the call, too. */
function asRead(read: KeyPart, call: SqlCall): string | undefined {
  switch (read.kind) {
    case 'constant':
      return read.type !== 'null' && PLAIN.test(read.text) ? read.text : undefined;
    case 'cast':
      return asRead(read.of, call);
    case 'call': {
      const args = /^\w+$/.test(read.name) && read.name !== 'template' ? read.args.filter((one) => one.kind !== 'constant' || one.type !== 'number').map((one) => asRead(one, call)) : [];
      return args.length === 1 ? args[0] : undefined;
    }
    case 'expression':
      return [...walk(call.node)].some((one) => isName(one) && sourceOf(one) === read.text) ? `\${${read.text}}` : undefined;
    case 'unknown':
      return undefined;
  }
}

const PLAIN = /^[\w :./-]*$/;

/** Names and members stand in a template as they are; anything longer would be computed twice. */
function simple(node: TSESTree.Node | null | undefined, text: Text): string | undefined {
  if (is(node, 'Literal') && (typeof node.value === 'number' || typeof node.value === 'bigint')) return String(node.value);
  if (is(node, 'Literal') && typeof node.value === 'string' && PLAIN.test(node.value)) return node.value;
  if (!node || !isName(node)) return undefined;
  return `\${${text.of(node)}}`;
}

function isName(node: TSESTree.Node): boolean {
  if (is(node, 'Identifier') || is(node, 'ThisExpression')) return true;
  if (isMember(node)) return !node.computed && isName(node.object);
  return false;
}

/** The expressions in the SQL, where it is one template at the call and none of them is a constant that is part of the text. */
function holesOf(call: SqlCall): readonly TSESTree.Node[] | undefined {
  const [only, ...more] = [...walk(call.node)].filter((node): node is TSESTree.TemplateLiteral => is(node, 'TemplateLiteral'));
  if (!only || more.length > 0) return undefined;
  const holes = new Set(call.locks.flatMap(({ lock }) => lock.args.flatMap(holesIn)));
  return holes.size === only.expressions.length ? only.expressions : undefined;
}

function holesIn(expression: SqlExpression): number[] {
  switch (expression.kind) {
    case 'hole':
      return [expression.hole];
    case 'cast':
      return holesIn(expression.of);
    case 'call':
      return expression.args.flatMap(holesIn);
    case 'other':
      return expression.parts.flatMap(holesIn);
    default:
      return [];
  }
}

/** The bound values, where they stand as an array at the call. */
function valuesOf(call: SqlCall): readonly (TSESTree.Node | null)[] | undefined {
  const arrays = [...walk(call.node)].filter((node): node is TSESTree.ArrayExpression => is(node, 'ArrayExpression') && contains(call.node, node));
  return arrays.length === 1 ? arrays[0]!.elements : undefined;
}
