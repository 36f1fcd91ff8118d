import { describe, expect, test } from 'vitest';
import { readSql, type SqlReading } from '../../src/sql/index.js';
import { collected } from './support/collected.js';
import { Generator } from './support/generator.js';
import { Random } from './support/random.js';

const call = 'pg_try_advisory_lock(1)';

function repeat(text: string, count: number): string {
  return text.repeat(count);
}

function numbered(count: number, make: (index: number) => string, separator = ', '): string {
  return Array.from({ length: count }, (_, index) => make(index)).join(separator);
}

type Shapes = Readonly<Record<string, (size: number) => string>>;

/** Texts that nest. */
const deep: Shapes = {
  'parentheses': (n) => `select ${repeat('(', n)}${call}${repeat(')', n)}`,
  'open parentheses': (n) => `select ${call} ${repeat('(', n)}`,
  'closing parentheses': (n) => `select ${call} ${repeat(')', n)}`,
  'brackets': (n) => `select ${call}, array${repeat('[', n)}1${repeat(']', n)}`,
  'queries in parentheses': (n) => `${repeat('(', n)}select ${call}${repeat(')', n)}`,
  'queries in select lists': (n) => `${repeat('(select ', n)}${call}${repeat(')', n)}`,
  'queries in FROM': (n) => `${repeat('select * from (', n)}select ${call}${repeat(') q', n)}`,
  'queries in LATERAL': (n) => `select 1 from a, ${repeat('lateral (select * from a, ', n)}${call}${repeat(') x', n)}`,
  'queries in EXISTS': (n) => `select ${repeat('exists (select 1 where ', n)}${call}${repeat(')', n)}`,
  'queries in WITH': (n) => `${repeat('with a as (', n)}select ${call} as ok${repeat(') select * from a', n)}`,
  'calls in calls': (n) => `select ${repeat('pg_advisory_lock(', n)}1${repeat(')', n)}`,
  'CASE in CASE': (n) => `select ${repeat('case when a then 1 else ', n)}${call}${repeat(' end', n)}`,
  'EXPLAIN of EXPLAIN': (n) => `${repeat('explain analyze ', n)}select ${call}`,
  'NOT after operators': (n) => `select ${repeat('a = not ', n)}${call}`,
  'nested comments': (n) => `select ${call} ${repeat('/*', n)}${repeat('*/', n)}`,
  'open comments': (n) => `select ${call} ${repeat('/* ', n)}`,
};

/** Texts that go on. */
const long: Shapes = {
  'a long operator': (n) => `select ${call}, 1 ${repeat('+', n)} 2`,
  'signs': (n) => `select pg_advisory_lock(${repeat('- ', n)}1)`,
  'signs in turn': (n) => `select ${call}, 1 ${repeat('-+', n)} 2`,
  'NOT': (n) => `select ${repeat('not ', n)}${call}`,
  'AND': (n) => `select 1 where ${repeat(`${call} and `, n)}true`,
  'sums': (n) => `select pg_advisory_lock(1${repeat(' + 1', n)})`,
  'casts': (n) => `select pg_advisory_lock(1${repeat('::int', n)})`,
  'subscripts': (n) => `select pg_advisory_lock(a${repeat('[1]', n)})`,
  'a long path': (n) => `select pg_advisory_lock(a${repeat('.b', n)})`,
  'digits': (n) => `select pg_advisory_lock(${repeat('1', n)})`,
  'underscores': (n) => `select pg_advisory_lock(1${repeat('_', n)})`,
  'quotes': (n) => `select ${call}, ${repeat("''", n)}`,
  'strings on lines': (n) => `select pg_advisory_lock('a'${repeat("\n'b'", n)})`,
  'strings and comments on lines': (n) => `select ${call}${repeat(", 'a' -- c\n", n)}`,
  'dollars': (n) => `select ${call}, ${repeat('$a ', n)}`,
  'dollar quotes': (n) => `select ${call}, ${numbered(n, (at) => `$t${at}$`, ' ')}`,
  'question marks': (n) => `select ${call}, ${repeat('?', n)}`,
  'colons': (n) => `select ${call}, ${repeat(':', n)}`,
  'commas': (n) => `select ${call}${repeat(',', n)}`,
  'a long select list': (n) => `select ${numbered(n, () => call)} from t`,
  'many rows': (n) => `insert into t values ${numbered(n, () => `(${call}, 2)`)}`,
  'unions': (n) => `select ${call}${repeat(' union select 1', n)}`,
  'joins': (n) => `select ${call} from a${repeat(' right join b on true', n)}`,
  'a chain of CTEs': (n) => `with w0 as (select ${call} as ok), ${numbered(n, (at) => `w${at + 1} as (select * from w${at})`)} select * from w${n}`,
  'CTEs that double their columns': (n) => `with w0 as (select ${call} as ok), ${numbered(n, (at) => `w${at + 1} as (select * from w${at}, w${at} as z)`)} select * from w${n}`,
  'a CTE of many uses': (n) => `with w as (select ${call} as ok) select ${numbered(n, () => '(select ok from w)')}`,
  'many columns of a query': (n) => `select ${numbered(n, (at) => `x${at}`)} from (select ${numbered(n, (at) => `${call} as x${at}`)}) q`,
  'many statements': (n) => repeat(`select ${call};`, n),
  'many DO blocks': (n) => repeat(`do $$ begin perform ${call}; end $$;`, n),
  'conditions in a DO block': (n) => `do $$ begin ${repeat('if a then ', n)} perform ${call}; end $$`,
  'conditions without an end in a DO block': (n) => `do $$ begin ${repeat('if ', n)} perform ${call}; end $$`,
  'assignments in a DO block': (n) => `do $$ begin ${repeat('a := a; ', n)} perform ${call}; end $$`,
  'many PERFORMs': (n) => repeat(`perform ${call};`, n),
  'many transactions': (n) => repeat('begin;', n),
  'semicolons': (n) => `select ${call}${repeat(';', n)}`,
  'prose': (n) => `${call} ${repeat('word ', n)}`,
};

