import type { Connection, Passed } from '../model.js';
import { shortSource, whereIs } from '../quoting.js';
import type { Place } from '../values/origin.js';
import { isPinned, isWithoutSession } from './sessions.js';

/** Who passes a handle to a function: what a message names beside the place where the handle is made. */

export interface PassedHandle {
  readonly place: Place;
  readonly found: Connection;
}

/** The calls that pass a connection of some kind, by the first of them; where its function has that from a caller of its own, by that one. */
export function passedBy(handles: readonly PassedHandle[], isSo: (connection: Connection) => boolean): Passed | undefined {
  const [first, ...more] = handles.filter(({ found }) => isSo(found));
  if (!first) return undefined;
  const { place: { node }, found: { evidence, says } } = first;
  const call = node.parent ?? node;
  return evidence.passed ?? { text: shortSource(call), where: whereIs(call), more: more.length, says };
}

/** Calls that pass a pool here and one connection there. */
export function disagreeing(handles: readonly PassedHandle[]): Pick<Connection, 'disagreeing'> {
  const [pooled, pinned] = [passedBy(handles, isWithoutSession), passedBy(handles, isPinned)];
  return pooled && pinned ? { disagreeing: { pooled, pinned } } : {};
}

export const disagreeingIn = (found: readonly Connection[]): Pick<Connection, 'disagreeing'> => found.flatMap(({ disagreeing: calls }) => (calls ? [{ disagreeing: calls }] : []))[0] ?? {};
