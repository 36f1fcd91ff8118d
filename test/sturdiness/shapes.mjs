/**
 * Hostile texts of any size. Each has lock SQL and a known driver, so that all of the analysis runs over it. `size` is one that ESLint
 * and the parser can take; twice as much is asked for where growth is measured.
 */

/** @param {number} count @param {(index: number) => string} make @param {string} [between] */
const times = (count, make, between = '\n') => Array.from({ length: count }, (_, index) => make(index)).join(between);

/** @param {number} depth @param {string} before @param {string} inner @param {string} after */
const nest = (depth, before, inner, after) => `${before.repeat(depth)}${inner}${after.repeat(depth)}`;

const head = `import { Pool, Client } from 'pg';
const pool = new Pool();
`;
const lock = "await client.query('SELECT pg_advisory_lock(1)');";
const unlock = "await client.query('SELECT pg_advisory_unlock(1)');";

/** @param {string} body @param {string} [before] */
const main = (body, before = '') => `${head}${before}
export async function main(work, a, b) {
  const client = await pool.connect();
  ${body}
}
`;

/** @param {string} body */
const held = (body) => main(`${lock}\n${body}\n${unlock}\nclient.release();`);

/** @type {Record<string, { readonly size: number, readonly make: (size: number) => string }>} */
export const shapes = {
  'lock in nested ifs': { size: 400, make: (size) => main(nest(size, 'if (a) {\n', `${lock}\n${unlock}`, '\n}')) },
  'statements under a lock': { size: 10_000, make: (size) => held(times(size, (index) => `await work(${index});`)) },
  'switch of many branches': { size: 1000, make: (size) => held(`switch (a) {\n${times(size, (index) => `case ${index}: await work(${index});${index % 2 ? ' break;' : ''}`)}\n}`) },
  'closures in closures': { size: 100, make: (size) => held(nest(size, 'await (async () => {\n', 'await work();', '\n})();')) },
  'lock in closures': { size: 100, make: (size) => main(nest(size, 'await work(async () => {\n', `${lock}\n${unlock}`, '\n});')) },
  'wrappers that call each other': { size: 50, make: (size) => `${main("await f0(client, 'SELECT pg_advisory_lock(1)');\nawait f0(client, 'SELECT pg_advisory_unlock(1)');")}${times(size, (index) => `async function f${index}(c, sql) { if (sql) return f${(index + 1) % size}(c, sql); return c.query(sql); }`)}` },
  'parts of a string': { size: 400, make: (size) => main(`await client.query('SELECT ' + ${times(size, () => "'pg_advisory_lock(1), ' +", ' ')} 'pg_advisory_lock(2)');`) },
  'parts added with +=': { size: 2000, make: (size) => main(`let sql = 'SELECT pg_advisory_lock(1)';\n${times(size, (index) => `sql += ', ${index}';`)}\nawait client.query(sql);`) },
  'parts joined': { size: 5000, make: (size) => main(`await client.query(['SELECT pg_advisory_lock(1)', ${times(size, (index) => `'${index}'`, ', ')}].join(', '));`) },
  'constants of constants': { size: 1000, make: (size) => main('await client.query(`SELECT ${s0}`);', `${times(size, (index) => `const s${index} = \`\${s${index + 1}}\`;`)}\nconst s${size} = 'pg_advisory_lock(1)';`) },
  'constants that double': { size: 20, make: (size) => main('await client.query(s0);', `${times(size, (index) => `const s${index} = s${index + 1} + s${index + 1};`)}\nconst s${size} = 'SELECT pg_advisory_lock(1); ';`) },
  'choices of constants': { size: 12, make: (size) => main('await client.query(s0);', `${times(size, (index) => `const s${index} = globalThis.x${index} ? s${index + 1} + ' ' : s${index + 1} + '  ';`)}\nconst s${size} = 'SELECT pg_advisory_lock(1); ';`) },
  'constants of themselves': { size: 200, make: (size) => main('await client.query(s0);\nawait client.query(`SELECT pg_advisory_lock(${s1})`);', times(size, (index) => `const s${index} = s${(index + 1) % size} + s${index} + 'pg_advisory_lock(1)';`)) },
  'helpers that call the next two': { size: 150, make: (size) => `${main("await f0(client, 'SELECT pg_advisory_lock(1)');\nawait f0(client, 'SELECT pg_advisory_unlock(1)');")}${times(size, (index) => `async function f${index}(c, sql) { await f${index + 1}(c, sql); await f${index + 2}(c, sql); }`)}\nasync function f${size}(c, sql) { await c.query(sql); }\nasync function f${size + 1}(c, sql) { await c.query(sql); }\n` },
  'helpers that return the next two': { size: 150, make: (size) => `${main('await client.query(f0());')}${times(size, (index) => `function f${index}() { return f${index + 1}() + f${index + 2}(); }`)}\nconst f${size} = () => 'SELECT pg_advisory_lock(1);';\nconst f${size + 1} = () => 'SELECT 1;';\n` },
  'helpers that hand on the next two': { size: 150, make: (size) => `${head}${times(size, (index) => `function c${index}() { return globalThis.x ? c${index + 1}() : c${index + 2}(); }`)}\nconst c${size} = () => pool;\nconst c${size + 1} = () => pool;\nexport const run = () => c0().query('SELECT pg_advisory_lock(1)');\n` },
  'callers of callers': { size: 100, make: (size) => `${head}async function f0(c) { await c.query('SELECT pg_advisory_lock(1)'); }\n${times(size, (index) => `async function f${index + 1}(c) { await f${index}(c); await f${Math.max(0, index - 1)}(c); }`)}\nexport const run = () => f${size}(pool);\n` },
  'locking helpers': { size: 100, make: (size) => `${head}${times(size, (index) => `async function l${index}(c) { ${index ? `await l${index - 1}(c); if (globalThis.x) await l${index - 1}(c);` : "await c.query('SELECT pg_advisory_lock(1)');"} }`)}\nexport async function main() { const client = await pool.connect(); try { await l${size - 1}(client); } finally { client.release(); } }\n` },
  'locking functions that call each other': { size: 375, make: (size) => `${head}${times(size, (index) => `export async function f${index}(work) { const client = await pool.connect(); try { await client.query('SELECT pg_advisory_lock(${index})'); await f${(index + 1) % size}(work); await f${(index * 7 + 3) % size}(work); await client.query('SELECT pg_advisory_unlock(${index})'); } finally { client.release(); } }`)}` },
  'flags remembered': { size: 100, make: (size) => held(times(size, (index) => `let f${index} = false;\nif (a > ${index}) f${index} = true;`) + times(size, (index) => `if (f${index}) await work(${index});`)) },
  'locks under flags': { size: 50, make: (size) => main(`${times(size, (index) => `let f${index} = false;\nif (a > ${index}) { ${lock.replace('(1)', `(${index})`)} f${index} = true; }`)}\n${times(size, (index) => `if (f${index}) ${unlock.replace('(1)', `(${index})`)}`)}`) },
  'chain of then': { size: 400, make: (size) => held(`await work()${times(size, (index) => `.then(() => work(${index}))`)};`) },
  'lock in a chain of then': { size: 400, make: (size) => main(`await client.query('SELECT pg_advisory_lock(1)')${times(size, (index) => `.then(() => work(${index}))`)}.finally(() => client.query('SELECT pg_advisory_unlock(1)'));`) },
  'this.x = this.x': { size: 200, make: (size) => `${head}class Jobs {\n${times(size, (index) => `x${index} = this.x${(index + 1) % size};`)}\nconstructor() { ${times(size, (index) => `this.x${index} = this.x${index}; this.x${index} = this.x${(index + 1) % size};`)} }\nasync run() { await this.x0.query('SELECT pg_advisory_lock(1)'); } }\n` },
  'classes over mixins': { size: 200, make: (size) => `${head}const mix = (Base) => class extends Base { async run() { await this.pool.query('SELECT pg_advisory_lock(1)'); } };\nclass A0 extends mix(A${size}) {}\n${times(size, (index) => `class A${index + 1} extends mix(A${index}) { pool = super.pool ?? pool; }`)}\nnew A${size}().run();\n` },
  'aliases in a ring': { size: 200, make: (size) => `${head}${times(size, (index) => `let c${index} = c${(index + 1) % size};`)}\n${times(size, (index) => `c${index} = globalThis.x ? c${(index + 1) % size} : c${(index + 2) % size};`)}\nc0.query('SELECT pg_advisory_lock(1)');\n` },
  'patterns in patterns': { size: 200, make: (size) => `${head}const ${nest(size, '{ a: ', '{ client }', ' }')} = ${nest(size, '{ a: ', '{ client: pool }', ' }')};\nclient.query('SELECT pg_advisory_lock(1)');\n` },
  'many locks': { size: 200, make: (size) => main(times(size, (index) => `${lock.replace('(1)', `(${index})`)}\n${unlock.replace('(1)', `(${index})`)}`)) },
  'many locks of one key': { size: 100, make: (size) => main(times(size, () => `${lock}\n${unlock}`)) },
  'many locks in one statement': { size: 1000, make: (size) => main(`await client.query('SELECT ${times(size, (index) => `pg_advisory_lock(${index})`, ', ')}');`) },
  'parentheses in SQL': { size: 20_000, make: (size) => main(`await client.query('SELECT ${nest(size, '(', 'pg_advisory_lock(1)', ')')}');`) },
  'arguments in arguments of SQL': { size: 1000, make: (size) => main(`await client.query('SELECT ${nest(size, 'pg_advisory_lock(', '1', ')')}');`) },
  'comments in SQL': { size: 20_000, make: (size) => main(`await client.query('${nest(size, '/*', ' SELECT pg_advisory_lock(1) ', '*/')} SELECT pg_advisory_lock(1)');`) },
  'SQL that never ends': { size: 20_000, make: (size) => main(`await client.query("SELECT pg_advisory_lock(1) ${"E'\\\\' $a$ /* (".repeat(size)}");`) },
  'dollars in SQL': { size: 20_000, make: (size) => main(`await client.query("SELECT pg_advisory_lock(1) ${times(size, (index) => `$a${index}$`, ' ')}");`) },
  'a huge template': { size: 5_000_000, make: (size) => main(`await client.query(\`SELECT pg_advisory_lock(1) -- ${'x'.repeat(size)}\`);`) },
  'a template of many holes': { size: 2000, make: (size) => main(`await client.query(\`SELECT pg_advisory_lock(1) ${times(size, (index) => `, \${a[${index}]}`, '')}\`);`) },
  'a huge text of blanks': { size: 500_000, make: (size) => `${main(`${lock}\n${unlock}`)}export ${' '.repeat(size)}\n;` .replace(/export ( +)\n;/, (_, blanks) => `export const z =${blanks}1;`) },
  'a huge comment': { size: 500_000, make: (size) => `${main(`${lock}\n${unlock}`)}/* import ${'import x '.repeat(size / 9)} */` },
  'conditions of &&': { size: 200, make: (size) => held(`if (${times(size, (index) => `(a > ${index} || b)`, ' && ')}) await work();`) },
  'ternaries': { size: 200, make: (size) => main(`await client.query(${times(size, (index) => `a === ${index} ? 'SELECT pg_advisory_lock(${index})' :`, ' ')} 'SELECT pg_advisory_unlock(1)');`) },
  'handles of ternaries': { size: 200, make: (size) => main(`await (${times(size, (index) => `a === ${index} ? pool :`, ' ')} client).query('SELECT pg_advisory_lock(1)');`) },
  // ESLint itself takes twice as long for each level.
  'try in finally': { size: 6, make: (size) => held(nest(size, 'try {\nawait work();\n} finally {\n', '', '\n}')) },
  'loops in loops': { size: 60, make: (size) => main(nest(size, 'for (const x of a) {\nif (b) continue;\nif (x) break;\n', `${lock}\n${unlock}`, '\nawait work();\n}')) },
};

/** Depths that the parser or ESLint's own walk may not take: a fault there is not ours. */
export const deep = {
  /** @param {number} size */ parentheses: (size) => main(`await client.query(${nest(size, '(', "'SELECT pg_advisory_lock(1)'", ')')});`),
  /** @param {number} size */ calls: (size) => main(`await client.query(${nest(size, 'a(', "'SELECT pg_advisory_lock(1)'", ')')});`),
  /** @param {number} size */ blocks: (size) => main(nest(size, '{', lock, '}')),
  /** @param {number} size */ templates: (size) => main(`await client.query(${nest(size, '`${', "'SELECT pg_advisory_lock(1)'", '}`')});`),
  /** @param {number} size */ ternaries: (size) => main(`await client.query(${nest(size, 'a ? ', "'SELECT pg_advisory_lock(1)'", ' : b')});`),
  /** @param {number} size */ sums: (size) => main(`await client.query('SELECT pg_advisory_lock(1)'${" + ' '".repeat(size)});`),
  /** @param {number} size */ ifs: (size) => main(nest(size, 'if (a) {', lock, '}')),
  /** @param {number} size */ closures: (size) => main(nest(size, 'await (async () => {', lock, '})();')),
  /** @param {number} size */ members: (size) => main(`await client${'.a'.repeat(size)}.query('SELECT pg_advisory_lock(1)');`),
  /** @param {number} size */ thens: (size) => main(`await client.query('SELECT pg_advisory_lock(1)')${'.then(() => a)'.repeat(size)};`),
  /** @param {number} size */ arrays: (size) => main(`await client.query(${nest(size, '[', "'SELECT pg_advisory_lock(1)'", ']')}.flat());`),
  /** @param {number} size */ elses: (size) => main(`${'if (a) await work(); else '.repeat(size)} ${lock}`),
};

/** Texts that are odd rather than large. */
export const odd = {
  'lone surrogates': main("await client.query('SELECT pg_advisory_lock(1) \ud800 \udc00');"),
  'a lone surrogate by escape': main("await client.query('SELECT pg_advisory_lock(1) \\ud800');"),
  'NUL in SQL': main("await client.query('SELECT pg_advisory_lock(\0)');"),
  'NUL by escape': main("await client.query('SELECT\\0pg_advisory_lock(1)');"),
  'a byte order mark': `\ufeff${main(lock)}`,
  'CRLF': main(`${lock}\n${unlock}`).replaceAll('\n', '\r\n'),
  'CR': main(`${lock}\n${unlock}`).replaceAll('\n', '\r'),
  'line separators': main(`${lock}\u2028${unlock}\u2029`),
  'an escape that ends': main('await client.query(tag`SELECT pg_advisory_lock(1) \\u{`);'),
  'open quotes': main('await client.query("SELECT pg_advisory_lock(\'");'),
  'open dollar quote': main('await client.query("SELECT $q$ pg_advisory_lock(1)");'),
  'open comment': main('await client.query("/* SELECT pg_advisory_lock(1)");'),
  'open parenthesis': main('await client.query("SELECT pg_advisory_lock(");'),
  'closing parentheses': main('await client.query("SELECT ))) pg_advisory_lock(1))))");'),
  'a key of a thousand digits': main(`await client.query("SELECT pg_advisory_lock(${'9'.repeat(1000)})");`),
  'names of Object': main("await client[a ? 'constructor' : '__proto__']('SELECT pg_advisory_lock(1)');\nawait client.hasOwnProperty('SELECT pg_advisory_lock(1)');\nawait __proto__.constructor.toString('SELECT pg_advisory_lock(1)');\nconst { constructor, __proto__: q } = client; q('SELECT pg_advisory_lock(1)');"),
  'a query of nothing': main(`await client.query();\nawait client.query(...a);\nawait client.query(, );\n${lock}`.replace('(, )', '(...a, ...b)')),
  'an import of itself': `import { x } from './odd.js';\nexport { x };\nexport * from './odd.js';\n${main("await x.query('SELECT pg_advisory_lock(1)');")}`,
  'generics that nest for ever': `import { Pool } from 'pg';\ninterface Box<T> { next: Box<Box<T>>; pool: T; run<U extends Box<U>>(u: U): Box<U> }\ndeclare const box: Box<Pool>;\ntype Loop<T> = T extends object ? Loop<{ a: T }> : never;\ndeclare const loop: Loop<Pool>;\nexport const f = async () => { await box.next.next.next.pool.pool.pool.query('SELECT pg_advisory_lock(1)'); await loop.query('SELECT pg_advisory_lock(1)'); };\n`,
  'types of themselves': `import { Pool } from 'pg';\ntype A = A;\ntype B = C;\ntype C = B;\ninterface D extends E { x: Pool }\ninterface E extends D {}\ntype F = { pool: F } | F;\ninterface H { pool: H['pool'] }\ndeclare const i: typeof j;\ndeclare const j: typeof i;\nexport async function f<T extends U, U extends T>(a: A, b: B, d: D, e: E, g: F, h: H, t: T) {\n${'abdeghijt'.split('').map((one) => `  await ${one}.query('SELECT pg_advisory_lock(1)');\n  await ${one}.pool.query('SELECT pg_advisory_lock(1)');`).join('\n')}\n}\n`,
  'makers of themselves': `${head}class A extends B {}\nclass B extends A {}\nconst make = () => make();\nconst bound = bound.bind(bound);\nfunction* give() { yield* give(); }\nexport const f = async () => { await new A(pool).query('SELECT pg_advisory_lock(1)'); await new A().pool.query('SELECT pg_advisory_lock(1)'); await make().query('SELECT pg_advisory_lock(1)'); await bound('SELECT pg_advisory_lock(1)'); for (const c of give()) await c.query('SELECT pg_advisory_lock(1)'); };\n`,
  'a class that extends itself': `${head}class A extends A { pool = this.pool; async run() { await this.pool.query('SELECT pg_advisory_lock(1)'); await super.pool.query('SELECT pg_advisory_lock(1)'); } }\n`,
};
