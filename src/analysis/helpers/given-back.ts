import type { TSESTree } from '@typescript-eslint/utils';
import { conversionOf, isFallback } from '../answers/conversions.js';
import { objectMember } from '../values/members.js';
import { isNullish, stepsFrom, type Frame, type Origin } from '../values/origin.js';
import type { Origins } from '../values/origins.js';
import type { Sending } from '../statements/sendings.js';
import { is, type CallNode, type FunctionNode } from '../syntax.js';

/** A part of the result, by the steps to it, or what is made of it. */
interface Part {
  readonly steps: readonly string[];
  /** Only whether it is true, or there: `row.ok === true`, `rows.length > 0`. */
  readonly isConverted: boolean;
  /** The contrary of that. */
  readonly isTurned: boolean;
  readonly isOfPresence: boolean;
}

type Given = Pick<Sending, 'holds' | 'givesRows' | 'inner' | 'keepsAnswer'>;

const MAX_CONVERSIONS = 6;

/** What functions of the user's own give back of the result of a statement that they are given, or that they send by a tag. */
export class GivenBack {
  constructor(private readonly origins: Origins) {}

  /** How much of the result a function gives back: all of it, its rows, a row, the boolean, a number of rows, something else, or nothing. */
  by({ callee, frame }: { readonly callee: FunctionNode; readonly frame: Frame }, sending: Sending, sent: CallNode, all: ReadonlySet<CallNode>): Given {
    const { result } = sending.run;
    const parts = this.origins.returnsOf(callee, frame).filter((one) => !isNullish(one) && !isFallback(one.node)).map((one) => this.partOf(one, all, result.rows));
    if (parts.every((one) => one === undefined)) return { inner: sent, keepsAnswer: true, ...(parts.length === 0 ? {} : { holds: 'unknown' as const }) };
    const [part, ...more] = parts;
    if (!part || more.some((one) => !one || !isSame(one, part))) return { holds: 'unknown', inner: sent };
    return { ...formOf(part, result, sending.run.result.counts), inner: sent };
  }

  private partOf(given: Origin, sent: ReadonlySet<TSESTree.Node>, rows: string | undefined, depth = 0): Part | undefined {
    const steps = this.stepsOf(given, sent, rows);
    if (steps) return { steps, isConverted: false, isTurned: false, isOfPresence: false };
    const conversion = given.kind === 'value' && depth < MAX_CONVERSIONS ? conversionOf(given.node) : undefined;
    if (!conversion || given.kind !== 'value') return undefined;
    const parts = this.origins.of({ node: conversion.of, frame: given.frame }).filter((one) => !isNullish(one)).map((one) => this.partOf(one, sent, rows, depth + 1));
    const [part, ...more] = parts;
    if (!part || more.some((one) => !one || !isSame(one, part))) return undefined;
    return { steps: part.steps, isConverted: true, isTurned: part.isTurned !== conversion.isTurned, isOfPresence: part.isConverted ? part.isOfPresence : conversion.isOfPresence };
  }

  /** The steps from the result to what is given back; a new object with the rows under their name, `{ rows: result.rows }`, is as good as the result. */
  private stepsOf(given: Origin, sent: ReadonlySet<TSESTree.Node>, rows: string | undefined): string[] | undefined {
    const steps = stepsFrom(given, sent);
    if (steps || rows === undefined || given.kind !== 'value' || !is(given.node, 'ObjectExpression')) return steps;
    const value = objectMember(given.node, rows)?.value;
    const held = value ? this.origins.of({ node: value, frame: given.frame }).filter((one) => !isNullish(one)) : [];
    return held.length > 0 && held.every((one) => stepsFrom(one, sent)?.join() === rows) ? [] : undefined;
  }
}

const isSame = (one: Part, other: Part): boolean => one.steps.join() === other.steps.join() && one.isConverted === other.isConverted && one.isTurned === other.isTurned;

function formOf({ steps, isConverted, isTurned, isOfPresence }: Part, { rows, holds }: Sending['run']['result'], counts: readonly string[]): Omit<Given, 'inner'> {
  const rest = steps[0] !== undefined && steps[0] === rows ? steps.slice(1) : steps;
  const isCount = (rest.length === 1 && rest[0] === 'length') || (steps.length === 1 && counts.includes(steps[0]!));
  // A number of rows is no answer, whatever it is compared with, unless there is a row only for a lock that was won.
  if (isCount) return { holds: 'count' };
  if (steps.length === 0 && !isConverted) return {};
  if (holds) return { holds: heldOf(holds, rest.length, isConverted, isTurned) };
  if (rest.length === 0 && !isConverted) return { givesRows: true };
  if (rest.length === 1 && rest[0] === '0' && !isTurned) return { holds: 'row' };
  return { holds: rest.length === 2 && rest[0] === '0' && !isTurned && !isOfPresence ? 'boolean' : 'unknown' };
}

/** Where the driver gives something else than rows. */
function heldOf(holds: NonNullable<Sending['holds']>, steps: number, isConverted: boolean, isTurned: boolean): Sending['holds'] {
  if (isConverted && (isTurned || (holds !== 'boolean' && holds !== 'count'))) return 'unknown';
  return steps === 0 ? holds : holds === 'row' && steps === 1 ? 'boolean' : 'unknown';
}
