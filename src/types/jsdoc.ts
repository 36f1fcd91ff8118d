import type { TSESTree } from '@typescript-eslint/utils';
import { treeOf, type Tree } from './tree.js';

/** What JSDoc comments say of types, as text. */

const ends = new WeakMap<Tree, ReadonlyMap<number, TSESTree.Comment>>();

/** The JSDoc comments of a file, by the offset at which the code behind them begins. */
function commentsOf(tree: Tree): ReadonlyMap<number, TSESTree.Comment> {
  const known = ends.get(tree);
  if (known) return known;
  const found = new Map<number, TSESTree.Comment>();
  for (const one of tree.ast.comments ?? []) {
    if (one.type !== ('Block' as never) || !one.value.startsWith('*') || !one.value.includes('@')) continue;
    let at = one.range[1];
    while (/\s/.test(tree.text[at] ?? '')) at += 1;
    found.set(at, one);
  }
  ends.set(tree, found);
  return found;
}

/** The text of the JSDoc that stands directly before a node, or before the parentheses around it. */
export function jsDocBefore(node: TSESTree.Node, { inParentheses = false } = {}): string | undefined {
  const tree = treeOf(node);
  const comments = commentsOf(tree);
  if (comments.size === 0) return undefined;
  let [at] = node.range;
  if (inParentheses) {
    do at -= 1; while (/\s/.test(tree.text[at] ?? ''));
    if (tree.text[at] !== '(') return undefined;
  }
  return comments.get(at)?.value;
}

/** Letters of the longest type that is read. */
const LONGEST_TYPE = 10_000;

/** The type that stands in braces behind a tag, and what is left behind it. */
function* tagged(doc: string, tag: string): Generator<{ type: string; rest: string }, void> {
  for (let from = doc.indexOf(tag); from >= 0; from = doc.indexOf(tag, from + tag.length)) {
    const open = from + tag.length + (/^\s*/.exec(doc.slice(from + tag.length, from + tag.length + 20))?.[0].length ?? 0);
    if (doc[open] !== '{') continue;
    let level = 0;
    let close = open;
    const last = Math.min(doc.length, open + LONGEST_TYPE);
    for (; close < last; close += 1) {
      if (doc[close] === '{') level += 1;
      if (doc[close] === '}' && --level === 0) break;
    }
    if (close < last) yield { type: withoutStars(doc.slice(open + 1, close)), rest: doc.slice(close + 1, close + 200).trimStart() };
  }
}

/** Without what begins each line of a comment. */
const withoutStars = (text: string): string => text.split('\n').map((line, index) => (index === 0 ? line : line.replace(/^\s*\*/, ' '))).join('\n');

function first(doc: string | undefined, tag: string): string | undefined {
  const { value } = tagged(doc ?? '', tag).next();
  return value?.type;
}

/** `@type {T}`. */
export const typedBy = (doc: string | undefined): string | undefined => first(doc, '@type ') ?? first(doc, '@type{');

/** `@returns {T}`. */
export const returnedOf = (doc: string | undefined): string | undefined => first(doc, '@returns') ?? first(doc, '@return');

/** `@param {T} name`, by its name or, for one that is taken apart, by its index; the parts of an object by their names, for `@param {T} name.part`. */
export function parameterOf(doc: string | undefined, which: string | number): string | ReadonlyMap<string, string> | undefined {
  const parts = new Map<string, string>();
  const names: string[] = [];
  let whole: string | undefined;
  for (const { type, rest } of doc === undefined ? [] : tagged(doc, '@param')) {
    const [, given = '', part] = /^\[?([\w$]+)(?:\.([\w$]+))?/.exec(rest) ?? [];
    if (!names.includes(given)) names.push(given);
    if (given !== which && names.indexOf(given) !== which) continue;
    if (part === undefined) whole = type;
    else parts.set(part, type);
  }
  return parts.size > 0 ? parts : whole;
}

/** The text of a type, or what is imported. */
type Typedef = { readonly type: string } | { readonly name: string; readonly module: string };

const typedefs = new WeakMap<Tree, ReadonlyMap<string, Typedef>>();

/** `@typedef {T} Name` and `@import { Name } from 'module'` of a file. */
export function typedefsOf(tree: Tree): ReadonlyMap<string, Typedef> {
  const known = typedefs.get(tree);
  if (known) return known;
  const found = new Map<string, Typedef>();
  for (const { type, value } of tree.ast.comments ?? []) {
    if (type !== ('Block' as never) || !value.startsWith('*') || !value.includes('@')) continue;
    for (const one of tagged(value, '@typedef')) {
      const [name] = /^[\w$]+/.exec(one.rest) ?? [];
      if (name !== undefined) found.set(name, { type: one.type });
    }
    for (const [, names = '', module = ''] of value.matchAll(/@import\s*\{([^{}]{1,400})\}\s*from\s*['"]([^'"]+)['"]/g)) {
      for (const one of names.split(',')) {
        const [imported = '', as, local] = one.trim().split(/\s+/);
        if (imported !== '') found.set(as === 'as' && local !== undefined ? local : imported, { name: imported, module });
      }
    }
  }
  typedefs.set(tree, found);
  return found;
}
