import type { TSESTree } from '@typescript-eslint/utils';
import { basename } from 'node:path';
import { sourceOf, treeOf } from '../types/index.js';
import type { Where } from './model.js';
import { isFunction, unwrap } from './syntax.js';

/** Code and places as messages show them. */

/** An expression as a message shows it: on one line, not too long. */
export function shortSource(node: TSESTree.Node): string {
  const at = unwrap(node);
  const text = sourceOf(isFunction(at) ? node : at).replace(/\s+/g, ' ');
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
}

export const whereIs = (node: TSESTree.Node): Where => ({ file: basename(treeOf(node).fileName), line: node.loc.start.line });
