import { readSql, type LockCall } from '../../../src/sql/index.js';
import { parseReally, type RealLock } from './real-parser.js';
import { shapeOfExpression } from './shapes.js';

/** Where the reader and PostgreSQL's parser differ over a text; undefined where PostgreSQL rejects it. */
export function differences(text: string): readonly string[] | undefined {
  const real = parseReally(text);
  if (real === undefined) return undefined;
  // The parser keeps the body of DO as a text; `do-blocks.test.ts` is about it.
  const statements = readSql({ parts: [text] }).statements.map((one) => (one.kind === 'do' ? { ...one, locks: [] } : one));
  // A text of no interest is not read.
  if (statements.length === 0 && real.every((statement) => statement.locks.length === 0 && statement.transaction === undefined)) return [];
  const found = [
    ...difference('kinds', statements.map((one) => one.kind), real.map((one) => one.kind)),
    ...difference('transactions', statements.map((one) => one.transaction ?? ''), real.map((one) => one.transaction ?? '')),
    ...difference('functions', statements.map((one) => one.locks.map((lock) => lock.function.name)), real.map((one) => one.locks.map((lock) => lock.name))),
  ];
  if (found.length > 0) return found;
  return statements.flatMap((statement, at) => statement.locks.flatMap((lock, index) => compareLock(text, lock, real[at]!.locks[index]!)));
}

function compareLock(text: string, lock: LockCall, real: RealLock): string[] {
  const found = lock.args.flatMap((arg, at) => (real.args[at] === undefined ? [] : difference('argument', shapeOfExpression(arg), real.args[at])));
  if (lock.args.length !== real.args.length) found.push('number of arguments');
  if (real.output) {
    // After a star the reader may know more.
    const index = real.output.index === -1 && lock.answer.kind === 'column' ? lock.answer.index : real.output.index;
    found.push(...difference('answer', lock.answer, { kind: 'column', ...real.output, index }));
  }
  // The parser's place is that of the schema, where one is written.
  const between = text.slice(real.start, lock.start);
  if (between !== '' && !/pg_catalog/i.test(between)) found.push(`place: ${lock.start}, not ${real.start}`);
  return found;
}

function difference(what: string, ours: unknown, theirs: unknown): string[] {
  const [one, other] = [JSON.stringify(ours), JSON.stringify(theirs)];
  return one === other ? [] : [`${what}: ${one}, not ${other}`];
}
