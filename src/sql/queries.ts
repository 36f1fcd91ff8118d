import { append, parseWindow } from './calls.js';
import type { Cursor } from './cursor.js';
import { parseExpr, parseExprs, parseSortKeys } from './expressions.js';
import { parseFrom, noFrom } from './from.js';
import { requiresAs } from './keywords.js';
import { isModification, parseModification } from './modifications.js';
import type { Branch, Cte, Expr, Query, Select, Target, Values } from './nodes.js';
import { isName } from './values.js';

/**
 * Queries, and the statements that change data, which may stand where a query stands in WITH.
 * https://www.postgresql.org/docs/current/sql-select.html
 */

const emptyTail = { orderBy: [] as readonly Expr[], limited: false, offset: false, counts: [] as readonly Expr[] };

const noQuery: Query = { ctes: [], recursive: false, branches: [], unions: true, ...emptyTail };

const SET_OPERATORS = new Set(['union', 'intersect', 'except']);

export function parseQuery(cursor: Cursor): Query {
  const recursive = cursor.isWord('with') && cursor.isWord('recursive', 1);
  const ctes = cursor.takeWord('with') ? parseCtes(cursor) : [];
  const first = parseBranch(cursor);
  if (first === undefined) {
    // A hole may bring what follows WITH.
    if (cursor.token?.kind === 'hole') {
      cursor.gap = true;
      cursor.pos = cursor.end;
    } else if (!cursor.atEnd()) {
      cursor.broken = true;
    }
    return { ...noQuery, ctes, recursive };
  }
  const branches = [first];
  let unions = true;
  for (let operator = cursor.takeAnyWord(SET_OPERATORS); operator !== undefined; operator = cursor.takeAnyWord(SET_OPERATORS)) {
    if (operator !== 'union') unions = false;
    if (!cursor.takeWord('all')) cursor.takeWord('distinct');
    const branch = parseBranch(cursor);
    if (branch === undefined) break;
    branches.push(branch);
  }
  return { ctes, recursive, branches, unions, ...parseTail(cursor) };
}

/** What follows PERFORM, PL/pgSQL's SELECT that drops its rows. */
export function parsePerformed(cursor: Cursor): Query {
  return { ...noQuery, branches: [parseSelect(cursor)], ...parseTail(cursor) };
}

function parseCtes(cursor: Cursor): Cte[] {
  cursor.takeWord('recursive');
  return cursor.list(() => parseCte(cursor));
}

function parseCte(cursor: Cursor): Cte {
  const none = { name: '', columns: [], query: noQuery };
  if (cursor.token?.kind === 'hole') {
    // The whole of it may come from the program.
    cursor.gap = true;
    if (!cursor.isWord('as', 1)) {
      cursor.pos += 1;
      return none;
    }
  } else if (!isName(cursor.token)) {
    return none;
  }
  const name = cursor.token!.value;
  cursor.pos += 1;
  const columns = cursor.is('(') ? parseNames(cursor) : [];
  if (!cursor.takeWord('as')) {
    if (!cursor.atEnd()) cursor.broken = true;
    return { ...none, name };
  }
  if (!cursor.takeWords('not', 'materialized')) cursor.takeWord('materialized');
  const query = cursor.is('(') ? cursor.group(() => parseQuery(cursor), noQuery) : noQuery;
  skipSearchAndCycle(cursor);
  return { name, columns, query };
}

function skipSearchAndCycle(cursor: Cursor): void {
  if (cursor.isWord('search') && (cursor.isWord('breadth', 1) || cursor.isWord('depth', 1))) {
    while (!cursor.atEnd() && !cursor.isWord('set')) cursor.pos += 1;
    cursor.pos += 2;
  }
  if (cursor.isWord('cycle')) {
    while (!cursor.atEnd() && !cursor.isWord('using')) cursor.pos += 1;
    cursor.pos += 2;
  }
  cursor.pos = Math.min(cursor.pos, cursor.end);
}

