import type { TSESTree } from '@typescript-eslint/utils';
import type { SourceCode } from '@typescript-eslint/utils/ts-eslint';
import type { LockUse, SqlCall } from '../analysis/model.js';
import { functionAround, is, isMember, memberName, wrapped } from '../analysis/syntax.js';
import { propertyName, type Carrier } from './carrier.js';
import { nameOfLock } from './lock-name.js';
import type { Draft } from './draft.js';
import type { Names } from './names.js';
import { Spans } from './spans.js';
import type { Target } from './target.js';
import { deeper, linesOf, type Line, type Range } from './text.js';

/** Code that reads the answer of an unlock, put where the unlock stands. */

export type WhenFalse = 'throw' | 'warn';

/** A statement that an unlock is all of, in the forms that drop its answer. */
type Form =
  /** `await call;`, or the same without `await`. */
  | { readonly kind: 'statement'; readonly statement: TSESTree.ExpressionStatement; readonly isAwaited: boolean }
  /** `await call.catch(handler);` */
  | { readonly kind: 'caught'; readonly statement: TSESTree.ExpressionStatement; readonly isAwaited: boolean }
  /** `const result = await call;` */
  | { readonly kind: 'declared'; readonly statement: TSESTree.VariableDeclaration; readonly id: TSESTree.BindingName }
  /** `return call;` in a function without a result. */
  | { readonly kind: 'returned'; readonly statement: TSESTree.ReturnStatement; readonly isAwaited: boolean }
  /** `() => call` */
  | { readonly kind: 'body'; readonly arrow: TSESTree.ArrowFunctionExpression; readonly isAwaited: boolean };

interface Columns {
  readonly names: readonly string[];
  /** After an expression of the row: `.freed`, or `[0]`. */
  readonly paths: readonly string[];
  /** Whether a name for the row would have a type; else the whole result gets one. */
  readonly isTyped: boolean;
}

export class AnswerReader {
  private readonly spans: Spans;

  constructor(
    private readonly sourceCode: Readonly<SourceCode>, private readonly draft: Draft,
    private readonly carrier: Carrier, private readonly names: Names, private readonly whenFalse: WhenFalse,
  ) {
    this.spans = new Spans(sourceCode);
  }

  /** Reads the answer where nothing does, and sends the statement to another connection if there is one. */
  read(use: LockUse, target: Target | undefined): boolean {
    const found = columnsOf(use.call);
    const form = formOf(use.call);
    if (!found || !form) return false;
    const type = this.carrier.rowType(use.call, found.names, target);
    const columns = { ...found, isTyped: type !== undefined || use.call.result.rows === undefined };
    if (!target) {
      if (type !== undefined) this.carrier.say(use.call, type);
    } else if (!this.carrier.move(use.call, target, type)) {
      return false;
    }
    switch (form.kind) {
      case 'statement':
        this.atStatement(form, use, columns);
        return true;
      case 'caught':
        this.atCaught(form, use, columns);
        return true;
      case 'declared':
        return this.atDeclaration(form, use, columns);
      case 'returned':
        return this.atReturn(form, use, columns);
      case 'body':
        return this.atBody(form, use, columns);
    }
  }

  // ---- forms

  private atStatement({ statement, isAwaited }: Form & { kind: 'statement' }, use: LockUse, columns: Columns): void {
    const row = this.names.free('unlocked');
    const call = this.draft.cut(statement.range);
    const declared = prefixed(`const ${this.patternOf(use.call, row, columns)} = ${isAwaited ? '' : 'await '}`, unvoided(call));
    this.place(statement, declared, this.check(use, this.conditionOf(use, row, columns)));
  }

  private atCaught({ statement, isAwaited }: Form & { kind: 'caught' }, use: LockUse, columns: Columns): void {
    const name = this.names.free('unlocked');
    const row = this.names.free(columns.isTyped ? 'row' : 'result');
    const test = columns.paths.map((path) => `${this.rowOf(use.call, row, columns)}${safe(path)} === true`).join(' && ');
    this.draft.insert(use.call.node.range[1], linesOf(`.then((${this.patternOf(use.call, row, columns)}) => ${test})`));
    const declared = prefixed(`const ${name} = ${isAwaited ? '' : 'await '}`, unvoided(this.draft.cut(statement.range)));
    // What the handler gives back is not the answer: only `false` says that the lock was not held.
    this.place(statement, declared, this.check(use, `${name} === false`));
  }

