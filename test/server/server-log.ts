/**
 * What the server itself wrote down about advisory locks. It sees every statement of every driver, with the process that ran it,
 * and warns when a session unlocks what it does not hold: nothing in the tested code has to be wrapped or changed.
 */

/** Begins every entry; further lines of one entry begin with a tab, so that it cannot be mistaken. */
export const logPrefix = '@@%p|%d|';

interface LogEntry {
  readonly pid: number;
  readonly severity: string;
  readonly text: string;
}

export interface LockEvent {
  readonly pid: number;
  readonly operation: 'lock' | 'unlock';
  readonly transaction: boolean;
  /** The arguments, with bound values in place: `hashtextextended('nightly', 0)`. */
  readonly key: string;
  /** Only of an unlock: whether the session held the lock. */
  readonly released: boolean;
}

/** The lock functions that ran in `database`, in the order of the log. */
export function lockEvents(log: string, database: string): LockEvent[] {
  const events: LockEvent[] = [];
  const lastUnlock = new Map<number, number>();
  const entries = parseLog(log, database);
  entries.forEach((entry, index) => {
    if (isWarning(entry)) {
      const at = lastUnlock.get(entry.pid);
      const event = at === undefined ? undefined : events[at];
      if (at !== undefined && event) events[at] = { ...event, released: false };
      return;
    }
    if (!/advisory/i.test(entry.text)) return;
    const next = entries.find(({ pid }, other) => other > index && pid === entry.pid);
    for (const event of eventsOf(entry, next)) {
      if (event.operation === 'unlock') lastUnlock.set(event.pid, events.length);
      events.push(event);
    }
  });
  return events;
}

function parseLog(log: string, database: string): LogEntry[] {
  return log.split(/^@@/m).flatMap(part => {
    const match = /^(\d+)\|([^|]*)\|(\w+): {2}([^]*)$/.exec(part);
    if (match?.[2] !== database) return [];
    return [{ pid: Number(match[1]), severity: match[3] ?? '', text: (match[4] ?? '').trimEnd() }];
  });
}

function isWarning({ severity, text }: LogEntry): boolean {
  return severity === 'WARNING' && text.startsWith("you don't own a lock of type");
}

function eventsOf(entry: LogEntry, next: LogEntry | undefined): LockEvent[] {
  const statement = /^(?:statement|execute [^:]+): ([^]*)$/.exec(entry.text)?.[1];
  if (entry.severity !== 'LOG' || statement === undefined) return [];
  const sql = bind(statement, next);
  const calls = sql.matchAll(/\bpg_(?:try_)?advisory_(unlock|xact_lock|lock)(?:_shared)?\s*\(/gi);
  return Array.from(calls, match => ({
    pid: entry.pid,
    operation: match[1]?.toLowerCase() === 'unlock' ? 'unlock' : 'lock',
    transaction: match[1]?.toLowerCase() === 'xact_lock',
    key: argumentsAt(sql, match.index + match[0].length),
    released: true,
  }));
}

/** The values follow as an entry of their own: `DETAIL:  Parameters: $1 = 'nightly', $2 = NULL`. */
function bind(statement: string, next: LogEntry | undefined): string {
  if (next?.severity !== 'DETAIL') return statement;
  const values = new Map<string, string>();
  for (const [, name, value] of next.text.matchAll(/(\$\d+) = ('(?:[^']|'')*'|NULL)/g)) values.set(name ?? '', value ?? '');
  return statement.replaceAll(/\$\d+/g, name => values.get(name) ?? name);
}

/** What stands between the parentheses; those in quotes do not count. */
function argumentsAt(sql: string, start: number): string {
  let depth = 1;
  let quoted = false;
  let end = start;
  for (; end < sql.length && depth > 0; end++) {
    if (sql[end] === "'") quoted = !quoted;
    if (!quoted && sql[end] === '(') depth++;
    if (!quoted && sql[end] === ')') depth--;
  }
  return sql.slice(start, end - 1).replaceAll(/\s+/g, ' ').trim();
}