/** `(a, b)` with nothing but names in it. */
function parseNames(cursor: Cursor): string[] {
  return cursor.group(() => {
    const names: string[] = [];
    while (!cursor.atEnd()) {
      // Types and collations after the names are of no interest.
      if (isName(cursor.token)) names.push(cursor.token!.value);
      while (!cursor.atEnd() && !cursor.is(',')) {
        if (cursor.is('(')) cursor.skipGroup();
        else cursor.pos += 1;
      }
      cursor.take(',');
    }
    return names;
  }, []);
}

function parseBranch(cursor: Cursor): Branch | undefined {
  if (cursor.takeWord('select')) return parseSelect(cursor);
  if (cursor.takeWord('values')) return parseValues(cursor);
  if (cursor.takeWord('table')) return tableBranch(cursor);
  if (cursor.is('(')) return { kind: 'nested', query: cursor.group(() => parseQuery(cursor), noQuery) };
  return isModification(cursor) ? parseModification(cursor, parseTargets) : undefined;
}

function parseValues(cursor: Cursor): Values {
  const rows = cursor.list((): readonly Expr[] => {
    if (cursor.is('(')) return cursor.group(() => (cursor.atEnd() ? [] : parseExprs(cursor)), []);
    // `VALUES ${rows}`, `VALUES :rows`
    if (!cursor.atEnd() && cursor.token?.kind !== 'hole' && cursor.token?.kind !== 'placeholder') cursor.broken = true;
    return [parseExpr(cursor)];
  });
  return { kind: 'values', rows };
}

/** `TABLE t` is `SELECT * FROM t`. */
function tableBranch(cursor: Cursor): Select {
  return { ...emptySelect, targets: [{ expr: { kind: 'column', path: [], star: true }, alias: undefined }], from: parseFrom(cursor) };
}

const emptySelect: Select = {
  kind: 'select',
  distinct: false,
  distinctOn: [],
  targets: [],
  into: false,
  from: noFrom,
  where: undefined,
  grouped: false,
  groupBy: [],
  having: undefined,
  windows: [],
};

function parseSelect(cursor: Cursor): Select {
  const distinct = cursor.takeWord('distinct');
  if (!distinct) cursor.takeWord('all');
  const distinctOn = distinct && cursor.takeWord('on') && cursor.is('(') ? cursor.group(() => parseExprs(cursor), []) : [];
  const targets = parseTargets(cursor);
  const into = cursor.takeWord('into');
  if (into) skipInto(cursor);
  const from = cursor.takeWord('from') ? parseFrom(cursor) : noFrom;
  skipGap(cursor);
  const where = cursor.takeWord('where') ? parseExpr(cursor) : undefined;
  skipGap(cursor);
  const grouped = cursor.takeWords('group', 'by');
  const groupBy = grouped ? parseGrouping(cursor) : [];
  const having = cursor.takeWord('having') ? parseExpr(cursor) : undefined;
  const windows = cursor.takeWord('window') ? parseWindows(cursor) : [];
  skipGap(cursor);
  return { kind: 'select', distinct, distinctOn, targets, into, from, where, grouped, groupBy, having, windows };
}

/** A hole between clauses may bring clauses. */
function skipGap(cursor: Cursor): void {
  while (cursor.token?.kind === 'hole') {
    cursor.gap = true;
    cursor.pos += 1;
  }
}

function skipInto(cursor: Cursor): void {
  while (cursor.isAnyWord(INTO_WORDS)) cursor.pos += 1;
  if (isName(cursor.token) || cursor.token?.kind === 'hole') cursor.pos += 1;
  while (cursor.is('.') && isName(cursor.at(1))) cursor.pos += 2;
}

const INTO_WORDS = new Set(['temp', 'temporary', 'unlogged', 'local', 'global', 'table']);

/** Words after which an empty select list is complete: `SELECT FROM t`. */
const AFTER_TARGETS = new Set([...'from where group having window union intersect except order limit offset fetch for into'.split(' ')]);

export function parseTargets(cursor: Cursor): Target[] {
  if (cursor.atEnd() || cursor.isAnyWord(AFTER_TARGETS)) return [];
  return cursor.list(() => parseTarget(cursor));
}

