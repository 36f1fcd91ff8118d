import { describe, expect, test } from 'vitest';
import { mermaid } from '../../src/inventory/mermaid.js';
import { svg } from '../../src/inventory/svg.js';
import { json, markdown, table } from '../../src/inventory/tables.js';
import { widthOf } from '../../src/inventory/words.js';
import { inventory } from './inventory-of.js';

const imports = "import { Pool, type PoolClient } from 'pg'; const pool = new Pool();\n";
const many = Array.from({ length: 12 }, (_, index) => `export async function job${index}(client: PoolClient) {
  await client.query('SELECT pg_advisory_lock(${index % 4})'); await pool.query('SELECT pg_try_advisory_lock_shared(${(index * 5) % 7}, 1)');
}\n`).join('');
const odd = `export async function tricky(client: PoolClient, name: string) {
  await client.query("SELECT pg_advisory_lock(hashtext('<a & \\"b\\"> | 日本語のキー \\u0007'))");
  await client.query('SELECT pg_advisory_lock(hashtext($1))', [\`\${name}:a very long key that goes on and on and has no end in sight, or so it seems\`]);
}\n`;
const samples = {
  empty: inventory({ 'a.ts': 'export {};\n' }),
  one: inventory({ 'a.ts': `${imports}export const run = () => pool.query('SELECT pg_advisory_lock(1)');\n` }),
  many: inventory({ 'jobs/a.ts': imports + many, 'jobs/and-a-file-with-a-name-that-is-longer-than-others.ts': imports + many }),
  odd: inventory({ 'a.ts': imports + odd }),
  passed: inventory({ 'a.ts': `${imports}async function withLock(client: PoolClient, key: number) { await client.query('SELECT pg_advisory_lock($1)', [key]); }
    export async function jobs(client: PoolClient, id: number) { await withLock(client, 42); await withLock(client, 43); await withLock(client, id); }
    export const direct = (client: PoolClient) => client.query('SELECT pg_advisory_lock(43)');\n` }),
};

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly what: string;
}

const overlap = (one: Box, other: Box): boolean => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
const holds = (outer: Box, inner: Box): boolean => outer.left <= inner.left && inner.right <= outer.right && outer.top <= inner.top && inner.bottom <= outer.bottom;

const unescaped = (text: string): string => text.replace(/&(?:lt|gt|amp|quot);/g, '_');

