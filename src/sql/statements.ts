import { append } from './calls.js';
import { Cursor } from './cursor.js';
import { parseExprs, parseExpr } from './expressions.js';
import { parseFrom } from './from.js';
import { signatureTypes } from './keywords.js';
import type { Token } from './lexer.js';
import type { StatementKind } from './model.js';
import type { Expr, Query, Target } from './nodes.js';
import { parsePerformed, parseQuery, parseTargets } from './queries.js';
import { queryWords, type Range, type Structure } from './structure.js';
import { parseTransaction, type TransactionEvent } from './transactions.js';

/** A statement, taken apart as far as it runs something of its own. */
export interface ParsedStatement {
  readonly kind: StatementKind;
  readonly transaction: TransactionEvent;
  readonly discardsAll: boolean;
  /** What it runs; `client` if its rows go to the client. */
  readonly query: { readonly query: Query; readonly into: 'client' | 'nothing' } | undefined;
  /** Loose expressions that it evaluates. */
  readonly targets: readonly Target[];
  /** Whether it works by its kind alone, whatever its query does; undefined where its query decides. */
  readonly works: boolean | undefined;
}

const nothing: ParsedStatement = { kind: 'other', transaction: undefined, discardsAll: false, query: undefined, targets: [], works: false };

const DEFINITIONS = new Set(['create', 'alter', 'drop', 'comment', 'grant', 'revoke', 'prepare', 'security', 'import', 'reassign']);
const QUERY_HEADS = new Set([...queryWords, 'insert', 'update', 'delete', 'merge']);
/** Statements that take or change nothing but settings of the session. */
const IDLE_HEADS = new Set(['set', 'show', 'reset', 'listen', 'unlisten', 'deallocate', 'discard', 'close', 'load', 'checkpoint']);
const OTHER_HEADS = new Set(['truncate', 'lock', 'copy', 'analyze', 'analyse', 'vacuum', 'reindex', 'cluster', 'refresh', 'notify', 'declare', 'fetch', 'move', 'execute']);

export function parseStatement(tokens: readonly Token[], structure: Structure, range: Range, alone: boolean): ParsedStatement {
  const cursor = new Cursor(tokens, structure, range.first, range.last, parseQuery);
  const parsed = parseWhole(cursor, alone);
  if (cursor.broken) return { ...nothing, kind: parsed.kind === 'fragment' ? 'other' : parsed.kind };
  return cursor.gap && parsed.works === undefined ? { ...parsed, works: true } : parsed;
}

function parseWhole(cursor: Cursor, alone: boolean): ParsedStatement {
  const transaction = parseTransaction(cursor);
  if (transaction) return { ...nothing, kind: 'transaction', transaction: transaction.event };
  // A hole may bring WITH, or a comment.
  while (cursor.token?.kind === 'hole' && cursor.isAnyWord(QUERY_HEADS, 1)) {
    cursor.gap = true;
    cursor.pos += 1;
  }
  const word = cursor.token?.kind === 'word' ? cursor.token.value : '';
  if (QUERY_HEADS.has(word) || cursor.isQueryGroup()) return whole(cursor, parseMain(cursor));
  if (word === 'call') return whole(cursor, parseCallStatement(cursor));
  if (word === 'perform') return whole(cursor, parsePerform(cursor));
  if (word === 'do') return { ...nothing, kind: 'do', works: true };
  if (word === 'explain') return whole(cursor, parseExplain(cursor));
  if (word === 'create') return parseCreate(cursor);
  if (DEFINITIONS.has(word)) return { ...nothing, kind: 'definition', works: word !== 'prepare' };
  if (word === 'copy') return parseCopy(cursor);
  if (word === 'execute') return parseExecute(cursor);
  if (word === 'discard') return { ...nothing, discardsAll: cursor.isWord('all', 1) && cursor.at(2) === undefined };
  if (IDLE_HEADS.has(word)) return nothing;
  if (OTHER_HEADS.has(word)) return { ...nothing, works: true };
  return alone ? parseFragment(cursor) : nothing;
}