function parseTarget(cursor: Cursor): Target {
  if (cursor.take('*')) return { expr: { kind: 'column', path: [], star: true }, alias: undefined };
  const expr = parseExpr(cursor);
  return { expr, alias: parseLabel(cursor) };
}

function parseLabel(cursor: Cursor): string | undefined {
  if (cursor.takeWord('as')) {
    if (!isName(cursor.token)) {
      // A hole or a placeholder that the driver puts a name into.
      if (cursor.token?.kind !== 'hole' && cursor.token?.kind !== 'placeholder') return undefined;
    }
    cursor.pos += 1;
    return cursor.tokens[cursor.pos - 1]!.value;
  }
  if (cursor.token?.kind !== 'name' && (cursor.token?.kind !== 'word' || requiresAs.has(cursor.token.value))) return undefined;
  cursor.pos += 1;
  return cursor.tokens[cursor.pos - 1]!.value;
}

function parseGrouping(cursor: Cursor): Expr[] {
  if (!cursor.takeWord('all')) cursor.takeWord('distinct');
  return cursor.list(() => {
    if (!cursor.isWord('grouping') || !cursor.isWord('sets', 1)) return parseExpr(cursor);
    cursor.pos += 2;
    const sets: Expr[] = cursor.is('(') ? cursor.group(() => parseGrouping(cursor), []) : [];
    return { kind: 'items', of: 'row', items: sets };
  });
}

function parseWindows(cursor: Cursor): Expr[] {
  const windows: Expr[] = [];
  cursor.list(() => {
    if (isName(cursor.token)) cursor.pos += 1;
    if (cursor.takeWord('as') && cursor.is('(')) append(windows, parseWindow(cursor));
  });
  return windows;
}

/** ORDER BY, LIMIT, OFFSET, FETCH, FOR, in whatever order they stand. */
function parseTail(cursor: Cursor): typeof emptyTail {
  let tail = emptyTail;
  const limit = (exprs: Expr[]): void => {
    // LIMIT ALL and LIMIT NULL limit nothing.
    const limited = exprs.some((expr) => expr.kind !== 'literal' || expr.value.kind !== 'null');
    tail = { ...tail, limited: tail.limited || limited, counts: tail.counts.concat(exprs) };
  };
  for (;;) {
    skipGap(cursor);
    if (cursor.takeWords('order', 'by')) {
      tail = { ...tail, orderBy: parseSortKeys(cursor) };
    } else if (cursor.takeWord('limit')) {
      if (!cursor.takeWord('all')) limit(parseExprs(cursor));
    } else if (cursor.takeWord('offset')) {
      tail = { ...tail, offset: true, counts: tail.counts.concat(parseExpr(cursor)) };
      if (!cursor.takeWord('rows')) cursor.takeWord('row');
    } else if (cursor.takeWord('fetch')) {
      limit(parseFetch(cursor));
    } else if (cursor.isWord('for') && cursor.isAnyWord(LOCK_STRENGTHS, 1)) {
      skipLocking(cursor);
    } else {
      return tail;
    }
  }
}

function parseFetch(cursor: Cursor): Expr[] {
  if (!cursor.takeWord('first')) cursor.takeWord('next');
  const count: Expr[] = cursor.isWord('row') || cursor.isWord('rows') ? [{ kind: 'constant', word: 'one' }] : [parseExpr(cursor)];
  if (!cursor.takeWord('rows')) cursor.takeWord('row');
  if (!cursor.takeWord('only')) cursor.takeWords('with', 'ties');
  return count;
}

const LOCK_STRENGTHS = new Set(['update', 'share', 'no', 'key', 'read']);
const LOCK_WORDS = new Set(['update', 'share', 'no', 'key', 'read', 'only', 'nowait', 'skip', 'locked']);

function skipLocking(cursor: Cursor): void {
  cursor.pos += 1;
  while (cursor.takeAnyWord(LOCK_WORDS));
  if (!cursor.takeWord('of')) return;
  cursor.list(() => {
    if (isName(cursor.token)) cursor.pos += 1;
    while (cursor.is('.') && isName(cursor.at(1))) cursor.pos += 2;
  });
  while (cursor.takeAnyWord(LOCK_WORDS));
}
