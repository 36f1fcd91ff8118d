import { readSql, type LockCall, type SqlHole, type SqlPart, type SqlReading, type SqlStatement } from '../../../src/sql/index.js';

/** A hole of any text. */
export const text = { kind: 'text' } as const;
/** A hole of one value. */
export const value = { kind: 'value' } as const;

/** Reads a template; its holes are numbered in their order. */
export function read(strings: TemplateStringsArray | string, ...holes: Pick<SqlHole, 'kind'>[]): SqlReading {
  if (typeof strings === 'string') return readSql({ parts: [strings] });
  const parts: SqlPart[] = [];
  strings.raw.forEach((piece, at) => {
    parts.push(piece);
    if (at < holes.length) parts.push({ hole: at, kind: holes[at]!.kind });
  });
  return readSql({ parts });
}

export function statement(...args: Parameters<typeof read>): SqlStatement {
  const { statements } = read(...args);
  if (statements.length !== 1) throw new Error(`${statements.length} statements`);
  return statements[0]!;
}

/** The only lock function of a text. */
export function lock(...args: Parameters<typeof read>): LockCall {
  const locks = read(...args).statements.flatMap((one) => one.locks);
  if (locks.length !== 1) throw new Error(`${locks.length} lock functions`);
  return locks[0]!;
}

/** The names of the lock functions of a text. */
export function names(...args: Parameters<typeof read>): string[] {
  return read(...args).statements.flatMap((one) => one.locks.map((call) => call.function.name));
}