  private atDeclaration({ statement, id }: Form & { kind: 'declared' }, use: LockUse, columns: Columns): boolean {
    const row = rowIn(id, use.call);
    if (row === undefined) return false;
    this.place(statement, this.draft.cut(statement.range), this.check(use, columns.paths.map((path) => `${row}${safe(path)} !== true`).join(' || ')));
    return true;
  }

  private atReturn({ statement, isAwaited }: Form & { kind: 'returned' }, use: LockUse, columns: Columns): boolean {
    const owner = functionAround(statement);
    if (!owner?.async || !is(owner.body, 'BlockStatement')) return false;
    const row = this.names.free('unlocked');
    const argument = this.draft.cut(statement.argument!.range);
    const declared = prefixed(`const ${this.patternOf(use.call, row, columns)} = ${isAwaited ? '' : 'await '}`, argument, this.draft.text.style.end);
    const isLast = owner.body.body.at(-1) === statement;
    this.place(statement, declared, [...this.check(use, this.conditionOf(use, row, columns)), ...(isLast ? [] : linesOf(`return${this.draft.text.style.end}`))]);
    return true;
  }

  private atBody({ arrow, isAwaited }: Form & { kind: 'body' }, use: LockUse, columns: Columns): boolean {
    const { end } = this.draft.text.style;
    if (!arrow.async) {
      if (arrow.returnType && !this.draft.text.of(arrow.returnType.typeAnnotation).startsWith('Promise<')) return false;
      this.draft.insert(arrow.range[0], linesOf('async '));
    }
    const row = this.names.free('unlocked');
    const declared = prefixed(`const ${this.patternOf(use.call, row, columns)} = ${isAwaited ? '' : 'await '}`, this.draft.cut(arrow.body.range), end);
    const body = [...declared, ...this.check(use, this.conditionOf(use, row, columns))];
    this.draft.replace(this.spans.withParentheses(arrow.body), [...linesOf('{'), ...deeper(body, this.draft.text.style), ...linesOf('}')]);
    return true;
  }

  // ---- parts

  /** Puts the check behind a statement, or, where others follow in a `finally`, behind those: it may throw, and they shall run. */
  private place(statement: TSESTree.Statement, declared: readonly Line[], check: readonly Line[]): void {
    const parent = statement.parent;
    if (!is(parent, 'BlockStatement') && !is(parent, 'Program')) {
      this.draft.replace(statement.range, [...linesOf('{'), ...deeper([...declared, ...check], this.draft.text.style), ...linesOf('}')]);
      return;
    }
    this.draft.replace(statement.range, declared);
    const last = is(parent.parent, 'TryStatement') && parent.parent.finalizer === parent ? parent.body.at(-1)! : statement;
    const range: Range = [last.range[0], this.spans.of(last)[1]];
    this.draft.replace(range, [...this.draft.cut(range), ...check]);
  }

  private check(use: LockUse, condition: string): Line[] {
    const { end, indent } = this.draft.text.style;
    const said = nameOfLock(use, this.draft.text);
    const failed = this.whenFalse === 'throw' ? `throw new Error(${said})` : `console.warn(${said})`;
    return linesOf(`if (${condition}) {\n${indent}${failed}${end}\n}`);
  }

  /** The pattern that takes the first row out of a result, or a name for the whole. */
  private patternOf({ result }: SqlCall, name: string, { isTyped }: Columns): string {
    if (!isTyped) return name;
    return result.rows === undefined ? `[${name}]` : `{ ${result.rows}: [${name}] }`;
  }

  private rowOf({ result }: SqlCall, name: string, { isTyped }: Columns): string {
    return isTyped ? name : `${name}.${result.rows ?? ''}[0]`;
  }

