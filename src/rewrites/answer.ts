import type { TSESTree } from '@typescript-eslint/utils';
import type { LockUse } from '../analysis/model.js';
import { type Source, type Types } from '../analysis/regions.js';
import { functionAround, is } from '../analysis/syntax.js';
import { isInFinally, isThrowAmiss } from './aftermath.js';
import { isSelection, type Carrier } from './carrier.js';
import { lastToRun } from './clean-up.js';
import { areInType, columnsOf, readingIn, rowsPath, rowsPattern, safe, type Columns } from './columns.js';
import type { Draft } from './draft.js';
import { builtBy, formOf, type Form } from './forms.js';
import { nameOfLock } from './lock-name.js';
import type { Names } from './names.js';
import { Spans } from './spans.js';
import type { Target } from './target.js';
import { deeper, linesOf, surround, type Line } from './text.js';

/** Code that reads the answer of an unlock, put where the unlock stands. */

/** `warn` where that is asked for; `log` in the place of an error that would do no good. */
export type WhenFalse = 'throw' | 'warn' | 'log';

/** Where the code for an unlock will stand: where the unlock is, together with that at another place, or with it in a `finally`. */
export type Way = 'stays' | 'moves' | 'intoFinally';

/** What to do where the answer is false: in a `finally`, an error would hide that of the work. */
export function whenFalseAt(wanted: WhenFalse, node: TSESTree.Node, way: Way = 'stays'): WhenFalse {
  return wanted === 'throw' && (way === 'intoFinally' || isInFinally(node) || isThrowAmiss(node)) ? 'log' : wanted;
}

const FAILED: Record<WhenFalse, (said: string) => string> = { throw: (said) => `throw new Error(${said})`, warn: (said) => `console.warn(${said})`, log: (said) => `console.error(${said})` };

interface Reading extends Columns {
  /** The property of the result that holds the rows; `undefined` where the result is the array of them. */
  readonly rows: string | undefined;
  /** Whether a name for the row would have a type; else the whole result gets one. */
  readonly isTyped: boolean;
}

export class AnswerReader {
  private readonly spans: Spans;

  constructor(
    sourceCode: Source, private readonly draft: Draft, private readonly carrier: Carrier, private readonly names: Names,
    private readonly types: Types | undefined, private readonly whenFalse: WhenFalse,
  ) {
    this.spans = new Spans(sourceCode);
  }

  /** Reads the answer where nothing does. */
  read(use: LockUse, target: Target | undefined, way: Way = 'stays'): boolean {
    const form = formOf(use.call);
    const reading = form && this.prepare(use, form, target);
    // On a connection that is given back, a handler throws the error on.
    return reading ? this.write(form, use, reading, way, target !== undefined) : false;
  }

  /** Leaves where a try-lock that stands as a statement of its own is not won. */
  leave(use: LockUse, leaving: string): boolean {
    const form = formOf(use.call);
    const reading = form?.kind === 'statement' ? this.prepare(use, form, undefined) : undefined;
    if (form?.kind !== 'statement' || !reading) return false;
    const name = this.names.local('locked', use.call.node);
    const declared = this.declared(name, reading, form.isAwaited, unvoided(this.draft.cut(form.statement.range)));
    return this.place(form.statement, declared, this.test(conditionOf(name, reading), leaving), 'moves');
  }

  /** Makes sure that the answer can be read, with the type that its row is to have, and on the connection that is to send it. */
  private prepare(use: LockUse, form: Form, target: Target | undefined): Reading | undefined {
    const found = columnsOf(use.call, use.lock.function.operation === 'try' ? 'try' : 'unlock');
    // `client?.query(...)` may send nothing, and then there is no row.
    if (!found || (!target && is(use.call.node.parent, 'ChainExpression'))) return undefined;
    // A name that is there may be used as what it is now.
    const isNamed = form.kind === 'declared' || form.kind === 'assigned';
    if (!areInType(use.call, found, this.types, isNamed)) return undefined;
    const type = isNamed ? undefined : this.carrier.rowType(use.call, found.names, target);
    const rows = this.carrier.rowsAfter(use.call, target);
    if (!target) {
      if (type !== undefined) this.carrier.say(use.call, type);
    } else if (!this.carrier.move(use.call, target, type)) {
      return undefined;
    }
    return { ...found, rows, isTyped: type !== undefined || rows === undefined || found.holds !== undefined || isSelection(use.call) };
  }

  /** Statements for a `finally` that send an unlock which was not there, and read the one column of its answer. */
  reading(use: LockUse, sent: readonly Line[], column: string, rows: string | undefined, isTyped: boolean): Line[] {
    const name = this.names.local(column, use.call.node);
    const reading = { names: [column], paths: [`.${column}`], rows, isTyped: isTyped || rows === undefined };
    return [...this.declared(name, reading, false, sent), ...this.check(use, conditionOf(name, reading), 'intoFinally')];
  }

  private write(form: Form, use: LockUse, reading: Reading, way: Way, isThrownOn: boolean): boolean {
    switch (form.kind) {
      case 'statement':
        return this.atStatement(form, use, reading, way);
      case 'caught':
        return isThrownOn ? this.atStatement(form, use, reading, way) : this.atCaught(form, use, reading, way);
      case 'declared':
      case 'assigned':
        return this.atName(form, use, reading, way);
      case 'body':
        return this.atBody(form, use, reading);
      case 'promise':
        return this.atPromise(use, reading);
    }
  }

  // ---- forms

