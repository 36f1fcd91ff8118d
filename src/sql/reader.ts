import { Answers } from './answers.js';
import { HOLE } from './characters.js';
import { Columns } from './columns.js';
import { toExpression } from './convert.js';
import { readBlock, type BlockPart } from './do-blocks.js';
import { lex, type Token } from './lexer.js';
import type { LockCall, SqlReading, SqlStatement, SqlText } from './model.js';
import type { Call, Expr } from './nodes.js';
import { RowDrivenCalls } from './row-driven.js';
import { flatten, type Source } from './source.js';
import { parseStatement, type ParsedStatement } from './statements.js';
import { findStructure, type Range, type Structure } from './structure.js';
import { walkExpr, walkQuery } from './walk.js';
import { exprWorks, queryWorks } from './work.js';

const nothing: SqlReading = { statements: [] };

/** Text with none of these words neither locks nor begins nor ends anything. `U&"..."` can spell a name in other characters. */
const WORTH_READING = /advisory|u&"|\b(?:begin|start|commit|end|abort|rollback|savepoint|release|discard)\b/i;

/**
 * Reads SQL text: its statements, and the advisory-lock functions that they run. Takes whole statements, fragments and garbage, never
 * throws, and needs time in proportion to the text. A text of no interest has no statements.
 */
export function readSql(sql: SqlText): SqlReading {
  const source = flatten(sql);
  if (!WORTH_READING.test(source.text)) return nothing;
  const tokens = lex(source);
  const structure = findStructure(tokens);
  const alone = structure.statements.length === 1;
  return { statements: structure.statements.map((range) => readStatement(source, tokens, structure, range, alone)) };
}

function readStatement(source: Source, tokens: readonly Token[], structure: Structure, range: Range, alone: boolean): SqlStatement {
  const parsed = parseStatement(tokens, structure, range, alone);
  return {
    kind: parsed.kind,
    start: tokens[range.first]!.start,
    end: tokens[range.last - 1]!.end,
    transaction: parsed.transaction,
    discardsAll: parsed.discardsAll,
    ...(parsed.kind === 'do' ? readDo(source, tokens, range) : readLocks(parsed, tokens)),
  };
}

/** It works by all that it does beside the locks, or may do. */
function readDo(source: Source, tokens: readonly Token[], range: Range): Pick<SqlStatement, 'locks' | 'doesWork'> {
  const block = readBlock(source, tokens, range);
  if (!block) return { doesWork: true, locks: [] };
  const found = block.parts.map((part) => readPart(part, block.tokens));
  const locks = found.flatMap((one) => one.locks);
  return { doesWork: block.isPartial || locks.length === 0 || found.some((one) => one.doesWork), locks };
}

/** What a block does with an answer is its own affair, but for PERFORM, which throws it away. */
function readPart({ query, exprs, drops }: BlockPart, tokens: readonly Token[]): Pick<SqlStatement, 'locks' | 'doesWork'> {
  const targets = exprs.map((expr) => ({ expr, alias: undefined }));
  const { locks, doesWork } = readLocks({ kind: 'do', transaction: undefined, discardsAll: false, query: query && { query, into: 'nothing' }, targets, works: undefined }, tokens);
  const thrownAway = drops ? query?.branches.flatMap((one) => (one.kind === 'select' ? one.targets.map(({ expr }) => expr) : [])) ?? [] : [];
  const isDropped = ({ start }: LockCall): boolean => thrownAway.some((expr) => expr.kind === 'call' && expr.lock !== undefined && expr.start === start);
  return { doesWork, locks: locks.map((one) => (isDropped(one) ? { ...one, answer: { kind: 'dropped' } } : one)) };
}

function readLocks(parsed: ParsedStatement, tokens: readonly Token[]): Pick<SqlStatement, 'locks' | 'doesWork'> {
  const columns = new Columns();
  const calls = lockCalls(parsed);
  const works = parsed.works ?? ((parsed.query !== undefined && queryWorks(parsed.query.query, columns, undefined)) || parsed.targets.some(({ expr }) => exprWorks(expr, columns, undefined)));
  if (calls.length === 0) return { doesWork: works, locks: [] };
  const answers = new Answers(columns, isOpen(parsed, tokens));
  const rows = new RowDrivenCalls(columns);
  if (parsed.query) {
    answers.readStatement(parsed.query.query, parsed.query.into);
    rows.read(parsed.query.query);
  }
  answers.readFragment(parsed.targets);
  const locks = calls.map(
    (call): LockCall => ({
      function: call.lock!,
      start: call.start,
      end: call.end,
      args: call.args.map((arg) => toExpression(arg, tokens)),
      answer: answers.of(call),
      rowDriven: rows.of(call),
    }),
  );
  return { doesWork: works, locks };
}

/** Whether the program writes a part of a text, or a part of a statement could not be read. */
function isOpen(parsed: ParsedStatement, tokens: readonly Token[]): boolean {
  if (hasHoles(tokens)) return true;
  const unread: Expr[] = [];
  eachExpr(parsed, (expr) => { if (expr.kind === 'opaque') unread.push(expr); });
  return unread.length > 0;
}

const withHoles = new WeakMap<readonly Token[], boolean>();

/** All statements of a text have its tokens: they are gone through once. */
function hasHoles(tokens: readonly Token[]): boolean {
  let found = withHoles.get(tokens);
  if (found === undefined) withHoles.set(tokens, found = tokens.some(({ kind, value, holeKind }) => kind !== 'string' && holeKind !== 'value' && value.includes(HOLE)));
  return found;
}

/** In the order of the text. */
function lockCalls(parsed: ParsedStatement): Call[] {
  const calls: Call[] = [];
  eachExpr(parsed, (expr) => {
    if (expr.kind === 'call' && expr.lock) calls.push(expr);
  });
  return calls.sort((one, other) => one.start - other.start);
}

function eachExpr({ query: whole, targets }: ParsedStatement, visit: (expr: Expr) => void): void {
  if (whole) walkQuery(whole.query, visit);
  for (const { expr } of targets) walkExpr(expr, visit, ({ query }) => walkQuery(query, visit));
}
