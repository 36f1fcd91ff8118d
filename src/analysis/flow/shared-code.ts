import type { TSESTree } from '@typescript-eslint/utils';
import type { Interpreter } from './engine/interpreter.js';
import type { Outcome, State } from './engine/outcome.js';

/** From which number of locks on, in one function and on one connection, their code is run for all of them at once. */
export const MIN_SHARING = 3;

/** Code that does the same to several locks of a function: it is run once for each state, and not once for each lock. */
export interface SharedCode<S extends State> {
  readonly interpreter: Interpreter<S>;
  /** Whether code between two positions of the text does something to this lock that it does not do to the others. */
  isOwn(from: number, to: number): boolean;
  /** The code was not run for this lock: what else running it would have told. */
  skipped(outcome: Outcome<S>): void;
}

/** A call that stands nowhere: it is made, but not by the code that is looked at. */
export const NOWHERE = { type: 'CallExpression', range: [-1, -1] } as unknown as TSESTree.CallExpression;

/**
 * How many statements may be run for the locks of one file, each once for each state and lock: some seconds of work. A function of
 * ten thousand statements takes a third of it for a lock.
 */
const MAX_RUNS = 100_000;

/** What is left of the work that a file may cost. Where it is used up, nothing is said of the locks that are left. */
export class Budget {
  private left = MAX_RUNS;

  /** Ends like code that is nested too deep to be followed. */
  spend(): void {
    if (--this.left < 0) throw new RangeError('Too much to follow');
  }
}

/** What a run shares with others. */
export interface Sharing<S extends State> {
  readonly code?: SharedCode<S> | undefined;
  readonly journal?: Journal<unknown> | undefined;
  readonly budget?: Budget | undefined;
}

/** Positions of nodes, asked for by range. */
export class Positions {
  private readonly sorted: readonly number[];

  constructor(nodes: Iterable<TSESTree.Node>) {
    this.sorted = [...nodes].map((node) => node.range[0]).sort((one, other) => one - other);
  }

  areIn(from: number, to: number): boolean {
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.sorted[middle]! < from) low = middle + 1;
      else high = middle;
    }
    return low < this.sorted.length && this.sorted[low]! < to;
  }
}

/** What was noted while code ran, by its outcome: whoever takes the outcome over takes the notes over as well. */
export class Journal<Note> {
  private readonly open: Set<Note>[] = [];
  private readonly notes = new WeakMap<object, ReadonlySet<Note>>();

  add(note: Note): void {
    this.open.at(-1)?.add(note);
  }

  begin(): void {
    this.open.push(new Set());
  }

  end(outcome: object): void {
    const notes = this.open.pop();
    if (!notes || notes.size === 0) return;
    this.notes.set(outcome, notes);
    this.again(outcome);
  }

  again(outcome: object): void {
    for (const note of this.of(outcome)) this.add(note);
  }

  of(outcome: object): Iterable<Note> {
    return this.notes.get(outcome) ?? [];
  }
}

/** Nodes with what they do, and some of them that do something else. */
export class Overlay<Value> {
  constructor(private readonly below: Pick<ReadonlyMap<TSESTree.Node, Value>, 'get' | 'has'>, private readonly own: Map<TSESTree.Node, Value>) {}

  get(node: TSESTree.Node): Value | undefined {
    return this.own.get(node) ?? this.below.get(node);
  }

  has(node: TSESTree.Node): boolean {
    return this.own.has(node) || this.below.has(node);
  }

  set(node: TSESTree.Node, value: Value): void {
    this.own.set(node, value);
  }
}

export function countBy<One>(all: readonly One[]): ReadonlyMap<One, number> {
  const counts = new Map<One, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}