/** Text that goes on after the grammar has ended is no SQL. */
function whole(cursor: Cursor, parsed: ParsedStatement): ParsedStatement {
  if (!cursor.atEnd()) cursor.broken = true;
  return parsed;
}

function parseMain(cursor: Cursor): ParsedStatement {
  const query = parseQuery(cursor);
  const kind = kindOf(query);
  const into = query.branches.some((branch) => branch.kind === 'select' && branch.into) ? 'nothing' : 'client';
  return { ...nothing, kind, query: { query, into }, works: undefined };
}

function kindOf(query: Query): StatementKind {
  const first = query.branches[0];
  if (first === undefined || query.branches.length > 1) return 'select';
  return first.kind === 'nested' ? kindOf(first.query) : first.kind;
}

function parseCallStatement(cursor: Cursor): ParsedStatement {
  cursor.pos += 1;
  const expr = parseExpr(cursor);
  const isCall = expr.kind === 'call';
  return { ...nothing, kind: 'call', targets: isCall ? [{ expr, alias: undefined }] : [], works: !(isCall && expr.lock) };
}

function parsePerform(cursor: Cursor): ParsedStatement {
  cursor.pos += 1;
  return { ...nothing, kind: 'fragment', query: { query: parsePerformed(cursor), into: 'nothing' }, works: undefined };
}

/** Without ANALYZE it only plans. https://www.postgresql.org/docs/current/sql-explain.html */
function parseExplain(cursor: Cursor): ParsedStatement {
  cursor.pos += 1;
  let analyzes = false;
  if (cursor.is('(') && !cursor.isQueryGroup()) {
    analyzes = cursor.group(() => parseExplainOptions(cursor), false);
  } else {
    analyzes = cursor.takeWord('analyze') || cursor.takeWord('analyse');
    cursor.takeWord('verbose');
  }
  // It explains no other EXPLAIN.
  if (!analyzes || cursor.isWord('explain')) {
    cursor.pos = cursor.end;
    return nothing;
  }
  const inner = parseWhole(cursor, false);
  return { ...inner, kind: 'other', query: inner.query && { ...inner.query, into: 'nothing' } };
}

const OFF = new Set(['false', 'off', '0']);

function parseExplainOptions(cursor: Cursor): boolean {
  let analyzes = false;
  while (!cursor.atEnd()) {
    const isAnalyze = cursor.isWord('analyze') || cursor.isWord('analyse');
    cursor.pos += 1;
    if (isAnalyze) analyzes = cursor.atEnd() || cursor.is(',') || !OFF.has(cursor.token!.value.toLowerCase());
    while (!cursor.atEnd() && !cursor.take(',')) cursor.pos += 1;
  }
  return analyzes;
}

const CREATE_NOISE = new Set(['global', 'local', 'temp', 'temporary', 'unlogged']);

/** Only CREATE TABLE AS and CREATE MATERIALIZED VIEW run a query. */
function parseCreate(cursor: Cursor): ParsedStatement {
  const definition: ParsedStatement = { ...nothing, kind: 'definition', works: true };
  cursor.pos += 1;
  while (cursor.takeAnyWord(CREATE_NOISE));
  if (!cursor.takeWord('table') && !cursor.takeWords('materialized', 'view')) return definition;
  const length = cursor.end - cursor.pos;
  if (cursor.isWord('with', length - 3) && cursor.isWord('no', length - 2) && cursor.isWord('data', length - 1)) return definition;
  if (cursor.isWord('with', length - 2) && cursor.isWord('data', length - 1)) cursor.end -= 2;
  while (!cursor.atEnd() && !cursor.isWord('as')) {
    if (cursor.is('(')) cursor.skipGroup();
    else cursor.pos += 1;
  }
  cursor.pos += 1;
  if (cursor.isWord('execute')) return { ...parseExecute(cursor), kind: 'definition' };
  if (!cursor.isAnyWord(queryWords) && !cursor.isQueryGroup()) return definition;
  return whole(cursor, { ...definition, kind: 'other', query: { query: parseQuery(cursor), into: 'nothing' } });
}