  private atStatement({ statement, isAwaited }: Form & { kind: 'statement' | 'caught' }, use: LockUse, reading: Reading, way: Way): boolean {
    if (!isAwaited && !canWait(statement)) return false;
    const name = this.names.local('unlocked', use.call.node);
    const call = unvoided(this.draft.cut(statement.range));
    return this.place(statement, this.declared(name, reading, isAwaited, call), this.check(use, conditionOf(name, reading), way), way);
  }

  private atCaught({ statement, isAwaited }: Form & { kind: 'caught' }, use: LockUse, reading: Reading, way: Way): boolean {
    if (!isAwaited && !canWait(statement)) return false;
    const name = this.names.local('unlocked', use.call.node);
    const row = this.names.local(reading.isTyped ? 'row' : 'result', use.call.node);
    const test = reading.paths.map((path) => `${rowOf(row, reading)}${safe(path)} === true`).join(' && ');
    this.draft.insert(use.call.node.range[1], linesOf(`.then((${patternOf(row, reading)}) => ${test})`));
    const declared = surround(`const ${name} = ${isAwaited ? '' : 'await '}`, unvoided(this.draft.cut(statement.range)), '');
    // What the handler gives back is not the answer: only `false` says that the lock was not held.
    return this.place(statement, declared, this.check(use, `${name} === false`, way), way);
  }

  private atName({ statement, id }: Form & { kind: 'declared' | 'assigned' }, use: LockUse, reading: Reading, way: Way): boolean {
    const answers = readingIn(id, reading.rows, reading);
    return answers !== undefined && this.place(statement, this.draft.cut(statement.range), this.check(use, answers.map((one) => `${one} !== true`).join(' || '), way), way);
  }

  private atBody({ arrow, isAwaited }: Form & { kind: 'body' }, use: LockUse, reading: Reading): boolean {
    const { end, style } = { ...this.draft.text.style, style: this.draft.text.style };
    if (!arrow.async) {
      if (arrow.returnType && !this.draft.text.of(arrow.returnType.typeAnnotation).startsWith('Promise<')) return false;
      this.draft.insert(arrow.range[0], linesOf('async '));
    }
    const name = this.names.local('unlocked', use.call.node);
    const declared = this.declared(name, reading, isAwaited, surround('', this.draft.cut(arrow.body.range), end));
    const body = [...declared, ...this.check(use, conditionOf(name, reading), 'stays')];
    this.draft.replace(this.spans.withParentheses(arrow.body), [...linesOf('{'), ...deeper(body, style), ...linesOf('}')]);
    return true;
  }

  private atPromise(use: LockUse, reading: Reading): boolean {
    const name = this.names.local('unlocked', use.call.node);
    const check = this.check(use, conditionOf(name, reading), 'stays');
    const node = builtBy(use.call);
    this.draft.insert(node.range[1], [...linesOf(`.then((${patternOf(name, reading)}) => {`), ...deeper(check, this.draft.text.style), ...linesOf('})')]);
    return true;
  }

  // ---- parts

  private declared(name: string, reading: Reading, isAwaited: boolean, expression: readonly Line[]): Line[] {
    return surround(`const ${patternOf(name, reading)} = ${isAwaited ? '' : 'await '}`, expression, '');
  }

  /**
   * Puts the check behind a statement; or, where it throws, behind the clean-up that follows. `false` where it would skip clean-up.
   */
  private place(statement: TSESTree.Statement, declared: readonly Line[], check: readonly Line[], way: Way): boolean {
    const parent = statement.parent;
    if (!is(parent, 'BlockStatement') && !is(parent, 'Program')) {
      this.draft.replace(statement.range, [...linesOf('{'), ...deeper([...declared, ...check], this.draft.text.style), ...linesOf('}')]);
      return true;
    }
    const isSkipping = way === 'stays' && whenFalseAt(this.whenFalse, statement) === 'throw';
    const last = isSkipping ? lastToRun(parent.body.slice(parent.body.indexOf(statement))) : statement;
    if (!last) return false;
    this.draft.replace(statement.range, declared);
    const isAlone = this.draft.text.isFirstOnLine(last.range[0]);
    const lines = isAlone ? [...linesOf(''), ...check] : linesOf(` ${check.map((one) => one.text.trim()).join(' ')}`);
    this.draft.insert(isAlone ? this.spans.of(last)[1] : last.range[1], lines, last.range[0]);
    return true;
  }

  private check(use: LockUse, condition: string, way: Way): Line[] {
    const failed = FAILED[whenFalseAt(this.whenFalse, use.call.node, way)](nameOfLock(use, this.draft.text));
    return this.test(condition, `${failed}${this.draft.text.style.end}`);
  }

  private test(condition: string, then: string): Line[] {
    return linesOf(`if (${condition}) {\n${this.draft.text.style.indent}${then}\n}`);
  }
}

/** The pattern that takes the first row out of a result, or a name for the whole. */
function patternOf(name: string, { isTyped, rows, holds }: Reading): string {
  if (holds && rows !== undefined) return `{ ${rows}: ${name} }`;
  return !isTyped || holds ? name : rowsPattern(rows, `[${name}]`);
}

const rowOf = (name: string, { isTyped, rows }: Reading): string => (isTyped ? name : `${name}${rowsPath(rows)}[0]`);

const conditionOf = (name: string, reading: Reading): string => reading.paths.map((path) => `${rowOf(name, reading)}${safe(path)} !== true`).join(' || ');

/** `void call` drops a promise on purpose; what is awaited is none. */
const unvoided = ([first, ...more]: readonly Line[]): Line[] => [{ ...first!, text: first!.text.replace(/^void\s+/, '') }, ...more];

/** Whether `await` may stand there. */
function canWait(node: TSESTree.Node): boolean {
  const owner = functionAround(node);
  return owner ? owner.async : true;
}
