/**
 * Settings that call the functions that a package uses most often helpers for locks, so that its own calls are lock code and nothing has
 * to be written into it.
 */

/** @param {readonly string[]} texts @param {RegExp} pattern @returns {string[]} The first groups of all matches, most frequent first. */
function mostFrequent(texts, pattern) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const text of texts) for (const [, name = ''] of text.matchAll(pattern)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([name]) => name);
}

const WORDS = new Set(['if', 'for', 'while', 'switch', 'catch', 'function', 'return', 'constructor', 'typeof', 'await', 'super', 'import', 'require', 'new', 'of', 'in']);
const FUNCTION = /\bfunction\s+([\w$]+)\s*\(/g;
const METHOD = /^[ \t]+(?:async\s+)?([a-zA-Z][\w$]*)\s*\([^()\n]*\)\s*(?::[^\n{;]+)?[{;]/gm;
const CLASS = /\b(?:class|interface)\s+([\w$]+)/g;
const CALLED = /(?<![\w$.])([a-zA-Z_$][\w$]*)\s*\(/g;
const OBJECT = /(?<![\w$.])([a-zA-Z_$][\w$]*)\.[a-zA-Z]+\(/g;

/** @param {readonly string[]} texts */
export function namesIn(texts) {
  const own = new Set(mostFrequent(texts, FUNCTION));
  const called = mostFrequent(texts, CALLED).filter((one) => !WORDS.has(one) && own.has(one));
  const [lock = 'lock', tries = 'tryLock', shared = 'shared', unlock = 'unlock', query = 'run'] = called;
  const methods = mostFrequent(texts, METHOD).filter((one) => !WORDS.has(one));
  const types = mostFrequent(texts, CLASS);
  const [value = 'client', other = 'pool'] = mostFrequent(texts, OBJECT).filter((one) => !WORDS.has(one));
  const [take = 'take', free = 'free'] = methods;
  const some = types.slice(0, 20);
  const settings = {
    handles: [{ value, connection: 'pinned' }, { value: other, connection: 'pooled' }, ...(types[0] ? [{ type: types[0], connection: 'transaction' }] : [])],
    queries: [{ function: query }],
    locks: [
      { function: lock, connection: 'pinned' }, { function: tries, try: true, connection: 'pooled' }, { function: shared, shared: true, connection: { argument: 0 }, result: 'value' },
      ...some.map((type) => ({ type, member: [take], connection: 'pinned' })),
    ],
    unlocks: [{ function: unlock, connection: 'pinned' }, ...some.map((type) => ({ type, member: [free] }))],
  };
  const escaped = [lock, tries, shared, unlock, query, take, free].map((one) => one.replaceAll('$', '\\$'));
  return { settings, pattern: new RegExp(`(?<![\\w$])(?:${escaped.join('|')})(?![\\w$])`) };
}
