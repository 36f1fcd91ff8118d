/**
 * Texts whose types are made of themselves, nest without end, or are broken. Each has lock SQL on a pool of `pg`, which stands at its
 * end: whatever comes before, it is to be reported.
 */

/** @param {number} depth @param {string} before @param {string} inner @param {string} after */
const nest = (depth, before, inner, after) => `${before.repeat(depth)}${inner}${after.repeat(depth)}`;

/** @param {number} count @param {(index: number) => string} make @param {string} [between] */
const times = (count, make, between = '\n') => Array.from({ length: count }, (_, index) => make(index)).join(between);

const lock = "await pool.query('SELECT pg_advisory_lock(1)');";

/** @param {string} before @param {string} [handles] Comma-separated parameters, each of which is asked for a lock. */
const file = (before, handles = '') => {
  const names = [...handles.matchAll(/\b(\w+)(?=\s*(?::|,|$))/g)].map(([name]) => name).filter((name) => /^[a-z]$/.test(name));
  return `import { Pool } from 'pg';\n${before}\nexport async function all(${handles}) {\n${names.map((one) => `  await ${one}.query('SELECT pg_advisory_lock(2)');\n  await ${one}.pool.query('SELECT pg_advisory_lock(3)');\n  await ${one}.next.next.query('SELECT pg_advisory_lock(4)');`).join('\n')}\n}\nconst pool = new Pool();\nexport async function last() {\n  ${lock}\n}\n`;
};

/** @param {string} typedefs @param {string} types One type for each parameter. */
const documented = (typedefs, types) => {
  const all = types.split(' ');
  const names = all.map((_, index) => String.fromCharCode(97 + index));
  return file(typedefs, '').replace('export async function all() {', `/**\n${all.map((type, index) => ` * @param {${type}} ${names[index] ?? ''}`).join('\n')}\n */\nexport async function all(${names.join(', ')}) {\n${names.map((one) => `  await ${one}.query('SELECT pg_advisory_lock(2)');\n  await ${one}.pool.query('SELECT pg_advisory_lock(3)');\n  (await ${one}).query('SELECT pg_advisory_lock(4)');`).join('\n')}`);
};

/** JavaScript with JSDoc. */
export const scripts = {
  'a typedef of itself': documented('/** @typedef {Foo} Foo */', 'Foo Foo[] Promise<Foo> (Foo|null) ?Foo'),
  'typedefs in a ring': documented('/** @typedef {B} A */\n/** @typedef {C|null} B */\n/** @typedef {Promise<A>} C */', 'A B C'),
  'a typedef with members of itself': documented('/** @typedef {{ pool: Node, next: Node, list: Node[], later: Promise<Node> }} Node */', 'Node Node[] Promise<Node>'),
  'typedefs that double': documented(times(60, (index) => `/** @typedef {T${index + 1}|T${index + 1}} T${index} */`), 'T0 Promise<T0>'),
  'a typedef that imports itself': documented("/** @typedef {import('./hostile.js').Foo} Foo */\n/** @import { Foo as Bar } from './hostile.js' */", 'Foo Bar'),
  'parentheses in JSDoc': documented('', `${nest(10_000, '(', 'Pool', ')')} ${nest(10_000, '(', 'Pool', '')}`),
  'promises in JSDoc': documented('', `${nest(5000, 'Promise<', 'Pool', '>')} ${nest(5000, 'Array<', 'Pool', '>')} Pool${'[]'.repeat(5000)} ${'?'.repeat(10_000)}Pool`),
  'a type of ten thousand alternatives': documented('', times(10_000, (index) => `T${index}`, '|')),
  'braces in JSDoc': documented('', `${nest(5000, '{a:', 'Pool', '}')} Pool`).replace(' */', ` * @param {${'{'.repeat(10_000)} x\n */`),
  'a comment of tags': documented(`/** ${'@typedef '.repeat(20_000)} */\n/** ${'@param {'.repeat(5000)} */`, 'Pool'),
  'a comment of blanks': documented(`/** @typedef${' '.repeat(100_000)}{Foo}${'\n * '.repeat(20_000)} Foo */`, 'Foo'),
  'members of JSDoc that say nothing': documented('/** @typedef {} A */\n/** @typedef {|} B */\n/** @typedef {{}} C */\n/** @typedef {{ :, ?: }} D */\n/** @typedef {Promise<>} E */', 'A B C D E'),
};