/** `COPY (SELECT ...) TO ...` */
function parseCopy(cursor: Cursor): ParsedStatement {
  cursor.pos += 1;
  if (!cursor.is('(')) return { ...nothing, works: true };
  const query = cursor.group(() => parseQuery(cursor), undefined);
  return { ...nothing, query: query && { query, into: 'nothing' }, works: true };
}

/** The arguments of a prepared statement are evaluated. */
function parseExecute(cursor: Cursor): ParsedStatement {
  cursor.pos += 2;
  const targets = cursor.is('(') ? cursor.group(() => (cursor.atEnd() ? [] : parseExprs(cursor)), []) : [];
  return { ...nothing, targets: targets.map((expr) => ({ expr, alias: undefined })), works: true };
}

const CONDITION_HEADS = new Set(['where', 'having', 'on', 'and', 'or', 'when', 'returning']);

/**
 * A piece of a statement that a query builder puts in its place: expressions with `AS` names, a condition, a FROM. It must be that
 * from the first token to the last; a sentence that names a lock function is not.
 */
function parseFragment(cursor: Cursor): ParsedStatement {
  const fragment: ParsedStatement = { ...nothing, kind: 'fragment', works: true };
  while (cursor.take(','));
  if (cursor.takeWord('from')) {
    const from = parseFrom(cursor);
    const exprs: Expr[] = from.conditions.map(({ expr }) => expr);
    for (const leaf of from.leaves) append(exprs, leaf.calls);
    return whole(cursor, { ...fragment, targets: exprs.map((expr) => ({ expr, alias: undefined })) });
  }
  if (cursor.takeAnyWord(CONDITION_HEADS) === undefined && startsProse(cursor)) return nothing;
  const start = cursor.pos;
  const targets = parseTargets(cursor);
  if (hasBareLabels(cursor, start, targets) || targets.some(({ expr }) => isSignature(expr))) cursor.broken = true;
  return whole(cursor, { ...fragment, targets });
}

const OPERATOR_WORDS = new Set(['and', 'or', 'as', 'in', 'is', 'not', 'between', 'like', 'ilike']);
const OPENING_WORDS = new Set(['not', 'case', 'exists']);

/** Two words in a row that SQL does not join, and marks that stand before a line of text, begin no expression. */
function startsProse(cursor: Cursor): boolean {
  const first = cursor.token;
  if (first?.kind === 'operator') return true;
  if (first?.kind !== 'word' && first?.kind !== 'hole') return false;
  const follows = cursor.at(1)?.kind === 'word' || cursor.at(1)?.kind === 'name';
  return follows && !OPENING_WORDS.has(first.value) && !cursor.isAnyWord(OPERATOR_WORDS, 1);
}

/** A name without AS is more often the next word of a sentence. */
function hasBareLabels(cursor: Cursor, start: number, targets: readonly Target[]): boolean {
  const labels = targets.filter(({ alias }) => alias !== undefined).length;
  let written = 0;
  for (let at = start; at < cursor.pos; at += 1) if (cursor.tokens[at]!.kind === 'word' && cursor.tokens[at]!.value === 'as') written += 1;
  return written < labels;
}

/** `pg_advisory_lock(bigint)` speaks of the function. */
function isSignature(expr: Expr): boolean {
  if (expr.kind !== 'call' || expr.lock === undefined || expr.args.length === 0) return false;
  return expr.args.every((arg) => arg.kind === 'column' && arg.path.length === 1 && signatureTypes.has(arg.path[0]!));
}
