import type { TSESTree } from '@typescript-eslint/utils';
import { currentHouse, resultOf, type HelperConnection, type HouseHelper, type HouseQuery, type ResultForm, type RunMember } from '../../drivers/index.js';
import { argumentsAt } from '../values/collected.js';
import { valuesOf } from '../statements/bound-values.js';
import { freeingOf, leaseOf, type Freeing } from './leases.js';
import type { Frame, Place } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import type { Sending } from '../statements/sendings.js';
import { mentionsLock, type Chunk, type SqlTexts } from '../statements/sql-text.js';
import { is, unwrap } from '../syntax.js';

/** Calls of functions that the settings name: what they are given as SQL, and the statements that lock helpers stand for. */
export class HouseCalls {
  private readonly house = currentHouse();
  private readonly hasLeases = this.house.helpers.some(({ unlock }) => unlock !== undefined);

  constructor(private readonly origins: Origins, private readonly texts: SqlTexts) {}

  at(node: TSESTree.CallExpression, frame: Frame | undefined): Sending | undefined {
    const { house } = this.origins;
    if (!house.hasCallees) return undefined;
    const helper = house.calleeOf(node, this.house.helpers);
    if (helper) return { ...this.locking(helper, node, frame), ...(helper.unlock === undefined ? {} : { lease: leaseOf(node, { unlock: helper.unlock, also: undefined, shows: [] }) }) };
    const freeing = this.hasLeases ? freeingOf(node, (call) => house.calleeOf(call, this.house.helpers)) : undefined;
    if (freeing) return this.freeing(freeing, node, frame);
    const query = house.calleeOf(node, this.house.queries);
    return query && this.sending(query, node, frame);
  }

  private sending({ sql, values, result, connection }: HouseQuery, node: TSESTree.CallExpression, frame: Frame | undefined): Sending | undefined {
    const argument = node.arguments[sql];
    const texts = argument ? this.texts.of({ node: argument, frame }) : [];
    if (!argument || !texts.some(mentionsLock)) return undefined;
    const bound = valuesOf(this.origins, argumentsAt(node.arguments, frame), { argument: values }) ?? this.texts.boundOf({ node: argument, frame });
    return { ...this.common(node, frame, connection), run: this.run(result), texts, values: bound, argument };
  }

  /** The unlock of what a helper gave, with the key that the helper was given. */
  private freeing({ taken, holder }: Freeing, node: TSESTree.CallExpression, frame: Frame | undefined): Sending {
    const [given] = taken;
    const { key, connection, calls } = this.origins.house.calleeOf(given!, this.house.helpers)!;
    const locking = this.locking({ named: { names: [] }, calls: `pg_advisory_unlock${calls.endsWith('_shared') ? '_shared' : ''}`, ...(key ? { key } : {}), ...(connection ? { connection } : {}) }, given!, frame);
    const form = this.formOf('', node);
    return {
      ...locking, handle: locking.says === undefined ? locking.handle : { node: holder, frame }, sent: { node, frame }, argument: node.callee, frees: taken,
      run: this.run(form), isSilent: form === 'nothing', helper: this.nameOf(node),
    };
  }

  private nameOf(node: TSESTree.CallExpression): string {
    return this.origins.types.tree.text.slice(...unwrap(node.callee).range);
  }

  private locking({ calls, key, connection, result, unlock }: HouseHelper, node: TSESTree.CallExpression, frame: Frame | undefined): Sending {
    const text = (written: string): Chunk => ({ kind: 'text', text: written, node: node.callee, start: undefined });
    const handle = typeof connection === 'object' ? connection.argument : undefined;
    const indices = key ?? (node.arguments.length > 0 ? [handle === 0 ? 1 : 0] : []);
    const args = indices.flatMap((index) => node.arguments[index] ?? []);
    const isWhole = args.length === indices.length && args.length > 0 && !node.arguments.some((one) => is(one, 'SpreadElement'));
    // A helper that is not given its key has one of its own: a name that stands for nothing else.
    const values = calls.endsWith('_all') ? [] : isWhole ? args.flatMap((one, index): Chunk[] => [...(index > 0 ? [text(', ')] : []), { kind: 'value', place: { node: one, frame } }]) : [text('key')];
    // What frees the lock is the answer, too: it is there where the lock was won.
    const form = result ?? (unlock === undefined ? this.formOf(calls, node) : 'value');
    return {
      ...this.common(node, frame, connection), run: this.run(form), isSilent: form === 'nothing', values: undefined, argument: node.callee,
      texts: [{ chunks: [text(`select ${calls}(`), ...values, text(')')] }], helper: this.nameOf(node),
    };
  }

  private common(node: TSESTree.CallExpression, frame: Frame | undefined, connection: HelperConnection | undefined): Pick<Sending, 'handle' | 'sent' | 'arrayRows' | 'says'> {
    const argument = typeof connection === 'object' ? node.arguments[connection.argument] : undefined;
    const handle: Place = { node: argument ?? node.callee, frame };
    return { handle, sent: { node, frame }, arrayRows: false, ...(argument ? {} : { says: typeof connection === 'object' ? 'unknown' : connection ?? 'unknown' }) };
  }

  private run(form: ResultForm | undefined): Sending['run'] {
    const result: RunMember['result'] = form === undefined ? { rows: 'rows', counts: ['rowCount', 'count'], typed: true } : resultOf(form);
    return { result };
  }

  /** A helper that gives a boolean gives the answer; of others only a try-lock has to. */
  private formOf(calls: string, node: TSESTree.CallExpression): ResultForm {
    const facts = this.origins.types.typeOf(node)?.awaited();
    const isKnown = facts !== undefined && !facts.isAny;
    const isBoolean = isKnown && facts.alternatives.length > 0 && facts.alternatives.every((one) => typeof one.literal === 'boolean');
    const givesSomething = !isKnown || facts.alternatives.some((one) => one.names.length > 0 || one.literal !== undefined || one.hasMember('valueOf'));
    return isBoolean || (calls.includes('_try_') && givesSomething) ? 'value' : 'nothing';
  }
}
