import { loadModule, parseSync } from 'libpg-query';
import { findLockFunction, takesArguments, type SqlStatement, type StatementKind } from '../../../src/sql/index.js';
import { children, has, only, texts, word, type Tree } from './real-tree.js';
import { shapeOfTree } from './shapes.js';

/** What PostgreSQL's own parser says of a text, in the words of the reader. */

export interface RealStatement {
  readonly kind: StatementKind;
  readonly transaction: SqlStatement['transaction'];
  readonly locks: readonly RealLock[];
}

export interface RealLock {
  readonly name: string;
  /** The offset of the function's qualified name. */
  readonly start: number;
  /** Undefined for one that PostgreSQL's grammar rewrites. */
  readonly args: readonly (string | undefined)[];
  /** Where the call, perhaps cast, is a target of the statement itself. The index is -1 after a star. */
  readonly output: { readonly name: string; readonly index: number; readonly isCast?: true } | undefined;
}

export async function loadParser(): Promise<void> {
  await loadModule();
}

/** Undefined where PostgreSQL rejects the text. */
export function parseReally(text: string): RealStatement[] | undefined {
  let tree: Tree;
  try {
    tree = parseSync(text) as unknown as Tree;
  } catch {
    return undefined;
  }
  const offsets = byteOffsets(text);
  return children(tree, 'stmts').map((statement) => readStatement(statement['stmt'] as Tree, offsets));
}

/** PostgreSQL counts bytes. */
function byteOffsets(text: string): (byte: number) => number {
  const bytes = Buffer.from(text);
  return bytes.length === text.length ? (byte) => byte : (byte) => bytes.subarray(0, byte).toString().length;
}

function readStatement(statement: Tree, offsets: (byte: number) => number): RealStatement {
  const [type, node] = only(statement);
  const outputs = type === 'SelectStmt' ? outputsOf(node) : new Map<Tree, Output>();
  const locks = new Map<number, RealLock>();
  for (const root of executed(type, node)) {
    // `SET (a, b) = (...)` has the same source once for each of its columns.
    collect(root, (call) => {
      const lock = readLock(call, outputs, offsets);
      if (takesArguments(findLockFunction(lock.name)!.operation, lock.args.length)) locks.set(lock.start, lock);
    });
  }
  const ordered = [...locks.values()].sort((one, other) => one.start - other.start);
  return { kind: kindOf(type, node), transaction: transactionOf(type, node), locks: ordered };
}

/** The parts of a statement that it evaluates. */
function executed(type: string, node: Tree): unknown[] {
  switch (type) {
    case 'SelectStmt':
    case 'InsertStmt':
    case 'UpdateStmt':
    case 'DeleteStmt':
    case 'MergeStmt':
      return [node];
    case 'CallStmt':
      return [{ FuncCall: node['funccall'] }];
    case 'CopyStmt':
      return [node['query']];
    case 'ExecuteStmt':
      return [node['params']];
    case 'CreateTableAsStmt':
      return (node['into'] as Tree)['skipData'] === true ? [] : executed(...only(node['query'] as Tree));
    case 'ExplainStmt':
      return analyzes(node) ? executed(...only(node['query'] as Tree)) : [];
    default:
      return [];
  }
}

function analyzes(node: Tree): boolean {
  const options = children(node, 'options').map((option) => option['DefElem'] as Tree);
  const option = options.filter((one) => one['defname'] === 'analyze').at(-1);
  if (option === undefined) return false;
  const arg = option['arg'] as Tree | undefined;
  // A zero is left out of the tree.
  return arg === undefined || !['false', 'off', '0'].includes(word(arg) ?? '0');
}

function collect(node: unknown, found: (call: Tree) => void): void {
  if (Array.isArray(node)) {
    for (const item of node) collect(item, found);
  } else if (node !== null && typeof node === 'object') {
    for (const [key, value] of Object.entries(node)) {
      if (key === 'FuncCall' && isLock(value as Tree)) found(value as Tree);
      collect(value, found);
    }
  }
}

function isLock(call: Tree): boolean {
  const path = texts(call, 'funcname');
  return findLockFunction(path.at(-1)!) !== undefined && (path.length === 1 || path.at(-2) === 'pg_catalog') && call['agg_star'] !== true;
}

function readLock(call: Tree, outputs: Map<Tree, Output>, offsets: (byte: number) => number): RealLock {
  return {
    name: texts(call, 'funcname').at(-1)!,
    start: offsets((call['location'] as number | undefined) ?? 0),
    args: children(call, 'args').map(shapeOfTree),
    output: outputs.get(call),
  };
}

/** The calls that are targets of the statement, by themselves or cast. */
type Output = NonNullable<RealLock['output']>;

function outputsOf(select: Tree): Map<Tree, Output> {
  const outputs = new Map<Tree, Output>();
  if (select['op'] !== 'SETOP_NONE' || has(select, 'intoClause')) return outputs;
  let exact = true;
  children(select, 'targetList').forEach((item, index) => {
    const target = item['ResTarget'] as Tree;
    let [type, value] = only(target['val'] as Tree);
    const path = [...children(value, 'fields'), ...children(value, 'indirection')];
    if (type !== 'FuncCall' && path.at(-1)?.['A_Star'] !== undefined) exact = false;
    const isCast = type === 'TypeCast';
    while (type === 'TypeCast') [type, value] = only(value['arg'] as Tree);
    if (type !== 'FuncCall') return;
    const name = (target['name'] as string | undefined) ?? texts(value, 'funcname').at(-1)!;
    outputs.set(value, { name, index: exact ? index : -1, ...(isCast ? { isCast: true } : {}) });
  });
  return outputs;
}

const KINDS: Readonly<Record<string, StatementKind>> = {
  InsertStmt: 'insert',
  UpdateStmt: 'update',
  DeleteStmt: 'delete',
  MergeStmt: 'merge',
  CallStmt: 'call',
  DoStmt: 'do',
  TransactionStmt: 'transaction',
};

const DEFINITIONS = /^(?:Create|Alter|Drop|Comment|Grant|View|Index|Prepare|Rule|SecLabel|ImportForeign|ReassignOwned|Define|Rename|CompositeType)/;

function kindOf(type: string, node: Tree): StatementKind {
  if (type === 'SelectStmt') return has(node, 'valuesLists') ? 'values' : 'select';
  // What makes a table out of rows runs a query; nothing else that defines does.
  if (type === 'CreateTableAsStmt') return executed(type, node).length > 0 && !has(node['query'] as Tree, 'ExecuteStmt') ? 'other' : 'definition';
  return KINDS[type] ?? (DEFINITIONS.test(type) ? 'definition' : 'other');
}

const EVENTS: Readonly<Record<string, SqlStatement['transaction']>> = {
  TRANS_STMT_BEGIN: 'begin',
  TRANS_STMT_START: 'begin',
  TRANS_STMT_COMMIT: 'commit',
  TRANS_STMT_ROLLBACK: 'rollback',
  TRANS_STMT_SAVEPOINT: 'savepoint',
  TRANS_STMT_ROLLBACK_TO: 'rollbackTo',
  TRANS_STMT_RELEASE: 'release',
};

function transactionOf(type: string, node: Tree): SqlStatement['transaction'] {
  return type === 'TransactionStmt' ? EVENTS[node['kind'] as string] : undefined;
}
