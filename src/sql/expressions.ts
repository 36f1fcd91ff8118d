import type { Cursor } from './cursor.js';
import type { Constant, Expr, Literal, Test } from './nodes.js';
import { parseLinks, parseValue } from './values.js';

/**
 * Expressions. Runs of operators of one level stay flat, with AND, OR and NOT taken apart: more of their precedence nothing here
 * asks for, and so no chain of operators nests.
 */

export const opaque: Expr = { kind: 'opaque' };

export function parseExpr(cursor: Cursor): Expr {
  return parseLogic(cursor, 'or', () => parseLogic(cursor, 'and', () => parseNot(cursor)));
}

/** Expressions with commas between. */
export function parseExprs(cursor: Cursor): Expr[] {
  return cursor.list(() => parseExpr(cursor));
}

/** What ORDER BY has. */
export function parseSortKeys(cursor: Cursor): Expr[] {
  return cursor.list(() => {
    const expr = parseExpr(cursor);
    if (cursor.takeWord('using')) cursor.pos += 1;
    else if (!cursor.takeWord('asc')) cursor.takeWord('desc');
    if (cursor.takeWord('nulls')) cursor.pos += 1;
    return expr;
  });
}

function parseLogic(cursor: Cursor, operator: 'and' | 'or', next: () => Expr): Expr {
  const first = next();
  if (!cursor.isWord(operator)) return first;
  const parts = [first];
  while (cursor.takeWord(operator)) parts.push(next());
  return { kind: 'logic', operator, parts };
}

function parseNot(cursor: Cursor): Expr {
  let negated = false;
  while (cursor.takeWord('not')) negated = true;
  const expr = parseOperators(cursor);
  return negated ? { kind: 'logic', operator: 'not', parts: [expr] } : expr;
}

/** Operands, and the operators and words between and after them. */
class Run {
  readonly operands: Expr[] = [];
  readonly skeleton: string[] = [];
  /** BETWEENs that still want their AND. */
  ranges = 0;

  operand(expr: Expr): void {
    this.operands.push(expr);
    this.skeleton.push('{}');
  }
}

function parseOperators(cursor: Cursor): Expr {
  const run = new Run();
  run.operand(parseSigned(cursor));
  while (takeOperator(cursor, run));
  if (run.skeleton.length === 1) return run.operands[0]!;
  return asTest(run) ?? { kind: 'operation', skeleton: run.skeleton.join(' '), parts: run.operands, columnName: undefined };
}

const MATCHES = new Set(['like', 'ilike', 'similar']);

/** Takes one operator with the operand after it; false where the expression ends. */
function takeOperator(cursor: Cursor, run: Run): boolean {
  const token = cursor.token;
  if (token === undefined) return false;
  if (token.kind === 'operator') {
    run.skeleton.push(token.value);
    cursor.pos += 1;
    run.operand(parseOperand(cursor));
    return true;
  }
  if (token.kind === 'hole') return takeGap(cursor, run);
  if (token.kind !== 'word') return false;
  switch (token.value) {
    case 'and':
      if (run.ranges === 0) return false;
      run.ranges -= 1;
      return takeWords(cursor, run, 1);
    case 'is':
      return takeIs(cursor, run);
    case 'isnull':
    case 'notnull':
      run.skeleton.push(token.value);
      cursor.pos += 1;
      return true;
    case 'not':
      return cursor.isWord('in', 1) || cursor.isWord('between', 1) || cursor.isAnyWord(MATCHES, 1) ? takePredicate(cursor, run) : false;
    case 'in':
    case 'between':
    case 'like':
    case 'ilike':
    case 'similar':
      return takePredicate(cursor, run);
    case 'escape':
      return run.skeleton.some((word) => MATCHES.has(word)) ? takeWords(cursor, run, 1) : false;
    case 'at':
      if (cursor.isWord('local', 1)) {
        run.skeleton.push('at local');
        cursor.pos += 2;
        return true;
      }
      return cursor.isWord('time', 1) ? takeWords(cursor, run, 3) : false;
    case 'overlaps':
      return takeWords(cursor, run, 1);
    case 'operator':
      if (!cursor.is('(', 1)) return false;
      run.skeleton.push(takeNamedOperator(cursor));
      run.operand(parseOperand(cursor));
      return true;
    default:
      return false;
  }
}

function takeWords(cursor: Cursor, run: Run, count: number): boolean {
  for (let taken = 0; taken < count && !cursor.atEnd(); taken += 1) {
    run.skeleton.push(cursor.token!.value);
    cursor.pos += 1;
  }
  run.operand(parseOperand(cursor));
  return true;
}

/** A hole where an operator should stand: it may bring operators, conditions, clauses. */
function takeGap(cursor: Cursor, run: Run): boolean {
  cursor.gap = true;
  run.operand(holeLiteral(cursor));
  const operand = parseSignedIfAny(cursor);
  if (operand) run.operand(operand);
  return true;
}

function holeLiteral(cursor: Cursor): Literal {
  const { hole, holeKind } = cursor.token!;
  cursor.pos += 1;
  return { kind: 'literal', value: { kind: 'hole', hole: hole! }, anyText: holeKind === 'text' };
}

function takePredicate(cursor: Cursor, run: Run): boolean {
  if (cursor.takeWord('not')) run.skeleton.push('not');
  const word = cursor.token!.value;
  run.skeleton.push(word);
  cursor.pos += 1;
  if (word === 'in') {
    run.operand(parseMembers(cursor));
    return true;
  }
  if (word === 'between') {
    run.ranges += 1;
    if (!cursor.takeWord('symmetric')) cursor.takeWord('asymmetric');
  } else if (word === 'similar') {
    cursor.takeWord('to');
  }
  run.operand(parseSigned(cursor));
  return true;
}

