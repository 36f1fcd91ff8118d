/**
 * Functions of any size, for measuring how the analysis grows. Each is the body of `async function main(client, work, a, b)`, and has
 * one lock that is taken at its beginning and freed at its end. Chains of a thousand operators are more than the parser can take.
 */

/** @param {number} count @param {(index: number) => string} make */
const times = (count, make) => Array.from({ length: count }, (_, index) => make(index)).join('\n');

/** @type {Record<string, { sizes: readonly number[], make: (size: number) => string }>} */
export const shapes = {
  statements: { sizes: [1250, 2500, 5000, 10000], make: (size) => times(size, (index) => `await work(${index});`) },
  'if statements': { sizes: [625, 1250, 2500, 5000], make: (size) => times(size, (index) => `if (a > ${index}) await work(${index});\nelse await work(0);`) },
  'local functions': { sizes: [625, 1250, 2500, 5000], make: (size) => times(size, (index) => `const f${index} = async () => work(${index});\nawait f${index}();`) },
  'flags that are set and asked': { sizes: [312, 625, 1250, 2500], make: (size) => times(size, (index) => `let f${index} = false;\nif (a > ${index}) f${index} = true;\nif (f${index}) await work(${index});`) },
  'promise chains': { sizes: [312, 625, 1250, 2500], make: (size) => times(size, (index) => `await work(${index}).then(() => work(0)).catch(() => {}).finally(() => work(1));`) },
  'try in try': { sizes: [25, 50, 100, 200], make: (size) => nest(size, 'try {\nawait work();', '} catch (error) {\nif (a) throw error;\n} finally {\nawait work();\n}') },
  'try in finally': { sizes: [25, 50, 100, 200], make: (size) => nest(size, 'try {\nawait work();\n} finally {', '}') },
  '10,000 lines in a hundred try blocks': { sizes: [1250, 2500, 5000, 10000], make: (size) => nest(100, `try {\n${times(size / 100, (index) => `await work(${index});`)}`, '} finally {\nawait work();\n}') },
  'loop in loop': { sizes: [25, 50, 100, 200], make: (size) => nest(size, 'for (const x of a) {\nif (b) continue;\nif (x) break;', 'await work();\n}') },
  'if in if': { sizes: [50, 100, 200, 400], make: (size) => nest(size, 'if (a) {\nawait work();', '} else {\nawait work();\n}') },
  'switch in switch': { sizes: [25, 50, 100, 200], make: (size) => nest(size, 'switch (a) {\ncase 1:\nawait work();\ndefault:', 'break;\ncase 2:\nawait work();\n}') },
  'else if': { sizes: [100, 200, 400, 800], make: (size) => `${times(size, (index) => `if (a === ${index}) await work(${index});\nelse`)} await work();` },
  'a && b': { sizes: [50, 100, 200, 400], make: (size) => `if (${times(size, (index) => `a > ${index} &&`)} await work()) await work();` },
  'a + b': { sizes: [50, 100, 200, 400], make: (size) => `await work(${times(size, (index) => `"${index}" +`)} a);` },
  'object literal': { sizes: [1250, 2500, 5000, 10000], make: (size) => `await work({\n${times(size, (index) => `key${index}: { value: a + ${index}, list: [a, b] },`)}\n});` },
  'callbacks in callbacks': { sizes: [12, 25, 50, 100], make: (size) => nest(size, 'await work(async () => {\nawait work();', '});') },
};

/** @param {number} depth @param {string} before @param {string} after */
function nest(depth, before, after) {
  return `${times(depth, () => before)}\n${times(depth, () => after)}`;
}

const PG = "import { Pool } from 'pg';\nconst pool = new Pool();\nconst work = async () => {};";

/** Functions with one fault each, in a file of any number of them. @type {Record<string, { head: string, make: (index: number) => string }>} */
export const functions = {
  'locks through a pool': { head: PG, make: (index) => `export async function f${index}() {\nawait pool.query('SELECT pg_advisory_lock(${index})');\nawait work();\nawait pool.query('SELECT pg_advisory_unlock(${index})');\n}` },
  'unlocks outside of finally': { head: PG, make: (index) => `export async function f${index}() {\nconst client = await pool.connect();\ntry {\nawait client.query('SELECT pg_advisory_lock(${index})');\nconst done = await work();\nawait client.query('SELECT pg_advisory_unlock(${index})');\nreturn done;\n} finally {\nclient.release();\n}\n}` },
  'two locks in a row': { head: PG, make: (index) => `export async function f${index}() {\nawait pool.query('SELECT pg_advisory_lock(${index}, 1)');\nawait pool.query('SELECT pg_advisory_lock(${index}, 2)');\nawait work();\nawait pool.query('SELECT pg_advisory_unlock(${index}, 2)');\nawait pool.query('SELECT pg_advisory_unlock(${index}, 1)');\n}` },
};

/** @param {string} shape @param {number} count */
export const fileOf = (shape, count) => `${functions[shape]?.head}\n${times(count, functions[shape]?.make ?? String)}\n`;
