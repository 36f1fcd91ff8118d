import type { TSESTree } from '@typescript-eslint/utils';
import { contains, is, uncast, unwrap, type FunctionNode } from '../syntax.js';
import { Interpreter } from './engine/interpreter.js';
import type { State } from './engine/outcome.js';
import { PlainTransfer } from './engine/plain.js';
import { NOWHERE, type Budget, type Sharing } from './shared-code.js';
import { canThrow } from './call-kinds.js';
import type { Effect } from './engine/transfer.js';

export interface TxState extends State {
  readonly open: 'no' | 'yes' | 'aborted' | 'unknown';
  /** Where the session-level lock was taken. */
  readonly taken: 'no' | 'before' | 'inside';
}

const txState = (open: TxState['open'], taken: TxState['taken']): TxState => ({ open, taken, key: `${open} ${taken}` });

export type TxEvent = 'begin' | 'end' | 'sql' | 'passed' | 'lock' | 'unlock' | 'asked';

export interface Followed {
  readonly openAtLock: ReadonlySet<TxState['open']>;
  /** Where the function returns. */
  readonly openAtEnd: ReadonlySet<TxState['open']>;
  readonly isFreedAfter: boolean;
  readonly unlocksInAborted: ReadonlySet<TSESTree.Node>;
}

/** Follows the transactions on one connection through a function that takes a lock on it, or that lends it to a callback. */
export class TransactionFlow extends PlainTransfer<TxState> {
  private readonly openAtLock = new Set<TxState['open']>();
  private readonly unlocksInAborted = new Set<TSESTree.Node>();
  private readonly unlocksInOpen = new Set<TSESTree.Node>();
  private readonly unlocksAfter = new Set<TSESTree.Node>();

  constructor(private readonly at: TSESTree.Node, private readonly events: Pick<ReadonlyMap<TSESTree.Node, TxEvent>, 'get' | 'has'>, private readonly start: TxState['open']) {
    super();
  }

  /** Code that is run once for all locks of a function on one connection: it neither takes nor frees any of them. */
  static interpreterOf(events: ReadonlyMap<TSESTree.Node, TxEvent>, budget: Budget): Interpreter<TxState> {
    return new Interpreter(new TransactionFlow(NOWHERE, events, 'unknown'), { budget });
  }

  run(body: FunctionNode | TSESTree.Program, sharing: Sharing<TxState> = {}): Followed | undefined {
    const openAtEnd = new Set<TxState['open']>();
    try {
      const { normal, returned } = new Interpreter<TxState>(this, sharing).run(body, txState(this.start, 'no'));
      for (const { open } of [...normal.values(), ...returned.values()]) openAtEnd.add(open);
    } catch (error) {
      if (error instanceof RangeError) return undefined; // nested too deep to be followed
      throw error;
    }
    return { openAtLock: this.openAtLock, openAtEnd, isFreedAfter: this.unlocksAfter.size > 0 && this.unlocksInOpen.size === 0, unlocksInAborted: this.unlocksInAborted };
  }

  effect(node: TSESTree.Node, state: TxState): Effect<TxState> | undefined {
    const event = this.events.get(node);
    if (event) return this.happen(event, node, state);
    if (!canThrow(node) || contains(this.at, node)) return undefined;
    return { normal: [state], thrown: [state] };
  }

  private happen(event: TxEvent, node: TSESTree.Node, state: TxState): Effect<TxState> {
    const { open, taken } = state;
    const failed = open === 'yes' ? txState('aborted', taken) : state;
    switch (event) {
      case 'begin':
        return { normal: [txState('yes', taken)], thrown: [state] };
      case 'end':
        return { normal: [txState('no', taken)], thrown: [txState('no', taken)] };
      case 'lock':
        this.openAtLock.add(open);
        return { normal: [txState(open, open === 'yes' ? 'inside' : 'before')], thrown: [failed] };
      case 'unlock':
        if (taken === 'before' && open === 'aborted') this.unlocksInAborted.add(node);
        if (open === 'yes' || open === 'aborted') this.unlocksInOpen.add(node);
        if (open === 'no') this.unlocksAfter.add(node);
        return { normal: [txState(open, 'no')], thrown: [failed] };
      case 'sql':
        return { normal: [state], thrown: [failed] };
      case 'asked':
        return { normal: [state], thrown: [] };
      case 'passed': // a function that gets the client may begin or end a transaction on it
        return { normal: [state, txState('unknown', taken)], thrown: [failed] };
    }
  }

  override test(node: TSESTree.Node, { open }: TxState): boolean | undefined {
    return this.events.get(uncast(node)) !== 'asked' || open === 'unknown' ? undefined : open !== 'no';
  }

  override present(_node: TSESTree.Node, by: '?.' | '??'): true | undefined {
    return by === '?.' ? true : undefined; // a connection that holds a lock is there
  }

  override isOwn(promise: TSESTree.Node): boolean {
    return this.events.has(unwrap(promise));
  }

  rejects(promise: TSESTree.Node): boolean {
    const node = uncast(promise);
    return (is(node, 'CallExpression') || is(node, 'TaggedTemplateExpression')) && !this.events.has(unwrap(node));
  }

  override assume(node: TSESTree.Node, outcome: boolean, state: TxState): TxState {
    return this.events.get(uncast(node)) === 'asked' && state.open === 'unknown' ? txState(outcome ? 'yes' : 'no', state.taken) : state;
  }
}
