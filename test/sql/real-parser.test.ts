import { beforeAll, expect, test } from 'vitest';
import { lockFunctions, readSql } from '../../src/sql/index.js';
import { collected } from './support/collected.js';
import { differences } from './support/compare.js';
import { constructs } from './support/constructs.js';
import { Generator } from './support/generator.js';
import { Random } from './support/random.js';
import { loadParser } from './support/real-parser.js';

beforeAll(loadParser);

test.each([...collected, ...constructs])('agrees with PostgreSQL: %s', (text) => {
  expect(differences(text)).toEqual([]);
});

const seeds = [1, 20, 300, 4000];
const textsPerSeed = 1500;

test.each(seeds)('agrees with PostgreSQL over generated statements, seed %i', (seed) => {
  const generator = new Generator(new Random(seed));
  const failed: string[] = [];
  let accepted = 0;
  for (let at = 0; at < textsPerSeed; at += 1) {
    const text = generator.text();
    const found = differences(text);
    if (found !== undefined) accepted += 1;
    if (found !== undefined && found.length > 0) failed.push(`${text}\n  ${found.join('\n  ')}`);
  }
  expect(failed.slice(0, 3)).toEqual([]);
  expect(accepted).toBeGreaterThan(textsPerSeed * 0.95);
});

test('the generator reaches every function and every kind of answer', () => {
  const generator = new Generator(new Random(5));
  const statements = Array.from({ length: 500 }, () => readSql({ parts: [generator.text()] })).flatMap((reading) => reading.statements);
  const locks = statements.flatMap((statement) => statement.locks);
  expect(new Set(locks.map((lock) => lock.function.name)).size).toBe(lockFunctions.length);
  expect([...new Set(locks.map((lock) => lock.answer.kind))].sort()).toEqual(['column', 'dropped', 'inside', 'row']);
});
