import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../analysis/facts.js';
import { variableOf } from '../analysis/values/names.js';
import type { LockUse } from '../analysis/model.js';
import type { Source } from '../analysis/regions.js';
import { contains, is, walk } from '../analysis/syntax.js';
import type { Rewrite } from './model.js';
import { Text } from './text.js';

const MAX_BIGINT = 2n ** 63n - 1n;

/**
 * A key that is written as a number too large for one becomes a string of its digits, wherever the file locks or unlocks by it: the
 * drivers send either as text, and their types take a string without more ado.
 */
export function writeExactKey(use: LockUse, facts: FileFacts, sourceCode: Source): Rewrite | undefined {
  const own = numbersOf(use, facts);
  const [first] = own ?? [];
  if (!own || !first) return undefined;
  const others = facts.uses.filter((one) => one.keyFault?.kind === 'unsafeNumber').map((one) => numbersOf(one, facts));
  const all = new Set([...own, ...others.flatMap((one) => one ?? [])].filter((one) => own.some((mine) => digitsOf(mine) === digitsOf(one))));
  const { quote } = new Text(sourceCode).style;
  return { edits: [...all].map((one) => ({ range: one.range, text: quote + digitsOf(one)! + quote })) };
}

/** The numbers behind a key that is too large; `undefined` where something else may need one. */
function numbersOf({ call }: LockUse, facts: FileFacts): TSESTree.Literal[] | undefined {
  const found: TSESTree.Literal[] = [];
  for (const node of walk(call.node)) {
    if (isTooLarge(node)) found.push(node);
    if (!is(node, 'Identifier')) continue;
    const variable = variableOf(node);
    const declarator = variable?.defs[0]?.node as TSESTree.Node | undefined;
    if (!is(declarator, 'VariableDeclarator') || !declarator.init || !isTooLarge(declarator.init)) continue;
    const isForLocks = declarator.parent.kind === 'const' && !declarator.id.typeAnnotation && !is(declarator.parent.parent, 'ExportNamedDeclaration')
      && variable!.references.every((one) => one.init || facts.calls.some((other) => other.locks.length > 0 && contains(other.node, one.identifier)));
    if (!isForLocks) return undefined;
    found.push(declarator.init);
  }
  return found;
}

function isTooLarge(node: TSESTree.Node): node is TSESTree.Literal {
  const digits = is(node, 'Literal') && typeof node.value === 'number' && node.value > Number.MAX_SAFE_INTEGER && !is(node.parent, 'UnaryExpression') ? digitsOf(node) : undefined;
  return digits !== undefined && BigInt(digits) <= MAX_BIGINT;
}

/** As written, without separators; `undefined` for a number in another notation. */
function digitsOf({ raw }: TSESTree.Literal): string | undefined {
  const digits = raw.replaceAll('_', '');
  return /^\d+$/.test(digits) ? digits : undefined;
}
