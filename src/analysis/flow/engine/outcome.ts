/**
 * What may hold after a piece of code, by the way it is left. A set of states is kept by the key of each state, so that equal states
 * are one.
 */

export interface State {
  /** Equal for equal states. */
  readonly key: string;
}

export type States<S extends State> = Map<string, S>;

export interface Outcome<S extends State> {
  readonly normal: States<S>;
  readonly thrown: States<S>;
  readonly returned: States<S>;
  /** By label; `''` for a plain `break` or `continue`. */
  readonly broken: Map<string, States<S>>;
  readonly continued: Map<string, States<S>>;
}

export const nothing = <S extends State>(): Outcome<S> => ({ normal: noStates(), thrown: noStates(), returned: noStates(), broken: new Map(), continued: new Map() });

export const statesOf = <S extends State>(...states: readonly S[]): States<S> => new Map(states.map((one) => [one.key, one]));

export function addAll<S extends State>(to: States<S>, from: States<S>): void {
  for (const [key, state] of from) to.set(key, state);
}

function addLabelled<S extends State>(to: Map<string, States<S>>, from: Map<string, States<S>>): void {
  for (const [label, states] of from) {
    const known = to.get(label) ?? new Map<string, S>();
    addAll(known, states);
    to.set(label, known);
  }
}

/** Adds every way of leaving but the normal one. */
export function addExits<S extends State>(to: Outcome<S>, from: Outcome<S>): void {
  addAll(to.thrown, from.thrown);
  addAll(to.returned, from.returned);
  addLabelled(to.broken, from.broken);
  addLabelled(to.continued, from.continued);
}

export function addOutcome<S extends State>(to: Outcome<S>, from: Outcome<S>): void {
  addExits(to, from);
  addAll(to.normal, from.normal);
}

export const noStates = <S extends State>(): States<S> => new Map<string, S>();

export function merged<S extends State>(one: States<S>, other: States<S>): States<S> {
  const both: States<S> = new Map(one);
  addAll(both, other);
  return both;
}
