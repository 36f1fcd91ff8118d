import type { TSESTree } from '@typescript-eslint/utils';
import type { Scope } from '@typescript-eslint/utils/ts-eslint';
import { variableOf } from './names.js';
import type { Origin, Step } from './origin.js';
import type { Origins } from './origins.js';
import { is, isMember, uncast } from '../syntax.js';

/** One of several values, of which one that is not known selects one: `SQL[mode]`. */
export interface Choice {
  /** What selects it; `undefined` where the type alone says what there is to select from. */
  readonly by: Selection | undefined;
  readonly index: number;
}

interface Selection {
  readonly table: TSESTree.Node;
  /** The member expression. */
  readonly node: TSESTree.Node;
  /** The variable in its brackets, where that keeps its value. */
  readonly variable: Scope.Variable | undefined;
}

/** What a part of a table holds in each of its entries; empty where they are not all in view. */
export function entriesOf(origin: Origin, origins: Origins): { readonly origins: readonly Origin[]; readonly choice: Choice }[] {
  const path: Step[] = [];
  let at = origin;
  for (; at.kind === 'member'; at = at.object) path.unshift(at.name);
  const { node } = at;
  if (at.kind !== 'unknown' || !isMember(node) || !node.computed) return [];
  const [table, ...more] = origins.of({ node: node.object, frame: undefined });
  if (table?.kind !== 'value' || more.length > 0) return [];
  const values = valuesIn(table.node);
  const by: Selection = { table: table.node, node, variable: selectorOf(node.property) };
  return values.every((one) => one !== undefined)
    ? values.map((value, index) => ({ origins: origins.project(origins.of({ node: value, frame: table.frame }), path, table.frame, value), choice: { by, index } }))
    : [];
}

function valuesIn(table: TSESTree.Node): (TSESTree.Node | undefined)[] {
  if (is(table, 'ObjectExpression')) return table.properties.map((one) => (is(one, 'Property') && one.kind === 'init' && !one.method ? one.value : undefined));
  return is(table, 'ArrayExpression') ? table.elements.map((one) => (one && !is(one, 'SpreadElement') ? one : undefined)) : [];
}

function selectorOf(property: TSESTree.Node): Scope.Variable | undefined {
  const name = uncast(property);
  const variable = is(name, 'Identifier') ? variableOf(name) : undefined;
  return variable?.references.some((one) => one.isWrite() && !one.init) ? undefined : variable;
}

/** Whether two choices are the same one, so that what the one has of an entry comes with what the other has of it. */
export const isOneSelection = (one: Choice | undefined, other: Choice | undefined): boolean =>
  one?.by !== undefined && other?.by !== undefined && one.by.table === other.by.table && (one.by.node === other.by.node || (one.by.variable !== undefined && one.by.variable === other.by.variable));