describe('overflows no stack', () => {
  test.each(Object.entries(deep))('%s, a hundred thousand deep', (_, make) => {
    expect(() => readSql({ parts: [make(100_000)] })).not.toThrow();
  });

  test.each(Object.entries(long))('%s', (_, make) => {
    expect(() => readSql({ parts: [make(20_000)] })).not.toThrow();
  });
});

/** The best of some runs, in time of the processor: what others do on the machine only ever adds to it. */
function time(text: string, runs: number): number {
  let best = Infinity;
  for (let run = 0; run < runs; run += 1) {
    const start = process.cpuUsage();
    readSql({ parts: [text] });
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, Math.max(user + system, 1));
  }
  return best;
}

describe('needs time in proportion to the text', () => {
  test.each(Object.entries({ ...deep, ...long }))('%s', (_, make) => {
    // Sixteen times the text: quadratic time would be 256 times as long, however often it is measured. A busy machine has better moments.
    let ratio = Infinity;
    for (let attempt = 0; attempt < 8 && ratio >= 80; attempt += 1) ratio = Math.min(ratio, time(make(24_000), 3) / time(make(1500), 9));
    expect(ratio).toBeLessThan(80);
  });
});

/** Places lie within the text and in its order. */
function check(text: string, { statements }: SqlReading): void {
  let last = 0;
  for (const { start, end, locks } of statements) {
    const inside = locks.every((lock) => lock.start >= start && lock.end > lock.start && lock.end <= end);
    if (start < last || end <= start || end > text.length || !inside) throw new Error(`A place is wrong in: ${text}`);
    last = end;
  }
}

describe('reads what is no statement', () => {
  test.each(collected)('every beginning and every end of: %s', (text) => {
    for (let at = 0; at <= text.length; at += 1) {
      check(text.slice(0, at), readSql({ parts: [text.slice(0, at)] }));
      check(text.slice(at), readSql({ parts: [text.slice(at)] }));
    }
  });

  test.each(collected)('a hole anywhere in: %s', (text) => {
    for (let at = 0; at <= text.length; at += 1) {
      for (const kind of ['value', 'text'] as const) {
        const parts = [text.slice(0, at), { hole: 0, kind }, text.slice(at)];
        check(`${text.slice(0, at)}\uFFFC${text.slice(at)}`, readSql({ parts }));
      }
    }
  });

  test('words and signs in any order', () => {
    const random = new Random(7);
    const generator = new Generator(random);
    const words = Array.from({ length: 200 }, () => generator.text()).join(' ').split(/(\s+|\b)/).filter((word) => word !== '');
    for (let run = 0; run < 3000; run += 1) {
      const text = Array.from({ length: 40 }, () => random.pick(words)).join(random.pick(['', ' ']));
      check(text, readSql({ parts: [text] }));
    }
  });

  test('any characters', () => {
    const random = new Random(8);
    for (let run = 0; run < 3000; run += 1) {
      const text = `advisory${Array.from({ length: 60 }, () => String.fromCharCode(random.chance(0.9) ? 32 + random.below(95) : random.below(0xffff))).join('')}`;
      check(text, readSql({ parts: [text] }));
    }
  });
});

test('a megabyte of SQL', () => {
  const line = `select id, 'text', "Name", $1::int from job where a = 1 and pg_try_advisory_lock(id);\n`;
  const text = line.repeat(Math.ceil(1_000_000 / line.length));
  const { statements } = readSql({ parts: [text] });
  expect(statements.length).toBe(text.length / line.length);
  expect(statements.every((statement) => statement.locks.length === 1)).toBe(true);
});

test('a function deeper than anyone writes is not seen; one beside it is', () => {
  const names = (depth: number): number => readSql({ parts: [`select ${'('.repeat(depth)}${call}${')'.repeat(depth)}, pg_advisory_unlock(1)`] }).statements[0]!.locks.length;
  expect(names(50)).toBe(2);
  expect(names(1000)).toBe(1);
});