/** The places of texts and frames. A letter of 13 pixels is no wider than 8 in the fonts that the picture names, and stands 11 above its line. */
function geometry(text: string): { texts: Box[]; frames: Box[]; page: Box } {
  const number = (part: string, name: string): number => Number(new RegExp(` ${name}="(-?[\\d.]+)"`).exec(part)?.[1]);
  const texts = [...text.matchAll(/<text [^>]*>([^<]*)</g)].map(([part, words = '']) => ({ left: number(part, 'x'), right: number(part, 'x') + widthOf(unescaped(words)) * (part.includes('"title"') ? 10 : 8), top: number(part, 'y') - 11, bottom: number(part, 'y') + 4, what: words }));
  const frames = [...text.matchAll(/<rect class="(?:take|key)[^>]*>/g)].map(([part]) => ({ left: number(part, 'x'), right: number(part, 'x') + number(part, 'width'), top: number(part, 'y'), bottom: number(part, 'y') + number(part, 'height'), what: part }));
  return { texts, frames, page: { left: 0, top: 0, right: number(text.slice(0, 300), 'width'), bottom: number(text.slice(0, 300), 'height'), what: 'page' } };
}

describe.each(Object.entries(samples))('the picture of %s', (_name, sample) => {
  const { texts, frames, page } = geometry(svg(sample));

  test('has no text on another, and none out of its frame or off the page', () => {
    for (const [index, one] of texts.entries()) {
      expect(texts.slice(index + 1).filter((other) => overlap(one, other)).map(({ what }) => `${one.what} / ${what}`)).toEqual([]);
      expect(frames.filter((frame) => overlap(one, frame) && !holds(frame, one)).map(({ what }) => `${one.what} / ${what}`)).toEqual([]);
    }
    for (const [index, one] of frames.entries()) expect(frames.slice(index + 1).filter((other) => overlap(one, other)).map(({ what }) => `${one.what} / ${what}`)).toEqual([]);
    expect([...texts, ...frames].filter((one) => !holds(page, one))).toEqual([]);
  });

  test('is well-formed, and the same each time', () => {
    const text = svg(sample);
    expect(svg(sample)).toBe(text);
    expect(text.replace(/<style>[^]*<\/style>/, '').replace(/<\/?(?:svg|text|rect|path)(?: [\w-]+="[^"<]*")*\/?>/g, '').replace(/&(?:amp|lt|gt|quot);/g, '')).not.toMatch(/[<>&\u0000-\u0008]/);
    expect([text.match(/<text/g)?.length, text.match(/NaN|undefined/)]).toEqual([text.match(/<\/text>/g)?.length, null]);
  });
});

test('every function has its locks, every key stands once, and a line leads from each to each', () => {
  const text = svg(samples.many);
  expect(text.match(/<text class="text"[^>]*>job\d+</g)).toHaveLength(24);
  expect(text.match(/<rect class="take good"/g)).toHaveLength(24);
  expect(text.match(/<rect class="take bad"/g)).toHaveLength(24);
  expect(text.match(/<rect class="key shared"/g)).toHaveLength(11);
  expect(text.match(/ C\d/g)).toHaveLength(48);
});

test('a page that is dark has colours of its own', () => {
  expect(svg(samples.one)).toMatch(/@media \(prefers-color-scheme: dark\) \{\s+\.page \{ fill: #0d1117 \} text \{ fill: #f0f6fc \}/);
});

test('mermaid', () => {
  expect(mermaid(samples.one)).toBe('flowchart LR\n  subgraph file0["a.ts"]\n    function0["run"]\n  end\n  key0(["1"])\n  function0 -.->|"lock: pool (pooled)"| key0');
  expect(mermaid(samples.odd)).toContain('(["hashtext(#39;#60;a #38; #34;b#34;#62; #124; #26085;#26412;');
  expect(mermaid(samples.many)).toContain('key0(["0"]):::shared');
});

test('a table is aligned, and leaves out what has nothing to say', () => {
  expect(table(samples.one)).toBe([
    'a.ts',
    '  line  function  operation  level    mode       key  connection  unlocked by     guarded by  because',
    '  2     run       lock       session  exclusive  1    pooled      nobody in view  nothing     `pool` is a pg Pool (a.ts:1)',
    '',
  ].join('\n'));
  const lines = table(samples.odd).split('\n').slice(1, 4);
  expect(new Set(lines.map((line) => widthOf(line.slice(0, line.search(/connection|pinned/))))).size).toBe(1);
});

test('Markdown keeps its columns, whatever a key has in it', () => {
  const rows = markdown(samples.odd).split('\n').filter((line) => line.startsWith('|'));
  expect(rows.map((row) => row.match(/(?<!\\)\|/g)?.length)).toEqual([12, 12, 12, 12]);
  expect(rows[3]).toContain('`` hashtext(`${name}:a very long key');
  expect(markdown(samples.many)).toContain('\n## Keys that more than one function takes\n\n- `0` is taken by 6 functions');
});

test('JSON has it all', () => {
  expect(JSON.parse(json(samples.one, { more: 1 }))).toEqual({
    statements: [{
      file: 'a.ts', line: 2, column: 45, within: 'run', function: 'pg_advisory_lock', level: 'session', mode: 'exclusive', operation: 'acquire', key: '1', passed: [], handle: 'pool',
      connection: 'pooled', evidence: '`pool` is a pg Pool (a.ts:1)', unlockedBy: [], unlocks: null, callers: [], guard: 'nothing', findings: [],
    }],
    sharedKeys: [], opposedOrders: [], more: 1,
  });
});

test('a helper that is passed its key takes the keys of its callers', () => {
  const text = mermaid(samples.passed);
  expect(text.match(/key\d+\(\["[^"]*"\]\)(?::::shared)?/g)).toEqual(['key0(["42"])', 'key1(["43"]):::shared', 'key2(["id"])']);
  expect(text.match(/function\d+ -->\|"[^"]*"\| key\d+/g)?.map((one) => one.replace(/\|.*\|/, ''))).toEqual(['function0 --> key0', 'function0 --> key1', 'function0 --> key2', 'function1 --> key1']);
});