  private conditionOf({ call }: LockUse, name: string, columns: Columns): string {
    return columns.paths.map((path) => `${this.rowOf(call, name, columns)}${safe(path)} !== true`).join(' || ');
  }
}

/** `?.freed`, `?.[0]` */
const safe = (path: string): string => `?.${path.replace(/^\./, '')}`;

const prefixed = (before: string, lines: readonly Line[], after = ''): Line[] =>
  lines.map((one, index) => ({ ...one, text: `${index === 0 ? before : ''}${one.text}${index === lines.length - 1 ? after : ''}` }));

/** `void call` drops a promise on purpose; what is awaited is none. */
const unvoided = ([first, ...more]: readonly Line[]): Line[] => [{ ...first!, text: first!.text.replace(/^void\s+/, '') }, ...more];

/** The columns with the answers of a call's unlocks; `undefined` where one of them is not a column of its own. */
function columnsOf({ locks, result, holds }: SqlCall): Omit<Columns, 'isTyped'> | undefined {
  const unlocks = locks.filter(({ lock }) => lock.function.operation === 'unlock');
  const names: string[] = [];
  const paths: string[] = [];
  for (const { lock } of unlocks) {
    if (lock.answer.kind !== 'column' || holds || (!result.arrayRows && names.includes(lock.answer.name))) return undefined;
    names.push(lock.answer.name);
    const property = propertyName(lock.answer.name);
    paths.push(result.arrayRows ? `[${lock.answer.index}]` : property === lock.answer.name ? `.${property}` : `[${property}]`);
  }
  return names.length > 0 ? { names, paths } : undefined;
}

function formOf({ node, callback }: SqlCall): Form | undefined {
  if (callback) return undefined;
  const sent = wrapped(node, false);
  const isAwaited = is(sent.parent, 'AwaitExpression');
  const value = isAwaited ? wrapped(sent.parent!, false) : sent;
  const parent = value.parent;
  if (is(parent, 'ExpressionStatement')) return sent === node ? { kind: 'statement', statement: parent, isAwaited } : undefined;
  if (is(parent, 'UnaryExpression') && parent.operator === 'void' && is(parent.parent, 'ExpressionStatement')) return isAwaited ? undefined : { kind: 'statement', statement: parent.parent, isAwaited };
  if (is(parent, 'ReturnStatement')) return { kind: 'returned', statement: parent, isAwaited };
  if (is(parent, 'ArrowFunctionExpression') && parent.body === value) return { kind: 'body', arrow: parent, isAwaited };
  if (is(parent, 'VariableDeclarator') && is(parent.parent, 'VariableDeclaration') && parent.parent.declarations.length === 1 && isAwaited) return { kind: 'declared', statement: parent.parent, id: parent.id };
  if (parent && isMember(parent) && memberName(parent) === 'catch') return caughtForm(parent);
  return undefined;
}

function caughtForm(caught: TSESTree.MemberExpression): Form | undefined {
  const call = caught.parent;
  if (!is(call, 'CallExpression') || call.callee !== caught) return undefined;
  const isAwaited = is(call.parent, 'AwaitExpression');
  const value = isAwaited ? call.parent : call;
  const statement = is(value.parent, 'UnaryExpression') && value.parent.operator === 'void' ? value.parent.parent : value.parent;
  return is(statement, 'ExpressionStatement') ? { kind: 'caught', statement, isAwaited } : undefined;
}

/** The expression of the first row in a declared name or pattern. */
function rowIn(id: TSESTree.Node, { result }: SqlCall): string | undefined {
  const first = (rows: TSESTree.Node | null | undefined): string | undefined => {
    if (is(rows, 'Identifier')) return `${rows.name}[0]`;
    const [row] = is(rows, 'ArrayPattern') ? rows.elements : [];
    return is(row, 'Identifier') ? row.name : undefined;
  };
  if (result.rows === undefined) return first(id);
  if (is(id, 'Identifier')) return `${id.name}.${result.rows}[0]`;
  const property = is(id, 'ObjectPattern') ? id.properties.find((one) => is(one, 'Property') && is(one.key, 'Identifier') && one.key.name === result.rows) : undefined;
  return is(property, 'Property') ? first(property.value) : undefined;
}

