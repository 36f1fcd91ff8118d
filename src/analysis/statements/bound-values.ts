import type { TSESTree } from '@typescript-eslint/utils';
import type { Values } from '../../drivers/index.js';
import { restAt } from '../values/collected.js';
import { objectMember } from '../values/members.js';
import { isNullish, type Place } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import { is, staticName, unwrap } from '../syntax.js';

/** What stands for the placeholders of a statement: by position (`$1`, `?`), or by name (`:key`). */
export interface BoundValues {
  readonly list: readonly Place[] | undefined;
  readonly named: ReadonlyMap<string, Place> | undefined;
}

/** The value behind a placeholder; `undefined` where it is not in view. */
export const boundTo = (values: BoundValues | undefined, name: string): Place | undefined => values?.named?.get(name) ?? (/^\d+$/.test(name) ? values?.list?.[Number(name) - 1] : undefined);

/** Where a call's bound values stand, as its driver's record says. */
export function valuesOf(origins: Origins, args: readonly Place[], where: Values): BoundValues | undefined {
  if (where.isRest) {
    const rest = args.slice(where.argument);
    return rest.some((one) => is(one.node, 'SpreadElement')) ? undefined : { list: rest, named: undefined };
  }
  const place = args[where.argument];
  if (!place) return undefined;
  if (!where.options) return valuesAt(origins, place) ?? (where.mayBeOne && isOne(origins, place) ? { list: [place], named: undefined } : undefined);
  const object = objectAt(origins, place);
  for (const name of object ? where.options : []) {
    const property = propertyPlace(origins, object!, name);
    if (property) return valuesAt(origins, property);
  }
  return undefined;
}

/** Whether an argument is a value of its own: no array and no object. */
function isOne(origins: Origins, { node }: Place): boolean {
  const facts = origins.types.typeOf(node);
  if (!facts || facts.isAny) return is(unwrap(node), 'Literal');
  return facts.alternatives.every((one) => one.isNumeric || one.literal !== undefined || one.names.some(({ name }) => name === 'String') || one.hasMember('charAt') || one.hasMember('toFixed'));
}

/** An array of values, or an object of them. */
export function valuesAt(origins: Origins, place: Place): BoundValues | undefined {
  const rest = restAt({ node: unwrap(place.node), frame: place.frame });
  if (rest) return rest.some((one) => is(one.node, 'SpreadElement')) ? undefined : { list: rest, named: undefined };
  const [only, ...more] = origins.of(place).filter((one) => !isNullish(one));
  if (more.length > 0 || only?.kind !== 'value') return undefined;
  const { node, frame } = only;
  if (is(node, 'ObjectExpression')) {
    const named = node.properties.flatMap((one): [string, Place][] => {
      const name = is(one, 'Property') ? staticName(one.key, one.computed) : undefined;
      return name === undefined ? [] : [[name, { node: (one as TSESTree.Property).value, frame }]];
    });
    return { list: undefined, named: new Map(named) };
  }
  if (!is(node, 'ArrayExpression')) return undefined;
  const list = node.elements.map((one): readonly Place[] | undefined => {
    if (is(one, 'SpreadElement')) return valuesAt(origins, { node: one.argument, frame })?.list;
    return one ? [{ node: one, frame }] : undefined;
  });
  return list.every((one) => one !== undefined) ? { list: list.flat(), named: undefined } : undefined;
}

/** The one object literal that an expression stands for. */
export function objectAt(origins: Origins, place: Place): Place | undefined {
  const [only, ...more] = origins.of(place).filter((one) => !isNullish(one));
  return more.length === 0 && only?.kind === 'value' && is(only.node, 'ObjectExpression') ? { node: only.node, frame: only.frame } : undefined;
}

/** A property of an object literal, also one that is spread into it from an object in view. */
export function propertyPlace(origins: Origins, { node, frame }: Place, name: string): Place | undefined {
  const found = objectMember(node as TSESTree.ObjectExpression, name);
  if (found) return { node: found.value, frame };
  for (const one of (node as TSESTree.ObjectExpression).properties) {
    const spread = is(one, 'SpreadElement') ? objectAt(origins, { node: one.argument, frame }) : undefined;
    const inherited = spread && propertyPlace(origins, spread, name);
    if (inherited) return inherited;
  }
  return undefined;
}