/** TypeScript. */
export const modules = {
  'aliases of themselves': file('type A = A; type B = C; type C = B; type D = Promise<D>; type E = E[]; type F = F | Pool; type G = { next: G } & G;', 'a: A, b: B, c: C, d: D, e: E, f: F, g: G'),
  'arguments that grow': file('interface Box<T> { next: Box<Box<T>>; pool: T }\ntype Grow<T> = { next: Grow<[T]>; pool: Grow<T[]> };\ntype Deep<T> = T extends object ? Deep<{ a: T }> : never;', 'a: Box<Pool>, b: Grow<Pool>, c: Deep<Pool>'),
  'constraints in a ring': file('', '').replace('all()', 'all<A extends B, B extends C, C extends A, D extends D[], E extends { next: E; pool: Pool }>(a: A, b: B, c: C, d: D, e: E)').replace('{\n\n}', "{\n  for (const one of [a, b, c, d, e] as any[]) await one.query('SELECT pg_advisory_lock(1)');\n  await (a as any as Pool).query(`SELECT ${e.next.next}`);\n  await e.next.pool.query('SELECT pg_advisory_lock(2)');\n}"),
  'classes in a ring': file('class A extends B { pool = super.pool; }\nclass B extends C {}\nclass C extends A { next = this.next; }\nclass D extends (D as any) {}\nclass E extends mix(E) {}\nfunction mix(Base: any) { return class F extends mix(Base) {}; }', 'a: A, b: B, c: C, d: D, e: E'),
  'interfaces in a ring': file('interface A extends B { next: A }\ninterface B extends C { pool: B }\ninterface C extends A {}\ninterface D extends Omit<D, "x"> {}\ninterface E extends Pick<F, keyof F> {}\ninterface F extends Pick<E, keyof E> {}', 'a: A, b: B, c: C, d: D, e: E, f: F'),
  'values of their own types': file('let a: typeof b; let b: typeof a; const c = (): ReturnType<typeof c> => c(); var d = d.next.pool;\nconst e = { next: e, get pool() { return this.next.pool; } };\nconst { f = f } = e as any;'),
  'mapped and conditional': file('type A = { [K in keyof A]: A[K] }; type B<T> = T extends infer U ? B<U> : never; type C = { [K in `${keyof C}x`]: Pool }; type D = `${D}x`; type E = A["next"]["pool"]; type F = Awaited<Promise<F>>;', 'a: A, b: B<Pool>, c: C, d: D, e: E, f: F'),
  'unions that multiply': file(`type A = ${times(12, () => '0', ' | ')};\ntype Many = \`${times(5, () => '${0|1|2|3|4|5|6|7|8|9}', '')}\`;\n${times(14, (index) => `type T${index} = T${index + 1} | { a${index}: T${index + 1} };`)}\ntype T14 = Pool;`, 'a: A, b: Many, c: T0'),
  'an alias of two hundred': file(`${times(200, (index) => `type T${index} = { next: T${index + 1}; pool: T${index + 1}["pool"] };`)}\ntype T200 = { next: T0; pool: Pool };`, 'a: T0'),
  'a type of deep parentheses': file('', `a: ${nest(150, '(', 'Pool', ')')}, b: ${nest(150, 'Promise<', 'Pool', '>')}, c: ${nest(150, '{ next: ', 'Pool', ' }')}`),
  'overloads without end': file(`${times(500, (index) => `export function over(a: ${index}): { pool: Pool };`)}\nexport function over(a: any): any { return over(a); }\nexport const made = async () => { await over(499).pool.query('SELECT pg_advisory_lock(1)'); };`),
  'merged declarations': file('namespace A { export const pool = A.pool; }\nclass A { static next = A; }\nenum B { pool = B.pool, next }\nnamespace B { export import C = A; }\ndeclare global { interface Pool { next: Pool } }', 'a: typeof A, b: typeof B'),
};

/** Texts that a file with locks imports: not those that a host has parsed, but those that TypeScript has recovered from. */
export const imported = {
  'broken by an open brace': 'export class Db { query(sql: string) { if ( { \nexport const pool = new Db(;\n',
  'broken in its types': "import { Pool } from 'pg';\nexport const pool: Pool<<< = new Pool();\nexport type = ;\ninterface { }\n",
  'broken in a string': "import { Pool } from 'pg';\nexport const pool = new Pool('open;\nexport const x = `${;\n",
  'of keywords': 'export const pool = class extends function => await yield import export default;;;}}}})))',
  'of noughts': '\0\0\0export const pool = 1;\0',
  'without an end': `export const pool = ${'('.repeat(3000)}`,
  'of conflicts': "<<<<<<< HEAD\nexport const pool = 1;\n=======\nexport const pool = 2;\n>>>>>>> other\n",
  'of JSX in TypeScript': 'export const pool = <div>{</div>};\n',
  'of nothing': '',
  'that imports its importer': "export { pool } from './job.js';\nexport * from './job.js';\nexport * from './db.js';\nimport { pool as again } from './db.js';\nvoid again.query('SELECT pg_advisory_lock(1)');\n",
  'that extends its importer': "import { Job } from './job.js';\nexport class Db extends Job { pool = super.pool; }\nexport const pool = new Db().pool;\n",
  'of a chain that the checker overflows over': `export const pool = a${'.b()'.repeat(1000)};\n`,
  'of blocks that the binder overflows over': `${nest(2000, '{', '', '}')}\nexport const pool = 1;\n`,
  'of nested functions': `export const pool = ${nest(800, '(() => ', '1', ')()')};\n`,
};

/** The file that imports one of those. */
export const importer = "import { Pool } from 'pg';\nimport { pool as other, Db } from './db.js';\nimport * as all from './db.js';\nexport class Job extends Db { pool = other; async run() { await this.pool.query('SELECT pg_advisory_lock(2)'); } }\nexport { other as pool };\nawait other.query('SELECT pg_advisory_lock(3)');\nawait all.pool.query('SELECT pg_advisory_lock(4)');\nconst pool = new Pool();\nexport async function last() {\n  await pool.query('SELECT pg_advisory_lock(1)');\n}\n".replace('export { other as pool };', 'export { other as pool, other };');