/** What stands after IN: a query, a list, or what a driver expands to a list. */
function parseMembers(cursor: Cursor): Expr {
  if (!cursor.is('(')) return parseSigned(cursor);
  if (cursor.isQueryGroup()) {
    const first = cursor.pos;
    const query = cursor.group(() => cursor.parseQuery(cursor), undefined);
    return query ? { kind: 'subquery', use: 'member', query, first, last: cursor.pos } : opaque;
  }
  // The one value of `position('a' IN (x)[1])` may have a subscript.
  return parseLinks(cursor, { kind: 'items', of: 'row', items: cursor.group(() => parseExprs(cursor), []) });
}

const TRUTHS = new Set(['true', 'false', 'unknown', 'null']);
const KINDS = new Set(['document', 'normalized', 'nfc', 'nfd', 'nfkc', 'nfkd', 'json', 'value', 'scalar', 'array', 'object', 'with', 'without', 'unique', 'keys']);

function takeIs(cursor: Cursor, run: Run): boolean {
  cursor.pos += 1;
  const words = ['is'];
  if (cursor.takeWord('not')) words.push('not');
  const truth = cursor.takeAnyWord(TRUTHS);
  if (truth !== undefined) {
    run.skeleton.push([...words, truth].join(' '));
    return true;
  }
  if (cursor.takeWords('distinct', 'from')) {
    run.skeleton.push([...words, 'distinct from'].join(' '));
    run.operand(parseSigned(cursor));
    return true;
  }
  for (let kind = cursor.takeAnyWord(KINDS); kind !== undefined; kind = cursor.takeAnyWord(KINDS)) words.push(kind);
  run.skeleton.push(words.join(' '));
  return true;
}

const TRUTH_TESTS = /^\{\} is (?:not )?(?:true|false|unknown)$/;
const EQUALITIES = new Set(['=', '<>', '!=', 'is distinct from', 'is not distinct from']);

/** A value held against a constant: where the value is a boolean, the result is that boolean or its opposite. */
function asTest(run: Run): Test | undefined {
  const [left, right] = run.operands;
  if (run.operands.length === 1 && run.skeleton.length === 2 && TRUTH_TESTS.test(run.skeleton.join(' '))) {
    return { kind: 'test', of: left!, skeleton: run.skeleton.join(' '), with: [] };
  }
  if (run.operands.length !== 2 || run.skeleton.length !== 3 || !EQUALITIES.has(run.skeleton[1]!)) return undefined;
  const skeleton = run.skeleton.join(' ');
  if (isConstant(right!)) return { kind: 'test', of: left!, skeleton, with: [right] };
  return isConstant(left!) ? { kind: 'test', of: right!, skeleton, with: [left] } : undefined;
}

function isConstant(expr: Expr): expr is Constant | Literal {
  if (expr.kind === 'cast') return isConstant(expr.of);
  if (expr.kind === 'constant') return expr.word === 'true' || expr.word === 'false';
  return expr.kind === 'literal' && (expr.value.kind === 'string' || expr.value.kind === 'number');
}

function parseSigned(cursor: Cursor): Expr {
  return parseSignedIfAny(cursor) ?? opaque;
}

/** The value after an operator. It may be missing where the text breaks off, but not before something else. */
function parseOperand(cursor: Cursor): Expr {
  if (cursor.isWord('not')) return cursor.nest(() => parseNot(cursor));
  const operand = parseSignedIfAny(cursor);
  if (operand === undefined && cursor.pos < cursor.last) cursor.broken = true;
  return operand ?? opaque;
}

/** A value with the operators before it. */
function parseSignedIfAny(cursor: Cursor): Expr | undefined {
  const signs: string[] = [];
  for (let sign = takeSign(cursor, true); sign !== undefined; sign = takeSign(cursor, false)) signs.push(sign);
  let expr = parseValue(cursor);
  if (expr === undefined) {
    if (signs.length === 0) return undefined;
    expr = opaque;
  }
  while (signs.length > 0) {
    const folded = fold(signs.at(-1)!, expr);
    if (folded === undefined) break;
    expr = folded;
    signs.pop();
  }
  if (signs.length === 0) return expr;
  return { kind: 'operation', skeleton: `${signs.join(' ')} {}`, parts: [expr], columnName: undefined };
}

function takeSign(cursor: Cursor, first: boolean): string | undefined {
  if (cursor.isWord('operator') && cursor.is('(', 1)) return takeNamedOperator(cursor);
  const token = cursor.token;
  // A star that nothing stands before is no operator.
  if (token?.kind !== 'operator' || (first && token.value === '*')) return undefined;
  cursor.pos += 1;
  return token.value;
}

/** `OPERATOR(pg_catalog.+)` */
function takeNamedOperator(cursor: Cursor): string {
  cursor.pos += 1;
  const name = cursor.tokens[cursor.groupEnd() - 1]!.value;
  cursor.skipGroup();
  return name;
}

/** The sign of a number is part of it, also where a cast stands around the number: `-1::bigint` is `-(1::bigint)`. */
function fold(sign: string, expr: Expr): Expr | undefined {
  if (expr.kind === 'cast') {
    const of = fold(sign, expr.of);
    return of && { ...expr, of };
  }
  if (expr.kind !== 'literal' || expr.value.kind !== 'number' || (sign !== '-' && sign !== '+')) return undefined;
  const { text } = expr.value;
  if (sign === '+' || text === '0') return expr;
  return { ...expr, value: { kind: 'number', text: text.startsWith('-') ? text.slice(1) : `-${text}` } };
}
