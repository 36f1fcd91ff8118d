import type { State } from './engine/outcome.js';
import type { Effect } from './engine/transfer.js';
import type { Known } from './conditions/known.js';

/**
 * `some`: one key of several was freed; `freed`: it was held, and is not any more; `doubt`: its unlock threw, so that nobody knows; `pending`: the same, in a `finally` on
 * the way out; `swallowed`: and that error was caught; `back`: held, and given back to a pool that may end next; `gone`: the session is over or given back.
 */
export type Held = 'free' | 'held' | 'some' | 'freed' | 'doubt' | 'pending' | 'swallowed' | 'back' | 'gone';

/** What may be true of one lock at one point of a function. */
export interface LockState extends State {
  readonly held: Held;
  /** What the try-lock has answered on this path. */
  readonly answer: boolean | undefined;
  /** Whether the duty to free it was handed on: to the caller, a field, a closure. */
  readonly handedOn: boolean;
  /** Values of the places that remember something of it, and of conditions that are asked more than once. */
  readonly flags: ReadonlyMap<string, Known>;
}

export function lockState({ held, answer, handedOn, flags }: Omit<LockState, 'key'>): LockState {
  const remembered = [...flags].sort(([one], [other]) => (one < other ? -1 : 1)).map(([place, value]) => `${place}${value}`).join(' ');
  return { held, answer, handedOn, flags, key: `${held} ${String(answer)} ${handedOn ? 'handed' : ''} ${remembered}` };
}

export const withChange = (state: LockState, change: Partial<Omit<LockState, 'key'>>): LockState => lockState({ ...state, ...change });

export function withFlag(state: LockState, place: string, value: Known | undefined): LockState {
  if (state.flags.get(place) === value) return state;
  const flags = new Map(state.flags);
  if (value === undefined) flags.delete(place);
  else flags.set(place, value);
  return withChange(state, { flags });
}

export const isHeld = ({ held, handedOn }: LockState): boolean => held === 'held' && !handedOn;

export const isSwallowed = ({ held, handedOn }: LockState): boolean => held === 'swallowed' && !handedOn;

/** A `catch` that is left by another error has not kept the first one to itself. */
export const underWay = (state: LockState): LockState => (state.held === 'swallowed' ? withChange(state, { held: 'doubt' }) : state);

/** The session is over, or free of the lock, whether or not what has done that fails. */
export function ended(state: LockState): Effect<LockState> {
  const gone = withChange(state, { held: 'gone' });
  return { normal: [gone], thrown: [gone] };
}
